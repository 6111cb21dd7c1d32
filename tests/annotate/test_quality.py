"""Agreement, insurgency, adjudication and the dashboard, against sums that can be redone by hand."""

from __future__ import annotations

import pytest

from tests.annotate.serving import make_setting, pairs, sentences
from tests.annotate.test_queue import hand_in, take
from tupelo.annotate import review
from tupelo.annotate.figures import dashboard
from tupelo.annotate.quality import (
    AgreementReport,
    Answered,
    agreement,
    insurgency_rates,
    item_agreement,
    most_agreed,
)
from tupelo.annotate.tasks import TASKS, Item
from tupelo.scorers.agreement import krippendorff_alpha
from tupelo.web.guard import Refusal

ACCURACY, TUPLES, PREFERENCE = (TASKS.get(name) for name in ("accuracy", "tuples", "preference"))


def rated(*scores_by_item):
    """Items with the scores that annotators A, B, … gave; `None` where they gave none."""
    return [
        Answered(
            Item(f"p{number}", {"source": "x", "generated": "y"}),
            {
                name: {"score": score, "no_claims": False, "note": ""}
                for name, score in zip("ABCDE", scores, strict=False)
                if score is not None
            },
        )
        for number, scores in enumerate(scores_by_item)
    ]


def test_every_figure_of_two_raters():
    figures = agreement(ACCURACY, rated((5, 5), (1, 2), (4, 4), (3, None)))
    question = figures["questions"]["score"]
    assert (figures["items"], figures["pairs"], question["units"]) == (3, 3, 3)
    # Scores that are one step of four apart agree to three quarters.
    assert figures["grade"] == pytest.approx((1 + 3 / 4 + 1) / 3)
    assert question["level"] == "ordinal"
    assert question["alpha"] == krippendorff_alpha([[5, 5], [1, 2], [4, 4]], "ordinal")
    assert question["percent"] == pytest.approx(2 / 3)
    # Cohen: observed 2/3; by chance 5 with 5 and 4 with 4, one ninth each.
    assert question["cohen"] == {"A - B": pytest.approx((2 / 3 - 2 / 9) / (1 - 2 / 9))}
    # Fleiss: the same two values, each a third of the answers; 1 and 2 a sixth each.
    chance = 2 * (1 / 3) ** 2 + 2 * (1 / 6) ** 2
    assert question["fleiss"] == pytest.approx((2 / 3 - chance) / (1 - chance))
    assert question["alpha_low"] <= question["alpha"] <= question["alpha_high"]


def test_figures_do_not_depend_on_the_order_and_repeat():
    answered = rated((5, 4, 3), (1, 2, None), (4, 4, 4), (2, 5, 1))
    assert agreement(ACCURACY, answered, seed=3) == agreement(ACCURACY, answered[::-1], seed=3)


def test_nothing_to_compare_has_no_figures():
    figures = agreement(ACCURACY, rated((5, None)))
    assert (figures["items"], figures["grade"]) == (0, None)
    assert figures["questions"]["score"]["alpha"] is None


def tuples(*rels_and_args):
    return {"tuples": [{"rel": rel, "args": args} for rel, args in rels_and_args], "none": not rels_and_args}


def test_tuples_agree_as_carb_says_both_ways():
    item = TUPLES.items([{"id": "s", "text": "Ann met old Bob."}], {})[0]
    whole, part = tuples(([1], [[0], [2, 3]])), tuples(([1], [[0], [3]]))
    answered = Answered(item, {"A": whole, "B": part})
    # One way precision 1 and recall 3/4, the other way the reverse: the same F1.
    assert item_agreement(TUPLES, answered) == pytest.approx(2 * (3 / 4) / (1 + 3 / 4))
    assert agreement(TUPLES, [answered])["questions"] == {}


