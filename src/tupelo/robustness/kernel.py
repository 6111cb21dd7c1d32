"""The convolution tree kernel (Collins and Duffy, NIPS 2001): how many fragments two trees have in common.

A *fragment* is a part of a tree with at least one production, in which every
node has either all of its children or none. A fragment with k productions
counts decay^k, so that a decay below 1 keeps large fragments, which hardly
anything but a tree itself contains, from deciding everything. The kernel adds
this up over all pairs of equal fragments of the two trees.

There are exponentially many fragments, but their sum has a short form. For two
nodes with the same production, the common fragments that start there are

    C(a, b) = decay * product over children of (1 + C(child of a, child of b))

and otherwise there are none. The kernel is the sum of C over all pairs of nodes.
The similarity divides by the geometric mean of the kernels of each tree with
itself: 1 for equal trees, 0 for trees without a common production.

By hand: S(NP VP(V NP)) and S(NP VP(V)), decay 1. Only S → NP VP is common,
and with it one fragment. The first tree has with itself VP → V NP (1) and S
(1 * (1 + 0) * (1 + 1) = 2), together 3; the second the same, 3. Similarity 1/3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tupelo.core import InputError
from tupelo.robustness.trees import ConstituencyTree

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
    if not 0.0 < decay <= 1.0:
        raise InputError(f"a decay of {decay}, expected above 0 and up to 1")
    nodes: dict[Production, list[int]] = {}
    # Children have higher numbers than their parents, so going backwards visits them first.
    for node in range(len(tree.labels) - 1, -1, -1):
        if tree.children[node]:
            production = (tree.labels[node], *(tree.labels[child] for child in tree.children[node]))
            nodes.setdefault(production, []).append(node)
    prepared = Productions(nodes, tree.children)
    return Productions(nodes, tree.children, kernel(prepared, prepared, decay))


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
