"""The figures of one run, with everything needed to trace them: curve, signature, skipped lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, overload
from urllib.parse import quote

from tupelo.core import InputError, Record, TupeloError
from tupelo.core.registry import Shown, picture, view
from tupelo.core.results import csv_text, values_of
from tupelo.core.version import __version__
from tupelo.scorers.coverage import Coverage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
ResultType = TypeVar("ResultType", bound="Result")

FIGURES = ("precision", "recall", "f1", "auc")
_CHECKSUM_LENGTH = 8


def signature(scorer: str, options: Mapping[str, Any], data: Mapping[str, str] | None = None) -> str:
    """`scorer|gold:…|match:…|v:…`, as sacreBLEU has it: everything that can change the figures, nothing else.

    >>> signature("carb", {"match": "binary-lenient"}, {"gold": "dev.tsv@2081484b"})
    'carb|gold:dev.tsv@2081484b|match:binary-lenient|v:0.1.0'
    """
    parts = {**(data or {}), **options, "v": __version__}
    return "|".join([scorer, *(f"{name}:{_plain(value)}" for name, value in parts.items())])


def file_mark(name: str, checksum: str) -> str:
    """A file in a signature: its name, and the start of the SHA-256 of its uncompressed content."""
    return f"{PurePath(name).name}@{checksum[:_CHECKSUM_LENGTH]}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    # The separators must stay separators, whatever a file is called.
    return "".join(quote(letter, "") if letter in "|:%" or letter.isspace() else letter for letter in str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Shown):
    """The result of any scorer: figures with a signature, and the faulty lines that were skipped."""

    scorer: str
    signature: str = ""
    skipped: tuple[TupeloError, ...] = field(default=(), compare=False, repr=False)

    def signed(self: ResultType, signature: str, **about: Any) -> ResultType:
        """The same result with its signature, and with what is known about the run."""
        return replace(self, signature=signature, **about)

    def to_dict(self) -> dict[str, Any]:
        """The machine-readable summary, in full precision."""
        raise NotImplementedError  # pragma: no cover

    def failures(self, **limits: float | None) -> list[str]:
        """One sentence for each limit that the figures do not keep; `None` is no limit."""
        return []

    def remarks(self) -> list[str]:
        """Remarks for a reader of the figures."""
        return []


class CurvePoint(NamedTuple):
    """Precision and recall when only tuples with at least this confidence are kept.

    `threshold` is `None` for an end point that belongs to no confidence.
    """

    precision: float
    recall: float
    threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Result):
    """Precision, recall and F1 at the best threshold, the area under the curve, and the curve itself.

    `auc` is `None` and `curve` empty for scorers that ignore confidence. `gold` and `predicted` count tuples.
    `coverage` counts the sentences that gold and predictions share, `gold_set` names an official gold standard.
    `details` holds what only one scorer reports. `records` are gold and predicted, where they were kept.
    `beside` is the score of the same tuples by token overlap, where the matcher is another kind of reading.
    """

    precision: float
    recall: float
    f1: float
    auc: float | None
    gold: int
    predicted: int
    threshold: float | None = None
    curve: Sequence[CurvePoint] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    system: str = field(default="", compare=False)
    gold_name: str = field(default="", compare=False)
    gold_set: str = field(default="", compare=False)
    coverage: Coverage | None = field(default=None, compare=False)
    evaluation: Any = field(default=None, compare=False, repr=False)
    records: tuple[Sequence[Record], Sequence[Record]] | None = field(default=None, compare=False, repr=False)
    beside: Score | None = field(default=None, compare=False, repr=False)

    def to_dict(self, details: bool = False) -> dict[str, Any]:
        """The machine-readable summary, in full precision and in the documented order."""
        summary = values_of(self, "scorer", *FIGURES, "gold", "predicted")
        summary |= {} if self.coverage is None else {"coverage": self.coverage.to_dict()}
        summary |= {"signature": self.signature}
        summary |= {} if self.beside is None else {"beside": self.beside.to_dict()}
        return summary | ({"details": dict(self.details)} if details else {})

    def text(self, details: bool = False) -> str:
        """The figures as percentages, with counts and signature; `details` adds what only this scorer reports."""
        figures = f"P {100 * self.precision:.1f}  R {100 * self.recall:.1f}  F1 {100 * self.f1:.1f}"
        if self.auc is not None:
            figures += f"  AUC {100 * self.auc:.1f}"
        counts = f"{self.predicted:,} predicted, {self.gold:,} gold"
        if self.threshold is not None:
            counts = f"best at confidence {self.threshold:.4g}; {counts}"
        lines = [f"{figures}   ({counts})", *self.about_gold(), self.signature]
        lines += [] if self.beside is None else ["beside it, by token overlap:", self.beside.text()]
        if details:
            lines += [f"{name}: {value}" for name, value in self.details.items()]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def about_gold(self) -> list[str]:
        """One line on the sentences that match and on an official gold standard, where known."""
        official = f"gold is {self.gold_set}, official" if self.gold_set else ""
        line = "; ".join(filter(None, [str(self.coverage or ""), official]))
        return [line] if line else []

    def remarks(self) -> list[str]:
        return [] if self.coverage is None else self.coverage.warnings()

    def failures(self, *, min_f1: float | None = None, **limits: float | None) -> list[str]:
        """One sentence for each limit that the figures do not keep."""
        return [f"F1 {self.f1:.4f} is below {min_f1}"] if min_f1 is not None and self.f1 < min_f1 else []

    def curve_csv(self) -> str:
        """The precision-recall curve as CSV, a row per threshold."""
        return csv_text(CurvePoint._fields, self.curve)

    def plot(self, image_type: str = "png") -> bytes:
        """The precision-recall curve as a picture (`png`, `svg` or `pdf`); for cliques, drops and variances."""
        return picture(self, image_type)

    def error_page(self, worst: int = 100, title: str | None = None) -> str:
        """An HTML page of the worst sentences with their errors; needs the records (`keep_records`)."""
        if self.records is None:
            raise InputError("the records of this score were not kept, expected a score made with keep_records=True")
        return view(self, "errors", title or f"{self.system} against {self.gold_name}", worst)


class Figures(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> Figures:
        """F1 is the harmonic mean, which is taken even when one of them exceeds 1."""
        return cls(precision, recall, harmonic_mean(precision, recall))


def ratio(numerator: float, denominator: float) -> float:
    """The quotient; 0 when there is nothing to divide by."""
    return numerator / denominator if denominator else 0.0


def harmonic_mean(precision: float, recall: float) -> float:
    """F1; 0 when both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def add_up(values: Iterator[float] | Sequence[float]) -> float:
    """A plain sum from left to right."""
    # Not `sum`: it compensates rounding from Python 3.12 on, and the original programs do not.
    total = 0.0
    for value in values:
        total += value
    return total


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve(Sequence[CurvePoint]):
    """Precision and recall over confidence thresholds, kept as arrays: a million points cost little."""

    precision: Floats
    recall: Floats
    thresholds: Floats

    def __len__(self) -> int:
        return len(self.thresholds)

    @overload
    def __getitem__(self, index: int) -> CurvePoint: ...
    @overload
    def __getitem__(self, index: slice) -> PrecisionRecallCurve: ...
    def __getitem__(self, index: int | slice) -> CurvePoint | PrecisionRecallCurve:
        if isinstance(index, slice):
            return PrecisionRecallCurve(self.precision[index], self.recall[index], self.thresholds[index])
        return CurvePoint(float(self.precision[index]), float(self.recall[index]), float(self.thresholds[index]))

    def __iter__(self) -> Iterator[CurvePoint]:
        points = zip(self.precision.tolist(), self.recall.tolist(), self.thresholds.tolist(), strict=True)
        return map(CurvePoint._make, points)


