"""HWS distances of many pairs at once: Algorithm 1 on thousands of pairs per step.

Trees cut at a small height look alike, so sequences are first made unique,
and then pairs of them. The pairs that are left are sorted by their lengths and
worked through in batches of equal lengths. A batch goes row by row, as the algorithm does; a
row is a table with one line per column of the algorithm and one entry per pair.

Inside a row the algorithm looks from left to right, because a block may only
grow when it is longer than what the row has seen (`I`). What the row has seen
is a running maximum: blocks that may not grow are never above it. So the row
needs one pass of maxima, and everything else happens to all cells at once.
Lengths fit into a byte, and a processor handles dozens of bytes in one step.

Blocks that end are written down in the order of the algorithm and added up at
the end, in that order, so the results equal those of `sequence_distance` bit
for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tupelo.cliques.distance import (
    DEFAULT_DISCOUNT,
    RELEASED,
    REVISED,
    WHOLE_BLOCKS,
    check_options,
    sequence_distance,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Pairs = NDArray[np.int64]

# Large enough for the cost of a call not to matter, small enough for the tables to stay near the processor.
_BATCH = 16384
# Equal pairs are looked for when the possible ones are at most this many times the pairs at hand.
_WORTH_LOOKING = 4
_PADDING = -1


def pairwise_distances(
    sequences: Sequence[Sequence[str]],
    pairs: Pairs,
    *,
    discount: float = DEFAULT_DISCOUNT,
    variant: str = REVISED,
) -> Floats:
    """Distances of `pairs` (two columns of positions in `sequences`), as `sequence_distance` gives them."""
    import numpy as np

    check_options(discount, variant)
    if not len(pairs):
        return np.zeros(0)
    distinct, number_of = _distinct_in_order(sequences)
    ranked = number_of[np.asarray(pairs, dtype=np.int64)]
    if variant != RELEASED:
        # Numbers follow the order that `in_order` makes, so the smaller one comes first.
        ranked.sort(axis=1)
    if len(distinct) ** 2 > 2 * _WORTH_LOOKING * len(pairs):
        # So many pairs are possible that hardly any comes twice; looking would cost more than it saves.
        return _distances(distinct, ranked[:, 0], ranked[:, 1], discount, variant)
    codes, position = np.unique(ranked[:, 0] * len(distinct) + ranked[:, 1], return_inverse=True)
    first, second = np.divmod(codes, len(distinct))
    return np.asarray(_distances(distinct, first, second, discount, variant)[position.reshape(-1)])


def _distances(
    distinct: Sequence[tuple[str, ...]], first: Pairs, second: Pairs, discount: float, variant: str
) -> Floats:
    import numpy as np

    if variant == RELEASED:
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return np.array([sequence_distance(distinct[a], distinct[b], discount, variant) for a, b in pairs])
    return _algorithm_1(distinct, first, second, discount, whole_blocks=variant == WHOLE_BLOCKS)


def _distinct_in_order(sequences: Sequence[Sequence[str]]) -> tuple[list[tuple[str, ...]], NDArray[np.int64]]:
    """The different sequences, shorter ones first, and the place among them of each sequence given."""
    import numpy as np

    keys = [tuple(sequence) for sequence in sequences]
    distinct = sorted(set(keys), key=lambda key: (len(key), key))
    places = {key: place for place, key in enumerate(distinct)}
    return distinct, np.array([places[key] for key in keys], dtype=np.int64)


def _algorithm_1(
    distinct: Sequence[tuple[str, ...]], first: Pairs, second: Pairs, discount: float, *, whole_blocks: bool
) -> Floats:
    import numpy as np

    lengths = np.array([len(sequence) for sequence in distinct], dtype=np.int64)
    labels = {label: number for number, label in enumerate(sorted({label for each in distinct for label in each}))}
    width = int(lengths.max())
    kind = np.int8 if max(width + 1, len(labels)) < np.iinfo(np.int8).max else np.int16
    # One column per sequence.
    table = np.full((width, len(distinct)), _PADDING, dtype=kind)
    for column, sequence in enumerate(distinct):
        table[: len(sequence), column] = [labels[label] for label in sequence]
    powers = np.array([discount**block for block in range(width * width + 1)])

    values = np.ones(len(first))
    key = lengths[first] * (width + 1) + lengths[second]
    # Keys of two bytes are sorted digit by digit, many times as quick as by comparison.
    order = np.argsort(key.astype(np.uint16 if (width + 1) ** 2 <= 1 << 16 else np.uint32), kind="stable")
    key, first_in_order, second_in_order = key[order], first[order], second[order]
    starts = [0, *(np.flatnonzero(np.diff(key)) + 1).tolist(), len(key)]
    for start, end in pairwise(starts):
        rows, columns = divmod(int(key[start]), width + 1)
        if not rows:
            # An empty sequence has distance 1 to all but itself.
            continue
        for low in range(start, end, _BATCH):
            high = min(low + _BATCH, end)
            total = _batch(
                table[:rows].take(first_in_order[low:high], axis=1),
                table[:columns].take(second_in_order[low:high], axis=1),
                powers, whole_blocks,
            )  # fmt: skip
            values[order[low:high]] = np.maximum(0.0, 1.0 - total / rows)
    values[first == second] = 0.0
    return values


def _batch(first: Any, second: Any, powers: Floats, whole_blocks: bool) -> Floats:
    """Sums of discounted blocks for pairs with the same two lengths; one pair per column."""
    import numpy as np

    kind, (width, count) = first.dtype, second.shape
    last = len(first) - 1
    if whole_blocks:
        # Behind both ends nothing is equal, so every block ends.
        first = np.vstack([first, np.full((1, count), _PADDING - 1, dtype=kind)])
        second = np.vstack([second, np.full((1, count), _PADDING, dtype=kind)])
        width += 1
    lengths = (second == first[0]).astype(kind)  # the row of A above
    longest = lengths[1:].copy()  # J
    above, corner = lengths[:-1], lengths[len(second) - 1 - whole_blocks]
    at_the_corner = corner.copy()
    seen = np.empty((width, count), dtype=kind)  # I, as it stands before each column
    grown = np.empty((width - 1, count), dtype=kind)
    # Memory that every row uses again; fresh memory would cost more than the work.
    equal, flags = np.empty((width, count), dtype=bool), np.empty((width - 1, count), dtype=bool)
    events: list[tuple[Any, Any]] = []
    for row in range(1, len(first)):
        np.equal(second, first[row], out=equal)
        # True above False: the block has two labels or more, and the next ones differ.
        np.greater(above, 1, out=flags)
        np.greater(flags, equal[1:], out=flags)
        where = np.flatnonzero(flags)
        if len(where):
            events.append((where % count, above.reshape(-1)[where]))
        np.greater_equal(above, longest, out=flags)
        np.logical_and(flags, equal[1:], out=flags)
        np.add(above, 1, out=grown)
        np.multiply(grown, flags, out=grown)
        seen[0] = equal[0]
        for column in range(1, width):
            np.maximum(seen[column - 1], grown[column - 1], out=seen[column])
        np.greater(grown, seen[:-1], out=flags)
        np.multiply(grown, flags, out=lengths[1:])
        np.maximum(longest, lengths[1:], out=longest)
        lengths[0] = equal[0]
        if row == last:
            at_the_corner = corner.copy()
    # Where both sequences end, a block of one label counts as well.
    kept = np.flatnonzero(at_the_corner == 1 if whole_blocks else at_the_corner > 0)
    events.append((kept, at_the_corner[kept]))
    pair = np.concatenate([each for each, _ in events]).astype(np.uint16)
    length = np.concatenate([each for _, each in events]).astype(np.float64)
    order = np.argsort(pair, kind="stable")
    pair, length = pair[order], length[order]
    per_pair = np.bincount(pair, minlength=count)
    rank = np.arange(len(pair)) - np.repeat(np.cumsum(per_pair) - per_pair, per_pair)
    return np.asarray(np.bincount(pair, length * powers[rank], minlength=count))
