"""HWS distances of many pairs at once: Algorithm 1 on thousands of pairs per step.

Trees cut at a small height look alike, so sequences are first made unique,
and then pairs of them. The pairs that are left are sorted by their lengths and
worked through in batches. A batch goes row by row, as the algorithm does; a
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

# A table of a row then stays in the cache of one core.
_BATCH = 4096
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
    codes = ranked[:, 0] * len(distinct) + ranked[:, 1]
    unique_codes, position = np.unique(codes, return_inverse=True)
    first, second = np.divmod(unique_codes, len(distinct))
    if variant == RELEASED:
        values = np.array(
            [
                sequence_distance(distinct[a], distinct[b], discount, variant)
                for a, b in zip(first, second, strict=True)
            ]
        )
    else:
        values = _algorithm_1(distinct, first, second, discount, whole_blocks=variant == WHOLE_BLOCKS)
    return np.asarray(values[position.reshape(-1)])


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
    # One more entry than the longest: behind the end of a sequence there is always padding.
    width = int(lengths.max()) + 1
    kind = np.int8 if max(width, len(labels)) < np.iinfo(np.int8).max else np.int16
    table = np.full((len(distinct), width), _PADDING, dtype=kind)
    for row, sequence in enumerate(distinct):
        table[row, : len(sequence)] = [labels[label] for label in sequence]
    powers = np.array([discount**block for block in range(width * width + 1)])

    values = np.ones(len(first))
    values[first == second] = 0.0
    # An empty sequence has distance 1 to all but itself.
    open_pairs = np.flatnonzero((first != second) & (lengths[first] > 0))
    rows, columns = lengths[first[open_pairs]], lengths[second[open_pairs]]
    open_pairs = open_pairs[np.lexsort((columns, rows))]
    rows = lengths[first[open_pairs]]
    starts = np.append(0, np.flatnonzero(np.diff(rows)) + 1)
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        for low in range(int(start), int(end), _BATCH):
            chosen = open_pairs[low : min(low + _BATCH, int(end))]
            sizes = lengths[second[chosen]]
            total = _batch(
                table[first[chosen], : int(rows[low])].T,
                table[second[chosen], : int(sizes[-1])].T,
                sizes, powers, whole_blocks,
            )  # fmt: skip
            values[chosen] = np.maximum(0.0, 1.0 - total / rows[low])
    return values


def _batch(first: Any, second: Any, sizes: Pairs, powers: Floats, whole_blocks: bool) -> Floats:
    """Sums of discounted blocks for pairs whose first sequences are equally long; one pair per column."""
    import numpy as np

    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    kind, (width, count) = first.dtype, second.shape
    if whole_blocks:
        # Behind both ends nothing is equal, so every block ends.
        first = np.vstack([first, np.full((1, count), _PADDING - 1, dtype=kind)])
        second = np.vstack([second, np.full((1, count), _PADDING, dtype=kind)])
        width += 1
    inside = np.arange(1, width)[:, None] < (sizes + whole_blocks)[None, :]
    longest = (second == first[0]).astype(kind)  # J
    lengths = longest.copy()  # the row of A above
    seen = np.empty((width, count), dtype=kind)  # I, as it stands before each column
    grown = np.empty((width - 1, count), dtype=kind)
    events: list[tuple[Any, Any]] = []
    last = len(first) - 1 - whole_blocks
    corner = lengths[sizes - 1, np.arange(count)]
    for row in range(1, len(first)):
        above = lengths[:-1]
        equal = second == first[row]
        ended = above > 1
        # True above False: it ended and the labels differ.
        np.greater(ended, equal[1:], out=ended)
        ended &= inside
        where = np.flatnonzero(ended)
        if len(where):
            events.append((where % count, above.reshape(-1)[where]))
        allowed = above >= longest[1:]
        allowed &= equal[1:]
        np.add(above, 1, out=grown)
        grown *= allowed
        seen[0] = equal[0]
        for column in range(1, width):
            np.maximum(seen[column - 1], grown[column - 1], out=seen[column])
        grown *= grown > seen[:-1]
        np.maximum(longest[1:], grown, out=longest[1:])
        lengths[0] = equal[0]
        lengths[1:] = grown
        if row == last:
            corner = lengths[sizes - 1, np.arange(count)]
    # Where both sequences end, a block of one label counts as well.
    kept = (corner == 1) if whole_blocks else corner > 0
    events.append((np.flatnonzero(kept), corner[kept]))
    pair = np.concatenate([each for each, _ in events]).astype(np.uint16)
    length = np.concatenate([each for _, each in events]).astype(np.float64)
    order = np.argsort(pair, kind="stable")
    pair, length = pair[order], length[order]
    per_pair = np.bincount(pair, minlength=count)
    rank = np.arange(len(pair)) - np.repeat(np.cumsum(per_pair) - per_pair, per_pair)
    return np.asarray(np.bincount(pair, length * powers[rank], minlength=count))
