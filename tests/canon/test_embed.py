"""Trained embeddings: definitions, gradients against differences, side information, and what all methods share."""

from __future__ import annotations

from dataclasses import fields, replace
from importlib.util import find_spec

import numpy as np
import pytest

from papers.hierarchies import tree_of
from tupelo.api.canonical import open_method
from tupelo.canon.methods import METHODS, CanonResources
from tupelo.core import InputError
from tupelo.core.canonical import Phrase, TripleMention
from tupelo_training.canon.embedded import (
    HoleOptions,
    convolve,
    correlate,
    corrupt,
    ranking_loss,
    score_with_gradients,
    train,
)
from tupelo_training.canon.side import (
    SidePairs,
    SideWeights,
    TrainingData,
    find_side_pairs,
    gathered,
    side_loss,
    starting_vectors,
)
from tupelo_training.canon.vocabulary import TripleVocabulary, read_vocabulary

RANDOM = np.random.default_rng(4)


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape)


def slope(function, table: np.ndarray, place: tuple[int, ...], step: float = 1e-5) -> float:
    """The derivative by one number, from two values nearby."""
    before = table[place]
    table[place] = before + step
    high = function()
    table[place] = before - step
    low = function()
    table[place] = before
    return (high - low) / (2 * step)


def test_correlation_and_convolution_are_their_definitions():
    one, other = normal(7), normal(7)
    size = len(one)
    correlated = [sum(one[i] * other[(i + k) % size] for i in range(size)) for k in range(size)]
    convolved = [sum(one[i] * other[(k - i) % size] for i in range(size)) for k in range(size)]
    assert correlate(one, other) == pytest.approx(correlated)
    assert convolve(one, other) == pytest.approx(convolved)


def test_the_derivatives_of_a_score_are_those_of_its_parts():
    parts = [normal(1, 6) for _ in range(3)]
    _, *derivatives = score_with_gradients(*parts)
    for part, derivative in zip(parts, derivatives, strict=True):
        for column in range(6):
            expected = slope(lambda: float(score_with_gradients(*parts)[0][0]), part, (0, column))
            assert derivative[0, column] == pytest.approx(expected, abs=1e-6)


def test_the_gradient_of_the_ranking_loss():
    entities, relations = normal(5, 6), normal(2, 6)
    true = np.array([[0, 0, 1], [2, 1, 3]])
    false = corrupt(true, 3, 5, np.random.default_rng(1))
    _, on_entities, on_relations = ranking_loss(entities, relations, true, false, 0.9)
    for table, found in ((entities, on_entities), (relations, on_relations)):
        total = np.zeros_like(table)
        for rows, gradients in found:
            np.add.at(total, rows, gradients)
        for place in [(0, 1), (1, 4)]:
            expected = slope(lambda: ranking_loss(entities, relations, true, false, 0.9)[0], table, place)
            assert total[place] == pytest.approx(expected, abs=1e-6)


def test_the_gradient_of_the_side_loss():
    vectors = normal(4, 3)
    pairs = SidePairs(np.array([0, 1]), np.array([2, 3]), np.array([1.0, 0.5]))
    loss, parts = side_loss(vectors, pairs)
    literal = (((vectors[0] - vectors[2]) ** 2).sum() + 0.5 * ((vectors[1] - vectors[3]) ** 2).sum()) / 2
    assert loss == pytest.approx(literal)
    places, gradients = gathered(parts)
    assert places.tolist() == [0, 1, 2, 3]
    assert gradients[3, 1] == pytest.approx(slope(lambda: side_loss(vectors, pairs)[0], vectors, (3, 1)), abs=1e-6)


