from __future__ import annotations

from dataclasses import replace

from tests.extract.trees import BORN, analysis
from tupelo.core import Argument, Sentence, Span
from tupelo.core.extraction import in_one_line
from tupelo.extract.parts import align, is_true_to, locate, pieces_of, sentence_of
from tupelo.extract.postprocess import (
    deduplicate,
    drop_hollow,
    in_reading_order,
    prepositions_in_arguments,
)
from tupelo.nlp.parts import make_part

SENTENCE = sentence_of(BORN)


def tuple_of(*parts: tuple[int | str, ...], confidence: float | None = 0.5):
    from tupelo.core import Extraction

    rel, *arguments = (make_part(BORN, part) for part in parts)
    return Extraction(SENTENCE, rel, arguments[0], tuple(arguments[1:]), confidence)


def test_neighbouring_words_are_one_span_with_single_spaces_in_the_text() -> None:
    part = make_part(BORN, [1, 2, 3], "time")
    assert part == Argument("was born in", "time", (1, 2, 3), (Span(4, 16),))
    assert is_true_to(part, SENTENCE)


def test_words_apart_are_spans_of_their_own_in_the_order_of_reading() -> None:
    part = make_part(BORN, [4, 0])
    assert part == Argument("Oslo Ann", None, (4, 0), (Span(17, 21), Span(0, 3)))
    assert is_true_to(part, SENTENCE)


def test_a_hyphen_left_out_between_words_written_together_comes_back() -> None:
    rows = ("Jean PROPN 4 nsubj", "- PUNCT 1 punct", "Luc PROPN 1 flat", "left VERB 0 root", "- PUNCT 4 punct")
    left = analysis("Jean-Luc left - Lee's", *rows, "Lee PROPN 4 dep", "'s PART 6 case")
    part = make_part(left, [0, 2, 3])
    assert part == Argument("Jean-Luc left", None, (0, 1, 2, 3), (Span(0, 13),))
    assert make_part(left, [2, 0]).text == "Luc Jean"
    assert make_part(left, [3, 5]).text == "left Lee"
    assert make_part(left, [0, 3]).text == "Jean left"


def test_a_line_broken_at_a_hyphen_leaves_no_gap_in_the_name() -> None:
    rows = ("Ann PROPN 5 nsubj", "Zaghari PROPN 1 flat", "- PUNCT 2 punct", "Lee PROPN 2 flat", "left VERB 0 root")
    broken = analysis("Ann  Zaghari-\n  Lee\nleft", *rows)
    part = make_part(broken, range(5))
    assert part.text == "Ann Zaghari-Lee left"
    assert part.spans == (Span(0, 24),)
    assert is_true_to(part, sentence_of(broken))


def test_implied_words_are_numbered_as_words_of_the_text() -> None:
    part = make_part(BORN, ["has been", 2, "of", 4])
    assert (part.text, part.inferred, part.tokens) == ("has been born of Oslo", (0, 1, 3), (2, 4))
    assert is_true_to(part, SENTENCE)


def test_a_part_that_lies_about_its_place_is_found_out() -> None:
    part = make_part(BORN, [0])
    assert not is_true_to(replace(part, text="Bob"), SENTENCE)
    assert not is_true_to(replace(part, spans=(Span(0, 99),)), SENTENCE)
    assert not is_true_to(replace(part, tokens=(9,)), SENTENCE)
    assert not is_true_to(replace(part, spans=None), SENTENCE)


def test_offsets_count_from_the_start_of_the_sentence() -> None:
    later = analysis("Ann left.", "Ann PROPN 2 nsubj", "left VERB 0 root", ". PUNCT 2 punct", start=500)
    assert make_part(later, [1]).spans == (Span(4, 8),)


def test_pieces_give_the_same_part_again() -> None:
    for pieces in ([0], [4, 0], ["is", 2, 3], [1, "x", 4], ["only implied"], [4, 5], [3, 2, 1]):
        part = make_part(BORN, pieces)
        assert make_part(BORN, pieces_of(part)) == part


def test_a_final_preposition_moves_to_the_argument() -> None:
    moved = prepositions_in_arguments(tuple_of((1, 2, 3), (0,), (4,)), BORN)
    assert str(moved) == "(Ann; was born; in Oslo)"
    assert moved.args[0].spans == (Span(14, 21),)
    assert is_true_to(moved.rel, SENTENCE)


def test_a_relation_without_final_preposition_or_argument_stays() -> None:
    for item in (tuple_of((1, 2), (0,), (4,)), tuple_of((1, 2, 3), (0,)), tuple_of((3,), (0,), (4,))):
        assert prepositions_in_arguments(item, BORN) is item


def test_of_two_equal_tuples_the_surer_one_stays_at_the_first_place() -> None:
    first, second = tuple_of((1, 2), (0,)), tuple_of((2,), (0,))
    surer = replace(first, confidence=0.9)
    assert deduplicate([first, second, surer]) == [surer, second]


def test_a_denied_tuple_is_not_the_double_of_a_claimed_one() -> None:
    claimed = tuple_of((1, 2), (0,))
    denied = replace(claimed, negated=True)
    assert deduplicate([claimed, denied]) == [claimed, denied]
    assert deduplicate([claimed, replace(claimed, negated=False)]) == [claimed]


def test_hollow_tuples_are_dropped() -> None:
    good = tuple_of((2,), (0,), (4,))
    assert drop_hollow([good, tuple_of((), (0,)), tuple_of((2,), ()), tuple_of((2,), (0,), ())]) == [good]


def test_reading_order_follows_the_relation_then_the_arguments() -> None:
    early, late, nowhere = tuple_of((1,), (0,)), tuple_of((2,), (0,)), tuple_of((1,), (0,))
    nowhere = replace(nowhere, rel=Argument("was"))
    assert in_reading_order([nowhere, late, early]) == [early, late, nowhere]


def test_line_breaks_become_spaces_and_no_span_moves() -> None:
    item = replace(tuple_of((2,), (0,)), sentence=Sentence("Ann was \tborn\nin Oslo."))
    flat = in_one_line(item)
    assert flat.sentence.text == "Ann was  born in Oslo."  # type: ignore[union-attr]
    assert in_one_line(SENTENCE) is SENTENCE


def test_a_phrase_is_found_where_it_stands() -> None:
    assert align(BORN, "born in Oslo") == make_part(BORN, [2, 3, 4])
    assert align(BORN, "Born  IN oslo") == make_part(BORN, [2, 3, 4])


def test_a_phrase_is_put_together_from_pieces_and_the_rest_is_implied() -> None:
    assert align(BORN, "was born and bred in Oslo") == make_part(BORN, [1, 2, "and", "bred", 3, 4])
    assert align(BORN, "Bergen").inferred == (0,)
    assert align(BORN, "").text == ""


def test_somebody_elses_words_are_kept_where_they_are_not_in_the_sentence() -> None:
    assert locate(BORN, Argument("was born", "x")) == make_part(BORN, [1, 2], "x")
    assert locate(BORN, Argument("is born", "x")) == Argument("is born", "x")
    assert locate(BORN, Argument("Oslo Ann")).tokens == (4, 0)
