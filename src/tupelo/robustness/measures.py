"""A common interface for syntax measures: compare pairs of trees, average over cliques."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, islice
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tupelo.core import Analysis, Clique, InputError
from tupelo.core.progress import Advance
from tupelo.core.results import Tabular
from tupelo.robustness.distance import DEFAULT_DISCOUNT, REVISED, check_options, pairwise_distances
from tupelo.robustness.kernel import DEFAULT_DECAY, prepare, similarity
from tupelo.robustness.trees import DEFAULT_HEIGHT, ConstituencyTree, tree_of
from tupelo.scorers.result import signature

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Pair = tuple[int, int]
_STEP = 1000


class SyntaxMeasure(Protocol):
    """A similarity or a distance of the syntax of sentences: 0 to 1."""

    name: ClassVar[str]
    # Whether a high value means different sentences.
    is_distance: ClassVar[bool]

    def options(self) -> Mapping[str, Any]:
        """Everything that can change a value, for the signature."""

    def compare(self, trees: Sequence[ConstituencyTree], pairs: Sequence[Pair]) -> Floats:
        """One value per pair of positions in `trees`."""


class Hws:
    """The HWS distance (`tupelo.robustness.distance`)."""

    name: ClassVar[str] = "hws"
    is_distance: ClassVar[bool] = True

    def __init__(
        self, *, height: int = DEFAULT_HEIGHT, discount: float = DEFAULT_DISCOUNT, variant: str = REVISED
    ) -> None:
        check_options(discount, variant)
        self.height, self.discount, self.variant = height, discount, variant

    def options(self) -> Mapping[str, Any]:
        return {"variant": self.variant, "height": self.height, "discount": self.discount}

    def compare(self, trees: Sequence[ConstituencyTree], pairs: Sequence[Pair]) -> Floats:
        import numpy as np

        chosen = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        sequences = [tree.levels(self.height) for tree in trees]
        return pairwise_distances(sequences, chosen, discount=self.discount, variant=self.variant)


class TreeKernel:
    """The convolution tree kernel, normalised (`tupelo.robustness.kernel`); of whole trees without a `height`."""

    name: ClassVar[str] = "kernel"
    is_distance: ClassVar[bool] = False

    def __init__(self, *, height: int | None = None, decay: float = DEFAULT_DECAY) -> None:
        if not 0.0 < decay <= 1.0:
            raise InputError(f"a decay of {decay}, expected above 0 and up to 1")
        self.height, self.decay = height, decay

    def options(self) -> Mapping[str, Any]:
        return {"height": "all" if self.height is None else self.height, "decay": self.decay}

    def compare(self, trees: Sequence[ConstituencyTree], pairs: Sequence[Pair]) -> Floats:
        import numpy as np

        shown = [tree if self.height is None else tree.truncate(self.height) for tree in trees]
        prepared = [prepare(tree, self.decay) for tree in shown]
        return np.array([similarity(prepared[a], prepared[b], self.decay) for a, b in pairs], dtype=np.float64)


class SyntaxLikeness:
    """The similarity of a sentence to each of many (`tupelo.core.protocols.Likeness`): 1 minus a distance."""

    def __init__(self, measure: SyntaxMeasure) -> None:
        self.measure = measure

    def to(self, analyses: Sequence[Analysis]) -> Callable[[Analysis], list[float]]:
        trees = [tree_of(analysis) for analysis in analyses]
        pairs = [(len(trees), position) for position in range(len(trees))]

        def compare(analysis: Analysis) -> list[float]:
            values: list[float] = self.measure.compare([*trees, tree_of(analysis)], pairs).tolist()
            return [1.0 - value for value in values] if self.measure.is_distance else values

        return compare


@dataclass(frozen=True, slots=True)
class CliqueSyntax:
    """The values of all pairs of sentences of one clique, the original first."""

    pairs: tuple[Pair, ...]
    values: tuple[float, ...]

    @property
    def mean(self) -> float | None:
        """The mean of all pairs; `None` for a clique of one sentence."""
        return sum(self.values) / len(self.values) if self.values else None


def within_cliques(
    cliques: Sequence[Sequence[ConstituencyTree]], measure: SyntaxMeasure, advance: Advance = lambda steps: None
) -> list[CliqueSyntax]:
    """Compare all pairs of sentences of each clique."""
    found: list[CliqueSyntax] = []
    # Measures are faster on many pairs at once; batches keep progress visible.
    for low in range(0, len(cliques), _STEP):
        some = cliques[low : low + _STEP]
        trees = [tree for clique in some for tree in clique]
        starts = accumulate((len(clique) for clique in some), initial=0)
        pairs = [tuple(combinations(range(len(clique)), 2)) for clique in some]
        placed = [(start + a, start + b) for start, inside in zip(starts, pairs, strict=False) for a, b in inside]
        values = iter(measure.compare(trees, placed).tolist())
        found += (CliqueSyntax(inside, tuple(islice(values, len(inside)))) for inside in pairs)
        advance(len(some))
    return found


def mean_of_means(cliques: Iterable[CliqueSyntax]) -> float | None:
    """The average over cliques of their own averages; `None` when no clique has two sentences."""
    means = [clique.mean for clique in cliques if clique.mean is not None]
    return sum(means) / len(means) if means else None


@dataclass(frozen=True, slots=True)
class CliqueDistances(Tabular):
    """Distances or similarities of the sentences of each clique; a row per pair of sentences."""

    measure: SyntaxMeasure
    cliques: tuple[Clique, ...]
    by_clique: tuple[CliqueSyntax, ...]

    @property
    def mean(self) -> float | None:
        return mean_of_means(self.by_clique)

    @property
    def signature(self) -> str:
        return signature(self.measure.name, self.measure.options())

    @property
    def pairs(self) -> int:
        return sum(len(clique.pairs) for clique in self.by_clique)

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure.name,
            "mean": self.mean,
            "cliques": len(self.cliques),
            "pairs": self.pairs,
            "signature": self.signature,
            "by_clique": [
                {
                    "clique": clique.id,
                    "sentences": len(clique.sentences),
                    "mean": syntax.mean,
                    "pairs": [[*pair, value] for pair, value in zip(syntax.pairs, syntax.values, strict=True)],
                }
                for clique, syntax in zip(self.cliques, self.by_clique, strict=True)
            ],
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair; cliques and sentences are numbered from 1."""
        return [
            {"clique": number, "first": a + 1, "second": b + 1, self.measure.name: value}
            for number, clique in enumerate(self.by_clique, start=1)
            for (a, b), value in zip(clique.pairs, clique.values, strict=True)
        ]

    def __str__(self) -> str:
        what = "distance" if self.measure.is_distance else "similarity"
        shown = "no clique has two sentences" if self.mean is None else f"mean {what} {self.mean:.4f}"
        return f"{shown}   ({len(self.cliques):,} cliques, {self.pairs:,} pairs)\n{self.signature}"
