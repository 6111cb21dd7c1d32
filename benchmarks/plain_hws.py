"""The HWS distance of one pair of parses in plain loops: what `tupelo.robustness.distance` must give bit for bit."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.robustness.distance import (
    DEFAULT_DISCOUNT,
    RELEASED,
    REVISED,
    WHOLE_BLOCKS,
    check_options,
    released_distance,
)
from tupelo.robustness.trees import DEFAULT_HEIGHT, ConstituencyTree

# Not a label of any treebank: what follows the end of a sequence.
_END = ("\0first", "\0second")


def hws_distance(
    first: ConstituencyTree,
    second: ConstituencyTree,
    *,
    height: int = DEFAULT_HEIGHT,
    discount: float = DEFAULT_DISCOUNT,
    variant: str = REVISED,
) -> float:
    """The distance of two trees, 0 for the same skeleton, 1 for nothing in common."""
    return sequence_distance(first.levels(height), second.levels(height), discount, variant)


def sequence_distance(
    first: Sequence[str], second: Sequence[str], discount: float = DEFAULT_DISCOUNT, variant: str = REVISED
) -> float:
    """The distance of two sequences of labels. An empty one is far from all but itself."""
    check_options(discount, variant)
    if variant == RELEASED:
        return released_distance(first, second, discount)
    if not first or not second:
        return 0.0 if not first and not second else 1.0
    first, second = in_order(first, second)
    return max(0.0, algorithm_1(first, second, discount, whole_blocks=variant == WHOLE_BLOCKS))


def in_order(first: Sequence[str], second: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The shorter one first; of two equally long ones, the one that sorts first."""
    return (second, first) if (len(second), tuple(second)) < (len(first), tuple(first)) else (first, second)


def algorithm_1(
    first: Sequence[object], second: Sequence[object], discount: float, *, whole_blocks: bool = False
) -> float:
    """Algorithm 1 of the paper, in the order given, with plain loops. Names are those of the paper."""
    shorter = min(len(first), len(second))
    if whole_blocks:
        first, second = [*first, _END[0]], [*second, _END[1]]
    # A[i][j]: length of the block that ends at i and j. I and J: the longest so far that ends at i, at j.
    A = [[0] * len(second) for _ in first]
    I = [int(label == second[0]) for label in first]  # noqa: E741
    J = [int(first[0] == label) for label in second]
    A[0] = list(J)
    for i, start in enumerate(I):
        A[i][0] = start
    total, blocks = 0.0, 0
    for i in range(1, len(first)):
        for j in range(1, len(second)):
            length = A[i - 1][j - 1]
            if first[i] == second[j]:
                if length >= I[i] and length >= J[j]:
                    A[i][j] = I[i] = J[j] = length + 1
            elif length > 1:
                total += length * discount**blocks
                blocks += 1
    # Where both sequences end, a block of one label counts as well. Behind the ends there is one more cell.
    last = A[-2][-2] if whole_blocks else A[-1][-1]
    if last == 1 or (last and not whole_blocks):
        total += last * discount**blocks
    return 1.0 - total / shorter
