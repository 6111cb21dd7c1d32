"""ROUGE against counts by hand and a plain dynamic programme."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.scorers.rouge import longest_common_subsequence, rouge

WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


def test_counts_by_hand() -> None:
    found = rouge("Police killed the gunman.", "The gunman killed police")
    assert (found["rouge1"].precision, found["rouge1"].recall) == (1, 1)
    # Of three bigrams only "the gunman" is shared; in order, "killed … " cannot be joined to it.
    assert found["rouge2"].f1 == pytest.approx(1 / 3)
    assert found["rougeL"].f1 == pytest.approx(2 / 4)


def test_a_word_counts_as_often_as_in_both() -> None:
    assert rouge("the the the", "the cat")["rouge1"].precision == pytest.approx(1 / 3)


def test_nothing_has_nothing_in_common() -> None:
    assert [overlap.f1 for overlap in rouge("", "a b").values()] == [0, 0, 0]
    assert [overlap.f1 for overlap in rouge("¡!", "").values()] == [0, 0, 0]


def plain_length(left: list[str], right: list[str]) -> int:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(WORDS, WORDS)
def test_the_subsequence_is_the_longest(left: list[str], right: list[str]) -> None:
    assert longest_common_subsequence(left, right) == plain_length(left, right)


@given(WORDS)
def test_a_text_has_all_of_itself(words: list[str]) -> None:
    text = " ".join(words)
    assert all(overlap.f1 == (1 if len(words) > 1 else overlap.f1) for overlap in rouge(text, text).values())
