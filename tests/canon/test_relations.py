"""Relations of open text: forms, vetoes, judgements in both directions, and roles exchanged."""

from __future__ import annotations

import numpy as np
import pytest

from tests.canon.mentions import mention
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.method import CanonResources
from tupelo.canon.methods.tupelo import TupeloMethod
from tupelo.canon.relations import JudgedRelations, Likeness, form_key, may_be_one, merge_oriented
from tupelo.core import InputError
from tupelo.facts.network import load_network
from tupelo.nlp.encoder import load_encoder
from tupelo.nlp.relation_phrases import read_phrase


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("founded", "had founded", True),
        ("is founding", "has founded the", True),
        ("founded", "may found", False),
        ("founded", "did not found", False),
        ("is president of", "was president of", False),
    ],
)
def test_tense_and_auxiliaries_do_not_make_another_form(one, other, same):
    assert (form_key(one) == form_key(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "possible"),
    [
        ("bought", "acquired", True),
        ("bought", "was bought by", True),
        ("bought", "sold", False),
        ("bought", "did not acquire", False),
        ("bought", "will acquire", False),
        ("bought", "tried to acquire", False),
        ("arrested", "was arrested", False),
        ("died in", "died of", False),
        ("is head of", "was boss of", False),
    ],
)
def test_words_keep_relations_apart(one, other, possible):
    assert may_be_one(read_phrase(one), read_phrase(other)) is possible


class Judge:
    """Believes that statements with these relations say the same, whatever the order; it keeps what it was asked."""

    def __init__(self, *relations: str) -> None:
        self.relations, self.asked = relations, []

    def outcomes(self, pairs):
        self.asked += pairs
        known = [all(any(relation in text for relation in self.relations) for text in pair) for pair in pairs]
        return [(0.9, 0.05, 0.05) if right else (0.1, 0.1, 0.8) for right in known]


SALES = [
    mention(1, "Ann", "bought", "Acme"),
    mention(2, "Bolt", "was bought by", "Bo"),
    mention(3, "Eva", "has bought", "Core"),
    mention(4, "Ole", "liked", "Dune"),
]


def test_both_are_said_of_the_arguments_of_both_and_the_passive_is_turned():
    judge = Judge("bought")
    found = JudgedRelations(SALES, np.ones((4, 2), dtype=np.float32), judge)
    assert found.labels(0.3).tolist() == [0, 0, 0, 1]
    assert found.turned(0.3).tolist() == [False, True, False, False]
    assert set(judge.asked) >= {
        ("Ann bought Acme.", "Acme was bought by Ann."),
        ("Acme was bought by Ann.", "Ann bought Acme."),
        ("Bolt was bought by Bo.", "Bo bought Bolt."),
        ("Bo bought Bolt.", "Bolt was bought by Bo."),
    }
    # A stricter threshold keeps apart what is less likely; what differs in form alone stays together.
    assert found.labels(0.05).tolist() == [0, 1, 0, 2]


def test_distant_relations_are_not_judged():
    judge = Judge()
    found = JudgedRelations(SALES, np.eye(4, dtype=np.float32), judge)
    assert len(set(found.labels(0.3).tolist())) == 3
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
