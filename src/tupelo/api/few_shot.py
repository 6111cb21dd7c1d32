"""The few-shot study of the ROBUST paper for any cliques and any extractor that is shown demonstrations."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import NamedTuple, TypeAlias

from tupelo.api.robustness import Cliques, Predictions, clique_records, read_cliques
from tupelo.api.scoring import split_format
from tupelo.api.text import load
from tupelo.api.tuples import read
from tupelo.core import Analysis, Clique, InputError, Record
from tupelo.core.progress import Advance, Progress, track
from tupelo.core.protocols import Extractor, Likeness, Parser
from tupelo.extract.llm.extractor import CHOICES, EXCLUDED, FewShotExtractor, most_similar
from tupelo.extract.llm.prompt import Demonstration, GivenChoice, RandomChoice, Siblings, gather
from tupelo.io.tuples import AUTO
from tupelo.robustness.few_shot import (
    CLIQUE,
    FROM_CLIQUE,
    FROM_POOL,
    WHOLE_CLIQUE,
    FewShotOptions,
    FewShotRun,
    FewShotStudy,
    draw_pairs,
    few_shot_study,
)
from tupelo.robustness.trees import tree_of
from tupelo.scorers.result import file_mark, signature
from tupelo.scorers.robust import Robust

__all__ = ["FewShotOptions", "study_few_shots"]

# What the study itself decides; the extractor's other settings are the user's.
_OWN_SETTINGS = ("shots", "choose", "seed", "cliques", "demonstrations", "demonstrations-format")
# The demonstrations of each sentence of a clique.
Shown: TypeAlias = Sequence[Sequence[Demonstration]]
# The demonstrations of a sentence, by their number.
_Chosen: TypeAlias = Callable[[str, int], Sequence[Demonstration]]


def study_few_shots(
    cliques: Cliques,
    extractor: str | Extractor,
    options: FewShotOptions | None = None,
    *,
    settings: Mapping[str, str] | None = None,
    demonstrations: Predictions | None = None,
    fixes: Sequence[str] = (),
    parser: str = "en",
    processes: int = 1,
    progress: Progress | None = None,
) -> FewShotStudy:
    """Figures 6a, 6b and 9 and Table 1 of the ROBUST paper for `llm:MODEL`, or an extractor of your own.

    An extractor of your own has a method `showing(choice)`, which returns the extractor that asks with the
    demonstrations of `choice`. `demonstrations` are tuples to choose from, by default those of the originals; no
    sentence of the clique that is asked about is shown, unless `settings` have `exclude=sentence`. Answers are kept
    on disk, so a run that was stopped goes on where it was.
    """
    options, settings = options or FewShotOptions(), dict(settings or {})
    _require_known(options, settings)
    gold = clique_records(cliques, "robust")
    found = read_cliques(gold)
    if demonstrations is None:
        pool, origin = gather(tuple_ for clique in found for tuple_ in clique.extractions[0]), "originals"
    else:
        given = read(*split_format(demonstrations, AUTO))
        pool, origin = gather(given), file_mark(given.name, given.checksum)
    asked = _sampled(found, options)
    exclude = settings.get("exclude", EXCLUDED[0])
    siblings = Siblings(alone=True) if exclude == "sentence" else Siblings.of(clique_records(found, "robust"))
    with load(parser, extractor=extractor, settings=settings, processes=processes) as nlp:
        model = nlp.extractor
        if not isinstance(model, FewShotExtractor):
            raise InputError(f"the extractor '{model.name}' is shown no demonstrations, expected llm:MODEL")
        texts = [_line(sentence.text) for clique in found for sentence in clique.sentences]
        library = _Library.of(nlp.parser, [*texts, *(item.sentence for item in pool)], progress)
        plans = [
            *_pool_plans(
                asked, options, lambda how: library.choose(how, pool, options, siblings, nlp.services.likeness)
            ),
            *_clique_plans(asked, options, siblings),
        ]
        advance = track(progress, "asking", sum(len(clique.sentences) for plan in plans for clique, _ in plan.shown))
        # Every sentence was asked about, so none is missing.
        scorer = Robust(missing="zero", fixes=fixes)
        runs = [library.run(model, plan, scorer, advance) for plan in plans]
        notes = nlp.report()
    about = {
        "gold": file_mark(gold.name, gold.checksum),
        "model": model.name,
        "cliques": len(asked),
        "demonstrations": origin,
        "exclude": exclude,
        "seed": options.seed,
    }
    return few_shot_study(
        asked,
        runs,
        [tree_of(analysis) for analysis in library.analyses],
        options,
        track(progress, "comparing", 2),
        name=PurePath(gold.name).name,
        extractor=model.name,
        about=signature("few-shot", about),
        notes=notes,
    )


def _require_known(options: FewShotOptions, settings: Mapping[str, str]) -> None:
    for name in options.choose:
        if name not in CHOICES:
            raise InputError(f"no way to choose demonstrations is named '{name}'. Known: {', '.join(CHOICES)}")
    for name in _OWN_SETTINGS:
        if name in settings:
            raise InputError(f"the setting '{name}' is what a study decides, expected its own option instead")


def _sampled(cliques: Sequence[Clique], options: FewShotOptions) -> Sequence[Clique]:
    if options.sample is None or options.sample >= len(cliques):
        return cliques
    places = random.Random(options.seed).sample(range(len(cliques)), options.sample)
    return [cliques[place] for place in sorted(places)]


class _Plan(NamedTuple):
    """A run of the study: what is asked about, and the demonstrations that are shown."""

    figure: str
    how: str
    number: int | None
    shown: Sequence[tuple[Clique, Shown]]


def _pool_plans(
    asked: Sequence[Clique], options: FewShotOptions, chooser: Callable[[str], _Chosen]
) -> Iterator[_Plan]:
    """Demonstrations from the pool, by each way of choosing and each number of them."""
    for how in options.choose if options.shots else ():
        chosen = chooser(how)
        for shots in options.shots:
            shown = [(clique, [chosen(_line(each.text), shots) for each in clique.sentences]) for clique in asked]
            yield _Plan(FROM_POOL, how, shots, shown)


def _clique_plans(asked: Sequence[Clique], options: FewShotOptions, siblings: Siblings) -> Iterator[_Plan]:
    """Demonstrations from one other clique: each number of its tuples, then all of them."""
    if not options.pairs:
        return
    least = max(options.pair_shots, default=1)
    pairs = draw_pairs(asked, options.pairs, least, _are_apart(siblings), options.seed)
    for number in (*options.pair_shots, None):
        shown = []
        for place, other in sorted(pairs.items()):
            first = gather(asked[other].records())[:number]
            shown.append((asked[place], [first] * len(asked[place].sentences)))
        yield _Plan(WHOLE_CLIQUE if number is None else FROM_CLIQUE, CLIQUE, number, shown)


@dataclass(frozen=True, slots=True)
class _Library:
    """Every sentence of the study, analysed once."""

    analyses: Sequence[Analysis]
    places: Mapping[str, int]

    @classmethod
    def of(cls, parser: Parser, texts: Sequence[str], progress: Progress | None) -> _Library:
        lines = list(dict.fromkeys(texts))
        advance = track(progress, "parsing", len(lines))
        analyses = []
        for analysis in parser.analyze(lines, lines=True):
            analyses.append(analysis)
            advance(1)
        return cls(analyses, {line: place for place, line in enumerate(lines)})

    def place(self, line: str) -> int:
        return self.places[line]

    def choose(
        self,
        how: str,
        pool: Sequence[Demonstration],
        options: FewShotOptions,
        siblings: Siblings,
        likeness: Callable[[str], Likeness],
    ) -> _Chosen:
        """A function that returns the demonstrations of a sentence, by their number."""
        most = max(options.shots)
        ranking = (
            None
            if how == "random" or most == 0
            else most_similar(
                how, pool, [self.analyses[self.place(e.sentence)] for e in pool], most, siblings, likeness
            )
        )
        ranked: dict[str, Sequence[Demonstration]] = {}

        def chosen(line: str, shots: int) -> Sequence[Demonstration]:
            analysis = self.analyses[self.place(line)]
            if ranking is None:
                found: Sequence[Demonstration] = RandomChoice(pool, shots, options.seed, siblings).choose(analysis)
            else:
                if line not in ranked:
                    ranked[line] = ranking.choose(analysis)
                # The most similar ones are last.
                found = ranked[line][len(ranked[line]) - shots :] if shots <= len(ranked[line]) else ranked[line]
            if len(found) < shots:
                raise InputError(
                    f"{shots} demonstration(s) asked for, {len(found)} at hand that do not say the same as "
                    f"'{line[:60]}'; expected fewer --shots, or a larger file of --demonstrations"
                )
            return found

        return chosen

    def run(self, model: FewShotExtractor, plan: _Plan, scorer: Robust, advance: Advance) -> FewShotRun:
        """Ask about every sentence of a plan, and score the answers."""
        records = list(self.ask(model, plan.shown, advance))
        scored = [record for clique, _ in plan.shown for record in clique.records()]
        evaluation = scorer.evaluate(scored, records)
        trees = [[self.place(_line(sentence.text)) for sentence in clique.sentences] for clique, _ in plan.shown]
        seen = [[[self.place(item.sentence) for item in items] for items in each] for _, each in plan.shown]
        return FewShotRun(plan.figure, plan.how, plan.number, evaluation, trees, seen)

    def ask(
        self, model: FewShotExtractor, plan: Sequence[tuple[Clique, Shown]], advance: Advance
    ) -> Iterator[Record]:
        """The tuples of every sentence with its clique; a sentence without tuples comes as it is."""
        asked = [
            (
                clique.id,
                sentence,
                replace(self.analyses[self.place(_line(sentence.text))], document_id=clique.id),
                shown,
            )
            for clique, by_sentence in plan
            for sentence, shown in zip(clique.sentences, by_sentence, strict=True)
        ]
        choice = GivenChoice({(name, analysis.text): shown for name, _, analysis, shown in asked})
        answers = model.showing(choice).extract(analysis for _, _, analysis, _ in asked)
        for (name, sentence, _, _), tuples in zip(asked, answers, strict=True):
            yield from (replace(each, sentence=sentence, group=name) for each in tuples)
            if not tuples:
                yield replace(sentence, document_id=name)
            advance(1)


def _are_apart(siblings: Siblings) -> Callable[[Clique, Clique], bool]:
    def apart(asked: Clique, shown: Clique) -> bool:
        examples = gather(shown.records())
        return all(len(siblings.others(_line(each.text), examples)) == len(examples) for each in asked.sentences)

    return apart


def _line(text: str) -> str:
    """The parser expects one sentence per line, so other whitespace is replaced."""
    return " ".join(text.split())
