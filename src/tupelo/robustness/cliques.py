"""Build cliques from a gold standard: paraphrase, verify, choose, and carry the tuples over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Any

from tupelo.core import Analysis, Clique, Extraction, InputError, Record
from tupelo.core.clique import gather_cliques, member_records
from tupelo.core.numeric import mean
from tupelo.core.parameters import Between, Count, Input, Seed, Share, Spelled
from tupelo.core.progress import Advance
from tupelo.core.protocols import Extractor, Parser
from tupelo.core.results import Tabular, values_of
from tupelo.robustness.candidates import Original, Paraphraser, Rewording, TextTuple
from tupelo.robustness.measures import Hws, SyntaxMeasure
from tupelo.robustness.sample import DEFAULT_SOURCES, DEFAULT_TARGETS
from tupelo.robustness.trees import ConstituencyTree, tree_of
from tupelo.robustness.verify import REASONS, SETTINGS, Thresholds, VerifiedCandidate, choose, shortlist, verify

# Sentences per batch of paraphrasing.
_BATCH = 64
_DEFAULTS: dict[str, Any] = SETTINGS["build"]
_CHECKS: dict[str, float] = SETTINGS["checks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CliqueOptions:
    """Requirements on a clique. Numbers of sentences include the original.

    A clique stays smaller rather than fall below a mean `distance`, and is
    discarded below `floor`: its sentences are too similar to test anything.
    With `every`, all paraphrases that pass the checks are taken, however many
    and however similar: training data rather than a test. `fluency`, `meaning`
    and `tuples` are the least scores of a paraphrase (`tupelo.robustness.verify`).
    `pretokenized` says whether words are separated by spaces; `None` looks at
    the sentences. `sources`, `targets` and `seed` are those of
    `tupelo.robustness.sample`; target parses are drawn from `parallel`. `limit`
    is a number of gold sentences with tuples.
    """

    every: Annotated[
        bool,
        Spelled.of("--all"),
        "Take every paraphrase that passes the checks, however similar: training data rather than a test.",
    ] = False
    min_sentences: Annotated[int, Between(2), "Fewest sentences of a clique."] = _DEFAULTS["least"]
    max_sentences: Annotated[int, Between(2), "Most sentences of a clique."] = _DEFAULTS["most"]
    distance: Annotated[
        Share, "Mean HWS distance that a clique should have; it is kept smaller rather than below."
    ] = _DEFAULTS["least_distance"]
    floor: Annotated[Share, "Cliques with a mean HWS distance below this are left out."] = _DEFAULTS["floor"]
    fluency: Annotated[Share, "Least fluency."] = _CHECKS["fluency"]
    meaning: Annotated[Share, "Least share of the meaning kept."] = _CHECKS["meaning"]
    tuples: Annotated[Share, "Least share of the tuples still found."] = _CHECKS["tuples"]
    measure: SyntaxMeasure = field(default_factory=Hws)
    parallel: Annotated[
        Input | None,
        Spelled.of("FILE"),
        "A parallel corpus, two sentences or two trees a line with a tab between: syntactic, seq2seq and llm "
        "aim at target parses drawn from it.",
    ] = None
    pretokenized: Annotated[
        bool | None,
        Spelled.of("--pretokenized/--plain"),
        "Words separated by spaces, as in CaRB, or plain text. [default: as GOLD looks]",
    ] = None
    limit: Annotated[Count | None, Spelled.of("N"), "Only the first N sentences with tuples."] = None
    sources: Annotated[Count, "Similar source parses."] = DEFAULT_SOURCES
    targets: Annotated[Count, "Target parses for each."] = DEFAULT_TARGETS
    seed: Annotated[Seed, "Seed of whatever is drawn at random."] = 0

    def __post_init__(self) -> None:
        if self.max_sentences < self.min_sentences:
            raise InputError(
                f"max_sentences={self.max_sentences}, expected at least min_sentences={self.min_sentences}"
            )

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(self.fluency, self.meaning, self.tuples)


@dataclass(slots=True)
class CliqueBuildReport:
    """Counts of the input, of the output, and of the reasons for discarding the rest."""

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

    def count(self, chosen: Sequence[VerifiedCandidate]) -> None:
        """Add the paraphrases of a clique."""
        for each in chosen:
            self.origins.update(each.candidate.origin.split("+"))
            self.fluency.append(each.verification.fluency)
            self.meaning.append(each.verification.meaning)

    def to_dict(self) -> dict[str, Any]:
        """All figures."""
        return {
            **values_of(self, "originals", "without_tuples", "candidates"),
            "dropped": {reason: self.dropped[reason] for reason in REASONS},
            **values_of(self, "passed", "too_alike", "cliques", "sentences"),
            "sentences_per_clique": self.sentences / self.cliques if self.cliques else None,
            "mean_distance": mean(self.distances),
            "mean_fluency": mean(self.fluency),
            "mean_meaning": mean(self.meaning),
            "origins": dict(sorted(self.origins.items(), key=lambda item: (-item[1], item[0]))),
        }

    def __str__(self) -> str:
        dropped = ", ".join(f"{self.dropped[reason]:,} for {reason}" for reason in REASONS if self.dropped[reason])
        first = f"{self.candidates:,} paraphrases of {self.originals:,} sentences; dropped: {dropped or 'none'}"
        if not self.cliques:
            return f"{first}\nno cliques: no sentence has enough paraphrases"
        apart = mean(self.distances)
        distance = "" if apart is None else f", mean HWS distance {apart:.3f}"
        each = self.sentences / self.cliques
        return f"{first}\n{self.cliques:,} cliques, {self.sentences:,} sentences ({each:.2f} each){distance}"


@dataclass(frozen=True, slots=True)
class BuiltClique:
    """An original and the paraphrases that were chosen."""

    original: Original
    chosen: tuple[VerifiedCandidate, ...]

    def records(self) -> Iterator[Record]:
        """The clique as tuples with their sentences."""
        name = self.original.analysis.text
        yield from member_records(name, name, self.original.tuples)
        for each in self.chosen:
            yield from member_records(name, each.candidate.text, each.candidate.tuples)


@dataclass(frozen=True, slots=True)
class CliqueBuild(Tabular):
    """The cliques made from a gold standard, and what became of every candidate; a row per chosen paraphrase.

    `usage` records the calls to other programs and language models.
    """

    built: tuple[BuiltClique, ...]
    report: CliqueBuildReport
    usage: tuple[str, ...] = ()

    @property
    def cliques(self) -> list[Clique]:
        return list(gather_cliques(self.records()))

    def records(self) -> list[Record]:
        """The cliques as tuples with their sentences, as ROBUST's JSON has them."""
        return [record for clique in self.built for record in clique.records()]

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict()

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "origin": each.candidate.origin,
                "fluency": each.verification.fluency,
                "meaning": each.verification.meaning,
                "original": clique.original.analysis.text,
                "paraphrase": each.candidate.text,
                "tuples": "; ".join(f"({' | '.join(parts)})" for parts in each.candidate.tuples),
            }
            for clique in self.built
            for each in clique.chosen
        ]

    def sheet(self) -> str:
        """The rows as a tab-separated table for a person to check."""
        lines = [["origin", "fluency", "meaning", "original", "paraphrase", "tuples"]]
        for row in self.rows():
            lines.append([f"{value:.3f}" if isinstance(value, float) else value for value in row.values()])
        return "".join("\t".join(line) + "\n" for line in lines)

    def __str__(self) -> str:
        return str(self.report)


