"""Several changes of a sentence at once."""

from __future__ import annotations

from tests.robustness.rewrite.sentences import DRINKS, FOUND
from tupelo.core import Analysis
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original
from tupelo.robustness.rewrite.compose import Change, combine, go_together, rule_changes
from tupelo.robustness.rewrite.draft import New

TUPLES = (("found", "Mr. Baker", "an opening", "in 1990"), ("found an opening under", "Mr. Baker", "the house"))


def by_name(analysis: Analysis, *rules: str) -> dict[str, Change]:
    return {change.name: change for change, _ in rule_changes(DependencyTree(analysis), rules)}


def test_a_change_inside_a_phrase_moves_along_with_it() -> None:
    found = by_name(FOUND, "front-adjunct", "passive")
    year = Change(9, 10, (New("the"), New("year"), 9), "in the year")
    chosen = [year, found["passive"], found["front-adjunct"]]
    assert go_together(found["front-adjunct"], year)
    made = combine(Original(FOUND, TUPLES), DependencyTree(FOUND), chosen)
    assert made is not None
    assert made.text == "In the year 1990 , an opening was found by Mr. Baker under the house ."
    assert made.origin == "words:in the year+passive+front-adjunct"
    assert made.tuples[0] == ("was found by", "an opening", "Mr. Baker", "In the year 1990")


def test_changes_that_overlap_or_belong_to_one_group_do_not_go_together() -> None:
    lists = by_name(DRINKS, "conjunct-order", "as-well-as")
    assert not go_together(lists["conjunct-order"], lists["as-well-as"])
    fronts = by_name(FOUND, "cleft-subject", "what-happened")
    assert not go_together(fronts["cleft-subject"], fronts["what-happened"])


def test_nothing_is_made_where_a_tuple_cannot_follow_or_nothing_changes() -> None:
    tree = DependencyTree(FOUND)
    passive = by_name(FOUND, "passive")["passive"]
    assert combine(Original(FOUND, (("found", "the house", "an opening"),)), tree, [passive]) is None
    assert combine(Original(FOUND, TUPLES), tree, []) is None


def test_the_article_fits_the_word_behind_it() -> None:
    other = Change(4, 5, (New("door", (4,)),), "opening > door")
    made = combine(Original(FOUND, TUPLES), DependencyTree(FOUND), [other])
    assert made is not None
    assert made.text == "Mr. Baker found a door under the house in 1990 ."
    assert made.tuples[0] == ("found", "Mr. Baker", "a door", "in 1990")
