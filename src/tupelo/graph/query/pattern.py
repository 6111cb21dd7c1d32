"""Question patterns: `?who founded ?company`, `Watson ? ?`.

A pattern has three parts: subject, relation, object. A part is a variable
(`?who`, or `?` where no name is needed) or words. Where the words could be
divided differently (*?who works for North Ferries*), all divisions are
tried against the graph; quotation marks or `|` between the parts settle it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from tupelo.core import InputError

_TOKEN = re.compile(r'"(?P<quoted>[^"]*)"|(?P<plain>\S+)')
_VARIABLE = re.compile(r"\?(?P<name>\w*)")
_PARTS = 3
# Every division of the words is looked up, and their number grows with the square of the words.
MOST_WORDS = 24
_EXPECTED = "subject, relation and object, each a ?variable or words, such as: ?who founded ?company"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable. Without a name it is shown by its slot and never equals another one."""

    name: str


@dataclass(frozen=True, slots=True)
class PatternWords:
    """A name or a wording to look up."""

    text: str


Term: TypeAlias = Variable | PatternWords


@dataclass(frozen=True, slots=True)
class Pattern:
    """One reading of a question."""

    subject: Term
    relation: Term
    object: Term

    @property
    def terms(self) -> tuple[Term, Term, Term]:
        return self.subject, self.relation, self.object

    def __str__(self) -> str:
        return " | ".join(f"?{term.name}" if isinstance(term, Variable) else term.text for term in self.terms)


def readings(text: str) -> list[Pattern]:
    """All readings of a question, longest relation first; raises an error if there is none.

    >>> [str(reading) for reading in readings("?who works for Acme")]
    ['?who | works for | Acme', '?who | works | for Acme']
    """
    if "|" in text:
        parts = [part.strip() for part in text.split("|")]
        if len(parts) != _PARTS or not all(parts):
            raise InputError(f"pattern '{text}' has {len(parts)} part(s), expected {_EXPECTED}")
        return [Pattern(*(_term(part.strip('"')) for part in parts))]
    tokens = list(_tokens(text))
    if len(tokens) > MOST_WORDS:
        raise InputError(
            f"a pattern of {len(tokens)} words, expected at most {MOST_WORDS}. Quote parts, or put | between them."
        )
    found = [pattern for pattern in _divisions(tokens) if pattern is not None]
    if not found:
        raise InputError(f"pattern '{text}' cannot be divided, expected {_EXPECTED}")
    return sorted(found, key=lambda pattern: -_length(pattern.relation))


def _tokens(text: str) -> Iterator[Term | str]:
    """Variables and quoted words, which are whole parts, and plain words, which may belong to a longer part."""
    for match in _TOKEN.finditer(text):
        if match["quoted"] is not None:
            yield PatternWords(match["quoted"])
        elif _VARIABLE.fullmatch(match["plain"]):
            yield _term(match["plain"])
        else:
            yield match["plain"]


def _divisions(tokens: list[Term | str]) -> Iterator[Pattern | None]:
    for first, second in combinations(range(1, len(tokens)), 2):
        parts = [_joined(part) for part in (tokens[:first], tokens[first:second], tokens[second:])]
        if all(part is not None for part in parts):
            yield Pattern(*(part for part in parts if part is not None))


def _joined(tokens: list[Term | str]) -> Term | None:
    if len(tokens) == 1 and not isinstance(tokens[0], str):
        return tokens[0]
    words = [token for token in tokens if isinstance(token, str)]
    return PatternWords(" ".join(words)) if len(words) == len(tokens) else None


def _term(text: str) -> Term:
    variable = _VARIABLE.fullmatch(text)
    return Variable(variable["name"]) if variable else PatternWords(text)


def _length(term: Term) -> int:
    return len(term.text.split()) if isinstance(term, PatternWords) else 1
