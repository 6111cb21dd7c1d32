"""What the network says about one sentence, and the tuples that this amounts to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.extract.rules import Candidate

Array = NDArray[np.float32]

# The labels that the network gives to words, in its order.
LABELS = ("outside", "relation", "subject", "object", "further")
OUTSIDE, RELATION, SUBJECT, OBJECT, FURTHER = range(5)
# The rule and the shape of a tuple that the network made.
NEURAL = "neural"
# Anchors below this probability are not read again, slots below this one make no tuple.
LEAST_ANCHOR = 0.25
LEAST_SLOT = 0.15
MOST_ANCHORS = 24


@dataclass(frozen=True, slots=True)
class Scores:
    """`anchors` [words] are log-odds. For every chosen anchor: log-probabilities of labels [words, slots, labels],
    log-odds that a slot holds a tuple [slots], log-probabilities of implied words [slots, leads]."""

    anchors: Array
    chosen: tuple[int, ...]
    labels: Array
    slots: Array
    leads: Array


def choose_anchors(anchors: Array) -> tuple[int, ...]:
    """The words that are likely enough to anchor a tuple, in order; the likeliest of them when there are many."""
    likely = np.flatnonzero(sigmoid(anchors) >= LEAST_ANCHOR)
    if len(likely) > MOST_ANCHORS:
        order = np.argsort(-anchors[likely], kind="stable")[:MOST_ANCHORS]
        likely = np.sort(likely[order])
    return tuple(int(word) for word in likely)


def neural_candidates(scores: Scores, leads: Sequence[str]) -> list[Candidate]:
    """One tuple for every slot that likely holds one."""
    found: list[Candidate] = []
    exists = sigmoid(scores.slots)
    for place, anchor in enumerate(scores.chosen):
        for slot in np.flatnonzero(exists[place] >= LEAST_SLOT).tolist():
            candidate = _decode(scores, place, slot, anchor, leads)
            if candidate is not None:
                found.append(candidate)
    return list(dict.fromkeys(found))


def _decode(scores: Scores, place: int, slot: int, anchor: int, leads: Sequence[str]) -> Candidate | None:
    labels = scores.labels[place, :, slot].argmax(axis=-1)
    parts = [np.flatnonzero(labels == label).tolist() for label in range(len(LABELS))]
    lead = leads[int(scores.leads[place, slot].argmax())]
    relation: tuple[int | str, ...] = (*lead.split(), *parts[RELATION])
    complements = tuple(tuple(run) for run in ([parts[OBJECT]] if parts[OBJECT] else []) + _runs(parts[FURTHER]))
    if not relation or not parts[SUBJECT] or not complements:
        return None
    return Candidate(NEURAL, NEURAL, anchor, tuple(parts[SUBJECT]), relation, complements, (None,) * len(complements))


def _runs(tokens: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for token in tokens:
        if runs and token == runs[-1][-1] + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), dtype=np.float32)


def log_softmax(x: Array) -> Array:
    shifted = x - x.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), dtype=np.float32)
