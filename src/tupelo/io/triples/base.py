"""What a file of triples holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tupelo.core.canonical import SLOTS, SUBTASKS, GoldLabels, Phrase, TripleMention
from tupelo.core.sentence import Span
from tupelo.io.lines import Fault


@dataclass(frozen=True, slots=True)
class TripleFile:
    """Mentions in the order of the file, with gold labels and side information where the file has them.

    `gold` is empty for data without any. `side_pairs` is what
    `canon.resources.Resources` calls so.
    """

    mentions: tuple[TripleMention, ...]
    gold: GoldLabels = field(default_factory=dict)
    side_pairs: dict[str, tuple[tuple[str, str, float], ...]] = field(default_factory=dict)
    checksum: str = ""


class Collected:
    """Mentions by id while a file is read: a later one with the same id takes the earlier one's place."""

    def __init__(self) -> None:
        self._mentions: dict[str, TripleMention] = {}
        self._gold: dict[str, dict[str, frozenset[str]]] = {subtask: {} for subtask in SUBTASKS}

    def add(self, mention: TripleMention, labels: dict[str, Iterable[str]] | None = None) -> None:
        self._mentions[mention.id] = mention
        for subtask, values in (labels or {}).items():
            self._gold[subtask][mention.id] = frozenset(values)

    def file(self, **rest: Any) -> TripleFile:
        gold = {subtask: labels for subtask, labels in self._gold.items() if labels}
        return TripleFile(tuple(self._mentions.values()), gold, **rest)


def phrases_of(fields: Iterable[str], sentence: str | None = None) -> tuple[Phrase, Phrase, Phrase]:
    """Subject, relation and object, each where it stands in the sentence; raises when one of them is blank."""
    found: list[Phrase] = []
    for text, what in zip(fields, SLOTS, strict=False):
        if not text.strip():
            raise Fault(f"{what} is empty", "a phrase")
        found.append(Phrase(text.strip(), find_phrase(text.strip(), sentence) if sentence else None))
    subject, relation, object_ = found
    return subject, relation, object_


def find_phrase(phrase: str, sentence: str) -> Span | None:
    """The first place where the words stand as they are, whole words only, upper and lower case alike."""
    if not phrase or not sentence:
        return None
    found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence, re.IGNORECASE)
    return Span(*found.span()) if found else None
