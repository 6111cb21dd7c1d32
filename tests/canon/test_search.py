"""The search for a threshold, against the trace of the published program."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papers.combo import Search, Trial, clusters_of, gold_clusters, rate_flat, search_score, search_threshold
from papers.folds import two_folds
from tupelo.canon.context import standardized
from tupelo.canon.cuts import VectorCut
from tupelo.core import InputError
from tupelo.core.canonical import SUBTASKS
from tupelo.io.triples import TripleFile, read_triples
from tupelo_training.canon.cuts import FlatCut

MODES = {"h": "subject", "t": "object", "r": "relation", "hi": "subject-type", "ti": "object-type"}


@pytest.fixture(scope="module")
def oracle(shared: Path) -> dict[str, Any]:
    return json.loads((shared / "oracles/combo/search-hash.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def data(shared: Path) -> TripleFile:
    return read_triples(shared / "data/combo/combo.dev.json")


def hash_vectors(data: TripleFile, subtask: str) -> np.ndarray:
    slot = SUBTASKS[subtask]

    def vector(word: str) -> np.ndarray:
        return (np.frombuffer(hashlib.sha256(word.encode()).digest(), dtype=np.uint8) - 127.5) / 127.5

    return np.stack([np.mean([vector(w) for w in m.phrase(slot).text.split()], axis=0) for m in data.mentions])


@pytest.mark.parametrize("kind", ["raw", "standardized"])
@pytest.mark.parametrize("mode", ["h", "r", "ti"])
def test_every_trial_and_the_choice_are_those_of_the_published_search(
    kind: str, mode: str, oracle: dict[str, Any], data: TripleFile
) -> None:
    runs = oracle["runs"]
    chosen = next(
        run
        for name, group in runs.items()
        for run in group.values()
        if run["mode"] == mode and run["standardize"] == (kind == "standardized")
    )
    subtask = MODES[mode]
    vectors = hash_vectors(data, subtask)
    if kind == "standardized":
        # In double precision, as the oracle computes.
        vectors = (vectors - vectors.mean(axis=0)) / vectors.std(axis=0)
    members = [mention.id for mention in data.mentions]
    gold = gold_clusters(data.gold[subtask])
    search = search_threshold(VectorCut(vectors), lambda labels: search_score(gold, members, labels), len(gold))
    assert [trial.threshold for trial in search.trials] == pytest.approx([step["th"] for step in chosen["trace"]])
    assert [trial.clusters for trial in search.trials] == [step["n_pred"] for step in chosen["trace"]]
    assert search.best.threshold == pytest.approx(chosen["best_threshold"])
    cut = VectorCut(vectors)
    for step in chosen["trace"][:3]:
        figures = rate_flat(subtask, gold, clusters_of(cut.labels(step["th"]), members))
        for name in ("macro", "micro", "pair"):
            assert figures[name] == pytest.approx(step[f"{name}_f1"], abs=1e-9)


def test_the_first_of_equals_wins() -> None:
    assert Search((Trial(0.1, 9, 0.5), Trial(0.2, 8, 0.7), Trial(0.3, 7, 0.7))).best.threshold == 0.2


def test_the_first_round_stops_when_clusters_become_too_few() -> None:
    points = np.array([[1, 0], [1, 0.01], [0.99, 0.1], [0, 1]], dtype=np.float32)
    search = search_threshold(VectorCut(points), lambda labels: 1.0, 4)
    # Two clusters of four gold ones after the first step.
    assert [trial.threshold for trial in search.trials[:2]] == [0.1, 0.0]


def test_nothing_to_tune_and_nothing_right() -> None:
    fixed = FlatCut(lambda threshold: np.array([0, 0, 1]))
    assert [trial.threshold for trial in search_threshold(fixed, lambda labels: 0.5, 2).trials] == [0.5]
    with pytest.raises(InputError, match="no threshold gives a single right cluster"):
        search_threshold(fixed, lambda labels: 0.0, 2)


def test_halves_share_no_sentence_and_no_subject(data: TripleFile) -> None:
    left, right = two_folds(data.mentions, data.gold)
    assert abs(len(left) - len(right)) <= 20
    assert not {m.sentence for m in left} & {m.sentence for m in right}
    subjects = [{min(data.gold["subject"][m.id]) for m in part} for part in (left, right)]
    assert not subjects[0] & subjects[1]
    relations = [{min(data.gold["relation"][m.id]) for m in part} for part in (left, right)]
    assert len(relations[0] & relations[1]) > 70


def test_standardised_like_the_oracle() -> None:
    rows = np.array([[1.0, 2.0], [3.0, 2.0]], dtype=np.float32)
    assert standardized(rows).tolist() == [[-1.0, 0.0], [1.0, 0.0]]