def area(precision: Floats, recall: Floats) -> float:
    """Trapezoid rule over recall that falls from the first point to the last."""
    import numpy as np

    widths = -np.diff(recall)
    return float((widths * (precision[1:] + precision[:-1]) / 2.0).sum())


def best_point(precision: Floats, recall: Floats) -> int | None:
    """Index of the largest F1, the first one on ties; `None` when there is no point with a defined F1."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        f1 = 2 * precision * recall / (precision + recall)
    return None if len(f1) == 0 or bool(np.isnan(f1).all()) else int(np.nanargmax(f1))


class KeptCounts(NamedTuple):
    """At each distinct score, the largest first: kept items that are right, all kept items, the score."""

    right: Floats
    kept: Floats
    thresholds: Floats

    def curve(self) -> PrecisionRecallCurve:
        """Precision and recall; empty when nothing is right."""
        if not len(self.right) or self.right[-1] == 0:
            import numpy as np

            nothing = np.empty(0)
            return PrecisionRecallCurve(nothing, nothing, nothing)
        return PrecisionRecallCurve(self.right / self.kept, self.right / self.right[-1], self.thresholds)


def count_kept(labels: Any, scores: Floats, weights: Floats) -> KeptCounts:
    """The items kept at each distinct score. As long as all weights are 0, nothing is kept and there is no point."""
    import numpy as np

    order = np.argsort(-scores, kind="stable")
    kept = np.cumsum(weights[order])
    right = np.cumsum(weights[order] * labels[order])
    ordered = scores[order]
    ends = np.append(ordered[1:] != ordered[:-1], True)[: len(order)] & (kept > 0)
    return KeptCounts(right[ends], kept[ends], ordered[ends])
