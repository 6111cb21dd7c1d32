"""What a yardstick is: `evaluate` compares, the evaluation divides last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tupelo.core import Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = NDArray[np.float64]


class ScoreLike(Protocol):
    """The figures of one run; `score.Score` is the only implementation."""

    precision: float
    recall: float
    f1: float
    auc: float | None


class Evaluation(Protocol):
    """One system measured against one gold standard, kept sentence by sentence.

    `score` divides last: with `weights` (one per unit, how often the unit is
    drawn) it gives the score of a resampled corpus, which is what makes
    confidence intervals and paired tests come for free.
    """

    @property
    def units(self) -> Sequence[str]:
        """What is resampled: the gold sentences, in order."""

    def score(self, weights: Weights | None = None) -> ScoreLike: ...


class Metric(Protocol):
    """A yardstick. Constructors take keyword options only, store them and do no work."""

    name: ClassVar[str]
    # Rules of the original program that are defects: name and one-line explanation. Each is
    # reproduced unless it is named in the `fixes` option of the constructor.
    quirks: ClassVar[Mapping[str, str]]

    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> Evaluation: ...

    def options(self) -> Mapping[str, Any]:
        """Everything that can change the figures, for the signature."""
