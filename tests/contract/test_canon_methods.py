"""What every registered method of canonicalization must do, whoever wrote it."""

from __future__ import annotations

import inspect

import pytest

from papers.hierarchies import tree_of
from tests.canon.mentions import HARBOUR, mention
from tupelo.canon.canonicalizer import MethodCanonicalizer
from tupelo.canon.methods import METHODS, CanonMethod, CanonResources, PreparedMethod
from tupelo.checking.network import load_network
from tupelo.core.canonical import SUBTASKS, TripleMention
from tupelo.nlp.encoder import load_encoder

RESOURCES = CanonResources(encoder=load_encoder(), support=load_network)
each_method = pytest.mark.parametrize("name", list(METHODS))


def made(name: str) -> CanonMethod:
    """With as little training as there can be: the contract is about form."""
    known = inspect.signature(METHODS.get(name)).parameters
    return METHODS.get(name)(**{option: 1 for option in ("epochs", "warm_up") if option in known})


def prepare(name: str, mentions: list[TripleMention]) -> PreparedMethod:
    return made(name).prepare(mentions, RESOURCES, seed=0)


def test_every_method_has_a_title() -> None:
    assert all(METHODS.title(name) for name in METHODS)
    assert {"tupelo", "surface", "tokens", "random", "words", "encoder"} <= set(METHODS)


# Clusters are trained anew for every threshold, from that start, and need not nest.
TRAINED_FOR_EACH = {"vae-gmm", "vae-gmm-side", "vae-gmm-hole", "cuva"}


@each_method
def test_a_method_says_what_it_is_and_needs(name: str) -> None:
    method = METHODS.get(name)()
    assert method.name == name
    assert method.needs <= {"encoder", "word_vectors", "paraphrases", "synonyms", "support"}


@pytest.mark.model
@each_method
def test_clusters_cover_all_items_grow_with_the_threshold_and_repeat_themselves(name: str) -> None:
    first, again = prepare(name, HARBOUR), prepare(name, HARBOUR)
    for subtask in SUBTASKS:
        cut = first.subtask(subtask)
        assert list(cut.grid) == sorted(cut.grid)
        finer = None
        for threshold in cut.grid[:: max(1, len(cut.grid) // 3)]:
            labels = cut.labels(threshold).tolist()
            assert len(labels) == len(HARBOUR)
            assert labels == again.subtask(subtask).labels(threshold).tolist()
            if finer is not None and name not in TRAINED_FOR_EACH:
                # Whatever a lower threshold joined stays together.
                assert len(set(zip(finer, labels, strict=True))) == len(set(finer))
            finer = labels
        tree = tree_of(cut)
        if tree is not None:
            assert tree.count == len(HARBOUR)
            assert sorted(tree.children().reshape(-1).tolist()) == list(range(2 * len(HARBOUR) - 2))


@pytest.mark.model
@each_method
def test_one_triple_and_equal_triples_are_no_error(name: str) -> None:
    for count in (1, 3):
        same = [mention(number, "Ann Berg", "lives in", "Oslo") for number in range(count)]
        prepared = prepare(name, same)
        for subtask in SUBTASKS:
            cut = prepared.subtask(subtask)
            assert set(cut.labels(max(cut.grid)).tolist()) == {0}


@pytest.mark.model
@each_method
def test_a_canonicalizer_puts_every_occurrence_into_one_cluster(name: str) -> None:
    thresholds = dict.fromkeys(SUBTASKS, 0.5)
    found = MethodCanonicalizer(made(name), RESOURCES, thresholds).canonicalize(HARBOUR)
    for clusters, slots in ((found.entities, 2), (found.relations, 1), (found.types, 2)):
        members = [member for cluster in clusters for member in cluster.members]
        assert len(members) == len(set(members)) == slots * len(HARBOUR)
    parents = {cluster.parent for cluster in found.types if cluster.parent}
    assert parents <= {cluster.id for cluster in found.types}
