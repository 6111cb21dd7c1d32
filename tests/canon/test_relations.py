"""Relations of open text: forms, vetoes, judgements in both directions, and roles exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.canon.mentions import mention
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.method import CanonResources
from tupelo.canon.methods.tupelo import TupeloMethod
from tupelo.canon.relations import (
    FAMILY,
    SHARED,
    SURE,
    TYPED,
    JudgedRelations,
    Likeness,
    form_key,
    may_be_one,
    merge_oriented,
    with_prior,
)
from tupelo.checking.network import load_network
from tupelo.core import InputError
from tupelo.nlp.encoder import load_encoder
from tupelo.relations.wordings import wording_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("founded", "had founded", True),
        ("is founding", "has founded the", True),
        ("founded", "may found", False),
        ("founded", "did not found", False),
        ("is president of", "was president of", False),
        ("was president of", "is a former president of", True),
        ("is engaged to", "used to be engaged to", False),
        ("is soon to be replaced by", "was replaced by", False),
        ("owns", "owned", False),
        ("owns", "has owned", True),
        ("is led by", "was led by", False),
        ("leads to", "led to", True),
    ],
)
def test_tense_and_auxiliaries_do_not_make_another_form(one, other, same):
    assert (key_of(one) == key_of(other)) is same


def key_of(relation, sentence=""):
    said = wording_of("Ann", relation, "Acme", sentence=sentence)
    return form_key(said.text, said.form)


def test_what_lasts_may_be_over():
    assert may_be_one("is the owner of", "owns", False, SURE)
    assert not may_be_one("is the owner of", "owned", False, SURE)
    assert may_be_one("was the owner of", "owned", False, SURE)
    assert may_be_one("owns", "owned by", True, SURE)
    assert may_be_one("is the founder of", "founded", False, SURE)


def test_what_somebody_is_may_be_cut_short():
    plain = key_of("is head at")
    assert key_of("is head at", "Bo met Ann, the head of trading at Acme.") != plain
    assert key_of("is head at", "Bo met Ann, the head at Acme.") == plain
    assert key_of("is head at", "The head of Ann at Acme.") == plain
    assert key_of("is head at", "Bo, the head of trading, met Ann, the head at Acme.") == plain


def test_a_verb_that_says_little_may_have_lost_what_follows():
    """*went public in 1989*, *went missing on Friday*"""
    assert "die on" in wording_of("Bo", "died in", "1989", ("person", "datetime")).variants
    assert wording_of("Bo", "went in", "1989", ("person", "datetime")).variants == ("go in",)


def test_a_date_is_no_agent():
    assert wording_of("It", "was finished by", "Bo").form.turned
    assert not wording_of("It", "was finished by", "May 1990").form.turned


@pytest.mark.parametrize(
    ("one", "other", "source", "possible"),
    [
        ("bought", "acquired", SHARED, True),
        ("bought", "sold", SHARED, False),
        ("died in", "died of", SHARED, False),
        ("is head of", "was boss of", SHARED, False),
        ("bought", "acquired", TYPED, True),
        ("bought", "did not acquire", TYPED, False),
        ("bought", "will acquire", TYPED, False),
        ("bought", "tried to acquire", TYPED, False),
        ("is the capital of", "is the state capital of", FAMILY, False),
        ("is the capital of", "is the capital city of", FAMILY, True),
        ("is in", "is located in", FAMILY, True),
    ],
)
def test_words_keep_relations_apart(one, other, source, possible):
    assert may_be_one(one, other, turned=False, source=source) is possible


def test_the_less_speaks_for_a_pair_the_more_words_keep_it_apart():
    assert may_be_one("is near", "is not far from", turned=False, source=FAMILY)
    assert not may_be_one("is near", "is not far from", turned=False, source=TYPED)
    assert may_be_one("kept on loving", "did not stop loving", turned=False, source=SHARED)
    assert not may_be_one("acquired", "did not acquire", turned=False, source=SHARED)
    assert may_be_one("sold to", "bought from", turned=True, source=SHARED)
    assert not may_be_one("is permitted to enter", "must go into", turned=False, source=SHARED)
    assert not may_be_one("hangs in", "formerly hung in", turned=False, source=SHARED)
    assert with_prior(0.7, -3.0) < 0.5 < with_prior(0.3, 5.0)


@pytest.mark.parametrize(
    ("one", "other", "possible"),
    [
        ("founded", "was the founder of", True),
        ("is the founder of", "was the founder of", True),
        ("is the owner of", "was the owner of", False),
        ("owned", "was the owner of", True),
        ("founded", "was founding", False),
    ],
)
def test_families_of_what_happened_once_have_no_tense(one, other, possible):
    assert may_be_one(one, other, turned=False, source=FAMILY) is possible


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
    chain = [Likeness(0, 1, False, 0.9), Likeness(1, 2, False, 0.8)]
    assert merge_oriented(3, chain)[0].tolist() == [0, 0, 2]
    assert merge_oriented(3, [*chain, Likeness(0, 2, True, 0.7)])[0].tolist() == [0, 0, 2]
    labels, turned = merge_oriented(
        3, [Likeness(0, 1, True, 0.9), Likeness(1, 2, True, 0.8), Likeness(0, 2, False, 0.7)]
    )
    assert (labels.tolist(), turned.tolist()) == ([0, 0, 0], [False, True, False])


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


def test_an_unknown_kind_of_relations_is_refused():
    with pytest.raises(InputError, match="expected judged or taught"):
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


def test_what_is_only_near_a_thing_says_nothing_of_it():
    assert not may_be_one("is by", "wrote", turned=True, source=SHARED)
    assert not may_be_one("acquired definitions in work of", "created", turned=True, source=SHARED)


def test_what_will_probably_happen_is_another_form():
    sure, likely = key_of("will be replaced by"), key_of("will probably be replaced by")
    assert sure[0] == likely[0] == "replace"
    assert sure != likely
