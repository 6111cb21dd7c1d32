"""Texts made false on purpose, and what metrics make of them (Goodrich et al., Section 2 and Table 2).

The *expected* accuracy of a text is the share of its facts that no swap touched; facts are the claims of the
corrupted text. A metric is good when its mean is near the expected one: the gap is what counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tupelo.core import Analysis
from tupelo.facts.check import CheckedSentence
from tupelo.facts.checker import Checker
from tupelo.facts.corrupt import Change, corrupt
from tupelo.facts.metric import FactMetric, Toolkit

CHECK = "check"


@dataclass(slots=True)
class Column:
    """The figures that one metric gave, each beside what was expected of that text."""

    values: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float | None:
        return sum(self.values) / len(self.values) if self.values else None


@dataclass(slots=True)
class CorruptionResult:
    """All columns, and the mean expected accuracy over all texts."""

    texts: int = 0
    expected: list[float] = field(default_factory=list)
    columns: dict[str, Column] = field(default_factory=dict)

    @property
    def mean_expected(self) -> float | None:
        return sum(self.expected) / len(self.expected) if self.expected else None

    def gap(self, name: str) -> float | None:
        """How far the mean of a metric is from the expected accuracy."""
        mean, aim = self.columns[name].mean, self.mean_expected
        return None if mean is None or aim is None else mean - aim


@dataclass(frozen=True, slots=True)
class Corruption:
    """The experiment. `overlaps` are metrics of words, such as ROUGE; `metrics` those of Equation 1, by name."""

    toolkit: Toolkit
    checker: Checker
    metrics: Mapping[str, FactMetric]
    overlaps: Callable[[str, str], Mapping[str, float]]
    share: float = 0.5
    seed: int = 0

    def run(
        self, texts: Iterable[str], count: int, advance: Callable[[int], None] = lambda steps: None
    ) -> CorruptionResult:
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
        touched = [is_touched(text, sentence, changes) for sentence, text in _claims(checked.sentences)]
        if not touched:
            return
        aim = 1 - sum(touched) / len(touched)
        result.expected.append(aim)
        figures: dict[str, float | None] = {CHECK: checked.accuracy}
        corrupted = tuple(self.toolkit.analyze(new, constituents=False)) if self.metrics else ()
        for name, metric in self.metrics.items():
            figures[name] = metric.compare(corrupted, analyses).value
        figures.update(self.overlaps(new, old))
        for name, value in figures.items():
            column = result.columns.setdefault(name, Column())
            if value is not None:
                column.values.append(value)
                column.expected.append(aim)


def _claims(sentences: Sequence[CheckedSentence]) -> Iterator[tuple[CheckedSentence, str]]:
    for sentence in sentences:
        for claim in sentence.claims:
            yield sentence, claim.text


def is_touched(claim: str, sentence: CheckedSentence, changes: Iterable[Change]) -> bool:
    """Whether a swap in this sentence is part of a claim."""
    return any(
        change.new in claim and sentence.start <= change.span.start < sentence.start + len(sentence.text)
        for change in changes
    )
