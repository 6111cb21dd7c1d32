"""One fact, one tuple."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Argument, Extraction, Sentence
from tupelo.extract.judge import repeated

WORDS = ["Ann", "Lee", "founded", "Acme", "in", "Oslo", "in", "1990"]
SENTENCE = Sentence(" ".join(WORDS))


def part(*tokens: int) -> Argument:
    return Argument(" ".join(WORDS[token] for token in tokens), tokens=tokens, spans=())


def made(rel: Argument, *args: Argument, subject: Argument | None = None) -> Extraction:
    return Extraction(SENTENCE, rel, subject or part(0, 1), args)


WHOLE = made(part(2), part(3), part(4, 5), part(6, 7))
SHORT = made(part(2), part(3))
PLACE = made(part(2, 3, 4), part(5))


def test_shorter_forms_of_a_tuple_repeat_it() -> None:
    assert repeated([SHORT, WHOLE, PLACE]) == {0, 2}


def test_other_subjects_and_other_words_are_other_facts() -> None:
    other = made(part(2), part(3), subject=part(5))
    assert repeated([other, WHOLE]) == set()
    assert repeated([made(part(2), part(3)), made(part(2), part(5))]) == set()


def test_a_part_of_the_subject_is_the_same_subject() -> None:
    named = made(part(2), part(3), part(4, 5), subject=part(1))
    assert repeated([named, WHOLE]) == {0}
    assert repeated([replace(WHOLE, arg1=part(1)), WHOLE]) == {0}
    assert repeated([WHOLE, made(part(2), part(3), subject=part(0, 1, 5))]) == set()


def test_another_predicate_is_another_fact_though_its_words_are_in_an_argument() -> None:
    assert repeated([made(part(4), part(5)), WHOLE]) == set()


def test_a_denial_is_another_fact() -> None:
    assert repeated([replace(SHORT, negated=True), WHOLE]) == set()


def test_of_two_with_the_same_words_the_one_with_the_shorter_relation_stays() -> None:
    as_relation = made(part(2, 3, 4, 5, 6), part(7))
    assert repeated([as_relation, WHOLE]) == {0}
    assert repeated([WHOLE, WHOLE]) == {1}


def test_implied_words_are_words() -> None:
    implied = Argument("is in", tokens=(), spans=(), inferred=(0, 1))
    assert repeated([made(implied, part(5)), WHOLE]) == set()


@given(st.lists(st.lists(st.integers(2, 7), min_size=1, max_size=5, unique=True), max_size=7))
def test_something_is_always_left_and_every_repetition_has_a_fuller_tuple_that_stays(found) -> None:
    tuples = [made(part(sorted(words)[0]), part(*sorted(words)[1:])) for words in found]
    gone = repeated(tuples)
    stay = set(range(len(tuples))) - gone
    assert bool(stay) == bool(tuples)
    for place in gone:
        assert any(set(found[place]) <= set(found[other]) for other in stay)
