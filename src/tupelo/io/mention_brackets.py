"""Mentions written as brackets around words, each with the name of its entity: what CoNLL-2012 and CorefUD share.

An end belongs to the last open beginning of the same entity. So mentions of different entities may nest and cross and
have the same words, those of one entity may nest; two mentions of one entity that cross come back nested, since
neither format has a way to write them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tupelo.core import Mention
from tupelo.io.lines import Fault


class Bracketed(NamedTuple):
    """A mention as brackets give it: the name of its entity, words `[start, end)`, and whatever else was written."""

    entity: str
    start: int
    end: int
    fields: str
    line: int


class BracketReader:
    """The mentions of one sentence, bracket by bracket."""

    def __init__(self) -> None:
        self._open: dict[str, list[tuple[int, Bracketed]]] = {}
        self._found: list[tuple[int, Bracketed]] = []
        self._count = 0

    def begin(self, entity: str, start: int, line: int, fields: str = "") -> None:
        self._open.setdefault(entity, []).append((self._count, Bracketed(entity, start, start, fields, line)))
        self._count += 1

    def finish(self, entity: str, end: int, line: int) -> None:
        waiting = self._open.get(entity)
        if not waiting:
            raise Fault(f"the end of a mention of {entity!r}", "its beginning in the same sentence", line=line)
        order, mention = waiting.pop()
        self._found.append((order, mention._replace(end=end)))

    def mentions(self) -> list[Bracketed]:
        """All of them in the order of their first words, longer ones first."""
        for waiting in self._open.values():
            if waiting:
                _, mention = waiting[-1]
                raise Fault(
                    f"a mention of {mention.entity!r} without an end",
                    "its end in the same sentence",
                    line=mention.line,
                )
        ordered = sorted(self._found, key=lambda item: (item[1].start, -item[1].end, item[0]))
        return [mention for _, mention in ordered]


class EntityNumbers:
    """Numbers for the entities of documents, in the order of their first mentions.

    Sentences in a row with the same document id are one document, whatever else begins among them: the names of
    entities hold until `forget_names`, the numbers until `begin_document`.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._next = 0

    def begin_document(self) -> None:
        self.forget_names()
        self._next = 0

    def forget_names(self) -> None:
        self._numbers = {}

    def __getitem__(self, entity: str) -> int:
        if entity not in self._numbers:
            self._numbers[entity] = self._next
            self._next += 1
        return self._numbers[entity]


class Bracket(NamedTuple):
    """Brackets of a mention at one word: its beginning, its end, or both where it has no other word."""

    mention: Mention
    begins: bool
    ends: bool


def brackets_by_word(mentions: Iterable[Mention], size: int) -> list[list[Bracket]]:
    """The brackets at each word, in an order in which they nest: no beginning stands before an end."""
    found: list[list[Bracket]] = []
    beginning: list[list[Bracket]] = [[] for _ in range(size)]
    ending: list[list[Bracket]] = [[] for _ in range(size)]
    for mention in mentions:
        is_one = mention.end - mention.start == 1
        beginning[mention.start].append(Bracket(mention, True, is_one))
        if not is_one:
            ending[mention.end - 1].append(Bracket(mention, False, True))
    for begun, ended in zip(beginning, ending, strict=True):
        begun.sort(key=lambda bracket: -bracket.mention.end)
        ended.sort(key=lambda bracket: -bracket.mention.start)
        # A mention of this word alone lies inside those that end here, or else inside those that begin here.
        inner = [bracket for bracket in begun if bracket.ends] if ended else []
        found.append([*inner, *ended, *(bracket for bracket in begun if not (ended and bracket.ends))])
    return found