def test_one_against_four_is_insurgent():
    answered = rated(*[(5, 5, 5, 5, 1)] * 40)
    rates = insurgency_rates(ACCURACY, answered)
    assert rates["E"] == 40 / (40 + 25)
    assert rates["A"] == 0
    # With four answers nobody stands alone against four.
    assert set(insurgency_rates(ACCURACY, rated(*[(5, 5, 5, 1)] * 40)).values()) == {0}
    assert insurgency_rates(TUPLES, []) == {}


def test_the_answer_in_the_middle_is_the_most_agreed_one():
    (answered,) = rated((1, 3, 4))
    assert most_agreed(ACCURACY, answered)["score"] == 3
    (tie,) = rated((2, 4))
    assert most_agreed(ACCURACY, tie)["score"] == 2


def preferred(*choices_by_item):
    """Items with the votes of annotators A, B, …"""
    hidden = {"systems": {"one": "careful", "two": "eager"}}
    return [
        Answered(
            Item(f"p{number}", {"text": "x"}, hidden),
            {name: {"choice": choice, "reason": ""} for name, choice in zip("ABCD", choices, strict=True)},
        )
        for number, choices in enumerate(choices_by_item)
    ]


@pytest.mark.parametrize(
    ("votes", "settled"),
    [
        (("one", "one", "two", "two"), "equal"),
        (("two", "two", "one", "one"), "equal"),
        (("one", "one", "equal", "equal"), "equal"),
        (("two", "one", "two", "equal"), "two"),
        (("one", "equal", "equal", "two"), "equal"),
    ],
)
def test_an_equal_split_of_votes_is_a_tie(votes, settled):
    (answered,) = preferred(votes)
    assert most_agreed(PREFERENCE, answered)["choice"] == settled


def test_wins_and_ties_are_tallied():
    answered = preferred(("one", "one", "two", "two"), ("one", "one", "one", "two"), ("two", "two", "two", "two"))
    settled = [(one.item, most_agreed(PREFERENCE, one)) for one in answered]
    tally = PREFERENCE.tally(settled)
    assert tally == {"careful": 1, "eager": 1, "equal": 1}
    figures = {**agreement(PREFERENCE, answered), "insurgency": {}, "tally": tally}
    assert "careful 1, eager 1, equal 1" in str(AgreementReport(figures))


def disagreeing(tmp_path, address=None):
    setting = make_setting(tmp_path, "overlap = 2\n", rows=pairs(3), address=address)
    for name, scores in (("Ann", (5, 5, 3)), ("Bob", (5, 1, 2))):
        person = setting.person(name)
        assignment = take(setting, person)
        for score in scores:
            assignment = hand_in(setting, person, assignment, {"score": score})["next"]
    return setting


def test_the_worst_disagreement_comes_first_and_agreement_not_at_all(tmp_path, address):
    setting = disagreeing(tmp_path, address)
    found = setting.read(review.disagreements)
    assert [(one["item"], one["disagreement"]) for one in found] == [("p1", 1.0), ("p2", 0.25)]
    shown = setting.read(review.show_disagreement, "p1")
    assert [one["person"] for one in shown["answers"]] == ["A", "B"]
    assert shown["version"] == 0


def test_of_two_reviewers_the_quicker_one_decides(tmp_path, address):
    setting = disagreeing(tmp_path, address)
    rea, rob = setting.person("Rea", "reviewer"), setting.person("Rob", "reviewer")
    decided = setting.write(review.adjudicate, rea, "p1", "decide-01", 0, {"score": 4}, "between")
    assert decided["decision"]["answer"]["score"] == 4
    # A lost reply: the same again.
    assert setting.write(review.adjudicate, rea, "p1", "decide-01", 0, {"score": 4}, "between") == decided
    with pytest.raises(Refusal) as refusal:
        setting.write(review.adjudicate, rob, "p1", "decide-02", 0, {"score": 2}, "")
    assert refusal.value.code == "conflict"
    assert refusal.value.detail["current"]["decision"]["person"] == "Rea"
    # Whoever has seen the decision may overrule it; both stay on record.
    again = setting.write(review.adjudicate, rob, "p1", "decide-03", 1, {"score": 2}, "")
    assert (again["version"], again["decision"]["answer"]["score"]) == (2, 2)
    assert [one["item"] for one in setting.read(review.disagreements)] == ["p2", "p1"]


