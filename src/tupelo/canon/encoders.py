"""Phrases as vectors of an encoder's states: four input forms, three poolings.

The forms are those of the COMBO paper: `sentence` (the whole sentence, phrases by their positions), `triple`
("subject relation object"), `triple-sep` (the same with a separator after each) and `sep` (every phrase alone). A
mention whose phrases have no position in its sentence is encoded as a `triple` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.method import Mentions, StateEncoder, no_progress
from tupelo.core import UnknownNameError
from tupelo.core.canonical import SLOTS, TripleMention
from tupelo.core.progress import Advance
from tupelo.nlp.encoder import EncodedText

FORMS = ("sentence", "triple", "triple-sep", "sep")
Vectors = NDArray[np.float32]
Places = list[tuple[int, int]]
# Mentions per batch.
_BLOCK = 2048


def _diffsum(states: Vectors) -> Vectors:
    """Sum and difference of the last and the first subword."""
    first, last = states[:, 0], states[:, -1]
    return np.concatenate([first + last, last - first], axis=-1)


_POOLS: dict[str, Callable[[Vectors], Vectors]] = {
    "mean": lambda states: np.asarray(states.mean(axis=1)),
    "max": lambda states: np.asarray(states.max(axis=1)),
    "diffsum": _diffsum,
}
POOLINGS = tuple(_POOLS)


@dataclass(frozen=True, slots=True)
class PhraseReading:
    """Input form, pooling and `layers` (in that order; all if `None`) of phrase vectors.

    With `whole` the whole input follows the slots as one more row.
    """

    form: str
    pooling: str = "mean"
    layers: Sequence[int] | None = None
    whole: bool = False

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UnknownNameError.among("input form", self.form, FORMS)
        if self.pooling not in POOLINGS:
            raise UnknownNameError.among("pooling", self.pooling, POOLINGS)


def phrase_states(
    encoder: StateEncoder, mentions: Mentions, how: PhraseReading, advance: Advance = no_progress
) -> Vectors:
    """Vectors of all phrases: (mention, slot, layer, size), slots in the order of `SLOTS`."""
    states = np.zeros((0, len(SLOTS), 1, 1), dtype=np.float32)
    for numbers, rows in blocks_of_states(encoder, mentions, how, advance):
        if not len(states):
            states = np.empty((len(mentions), *rows.shape[1:]), dtype=np.float32)
        states[numbers] = rows
    return states


def blocks_of_states(
    encoder: StateEncoder, mentions: Mentions, how: PhraseReading, advance: Advance = no_progress
) -> Iterator[tuple[list[int], Vectors]]:
    """Batches of mentions by number, with their vectors as in `phrase_states`.

    Mentions of one sentence share a batch, and the sentence is encoded once.
    """
    order = sorted(range(len(mentions)), key=lambda number: mentions[number].sentence)
    for start in range(0, len(order), _BLOCK):
        numbers = order[start : start + _BLOCK]
        yield numbers, _block_of_states(encoder, [mentions[number] for number in numbers], how, advance)


def _block_of_states(encoder: StateEncoder, mentions: Mentions, how: PhraseReading, advance: Advance) -> Vectors:
    inputs: dict[tuple[int, ...], EncodedText] = {}
    # For every input the rows that are pooled from it, each with its range of subwords.
    asked: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    count = 0
    for mention in mentions:
        for shown, where in _shown(encoder, mention, how.form):
            inputs.setdefault(shown.ids, shown)
            for place in (*where, *([(0, len(shown.ids))] if how.whole else [])):
                asked.setdefault(shown.ids, []).append((count, *place))
                count += 1
    rows: list[Vectors] = [np.empty(0, dtype=np.float32)] * count
    for states, ids in zip(encoder.read(inputs.values()), inputs, strict=True):
        vectors = states.vectors if how.layers is None else states.vectors[list(how.layers)]
        for row, start, end in asked[ids]:
            rows[row] = _POOLS[how.pooling](vectors[:, _chosen(states.offsets, start, end)])
        advance(1)
    return np.stack(rows).reshape(len(mentions), -1, *rows[0].shape)


def reading_of(mention: TripleMention) -> Hashable:
    """The input of a mention in the form `sentence`: equal inputs have equal states."""
    phrases = [mention.phrase(slot) for slot in SLOTS]
    if any(phrase.span is None for phrase in phrases):
        return tuple(phrase.text for phrase in phrases)
    return mention.sentence, *(phrase.span for phrase in phrases)


def _shown(encoder: StateEncoder, mention: TripleMention, form: str) -> Iterator[tuple[Any, Places]]:
    """Inputs for one mention, each with the subwords [start, end) of its phrases."""
    texts = [mention.phrase(slot).text for slot in SLOTS]
    if form == "sep":
        for text in texts:
            cut = encoder.cut(text)
            yield cut, [(1, len(cut.ids) - 1)]
        return
    if form == "triple-sep":
        joined = encoder.join(texts)
        ends = [number for number, offset in enumerate(joined.offsets) if offset == (0, 0)]
        yield joined, [(before + 1, end) for before, end in pairwise(ends)]
        return
    spans = [mention.phrase(slot).span for slot in SLOTS]
    if form == "sentence" and all(span is not None for span in spans):
        cut = encoder.cut(mention.sentence)
        yield cut, [_covered(cut.offsets, span.start, span.end) for span in spans if span is not None]
        return
    cut = encoder.cut(" ".join(texts))
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)])
    yield (
        cut,
        [
            _covered(cut.offsets, int(start), int(start) + len(text))
            for start, text in zip(starts, texts, strict=False)
        ],
    )


def _covered(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The subwords that share characters with [start, end); [CLS] alone when none does."""
    inside = [n for n, (left, right) in enumerate(offsets) if left < end and right > start and right > left]
    return (inside[0], inside[-1] + 1) if inside else (0, 1)


def _chosen(offsets: Sequence[tuple[int, int]], start: int, end: int) -> slice:
    # [CLS] stands for a phrase without any subword: unknown characters, or beyond the end of a truncated input.
    return slice(start, end) if start < end <= len(offsets) else slice(0, 1)
