"""The dependency tree of a sentence: dependents by head, labels with and without their subtype, phrases.

Any parse is accepted: several roots, no root, or heads that form a cycle. An unparsed sentence has words but no arcs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

from tupelo.core import Analysis, Word
from tupelo.core.shipped import declared

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")
NOUNS, VERBAL = frozenset(["NOUN", "PROPN"]), frozenset(["VERB", "AUX"])
SUBJECTS = ("nsubj", "csubj")
QUESTION_TAGS = frozenset(["WP", "WRB", "WDT", "WP$"])
# Brackets and quotation marks that come in pairs, for phrases of extractions ...
_PAIRED = {"(": ")", "[": "]", "{": "}", "``": "''", "“": "”", "‘": "’", "-LRB-": "-RRB-", "«": "»"}
_PAIRED_CLOSING = frozenset(_PAIRED.values())
# ... and for rewriting, where ’ is always an apostrophe.
OPENING = {"``": "''", "-LRB-": "-RRB-", "(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "-LCB-": "-RCB-"}
CLOSING = frozenset(OPENING.values())
SEPARATORS = frozenset([",", ";", ":", "-", "--", "–", "—"])
# Punctuation at the ends of a phrase that is not part of it.
_MARKS = frozenset([",", ";", ":", "-", "--", "–", "—", ".", "!", "?", "..."])
_LOOSE = _MARKS | {"…", "/"}
_FINAL = frozenset([".", "!", "?", "...", "''", '"', "”", "'"])
_SINGULAR_IN_S = frozenset(["news", "politics", "economics", "mathematics", "physics"])
_LABELS = declared(__name__, "labels.toml")
_PLURAL_PRONOUNS = frozenset(["they", "we", "these", "those", "both", "many", "few", "several"])


class DependencyTree:
    """The words of a sentence with the dependents of each."""

    __slots__ = (
        "analysis", "base", "below", "entity", "heads", "labels", "lemmas", "lowered", "memory", "size", "words",
    )  # fmt: skip

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
        self.lemmas: list[str] = [(word.lemma or word.text).lower() for word in self.words]
        self.entity: list[str | None] = [None] * self.size
        for entity in analysis.entities or ():
            for index in range(entity.start, min(entity.end, self.size)):
                self.entity[index] = entity.label
        # Cache of derived properties of this sentence.
        self.memory: dict[Hashable, Any] = {}

    @property
    def root(self) -> int | None:
        return self.analysis.root

    def text(self, index: int) -> str:
        return self.words[index].text

    def tag(self, index: int) -> str:
        return self.words[index].xpos or ""

    def upos(self, index: int) -> str:
        return self.words[index].upos or ""

    def child(self, index: int, *labels: str) -> int | None:
        """The first dependent with one of the labels; a label without subtype matches all its subtypes.

        The result may be 0: compare it with `None`, never use its truth value.
        """
        for child in self.below[index]:
            if self.labels[child] in labels or self.base[child] in labels:
                return child
        return None

    def child_word(self, index: int, *labels: str) -> str | None:
        """The first dependent with one of the labels, in small letters."""
        child = self.child(index, *labels)
        return None if child is None else self.lowered[child]

    def children(self, index: int, *labels: str) -> list[int]:
        """The dependents with one of the labels, in order."""
        found = []
        for child in self.below[index]:
            if self.labels[child] in labels or self.base[child] in labels:
                found.append(child)
        return found

    def has_text(self, tokens: Iterable[int], *texts: str) -> bool:
        """Whether one of the words is spelled like this."""
        return any(self.words[index].text in texts for index in tokens)

    def has_word(self, tokens: Iterable[int], listed: Collection[str]) -> bool:
        """Whether one of the words is listed, in small letters."""
        return any(self.lowered[index] in listed for index in tokens)

    def has_base(self, tokens: Iterable[int], *labels: str) -> bool:
        """Whether one of the words has such a label, whatever its subtype."""
        return any(self.base[index] in labels for index in tokens)

    def has_entity(self, tokens: Iterable[int], label: str) -> bool:
        """Whether one of the words is part of an entity of this type."""
        return any(self.entity[index] == label for index in tokens)

    def has_own_subject(self, index: int) -> bool:
        return self.child(index, "nsubj", "csubj", "expl") is not None

    def subtree(self, index: int, without: Collection[int] = ()) -> list[int]:
        """The subtree of word `index`, in order, without the subtrees of the words in `without`."""
        if not self.below[index]:
            return [index]
        if not without and index in self.memory:
            return list(self.memory[index])
        found: set[int] = {index}
        pending = [index]
        while pending:
            for child in self.below[pending.pop()]:
                if child not in found and child not in without:
                    found.add(child)
                    pending.append(child)
        words = sorted(found)
        if not without:
            self.memory[index] = tuple(words)
        return words

    def path(self, index: int) -> Iterator[int]:
        """The heads above a word, nearest first."""
        seen, head = {index}, self.heads[index]
        while head is not None and head not in seen:
            yield head
            seen.add(head)
            head = self.heads[head]

    def route(self, start: int, end: int) -> list[int]:
        """The words whose links to their heads lead from one word to another, through the nearest one above both."""
        up, down = [start, *self.path(start)], [end, *self.path(end)]
        shared = set(up) & set(down)
        return [word for word in (*up, *down) if word not in shared]

    def link_in_words(self, index: int) -> str:
        """The link of a word to its head: *Oslo is prepositional phrase at born*."""
        head, label = self.heads[index], self.labels[index]
        if head is None:
            return f"{self.text(index)} is the root"
        known = _LABELS.get(label) or _LABELS.get(self.base[index]) or f"{label} of"
        return f"{self.text(index)} is {known} {self.text(head)}"

    def head_of(self, tokens: Collection[int]) -> int | None:
        """The word of a phrase whose head is outside it; its first word if there is none."""
        inside = frozenset(tokens)
        outer = [token for token in inside if self.heads[token] not in inside and self.base[token] != "punct"]
        return min(outer or inside, default=None)

    def phrase(self, index: int, without: Collection[int] = ()) -> list[int]:
        """The words of a phrase without punctuation at its ends; empty where it is discontinuous."""
        tokens = self.strip_marks(self.subtree(index, without))
        return tokens if is_run(tokens) else []

    def strip_marks(self, tokens: list[int]) -> list[int]:
        """A phrase without punctuation at its ends; a bracket may lose its partner (see `trim`)."""
        while tokens and (self.text(tokens[0]) in _MARKS or self.text(tokens[0]) in CLOSING):
            tokens = tokens[1:]
        while tokens and (self.text(tokens[-1]) in _MARKS or self.text(tokens[-1]) in OPENING):
            tokens = tokens[:-1]
        return tokens

    def trim(self, tokens: list[int], drop: Collection[str] = ()) -> list[int]:
        """A phrase without loose punctuation, unpaired brackets and the words in `drop` at its ends."""
        first, last = 0, len(tokens)
        while first < last:
            # A closing quote may also be the apostrophe of a possessive.
            opening, closing = self.text(tokens[first]), self.text(tokens[last - 1])
            opens_late = opening in _PAIRED_CLOSING and self.tag(tokens[first]) != "POS"
            closes = closing in _PAIRED_CLOSING and self.tag(tokens[last - 1]) != "POS"
            if opens_late or opening in _LOOSE or opening.lower() in drop:
                first += 1
            elif closing in _LOOSE or closing in _PAIRED or closing.lower() in drop:
                last -= 1
            elif opening in _PAIRED and not self.has_text(tokens[first + 1 : last], _PAIRED[opening]):
                first += 1
            elif closes and all(_PAIRED.get(self.text(token)) != closing for token in tokens[first : last - 1]):
                last -= 1
            else:
                break
        return tokens[first:last]

    @property
    def end(self) -> int:
        """The start of the sentence-final punctuation."""
        end = self.size
        while end and self.text(end - 1) in _FINAL:
            end -= 1
        begins_with_quote = bool(self.size) and self.text(0) in ("``", "“", '"')
        if any(self.text(index) in ("''", "”") for index in range(end, self.size)) and not begins_with_quote:
            # A quotation inside the sentence ends here: its closing mark belongs to it.
            end = self.size - 1 if self.size and self.text(self.size - 1) in (".", "!", "?") else self.size
            while end and self.text(end - 1) == ".":
                end -= 1
        return end

    def is_plural(self, index: int) -> bool:
        """Whether a verb agrees with this subject in the plural."""
        if any(self.has_word(self.children(other, "cc"), ("and", "&")) for other in self.children(index, "conj")):
            return True
        if self.tag(index) == "CD" and self.lowered[index] not in ("one", "1"):
            return True
        if self.tag(index) in ("NNS", "NNPS") or self.words[index].feature("Number") == "Plur":
            return self.lowered[index] not in _SINGULAR_IN_S
        return self.lowered[index] in _PLURAL_PRONOUNS

    def verb_is_plural(self, clause: int) -> bool | None:
        """The number that the finite verb of a clause has; `None` if its form does not say."""
        carriers = [*self.children(clause, "aux", "cop"), clause]
        finite = next((word for word in carriers if self.tag(word) in ("VBZ", "VBP", "VBD")), None)
        if finite is None or any(self.tag(word) == "MD" for word in carriers):
            return None
        if self.lowered[finite] in ("is", "was", "has", "does") or self.tag(finite) == "VBZ":
            return False
        return True if self.lowered[finite] in ("are", "were", "have", "do") or self.tag(finite) == "VBP" else None


_LATEST: dict[int, DependencyTree] = {}


def tree_of(analysis: Analysis) -> DependencyTree:
    """The tree of a sentence: one for all that ask for it while it is among the latest."""
    if (tree := _LATEST.get(id(analysis))) is None or tree.analysis is not analysis:
        if len(_LATEST) >= 300:
            _LATEST.clear()
        tree = _LATEST[id(analysis)] = DependencyTree(analysis)
    return tree


def is_run(tokens: Iterable[int]) -> bool:
    """Whether words are adjacent, with nothing missing between them."""
    listed = list(tokens)
    return bool(listed) and listed == list(range(listed[0], listed[-1] + 1))


def remembered(
    function: Callable[[DependencyTree, *Arguments], Result],
) -> Callable[[DependencyTree, *Arguments], Result]:
    """A function of a sentence that is computed once for the same arguments; its results are kept with the tree."""

    @wraps(function)
    def recall(tree: DependencyTree, *arguments: *Arguments) -> Result:
        key = (function, *arguments)
        try:
            known: Result = tree.memory[key]
        except KeyError:
            known = tree.memory[key] = function(tree, *arguments)
        return known

    return recall


@remembered
def citations(tree: DependencyTree) -> frozenset[int]:
    """The words of references to notes and to a bibliography: *[17], [21]–[24]*, *[a]*."""
    found: set[int] = set()
    start: int | None = None
    for index in range(tree.size):
        text = tree.text(index)
        if text in ("[", "-LSB-"):
            start = index
        elif start is not None and text in ("]", "-RSB-"):
            if index > start + 1:
                # With the separator between it and the one before: *[17], [18]*.
                joined = start - 2 in found and tree.text(start - 1) in SEPARATORS
                found.update(range(start - joined, index + 1))
            start = None
        elif not (text.isdigit() or (len(text) == 1 and text.islower()) or text in SEPARATORS):
            start = None
    return frozenset(found)
