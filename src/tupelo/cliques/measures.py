"""Measures of syntax under one roof: compare pairs of trees, average over cliques."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tupelo.cliques.distance import DEFAULT_DISCOUNT, REVISED, check_options
from tupelo.cliques.kernel import DEFAULT_DECAY, prepare, similarity
from tupelo.cliques.trees import DEFAULT_HEIGHT, Tree
from tupelo.core import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Pair = tuple[int, int]
_STEP = 1000


class SyntaxMeasure(Protocol):
    """How alike, or how far apart, the syntax of sentences is: 0 to 1."""

    name: ClassVar[str]
    # Whether a high value means different sentences.
    is_distance: ClassVar[bool]

    def options(self) -> Mapping[str, Any]:
        """Everything that can change a value, for the signature."""

    def compare(self, trees: Sequence[Tree], pairs: Sequence[Pair]) -> Floats:
        """One value per pair of positions in `trees`."""


class Hws:
    """The HWS distance (`tupelo.cliques.distance`)."""

    name: ClassVar[str] = "hws"
    is_distance: ClassVar[bool] = True

    def __init__(
        self, *, height: int = DEFAULT_HEIGHT, discount: float = DEFAULT_DISCOUNT, variant: str = REVISED
    ) -> None:
        check_options(discount, variant)
        self.height, self.discount, self.variant = height, discount, variant

    def options(self) -> Mapping[str, Any]:
        return {"variant": self.variant, "height": self.height, "discount": self.discount}

    def compare(self, trees: Sequence[Tree], pairs: Sequence[Pair]) -> Floats:
        import numpy as np

        from tupelo.cliques.bulk import pairwise_distances

        chosen = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        sequences = [tree.levels(self.height) for tree in trees]
        return pairwise_distances(sequences, chosen, discount=self.discount, variant=self.variant)


class TreeKernel:
    """The convolution tree kernel, normalised (`tupelo.cliques.kernel`). Trees are taken whole unless cut."""

    name: ClassVar[str] = "kernel"
    is_distance: ClassVar[bool] = False

    def __init__(self, *, height: int | None = None, decay: float = DEFAULT_DECAY) -> None:
        if not 0.0 < decay <= 1.0:
            raise InputError(f"a decay of {decay}, expected above 0 and up to 1")
        self.height, self.decay = height, decay

    def options(self) -> Mapping[str, Any]:
        return {"height": "all" if self.height is None else self.height, "decay": self.decay}

    def compare(self, trees: Sequence[Tree], pairs: Sequence[Pair]) -> Floats:
        import numpy as np

        cut = [tree if self.height is None else tree.cut(self.height) for tree in trees]
        prepared = [prepare(tree, self.decay) for tree in cut]
        return np.array([similarity(prepared[a], prepared[b], self.decay) for a, b in pairs], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class CliqueSyntax:
    """The values of all pairs of sentences of one clique, the original first."""

    pairs: tuple[Pair, ...]
    values: tuple[float, ...]

    @property
    def mean(self) -> float | None:
        """`None` for a clique of one sentence."""
        return sum(self.values) / len(self.values) if self.values else None


def within_cliques(
    cliques: Sequence[Sequence[Tree]], measure: SyntaxMeasure, advance: Callable[[int], None] | None = None
) -> list[CliqueSyntax]:
    """Compare all pairs of sentences of each clique."""
    found: list[CliqueSyntax] = []
    # Many cliques at once, because a measure may be quick on many pairs; not all, so that progress shows.
    for low in range(0, len(cliques), _STEP):
        some = cliques[low : low + _STEP]
        trees = [tree for clique in some for tree in clique]
        starts = _starts(len(clique) for clique in some)
        pairs = [tuple(combinations(range(len(clique)), 2)) for clique in some]
        placed = [(start + a, start + b) for start, inside in zip(starts, pairs, strict=True) for a, b in inside]
        values = measure.compare(trees, placed).tolist()
        taken = 0
        for inside in pairs:
            found.append(CliqueSyntax(inside, tuple(values[taken : taken + len(inside)])))
            taken += len(inside)
        if advance:
            advance(len(some))
    return found


def _starts(sizes: Iterable[int]) -> list[int]:
    starts, total = [], 0
    for size in sizes:
        starts.append(total)
        total += size
    return starts


def mean_of_means(cliques: Iterable[CliqueSyntax]) -> float | None:
    """The average over cliques of their own averages; `None` when no clique has two sentences."""
    means = [clique.mean for clique in cliques if clique.mean is not None]
    return sum(means) / len(means) if means else None
