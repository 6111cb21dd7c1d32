"""The sentences that say most about something: few, each true by itself, and no two of them alike.

A sentence is worth what the asserted statements in it are worth, the best one most, those in passing little. It is
worth less where it cannot be read alone: a pronoun for what it has not named, words that continue another sentence,
a speaker's *I*, no end. Sentences are chosen one by one by maximal marginal relevance (Carbonell and Goldstein 1998):
what one is worth, less its likeness to those already chosen, by their words, rare ones counting more.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tupelo.core.shipped import figures, queries
from tupelo.graph.query.answers import PlainValue, quoted
from tupelo.graph.store.file import Store
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en import grammar

_SQL = queries(__name__)
_FIGURES = figures(__name__, "report.toml")
_WORD = re.compile(r"[^\W_]+")
_ENDS = re.compile(r"[.!][\"'”’)\]]*$")
_ASKS = re.compile(r"\?[\"'”’)\]]*$")
_PRONOUNS = grammar.UNNAMING_PRONOUNS | grammar.POSSESSIVES
_POINTING = grammar.THIRD_PERSON | words("summaries", "pointing_words")


@dataclass(frozen=True, slots=True)
class Statement(PlainValue):
    """A statement in words."""

    id: str
    subject: str
    relation: str
    object: str
    confidence: float

    def __str__(self) -> str:
        return f"{self.subject} | {self.relation} | {self.object}"


@dataclass(frozen=True, slots=True)
class KeyFact(PlainValue):
    """A sentence, where it is, and what it states, the best first.

    `resolved` says what pronouns, the characters `[start, end)`, stand for.
    """

    id: str
    sentence: str
    source: str
    position: int
    resolved: tuple[tuple[int, int, str], ...]
    statements: tuple[Statement, ...]

    def segments(self) -> list[tuple[str, str]]:
        """The sentence in segments, each with the name that its last word, a pronoun, stands for, if any."""
        segments, at = [], 0
        for _, end, name in self.resolved:
            segments.append((self.sentence[at:end], name))
            at = end
        return [*segments, (self.sentence[at:], "")]

    def __str__(self) -> str:
        text = "".join(text + (f" [{name}]" if name else "") for text, name in self.segments())
        return quoted(text, self.source, self.position)

    def to_dict(self) -> dict[str, Any]:
        return {
            **PlainValue.to_dict(self),
            "resolved": [{"start": start, "end": end, "name": name} for start, end, name in self.resolved],
        }


@dataclass(slots=True)
class _Candidate:
    id: str
    text: str
    source: str
    position: int
    edges: Mapping[str, float]
    quality: float
    resolved: tuple[tuple[int, int, str], ...]
    words: Mapping[str, float]


class _Mention(NamedTuple):
    """Words `[start, end)` of a sentence, and the name of what they mean."""

    start: int
    end: int
    text: str
    name: str

    @property
    def is_pronoun(self) -> bool:
        return self.text.casefold() in _PRONOUNS

    @property
    def is_name(self) -> bool:
        return not self.is_pronoun and self.text[:1].isupper()


class KeyFacts:
    """The candidates among the sentences of some statements; `choose` picks those for one subject."""

    def __init__(self, store: Store, edges: Iterable[str]) -> None:
        wanted = sorted(set(edges))
        self._statements = statements(store, wanted)
        self._candidates = {item.id: item for item in _candidates(store, wanted)}
        self._of_edge: dict[str, list[str]] = defaultdict(list)
        for item in self._candidates.values():
            for edge in item.edges:
                self._of_edge[edge].append(item.id)

    def choose(self, worth: Mapping[str, float], most: int, passed: Collection[str] = ()) -> list[KeyFact]:
        """At most `most` sentences, grouped by document, none in `passed`. `worth` is that of edges."""
        stated: set[str] = set()

        def value(key: str) -> float:
            item = self._candidates[key]
            best = sorted(
                (
                    worth[edge] * share * (_FIGURES.stated_before if edge in stated else 1.0)
                    for edge, share in item.edges.items()
                    if edge in worth
                ),
                reverse=True,
            )
            return item.quality * sum(amount / (at + 1) for at, amount in enumerate(best[:3]))

        left = sorted({key for edge in worth for key in self._of_edge.get(edge, ())})
        top = max(map(value, left), default=0.0)
        likeness = {key: 0.0 for key in left if key not in passed}
        chosen: list[str] = []
        while len(chosen) < most and likeness and top > 0:
            gains = {key: math.sqrt(value(key) / top) - _FIGURES.likeness * alike for key, alike in likeness.items()}
            best_key = max(gains, key=lambda key: (gains[key], key))
            if gains[best_key] < _FIGURES.least:
                break
            del likeness[best_key]
            chosen.append(best_key)
            stated.update(self._candidates[best_key].edges)
            for key, alike in likeness.items():
                words = (self._candidates[best_key].words, self._candidates[key].words)
                likeness[key] = max(alike, _cosine(*words))
        first = {source: at for at, source in reversed([*enumerate(self._candidates[key].source for key in chosen)])}
        items = [self._candidates[key] for key in chosen]
        items.sort(key=lambda item: (first[item.source], item.position))
        return [self._fact(item, worth) for item in items]

    def _fact(self, item: _Candidate, worth: Mapping[str, float]) -> KeyFact:
        edges = sorted((edge for edge in item.edges if edge in worth), key=lambda edge: (-worth[edge], edge))
        said = tuple(self._statements[edge] for edge in edges[: _FIGURES.most_statements])
        about = {name for statement in said for name in (statement.subject, statement.object)}
        resolved = tuple(place for place in item.resolved if place[2] in about)
        return KeyFact(item.id, item.text, item.source, item.position, resolved, said)


def statements(store: Store, edges: Sequence[str]) -> dict[str, Statement]:
    """Statements in words, by their ids."""
    return {row[0]: Statement(*row) for row in store.rows(_SQL["statements"], [list(edges)])}


def _candidates(store: Store, edges: Sequence[str]) -> list[_Candidate]:
    rows = store.rows(
        _SQL["candidates"].format(in_passing=_FIGURES.in_passing, sentences_of_an_edge=_FIGURES.sentences_of_an_edge),
        [list(edges)],
    )
    keys = [row[0] for row in rows]
    asserted: dict[str, float] = dict(store.rows(_SQL["asserted"], [keys]))
    mentions = store.grouped(_SQL["mentions"], [keys])
    named = {key: [_Mention(*row) for row in mentions.get(key, ())] for key in keys}
    words = {row[0]: frozenset(_WORD.findall(row[1].casefold())) - grammar.STOP_WORDS for row in rows}
    spread = Counter(word for found in words.values() for word in found)
    return [
        _Candidate(
            key,
            text,
            source,
            position,
            dict(zip(found, shares, strict=True)),
            _quality(text, position, named[key]) * asserted.get(key, 1.0),
            _unnamed(named[key]),
            {word: math.log(1 + len(rows) / spread[word]) for word in words[key]},
        )
        for key, text, source, position, found, shares in rows
        if not _ASKS.search(text.rstrip())
    ]


def _quality(text: str, position: int, mentions: Sequence[_Mention]) -> float:
    """A measure of how well a sentence can be read alone, from 0 to a little above 1."""
    words = [(found.start(), found.group().casefold()) for found in _WORD.finditer(text)]
    names = [mention.start for mention in mentions if mention.is_name]
    first_name = min(names, default=len(text))
    points_back = any(word in _POINTING for start, word in words if start < first_name)
    troubles = [
        (_FIGURES.points_back, points_back or bool(_unnamed(mentions))),
        (_FIGURES.names_nothing, not names),
        (_FIGURES.continues, bool(words) and words[0][1] in grammar.CONNECTING_ADVERBS),
        (_FIGURES.speaker, any(word in grammar.SPEAKERS_AND_HEARERS for _, word in words)),
        (_FIGURES.no_end, not _ENDS.search(text.rstrip())),
        (_FIGURES.short, len(words) < _FIGURES.fewest_words),
        (_FIGURES.lower_case, text[:1].islower()),
    ]
    quality = math.prod(share for share, holds in troubles if holds)
    quality *= min(1.0, _FIGURES.most_words / max(len(words), 1)) ** 2
    return float(quality * (_FIGURES.opens_document if position == 0 else 1.0))


def _unnamed(mentions: Sequence[_Mention]) -> tuple[tuple[int, int, str], ...]:
    """The first pronoun for everything that no earlier word of the sentence names."""
    found: dict[str, tuple[int, int, str]] = {}
    for mention in mentions:
        if mention.is_pronoun or mention.is_name:
            place = (mention.start, mention.end, mention.name if mention.is_pronoun else "")
            found.setdefault(mention.name, place)
    return tuple(place for place in found.values() if place[2])


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    common = sum(one[word] * other[word] for word in sorted(one.keys() & other.keys()))
    if not common:
        return 0.0
    lengths = [math.sqrt(sum(value * value for value in words.values())) for words in (one, other)]
    return common / (lengths[0] * lengths[1])
