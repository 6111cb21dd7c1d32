"""Annotators: controls in questionnaires and the insurgency filter, on simulated people."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.scorers.agreement import AnnotatorJudgement, insurgency, minority_counts
from tupelo_training.assertions.judging import (
    Controls,
    Questionnaire,
    inject_controls,
    insurgents,
    make_questionnaires,
    missed_controls,
    without_controls,
    without_insurgents,
)


def votes(item: str, labels: str) -> list[AnnotatorJudgement]:
    """`votes("x", "yyyyn")`: annotators a to e."""
    return [AnnotatorJudgement(annotator, item, label) for annotator, label in zip("abcdefgh", labels, strict=False)]


def test_the_formula():
    assert insurgency(30, 100) == 30 / 125
    assert insurgency(5, 5) == 5 / 30
    assert insurgency(0, 0) == 0


def test_one_against_four_is_a_sharp_minority():
    assert minority_counts(votes("x", "yyyyn")) == {
        "a": (0, 1),
        "b": (0, 1),
        "c": (0, 1),
        "d": (0, 1),
        "e": (1, 1),
    }


@pytest.mark.parametrize("labels", ["yyynn", "yyyyy", "yyyn", "yn", "y", "yyyyynn"])
def test_anything_less_sharp_is_none(labels):
    assert all(alone == 0 for alone, _ in minority_counts(votes("x", labels)).values())


def test_one_of_six_is_sharper_still():
    assert minority_counts(votes("x", "yyyyyn"))["f"] == (1, 1)


def test_labels_may_be_more_than_two():
    counts = minority_counts(votes("x", "yyynz"))
    assert {name: alone for name, (alone, _) in counts.items()} == {"a": 0, "b": 0, "c": 0, "d": 1, "e": 1}


def test_the_cut_is_above_twenty_percent():
    # e stands alone in n of m examples: n / (m + 25) is 0.2 exactly, then just above.
    at_cut = [judgement for number in range(10) for judgement in votes(f"x{number}", "yyyyn")]
    at_cut += [judgement for number in range(15) for judgement in votes(f"z{number}", "yyyyy")]
    assert minority_counts(at_cut)["e"] == (10, 25)
    assert insurgents(at_cut) == {}
    above = [*at_cut, *votes("one more", "yyyyn")]
    assert insurgents(above) == {"e": 11 / 51}
    assert {judgement.annotator for judgement in without_insurgents(above)} == set("abcd")
    assert insurgents(above, threshold=0.25) == {}
    assert insurgents(at_cut, smoothing=0) == {"e": 10 / 25}


def test_a_new_annotator_is_not_condemned():
    assert insurgents([judgement for n in range(6) for judgement in votes(f"x{n}", "yyyyn")]) == {}


def test_nobody_judges_twice():
    with pytest.raises(ValueError, match="a judged 'x' twice"):
        minority_counts([AnnotatorJudgement("a", "x", 1), AnnotatorJudgement("a", "x", 2)])


def simulate(
    seed: int, *, careful: int, careless: int, items: int
) -> tuple[list[AnnotatorJudgement], dict[str, bool]]:
    """Careful people err in 5 % of the examples; careless ones toss a coin. Five judge each item."""
    dice = random.Random(seed)
    truth = {f"item{number}": dice.random() < 0.3 for number in range(items)}
    people = [f"careful{number}" for number in range(careful)] + [f"careless{number}" for number in range(careless)]
    judgements = []
    for item, right in truth.items():
        for person in dice.sample(people, 5):
            wrong = dice.random() < (0.05 if person.startswith("careful") else 0.5)
            judgements.append(AnnotatorJudgement(person, item, right != wrong))
    return judgements, truth


@pytest.mark.parametrize("seed", range(5))
def test_careless_people_are_found_and_careful_ones_kept(seed):
    judgements, truth = simulate(seed, careful=12, careless=2, items=800)
    assert set(insurgents(judgements)) == {"careless0", "careless1"}
    assert accuracy(without_insurgents(judgements), truth) > accuracy(judgements, truth)


@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_accused_where_all_are_careful(seed):
    judgements, _ = simulate(seed, careful=12, careless=0, items=400)
    assert insurgents(judgements) == {}
    assert without_insurgents(judgements) == judgements


def accuracy(judgements: list[AnnotatorJudgement], truth: dict[str, bool]) -> float:
    return sum(judgement.label == truth[judgement.item] for judgement in judgements) / len(judgements)


# ------------------------------------------------------------------------------------------------- questionnaires


def test_items_are_dealt_evenly():
    made = make_questionnaires("q", [f"i{number}" for number in range(11)], 5)
    assert [len(one.items) for one in made] == [3, 4, 4]
    assert [item for one in made for item in one.items] == [f"i{number}" for number in range(11)]
    assert [one.id for one in made] == ["q#1", "q#2", "q#3"]
    assert make_questionnaires("q", [], 5) == []
    with pytest.raises(ValueError, match="0 items in a questionnaire"):
        make_questionnaires("q", ["i"], 0)


def pile(count: int) -> list[Questionnaire]:
    return [one for number in range(count) for one in make_questionnaires(f"q{number}", ["a", "b", "c"], 3)]


def test_a_fifth_of_the_questionnaires_gets_both_controls():
    controls = {f"q{number}": Controls("right", "wrong") for number in range(0, 100, 2)}
    made = inject_controls(pile(100), controls, seed=1)
    with_controls = [one for one in made if one.expected]
    assert len(with_controls) == 20
    assert all(one.question in controls for one in with_controls)
    assert all(sorted(one.items) == ["a", "b", "c", "right", "wrong"] for one in with_controls)
    assert all([item for item in one.items if len(item) == 1] == ["a", "b", "c"] for one in with_controls)
    assert all(one.expected == {"right": True, "wrong": False} for one in with_controls)
    assert [one for one in made if not one.expected] == [one for one in pile(100) if one.id not in ids(with_controls)]


def ids(made: list[Questionnaire]) -> set[str]:
    return {one.id for one in made}


def test_controls_stand_anywhere():
    controls = {f"q{number}": Controls("right", "wrong") for number in range(200)}
    places = Counter(one.items.index("right") for one in inject_controls(pile(200), controls, share=1))
    assert set(places) == {0, 1, 2, 3, 4}


def test_few_questions_with_controls_give_a_smaller_share():
    made = inject_controls(pile(50), {"q7": Controls("right", "wrong")})
    assert [one.id for one in made if one.expected] == ["q7#1"]
    assert inject_controls(pile(50), {}) == pile(50)


def test_the_same_seed_gives_the_same_questionnaires():
    controls = {f"q{number}": Controls("right", "wrong") for number in range(50)}
    assert inject_controls(pile(50), controls, seed=3) == inject_controls(pile(50), controls, seed=3)
    assert inject_controls(pile(50), controls, seed=3) != inject_controls(pile(50), controls, seed=4)


@pytest.mark.parametrize("pair", [Controls("a", "wrong"), Controls("right", "right")])
def test_a_control_must_be_an_item_of_its_own(pair):
    with pytest.raises(ValueError, match="is an item already"):
        inject_controls(pile(1), {"q0": pair}, share=1)


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_is_a_share(share):
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        inject_controls([], {}, share=share)


def test_missed_controls_and_the_answers_that_count():
    (made,) = inject_controls(pile(1), {"q0": Controls("right", "wrong")}, share=1)
    good = {"a": True, "b": False, "c": False, "right": True, "wrong": False}
    assert missed_controls(made, good) == []
    assert missed_controls(made, {**good, "wrong": True}) == ["wrong"]
    assert missed_controls(made, {**good, "right": False, "wrong": True}) == ["right", "wrong"]
    assert missed_controls(made, {"a": True}) == ["right", "wrong"]
    assert without_controls(made, good) == {"a": True, "b": False, "c": False}
    assert missed_controls(pile(1)[0], {}) == []


@given(
    st.lists(st.tuples(st.sampled_from("abcdefg"), st.integers(0, 4), st.booleans()), unique_by=lambda row: row[:2])
)
def test_counts_agree_with_the_definition(rows):
    judgements = [AnnotatorJudgement(annotator, f"x{item}", label) for annotator, item, label in rows]
    for annotator, (alone, examples) in minority_counts(judgements).items():
        own = [judgement for judgement in judgements if judgement.annotator == annotator]
        assert examples == len(own)
        expected = 0
        for judgement in own:
            same = [one for one in judgements if one.item == judgement.item]
            agreeing = [one for one in same if one.label == judgement.label]
            expected += len(same) >= 5 and 5 * len(agreeing) <= len(same)
        assert alone == expected
