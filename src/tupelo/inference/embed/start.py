"""Initial vectors from an encoder.

In a small corpus most phrases have too few contexts to be distinguished by them. Vectors of rare phrases stay near
those of the encoder, vectors of frequent ones follow their contexts. For relations, preposition, voice and negation
get directions of their own, because encoders hardly distinguish them: *immigrated to*, *immigrated from*; *portrays*,
*is portrayed by*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tupelo.canon.methods.vectors import word_vector
from tupelo.canon.side import principal
from tupelo.core import InputError
from tupelo.core.vectors import Floats32, unit_rows
from tupelo.nlp.encoder import Encoder
from tupelo.relations.phrases import read_phrase

# Chosen by the neighbours of 157 names. The same contexts move a longer vector less.
LENGTH = 2.0
PREPOSITION, VOICE, NEGATION = 0.45, 0.3, 0.8


def encoded_start(
    names: Sequence[str], encoder: Encoder, size: int | None = None, *, relations: bool = False
) -> Floats32:
    """A row for each name: its direction from the mean of all, in the `size` directions that differ most."""
    rows = np.asarray(encoder.encode(names), dtype=np.float32)
    width = rows.shape[1]
    if size is not None and size > width:
        raise InputError(f"vectors of {size} numbers, expected at most the {width} of the encoder")
    rows = unit_rows(rows - rows.mean(axis=0))
    if relations:
        rows += form_directions(names, width)
    if size is not None and size < width:
        rows = principal(rows, size)
    return np.asarray(LENGTH * rows, dtype=np.float32)


def form_directions(names: Sequence[str], size: int) -> Floats32:
    """The directions of the preposition, voice and negation of each relation."""
    made: dict[str, Floats32] = {}
    rows = np.zeros((len(names), size), dtype=np.float32)
    for number, name in enumerate(names):
        for mark, weight in _marks(name):
            direction = word_vector(mark, vectors={}, size=size, seed=0, made=made)
            rows[number] += np.float32(weight) * direction / np.linalg.norm(direction)
    return rows


def _marks(name: str) -> Iterator[tuple[str, float]]:
    phrase = read_phrase(name)
    yield ("passive" if phrase.passive else "active"), VOICE
    if phrase.preposition is not None:
        yield f"preposition {phrase.preposition}", PREPOSITION
    if phrase.negated:
        yield "negated", NEGATION
