"""A sentence with its syntax: words with offsets, tags and heads, constituents, entities.

Everything is flat. A constituency tree is the list of its phrases in pre-order, so that a tree of any depth can be
compared, pickled and written without recursion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tupelo.core.blocks import Block
from tupelo.core.extraction import Span, on_one_line
from tupelo.core.registry import Shown
from tupelo.core.results import values_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Types of named entities, each with its scope.
ENTITY_TYPES = {
    "person": "people, real or invented",
    "organization": "companies, agencies, parties, teams, bands",
    "place": "countries, cities, rivers, buildings, streets",
    "datetime": "dates, times of day, durations, ages",
    "number": "counts, ordinals, money, percentages, measures",
    "event": "named wars, storms, matches, festivals",
    "work": "titles of books, films, songs, laws",
    "other": "nationalities, languages, products and every other name",
}

# Types of mentions, each with its scope.
MENTION_TYPES = {
    "person": "people, alone or in groups, real or invented",
    "organization": "companies, agencies, parties, teams, bands",
    "place": "countries, cities, rivers, buildings, rooms",
    "time": "dates, times of day, durations, ages",
    "event": "what happens: wars, meetings, decisions",
    "object": "things that can be touched: tools, vehicles, food, books",
    "abstract": "ideas, languages, laws, sums, and everything else",
    "animal": "animals",
    "plant": "plants",
    "substance": "water, gold, air",
}

WORD_FIELDS = ("text", "start", "end", "lemma", "upos", "xpos", "feats", "head", "deprel")
_word_values = attrgetter(*WORD_FIELDS)


@dataclass(frozen=True, slots=True)
class Word:
    """One syntactic word.

    `start` and `end` count characters of the text that was analysed, so `text[start:end]` is the word, except that
    one which a line break divides (*com-* | *mands*) is whole here; `Analysis.span` counts from the start of the
    sentence. `head` is the index of the head in the sentence, `None` for the root. `feats` is written as in CoNLL-U
    (`Number=Sing|Person=3`), empty when there are none. A value that nobody gave is `None`; a word of a sentence that
    nobody parsed has neither head nor `deprel`.
    """

    text: str
    start: int
    end: int
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: str | None = None
    head: int | None = None
    deprel: str | None = None

    def feature(self, name: str) -> str | None:
        """The value of one morphological feature.

        >>> Word("sings", 0, 5, feats="Number=Sing|Person=3").feature("Person")
        '3'
        """
        if not self.feats or name not in self.feats:
            return None
        for pair in self.feats.split("|"):
            key, _, value = pair.partition("=")
            if key == name:
                return value
        return None

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[Word], tuple[object, ...]]:
        # Words travel between processes by the million; this is several times as quick as the default.
        return Word, _word_values(self)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that no sentence crosses, and where it starts in the document.

    `blocks` are its parts, their places counted in the document; without any, it is running text. `published` is the
    day of the document.
    """

    text: str
    start: int = 0
    document_id: str | None = None
    blocks: tuple[Block, ...] = ()
    published: str | None = None


