"""From a gold standard to cliques: paraphrase, verify, choose; tuples come along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tupelo.cliques.candidates import Candidate, Original, Paraphraser, Told
from tupelo.cliques.choose import Judged, choose, shortlist
from tupelo.cliques.measures import Hws, SyntaxMeasure
from tupelo.cliques.trees import Tree, tree_of
from tupelo.cliques.verify import REASONS, Thresholds, verify
from tupelo.core import Analysis, Extraction, Record, Sentence
from tupelo.core.protocols import Extractor, Parser

# Sentences that are paraphrased together.
_AT_ONCE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What a clique must be like. Numbers of sentences include the original.

    A clique stays smaller rather than fall below `least_distance` on average,
    and is left out below `floor`: its sentences are too alike to test anything.
    With `every`, all paraphrases that pass the checks are taken, however many
    and however alike: training data rather than a test.
    """

    every: bool = False
    least: int = 3
    most: int = 4
    least_distance: float = 0.575
    floor: float = 0.1
    thresholds: Thresholds = field(default_factory=Thresholds)
    measure: SyntaxMeasure = field(default_factory=Hws)


@dataclass(slots=True)
class BuildReport:
    """What went in, what came out and why the rest did not."""

    originals: int = 0
    without_tuples: int = 0
    candidates: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    passed: int = 0
    too_alike: int = 0
    cliques: int = 0
    sentences: int = 0
    origins: Counter[str] = field(default_factory=Counter)
    distances: list[float] = field(default_factory=list)
    fluency: list[float] = field(default_factory=list)
    meaning: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """For people and for JSON."""
        return {
            "originals": self.originals,
            "without_tuples": self.without_tuples,
            "candidates": self.candidates,
            "dropped": {reason: self.dropped[reason] for reason in REASONS},
            "passed": self.passed,
            "too_alike": self.too_alike,
            "cliques": self.cliques,
            "sentences": self.sentences,
            "sentences_per_clique": self.sentences / self.cliques if self.cliques else None,
            "mean_distance": _mean(self.distances),
            "mean_fluency": _mean(self.fluency),
            "mean_meaning": _mean(self.meaning),
            "origins": dict(sorted(self.origins.items(), key=lambda item: (-item[1], item[0]))),
        }


@dataclass(frozen=True, slots=True)
class Built:
    """A clique in the making: the original and the paraphrases that were chosen."""

    original: Original
    chosen: tuple[Judged, ...]

    def records(self) -> Iterator[Record]:
        """The clique as tuples with their sentences."""
        name = self.original.analysis.text
        yield from _records(name, name, self.original.tuples)
        for each in self.chosen:
            yield from _records(name, each.candidate.text, each.candidate.tuples)


def originals(records: Iterable[Record]) -> dict[str, list[Told]]:
    """The tuples of each sentence, in order; relations without any argument tell nothing and are left out."""
    found: dict[str, list[Told]] = {}
    for record in records:
        text = record.text if isinstance(record, Sentence) else record.sentence.text
        tuples = found.setdefault(text, [])
        if isinstance(record, Extraction) and record.arguments:
            tuples.append((record.rel.text, *(part.text for part in record.arguments)))
    return found


def looks_tokenized(texts: Iterable[str]) -> bool:
    """Whether words and marks are set apart by spaces, as in CaRB.

    >>> looks_tokenized(["Ann sang , and Bob slept ."]), looks_tokenized(["Ann sang, and Bob slept."])
    (True, False)
    """
    apart = together = 0
    for text in texts:
        for mark in (",", "."):
            apart += text.count(f" {mark} ") + text.endswith(f" {mark}")
            together += sum(
                text[at + 1 : at + 2] in ("", " ") and text[at - 1 : at].isalpha()
                for at in range(1, len(text))
                if text[at] == mark
            )
    return apart > together


def build(
    gold: dict[str, list[Told]],
    paraphraser: Paraphraser,
    parser: Parser,
    *,
    pretokenized: bool,
    options: BuildOptions,
    extractor: Extractor | None = None,
    advance: Callable[[int], None] | None = None,
) -> tuple[list[Built], BuildReport]:
    """Cliques from sentences with tuples; `extractor` says whether the tuples are still found."""
    report = BuildReport(originals=len(gold), without_tuples=sum(not tuples for tuples in gold.values()))
    check = _Checker(parser, extractor, pretokenized, options)
    cliques: list[Built] = []
    for original, judged in check.judged(gold, paraphraser, report):
        clique = check.choose(original, judged, report)
        if clique is not None:
            cliques.append(clique)
        if advance:
            advance(1)
    report.cliques = len(cliques)
    report.sentences = sum(len(clique.chosen) + 1 for clique in cliques)
    return cliques, report


