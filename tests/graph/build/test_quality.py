"""The measures of `benchmarks.graph_quality` on names and nodes that are small enough to count by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.graph_quality import (
    Case,
    bootstrapped,
    found_properties,
    further_names,
    joined_facts,
    merged_pairs,
    read_cases,
    right_properties,
    unnamed_entities,
)
from benchmarks.graph_questions import read_questions
from benchmarks.graph_redocred import Article, plain, raw_text
from benchmarks.graph_sample import score
from tupelo.core.extraction import STANCES

ARTICLE = Article(
    "Rihanna",
    "",
    [
        Counter({"rihanna": 3, "robynrihannafenty": 1, "fenty": 1}),
        Counter({"loudtour": 1}),
        Counter({"barbados": 1, "barbadian": 1}),
    ],
    [(1, 0), (0, 2), (1, 2)],
    [(1, "P175", 0), (0, "P27", 2)],
)
NODES = {"rihanna": {"R"}, "fenty": {"R"}, "robynrihannafenty": {"F"}, "loudtour": {"L"}, "barbadian": {"R"}}


def test_further_names_that_share_a_node_with_the_commonest():
    assert sorted(further_names(ARTICLE, NODES)) == [False, False, True]


def test_pairs_that_share_a_node_are_right_within_an_entity():
    # Rihanna and Fenty are one; Barbadian is neither.
    assert sorted(merged_pairs(ARTICLE, NODES)) == [False, False, True]


def test_facts_are_joined_in_either_direction_and_never_by_one_node():
    assert list(joined_facts(ARTICLE, NODES, {frozenset("RL"), frozenset("R")})) == [True, False, True]
    assert list(joined_facts(ARTICLE, NODES, set())) == [False, False, False]


def test_properties_are_right_in_the_direction_of_a_gold_fact():
    found = {("L", "P175", "R"), ("R", "P175", "L"), ("L", "P57", "R"), ("R", "P27", "another node")}
    assert sum(right_properties(ARTICLE, NODES, found)) == 1
    assert len(list(right_properties(ARTICLE, NODES, found))) == 3
    # The two ends of the other fact are one node.
    assert list(found_properties(ARTICLE, NODES, found, {frozenset("LR")})) == [True]
    assert list(found_properties(ARTICLE, NODES, {("R", "P175", "L")}, {frozenset("LR")})) == [False]
    assert list(found_properties(ARTICLE, NODES, found, set())) == []


def test_entities_without_a_node_of_any_name():
    assert list(unnamed_entities(ARTICLE, NODES)) == [False, False, False]
    assert list(unnamed_entities(ARTICLE, {"fenty": {"R"}})) == [False, True, True]


def test_intervals_over_documents_hold_the_share():
    row = bootstrapped("x", [[True, True], [False], [True, False]])
    assert (row.hits, row.total) == (3, 5)
    assert row.low < 3 / 5 < row.high


def test_names_are_compared_as_written_in_raw_text():
    words = ["The", "Al", "-", "Qaeda", "'s", "leader", "(", '"', "Sheikh", '"', ")"]
    assert raw_text(words) == 'The Al-Qaeda\'s leader ("Sheikh")'
    assert plain("the al-Qaeda's") == plain("Al - Qaeda 's") == "alqaeda"


def test_stance_cases_name_stances_and_words_of_their_sentence():
    cases = read_cases()
    assert len(cases) == 60
    assert Counter(case.stance for case in cases)["asserted"] == 20
    for case in cases:
        assert any(stance in STANCES for stance in case.stance.split("/")), case
        assert all(plain(end) in plain(case.sentence) for end in (case.subject, case.object)), case


@pytest.mark.parametrize(
    ("wording", "stance", "right"),
    [("wants to buy", "asserted", True), ("buys", "asserted", False), ("buys", "possible", True)],
)
def test_a_reservation_in_the_wording_is_enough(wording, stance, right):
    assert Case("wish", "possible/want", "A", "buy", "B", "A wants to buy B.").allows(wording, stance) is right


def test_questions_have_a_variable_in_the_pattern():
    questions = read_questions()
    assert len(questions) == 40
    assert all("?" in question.pattern and "?" in question.alternative for question in questions)
    assert questions[0].is_answered_by("google | 0.9")
    assert not questions[0].is_answered_by("Yahoo")


def test_labels_of_readers_become_shares(tmp_path):
    (tmp_path / "key.tsv").write_text("e1\tnews\ta\ne2\tnews\tb\nn1\twiki\tc\n", "utf-8")
    (tmp_path / "one.tsv").write_text("e1\tgood\ne2\twrong\tanother subject\n", "utf-8")
    (tmp_path / "two.tsv").write_text("e1\tgood\ne2\tvague\n", "utf-8")
    report = list(score(tmp_path, [tmp_path / "one.tsv", tmp_path / "two.tsv"]))
    assert any("good" in line and "1 of 2" in line for line in report)
    assert "agreement on edges: 1 of 2 pairs of labels" in report
    assert report[-1] == "1 items have no label"
    (tmp_path / "three.tsv").write_text("e1\tnice\n", "utf-8")
    with pytest.raises(SystemExit, match="nice"):
        list(score(tmp_path, [tmp_path / "three.tsv"]))