@dataclass(frozen=True, slots=True)
class Constituent:
    """A phrase: its label and the words `[start, end)` that it covers."""

    label: str
    start: int
    end: int

    def __reduce__(self) -> tuple[type[Constituent], tuple[str, int, int]]:
        return Constituent, (self.label, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity: its type and the words `[start, end)` that name it."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase that stands for something: words `[start, end)` with their `head`, and a type of `MENTION_TYPES`.

    Mentions of a document with the same `entity` are about the same thing. Entities are numbered from 0, in the order
    of their first mentions. `confidence` is the probability that a mention is about the same thing as those before
    it, 1 for the first.
    """

    entity: int
    start: int
    end: int
    head: int
    label: str
    confidence: float = field(default=1.0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Analysis(Shown):
    """A sentence and what a parser says about it.

    `start` is the position of `text` in the text that was analysed. `constituents` lists the phrases in pre-order (of
    two phrases with the same words the outer one comes first), the root included; words are not listed.
    `contractions` are runs of words `[start, end)` that are written as one, such as *do* and *n't*. `vectors` has one
    row per word where it was asked for, and so has `certainty`: the probabilities of its head and of the label of
    its link. `mentions`, where coreference was asked for, are in the order of their first
    words, longer ones first. `partial`: the sentence was longer than the limit and goes on in the next.
    """

    text: str
    words: tuple[Word, ...]
    start: int = 0
    constituents: tuple[Constituent, ...] | None = None
    entities: tuple[Entity, ...] | None = None
    contractions: tuple[tuple[int, int], ...] = ()
    id: str | None = None
    document_id: str | None = None
    mentions: tuple[Mention, ...] | None = None
    vectors: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    certainty: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    partial: bool = field(default=False, compare=False, repr=False)

    def span(self, start: int, end: int) -> Span:
        """The characters of words `[start, end)`, counted from the start of the sentence."""
        if start >= end:
            raise ValueError(f"words [{start}, {end}) are none")
        return Span(self.words[start].start - self.start, self.words[end - 1].end - self.start)

    def phrase(self, part: Constituent | Entity | Mention) -> str:
        """The text of a phrase, an entity or a mention, as it is written in the sentence, on one line."""
        return self.written(part.start, part.end)

    def written(self, start: int, end: int) -> str:
        """The text of words `[start, end)` as it is written, on one line, words that a line break divides whole."""
        span = self.span(start, end)
        text = span.of(self.text)
        if "\n" not in text and "- " not in text:
            return on_one_line(text)
        pieces: list[str] = []
        position = span.start
        for word in self.words[start:end]:
            begin, stop = word.start - self.start, word.end - self.start
            if len(self.text[begin:stop].split()) == 2 and len(word.text.split()) == 1:
                pieces += [self.text[position:begin], word.text]
                position = stop
        return on_one_line("".join((*pieces, self.text[position : span.end])))

    @property
    def root(self) -> int | None:
        """The word that depends on nothing; `None` where nobody parsed the sentence."""
        for index, word in enumerate(self.words):
            if word.head is None and word.deprel is not None:
                return index
        return None

    def children(self, index: int) -> tuple[int, ...]:
        """The words whose head is word `index`, in order."""
        return tuple(child for child, word in enumerate(self.words) if word.head == index)

    def subtree(self, index: int) -> tuple[int, ...]:
        """Word `index` and everything below it, in order."""
        below: dict[int, list[int]] = {}
        for child, word in enumerate(self.words):
            if word.head is not None:
                below.setdefault(word.head, []).append(child)
        found, pending = [], [index]
        while pending:
            found.append(pending.pop())
            pending.extend(below.get(found[-1], ()))
        return tuple(sorted(found))

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values; unknown ones are left out, and so are vectors."""
        row: dict[str, Any] = {"text": self.text, "start": self.start}
        row |= {name: value for name in ("id", "document_id") if (value := getattr(self, name)) is not None}
        row["words"] = [values_of(word, *WORD_FIELDS) for word in self.words]
        if self.contractions:
            row["contractions"] = [list(run) for run in self.contractions]
        if self.entities is not None:
            row["entities"] = [
                values_of(part, "label", "start", "end") | {"text": self.phrase(part)} for part in self.entities
            ]
        if self.mentions is not None:
            row["mentions"] = [
                values_of(part, "entity", "label", "start", "end", "head") | {"text": self.phrase(part)}
                for part in self.mentions
            ]
        if self.constituents is not None:
            row["constituents"] = [[part.label, part.start, part.end] for part in self.constituents]
        return row


def constituent_depths(constituents: Sequence[Constituent]) -> list[int]:
    """The depth of each phrase of a pre-order list; raises when two phrases cross.

    >>> constituent_depths([Constituent("S", 0, 3), Constituent("NP", 0, 1), Constituent("VP", 1, 3)])
    [0, 1, 1]
    """
    depths: list[int] = []
    open_ends: list[int] = []
    previous_start = 0
    for part in constituents:
        while open_ends and open_ends[-1] <= part.start:
            open_ends.pop()
        if part.start < previous_start or part.start >= part.end or (open_ends and part.end > open_ends[-1]):
            raise ValueError(
                f"{part.label} [{part.start}, {part.end}) crosses a phrase before it, or is out of order"
            )
        depths.append(len(open_ends))
        open_ends.append(part.end)
        previous_start = part.start
    return depths
