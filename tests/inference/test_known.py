"""Relations that are known to be one without a model."""

from __future__ import annotations

import pytest

from tupelo.checking.network import load_network
from tupelo.core.entailment import EntailmentPair, whole_statement
from tupelo.core.extraction import Triple
from tupelo.inference.methods import METHODS, InferenceResources
from tupelo.inference.statements import known_reason

FORM, FAMILY = "both are forms of one relation", "the table of relations has both in one family"


def pair(premise: str, hypothesis: str, swapped: bool = False) -> EntailmentPair:
    ends = ("Acme", "Ann") if swapped else ("Ann", "Acme")
    return EntailmentPair(Triple("Ann", premise, "Acme"), Triple(ends[0], hypothesis, ends[1]))


@pytest.mark.parametrize(
    ("premise", "hypothesis", "swapped", "reason"),
    [
        ("founded", "had founded", False, FORM),
        ("founded", "was founded by", True, FORM),
        ("will join", "is going to join", False, FORM),
        ("is married to", "is married to", True, FORM),
        ("founded", "is the founder of", False, FAMILY),
        ("is a subsidiary of", "is the parent company of", True, FAMILY),
        ("does not trust", "distrusts", False, FAMILY),
        ("later founded", "founded", False, FORM),
        ("merged with", "merged with", True, FORM),
    ],
)
def test_wordings_of_one_relation_are_known(premise, hypothesis, swapped, reason):
    assert (known_reason(pair(premise, hypothesis, swapped)) or "").startswith(reason)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "swapped"),
    [
        ("founded", "was founded by", False),
        ("founded", "founded", True),
        ("is a subsidiary of", "is the parent company of", False),
        ("founded", "did not found", False),
        ("may found", "founded", False),
        ("will join", "joined", False),
        ("is believed to have founded", "is the founder of", False),
        ("is president of", "was president of", False),
        ("formerly worked for", "works for", False),
        ("is used in", "is widely used in", False),
        ("said that Bo was hired by", "was hired by", False),
        ("admires", "employs", False),
    ],
)
def test_other_manners_roles_and_relations_are_not(premise, hypothesis, swapped):
    assert known_reason(pair(premise, hypothesis, swapped)) is None


def test_what_is_said_may_depend_on_the_kinds_of_things():
    def said(relation: str, target: str) -> Triple:
        return Triple("The house", relation, target)

    assert known_reason(EntailmentPair(said("was built by", "Bo"), Triple("Bo", "built", "the house"))) is not None
    # No agent: a year.
    assert known_reason(EntailmentPair(said("was built by", "1990"), Triple("1990", "built", "the house"))) is None


def test_sentences_that_begin_and_end_with_the_things_are_known():
    def asked(premise: str, hypothesis: str) -> str | None:
        return known_reason(EntailmentPair(whole_statement(premise), whole_statement(hypothesis)))

    assert asked("Ann Berg founded Acme.", "Acme was founded by Ann Berg.") == f"{FORM}: found"
    assert asked("Ann Berg founded Acme.", "Ann Berg was founded by Acme.") is None
    assert asked("Ann Berg founded Acme.", "It rained in Oslo.") is None
    # Time grows with more than the number of words: only short sentences are read.
    assert asked(f"Ann {'Berg ' * 5_000}founded Acme.", f"Acme was founded by Ann {'Berg ' * 5_000}.") is None


@pytest.fixture(scope="module")
def learned():
    return METHODS.get("learned")(InferenceResources(support=load_network))


@pytest.mark.model
def test_what_is_known_counts_with_the_learned_method(learned):
    found = learned.scores(
        [
            pair("trounced", "scored a crushing victory over"),
            pair("scored a crushing victory over", "trounced"),
            EntailmentPair(
                whole_statement("Ann Berg penned Waves."), whole_statement("Ann Berg is the author of Waves.")
            ),
        ]
    )
    assert min(found) >= 0.5
    assert learned.explain(pair("founded", "was founded by", True))[0] == f"{FORM}: found: log odds +5.0"


@pytest.mark.model
def test_another_preposition_is_no_small_difference(learned):
    pairs = [
        pair("spied for", "spied on"),
        pair("stood up to", "stood up for"),
        pair("was named after", "was named by"),
    ]
    assert max(learned.scores([*pairs, *(item.reversed() for item in pairs)])) < 0.5
    assert "prepositions differ" in learned.explain(pairs[0])[-1]
