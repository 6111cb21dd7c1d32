"""How the network that compares statements reads a pair: both as text, parts divided by bars, relations marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tupelo.core.extraction import Triple

if TYPE_CHECKING:
    from tupelo.nlp.encoder import Encoder, Pieces

# Only the first characters of a part are read: arguments may be whole clauses, and cost grows with their length.
_MOST_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Reading:
    """A pair in pieces. `first` and `second` are the places of the two relations: start and end, end excluded."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    first: tuple[int, int]
    second: tuple[int, int]


def read_pair(premise: Triple, hypothesis: Triple, encoder: Encoder) -> Reading:
    """Premise and hypothesis as one input of a network with the encoder's vocabulary."""
    texts, spans = zip(*(_text(triple) for triple in (premise, hypothesis)), strict=True)
    pieces, segments = encoder.cut_pair(*texts)
    places = [_places(pieces, segments, number, span) for number, span in enumerate(spans)]
    return Reading(pieces.ids, segments, places[0], places[1])


def _text(triple: Triple) -> tuple[str, tuple[int, int]]:
    subject, relation, target = (
        " ".join(part.split())[:_MOST_CHARACTERS] for part in (triple.subject, triple.relation, triple.object)
    )
    start = len(subject) + 3
    return f"{subject} | {relation} | {target}", (start, start + len(relation))


def _places(pieces: Pieces, segments: tuple[int, ...], number: int, span: tuple[int, int]) -> tuple[int, int]:
    """The pieces of one text that lie in a span of its characters; the mark before it where there are none."""
    found = [
        place
        for place, ((start, end), segment) in enumerate(zip(pieces.offsets, segments, strict=True))
        if segment == number and start < end and start >= span[0] and end <= span[1]
    ]
    return (found[0], found[-1] + 1) if found else (0, 1)
