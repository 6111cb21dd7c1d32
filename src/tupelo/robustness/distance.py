"""The HWS distance of two parses (Qi et al., EMNLP 2023, Algorithm 1 and the released code).

How it works. Both trees are truncated at a height, and their labels written level
by level, from the top. A *block* is a run of labels that both sequences have.
The first block counts with its length, the next with its length times a
discount, the one after with the square of it, and so on; the distance is 1
minus this sum over the length of the shorter sequence. A small discount looks
at the skeleton of the sentences, 1 at everything.

By hand: S NP VP NP PP VBD VP and S NP VP NP , SBAR , VBD VP share the blocks
S NP VP NP (4) and VBD VP (2). With discount 0.5 the distance is
1 - (4 + 2 * 0.5) / 7.

Three variants:

* `revised`, the default: Algorithm 1. As printed it sets `J[i]` where only
  `J[j]` makes sense, depends on which tree comes first when blocks lie
  crosswise, and can fall below 0 when a short block is counted before a longer
  one around it. Here the shorter sequence comes first (of two equally long
  ones, the one that sorts first), and nothing falls below 0; so it is 0 for
  equal trees, symmetric, and lies between 0 and 1.
* `whole-blocks`: the same, but a block that runs into the end of one sequence
  only counts too. Algorithm 1 sees such a block only when it ends both, and so
  gives S NP VP and S NP VP . the distance 1.
* `released`: what the published program computes. It counts blocks, whatever
  their length, so a tree of n labels has distance 1 - 1/n to itself; it is not
  symmetric, and has a cap that comes from a list read as a regular expression.

Many pairs are compared at once: Algorithm 1 on thousands of pairs per step.

Trees truncated at a small height are often equal, so sequences are first made unique,
and then pairs of them. The pairs that are left are sorted by their lengths and
processed in batches of equal lengths. A batch goes row by row, as the algorithm does; a
row is a table with one line per column of the algorithm and one entry per pair.

Inside a row the algorithm looks from left to right, because a block may only
grow when it is longer than what the row has seen (`I`). What the row has seen
is a running maximum: blocks that may not grow are never above it. So the row
needs one pass of maxima, and everything else happens to all cells at once.
Lengths fit into a byte, and a processor handles dozens of bytes in one step.

Blocks that end are written down in the order of the algorithm and added up at
the end, in that order, so the results equal those of plain loops bit for bit
(`benchmarks/plain_hws.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

from tupelo.core import InputError
from tupelo.core.errors import require_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Pairs = NDArray[np.integer[Any]]

DEFAULT_DISCOUNT: Final = 0.5
REVISED, WHOLE_BLOCKS, RELEASED = "revised", "whole-blocks", "released"
VARIANTS: Final = (REVISED, WHOLE_BLOCKS, RELEASED)
# The labels of the released program; its cap compares the decimal digits of their positions in this list.
# From `tag_dict.json` in qijimrc/ROBUST at commit 2051b45 (MIT).
_RELEASED = (
    "ROOT S NP NNP VP VBD : SBAR PP IN DT NN , CD NNS JJ . CC VBG TO VB WHPP WHNP WDT WP ADJP VBN ADVP RB "
    "PRP PRT RP PRP$ MD JJR NNPS QP POS VBZ PRN -LRB- -RRB- X VBP JJS RBS FW CONJP FRAG WHADVP WRB $ WP$ "
    "SINV RBR UCP EX `` '' # PDT SQ NX NAC RRC SYM LS SBARQ WHADJP INTJ LST UH NML NFP ADD HYPH"
)
# Large enough to make the cost of a call negligible, small enough for the tables to stay in the cache.
_BATCH = 8192
# Duplicate pairs are merged if there are at most this many times as many possible pairs as actual ones.
_WORTH_LOOKING = 4
_PADDING = -1


def pairwise_distances(
    sequences: Sequence[Sequence[str]],
    pairs: Pairs,
    *,
    discount: float = DEFAULT_DISCOUNT,
    variant: str = REVISED,
) -> Floats:
    """Distances of `pairs`, two columns of positions in `sequences`: 0 for equal skeletons, 1 for disjoint ones."""
    import numpy as np

    check_options(discount, variant)
    if not len(pairs):
        return np.zeros(0)
    distinct, number_of = _distinct_in_order(sequences)
    first, second = number_of[np.asarray(pairs)].T
    if variant != RELEASED:
        # Numbers follow the order of the sequences, so the smaller one comes first.
        first, second = np.minimum(first, second), np.maximum(first, second)
    if len(distinct) ** 2 > 2 * _WORTH_LOOKING * len(pairs):
        # With this many possible pairs, duplicates are rare; finding them would cost more than it saves.
        return _distances(distinct, first, second, discount, variant)
    codes, position = np.unique(first.astype(np.int64) * len(distinct) + second, return_inverse=True)
    first, second = np.divmod(codes, len(distinct))
    return np.asarray(_distances(distinct, first, second, discount, variant)[position.reshape(-1)])


def _distances(
    distinct: Sequence[tuple[str, ...]], first: Pairs, second: Pairs, discount: float, variant: str
) -> Floats:
    import numpy as np

    if variant == RELEASED:
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return np.array([released_distance(distinct[a], distinct[b], discount) for a, b in pairs])
    return _algorithm_1(distinct, first, second, discount, whole_blocks=variant == WHOLE_BLOCKS)


def _distinct_in_order(sequences: Sequence[Sequence[str]]) -> tuple[list[tuple[str, ...]], NDArray[np.int32]]:
    """The distinct sequences, shortest first, and the index among them of each given sequence."""
    import numpy as np

    keys = [tuple(sequence) for sequence in sequences]
    distinct = sorted(sorted(set(keys)), key=len)
    places = {key: place for place, key in enumerate(distinct)}
    return distinct, np.array([places[key] for key in keys], dtype=np.int32)


def _algorithm_1(
    distinct: Sequence[tuple[str, ...]], first: Pairs, second: Pairs, discount: float, *, whole_blocks: bool
) -> Floats:
    import numpy as np

    lengths = np.array([len(sequence) for sequence in distinct], dtype=np.int32)
    flat = list(chain.from_iterable(distinct))
    labels = {label: number for number, label in enumerate(sorted(set(flat)))}
    width = int(lengths.max())
    kind = np.int8 if max(width + 1, len(labels)) < np.iinfo(np.int8).max else np.int16
    by_sequence = np.full((len(distinct), width), _PADDING, dtype=kind)
    by_sequence[np.arange(width) < lengths[:, None]] = [labels[label] for label in flat]
    powers = np.array([discount**block for block in range(width * width + 1)])
    sums = np.zeros(len(first))
    _sum_in_batches(sums, np.ascontiguousarray(by_sequence.T), lengths, first, second, powers, whole_blocks)
    # An empty sequence has distance 1 to all but itself.
    values = np.maximum(0.0, 1.0 - sums / np.maximum(1, lengths[first]))
    values[first == second] = 0.0
    return np.asarray(values)


def _sum_in_batches(
    sums: Floats, table: Any, lengths: Any, first: Pairs, second: Pairs, powers: Floats, whole_blocks: bool
) -> None:
    """Fill in the sum of discounted blocks of each pair, many at a time; `table` has a column per sequence."""
    import numpy as np

    width = len(table)
    key = lengths[first] * (width + 1) + lengths[second]
    # Two-byte keys are radix-sorted, which is many times faster than sorting by comparison.
    order = np.argsort(key.astype(np.uint16 if (width + 1) ** 2 <= 1 << 16 else np.uint32), kind="stable")
    key, first, second = key[order], first[order], second[order]
    starts = [0, *(np.flatnonzero(np.diff(key)) + 1).tolist(), len(key)]
    for start, end in pairwise(starts):
        rows, columns = divmod(int(key[start]), width + 1)
        if not rows:
            continue
        for low in range(start, end, _BATCH):
            high = min(low + _BATCH, end)
            sums[order[low:high]] = _batch(
                table[:rows].take(first[low:high], axis=1),
                table[:columns].take(second[low:high], axis=1),
                powers,
                whole_blocks,
            )


def _batch(first: Any, second: Any, powers: Floats, whole_blocks: bool) -> Floats:
    """Sums of discounted blocks for pairs with the same two lengths; one pair per column."""
    import numpy as np

    kind, (width, count) = first.dtype, second.shape
    last = len(first) - 1
    if whole_blocks:
        # Nothing is equal beyond either end, so every block ends.
        first = np.vstack([first, np.full((1, count), _PADDING - 1, dtype=kind)])
        second = np.vstack([second, np.full((1, count), _PADDING, dtype=kind)])
        width += 1
    lengths = (second == first[0]).astype(kind)  # the row of A above
    longest = lengths[1:].copy()  # J
    above, below = lengths[:-1], lengths[1:]
    corner = lengths[len(second) - 1 - whole_blocks]
    at_the_corner = corner.copy()
    seen = np.empty((width, count), dtype=kind)  # I, as it is before each column
    grown = np.empty((width - 1, count), dtype=kind)
    # Every row reuses these arrays; allocating new ones would cost more than the computation.
    equal, flags = np.empty((width, count), dtype=bool), np.empty((width - 1, count), dtype=bool)
    # Numbers and flags can only be multiplied if they have the same dtype.
    equal_numbers, flag_numbers = (equal.view(kind), flags.view(kind)) if kind == np.int8 else (equal, flags)
    flat_above, flat_equal, flat_flags = lengths.reshape(-1), equal.reshape(-1), flags.reshape(-1)
    events: list[tuple[Any, Any]] = []
    for row in range(1, len(first)):
        np.equal(second, first[row], out=equal)
        # Blocks of two labels or more are rare, and end where the next labels differ.
        np.greater(above, 1, out=flags)
        where = flat_flags.nonzero()[0]
        where = where[~flat_equal[where + count]]
        if len(where):
            events.append((where % count, flat_above[where]))
        np.add(above, 1, out=grown)
        np.multiply(grown, equal_numbers[1:], out=grown)
        np.greater(grown, longest, out=flags)
        np.multiply(grown, flag_numbers, out=grown)
        seen[0] = equal_numbers[0]
        for column in range(1, width):
            np.maximum(seen[column - 1], grown[column - 1], out=seen[column])
        np.greater(grown, seen[:-1], out=flags)
        np.multiply(grown, flag_numbers, out=below)
        np.maximum(longest, below, out=longest)
        lengths[0] = equal_numbers[0]
        if row == last:
            at_the_corner = corner.copy()
    # At the end of both sequences, a block of one label counts as well.
    kept = np.flatnonzero(at_the_corner == 1 if whole_blocks else at_the_corner > 0)
    events.append((kept, at_the_corner[kept]))
    pair = np.concatenate([each for each, _ in events]).astype(np.uint16)
    length = np.concatenate([each for _, each in events]).astype(np.float64)
    order = np.argsort(pair, kind="stable")
    pair, length = pair[order], length[order]
    per_pair = np.bincount(pair, minlength=count)
    rank = np.arange(len(pair)) - np.repeat(np.cumsum(per_pair) - per_pair, per_pair)
    return np.asarray(np.bincount(pair, length * powers[rank], minlength=count))


def check_options(discount: float, variant: str) -> None:
    require_name("variant of HWS", variant, VARIANTS)
    if not 0.0 <= discount <= 1.0:
        raise InputError(f"a discount of {discount}, expected 0 to 1")


def label_numbers(*sequences: Sequence[str]) -> tuple[list[int], ...]:
    """The released program's numbers for labels. Labels on which it fails get the next free numbers here."""
    numbers = {label: number for number, label in enumerate(_RELEASED.split())}
    return tuple([numbers.setdefault(label, len(numbers)) for label in sequence] for sequence in sequences)


