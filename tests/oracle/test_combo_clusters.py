"""Cluster metrics against the published evaluation (jeffchy/COMBO): every figure of every file within 1e-9."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papers.combo import gold_clusters
from papers.hierarchies import tree_scores
from tupelo.canon.cluster import complete_linkage
from tupelo.scorers.clusters import ClusterScorer, FlatScores

FLAT = [
    "01-singletons",
    "02-one-cluster",
    "03-surface",
    "04-head-word",
    "05-random",
    "06-gold",
    "07-gold-noise-10",
    "08-gold-split",
    "09-gold-merge",
    "10-gold-thinned",
    "11-surface-partial",
    "12-surface-and-head",
    "13-hash-hac",
    "14-empty",
]
HIERARCHIES = ["chain", "gold-classes", "hash-hac-tree", "random-tree", "surface-and-head"]


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def gold(shared: Path) -> dict[str, list[list[str]]]:
    """Gold clusters by the mode of a subtask."""
    items = {str(item["tri_id"]): item for item in load(shared / "data/combo/combo.dev.json")}
    labels = {
        "h": {key: [item["h"]["id"]] for key, item in items.items()},
        "t": {key: [item["t"]["id"]] for key, item in items.items()},
        "r": {key: [item["r"]["label"]] for key, item in items.items()},
        "hi": {key: set(item["h"]["instance"]) for key, item in items.items()},
        "ti": {key: set(item["t"]["instance"]) for key, item in items.items()},
    }
    return {mode: gold_clusters(own) for mode, own in labels.items()}


def figures(score: FlatScores, mode: str) -> dict[str, float]:
    found: dict[str, float] = {"n_gold": score.gold, "n_pred": score.predicted}
    for name in ("macro", "micro", "pair"):
        found |= {f"{name}_{key}": value for key, value in score.to_dict()[name].items()}
    return found | {"average": score.average_of_two if mode == "r" else score.average}


@pytest.mark.parametrize("name", FLAT)
def test_every_flat_figure_is_equal(name: str, shared: Path, gold: dict[str, list[list[str]]]) -> None:
    for subtask in load(shared / f"oracles/combo/{name}.json")["subtasks"].values():
        predicted = [list(map(str, cluster)) for cluster in subtask["clusters"]]
        found = figures(ClusterScorer().flat(gold[subtask["mode"]], predicted), subtask["mode"])
        assert found == pytest.approx(subtask["expected"], abs=1e-9)


@pytest.mark.parametrize("name", HIERARCHIES)
def test_every_figure_of_a_hierarchy_is_equal(name: str, shared: Path, gold: dict[str, list[list[str]]]) -> None:
    for subtask in load(shared / f"oracles/combo/hierarchy-{name}.json")["subtasks"].values():
        classes = gold[subtask["mode"]]
        if "children" in subtask:
            score = tree_scores(classes, list(map(str, subtask["leaves"])), np.array(subtask["children"]))
        else:
            score = ClusterScorer().hierarchy(classes, [list(map(str, cluster)) for cluster in subtask["clusters"]])
        assert subtask["expected"] == pytest.approx(
            {
                "jaccard_gold_to_pred": score.gold_to_predicted,
                "jaccard_pred_to_gold": score.predicted_to_gold,
                "sorensen_gold_to_pred": score.sorensen[0],
                "sorensen_pred_to_gold": score.sorensen[1],
                "n_gold_used": score.gold,
                "n_pred_used": score.predicted,
            },
            abs=1e-9,
        )


def test_no_oracle_is_left_out(shared: Path) -> None:
    files = {path.stem for path in (shared / "oracles/combo").glob("*.json")}
    assert files == {*FLAT, *(f"hierarchy-{name}" for name in HIERARCHIES), "hac-small", "search-hash"}


@pytest.mark.parametrize("run", ["raw", "standardized"])
def test_hash_vectors_cut_and_scored_at_every_threshold(
    run: str, shared: Path, gold: dict[str, list[list[str]]]
) -> None:
    items = {str(item["tri_id"]): item for item in load(shared / "data/combo/combo.dev.json")}
    keys = list(items)
    for subtask in load(shared / "oracles/combo/search-hash.json")["runs"][run].values():
        mode = subtask["mode"]
        vectors = np.array([phrase_vector(items[key][mode[0]]["name"]) for key in keys])
        if subtask["standardize"]:
            vectors = (vectors - vectors.mean(axis=0)) / vectors.std(axis=0)
        tree = complete_linkage(vectors)
        for step in subtask["trace"]:
            score = ClusterScorer().flat(gold[mode], grouped(keys, tree.labels(step["th"])))
            expected = {name: value for name, value in step.items() if name != "th"}
            assert {name: figures(score, mode)[name] for name in expected} == pytest.approx(expected, abs=1e-9)
        score = ClusterScorer().flat(gold[mode], grouped(keys, tree.labels(subtask["threshold"])))
        assert {name: figures(score, mode)[name] for name in subtask["expected"]} == pytest.approx(
            subtask["expected"], abs=1e-9
        )
        if "jaccard" in subtask:
            found = tree_scores(gold[mode], keys, tree.children())
            assert found.gold_to_predicted == pytest.approx(subtask["jaccard"]["jac_g_to_p"], abs=1e-9)
            assert found.predicted_to_gold == pytest.approx(subtask["jaccard"]["jac_p_to_g"], abs=1e-9)


def phrase_vector(words: list[str]) -> Any:
    digests = [np.frombuffer(hashlib.sha256(word.encode("utf-8")).digest(), dtype=np.uint8) for word in words]
    return ((np.array(digests, dtype=np.float64) - 127.5) / 127.5).mean(axis=0)


def grouped(keys: list[str], labels: Any) -> list[list[str]]:
    clusters: dict[int, list[str]] = {}
    for key, label in zip(keys, labels.tolist(), strict=True):
        clusters.setdefault(label, []).append(key)
    return list(clusters.values())
