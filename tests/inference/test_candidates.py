"""The six steps that find answers, on a WordNet of a few synsets laid out for the tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wordnet import Entry, real_wordnet, write_wordnet
from tupelo.core import InputError
from tupelo.core.assertion import Assertion
from tupelo.io.wordnet import open_wordnet
from tupelo_training.assertions import answers as steps
from tupelo_training.assertions.answers import AnswerCandidate, CandidateQuestion, Normalizer

ABOVE = "entity"
ENTRIES = (
    Entry("entity", "n", "entity", "what exists"),
    Entry("drug", "n", "drug", "a substance used as a medicine", (("@", ABOVE, 0, 0),)),
    Entry("drug-2", "n", "drug", "something that makes people dependent", (("@", ABOVE, 0, 0),)),
    Entry("aspirin", "n", "aspirin", "a drug against pain", (("@", "drug", 0, 0),)),
    Entry("oil", "n", "fish_oil", "a fatty oil", (("@", "drug", 0, 0),)),
    Entry("headache", "n", "headache", "pain in the head", (("@", ABOVE, 0, 0),)),
    Entry("brand", "n", "Bayer", "a brand of drugs", (("@i", "aspirin", 0, 0),)),
    Entry("shot-drug", "n", "shot", "an injection of a drug", (("@", "drug", 0, 0),)),
    Entry("shot-gun", "n", "shot", "the act of firing a gun", (("@", ABOVE, 0, 0),)),
    Entry("prevent", "v", "prevent", "keep from happening"),
    Entry("be", "v", "be", "exist"),
    Entry("good", "a", "good", "having desirable qualities"),
)


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory):
    return open_wordnet(write_wordnet(tmp_path_factory.mktemp("wordnet"), ENTRIES))


@pytest.fixture
def normalizer(wordnet):
    return Normalizer(wordnet)


def candidate(subject: str, relation: str, object_: str, count: int = 1, answer: str = "subject") -> AnswerCandidate:
    return AnswerCandidate(Assertion(subject, relation, object_, count), answer)  # type: ignore[arg-type]


HEADACHES = CandidateQuestion("headaches", "prevents", "drug")


@pytest.mark.parametrize(
    ("phrase", "form"),
    [
        ("the headaches", ("headache",)),
        ("Headache", ("headache",)),
        ("good headaches of the head", ("good", "headache", "head")),
        ("it", ("it",)),
        ("the other", ("the", "other")),
        ("Xyzs", ("xyzs",)),
    ],
)
def test_arguments_are_compared_without_stop_words_and_inflection(normalizer, phrase, form):
    assert normalizer.argument(phrase) == form


def test_step_1_finds_the_argument_on_either_side(normalizer):
    left = Assertion("a headache", "follows", "aspirin", 3)
    right = Assertion("aspirin", "prevents", "the headaches", 2)
    both = Assertion("headaches", "follow", "headaches", 1)
    other = Assertion("aspirin", "prevents", "good headaches", 9)
    found = steps.retrieve([left, right, both, other], [HEADACHES], normalizer)
    assert found == {
        HEADACHES: [
            AnswerCandidate(left, "object"),
            AnswerCandidate(right, "subject"),
            AnswerCandidate(both, "object"),
            AnswerCandidate(both, "subject"),
        ]
    }
    assert [item.answer for item in found[HEADACHES]] == ["aspirin", "aspirin", "headaches", "headaches"]
    assert found[HEADACHES][1].argument == "the headaches"


def test_step_1_serves_many_questions_in_one_pass(normalizer):
    other = CandidateQuestion("aspirin", "helps against", "headache")
    nobody = CandidateQuestion("nobody", "is", "drug")
    assertion = Assertion("aspirin", "cures", "headaches")
    found = steps.retrieve(iter([assertion]), [HEADACHES, other, nobody, HEADACHES], normalizer)
    assert found == {
        HEADACHES: [AnswerCandidate(assertion, "subject")],
        other: [AnswerCandidate(assertion, "object")],
        nobody: [],
    }


def test_step_2_takes_the_first_sense_of_the_type(wordnet):
    assert steps.type_sense("drugs", wordnet).definition == "a substance used as a medicine"
    with pytest.raises(InputError, match="WordNet has no noun 'xyz', expected a type"):
        steps.type_sense("xyz", wordnet)


@pytest.mark.parametrize(
    ("answer", "fits"),
    [
        ("aspirin", True),
        ("the aspirins", True),
        ("Bayer", True),  # over an instance edge and a hypernym edge
        ("drug", False),  # Lesk finds no shared word, and the other sense has the later name
        ("headaches", False),
        ("fish oil", True),  # a phrase of its own
        ("good fish oil", True),  # its longest known ending
        ("fish aspirin", True),
        ("xyz", False),  # not in WordNet: discarded
        ("of the", False),
        ("good", False),  # no noun
    ],
)
def test_step_2_asks_wordnet(wordnet, answer, fits):
    sense = steps.type_sense("drug", wordnet)
    assert steps.is_of_type(candidate(answer, "cures", "headaches"), sense, wordnet) is fits


def test_step_2_reads_the_assertion_to_choose_a_sense(wordnet):
    sense = steps.type_sense("drug", wordnet)
    assert steps.is_of_type(candidate("a shot", "is an injection for", "headaches"), sense, wordnet)
    assert not steps.is_of_type(candidate("a shot", "from a gun after firing", "headaches"), sense, wordnet)
    # Without a shared word NLTK takes the later name, shot.n.02; the most frequent sense is a drug.
    undecided = candidate("shot", "cures", "headaches")
    assert not steps.is_of_type(undecided, sense, wordnet)
    assert steps.is_of_type(undecided, sense, wordnet, ties="first")


def test_step_3_keeps_maximal_relations():
    full = candidate("Germany", "declared war on", "France")
    part = candidate("Italy", "declared on", "France")
    other = candidate("Spain", "on declared", "France")
    assert steps.keep_maximal([part, full, other]) == [full, other]


def test_step_3_keeps_maximal_answers_but_any_argument():
    full = candidate("the big dog", "bit", "a man")
    part = candidate("the dog", "met", "a man")
    same = candidate("The Big Dog", "saw", "man")
    assert steps.keep_maximal([part, full, same]) == [full, same]


def test_step_3_ignores_articles_when_asked():
    bare, long = candidate("dog", "bit", "a man"), candidate("the dog", "met", "a man")
    full = candidate("a big dog", "saw", "a man")
    assert steps.keep_maximal([bare, long]) == [long]
    assert steps.keep_maximal([bare, long], ignore_articles=True) == [bare, long]
    assert steps.keep_maximal([long, full]) == [long, full]
    assert steps.keep_maximal([long, full], ignore_articles=True) == [full]
    alone = candidate("the", "heads", "a man")
    assert steps.keep_maximal([alone], ignore_articles=True) == [alone]


def test_step_4_leaves_out_the_relation_of_the_question():
    own, other = candidate("a", "Prevents", "b"), candidate("a", "prevents a", "b")
    assert steps.without_relation([own, other], "prevents") == [other]


def test_step_5_orders_and_caps_relations():
    many = [candidate(f"s{number}", "cures", "x", count=number) for number in range(1, 6)]
    assert [item.assertion.count for item in steps.cap(many)] == [5, 4, 3]


def test_step_5_caps_answers():
    many = [candidate("s", f"r{number}", "x", count=number) for number in range(1, 11)]
    assert [item.assertion.count for item in steps.cap(many)] == [10, 9, 8, 7, 6, 5, 4]


def test_step_5_counts_only_what_is_kept():
    """A candidate that one cap drops does not use up the other cap."""
    full = [candidate(f"s{number}", "cures", "x", count=100 - number) for number in range(3)]
    dropped = candidate("t", "cures", "x", count=50)
    rest = [candidate("t", f"r{number}", "x", count=40 - number) for number in range(7)]
    assert steps.cap([dropped, *rest, *full]) == [*full, *rest]


def test_step_5_breaks_ties_by_alphabet():
    one, two = candidate("b", "r", "x"), candidate("a", "r", "x")
    assert steps.cap([one, two]) == steps.cap([two, one]) == [two, one]


def test_step_6_removes_what_says_the_same(normalizer):
    first = candidate("aspirin", "is good for", "headaches", 9)
    again = candidate("the aspirins", "is good for", "a headache", 5)
    other = candidate("aspirin", "is good of", "headaches", 3)
    assert steps.without_duplicates([first, again, other], normalizer) == [first, other]


def test_all_steps_together(wordnet):
    assertions = [
        Assertion("aspirin", "prevents", "headaches", 50),  # the question's own relation
        Assertion("aspirin", "is good against", "headaches", 40),
        Assertion("aspirin", "is against", "headaches", 90),  # not maximal
        Assertion("the aspirins", "is good against", "headache", 30),  # says the same as the first
        Assertion("fish oil", "cures", "the headache", 20),
        Assertion("xyz", "cures", "headaches", 80),  # unknown to WordNet
        Assertion("headaches", "call for", "Bayer", 10),
        Assertion("aspirin", "cures", "colds", 70),  # another argument
    ]
    found = steps.answer_candidates(assertions, [HEADACHES], wordnet).by_question[HEADACHES]
    # "the aspirins" contains "aspirins", not "aspirin", so both are maximal until the duplicates go.
    assert [(item.answer, item.relation, item.assertion.count) for item in found] == [
        ("aspirin", "is good against", 40),
        ("fish oil", "cures", 20),
        ("Bayer", "call for", 10),
    ]
    assert found[2].to_row(HEADACHES) == {
        "argument": "headaches",
        "question_relation": "prevents",
        "type": "drug",
        "subject": "headaches",
        "relation": "call for",
        "object": "Bayer",
        "count": 10,
        "answer": "object",
    }


def test_an_unknown_type_is_refused_before_assertions_are_read(wordnet):
    def unread():
        raise AssertionError("nothing should be read")
        yield

    with pytest.raises(InputError, match="no noun 'xyz'"):
        steps.answer_candidates(unread(), [CandidateQuestion("a", "b", "xyz")], wordnet)


PHRASES = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4).map(" ".join)


@given(st.lists(st.tuples(PHRASES, PHRASES), max_size=12))
def test_maximal_candidates_are_those_that_no_other_contains(pairs):
    items = [candidate(answer, relation, "x") for answer, relation in pairs]

    def inside(one: str, other: str) -> bool:
        # The slow way: some choice of words of the other is the one.
        from itertools import combinations

        words, others = one.split(), other.split()
        return len(words) < len(others) and any(list(chosen) == words for chosen in combinations(others, len(words)))

    expected = [
        item
        for item in items
        if not any(inside(item.relation, other.relation) or inside(item.answer, other.answer) for other in items)
    ]
    assert steps.keep_maximal(items) == expected


def test_real_wordnet_knows_that_aspirin_is_a_drug():
    wordnet = real_wordnet()
    found = steps.answer_candidates(
        [Assertion("aspirin", "relieves", "headaches", 5), Assertion("the dogs", "cause", "headaches", 4)],
        [HEADACHES],
        wordnet,
    )
    assert [item.answer for item in found.by_question[HEADACHES]] == ["aspirin"]
