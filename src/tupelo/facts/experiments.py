"""The experiments of Goodrich et al. with metrics of facts: texts made false on purpose, texts that people judged.

Corruption (Section 2 and Table 2): the *expected* accuracy of a text is the share of its facts that no swap touched;
facts are the claims of the corrupted text, and a swap touches a claim when it lies among the words of the claim. A
metric is good when its mean is near the expected one: the gap is what counts. A metric that has no figure for some
texts is compared with what was expected of the others.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tupelo.core import Analysis, Triple
from tupelo.facts.check import Claim, Verdict
from tupelo.facts.checker import Checker
from tupelo.facts.corrupt import Change, corrupt
from tupelo.facts.metric import FactMetric, FactSource, Toolkit

CHECK = "check"
Overlaps = Callable[[str, str], Mapping[str, float]]
# Summaries of one article mostly follow each other.
_SOURCES_KEPT = 4


def _nothing(steps: int) -> None:
    """Tells nobody how far a run is."""


@dataclass(slots=True)
class Column:
    """The figures that one metric gave, each beside what was expected of that text."""

    values: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float | None:
        return _mean(self.values)

    @property
    def gap(self) -> float | None:
        """How far the mean is from the expected accuracy of the same texts."""
        mean, aim = _mean(self.values), _mean(self.expected)
        return None if mean is None or aim is None else mean - aim

    @property
    def error(self) -> float | None:
        """How far the figure of a text is from what was expected of it, on average."""
        return _mean([abs(value - aim) for value, aim in zip(self.values, self.expected, strict=True)])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


@dataclass(slots=True)
class CorruptionResult:
    """All columns, the expected accuracy of all texts, and the verdicts on claims with a swap and without."""

    texts: int = 0
    expected: list[float] = field(default_factory=list)
    columns: dict[str, Column] = field(default_factory=dict)
    swapped: Counter[Verdict] = field(default_factory=Counter)
    unswapped: Counter[Verdict] = field(default_factory=Counter)

    @property
    def mean_expected(self) -> float | None:
        return _mean(self.expected)


@dataclass(frozen=True, slots=True)
class Corruption:
    """The experiment. `overlaps` are metrics of words, such as ROUGE; `metrics` those of Equation 1, by name."""

    toolkit: Toolkit
    checker: Checker
    metrics: Mapping[str, FactMetric]
    overlaps: Overlaps
    share: float = 0.5
    seed: int = 0

    def run(self, texts: Iterable[str], count: int, advance: Callable[[int], None] = _nothing) -> CorruptionResult:
        """The first `count` texts in which anything could be swapped."""
        result = CorruptionResult()
        for text in texts:
            if result.texts == count:
                break
            analyses = tuple(self.toolkit.analyze(text, constituents=False))
            changed = corrupt(text, analyses, share=self.share, seed=self.seed)
            if not changed.changes:
                continue
            result.texts += 1
            self._measure(changed.text, changed.changes, text, analyses, result)
            advance(1)
        return result

    def _measure(
        self, new: str, changes: Sequence[Change], old: str, analyses: Sequence[Analysis], result: CorruptionResult
    ) -> None:
        checked = self.checker(new, old)
        corrupted = tuple(self.toolkit.analyze(new, constituents=False))
        touched = []
        for sentence, analysis in zip(checked.sentences, corrupted, strict=True):
            for claim in sentence.claims:
                touched.append(is_touched(claim, analysis, changes))
                (result.swapped if touched[-1] else result.unswapped)[claim.verdict] += 1
        if not touched:
            return
        aim = 1 - sum(touched) / len(touched)
        result.expected.append(aim)
        figures: dict[str, float | None] = {CHECK: checked.accuracy}
        for name, metric in self.metrics.items():
            figures[name] = metric.compare(corrupted, analyses).value
        figures.update(self.overlaps(new, old))
        for name, value in figures.items():
            column = result.columns.setdefault(name, Column())
            if value is not None:
                column.values.append(value)
                column.expected.append(aim)


def is_touched(claim: Claim, sentence: Analysis, changes: Iterable[Change]) -> bool:
    """Whether a swap lies among the words of a claim. Equal words elsewhere in the sentence do not count."""
    places = [(sentence.words[word].start, sentence.words[word].end) for word in claim.words]
    return any(start < change.span.end and change.span.start < end for change in changes for start, end in places)


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A generated text and its source."""

    id: str
    generated: str
    source: str


@dataclass(frozen=True, slots=True)
class Judging:
    """Every metric on texts with their sources, for a comparison with what people said (Tables 7 and 8)."""

    toolkit: Toolkit
    checker: Checker
    metrics: Mapping[str, FactMetric]
    overlaps: Overlaps

    def run(
        self, pairs: Iterable[JudgedPair], advance: Callable[[int], None] = _nothing
    ) -> dict[str, dict[str, float | None]]:
        """The figure of each text by metric and id; `None` where a metric finds nothing to check."""
        scores: dict[str, dict[str, float | None]] = {}
        metrics = {name: replace(metric, facts=Kept(metric.facts)) for name, metric in self.metrics.items()}
        analysed = lru_cache(maxsize=_SOURCES_KEPT)(self._analyse)
        for pair in pairs:
            figures: dict[str, float | None] = {CHECK: self.checker(pair.generated, pair.source).score}
            if metrics:
                said, known = self._analyse(pair.generated), analysed(pair.source)
                figures.update({name: metric.compare(said, known).value for name, metric in metrics.items()})
            figures.update(self.overlaps(pair.generated, pair.source))
            for name, value in figures.items():
                scores.setdefault(name, {})[pair.id] = value
            advance(1)
        return scores

    def _analyse(self, text: str) -> tuple[Analysis, ...]:
        return tuple(self.toolkit.analyze(text, constituents=False))


class Kept:
    """Facts of sentences, remembered: of a source they are found once, however many texts are compared with it."""

    def __init__(self, facts: FactSource) -> None:
        self._facts = facts
        self._known: OrderedDict[tuple[str, ...], list[Triple]] = OrderedDict()

    def __call__(self, sentences: Sequence[Analysis], subject: str = "") -> list[Triple]:
        key = (subject, *(sentence.text for sentence in sentences))
        if key in self._known:
            self._known.move_to_end(key)
            return list(self._known[key])
        found = self._facts(sentences, subject)
        self._known[key] = found
        # A text and its source go in by turns.
        if len(self._known) > 2 * _SOURCES_KEPT:
            self._known.popitem(last=False)
        return list(found)