def test_structure_draws_entities_of_the_same_triples_together():
    # Entities 0 and 1 have the same relations to the same objects; so have 2 and 3.
    triples = np.array([[e, r, 4 + r if e < 2 else 8 + r] for e in range(4) for r in range(4)])
    start = np.random.default_rng(0).standard_normal((12, 16)).astype(np.float32)
    start /= np.linalg.norm(start, axis=1, keepdims=True)
    none = SidePairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
    tables = {"entity": start, "relation": start[:4].copy()}
    data = TrainingData(TripleVocabulary((), (), triples), tables, {"entity": none, "relation": none})
    entities = train(data, HoleOptions(epochs=150), seed=1)["entity"]

    def cosine(table, one, other):
        return table[one] @ table[other] / np.linalg.norm(table[one]) / np.linalg.norm(table[other])

    assert cosine(entities, 0, 1) > cosine(start, 0, 1) + 0.3
    assert cosine(entities, 0, 1) > cosine(entities, 0, 2) + 0.3


def mention(number: int, subject: str, relation: str, object_: str) -> TripleMention:
    return TripleMention(str(number), Phrase(subject), Phrase(relation), Phrase(object_))


MENTIONS = [
    mention(1, "Ann Berg", "lives in", "Oslo"),
    mention(2, "Ann M. Berg", "lives in", "Oslo"),
    mention(3, "Berg, Ann", "resides in", "the city of Oslo"),
    mention(4, "Bo Lund", "lives in", "Bergen"),
    mention(5, "bo lund", "was born in", "Bergen"),
    mention(6, "Bo Lund", "resides in", "Bergen"),
    mention(7, "Carla Ruiz", "was born in", "Lima"),
    mention(8, "C. Ruiz", "was born in", "Lima"),
]


ROWS = [(m.subject.text, m.relation.text, m.object.text) for m in MENTIONS]


def test_forms_are_counted_once_and_side_pairs_are_found():
    vocabulary = read_vocabulary(MENTIONS)
    assert len(vocabulary.entities) == len(set(vocabulary.entities))
    assert vocabulary.slot("subject")[3] == vocabulary.slot("subject")[4]
    resources = CanonResources(
        paraphrases={"lives in": "live", "resides in": "live"},
        side_pairs={"entity": [("Carla Ruiz", "C. Ruiz", 0.7)]},
    )
    relation = find_side_pairs("relation", vocabulary, MENTIONS, resources, SideWeights())
    assert {
        frozenset((vocabulary.relations[one], vocabulary.relations[other]))
        for one, other in zip(relation.left.tolist(), relation.right.tolist(), strict=True)
    } >= {frozenset(("lives in", "resides in"))}
    entity = find_side_pairs("entity", vocabulary, MENTIONS, resources, SideWeights())
    found = {
        (vocabulary.entities[one], vocabulary.entities[other]): weight
        for one, other, weight in zip(
            entity.left.tolist(), entity.right.tolist(), entity.weights.tolist(), strict=True
        )
    }
    assert any({"carla ruiz", "c. ruiz"} == set(pair) for pair in found)


