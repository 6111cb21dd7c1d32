"""Trained embeddings: definitions, gradients against differences, and planted clusters found again."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest

from tupelo.api.canonical import canonicalize, open_method
from tupelo.canon.hole import (
    HoleOptions,
    choice_loss,
    convolve,
    correlate,
    corrupt,
    ranking_loss,
    score_with_gradients,
    train,
)
from tupelo.canon.method import CanonResources
from tupelo.canon.methods import METHODS, autoencoded
from tupelo.canon.methods.autoencoded import PUBLISHED, VaeGmm, train_clusters
from tupelo.canon.side import (
    SidePairs,
    SideWeights,
    TrainingData,
    TripleVocabulary,
    find_side_pairs,
    gathered,
    read_vocabulary,
    side_loss,
    starting_vectors,
)
from tupelo.canon.vae import encode, label_pass, log_shares, make_mixture, make_network, run_pass
from tupelo.core import InputError
from tupelo.core.canonical import Phrase, TripleMention

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


@pytest.fixture
def small_vae():
    """Double precision, so that differences can be compared."""
    network = {name: values.astype(float) for name, values in make_network(5, 6, 3, np.random.default_rng(0)).items()}
    mixture = {"weights": normal(4), "means": normal(4, 3), "variances": 0.3 * normal(4, 3)}
    return network | mixture, normal(7, 5), normal(7, 3)


def test_the_loss_is_that_of_the_definition(small_vae):
    parameters, rows, noise = small_vae
    found = run_pass(parameters, rows, noise)[0]
    means, logs = encode(parameters, rows)
    weights = np.exp(parameters["weights"]) / np.exp(parameters["weights"]).sum()
    reconstruction = mixture = entropy = 0.0
    for i in range(len(rows)):
        drawn = means[i] + np.exp(logs[i] / 2) * noise[i]
        again = np.tanh(drawn @ parameters["out"] + parameters["out_bias"])
        reconstruction += 0.5 * ((rows[i] - again @ parameters["back"] - parameters["back_bias"]) ** 2).sum()
        terms, gamma = [], []
        for c in range(4):
            variance = np.exp(parameters["variances"][c])
            terms.append(
                0.5
                * sum(
                    np.log(variance[j])
                    + np.exp(logs[i, j]) / variance[j]
                    + (means[i, j] - parameters["means"][c, j]) ** 2 / variance[j]
                    for j in range(3)
                )
            )
            density = np.exp(-0.5 * (drawn - parameters["means"][c]) ** 2 / variance) / np.sqrt(variance)
            gamma.append(weights[c] * density.prod())
        gamma = np.array(gamma) / sum(gamma)
        mixture += sum(gamma[c] * terms[c] - gamma[c] * np.log(weights[c] / gamma[c]) for c in range(4))
        entropy -= 0.5 * (1 + logs[i]).sum()
    assert found.reconstruction == pytest.approx(reconstruction)
    assert found.mixture == pytest.approx(mixture)
    assert found.entropy == pytest.approx(entropy)


def test_the_gradients_of_the_autoencoder_are_those_of_its_loss(small_vae):
    parameters, rows, noise = small_vae
    _, gradients, on_rows = run_pass(parameters, rows, noise)
    assert set(gradients) == set(parameters)
    for name, table in {**parameters, "rows": rows}.items():
        place = tuple(np.random.default_rng(len(name)).integers(0, length) for length in table.shape)
        expected = slope(lambda: run_pass(parameters, rows, noise)[0].total, table, place)
        found = on_rows if name == "rows" else gradients[name]
        assert found[place] == pytest.approx(expected, abs=1e-4), name


def test_the_gradients_of_the_first_stage_are_those_of_its_loss(small_vae):
    parameters, rows, noise = small_vae
    labels = np.array([0, 1, 2, 3, 0, 1, 2])
    loss, gradients, on_rows = label_pass(parameters, rows, labels, noise)
    means, logs = encode(parameters, rows)
    share = log_shares(parameters, means + np.exp(logs / 2) * noise)
    assert loss == pytest.approx(-share[np.arange(7), labels].sum())
    tables = parameters | {"rows": rows}
    for name, gradient in (gradients | {"rows": on_rows}).items():
        place = tuple(np.random.default_rng(len(name)).integers(0, length) for length in tables[name].shape)
        expected = slope(lambda: label_pass(parameters, rows, labels, noise)[0], tables[name], place)
        assert gradient[place] == pytest.approx(expected, abs=1e-4), name


def test_the_loss_over_cluster_means_is_a_choice_among_triples():
    entities, relations = normal(5, 6), normal(3, 6)
    true, false = np.array([[0, 1, 2]]), np.array([[[3, 1, 2], [0, 1, 4]]])
    loss, on_entities, _ = choice_loss(entities, relations, true, false)
    scores = [
        float((relations[r] * correlate(entities[s], entities[o])).sum())
        for s, r, o in ([0, 1, 2], [3, 1, 2], [0, 1, 4])
    ]
    assert loss == pytest.approx(-scores[0] + np.log(np.exp(scores).sum()))
    total = np.zeros_like(entities)
    for places, gradients in on_entities:
        np.add.at(total, places, gradients)
    expected = slope(lambda: choice_loss(entities, relations, true, false)[0], entities, (2, 3))
    assert total[2, 3] == pytest.approx(expected, abs=1e-4)


def test_shares_are_probabilities(small_vae):
    parameters, rows, _ = small_vae
    share = np.exp(log_shares(parameters, encode(parameters, rows)[0]))
    assert share.sum(axis=1) == pytest.approx(np.ones(7))


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


NONE = SidePairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))

NO_TRIPLES = TripleVocabulary((), (), np.empty((0, 3), dtype=np.int64))


def planted() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows around four centres, their clusters, and a start in which four rows are in the wrong one."""
    random = np.random.default_rng(2)
    labels = np.repeat(np.arange(4), 15)
    rows = random.standard_normal((4, 20))[labels] + 0.2 * random.standard_normal((60, 20))
    start = labels.copy()
    start[::15] = (start[::15] + 1) % 4
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32), labels, start


