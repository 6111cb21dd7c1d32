"""What the default method knows of every mention: states of the encoder, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.encoders import phrase_states
from tupelo.canon.method import Mentions, StateEncoder, no_progress
from tupelo.core.canonical import SLOTS, Slot
from tupelo.core.progress import Advance

Array = NDArray[np.float32]

# Layers of the sentence that the heads read.
LAYERS = (1, 3, 4, 6)
_OTHER: dict[Slot, Slot] = {"subject": "object", "object": "subject"}


@dataclass(frozen=True, slots=True)
class Context:
    """Blocks of vectors by name, a row per mention.

    `subject:4` is the subject's mean state in layer 4, read within its sentence; `sentence:6` the mean of the whole
    sentence; `phrase:subject` the subject read alone, and `whole:subject` the same with the marks around it, which is
    how the encoder was trained to represent a text.
    """

    mentions: Mentions
    blocks: Mapping[str, Array]

    def block(self, name: str, slot: Slot | None = None) -> Array:
        """A block by name; `own`, `other`, `phrase` and `whole` are about a slot and need it."""
        kind, _, layer = name.partition(":")
        if slot is not None:
            if kind == "own":
                return self.blocks[f"{slot}:{layer}"]
            if kind == "other":
                return self.blocks[f"{_OTHER[slot]}:{layer}"]
            if kind in ("phrase", "whole"):
                return self.blocks[f"{kind}:{slot}"]
        return self.blocks[name]

    def part(self, rows: Sequence[int]) -> Context:
        """Some of the mentions."""
        chosen = list(rows)
        return Context([self.mentions[row] for row in chosen], {name: b[chosen] for name, b in self.blocks.items()})


def read_context(mentions: Mentions, encoder: StateEncoder, advance: Advance = no_progress) -> Context:
    """Everything that the heads need, each sentence and each distinct phrase read once."""
    states = phrase_states(encoder, mentions, "sentence", advance=advance, layers=LAYERS, whole=True)
    blocks: dict[str, Array] = {
        f"{name}:{layer}": states[:, place, number]
        for place, name in enumerate((*SLOTS, "sentence"))
        for number, layer in enumerate(LAYERS)
    }
    texts = {slot: [mention.phrase(slot).text for mention in mentions] for slot in _OTHER}
    alone, whole = read_alone(encoder, (text for slot in _OTHER for text in texts[slot]), advance)
    for slot in _OTHER:
        blocks[f"phrase:{slot}"] = _rows(alone, texts[slot])
        blocks[f"whole:{slot}"] = _rows(whole, texts[slot])
    return Context(mentions, blocks)


def read_alone(
    encoder: StateEncoder, texts: Iterable[str], advance: Advance = no_progress
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Last states of distinct texts: the mean over their subwords, without and with the special tokens."""
    distinct = list(dict.fromkeys(texts))
    alone, whole = {}, {}
    for text, states in zip(distinct, encoder.read(map(encoder.cut, distinct)), strict=True):
        last = states.vectors[-1]
        alone[text] = last[1:-1].mean(axis=0) if len(last) > 2 else last[0]
        whole[text] = last.mean(axis=0)
        advance(1)
    return alone, whole


def _rows(vectors: dict[str, Array], texts: Sequence[str]) -> Array:
    return np.stack([vectors[text] for text in texts])


def unit(vectors: Array) -> Array:
    """Rows at length 1; a row of zeros stays what it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)
