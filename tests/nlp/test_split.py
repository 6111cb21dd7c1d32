from __future__ import annotations

import textwrap

from tupelo.nlp.prepare import Splitter, paragraphs
from tupelo.nlp.tokens import tokenize


def pieces(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in paragraphs(text)]


def test_a_blank_line_ends_a_paragraph() -> None:
    assert pieces("One\n\nTwo\n \t\n\nThree\n") == ["One", "Two", "Three"]


def test_windows_line_ends_are_line_ends() -> None:
    assert pieces("One\r\n\r\nTwo") == ["One", "Two"]


def test_a_wrapped_line_goes_on() -> None:
    text = "The committee met on Tuesday to discuss the plans for the new bridge over the river and adjourned early."
    wrapped = "\n".join(textwrap.wrap(text, 50))
    assert pieces(wrapped) == [wrapped]


def test_a_line_with_room_for_the_next_word_was_ended_on_purpose() -> None:
    letter = "Dear Ann,\nthank you for the long letter that you wrote to me last week."
    assert pieces(letter) == letter.split("\n")


def test_short_lines_are_a_list() -> None:
    assert pieces("apples\npears\nplums") == ["apples", "pears", "plums"]


def test_text_without_anything_has_no_paragraphs() -> None:
    assert pieces("") == []
    assert pieces("\n\n\n") == []


def sentences(text: str, weights: dict[str, float]) -> list[str]:
    tokens = tokenize(text)
    return [text[tokens[a][0] : tokens[b - 1][1]] for a, b, _ in Splitter(weights).split(text, tokens)]


def test_weights_decide() -> None:
    text = "He left. She stayed."
    assert sentences(text, {"bias": -1.0, "k=.s": 2.0}) == ["He left.", "She stayed."]
    assert sentences(text, {"bias": -1.0, "k=.s": 0.5}) == [text]


def test_a_sentence_has_a_longest_length() -> None:
    text = "word " * 25
    tokens = tokenize(text)
    assert list(Splitter({}).split(text, tokens, longest=50)) == [(0, 10, True), (10, 20, True), (20, 25, False)]