def released_distance(first: Sequence[str], second: Sequence[str], discount: float) -> float:
    """The released program's distance of two sequences. An empty one has distance 1 to all but itself."""
    if not first or not second:
        return 0.0 if not first and not second else 1.0
    one, other = label_numbers(first, second)
    return numbered_distance(one, other, discount)


def numbered_distance(first: Sequence[int], second: Sequence[int], discount: float) -> float:
    """The released program's distance of two sequences of label numbers, neither of them empty.

    `D` counts blocks and carries its maximum along, as the longest common subsequence does.
    """
    D = [[int(first[0] == label) for label in second]]
    start = 0
    for i in range(1, len(first)):
        row = [int(first[i] == second[0])]
        above = D[i - 1]
        for j in range(1, len(second)):
            before = first[i - 1] == second[j - 1]
            if first[i] == second[j]:
                row.append(above[j - 1] if before else above[j - 1] + 1)
                if not before:
                    start = i
            else:
                value = max(above[j - 1], row[j - 1], above[j])
                row.append(min(value, _cap(first, start, i)) if before else value)
        D.append(row)
    blocks = max(D[-1])
    return 1.0 - sum(discount**block for block in range(blocks)) / min(len(first), len(second))


def _cap(sequence: Sequence[int], start: int, end: int) -> int:
    """Characters of the whole sequence, written out, that occur in its part from `start` to `end`."""
    allowed = set(", ".join(str(label) for label in sequence[start : end + 1]))
    return sum(character in allowed for character in ", ".join(map(str, sequence)))
