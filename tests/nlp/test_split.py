from __future__ import annotations

import textwrap

from tupelo.core import Passage
from tupelo.nlp.prepare import Splitter, paragraphs, split_sentences
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


def test_words_that_go_on_join_narrow_lines() -> None:
    for text in (
        "The committee met in the old\ntown hall on Monday.",
        "It was sold to the firm of Hall &\nSons.",
        "Ann Zaghari-\nRatcliffe left.",
        "The manual lists com\u2010\nmands.",
        "The letter came from Mr.\nHall himself.",
        "The president of the United\nStates lives in the White\nHouse, as everybody knows.",
    ):
        assert pieces(text) == [text]


def test_items_of_a_list_are_lines_of_their_own() -> None:
    items = "- Turn off the power before you open the case of the machine.\n- Remove the four screws at the back."
    assert pieces(items) == items.split("\n")
    continued = "* The first item of this list is continued on the\n  next line.\n* The second is not."
    assert pieces(continued) == [continued.rpartition("\n")[0], "* The second is not."]


def test_a_number_in_wrapped_text_is_no_item() -> None:
    text = "All of these rules are explained at length in chapter\n3. After it there are only exercises for students."
    assert pieces(text) == [text]


def test_text_without_anything_has_no_paragraphs() -> None:
    assert pieces("") == []
    assert pieces("\n\n\n") == []


def sentences(text: str, weights: dict[str, float]) -> list[str]:
    tokens = tokenize(text)
    forms = [text[start:end] for start, end, _ in tokens]
    return [text[tokens[a][0] : tokens[b - 1][1]] for a, b, _ in Splitter(weights).split(forms, tokens)]


def test_quotes_stay_with_what_they_enclose() -> None:
    greedy = {"bias": 1.0}
    assert sentences('He left. "I stay."', greedy) == ["He left.", '"I stay."']
    assert sentences("(Yes.) [No.]", greedy) == ["(Yes.)", "[No.]"]


def test_weights_decide() -> None:
    text = "He left. She stayed."
    assert sentences(text, {"bias": -1.0, "k=.s": 2.0}) == ["He left.", "She stayed."]
    assert sentences(text, {"bias": -1.0, "k=.s": 0.5}) == [text]


def test_a_sentence_has_a_longest_length() -> None:
    text = "word " * 25
    tokens = tokenize(text)
    assert list(Splitter({}).split(text.split(), tokens, longest=50)) == [
        (0, 10, True),
        (10, 20, True),
        (20, 25, False),
    ]


def words(text: str, known: set[str]) -> list[tuple[str, int, int]]:
    (found,) = split_sentences(Passage(text, 100), Splitter({}), known=known)
    return [(form, *span) for form, span in zip(found.forms, found.spans, strict=True)]


def test_a_known_word_that_a_line_break_divides_is_whole() -> None:
    assert words("All com\u2010\n  mands.", {"commands"}) == [
        ("All", 100, 103),
        ("commands", 104, 116),
        (".", 116, 117),
    ]
    assert words("Com-\nmands", {"commands"}) == [("Commands", 100, 110)]
    assert [form for form, *_ in words("long-\nterm", {"long", "term"})] == ["long", "-", "term"]
    assert [form for form, *_ in words("Com-\nMands com-mands", {"commands"})] == [
        "Com",
        "-",
        "Mands",
        "com",
        "-",
        "mands",
    ]


def test_where_the_line_break_is_lost_the_second_half_must_be_no_word() -> None:
    assert [form for form, *_ in words("com- mands", {"commands"})] == ["commands"]
    assert [form for form, *_ in words("on- line", {"online", "line"})] == ["on", "-", "line"]


def test_halves_are_used_once() -> None:
    assert [form for form, *_ in words("a-\nb-\nc", {"ab", "bc", "abc"})] == ["ab", "-", "c"]
