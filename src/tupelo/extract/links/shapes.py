"""Paths between two anchors, and the confidence of each kind of path."""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.extract.links.wording import Pieces

# By what joins the two: a noun that says what one of them is, nothing but a preposition, a noun of both, a verb.
DESCRIPTION, DIRECT, SHARED_NOUN, CLAUSE = 0.85, 0.85, 0.6, 0.75
# Each further noun on the path.
PER_NOUN = 0.93


@dataclass(frozen=True, slots=True)
class Path:
    """Two anchors and the words from the first to the second.

    `shape` has the labels of the path, upwards before `^`, with prepositions in brackets. `stated` and `tops` are the
    relation and the heads of the arguments in the sentence, where the link is worded otherwise.
    """

    subject: int
    object: int
    pieces: Pieces
    shape: str
    confidence: float
    stated: Pieces | None = None
    tops: tuple[int, int] | None = None
