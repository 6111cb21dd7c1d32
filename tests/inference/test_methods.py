"""Entailment methods: what each promises, and what all promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.checking.network import load_network
from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair, whole_statement
from tupelo.core.extraction import Triple
from tupelo.core.vectors import Vectors
from tupelo.inference.methods import DEFAULT, METHODS, InferenceResources
from tupelo.inference.methods.learned import NAMES, word_features
from tupelo.inference.statements import are_swapped, as_text, read_statements, with_arguments
from tupelo_training.entail.inclusion import balanced_inclusion, count_arguments, lin_similarity, weeds_precision


class Said:
    def __init__(self, subject, relation, object_, count=1):
        self.subject, self.relation, self.object, self.count = subject, relation, object_, count


def pair(premise: str, hypothesis: str, swapped: bool = False) -> EntailmentPair:
    ends = ("Bo", "Ann") if swapped else ("Ann", "Bo")
    return EntailmentPair(Triple("Ann", premise, "Bo"), Triple(ends[0], hypothesis, ends[1]))


SAID = [
    Said("moss", "heals", "wounds", 3),
    Said("honey", "heals", "wounds"),
    Said("honey", "heals", "coughs"),
    Said("moss", "is useful in", "wounds"),
    Said("honey", "is useful in", "coughs"),
    Said("ann", "met", "bo", 5),
    Said("salt", "is useful in", "kitchens"),
]
RESOURCES = InferenceResources(
    vectors=Vectors(("heals", "is useful in", "met", "talked"), np.array([[1, 0], [1, 1], [0, 1], [0, 2]], "f4")),
    assertions=SAID,
    support=load_network,
)


@pytest.fixture(params=list(METHODS))
def method(request):
    return METHODS.get(request.param)(RESOURCES)


PAIRS = [
    pair("heals", "is useful in"),
    pair("is useful in", "heals"),
    pair("met", "did not meet"),
    pair("met", "met"),
]


def test_the_registered_names_are_known():
    assert list(METHODS) == ["lemma", "overlap", "embedding", "inclusion", "binc", "encoder", "support", "learned"]
    assert all(METHODS.title(name) for name in METHODS)
    assert DEFAULT in METHODS


@pytest.mark.model
def test_every_method_gives_a_number_per_pair(method):
    assert method.name in METHODS
    scores = method.scores(PAIRS)
    assert len(scores) == len(PAIRS)
    assert all(isinstance(score, float) and math.isfinite(score) for score in scores)
    assert method.scores([]) == []


@pytest.mark.model
def test_what_surrounds_a_pair_does_not_change_its_score(method):
    if method.name != "overlap":  # its weights are counted in what is asked
        assert method.scores(PAIRS)[0] == pytest.approx(method.scores(PAIRS[:1])[0], abs=1e-6)


@pytest.mark.model
def test_symmetric_methods_are_symmetric_and_others_are_not(method):
    there = method.scores(PAIRS)
    back = method.scores([item.reversed() for item in PAIRS])
    if method.directional:
        more = [pair("was widely used in", "was used in"), pair("was used in", "was widely used in")]
        assert there != pytest.approx(back) or method.scores(more)[0] != method.scores(more)[1]
    else:
        assert there == pytest.approx(back, abs=1e-6)


@pytest.mark.model
def test_every_score_can_be_explained(method):
    reasons = method.explain(PAIRS[0])
    assert reasons
    assert all(isinstance(reason, str) and reason for reason in reasons)


def test_a_missing_resource_is_named():
    with pytest.raises(InputError, match="'embedding' needs vectors of relations: give --vectors"):
        METHODS.get("embedding")(InferenceResources())
    with pytest.raises(InputError, match="'binc' needs assertions to count in: give --assertions"):
        METHODS.get("binc")(InferenceResources())


@pytest.mark.parametrize(
    ("premise", "hypothesis", "swapped", "score"),
    [
        ("was widely used in", "was used in", False, 1),
        ("was used in", "was widely used in", False, 0),
        ("wrote", "was written by", True, 1),
        ("wrote", "was written by", False, 0),
        ("did not write", "write", False, 0),
        ("composes", "composed", False, 1),
    ],
)
def test_lemma_containment(premise, hypothesis, swapped, score):
    assert METHODS.get("lemma")(InferenceResources()).scores([pair(premise, hypothesis, swapped)]) == [score]


def test_overlap_weighs_rare_words_more():
    method = METHODS.get("overlap")(InferenceResources())
    rare, common = method.scores([pair("is kin of", "kin"), pair("is sold in", "is"), pair("is hot", "is cold")])[:2]
    assert rare > common


def test_embedding_falls_back_to_words_and_then_to_nothing():
    method = METHODS.get("embedding")(RESOURCES)
    known, words, nothing = method.scores([pair("heals", "met"), pair("met", "often talked"), pair("met", "saw")])
    assert (known, words, nothing) == (pytest.approx(0), pytest.approx(1), -1)


def test_inclusion_by_hand():
    distribution = count_arguments(SAID)
    # In slot y of `heals`: wounds 4 of 5, coughs 1 of 5; overall 13 assertions, wounds 5, coughs 2.
    total, heals = 13, 5
    wounds = math.log(4 * total / (heals * 5))
    coughs = math.log(1 * total / (heals * 2))
    assert distribution.slots("heals")[1] == pytest.approx({"wound": wounds, "cough": coughs})
    useful = distribution.slots("is useful in")[1]
    assert weeds_precision(distribution.slots("heals")[1], useful) == pytest.approx(
        sum({"wound": wounds, "cough": coughs}[name] for name in ("wound", "cough") if name in useful)
        / (wounds + coughs)
    )


def test_weights_below_zero_are_left_out():
    # `b` is as frequent with `r` as anywhere: no information.
    distribution = count_arguments([Said("a", "r", "b"), Said("a", "s", "b")])
    assert distribution.slots("r") == ({}, {})
    assert distribution.slots("nothing") == ({}, {})


slots = st.dictionaries(st.sampled_from("abcde"), st.floats(0.1, 5), max_size=5)


@given(slots, slots)
def test_measures_of_inclusion_keep_their_bounds(one, other):
    assert 0 <= weeds_precision(one, other) <= 1 + 1e-12
    assert lin_similarity(one, other) == pytest.approx(lin_similarity(other, one))
    assert balanced_inclusion(one, other) <= 1 + 1e-12
    if one:
        assert weeds_precision(one, one) == pytest.approx(1)
        assert balanced_inclusion(one, one) == pytest.approx(1)


def test_swapped_arguments_change_the_slots():
    said = [
        Said("sun", "warms", "stone", 2),
        Said("rain", "wets", "grass", 2),
        Said("stone", "is warmed by", "sun", 2),
    ]
    method = METHODS.get("inclusion")(InferenceResources(assertions=said))
    straight = EntailmentPair(Triple("sun", "warms", "stone"), Triple("sun", "is warmed by", "stone"))
    crossed = EntailmentPair(Triple("sun", "warms", "stone"), Triple("stone", "is warmed by", "sun"))
    assert method.scores([straight, crossed]) == [0, 1]


def test_forms_are_counted_together():
    distribution = count_arguments([Said("The moss", "heals", "old wounds"), Said("honey", "has met", "a bear")])
    assert distribution.slots("may heal")[0].keys() == {"moss"}
    assert distribution.slots("healed", swapped=True)[0].keys() == {"wound"}


def test_swapped_arguments_are_told_by_their_words():
    assert are_swapped(pair("wrote", "was written by", swapped=True))
    assert not are_swapped(pair("wrote", "read"))
    drug = EntailmentPair(Triple("drug", "kills", "infections"), Triple("kanamycin", "is useful in", "infections"))
    assert not are_swapped(drug)


def test_an_argument_that_is_a_type_on_one_side_is_named_as_on_the_other():
    drug = EntailmentPair(Triple("drug", "kills", "infections"), Triple("kanamycin", "is useful in", "an infection"))
    assert with_arguments(drug) == Triple("drug", "is useful in", "an infection")
    turned = EntailmentPair(Triple("author", "wrote", "Hamlet"), Triple("hamlet", "was written by", "a dramatist"))
    assert with_arguments(turned) == Triple("hamlet", "was written by", "author")
    for other in (pair("met", "saw"), EntailmentPair(Triple("a1", "met", "b1"), Triple("c1", "saw", "d1"))):
        assert with_arguments(other) == other.hypothesis


@given(st.text(max_size=40), st.text(max_size=40))
def test_features_take_any_text(one, other):
    found = word_features(pair(one, other))
    assert len(found) == len(NAMES)
    assert all(0 <= value <= 1 for value in found)


@given(
    st.sampled_from(["kills", "may kill", "did not kill", "is a killer of", "began to kill", "x"]),
    st.sampled_from(["kills", "can be useful in", "was killed by", "is", "has"]),
)
def test_features_of_the_reverse_are_the_mirror_image(one, other):
    there, back = (
        dict(zip(NAMES, word_features(item), strict=True)) for item in (pair(one, other), pair(other, one))
    )
    mirrored = {
        "covered": "covering",
        "surplus": "missing",
        "negated_premise": "negated_hypothesis",
        "weaker_premise": "weaker_hypothesis",
        "past_premise_only": "past_hypothesis_only",
        "staged_premise_only": "staged_hypothesis_only",
        "copular_premise_only": "copular_hypothesis_only",
        "vague_premise": "vague_hypothesis",
        "longer_premise": "longer_hypothesis",
    }
    for name, value in there.items():
        other_name = mirrored.get(name) or {v: k for k, v in mirrored.items()}.get(name, name)
        assert back[other_name] == value, name


def test_statements_are_divided_by_what_they_share():
    found = read_statements("X kills infection", "X is useful in infection")
    assert found == EntailmentPair(Triple("X", "kills", "infection"), Triple("X", "is useful in", "infection"))
    found = read_statements("The dramatist wrote Hamlet", "Hamlet was written by a dramatist")
    assert (found.premise.subject, found.hypothesis.object) == ("The dramatist", "a dramatist")
    found = read_statements("new york is in the big state", "New York lies in the big state")
    assert (found.premise.relation, found.hypothesis.subject) == ("is in", "New York")
    found = read_statements("the king of Spain was widely used in Y", "the king of Spain was used in Y")
    assert (found.premise.relation, found.hypothesis.relation) == ("was widely used in", "was used in")
    assert read_statements("a, b, c", "c, d, a").hypothesis == Triple("c", "d", "a")


@pytest.mark.parametrize(
    ("one", "other"),
    [("aspirin relieves pain", "ibuprofen relieves pain"), ("x", "y"), ("a, b, c", "a d c"), ("", "")],
)
def test_statements_without_shared_arguments_are_refused(one, other):
    with pytest.raises(InputError, match="cannot tell the arguments"):
        read_statements(one, other)


class Gullible:
    """A support model that believes everything but what is on its list, and remembers what it read."""

    def __init__(self, *refuted: str) -> None:
        self.refuted, self.read = refuted, []

    def outcomes(self, pairs):
        self.read += pairs
        return [(0.01, 0.98, 0.01) if claim in self.refuted else (0.9, 0.05, 0.05) for _, claim in pairs]


def learned(support):
    return METHODS.get("learned")(InferenceResources(support=lambda: support))


def test_sentences_are_read_by_the_support_model_alone():
    support = Gullible()
    asked = EntailmentPair(whole_statement("ann's boss is Bo"), whole_statement("Ann works for Bo."))
    assert learned(support).scores([asked]) == [pytest.approx(0.9)]
    assert support.read == [("Ann's boss is Bo.", "Ann works for Bo.")]
    assert learned(support).explain(asked) == ["the premise supports it 0.90, refutes it 0.05, neither 0.05"]


def test_the_support_method_reads_triples_as_sentences_and_knows_wordings():
    support = Gullible("Ann left Bo.", "Ann was acquired by Bo.")
    method = METHODS.get("support")(InferenceResources(support=lambda: support))
    asked = [pair("entered", "left"), pair("joined", "met"), pair("was bought by", "was acquired by")]
    refuted, believed, known = method.scores(asked)
    assert [refuted, believed] == pytest.approx([0.01, 0.9])
    assert support.read[0] == ("Ann entered Bo.", "Ann left Bo.")
    # The support model refutes it, but both wordings are known to say the same.
    assert known == pytest.approx(0.6, abs=0.1)
    assert method.explain(asked[0]) == ["the premise supports it 0.01, refutes it 0.98, neither 0.01"]
    assert method.explain(asked[2])[0].endswith("log odds +5.0")


@pytest.mark.model
@pytest.mark.parametrize(
    ("premise", "hypothesis", "swapped"), [("defeated", "defeated", True), ("met", "did not meet", False)]
)
def test_negation_and_roles_are_decided_by_the_support_model_alone(premise, hypothesis, swapped):
    asked = pair(premise, hypothesis, swapped)
    said = as_text(asked.hypothesis) + "."
    refuting = learned(Gullible(said))
    assert refuting.scores([asked]) == [pytest.approx(0.01)]
    assert learned(Gullible()).scores([asked]) == [pytest.approx(0.9)]
    assert refuting.explain(asked)[1].endswith("nothing else counts")


@pytest.mark.model
def test_other_triples_are_decided_together_and_hopeless_ones_are_not_read():
    asked, hopeless = pair("heals", "is useful in"), pair("is north of", "was eaten by")
    support = Gullible(as_text(asked.hypothesis) + ".")
    (doubtful,) = learned(support).scores([asked])
    (believed,) = learned(Gullible()).scores([asked])
    assert 0.01 < doubtful < believed
    support = Gullible()
    assert learned(support).scores([hopeless])[0] < 0.05
    assert support.read == []


@pytest.mark.model
@pytest.mark.parametrize(
    ("premise", "hypothesis", "follows"),
    [
        ("Ann defeated Bo.", "Bo was defeated by Ann.", True),
        ("Ann defeated Bo.", "Bo defeated Ann.", False),
        ("Ann defeated Bo.", "Ann did not defeat Bo.", False),
        ("Ann may marry Bo.", "Ann married Bo.", False),
        ("Ann loves Bo.", "Ann hates Bo.", False),
    ],
)
def test_roles_negation_modality_and_opposites_are_seen(premise, hypothesis, follows):
    asked = EntailmentPair(whole_statement(premise), whole_statement(hypothesis))
    assert (METHODS.get("learned")(RESOURCES).scores([asked])[0] >= 0.5) is follows
