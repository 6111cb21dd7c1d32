from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tupelo.extract.neural.scores import masks_of, tokens_of
from tupelo.extract.rules import TupleCandidate


def candidate(
    subject: tuple[int, ...], relation: tuple[int | str, ...], *arguments: tuple[int, ...]
) -> TupleCandidate:
    return TupleCandidate("clause", "whole", 0, subject, relation, arguments, (None,) * len(arguments))


@given(st.sets(st.integers(0, 300)))
def test_a_mask_gives_back_the_words_that_went_in(tokens: set[int]) -> None:
    assert tokens_of(sum(1 << token for token in tokens)) == sorted(tokens)


def test_implied_words_are_in_the_relation_but_not_written() -> None:
    (mask,) = masks_of([candidate((0, 1), ("is", 3), (4, 5), (7,))], 8)
    assert tokens_of(mask.written) == [3]
    assert mask.relation.bit_count() == 2
    assert tokens_of(mask.first) == [4, 5]
    assert tokens_of(mask.arguments) == [4, 5, 7]
    assert tokens_of(mask.everything) == [0, 1, 3, 4, 5, 7]


def test_two_relations_share_the_words_that_both_imply() -> None:
    first, second, third = masks_of(
        [candidate((0,), ("is",), (1,)), candidate((2,), ("is",), (3,)), candidate((0,), ("has",), (1,))], 4
    )
    assert (first.relation & second.relation).bit_count() == 1
    assert not first.relation & third.relation
