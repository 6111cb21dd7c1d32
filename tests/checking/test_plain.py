"""Markdown becomes plain text without moving a character; abstentions are recognized."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.checking.claims import abstains
from tupelo.checking.plain import plain_text


@given(st.text(alphabet=st.sampled_from("ab1 *_`#>-+.|[]()!<>/~:\n\r\t^【】")))
def test_no_character_moves(text: str) -> None:
    for code in (True, False):
        made = plain_text(text, code=code)
        assert len(made) == len(text)
        assert all(new in (old, " ", "\n", ",") for new, old in zip(made, text, strict=True))


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("# Results\n**Rosa** *left* __Oslo__ ~~now~~.", "Results Rosa left Oslo now ."),
        ("See [the report](https://x.no/a_b) and ![it](i.png)[1][^2] [3, 4].", "See the report and it ."),
        ("> quoted\n>> twice", "quoted twice"),
        ("| Name | Age |\n|---|:-:|\n| Rosa | 31 |", "Name , Age Rosa , 31"),
        ("`x` is 2 * 3 and a_b\n---\n", "x is 2 * 3 and a_b"),
        ("before\n```py\nx = 1\n```\nafter", "before after"),
        ("line<br/>break</p>", "line break"),
        ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
    ],
)
def test_markup_goes_and_words_stay(markdown: str, words: str) -> None:
    assert plain_text(markdown).split() == words.split()


def test_items_of_a_list_are_paragraphs() -> None:
    assert plain_text("Rosa:\n- buys\n1. sells").split("\n\n") == ["Rosa:", " buys", "  sells"]


def test_code_is_part_of_a_source() -> None:
    assert plain_text("```\nx = 1\n```", code=True).split() == ["x", "=", "1"]


@pytest.mark.parametrize(
    "sentence",
    [
        "I don't know.",
        "I’m sorry, but I cannot answer this question.",
        "The provided context does not mention the price.",
        "Based on the given documents, there is no information about his age.",
        "The answer cannot be determined from the text.",
        "It is not stated in the passage.",
        "Unknown.",
    ],
)
def test_abstentions(sentence: str) -> None:
    assert abstains(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I don't know him, but he is Danish.",
        "“I don't know,” he said.",
        "The company does not have a context.",
        "It is unclear why the bridge collapsed.",
        "The text mentions the price.",
        "Unknown attackers robbed the bank.",
    ],
)
def test_claims_are_no_abstentions(sentence: str) -> None:
    assert not abstains(sentence)
