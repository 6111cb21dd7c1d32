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


def made(rel: Argument, *args: Argument, confidence: float = 0.9, subject: Argument | None = None) -> Extraction:
    return Extraction(SENTENCE, rel, subject or part(0, 1), args, confidence=confidence)


WHOLE = made(part(2), part(3), part(4, 5), part(6, 7))
SHORT = made(part(2), part(3))
PLACE = made(part(2, 3, 4), part(5))


def test_shorter_forms_of_a_trusted_tuple_repeat_it() -> None:
    assert repeated([SHORT, WHOLE, PLACE], 0.5) == {0, 2}


def test_a_doubtful_tuple_does_not_replace_a_surer_part_of_it() -> None:
    doubtful = replace(WHOLE, confidence=0.3)
    assert repeated([SHORT, doubtful], 0.5) == set()
    assert repeated([replace(SHORT, confidence=0.2), doubtful], 0.5) == {0}


def test_other_subjects_and_other_words_are_other_facts() -> None:
    other = made(part(2), part(3), subject=part(5))
    assert repeated([other, WHOLE], 0.5) == set()
    assert repeated([made(part(2), part(3)), made(part(2), part(5))], 0.5) == set()


def test_a_denial_is_another_fact() -> None:
    assert repeated([replace(SHORT, negated=True), WHOLE], 0.5) == set()


def test_of_two_with_the_same_words_the_surer_one_stays_then_the_shorter_relation() -> None:
    as_relation = made(part(2, 3, 4, 5, 6), part(7))
    assert repeated([as_relation, WHOLE], 0.5) == {0}
    assert repeated([replace(as_relation, confidence=0.95), WHOLE], 0.5) == {1}
    assert repeated([WHOLE, WHOLE], 0.5) == {1}


def test_implied_words_are_words() -> None:
    implied = Argument("is in", tokens=(), spans=(), inferred=(0, 1))
    assert repeated([made(implied, part(5)), WHOLE], 0.5) == set()


def test_a_tuple_that_says_little_replaces_nothing() -> None:
    assert repeated([SHORT, replace(WHOLE, minor=True)], 0.5) == set()


@given(
    st.lists(st.tuples(st.lists(st.integers(2, 7), min_size=1, max_size=5, unique=True), st.floats(0, 1)), max_size=7)
)
def test_something_is_always_left_and_every_repetition_has_a_fuller_tuple_that_stays(found) -> None:
    tuples = [made(part(sorted(words)[0]), part(*sorted(words)[1:]), confidence=sure) for words, sure in found]
    gone = repeated(tuples, 0.5)
    stay = set(range(len(tuples))) - gone
    assert bool(stay) == bool(tuples)
    for place in gone:
        words = set(found[place][0])
        assert any(words <= set(found[other][0]) for other in stay)
