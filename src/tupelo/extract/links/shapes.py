"""Paths between two anchors, and the confidence of each kind of path."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from tupelo.extract.links.wording import Pieces

_CONFIDENCE = json.loads(files("tupelo.extract.links").joinpath("links.json").read_text("utf-8"))
# By what is between the two: a noun that says what one of them is, only a preposition, a noun of both, a verb.
DESCRIPTION, DIRECT, SHARED_NOUN, CLAUSE, PER_NOUN = (
    float(_CONFIDENCE["path"][name]) for name in ("description", "direct", "shared_noun", "clause", "per_noun")
)
# Relative to the tuple of a link: for each noun on the path to a name, for a later argument, from a name inside the
# subject, and between two other arguments.
PER_INNER_NOUN, LATER_ARGUMENT, IN_SUBJECT, AMONG = (
    float(_CONFIDENCE["tuple"][name]) for name in ("per_noun", "later_argument", "in_subject", "among")
)


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