def test_clusters_leave_a_wrong_start_and_improve_on_it():
    rows, labels, start = planted()
    options = VaeGmm(hidden=16, latent=4, first_epochs=30, epochs=40, first_rate=3e-3, rate=3e-3)
    data = TrainingData(
        TripleVocabulary((), (), np.empty((0, 3), dtype=np.int64)), {"entity": rows}, {"entity": NONE}
    )
    found = train_clusters(data, {"entity": start}, options, seed=0)["entity"]
    assert (start == labels).mean() < (found == labels).mean() == 1.0


def test_side_information_merges_clusters_of_the_start():
    rows, labels, _ = planted()
    # The first cluster starts as two; every second pair across the cut is known to be one.
    split = np.where((labels == 0) & (np.arange(60) % 2 == 1), 4, labels)
    left, right = np.arange(0, 14, 2), np.arange(1, 15, 2)
    pairs = SidePairs(left, right, np.ones(len(left), dtype=np.float32))
    data = TrainingData(
        TripleVocabulary((), (), np.empty((0, 3), dtype=np.int64)), {"entity": rows}, {"entity": pairs}
    )
    options = VaeGmm(hidden=16, latent=4, first_epochs=30, epochs=40)
    alone = train_clusters(data, {"entity": split}, options, seed=0)["entity"]
    told = train_clusters(data, {"entity": split}, replace(options, side=5.0), seed=0)["entity"]
    together = [(found[left] == found[right]).mean() for found in (split, alone, told)]
    assert together[2] > together[0]
    assert together[2] >= together[1]


def test_a_wide_cluster_does_not_swallow_the_others():
    # Random phrases, 20 of them in one cluster at the start. With vectors of length 1, and shares that tell clusters
    # by the variance of a latent, 265 of them end in it.
    random = np.random.default_rng(0)
    rows = random.standard_normal((300, 32)).astype(np.float32)
    start = np.maximum(np.arange(300) - 19, 0)
    data = TrainingData(NO_TRIPLES, {"entity": rows / np.linalg.norm(rows, axis=1, keepdims=True)}, {"entity": NONE})
    options = VaeGmm(hidden=32, latent=16, first_epochs=20, epochs=60, batch=64)
    found = train_clusters(data, {"entity": start}, options, seed=0)["entity"]
    assert np.bincount(found).max() <= 20


def test_confidences_come_from_one_training(monkeypatch):
    runs = []

    def counted(*arguments, **options):
        runs.append(arguments[1])
        return train_clusters(*arguments, **options)

    monkeypatch.setattr(autoencoded, "train_clusters", counted)
    few = {"first_epochs": 2, "epochs": 2}
    found = canonicalize(ROWS, "cuva", threshold=0.4, settings=few)
    assert len(runs) == 1
    assert set(runs[0]) == {"entity", "relation"}
    assert all(0 < cluster.confidence <= 1 for cluster in found.clusters)
    assert any(cluster.confidence < 1 for cluster in found.entities)
    canonicalize(ROWS, "vae-gmm", tasks=["npc-e"], threshold=0.4, settings=few)
    assert len(runs) == 2


def test_other_thresholds_around_a_training_nest():
    prepared = METHODS.get("vae-gmm-side")(epochs=3).prepare(MENTIONS, CanonResources(), seed=0)
    cut = prepared.around(("subject", "object"), 0.6)
    assert len(cut(1.0)) == 2 * len(MENTIONS)
    assert cut(1.0)[: len(MENTIONS)].tolist() == prepared.subtask("subject").labels(0.6).tolist()
    levels = [cut(share) for share in (0.25, 0.8, 1.0, 1.2, 3.0)]
    for finer, coarser in pairwise(levels):
        assert len({*zip(finer.tolist(), coarser.tolist(), strict=True)}) == len(set(finer.tolist()))
    assert len(set(levels[0].tolist())) > len(set(levels[-1].tolist()))


def test_the_published_sizes_are_those_that_are_used():
    prepared = VaeGmm(published=True).prepare(MENTIONS, CanonResources())
    assert {name: getattr(prepared.options, name) for name in PUBLISHED} == PUBLISHED


def test_a_mixture_starts_at_the_means_of_a_partition():
    mixture = make_mixture(np.array([[1.0], [3.0], [10.0]], dtype=np.float32), np.array([0, 0, 1]), 0.1)
    assert mixture["means"].tolist() == [[2.0], [10.0]]
    variance = np.var([1.0, 3.0, 10.0])
    assert np.exp(mixture["variances"]) == pytest.approx(np.full((2, 1), 0.1 * variance + 1e-4), rel=1e-5)
    assert np.exp(mixture["weights"]) == pytest.approx([2 / 3, 1 / 3])


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
NAMES = ["ngrams", "hole", "side", "cesi", *AUTOENCODERS]


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
            tree = one.tree()
            assert tree is None or len(tree.heights) == len(given) - 1
    assert steps


@pytest.mark.parametrize("name", NAMES)
def test_other_forms_of_a_name_are_joined_before_other_names(name):
    cut = METHODS.get(name)().prepare(MENTIONS, CanonResources(), seed=0).subtask("subject")
    labels = cut.labels(0.6)
    assert labels[3] == labels[4]
    assert labels[0] != labels[3]
    assert len({labels[0], labels[3], labels[6]}) == 3
