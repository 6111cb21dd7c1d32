"""The predictions of the network for a sentence, the tuples decoded from them, and their words as bit masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.extract.rules import TupleCandidate


@dataclass(frozen=True, slots=True)
class Masks:
    """The words of a candidate: of the subject, the relation, the first argument and all arguments.

    `relation` has an extra bit beyond the sentence for each implied word; `written` does not.
    """

    subject: int
    relation: int
    written: int
    first: int
    arguments: int

    @property
    def everything(self) -> int:
        return self.subject | self.written | self.arguments


def masks_of(found: Sequence[TupleCandidate], size: int) -> list[Masks]:
    """In the order of the candidates of a sentence of `size` words."""
    implied: dict[str, int] = {}
    inside = (1 << size) - 1
    masks: list[Masks] = []
    for candidate in found:
        relation = _mask(candidate.relation, size, implied)
        parts = [_mask(part, size, implied) & inside for part in candidate.complements]
        arguments = 0
        for part in parts:
            arguments |= part
        subject = _mask(candidate.subject, size, implied) & inside
        masks.append(Masks(subject, relation, relation & inside, parts[0] if parts else 0, arguments))
    return masks


def _mask(pieces: Sequence[int | str], size: int, implied: dict[str, int]) -> int:
    mask = 0
    for piece in pieces:
        if isinstance(piece, str):
            piece = size + implied.setdefault(piece, len(implied))
        mask |= 1 << piece
    return mask


def tokens_of(mask: int) -> list[int]:
    """The words of a mask, in order."""
    tokens: list[int] = []
    while mask:
        low = mask & -mask
        tokens.append(low.bit_length() - 1)
        mask ^= low
    return tokens


Array = NDArray[np.float32]

# The word labels of the network, in its order.
LABELS = ("outside", "relation", "subject", "object", "further")
OUTSIDE, RELATION, SUBJECT, OBJECT, FURTHER = range(5)
# The rule and the shape of a tuple from the network.
NEURAL = "neural"
# Probability thresholds: anchors below the first are skipped, slots below the second yield no tuple.
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
    """The words likely enough to anchor a tuple, in order; only the most probable ones if there are many."""
    likely = np.flatnonzero(sigmoid(anchors) >= LEAST_ANCHOR)
    if len(likely) > MOST_ANCHORS:
        order = np.argsort(-anchors[likely], kind="stable")[:MOST_ANCHORS]
        likely = np.sort(likely[order])
    return tuple(int(word) for word in likely)


def neural_candidates(scores: Scores, leads: Sequence[str]) -> list[TupleCandidate]:
    """One tuple for every slot that likely holds one."""
    found: list[TupleCandidate] = []
    exists = sigmoid(scores.slots)
    for place, anchor in enumerate(scores.chosen):
        for slot in np.flatnonzero(exists[place] >= LEAST_SLOT).tolist():
            candidate = _decode(scores, place, slot, anchor, leads)
            if candidate is not None:
                found.append(candidate)
    return list(dict.fromkeys(found))


def _decode(scores: Scores, place: int, slot: int, anchor: int, leads: Sequence[str]) -> TupleCandidate | None:
    labels = scores.labels[place, :, slot].argmax(axis=-1)
    parts = [np.flatnonzero(labels == label).tolist() for label in range(len(LABELS))]
    lead = leads[int(scores.leads[place, slot].argmax())]
    relation: tuple[int | str, ...] = (*lead.split(), *parts[RELATION])
    complements = tuple(tuple(run) for run in ([parts[OBJECT]] if parts[OBJECT] else []) + _runs(parts[FURTHER]))
    if not relation or not parts[SUBJECT] or not complements:
        return None
    return TupleCandidate(
        NEURAL, NEURAL, anchor, tuple(parts[SUBJECT]), relation, complements, (None,) * len(complements)
    )


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