class _Checker:
    """Parses candidates back, drops the bad ones and chooses among the good ones."""

    def __init__(
        self, parser: Parser, extractor: Extractor | None, pretokenized: bool, options: BuildOptions
    ) -> None:
        self.parser = parser
        self.extractor = extractor
        self.pretokenized = pretokenized
        self.options = options

    def parse(self, texts: Iterable[str]) -> list[Analysis]:
        vectors = self.extractor is not None and "vectors" in self.extractor.needs
        return list(
            self.parser.analyze(texts, lines=True, pretokenized=self.pretokenized, constituents=True, vectors=vectors)
        )

    def judged(
        self, gold: dict[str, list[Told]], paraphraser: Paraphraser, report: BuildReport
    ) -> Iterator[tuple[Original, list[tuple[Judged, Tree]]]]:
        """Each sentence with tuples, and those of its paraphrases that pass."""
        texts = [text for text, tuples in gold.items() if tuples]
        for low in range(0, len(texts), _AT_ONCE):
            some = texts[low : low + _AT_ONCE]
            known = [
                Original(analysis, tuple(gold[text])) for text, analysis in zip(some, self.parse(some), strict=True)
            ]
            yield from self._verify(known, paraphraser.paraphrase(known), report)

    def _verify(
        self, known: Sequence[Original], proposed: Sequence[Sequence[Candidate]], report: BuildReport
    ) -> Iterator[tuple[Original, list[tuple[Judged, Tree]]]]:
        flat = [candidate for candidates in proposed for candidate in candidates]
        analyses = self._parse_back(flat)
        tuples = self._extract([*(original.analysis for original in known), *analyses])
        start = 0
        for number, (original, candidates) in enumerate(zip(known, proposed, strict=True)):
            judged: list[tuple[Judged, Tree]] = []
            for place, candidate in enumerate(candidates, start):
                found = None if tuples is None else (tuples[number], tuples[len(known) + place])
                verdict = verify(original, candidate, analyses[place], self.options.thresholds, found)
                report.candidates += 1
                if verdict.failed is not None:
                    report.dropped[verdict.failed] += 1
                else:
                    report.passed += 1
                    judged.append((Judged(candidate, verdict), tree_of(analyses[place])))
            start += len(candidates)
            yield original, judged

    def _parse_back(self, candidates: Sequence[Candidate]) -> list[Analysis]:
        """The parses of candidates; one that was made on the way serves, unless the extractor needs more of it."""
        vectors = self.extractor is not None and "vectors" in self.extractor.needs
        known = [None if vectors else candidate.analysis for candidate in candidates]
        fresh = iter(self.parse(c.text for c, analysis in zip(candidates, known, strict=True) if analysis is None))
        return [next(fresh) if analysis is None else analysis for analysis in known]

    def _extract(self, analyses: list[Analysis]) -> list[list[Extraction]] | None:
        return None if self.extractor is None else list(self.extractor.extract(analyses))

    def choose(self, original: Original, judged: list[tuple[Judged, Tree]], report: BuildReport) -> Built | None:
        """The clique of a sentence; `None` where it has too few paraphrases, or they are too alike."""
        options = self.options
        if options.every:
            everything = tuple(each for each, _ in judged)
            self._count(everything, report)
            return Built(original, everything) if everything else None
        if len(judged) < options.least - 1:
            return None
        trees = [tree_of(original.analysis), *(tree for _, tree in judged)]
        away = options.measure.compare(trees, [(0, place) for place in range(1, len(trees))]).tolist()
        listed = shortlist([each for each, _ in judged], away)
        good = [judged[number][0] for number in listed]
        near = [trees[0], *(trees[number + 1] for number in listed)]
        pairs = list(combinations(range(len(near)), 2))
        table = [[0.0] * len(near) for _ in near]
        for (one, other), value in zip(pairs, options.measure.compare(near, pairs).tolist(), strict=True):
            table[one][other] = table[other][one] = value
        chosen = choose(
            good, table, least=options.least - 1, most=options.most - 1, least_distance=options.least_distance
        )
        if not chosen:
            return None
        places = (0, *(number + 1 for number in chosen))
        values = [table[one][other] for one, other in combinations(places, 2)]
        mean = sum(values) / len(values)
        if mean < options.floor:
            report.too_alike += 1
            return None
        report.distances.append(mean)
        best = tuple(good[number] for number in chosen)
        self._count(best, report)
        return Built(original, best)

    @staticmethod
    def _count(chosen: Sequence[Judged], report: BuildReport) -> None:
        for each in chosen:
            report.origins.update(each.candidate.origin.split("+"))
            report.fluency.append(each.verdict.fluency)
            report.meaning.append(each.verdict.meaning)


def _records(clique: str, text: str, tuples: Sequence[Told]) -> Iterator[Record]:
    sentence = Sentence(text, document_id=clique)
    if not tuples:
        yield sentence
    for relation, *arguments in tuples:
        plain = Extraction.of(sentence, relation, arguments)
        yield Extraction(plain.sentence, plain.rel, plain.arg1, plain.args, group=clique)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
