"""The analysed sentences of a text, and its entities: mentions gathered by what they are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from tupelo.core.analysis import WORD_FIELDS, Analysis, Entity, Mention
from tupelo.core.registry import view
from tupelo.core.results import ResultList, values_of

# The types of entities that are names.
NAMES = frozenset(("person", "organization", "place", "event", "work", "other"))
GENITIVES = frozenset(("'s", "’s", "'", "’"))
# Different names of one entity that are compared with each other.
_MOST_NAMES = 30


@dataclass(frozen=True, slots=True)
class PlacedMention:
    """A mention with its text and the number of its sentence, counted from 0 in its document."""

    sentence: int
    mention: Mention
    text: str


@dataclass(frozen=True, slots=True)
class Chain:
    """Everything in a document that is about one thing, in reading order.

    `name` is the proper name that most mentions agree with, in full and without titles; `None` where there is none.
    `label` is the type of most mentions.
    """

    document_id: str | None
    entity: int
    mentions: tuple[PlacedMention, ...]
    name: str | None
    label: str

    def __str__(self) -> str:
        return " | ".join(placed.text for placed in self.mentions)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        row: dict[str, Any] = {"entity": self.entity, "name": self.name, "label": self.label}
        if self.document_id is not None:
            row["document_id"] = self.document_id
        row["mentions"] = [
            {"sentence": placed.sentence}
            | values_of(placed.mention, "start", "end", "head", "label")
            | {"text": placed.text}
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
        names: dict[int, list[str]] = {}
        for number, analysis in enumerate(sentences):
            for mention in analysis.mentions or ():
                found.setdefault(mention.entity, []).append(PlacedMention(number, mention, analysis.phrase(mention)))
                name = named(analysis, mention)
                if name is not None:
                    names.setdefault(mention.entity, []).append(analysis.phrase(name))
        for entity, mentions in sorted(found.items()):
            label = Counter(placed.mention.label for placed in mentions).most_common(1)[0][0]
            yield Chain(document_id, entity, tuple(mentions), fullest_name(names.get(entity, ()), label), label)


class Analyses(ResultList[Analysis]):
    """The analysed sentences of a text."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The lines that `tupelo analyze --format jsonl` writes, under `sentences`, and `chains` if there are any."""
        row: dict[str, Any] = {"sentences": [analysis.to_dict() for analysis in self]}
        if any(analysis.mentions is not None for analysis in self):
            row["chains"] = [chain.to_dict() for chain in self.chains]
        return row

    def rows(self) -> list[dict[str, Any]]:
        """One row per word; `sentence`, `word` and `head` count from 0."""
        return [
            {"sentence": number, "word": index} | values_of(word, *WORD_FIELDS)
            for number, analysis in enumerate(self)
            for index, word in enumerate(analysis.words)
        ]

    @property
    def chains(self) -> tuple[Chain, ...]:
        """The entities of the documents, each with all its mentions; none unless coreference was asked for."""
        return tuple(chains(self))

    def __str__(self) -> str:
        return "\n\n".join(view(analysis, "words") for analysis in self)


def named(analysis: Analysis, mention: Mention) -> Entity | None:
    """The proper name that a mention consists of or has as its head, without a genitive ending.

    *Ann and Bob* has none, though *Ann* is its head.
    """
    inside = analysis.words[mention.start : mention.end]
    if any(word.head == mention.head and word.deprel == "conj" for word in inside):
        return None
    for entity in analysis.entities or ():
        if entity.start <= mention.head < entity.end and entity.label in NAMES:
            last = entity.end - 1
            genitive = last > mention.head and analysis.words[last].text in GENITIVES
            return replace(entity, end=last) if genitive else entity
    return None


def fullest_name(names: Sequence[str], label: str) -> str | None:
    """Of the names of something of this type, the one that most agree with, the longest of several, then the first.

    A short name agrees with a longer one of a person, and initials agree with what they abbreviate. A longer name of
    anything else may well be that of something else: *Toyota* and *Toyota Motor Kentucky*.

    >>> fullest_name(["Lee", "Ann Lee", "Lee", "Bo Juul Berg"], "person")
    'Ann Lee'
    """
    counts = Counter(names).most_common(_MOST_NAMES)
    best, most = None, (0, 0)
    for name, _ in counts:
        agreeing = sum(count for other, count in counts if agrees(other, name, label))
        if (agreeing, len(name)) > most:
            best, most = name, (agreeing, len(name))
    return best


def agrees(short: str, name: str, label: str) -> bool:
    """Whether a name may stand for a fuller one, or is the same.

    >>> agrees("ECB", "European Central Bank", "organization"), agrees("Lee", "Ann Lee", "person")
    (True, True)
    """
    words = name.lower().split()
    own = short.lower().split()
    initials = "".join(word[0] for word in name.split() if word[0].isupper())
    is_abbreviation = len(initials) > 1 and short.replace(".", "") == initials
    return own == words or is_abbreviation or (label == "person" and set(own) < set(words))
