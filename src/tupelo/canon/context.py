"""Phrases as vectors of an encoder's states, and those of the default method.

A mention is read within its sentence, its phrases by their positions; one whose phrases have no position is read as
"subject relation object" instead. (`tupelo_training.canon.readings` has the other input forms of the COMBO paper.)

The default method reads a `Context`: the states of every mention, in named blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cuts import distinct
from tupelo.canon.methods import Mentions, StateEncoder, no_progress
from tupelo.core.canonical import SLOTS, Slot, TripleMention
from tupelo.core.extraction import Span
from tupelo.core.progress import Advance
from tupelo.nlp.encoder import EncodedText

Array = NDArray[np.float32]
Halves = NDArray[np.float16]
# Inputs for one mention, each with the subwords [start, end) of its phrases.
Inputs = Iterator[tuple[EncodedText, list[tuple[int, int]]]]
# Mentions whose sentences are read at once.
_READ_AT_ONCE = 2048


def in_sentence(encoder: StateEncoder, mention: TripleMention) -> Inputs:
    """The sentence of a mention, or its three phrases in a row if they have no positions."""
    spans = [mention.phrase(slot).span for slot in SLOTS]
    yield from in_a_row(encoder, mention) if None in spans else [_covered(encoder, mention.sentence, spans)]


def in_a_row(encoder: StateEncoder, mention: TripleMention) -> Inputs:
    """*subject relation object*."""
    texts = [mention.phrase(slot).text for slot in SLOTS]
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    spans = [Span(start, start + len(text)) for start, text in zip(starts, texts, strict=False)]
    yield _covered(encoder, " ".join(texts), spans)


def _covered(
    encoder: StateEncoder, text: str, spans: Sequence[Span | None]
) -> tuple[EncodedText, list[tuple[int, int]]]:
    """The subwords that share characters with each span; [CLS] alone when none does."""
    cut, places = encoder.cut(text), []
    for span in filter(None, spans):
        bounds = enumerate(cut.offsets)
        inside = [n for n, (left, right) in bounds if left < span.end and right > span.start and right > left]
        places.append((inside[0], inside[-1] + 1) if inside else (0, 1))
    return cut, places


def mean(states: Array) -> Array:
    return np.asarray(states.mean(axis=1))


@dataclass(frozen=True, slots=True)
class PhraseReading:
    """The inputs that are `shown` for a mention, the pooling and the `layers` (in that order; all if `None`).

    With `whole` the whole input follows the slots as one more row.
    """

    shown: Callable[[StateEncoder, TripleMention], Inputs] = in_sentence
    pool: Callable[[Array], Array] = mean
    layers: Sequence[int] | None = None
    whole: bool = False


def blocks_of_states(
    encoder: StateEncoder, mentions: Mentions, how: PhraseReading, advance: Advance = no_progress
) -> Iterator[tuple[list[int], Array]]:
    """Batches of mentions by number, with the vectors of their phrases: (mention, slot, layer, size).

    Slots are in the order of `SLOTS`. Mentions of one sentence share a batch, and the sentence is encoded once.
    """
    order = sorted(range(len(mentions)), key=lambda number: mentions[number].sentence)
    for start in range(0, len(order), _READ_AT_ONCE):
        numbers = order[start : start + _READ_AT_ONCE]
        yield numbers, _block_of_states(encoder, [mentions[number] for number in numbers], how, advance)


def _block_of_states(encoder: StateEncoder, mentions: Mentions, how: PhraseReading, advance: Advance) -> Array:
    inputs: dict[tuple[int, ...], EncodedText] = {}
    # For every input the rows that are pooled from it, each with its range of subwords.
    asked: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    count = 0
    for mention in mentions:
        for shown, where in how.shown(encoder, mention):
            inputs.setdefault(shown.ids, shown)
            for place in (*where, *([(0, len(shown.ids))] if how.whole else [])):
                asked.setdefault(shown.ids, []).append((count, *place))
                count += 1
    rows: list[Array] = [np.empty(0, dtype=np.float32)] * count
    for states, ids in zip(encoder.read(inputs.values()), inputs, strict=True):
        vectors = states.vectors if how.layers is None else states.vectors[list(how.layers)]
        for row, start, end in asked[ids]:
            rows[row] = how.pool(vectors[:, _chosen(states.offsets, start, end)])
        advance(1)
    return np.stack(rows).reshape(len(mentions), -1, *rows[0].shape)


def reading_of(mention: TripleMention) -> Hashable:
    """The input of a mention, by its content: equal inputs have equal states."""
    phrases = [mention.phrase(slot) for slot in SLOTS]
    if any(phrase.span is None for phrase in phrases):
        return tuple(phrase.text for phrase in phrases)
    return mention.sentence, *(phrase.span for phrase in phrases)


def _chosen(offsets: Sequence[tuple[int, int]], start: int, end: int) -> slice:
    # [CLS] stands for a phrase without any subword: unknown characters, or beyond the end of a truncated input.
    return slice(start, end) if start < end <= len(offsets) else slice(0, 1)


# Layers of the sentence that the heads use, and the states that are stored of them.
LAYERS = (1, 3, 4, 6)
_READING = PhraseReading(layers=LAYERS, whole=True)
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


def standardized(vectors: Array) -> Array:
    """Every dimension with mean 0 and deviation 1 over the rows (Timkey and van Schijndel 2021).

    A constant dimension is only centred. A row that equals the mean has no direction left and is kept as it was, so
    that a single phrase, or many equal ones, are not an error.
    """
    deviation = vectors.std(axis=0)
    moved = (vectors - vectors.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
    lost = np.linalg.norm(moved, axis=1) < 1e-6 * np.sqrt(moved.shape[1])
    moved[lost] = vectors[lost]
    return np.asarray(moved, dtype=np.float32)
