"""Measures of syntax with one interface: compare pairs of trees, average over cliques.

The HWS distance is in `tupelo.robustness.distance`. The convolution tree kernel (Collins and Duffy, NIPS 2001) counts
the fragments that two trees have in common. A *fragment* is a part of a tree with at least one production, in which
every node has either all of its children or none. A fragment with k productions counts decay^k, so that a decay below
1 keeps large fragments, which hardly anything but a tree itself contains, from deciding everything. The kernel adds
this up over all pairs of equal fragments of the two trees.

There are exponentially many fragments, but their sum has a short form. For two nodes with the same production, the
common fragments that start there are

    C(a, b) = decay * product over children of (1 + C(child of a, child of b))

and otherwise there are none. The kernel is the sum of C over all pairs of nodes. The similarity divides by the
geometric mean of the kernels of each tree with itself: 1 for equal trees, 0 for trees without a common production.

By hand: S(NP VP(V NP)) and S(NP VP(V)), decay 1. Only S → NP VP is common, and with it one fragment. The first tree
has with itself VP → V NP (1) and S (1 * (1 + 0) * (1 + 1) = 2), together 3; the second the same, 3. Similarity 1/3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, islice
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from tupelo.core import Analysis, Clique, InputError
from tupelo.core.numeric import mean
from tupelo.core.progress import Advance
from tupelo.core.results import Tabular, values_of
from tupelo.robustness.distance import DEFAULT_DISCOUNT, REVISED, check_options, pairwise_distances
from tupelo.robustness.trees import DEFAULT_HEIGHT, ConstituencyTree, tree_of
from tupelo.scorers.result import signature

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DEFAULT_DECAY: Final = 0.5
Production = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Productions:
    """A tree prepared for the kernel: its nodes by production, deepest nodes first, and the value with itself."""

    nodes: dict[Production, list[int]]
    children: Sequence[Sequence[int]]
    itself: float = 0.0


def prepare(tree: ConstituencyTree, decay: float = DEFAULT_DECAY) -> Productions:
    """Group the nodes of a tree by production; `decay` must be the one passed to `kernel`."""
    _check_decay(decay)
    nodes: dict[Production, list[int]] = {}
    # Children have higher numbers than their parents, so going backwards visits them first.
    for node in range(len(tree.labels) - 1, -1, -1):
        if tree.children[node]:
            production = (tree.labels[node], *(tree.labels[child] for child in tree.children[node]))
            nodes.setdefault(production, []).append(node)
    prepared = Productions(nodes, tree.children)
    return Productions(nodes, tree.children, kernel(prepared, prepared, decay))


def _check_decay(decay: float) -> None:
    if not 0.0 < decay <= 1.0:
        raise InputError(f"a decay of {decay}, expected above 0 and up to 1")


def kernel(first: Productions, second: Productions, decay: float = DEFAULT_DECAY) -> float:
    """The weighted number of common fragments."""
    common = first.nodes.keys() & second.nodes.keys()
    pairs = [(a, b) for production in common for a in first.nodes[production] for b in second.nodes[production]]
    pairs.sort(reverse=True)
    values: dict[tuple[int, int], float] = {}
    total = 0.0
    for a, b in pairs:
        value = decay
        for below in zip(first.children[a], second.children[b], strict=True):
            value *= 1.0 + values.get(below, 0.0)
        values[a, b] = value
        total += value
    return total


def similarity(first: Productions, second: Productions, decay: float = DEFAULT_DECAY) -> float:
    """The normalised kernel, 0 to 1. A tree without productions is similar only to another one without any."""
    if not first.nodes or not second.nodes:
        return float(not first.nodes and not second.nodes)
    if first.nodes == second.nodes and first.children == second.children:
        # Exactly 1 for equal trees, without rounding errors.
        return 1.0
    return min(1.0, kernel(first, second, decay) / sqrt(first.itself) / sqrt(second.itself))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Hws:
    """The HWS distance (`tupelo.robustness.distance`)."""

    name: ClassVar[str] = "hws"
    is_distance: ClassVar[bool] = True
    height: int = DEFAULT_HEIGHT
    discount: float = DEFAULT_DISCOUNT
    variant: str = REVISED

    def __post_init__(self) -> None:
        check_options(self.discount, self.variant)

    def options(self) -> Mapping[str, Any]:
        return values_of(self, "variant", "height", "discount")

    def compare(self, trees: Sequence[ConstituencyTree], pairs: Sequence[Pair]) -> Floats:
        import numpy as np

        chosen = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        sequences = [tree.levels(self.height) for tree in trees]
        return pairwise_distances(sequences, chosen, discount=self.discount, variant=self.variant)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeKernel:
    """The convolution tree kernel, normalised; of whole trees without a `height`."""

    name: ClassVar[str] = "kernel"
    is_distance: ClassVar[bool] = False
    height: int | None = None
    decay: float = DEFAULT_DECAY

    def __post_init__(self) -> None:
        _check_decay(self.decay)

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
        return mean(self.values)


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


@dataclass(frozen=True, slots=True)
class CliqueDistances(Tabular):
    """Distances or similarities of the sentences of each clique; a row per pair of sentences."""

    measure: SyntaxMeasure
    cliques: tuple[Clique, ...]
    by_clique: tuple[CliqueSyntax, ...]

    @property
    def mean(self) -> float | None:
        """The mean over cliques of their own means; `None` when no clique has two sentences."""
        return mean(syntax.mean for syntax in self.by_clique)

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
