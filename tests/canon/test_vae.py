"""The autoencoders: losses against their definitions, both stages, and planted clusters found again."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.canon.test_embed import MENTIONS, ROWS, normal
from tupelo.api.canonical import canonicalize
from tupelo.canon.methods import METHODS, CanonResources
from tupelo.core import MissingExtraError
from tupelo_training.canon import autoencoded
from tupelo_training.canon.autoencoded import PUBLISHED, VaeGmm
from tupelo_training.canon.embedded import correlate
from tupelo_training.canon.side import SidePairs, TrainingData
from tupelo_training.canon.vocabulary import TripleVocabulary

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
vae = pytest.importorskip("tupelo_training.canon.vae")
train_clusters = vae.train_clusters

NONE = SidePairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
NO_TRIPLES = TripleVocabulary((), (), np.empty((0, 3), dtype=np.int64))


@pytest.fixture
def small_vae():
    """A network in double precision with a mixture of four clusters, rows and noise."""
    torch.manual_seed(0)
    network = vae.MixtureAutoencoder(5, 6, normal(7, 3).astype(np.float32), np.array([0, 1, 2, 3, 0, 1, 2])).double()
    with torch.no_grad():
        for table, spread in ((network.weights, 1.0), (network.means, 1.0), (network.variances, 0.3)):
            table.copy_(torch.from_numpy(spread * normal(*table.shape)))
    return network, torch.from_numpy(normal(7, 5)), torch.from_numpy(normal(7, 3))


def numbers(tensor) -> np.ndarray:
    return tensor.detach().numpy()


def test_the_loss_is_that_of_the_definition(small_vae):
    network, rows, noise = small_vae
    means, logs = map(numbers, network.encode(rows))
    weights = np.exp(numbers(network.weights)) / np.exp(numbers(network.weights)).sum()
    reconstruction = mixture = entropy = 0.0
    for i in range(len(rows)):
        drawn = means[i] + np.exp(logs[i] / 2) * noise[i].numpy()
        decoded = numbers(network.back(torch.tanh(network.outward(torch.from_numpy(drawn)))))
        reconstruction += 0.5 * ((rows[i].numpy() - decoded) ** 2).sum()
        terms, gamma = [], []
        for centre, log_variance, weight in zip(
            numbers(network.means), numbers(network.variances), weights, strict=True
        ):
            variance = np.exp(log_variance)
            terms.append(
                0.5
                * sum(
                    np.log(variance[j])
                    + np.exp(logs[i, j]) / variance[j]
                    + (means[i, j] - centre[j]) ** 2 / variance[j]
                    for j in range(3)
                )
            )
            density = np.exp(-0.5 * (drawn - centre) ** 2 / variance) / np.sqrt(variance)
            gamma.append(weight * density.prod())
        gamma = np.array(gamma) / sum(gamma)
        mixture += sum(gamma[c] * terms[c] - gamma[c] * np.log(weights[c] / gamma[c]) for c in range(4))
        entropy -= 0.5 * (1 + logs[i]).sum()
    assert network.loss(rows, noise).item() == pytest.approx((reconstruction + mixture + entropy) / len(rows))


def test_the_first_stage_asks_for_the_clusters_of_the_start(small_vae):
    network, rows, noise = small_vae
    labels = torch.tensor([0, 1, 2, 3, 0, 1, 2])
    means, logs = network.encode(rows)
    share = numbers(network.log_shares(means + torch.exp(logs / 2) * noise))
    assert network.label_loss(rows, labels, noise).item() == pytest.approx(-share[np.arange(7), labels].mean())


def test_the_second_stage_keeps_the_encoder_and_trains_the_rows(small_vae):
    network, rows, noise = small_vae
    network.keep_encoder()
    rows.requires_grad_()
    network.loss(rows, noise).backward()
    trained = {name for name, parameter in network.named_parameters() if parameter.grad is not None}
    layers = {f"{layer}.{part}" for layer in ("outward", "back") for part in ("weight", "bias")}
    assert trained == {"means", "variances", "weights", *layers}
    assert rows.grad is not None


def test_the_loss_over_cluster_means_is_a_choice_among_triples():
    entities, relations = normal(5, 6), normal(3, 6)
    triples = [0, 1, 2], [3, 1, 2], [0, 1, 4]
    scores = [float((relations[r] * correlate(entities[s], entities[o])).sum()) for s, r, o in triples]
    tables = torch.from_numpy(entities), torch.from_numpy(relations)
    loss = vae.choice_loss(*tables, torch.tensor(triples[:1]), torch.tensor([triples[1:]]))
    assert loss.item() == pytest.approx(-scores[0] + np.log(np.exp(scores).sum()))


def test_structure_reaches_the_rows_of_phrases(small_vae):
    network, rows, _ = small_vae
    rows.requires_grad_()
    vectors = network.soft_means(rows)
    triples = torch.tensor([[0, 1, 2]]), torch.tensor([[[3, 1, 2], [0, 1, 4]]])
    vae.choice_loss(vectors, vectors, *triples).backward()
    assert rows.grad is not None
    assert (rows.grad[:5].abs().sum(dim=1) > 0).all()


def test_shares_are_probabilities(small_vae):
    network, rows, _ = small_vae
    share = numbers(network.log_shares(network.encode(rows)[0]).exp())
    assert share.sum(axis=1) == pytest.approx(np.ones(7))
    assert network.assign(rows).tolist() == share.argmax(axis=1).tolist()


def test_training_leaves_the_random_numbers_of_others_alone():
    rows, labels, _ = planted()
    data = TrainingData(NO_TRIPLES, {"entity": rows}, {"entity": NONE})
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    train_clusters(data, {"entity": labels}, VaeGmm(hidden=4, latent=2, first_epochs=1, epochs=1), seed=0)
    assert torch.equal(torch.rand(3), expected)


def test_autoencoders_without_torch_name_the_extra(monkeypatch):
    monkeypatch.setattr(autoencoded, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"the method 'cuva' needs an extra: pip install 'tupelo\[train\]'"):
        canonicalize(ROWS, "cuva")


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


NAMES = ("vae-gmm", "vae-gmm-hole", "vae-gmm-side", "cuva")


def test_structure_and_side_information_leave_the_start_and_differ_from_each_other():
    """Towns under three names each, with side information about half of them."""
    random = np.random.default_rng(4)
    towns = random.standard_normal((24, 32))
    rows = np.repeat(towns, 3, axis=0) + 0.55 * random.standard_normal((72, 32))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    relations = np.eye(6, 32, dtype=np.float32)
    triples = np.stack([np.arange(72), np.arange(72) // 3 % 6, (np.arange(72) + 3) % 72], axis=1)
    left = np.arange(0, 36, 3)
    pairs = SidePairs(left, left + 1, np.ones(len(left), dtype=np.float32))
    data = TrainingData(
        TripleVocabulary(tuple(map(str, range(72))), tuple("abcdef"), triples),
        {"entity": rows, "relation": relations},
        {"entity": pairs, "relation": NONE},
    )
    trees = {kind: autoencoded.complete_linkage(vectors) for kind, vectors in data.vectors.items()}
    found = {}
    for name in NAMES:
        options = METHODS.get(name)(hidden=32, latent=16, batch=32)
        made = autoencoded.Autoencoded(data, trees, options, seed=0)
        moved = made.changes("subject", 0.25)
        assert (moved.changed > 0) == (name != "vae-gmm"), (name, moved)
        assert str(moved) == f"{moved.changed} of {moved.clusters} clusters changed"
        found[name] = tuple(made.clusters("entity", 0.25).tolist())
    assert len(set(found.values())) == len(NAMES)


def test_a_result_that_equals_its_start_says_so(monkeypatch):
    monkeypatch.setattr(vae, "train_clusters", lambda data, start, *_, **others: start)
    found = canonicalize(ROWS, "vae-gmm", tasks=["npc-e"], threshold=0.4)
    start = METHODS.get("vae-gmm")().prepare(MENTIONS, CanonResources()).trees["entity"].labels(0.4)
    (note,) = found.notes
    assert note == f"entity: 0 of {len(set(start.tolist()))} clusters changed from the start of 'vae-gmm'"
    assert note in str(found)
    assert found.to_dict()["notes"] == [note]


def test_confidences_come_from_one_training(monkeypatch):
    runs = []

    def counted(*arguments, **options):
        runs.append(arguments[1])
        return train_clusters(*arguments, **options)

    monkeypatch.setattr(vae, "train_clusters", counted)
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
    start = np.array([[1.0], [3.0], [10.0]], dtype=np.float32)
    network = vae.MixtureAutoencoder(5, 6, start, np.array([0, 0, 1]), 0.1)
    assert network.means.tolist() == [[2.0], [10.0]]
    variance = np.var([1.0, 3.0, 10.0])
    assert np.exp(numbers(network.variances)) == pytest.approx(np.full((2, 1), 0.1 * variance + 1e-4), rel=1e-5)
    assert np.exp(numbers(network.weights)) == pytest.approx([2 / 3, 1 / 3])
