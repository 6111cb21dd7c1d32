"""What the default method knows of every mention: states of the encoder, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cuts import distinct
from tupelo.canon.encoders import blocks_of_states, reading_of
from tupelo.canon.method import Mentions, StateEncoder, no_progress
from tupelo.core.canonical import SLOTS, Slot
from tupelo.core.progress import Advance

Array = NDArray[np.float32]
Halves = NDArray[np.float16]

# Layers of the sentence that the heads read, and what they read of them.
LAYERS = (1, 3, 4, 6)
_PLACES = (*SLOTS, "sentence")
_NOUNS: tuple[Slot, ...] = ("subject", "object")
_KEPT = (*(f"{slot}:{layer}" for slot in _NOUNS for layer in LAYERS), "relation:4", "relation:6", "sentence:6")
_OTHER: dict[Slot, Slot] = {"subject": "object", "object": "subject"}
# Mentions whose vectors are worked on at once.
_BLOCK = 4096


@dataclass(frozen=True, slots=True)
class Context:
    """Blocks of vectors by name, a row per mention.

    `subject:4` is the subject's mean state in layer 4, read within its sentence; `sentence:6` the mean of the whole
    sentence; `phrase:subject` the subject read alone, and `whole:subject` the same with the marks around it, which is
    how the encoder was trained to represent a text.

    States are stored in half precision, once for all mentions that share them: `rows` has the place of each mention's
    own among the `stored` ones, for what was read in a sentence (`read`) and for phrases read alone, by slot.
    """

    mentions: Mentions
    stored: Mapping[str, Halves]
    rows: Mapping[str, NDArray[np.int64]]

    def block(self, name: str, slot: Slot | None = None) -> Array:
        """A block by name; `own`, `other`, `phrase` and `whole` are about a slot and need it."""
        kind, _, layer = name.partition(":")
        if slot is not None and kind in ("phrase", "whole"):
            return self.stored[kind][self.rows[slot]].astype(np.float32)
        if slot is not None and kind in ("own", "other"):
            name = f"{slot if kind == 'own' else _OTHER[slot]}:{layer}"
        return self.stored[name][self.rows["read"]].astype(np.float32)

    def part(self, chosen: Sequence[int] | NDArray[np.int64]) -> Context:
        """Some of the mentions."""
        numbers = np.asarray(chosen, dtype=np.int64)
        mentions = [self.mentions[number] for number in numbers.tolist()]
        return Context(mentions, self.stored, {name: rows[numbers] for name, rows in self.rows.items()})

    def parts(self) -> Iterator[tuple[slice, Context]]:
        """All mentions in parts small enough to have every block of them in memory."""
        for start in range(0, len(self.mentions), _BLOCK):
            end = min(start + _BLOCK, len(self.mentions))
            yield slice(start, end), self.part(np.arange(start, end))


def read_context(mentions: Mentions, encoder: StateEncoder, advance: Advance = no_progress) -> Context:
    """Everything that the heads need, each sentence and each distinct phrase read once."""
    firsts, rows = distinct([reading_of(mention) for mention in mentions])
    stored: dict[str, Halves] = {}
    shown = [mentions[first] for first in firsts]
    for numbers, states in blocks_of_states(encoder, shown, "sentence", advance=advance, layers=LAYERS, whole=True):
        for name in _KEPT:
            place, layer = name.split(":")
            found = states[:, _PLACES.index(place), LAYERS.index(int(layer))]
            stored.setdefault(name, np.empty((len(shown), found.shape[1]), dtype=np.float16))[numbers] = found
    texts = [mention.phrase(slot).text for slot in _NOUNS for mention in mentions]
    firsts, alone = distinct(texts)
    alone_texts = [texts[first] for first in firsts]
    stored["phrase"], stored["whole"] = read_alone(encoder, alone_texts, advance, dtype=np.float16)
    return Context(mentions, stored, {"read": rows, **dict(zip(_NOUNS, np.split(alone, len(_NOUNS)), strict=True))})


def read_alone(
    encoder: StateEncoder, texts: Sequence[str], advance: Advance = no_progress, dtype: type[Any] = np.float32
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Last states of texts: the mean over their subwords, without and with the special tokens."""
    # Texts of one length are read together.
    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    alone, whole = (np.empty((len(texts), 0), dtype=dtype) for _ in range(2))
    for number, states in zip(order, encoder.read(encoder.cut(texts[number]) for number in order), strict=True):
        last = states.vectors[-1]
        if not alone.shape[1]:
            alone, whole = (np.empty((len(texts), last.shape[1]), dtype=dtype) for _ in range(2))
        alone[number] = last[1:-1].mean(axis=0) if len(last) > 2 else last[0]
        whole[number] = last.mean(axis=0)
        advance(1)
    return alone, whole


def add_rows(total: Array, numbers: NDArray[np.int64], rows: Array) -> None:
    """Add every row to the row of `total` that its number says."""
    order = np.argsort(numbers, kind="stable")
    owners, starts = np.unique(numbers[order], return_index=True)
    total[owners] += np.add.reduceat(rows[order], starts, axis=0)


def unit(vectors: Array) -> Array:
    """Rows at length 1; a row of zeros stays what it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)