def originals(records: Iterable[Record]) -> dict[str, list[TextTuple]]:
    """The tuples of each sentence, in order; relations without arguments are discarded."""
    found: dict[str, list[TextTuple]] = {}
    for record in records:
        text = record.sentence.text
        tuples = found.setdefault(text, [])
        if isinstance(record, Extraction) and record.arguments:
            tuples.append((record.rel.text, *(part.text for part in record.arguments)))
    return found


def looks_tokenized(texts: Iterable[str]) -> bool:
    """Whether words and punctuation are separated by spaces, as in CaRB.

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
    gold: dict[str, list[TextTuple]],
    paraphraser: Paraphraser,
    parser: Parser,
    options: CliqueOptions,
    *,
    extractor: Extractor | None = None,
    usage: Callable[[], Sequence[str]] = lambda: (),
    advance: Advance = lambda steps: None,
) -> CliqueBuild:
    """Build cliques from sentences with tuples; `extractor` checks whether the tuples are still found.

    `usage` is called at the end and reports the calls to other programs and language models.
    """
    report = CliqueBuildReport(originals=len(gold), without_tuples=sum(not tuples for tuples in gold.values()))
    pretokenized = looks_tokenized(gold) if options.pretokenized is None else options.pretokenized
    builder = _Builder(parser, extractor, pretokenized, options, report)
    built: list[BuiltClique] = []
    for original, passed in builder.verified(gold, paraphraser):
        chosen = builder.choose(original, passed)
        if chosen:
            report.count(chosen)
            built.append(BuiltClique(original, chosen))
        advance(1)
    report.cliques = len(built)
    report.sentences = sum(len(clique.chosen) + 1 for clique in built)
    return CliqueBuild(tuple(built), report, tuple(usage()))


_Passed = tuple[VerifiedCandidate, ConstituencyTree]


@dataclass(frozen=True, slots=True)
class _Builder:
    """Parses candidates, discards those that fail the checks and chooses among the rest."""

    parser: Parser
    extractor: Extractor | None
    pretokenized: bool
    options: CliqueOptions
    report: CliqueBuildReport

    @property
    def needs_vectors(self) -> bool:
        return self.extractor is not None and "vectors" in self.extractor.needs

    def parse(self, texts: Iterable[str]) -> list[Analysis]:
        wishes = {"pretokenized": self.pretokenized, "vectors": self.needs_vectors}
        return list(self.parser.analyze(texts, lines=True, constituents=True, **wishes))

    def verified(
        self, gold: dict[str, list[TextTuple]], paraphraser: Paraphraser
    ) -> Iterator[tuple[Original, list[_Passed]]]:
        """Each sentence with tuples, and those of its paraphrases that pass."""
        texts = [text for text, tuples in gold.items() if tuples]
        for low in range(0, len(texts), _BATCH):
            batch = texts[low : low + _BATCH]
            sentences = [
                Original(analysis, tuple(gold[text])) for text, analysis in zip(batch, self.parse(batch), strict=True)
            ]
            yield from self._verify(sentences, paraphraser.paraphrase(sentences))

    def _verify(
        self, sentences: Sequence[Original], proposed: Sequence[Sequence[Rewording]]
    ) -> Iterator[tuple[Original, list[_Passed]]]:
        # The paraphraser's own parses are reused unless vectors are needed too.
        every = [candidate for candidates in proposed for candidate in candidates]
        known = [None if self.needs_vectors else candidate.analysis for candidate in every]
        fresh = iter(self.parse(one.text for one, analysis in zip(every, known, strict=True) if analysis is None))
        analyses = [next(fresh) if analysis is None else analysis for analysis in known]
        everything = [*(original.analysis for original in sentences), *analyses]
        extracted = None if self.extractor is None else list(self.extractor.extract(everything))
        start = 0
        for number, (original, candidates) in enumerate(zip(sentences, proposed, strict=True)):
            passed: list[_Passed] = []
            for place, candidate in enumerate(candidates, start):
                tuples = None if extracted is None else (extracted[number], extracted[len(sentences) + place])
                verification = verify(original, candidate, analyses[place], self.options.thresholds, tuples)
                self.report.candidates += 1
                if verification.failed is not None:
                    self.report.dropped[verification.failed] += 1
                else:
                    self.report.passed += 1
                    passed.append((VerifiedCandidate(candidate, verification), tree_of(analyses[place])))
            start += len(candidates)
            yield original, passed

    def choose(self, original: Original, passed: list[_Passed]) -> tuple[VerifiedCandidate, ...]:
        """The paraphrases of a clique; none where a sentence has too few, or they are too similar."""
        options = self.options
        if options.every:
            return tuple(each for each, _ in passed)
        if len(passed) < options.min_sentences - 1:
            return ()
        trees = [tree_of(original.analysis), *(tree for _, tree in passed)]
        from_original = options.measure.compare(trees, [(0, place) for place in range(1, len(trees))]).tolist()
        listed = shortlist([each for each, _ in passed], from_original)
        candidates = [passed[number][0] for number in listed]
        distances = _distance_matrix([trees[0], *(trees[number + 1] for number in listed)], options.measure)
        chosen = choose(
            candidates,
            distances,
            least=options.min_sentences - 1,
            most=options.max_sentences - 1,
            least_distance=options.distance,
        )
        if not chosen:
            return ()
        pairs = combinations((0, *(number + 1 for number in chosen)), 2)
        values = [distances[one][other] for one, other in pairs]
        mean = sum(values) / len(values)
        if mean < options.floor:
            self.report.too_alike += 1
            return ()
        self.report.distances.append(mean)
        return tuple(candidates[number] for number in chosen)


def _distance_matrix(trees: Sequence[ConstituencyTree], measure: SyntaxMeasure) -> list[list[float]]:
    pairs = list(combinations(range(len(trees)), 2))
    matrix = [[0.0] * len(trees) for _ in trees]
    for (one, other), value in zip(pairs, measure.compare(trees, pairs).tolist(), strict=True):
        matrix[one][other] = matrix[other][one] = value
    return matrix
