"""The entities of documents: the mentions of analysed sentences, gathered by what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from tupelo.core.analysis import Analysis, Mention

# The types of entities that are names.
NAMES = frozenset(("person", "organization", "place", "event", "work", "other"))


@dataclass(frozen=True, slots=True)
class PlacedMention:
    """A mention with its text and the number of its sentence, counted from 0 in its document."""

    sentence: int
    mention: Mention
    text: str


@dataclass(frozen=True, slots=True)
class Chain:
    """Everything in a document that is about one thing, in reading order.

    `name` is the fullest proper name among the mentions, without titles; `None` where it has none.
    """

    document_id: str | None
    entity: int
    mentions: tuple[PlacedMention, ...]
    name: str | None = None

    def __str__(self) -> str:
        return " | ".join(placed.text for placed in self.mentions)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        row: dict[str, Any] = {"entity": self.entity, "name": self.name}
        if self.document_id is not None:
            row["document_id"] = self.document_id
        row["mentions"] = [
            {
                "sentence": placed.sentence,
                "start": placed.mention.start,
                "end": placed.mention.end,
                "head": placed.mention.head,
                "label": placed.mention.label,
                "text": placed.text,
            }
            for placed in self.mentions
        ]
        return row


def chains(analyses: Iterable[Analysis]) -> Iterator[Chain]:
    """The chains of a stream of sentences, document by document; the sentences of a document follow each other.

    >>> from tupelo.core.analysis import Word
    >>> it = Mention(0, 0, 1, 0, "organization")
    >>> [chain] = chains([Analysis("It grew", (Word("It", 0, 2), Word("grew", 3, 7)), mentions=(it,))])
    >>> print(chain)
    It
    """
    for document_id, sentences in groupby(analyses, key=lambda analysis: analysis.document_id):
        found: dict[int, list[PlacedMention]] = {}
        names: dict[int, str] = {}
        for number, analysis in enumerate(sentences):
            for mention in analysis.mentions or ():
                found.setdefault(mention.entity, []).append(PlacedMention(number, mention, analysis.phrase(mention)))
                name = named(analysis, mention)
                if name is not None and len(name.split()) > len(names.get(mention.entity, "").split()):
                    names[mention.entity] = name
        for entity, mentions in sorted(found.items()):
            yield Chain(document_id, entity, tuple(mentions), names.get(entity))


def named(analysis: Analysis, mention: Mention) -> str | None:
    """The proper name that a mention consists of or has as its head, as it is written."""
    for entity in analysis.entities or ():
        if entity.start <= mention.head < entity.end and entity.label in NAMES:
            return analysis.phrase(entity)
    return None
