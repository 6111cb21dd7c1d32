"""The input forms and poolings of the COMBO paper, for phrases as vectors of an encoder's states.

Forms: `sentence` (the whole sentence, phrases by their positions), `triple` ("subject relation object"), `triple-sep`
(the same with a separator after each) and `sep` (every phrase alone).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from tupelo.canon.context import Array, Inputs, PhraseReading, blocks_of_states, in_a_row, in_sentence, mean
from tupelo.canon.methods import Mentions, StateEncoder, no_progress
from tupelo.core.canonical import SLOTS, TripleMention
from tupelo.core.errors import require_name
from tupelo.core.progress import Advance


def _separated(encoder: StateEncoder, mention: TripleMention) -> Inputs:
    joined = encoder.join([mention.phrase(slot).text for slot in SLOTS])
    ends = [number for number, offset in enumerate(joined.offsets) if offset == (0, 0)]
    yield joined, [(before + 1, end) for before, end in pairwise(ends)]


def _alone(encoder: StateEncoder, mention: TripleMention) -> Inputs:
    for slot in SLOTS:
        cut = encoder.cut(mention.phrase(slot).text)
        yield cut, [(1, len(cut.ids) - 1)]


def _diffsum(states: Array) -> Array:
    """Sum and difference of the last and the first subword."""
    first, last = states[:, 0], states[:, -1]
    return np.concatenate([first + last, last - first], axis=-1)


_SHOWN: dict[str, Callable[[StateEncoder, TripleMention], Inputs]] = {
    "sentence": in_sentence,
    "triple": in_a_row,
    "triple-sep": _separated,
    "sep": _alone,
}
_POOLS: dict[str, Callable[[Array], Array]] = {
    "mean": mean,
    "max": lambda states: np.asarray(states.max(axis=1)),
    "diffsum": _diffsum,
}
FORMS, POOLINGS = tuple(_SHOWN), tuple(_POOLS)


def reading(form: str, pooling: str = "mean", layers: Sequence[int] | None = None) -> PhraseReading:
    """A reading by the names of its form and its pooling; all layers if none are chosen."""
    require_name("input form", form, FORMS)
    require_name("pooling", pooling, POOLINGS)
    return PhraseReading(_SHOWN[form], _POOLS[pooling], layers)


def phrase_states(
    encoder: StateEncoder, mentions: Mentions, how: PhraseReading, advance: Advance = no_progress
) -> Array:
    """Array of all phrases: (mention, slot, layer, size), slots in the order of `SLOTS`."""
    states = np.zeros((0, len(SLOTS), 1, 1), dtype=np.float32)
    for numbers, rows in blocks_of_states(encoder, mentions, how, advance):
        if not len(states):
            states = np.empty((len(mentions), *rows.shape[1:]), dtype=np.float32)
        states[numbers] = rows
    return states
