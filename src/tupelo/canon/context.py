"""Encoder states of every mention for the default method, in named blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cuts import distinct
from tupelo.canon.encoders import PhraseReading, blocks_of_states, reading_of
from tupelo.canon.method import Mentions, StateEncoder, no_progress
from tupelo.core.canonical import SLOTS, Slot
from tupelo.core.progress import Advance

Array = NDArray[np.float32]
Halves = NDArray[np.float16]

# Layers of the sentence that the heads use, and the states that are stored of them.
LAYERS = (1, 3, 4, 6)
_READING = PhraseReading("sentence", layers=LAYERS, whole=True)
_PLACES = (*SLOTS, "sentence")
_NOUNS: tuple[Slot, ...] = ("subject", "object")
STATES = (*(f"{slot}:{layer}" for slot in _NOUNS for layer in LAYERS), "relation:4", "relation:6", "sentence:6")
_OTHER: dict[Slot, Slot] = {"subject": "object", "object": "subject"}
# Far enough below the largest number in half precision.
_LARGEST = 4096
# Mentions per batch.
_BLOCK = 4096


class HalfRows:
    """Rows in half precision, as scaled differences from the mean of the first batch.

    Some dimensions of a state hardly change, so that all information is in the difference; the scale keeps the
    smallest differences.
    """

    def __init__(self, count: int, first: Array) -> None:
        self._mean = first.mean(axis=0)
        self._scale = np.float32(_LARGEST / (np.abs(first - self._mean).max() or 1.0))
        self._rows = np.empty((count, first.shape[1]), dtype=np.float16)

    def put(self, numbers: Sequence[int], rows: Array) -> None:
        self._rows[numbers] = np.clip((rows - self._mean) * self._scale, -15 * _LARGEST, 15 * _LARGEST)

    def get(self, numbers: NDArray[np.int64]) -> Array:
        rows: Array = self._rows[numbers].astype(np.float32)
        rows /= self._scale
        rows += self._mean
        return rows


@dataclass(frozen=True, slots=True)
class Context:
    """Blocks of vectors by name, a row per mention.

    `subject:4` is the subject's mean state in layer 4, read within its sentence; `sentence:6` the mean of the whole
    sentence; `phrase:subject` the subject read alone, and `whole:subject` the same with the marks around it, as
    the encoder was trained to represent a text.

    States are stored in half precision, once for all mentions that share them: `rows` has the row of each mention in
    the `stored` blocks, for states within a sentence (`read`) and for phrases read alone, by slot.
    """

    mentions: Mentions
    stored: Mapping[str, HalfRows]
    rows: Mapping[str, NDArray[np.int64]]

    def block(self, name: str, slot: Slot | None = None) -> Array:
        """A block by name; `own`, `other`, `phrase` and `whole` belong to a slot and require it."""
        kind, _, layer = name.partition(":")
        if slot is not None and kind in ("phrase", "whole"):
            return self.stored[kind].get(self.rows[slot])
        if slot is not None and kind in ("own", "other"):
            name = f"{slot if kind == 'own' else _OTHER[slot]}:{layer}"
        return self.stored[name].get(self.rows["read"])

    def only(self, names: Iterable[str]) -> Context:
        """The context with some of the stored blocks."""
        return Context(self.mentions, {name: self.stored[name] for name in names}, self.rows)

    def part(self, chosen: Sequence[int] | NDArray[np.int64]) -> Context:
        """The context of some of the mentions."""
        numbers = np.asarray(chosen, dtype=np.int64)
        mentions = [self.mentions[number] for number in numbers.tolist()]
        return Context(mentions, self.stored, {name: rows[numbers] for name, rows in self.rows.items()})

    def parts(self) -> Iterator[tuple[slice, Context]]:
        """All mentions in batches whose blocks fit into memory."""
        for start in range(0, len(self.mentions), _BLOCK):
            end = min(start + _BLOCK, len(self.mentions))
            yield slice(start, end), self.part(np.arange(start, end))


def read_context(
    mentions: Mentions, encoder: StateEncoder, advance: Advance = no_progress, *, kept: Sequence[str] = STATES
) -> Context:
    """The states that the heads need; each sentence and each distinct phrase is encoded once."""
    firsts, rows = distinct([reading_of(mention) for mention in mentions])
    stored: dict[str, HalfRows] = {}
    shown = [mentions[first] for first in firsts]
    for numbers, states in blocks_of_states(encoder, shown, _READING, advance):
        for name in kept:
            place, layer = name.split(":")
            found = states[:, _PLACES.index(place), LAYERS.index(int(layer))]
            if name not in stored:
                stored[name] = HalfRows(len(shown), found)
            stored[name].put(numbers, found)
    texts = [mention.phrase(slot).text for slot in _NOUNS for mention in mentions]
    firsts, alone = distinct(texts)
    for numbers, *both in blocks_alone(encoder, [texts[first] for first in firsts], advance):
        for name, vectors in zip(("phrase", "whole"), both, strict=True):
            if name not in stored:
                stored[name] = HalfRows(len(firsts), vectors)
            stored[name].put(numbers, vectors)
    return Context(mentions, stored, {"read": rows, **dict(zip(_NOUNS, np.split(alone, len(_NOUNS)), strict=True))})


def blocks_alone(
    encoder: StateEncoder, texts: Sequence[str], advance: Advance = no_progress
) -> Iterator[tuple[list[int], Array, Array]]:
    """Batches of texts by number, with the mean of their last states, without and with the special tokens."""
    # Texts of similar length share a batch.
    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    for start in range(0, len(order), _BLOCK):
        numbers = order[start : start + _BLOCK]
        alone, whole = [], []
        for states in encoder.read(encoder.cut(texts[number]) for number in numbers):
            last = states.vectors[-1]
            alone.append(last[1:-1].mean(axis=0) if len(last) > 2 else last[0])
            whole.append(last.mean(axis=0))
            advance(1)
        yield numbers, np.stack(alone), np.stack(whole)


def unit(vectors: Array) -> Array:
    """Rows scaled to length 1; a row of zeros is kept."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)