def test_a_decision_must_be_an_answer_and_have_answers(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(1))
    rea = setting.person("Rea", "reviewer")
    with pytest.raises(Refusal, match="no answer"):
        setting.write(review.adjudicate, rea, "p0", "decide-01", 0, {"score": 2}, "")
    ann = setting.person("Ann")
    hand_in(setting, ann, take(setting, ann))
    with pytest.raises(Refusal) as refusal:
        setting.write(review.adjudicate, rea, "p0", "decide-02", 0, {"score": 7}, "")
    assert refusal.value.field == "score"


def test_the_dashboard_adds_up(tmp_path, address):
    setting = disagreeing(tmp_path, address)
    setting.clock.forward(180)
    setting.write(review.adjudicate, setting.person("Rea", "reviewer"), "p1", "decide-01", 0, {"score": 4}, "")
    found = setting.read(dashboard)
    assert found["progress"] == {
        "items": 3,
        "answers_wanted": 6,
        "answers": 6,
        "items_done": 3,
        "adjudicated": 1,
        "leased": 0,
        "skipped": 0,
    }
    assert sum(hour["answers"] for hour in found["pace"]) == 6
    ann = next(one for one in found["people"] if one["name"] == "Ann")
    assert ann["answers"] == 3
    assert ann["agreement"] == pytest.approx((1 + 0 + 3 / 4) / 3)
    assert ann["median_seconds"] == 1.0
    assert found["agreement"]["items"] == 3
    assert found["batches"] == {"in-review": 2}
    assert found["preannotation"]["with"]["answers"] == 0


def test_suggestions_are_shown_to_a_share_and_their_effect_is_measured(tmp_path):
    asked = []

    def extract(texts):
        from tupelo.core import Extraction

        asked.extend(texts)
        return [[Extraction.of(text, "met", ["Ann", "Bob"])] for text in texts]

    toml = "overlap = 2\n[preannotation]\nshare = 0.5\n"
    setting = make_setting(tmp_path, toml, task="tuples", rows=sentences(20), extract=extract)
    assert len(asked) == 20
    shown = []
    for name in ("Ann", "Bob"):
        person = setting.person(name)
        assignment = take(setting, person)
        while assignment is not None:
            shown.append(assignment["suggestion"] is not None)
            answer = tuples(([1], [[0], [2]])) if assignment["suggestion"] else tuples(([1], [[0], [2, 3, 4]]))
            assignment = hand_in(setting, person, assignment, answer)["next"]
    # The draw is by person and item: about half, and some items with it for one and without it for the other.
    assert 10 < sum(shown) < 30
    assert shown[:20] != shown[20:]
    found = setting.read(dashboard)["preannotation"]
    assert found["with"]["answers"] == sum(shown)
    assert found["with"]["kept_unchanged"] == 1.0
    assert found["without"]["kept_unchanged"] == 0.0


@pytest.mark.process
def test_figures_from_another_process_are_the_same(tmp_path, address):
    from dataclasses import replace

    from tupelo.annotate.figures import FiguresProcess, compute

    setting = disagreeing(tmp_path, address)
    (tmp_path / "project.toml").write_text('[project]\nname = "Trial"\ntask = "accuracy"\noverlap = 2\n')
    apart = FiguresProcess(replace(setting.desk.project, database=address or "annotations.sqlite"))
    try:
        for what in ("dashboard", "agreement", "adjudications"):
            assert apart.ask(setting.desk, what) == compute(setting.desk, what)
        # It is kept for a moment, and comes back after an accident.
        apart._process.kill()
        apart._process.wait()
        assert apart.ask(setting.desk, "agreement")["items"] == 3
        setting.clock.forward(1)
        assert apart.ask(setting.desk, "agreement")["items"] == 3
    finally:
        apart.close()