LINKED = [
    TripleMention("1", Phrase("Ann Berg"), Phrase("lives in"), Phrase("the lakes"), links=("Q1", None)),
    TripleMention("2", Phrase("A. B."), Phrase("resides in"), Phrase("lake"), links=("Q1", None)),
    TripleMention("3", Phrase("Bo"), Phrase("lived in"), Phrase("Oslo")),
    TripleMention("4", Phrase("Bo"), Phrase("may live in"), Phrase("Lima")),
]
SOURCES = {
    "links": ("entity", "ann berg", "a. b."),
    "pairs": ("entity", "bo", "oslo"),
    "morphology": ("entity", "the lakes", "lake"),
    "paraphrases": ("relation", "lives in", "resides in"),
    "senses": ("relation", "resides in", "may live in"),
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_of_side_information_has_its_weight(source):
    synsets = {"resides in": frozenset({"s1"}), "may live in": frozenset({"s1"})}
    resources = CanonResources(
        paraphrases={"lives in": "live", "resides in": "live"},
        synonyms=lambda form: synsets.get(form, frozenset()),
        side_pairs={"entity": [("Bo", "Oslo", 0.5)]},
    )
    vocabulary = read_vocabulary(LINKED)
    kind, one, other = SOURCES[source]

    def found(**weights):
        pairs = find_side_pairs(kind, vocabulary, LINKED, resources, replace(nothing, **weights))
        forms = vocabulary.forms(kind)
        ends = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
        return {
            frozenset((forms[left], forms[right])): weight
            for (left, right), weight in zip(ends, pairs.weights.tolist(), strict=True)
        }

    nothing = SideWeights(**dict.fromkeys((field.name for field in fields(SideWeights)), 0.0))
    assert found() == {}
    alone = 0.5 if source == "pairs" else 1.0
    assert found(**{source: 2.0}) == {frozenset((one, other)): 2 * alone}
    with pytest.raises(InputError, match=f"'{source}=-1', expected a weight of 0 or more"):
        found(**{source: -1.0})


def test_morphology_joins_tenses_and_keeps_modal_verbs_apart():
    weights = SideWeights(words=0.0, morphology=1.0)
    vocabulary = read_vocabulary(LINKED)
    pairs = find_side_pairs("relation", vocabulary, LINKED, CanonResources(), weights)
    forms = [(vocabulary.relations[a], vocabulary.relations[b]) for a, b in zip(pairs.left, pairs.right, strict=True)]
    assert forms == [("lives in", "lived in")]


def test_weights_of_sources_are_settings_of_the_methods():
    method = open_method("cesi", {"links": "0", "paraphrases": "0.5", "morphology": "2"})
    assert (method.links, method.paraphrases, method.morphology, method.senses) == (0.0, 0.5, 2.0, 1.0)
    assert open_method("cuva", {"senses": "0"}).senses == 0.0


def test_word_vectors_are_used_where_there_are_some():
    words = {"oslo": np.array([1.0, 0, 0]), "city": np.array([0, 1.0, 0])}
    rows = starting_vectors(["oslo", "oslo city", "lima"], CanonResources(word_vectors=words), 8, seed=0)
    assert rows.shape == (3, 3)
    assert rows[1] == pytest.approx(np.array([1, 1, 0]) / np.sqrt(2), abs=1e-6)
    assert starting_vectors(["oslo", "city", "lima"], CanonResources(word_vectors=words), 2, seed=0).shape == (3, 2)


AUTOENCODERS = ("vae-gmm", "vae-gmm-side", "vae-gmm-hole", "cuva")
NEEDS_TORCH = [
    pytest.mark.torch,
    pytest.mark.skipif(find_spec("torch") is None, reason="needs the extra 'train'"),
]
NAMES = ["ngrams", "hole", "side", "cesi", *(pytest.param(name, marks=NEEDS_TORCH) for name in AUTOENCODERS)]


@pytest.mark.parametrize("name", NAMES)
def test_a_method_is_deterministic_and_takes_small_input(name):
    few = {"first_epochs": 2, "epochs": 2} if name in AUTOENCODERS else {}
    method = METHODS.get(name)(**few)
    assert method.name == name
    steps: list[int] = []
    for given in (MENTIONS, MENTIONS[:1], [MENTIONS[0]] * 3):
        first, again = (method.prepare(given, CanonResources(), seed=3, advance=steps.append) for _ in range(2))
        for subtask in ("subject", "relation", "object-type"):
            one, same = first.subtask(subtask), again.subtask(subtask)
            for threshold in (0.2, 0.6):
                labels = one.labels(threshold)
                assert len(labels) == len(given)
                assert labels.tolist() == same.labels(threshold).tolist()
            tree = tree_of(one)
            assert tree is None or len(tree.heights) == len(given) - 1
    assert steps


@pytest.mark.parametrize("name", NAMES)
def test_other_forms_of_a_name_are_joined_before_other_names(name):
    cut = METHODS.get(name)().prepare(MENTIONS, CanonResources(), seed=0).subtask("subject")
    labels = cut.labels(0.6)
    assert labels[3] == labels[4]
    assert labels[0] != labels[3]
    assert len({labels[0], labels[3], labels[6]}) == 3
