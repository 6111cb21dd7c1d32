"""A parsed sentence as the rules see it: who depends on whom, and which words make a phrase."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tupelo.cliques.rewrite.words import word_set
from tupelo.core import Analysis

OPENING = {"``": "''", "-LRB-": "-RRB-", "(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "-LCB-": "-RCB-"}
CLOSING = frozenset(OPENING.values())
# Marks at the ends of a phrase that do not belong to it.
_LOOSE = word_set(", ; : -- – — . ! ? ... -")
_FINAL = frozenset([".", "!", "?", "...", "''", '"', "”", "'"])


class Tree:
    """The words of a sentence with what is below each of them; heads in a circle are cut."""

    __slots__ = ("analysis", "base", "below", "entity", "heads", "labels", "lemmas", "lower", "size", "words")

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.words = analysis.words
        self.size = len(self.words)
        self.heads = [
            word.head if word.head is not None and 0 <= word.head < self.size and word.head != index else None
            for index, word in enumerate(self.words)
        ]
        self.labels = [word.deprel or "" for word in self.words]
        self.base = [label.partition(":")[0] for label in self.labels]
        self.lower = [word.text.lower() for word in self.words]
        self.lemmas = [(word.lemma or word.text).lower() for word in self.words]
        self.below: list[list[int]] = [[] for _ in self.words]
        for index, head in enumerate(self.heads):
            if head is not None:
                self.below[head].append(index)
        self.entity: list[str | None] = [None] * self.size
        for entity in analysis.entities or ():
            for index in range(entity.start, min(entity.end, self.size)):
                self.entity[index] = entity.label

    def text(self, index: int) -> str:
        return self.words[index].text

    def tag(self, index: int) -> str:
        return self.words[index].xpos or ""

    def upos(self, index: int) -> str:
        return self.words[index].upos or ""

    @property
    def root(self) -> int | None:
        return self.analysis.root

    def children(self, index: int, *labels: str) -> list[int]:
        """The children with one of the labels, in order; a label without subtype stands for all its subtypes."""
        return [child for child in self.below[index] if self.labels[child] in labels or self.base[child] in labels]

    def child(self, index: int, *labels: str) -> int | None:
        return next(iter(self.children(index, *labels)), None)

    def subtree(self, index: int, without: Collection[int] = ()) -> list[int]:
        """A word and everything below it, in order; words in `without` are left out with what is below them."""
        found, pending = {index}, [index]
        while pending:
            for child in self.below[pending.pop()]:
                if child not in found and child not in without:
                    found.add(child)
                    pending.append(child)
        return sorted(found)

    def phrase(self, index: int, without: Collection[int] = ()) -> list[int]:
        """The words of a phrase without loose marks at its ends; empty where it is torn apart."""
        tokens = self.trim(self.subtree(index, without))
        return tokens if is_run(tokens) else []

    def head_of(self, tokens: Collection[int]) -> int | None:
        """The word of a phrase that hangs on something outside of it."""
        inside = set(tokens)
        outer = [index for index in sorted(inside) if self.heads[index] not in inside and self.base[index] != "punct"]
        return next((index for index in outer if self.base[index] not in ("mark", "cc")), None)

    def trim(self, tokens: list[int]) -> list[int]:
        while tokens and (self.text(tokens[0]) in _LOOSE or self.text(tokens[0]) in CLOSING):
            tokens = tokens[1:]
        while tokens and (self.text(tokens[-1]) in _LOOSE or self.text(tokens[-1]) in OPENING):
            tokens = tokens[:-1]
        return tokens

    @property
    def end(self) -> int:
        """Where the marks begin that close the sentence."""
        end = self.size
        while end and self.text(end - 1) in _FINAL:
            end -= 1
        if any(self.text(index) in ("''", "”") for index in range(end, self.size)) and not self._whole_quote():
            # A quotation inside ends here; its mark is no end of the sentence.
            end = self.size - 1 if self.size and self.text(self.size - 1) in (".", "!", "?") else self.size
            while end and self.text(end - 1) == ".":
                end -= 1
        return end

    def _whole_quote(self) -> bool:
        return bool(self.size) and self.text(0) in ("``", "“", '"')

    def is_plural(self, index: int) -> bool:
        if self.child(index, "conj") is not None and any(
            self.lower[mark] in ("and", "&") for c in self.children(index, "conj") for mark in self.children(c, "cc")
        ):
            return True
        if self.tag(index) == "CD" and self.lower[index] not in ("one", "1"):
            return True
        if self.tag(index) in ("NNS", "NNPS") or self.words[index].feature("Number") == "Plur":
            return self.text(index).lower() not in ("news", "politics", "economics", "mathematics", "physics")
        return self.lower[index] in ("they", "we", "these", "those", "both", "many", "few", "several")

    def has_own_subject(self, index: int) -> bool:
        return self.child(index, "nsubj", "csubj", "expl") is not None


def is_run(tokens: Iterable[int]) -> bool:
    """Whether words stand side by side."""
    listed = list(tokens)
    return bool(listed) and listed == list(range(listed[0], listed[-1] + 1))
