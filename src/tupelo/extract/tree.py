"""A dependency tree to walk in: children by head, labels with and without their subtype.

Whatever a parser produced can be walked: several roots, none, or heads in a
circle. A sentence that nobody parsed has words and no links.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import Any

from tupelo.core import Analysis, Word

_NOTHING: frozenset[str] = frozenset()
# Marks that may end a phrase without belonging to it.
_LOOSE = frozenset([",", ";", ":", "-", "--", "–", "—", ".", "!", "?", "...", "…", "/"])
_OPENING = {"(": ")", "[": "]", "{": "}", "``": "''", "“": "”", "‘": "’", "-LRB-": "-RRB-", "«": "»"}
_CLOSING = frozenset(_OPENING.values())


class Tree:
    """The words of a sentence with everything below each of them."""

    __slots__ = ("analysis", "base", "below", "heads", "labels", "lemmas", "lowered", "memory", "size", "words")

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.words: tuple[Word, ...] = analysis.words
        self.size = len(self.words)
        self.heads: list[int | None] = []
        self.labels: list[str] = []
        self.below: list[list[int]] = [[] for _ in self.words]
        for index, word in enumerate(self.words):
            head = word.head
            if head is not None and not (0 <= head < self.size and head != index):
                head = None
            self.heads.append(head)
            self.labels.append(word.deprel or "")
            if head is not None:
                self.below[head].append(index)
        self.base: list[str] = [label.partition(":")[0] for label in self.labels]
        self.lowered: list[str] = [word.text.lower() for word in self.words]
        # What was found out about this sentence and is asked for again: see `marks`.
        self.memory: dict[Hashable, Any] = {}
        self.lemmas: list[str] = [(word.lemma or word.text).lower() for word in self.words]

    def child(self, index: int, *labels: str) -> int | None:
        """The first child with one of the labels; a label without subtype stands for all its subtypes."""
        for child in self.below[index]:
            if self.labels[child] in labels or self.base[child] in labels:
                return child
        return None

    def children(self, index: int, *labels: str) -> list[int]:
        """The children with one of the labels, in order."""
        return [child for child in self.below[index] if self.labels[child] in labels or self.base[child] in labels]

    def lower(self, index: int) -> str:
        return self.lowered[index]

    def tag(self, index: int) -> str:
        return self.words[index].xpos or ""

    def upos(self, index: int) -> str:
        return self.words[index].upos or ""

    def subtree(self, index: int, without: Collection[int] = ()) -> list[int]:
        """Word `index` and all words below it, in order; words in `without` and what is below them are left out."""
        found: set[int] = {index}
        pending = [index]
        while pending:
            for child in self.below[pending.pop()]:
                if child not in found and child not in without:
                    found.add(child)
                    pending.append(child)
        return sorted(found)

    def path(self, index: int) -> Iterator[int]:
        """The heads above a word, nearest first."""
        seen = {index}
        head = self.heads[index]
        while head is not None and head not in seen:
            yield head
            seen.add(head)
            head = self.heads[head]

    def head_of(self, tokens: Collection[int]) -> int | None:
        """The word of a phrase that hangs on something outside of it."""
        inside = set(tokens)
        for token in sorted(inside):
            head = self.heads[token]
            if (head is None or head not in inside) and self.base[token] != "punct":
                return token
        return min(inside, default=None)

    def trim(self, tokens: list[int], drop: Collection[str] = _NOTHING) -> list[int]:
        """A phrase without loose punctuation, lone brackets and the words in `drop` at its ends."""
        first, last = 0, len(tokens)
        changed = True
        while changed and first < last:
            changed = False
            opening, closing = self.words[tokens[first]].text, self.words[tokens[last - 1]].text
            if opening in _LOOSE or opening.lower() in drop or (opening in _CLOSING and self._is_mark(tokens[first])):
                first, changed = first + 1, True
            elif closing in _LOOSE or closing in _OPENING or closing.lower() in drop:
                last, changed = last - 1, True
            elif opening in _OPENING and not self._closes(tokens[first + 1 : last], opening):
                first, changed = first + 1, True
            elif (
                closing in _CLOSING
                and self._is_mark(tokens[last - 1])
                and not self._opens(tokens[first : last - 1], closing)
            ):
                last, changed = last - 1, True
        return tokens[first:last]

    def _is_mark(self, index: int) -> bool:
        """A closing quote may also be the apostrophe of a possessive."""
        return self.words[index].xpos != "POS"

    def _closes(self, tokens: list[int], opening: str) -> bool:
        return any(self.words[token].text == _OPENING[opening] for token in tokens)

    def _opens(self, tokens: list[int], closing: str) -> bool:
        return any(_OPENING.get(self.words[token].text) == closing for token in tokens)
