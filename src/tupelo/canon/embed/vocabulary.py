"""The distinct phrases of a set of mentions, the triples as numbers, and the vectors that training starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.methods.surface import normal_form
from tupelo.canon.ngrams import ngram_vectors
from tupelo.canon.resources import Resources
from tupelo.core.canonical import SUBTASKS, Slot, TripleMention

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Subjects and objects are one list of entity forms; `triples` has a row of three numbers for every mention."""

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    triples: Integers

    def slot(self, slot: Slot) -> Integers:
        """The form of every mention in that slot."""
        column: Integers = self.triples[:, ("subject", "relation", "object").index(slot)]
        return column

    def forms(self, kind: str) -> tuple[str, ...]:
        return self.relations if kind == "relation" else self.entities


def kind_of(subtask: str) -> str:
    """Which of the two lists of forms a subtask is about."""
    return "relation" if SUBTASKS[subtask] == "relation" else "entity"


def read_vocabulary(mentions: Sequence[TripleMention]) -> Vocabulary:
    entities: dict[str, int] = {}
    relations: dict[str, int] = {}
    rows = []
    for mention in mentions:
        subject, relation, object_ = (
            normal_form(phrase.text) for phrase in (mention.subject, mention.relation, mention.object)
        )
        rows.append(
            (
                entities.setdefault(subject, len(entities)),
                relations.setdefault(relation, len(relations)),
                entities.setdefault(object_, len(entities)),
            )
        )
    return Vocabulary(tuple(entities), tuple(relations), np.array(rows, dtype=np.int64).reshape(-1, 3))


def starting_vectors(
    forms: Sequence[str],
    resources: Resources,
    size: int,
    *,
    seed: int,
    advance: Callable[[int], None] = lambda steps: None,
) -> Floats:
    """Rows of length 1: the mean of word vectors where there is a file of them, else vectors from characters.

    More dimensions than `size` are reduced to the directions in which the forms differ most.
    """
    if resources.word_vectors is None:
        return ngram_vectors(forms, size, seed=seed, advance=advance)
    known = resources.word_vectors
    width = len(next(iter(known.values())))
    spare = ngram_vectors(forms, width, seed=seed)
    rows = np.empty((len(forms), width), dtype=np.float32)
    for number, form in enumerate(forms):
        words = [known[word] for word in form.split() if word in known]
        mean = np.mean(words, axis=0) if words else spare[number]
        # Words may cancel out; such a form, too, falls back on its characters.
        rows[number] = mean if np.linalg.norm(mean) > 0 else spare[number]
        advance(1)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows if width <= size else _reduced(rows, size)


def _reduced(rows: Floats, size: int) -> Floats:
    centred = rows - rows.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    reduced = (centred @ directions[:, ::-1][:, :size]).astype(np.float32)
    lengths = np.linalg.norm(reduced, axis=1, keepdims=True)
    # A form that is the mean itself has no direction left; any fixed one will do.
    reduced[lengths[:, 0] == 0, 0] = 1
    return np.asarray(reduced / np.where(lengths > 0, lengths, 1), dtype=np.float32)
