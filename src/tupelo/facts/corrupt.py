"""Texts made false on purpose: dates, places and people swapped for others of the same text (Goodrich et al., Section
2).

*Barack was born on August 4, 1961 in Honolulu. He married Michelle on October 3, 1992 in Chicago.* becomes *Barack
was born on October 3, 1961 in Chicago. …*: still fluent, every word still in the text, but no longer true. A metric
of factual accuracy should notice; counting words cannot.

Day and month of a date are swapped, its year stays. A mention is only replaced by a name that shares no word with it,
marks apart: *US* and *U.S.* are one name.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tupelo.core import Analysis, Span
from tupelo.facts.values import MONTHS

KINDS = ("date", "place", "person")
_MONTH = "|".join(sorted((name for name in MONTHS if len(name) > 3 or name == "may"), key=len, reverse=True))
_DAY_AND_MONTH = re.compile(rf"\b(?:(?:{_MONTH}) \d{{1,2}}|\d{{1,2}} (?:{_MONTH}))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """What was replaced: where it stands in the new text, its kind, the old and the new words."""

    span: Span
    kind: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A text after its corruption; without any change where it has no two names of one kind."""

    text: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    kind: str
    words: str


def corrupt(text: str, analyses: Sequence[Analysis], *, share: float = 0.5, seed: int = 0) -> Corrupted:
    """Replace about `share` of the dates, places and people of a text, at least one where that is possible."""
    chance = random.Random(f"{seed}:{text}")
    mentions = sorted(_mentions(text, analyses), key=lambda mention: mention.start)
    options = {
        number: [
            other.words
            for other in mentions
            if other.kind == mention.kind and not _word_set(other.words) & _word_set(mention.words)
        ]
        for number, mention in enumerate(mentions)
    }
    possible = [number for number, others in options.items() if others]
    chosen = set(chance.sample(possible, max(1, round(share * len(possible))))) if possible else set()
    pieces: list[str] = []
    changes: list[Change] = []
    place = length = 0
    for number, mention in enumerate(mentions):
        if number not in chosen:
            continue
        new = chance.choice(options[number])
        pieces += [text[place : mention.start], new]
        length += mention.start - place
        changes.append(Change(Span(length, length + len(new)), mention.kind, mention.words, new))
        length += len(new)
        place = mention.end
    return Corrupted("".join([*pieces, text[place:]]), tuple(changes))


def _mentions(text: str, analyses: Iterable[Analysis]) -> list[_Mention]:
    found = [_Mention(*match.span(), "date", match[0]) for match in _DAY_AND_MONTH.finditer(text)]
    for analysis in analyses:
        for entity in analysis.entities or ():
            if entity.label in KINDS:
                span = analysis.span(entity.start, entity.end)
                start, end = analysis.start + span.start, analysis.start + span.end
                found.append(_Mention(start, end, entity.label, text[start:end]))
    # A name inside another, or a date that a parser took for something else: the first one counts.
    kept: list[_Mention] = []
    for mention in sorted(found, key=lambda item: (item.start, -item.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _word_set(words: str) -> set[str]:
    bare = ("".join(letter for letter in word if letter.isalnum()) for word in words.casefold().split())
    return {word for word in bare if word}
