"""The HWS distance of two parses (Qi and others, EMNLP 2023, Algorithm 1 and the released code).

How it works. Both trees are cut below a height, and their labels written level
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
  equal trees, symmetric, and lies between 0 and 1. `algorithm_1` is the bare
  algorithm in the order given.
* `whole-blocks`: the same, but a block that runs into the end of one sequence
  only counts too. Algorithm 1 sees such a block only when it ends both, and so
  gives S NP VP and S NP VP . the distance 1.
* `released`: what the published program computes. It counts blocks, whatever
  their length, so a tree of n labels has distance 1 - 1/n to itself; it is not
  symmetric, and has a cap that comes from a list read as a regular expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tupelo.cliques.trees import DEFAULT_HEIGHT, ConstituencyTree
from tupelo.core import InputError, UnknownNameError

DEFAULT_DISCOUNT: Final = 0.5
REVISED, WHOLE_BLOCKS, RELEASED = "revised", "whole-blocks", "released"
VARIANTS: Final = (REVISED, WHOLE_BLOCKS, RELEASED)
# The labels that the released program knows; its cap compares the decimal digits of their positions in this list.
# From `tag_dict.json` in qijimrc/ROBUST at commit 2051b45 (MIT).
_RELEASED = (
    "ROOT S NP NNP VP VBD : SBAR PP IN DT NN , CD NNS JJ . CC VBG TO VB WHPP WHNP WDT WP ADJP VBN ADVP RB "
    "PRP PRT RP PRP$ MD JJR NNPS QP POS VBZ PRN -LRB- -RRB- X VBP JJS RBS FW CONJP FRAG WHADVP WRB $ WP$ "
    "SINV RBR UCP EX `` '' # PDT SQ NX NAC RRC SYM LS SBARQ WHADJP INTJ LST UH NML NFP ADD HYPH"
)
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
    if not first or not second:
        return 0.0 if not first and not second else 1.0
    if variant == RELEASED:
        numbers = label_numbers(first, second)
        return released_distance(numbers[0], numbers[1], discount)
    first, second = in_order(first, second)
    return max(0.0, algorithm_1(first, second, discount, whole_blocks=variant == WHOLE_BLOCKS))


def check_options(discount: float, variant: str) -> None:
    if variant not in VARIANTS:
        raise UnknownNameError.among("variant of HWS", variant, VARIANTS)
    if not 0.0 <= discount <= 1.0:
        raise InputError(f"a discount of {discount}, expected 0 to 1")


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


def label_numbers(*sequences: Sequence[str]) -> tuple[list[int], ...]:
    """The numbers of the released program for labels. Those that stop it with an error here get the next numbers."""
    numbers = {label: number for number, label in enumerate(_RELEASED.split())}
    return tuple([numbers.setdefault(label, len(numbers)) for label in sequence] for sequence in sequences)


def released_distance(first: Sequence[int], second: Sequence[int], discount: float) -> float:
    """What the released program gives for two sequences of label numbers, neither of them empty.

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
