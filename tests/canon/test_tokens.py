"""Token overlap and its side information."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.canon.mentions import HARBOUR, mention
from tupelo.canon.methods import CanonResources
from tupelo.canon.words import overlaps
from tupelo.core.canonical import TripleMention
from tupelo_training.canon.untrained import SharedTokens
from tupelo_training.canon.vocabulary import mutual_rules


def same(
    mentions: list[TripleMention], subtask: str, threshold: float, resources: CanonResources | None = None
) -> list[int]:
    prepared = SharedTokens().prepare(mentions, resources or CanonResources())
    return prepared.subtask(subtask).labels(threshold).tolist()


def test_rare_words_weigh_more() -> None:
    forms = ["new york city", "york", "mexico city", "quebec city"]
    found = {(left, right): value for left, right, value in overlaps(forms)}
    rare, twice, often = 1 / math.log(2), 1 / math.log(3), 1 / math.log(4)
    assert found[0, 1] == pytest.approx(twice / (rare + twice + often))
    assert found[2, 3] == pytest.approx(often / (rare + rare + often))
    assert (1, 2) not in found


def test_equal_words_are_one_whatever_their_case_and_spacing() -> None:
    labels = same(HARBOUR, "subject", 0.05)
    assert labels[0] == labels[2] == labels[5]
    assert labels[0] != labels[1]


def test_a_common_word_joins_below_the_threshold() -> None:
    labels = same(HARBOUR, "subject", 0.7)
    assert labels[0] == labels[1]


@pytest.mark.parametrize(
    "resources",
    [
        CanonResources(paraphrases={"is born in": "be born", "came from": "be born"}),
        CanonResources(
            synonyms=lambda phrase: frozenset({"s1"}) if phrase in {"is born in", "came from"} else frozenset()
        ),
        CanonResources(side_pairs={"relation": [("Is born in", "came from", 1.0)]}),
    ],
    ids=["paraphrases", "synonyms", "pairs"],
)
def test_side_information_joins_what_shares_no_word(resources: CanonResources) -> None:
    mentions = [mention(1, "a", "is born in", "b"), mention(2, "c", "came from", "d"), mention(3, "e", "ate", "f")]
    assert same(mentions, "relation", 0.5) == [0, 1, 2]
    assert same(mentions, "relation", 0.5, resources) == [0, 0, 1]


def test_the_guesses_of_an_entity_linker_join() -> None:
    left, right = (replace(mention, links=("Q1", None)) for mention in (HARBOUR[0], HARBOUR[4]))
    assert same([left, right], "subject", 0.5) == [0, 0]


def test_relations_that_imply_each_other_are_one() -> None:
    facts = [("a", "b"), ("c", "d"), ("e", "f")]
    mentions = [mention(f"x{i}", left, "wed", right) for i, (left, right) in enumerate(facts)]
    mentions += [mention(f"y{i}", left, "is the spouse of", right) for i, (left, right) in enumerate(facts)]
    mentions += [mention("z", "a", "met", "b")]
    triples = [(one.subject.text, one.relation.text, one.object.text) for one in mentions]
    assert mutual_rules(triples, 2, 0.8) == [("is the spouse of", "wed")]
    # One shared pair is no rule, and a relation that holds of much else does not imply the other.
    assert mutual_rules(triples, 4, 0.8) == []
    labels = same(mentions, "relation", 0.5)
    assert labels == [0, 0, 0, 0, 0, 0, 1]
