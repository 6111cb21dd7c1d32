"""Relations of open text: judgements in both directions, and roles exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.canon.mentions import mention
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.methods import CanonResources
from tupelo.canon.methods.tupelo import TupeloMethod
from tupelo.canon.relations import (
    JudgedRelations,
    RelationMatch,
    merge_oriented,
    wide_relations,
    with_prior,
)
from tupelo.checking.network import load_network
from tupelo.core import InputError
from tupelo.nlp.encoder import load_encoder


class Judge:
    """Believes that statements with these relations say the same, whatever the order; it keeps what it was asked."""

    def __init__(self, *relations: str, sureness: float = 0.9) -> None:
        self.relations, self.sureness, self.asked = relations, sureness, []

    def outcomes(self, pairs):
        self.asked += pairs
        known = [all(any(relation in text for relation in self.relations) for text in pair) for pair in pairs]
        return [(self.sureness, 0.05, 0.05) if right else (0.1, 0.1, 0.8) for right in known]


SALES = [
    mention(1, "Ann", "bought", "Acme"),
    mention(2, "Bolt", "was bought by", "Bo"),
    mention(3, "Eva", "has bought", "Core"),
    mention(4, "Ole", "liked", "Dune"),
]
NO_VECTORS = np.eye(4, dtype=np.float32)


def test_a_passive_with_an_agent_is_its_active_turned():
    judge = Judge()
    found = JudgedRelations(SALES, NO_VECTORS, judge)
    assert found.labels(0.3).tolist() == [0, 0, 0, 1]
    assert found.turned(0.3).tolist() == [False, True, False, False]
    assert judge.asked == []


def test_both_are_said_of_the_arguments_of_both():
    said = [
        mention(1, "Ann", "devoured", "Acme"),
        mention(2, "Bolt", "was bought by", "Bo"),
        mention(3, "Bo", "devoured", "Bolt"),
    ]
    judge = Judge("devoured", "bought")
    found = JudgedRelations(said, np.ones((3, 2), dtype=np.float32), judge)
    assert found.labels(0.4).tolist() == [0, 1, 0]
    sure = Judge("devoured", "bought", sureness=0.99)
    found = JudgedRelations(said, np.ones((3, 2), dtype=np.float32), sure)
    assert (found.labels(0.4).tolist(), found.turned(0.4).tolist()) == ([0, 0, 0], [False, True, False])
    assert set(sure.asked) == {
        ("Ann devoured Acme.", "Acme was bought by Ann."),
        ("Acme was bought by Ann.", "Ann devoured Acme."),
        ("Bo devoured Bolt.", "Bolt was bought by Bo."),
        ("Bolt was bought by Bo.", "Bo devoured Bolt."),
    }


def test_a_pair_that_its_first_arguments_refute_is_not_asked_about_others():
    eaten = [
        mention(number, subject, "devoured", "Acme") for number, subject in enumerate(("Ann", "Eva", "Ole", "Bo"))
    ]
    said = [*eaten, mention(9, "Bo", "gobbled", "Acme")]
    near = np.ones((len(said), 2), dtype=np.float32)
    doubter, believer = Judge(), Judge("devoured", "gobbled", sureness=0.999)
    assert JudgedRelations(said, near, doubter).labels(0.4).tolist() == [0, 0, 0, 0, 1]
    assert len(doubter.asked) == 1
    assert JudgedRelations(said, near, believer).labels(0.4).tolist() == [0, 0, 0, 0, 0]
    # Three of the arguments of one and all of the other, both ways.
    assert len(set(believer.asked)) == len(believer.asked) == 2 * (3 + 1)


def test_a_family_needs_little_of_the_model_and_knows_the_other_side():
    said = [mention(1, "Ann", "defeated", "Bo"), mention(2, "Ole", "lost to", "Eva")]
    found = JudgedRelations(said, np.eye(2, dtype=np.float32), Judge())
    assert (found.labels(0.4).tolist(), found.turned(0.4).tolist()) == ([0, 0], [False, True])


def test_what_two_sentences_say_of_the_same_things_is_judged_if_it_is_near():
    near = np.array([[1, 0], [0.7, 0.7]], dtype=np.float32)
    said = [mention(1, "Ann", "hid", "Bo"), mention(2, "Bo", "sheltered with", "Ann")]
    found = JudgedRelations(said, near, Judge("hid", "sheltered", sureness=0.95))
    assert (found.labels(0.4).tolist(), found.turned(0.4).tolist()) == ([0, 0], [False, True])
    elsewhere = [said[0], mention(2, "Ole", "sheltered with", "Eva")]
    assert JudgedRelations(elsewhere, near, Judge("hid", "sheltered", sureness=0.95)).labels(0.4).tolist() == [0, 1]


def test_two_facts_about_the_same_things_are_not_one():
    judge = Judge("was cast opposite", "is sister of", sureness=0.99)
    for said in (("Ann", "Bo"), ("Bo", "Ann")):
        mentions = [mention(1, "Ann", "was cast opposite", "Bo"), mention(2, said[0], "is sister of", said[1])]
        assert JudgedRelations(mentions, np.eye(2, dtype=np.float32), judge).labels(0.4).tolist() == [0, 1]
    assert judge.asked == []


def test_what_is_said_in_exchanged_order_must_be_as_sure():
    near = np.ones((2, 2), dtype=np.float32)
    said = [mention(1, "Ann", "hid", "Bo"), mention(2, "Bo", "sheltered with", "Ann")]
    assert JudgedRelations(said, near, Judge("hid", "sheltered", sureness=0.8)).labels(0.4).tolist() == [0, 1]


def test_a_relation_is_symmetric_by_the_table_or_if_said_both_ways():
    said = [
        mention(1, "Ann", "is married to", "Bo"),
        mention(2, "Ann", "waltzed with", "Bo"),
        mention(3, "Bo", "waltzed with", "Ann"),
        mention(4, "Ann", "outbid", "Bo"),
    ]
    found = JudgedRelations(said, np.eye(4, dtype=np.float32), Judge("waltzed"))
    assert found.symmetric.tolist() == [True, True, True, False]


def test_distant_relations_are_not_judged():
    judge = Judge()
    found = JudgedRelations(SALES, NO_VECTORS, judge)
    assert len(set(found.labels(0.3).tolist())) == 2
    assert judge.asked == []


def test_a_cluster_grows_only_if_all_pairs_are_likely_and_agree_about_the_roles():
    chain = [RelationMatch(0, 1, False, 0.9), RelationMatch(1, 2, False, 0.8)]
    assert merge_oriented(3, chain)[0].tolist() == [0, 0, 2]
    assert merge_oriented(3, [*chain, RelationMatch(0, 2, True, 0.7)])[0].tolist() == [0, 0, 2]
    labels, turned = merge_oriented(
        3, [RelationMatch(0, 1, True, 0.9), RelationMatch(1, 2, True, 0.8), RelationMatch(0, 2, False, 0.7)]
    )
    assert (labels.tolist(), turned.tolist()) == ([0, 0, 0], [False, True, False])


@pytest.mark.model
def test_the_default_method_judges_relations():
    resources = CanonResources(encoder=load_encoder(), support=load_network)
    said = [
        mention(1, "Acme", "acquired", "Bolt"),
        mention(2, "Acme", "bought", "Bolt"),
        mention(3, "Acme", "sold", "Bolt"),
        mention(4, "Bolt", "was bought by", "Acme"),
        mention(5, "Acme", "did not acquire", "Bolt"),
    ]
    found = MethodCanonicalizer(TupeloMethod(), resources, tasks=("rpc",)).canonicalize(said)
    (merged,) = [cluster for cluster in found.relations if len(cluster.forms) > 1]
    assert set(merged.forms) == {"acquired", "bought", "was bought by"}
    assert merged.turned in (("was bought by",), ("acquired", "bought"))
    assert merged.to_dict(found.mentions)["turned"] == list(merged.turned)


class States:
    """States of mentions whose relation and arguments are of some group each; the last two groups are similar."""

    def __init__(self, groups):
        self.groups = groups

    def block(self, name, slot=None):
        column = {None: 0, "subject": 1, "object": 2}[slot]
        random = np.random.default_rng(column)
        directions = random.standard_normal((4, 24))
        directions[3] = directions[2] + 0.7 * directions[3]
        of_mentions = directions[[group[column] for group in self.groups]]
        return (of_mentions + 0.1 * random.standard_normal(of_mentions.shape)).astype(np.float32)


def test_wide_relations_are_those_of_their_arguments_too():
    in_a_town, in_a_language, wrote, was_author_of = (0, 0, 0), (0, 1, 1), (2, 2, 2), (3, 2, 2)
    found = wide_relations(States([in_a_town, in_a_language, wrote, was_author_of] * 6))
    assert found.labels(0.5).tolist() == [0, 1, 2, 2] * 6


def test_an_unknown_kind_of_relations_is_refused():
    with pytest.raises(InputError, match="expected judged, wide or taught"):
        TupeloMethod(relations="guessed")


def said(number, subject, relation, target, kinds):
    return replace(mention(number, subject, relation, target), kinds=kinds)


IN_A_YEAR, IN_A_PLACE = ("organization", "datetime"), ("organization", "place")


def test_one_wording_is_two_relations_of_a_place_and_a_year():
    mentions = [
        said(1, "Acme", "was founded in", "1990", IN_A_YEAR),
        said(2, "Bolt", "was founded in", "Oslo", IN_A_PLACE),
        said(3, "Core", "was established in", "1991", IN_A_YEAR),
        said(4, "Dune", "was established on", "5 May 1992", IN_A_YEAR),
        said(5, "Edda", "was founded in", "Rome", ("place", "place")),
    ]
    found = JudgedRelations(mentions, np.eye(5, dtype=np.float32), Judge())
    assert found.labels(0.4).tolist() == [0, 1, 0, 0, 1]


def test_prepositions_that_mean_the_same_before_a_date():
    mentions = [
        said(1, "Ann", "died in", "1990", ("person", "datetime")),
        said(2, "Bo", "died on", "5 May 1990", ("person", "datetime")),
        said(3, "Eva", "died in", "Oslo", ("person", "place")),
    ]
    assert JudgedRelations(mentions, np.eye(3, dtype=np.float32), Judge()).labels(0.4).tolist() == [0, 0, 1]


def test_a_family_is_only_of_the_things_that_it_is_about():
    mentions = [
        said(1, "Ann", "taught", "Bo", ("person", "person")),
        said(2, "Bo", "studied under", "Ann", ("person", "person")),
        said(3, "Eva", "taught", "law", ("person", "abstract")),
        said(4, "Ole", "portrayed", "Peer Gynt", ("person", "person")),
        said(5, "Ole", "played", "chess", ("person", "abstract")),
    ]
    found = JudgedRelations(mentions, np.eye(5, dtype=np.float32), Judge())
    assert found.labels(0.4).tolist() == [0, 0, 1, 2, 3]
    assert found.turned(0.4)[0] != found.turned(0.4)[1]


class Doubter(Judge):
    """Believes nothing of Bolt."""

    def outcomes(self, pairs):
        found = super().outcomes(pairs)
        return [(0.0, 0.5, 0.5) if "Bolt" in pair[0] else one for pair, one in zip(pairs, found, strict=True)]


def test_all_arguments_must_agree():
    mentions = [
        mention(1, "Ann", "devoured", "Acme"),
        mention(2, "Bo", "devoured", "Core"),
        mention(3, "Ann", "bought", "Acme"),
    ]
    near = np.ones((3, 2), dtype=np.float32)
    judge = Judge("devoured", "bought", sureness=0.99)
    assert JudgedRelations(mentions, near, judge).labels(0.4).tolist() == [0, 0, 0]
    mentions[1] = mention(2, "Bo", "devoured", "Bolt")
    doubter = Doubter("devoured", "bought", sureness=0.99)
    assert JudgedRelations(mentions, near, doubter).labels(0.4).tolist() == [0, 0, 1]


def test_a_prior_is_added_to_the_log_odds():
    assert with_prior(0.7, -3.0) < 0.5 < with_prior(0.3, 5.0)
