"""A rewritten sentence that records where each of its words came from.

A rule returns the words in their new order: the index of a word of the source that stays as it is, or a `New` word,
which may stand for words of the source (*written* for *wrote*) or for none (*it*, *that*). `finish` does what all
rules share: capitals, commas, quotation marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tupelo.nlp.languages import words as word_data
from tupelo.nlp.languages.en.inflection import article
from tupelo.nlp.syntax import CLOSING, OPENING, DependencyTree

# The punctuation that closes a quotation depends on what follows it.
_FREE_MARKS = frozenset([",", "."])
_PEOPLES = tuple(word_data("rewriting", "endings_of_peoples"))
_GLUED = frozenset([",", ".", ";", ":", "?", "!", "'s", "''", "”", ")", "n't", "%"])
_STOPS = frozenset([".", "!", "?", ";", ":", "--"])


@dataclass(frozen=True, slots=True)
class New:
    """A word, perhaps not in the form that the source has; `of` are the words of the source that it stands for."""

    text: str
    of: tuple[int, ...] = ()


Item: TypeAlias = int | New


@dataclass(frozen=True, slots=True)
class Turn:
    """A clause whose subject became something else, so its tuples begin with another word.

    `head` is the verb itself, `verb` are the words of the source that the relation consisted of and
    `relation` those of the new sentence. `old_subject` and `new_subject` are
    phrases of the source. `mark` is the preposition before the old subject in
    the new sentence (*by*), `old_mark` that before the new subject in the source.
    """

    head: int
    verb: frozenset[int]
    relation: tuple[str, ...]
    old_subject: tuple[int, ...]
    new_subject: tuple[int, ...]
    mark: str = ""
    old_mark: str = ""


@dataclass(frozen=True, slots=True)
class RewriteDraft:
    """The proposal of a rule.

    `regrouped` are phrases whose inner order changed, with their new order; tuples follow them. `framed` says that
    words around a clause (*it was*, *what happened was*) are not part of the clause's content.
    """

    items: tuple[Item, ...]
    turns: tuple[Turn, ...] = ()
    regrouped: tuple[tuple[tuple[int, ...], tuple[Item, ...]], ...] = ()
    rule: str = ""
    framed: bool = False


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A finished sentence, word by word."""

    words: tuple[New, ...]
    text: str
    draft: RewriteDraft

    @property
    def rule(self) -> str:
        return self.draft.rule

    def alignment(self, earlier: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        """The words of an original behind each word, where `earlier` has those behind each word of the source."""
        return tuple(tuple(sorted({first for source in word.of for first in earlier[source]})) for word in self.words)


def item_text(tree: DependencyTree, item: Item) -> str:
    return tree.text(item) if isinstance(item, int) else item.text


def substituted(tree: DependencyTree, changes: Mapping[int, Sequence[Item]]) -> tuple[Item, ...]:
    """The sentence with some of its words replaced."""
    return tuple(item for index in range(tree.size) for item in changes.get(index, [index]))


def regrouped(tree: DependencyTree, group: Sequence[int], new: Sequence[Item]) -> tuple[Item, ...]:
    """The sentence with `group` replaced by `new`, at the position of its first word."""
    return substituted(tree, {**dict.fromkeys(group, ()), group[0]: new})


def finish(tree: DependencyTree, draft: RewriteDraft) -> Rewrite | None:
    """The sentence of a draft; `None` if it would break quotations or brackets, or if nothing changed."""
    words = [New(tree.text(item), (item,)) if isinstance(item, int) else item for item in _tidy(tree, draft.items)]
    if not words or not _keeps_quotations(tree, words):
        return None
    for place, (before, word) in enumerate(pairwise(words)):
        # *a* or *an*, where another word follows than did.
        if before.text in ("a", "an") or (before.of == (0,) and before.text in ("A", "An")):
            same = before.of and word == New(tree.text(before.of[-1] + 1), (before.of[-1] + 1,))
            words[place] = before if same else New(article(word.text), before.of)
    marks = (*OPENING, '"', "'", "`")
    first = next((position for position, word in enumerate(words) if word.text not in marks), len(words))
    for position, word in enumerate(words):
        if position == first:
            words[position] = New(word.text[:1].upper() + word.text[1:], word.of)
        elif position > first and word.of[:1] == (0,) and not _stays_capital(tree):
            words[position] = New(word.text[:1].lower() + word.text[1:], word.of)
    if [word.text for word in words] == [word.text for word in tree.words]:
        return None
    return Rewrite(tuple(words), _join(tree, words), draft)


def _stays_capital(tree: DependencyTree) -> bool:
    """Whether the first word keeps its capital anywhere in a sentence."""
    word, upos = tree.text(0), tree.upos(0)
    # "Crime Master".
    starts_name = tree.base[0] in ("compound", "flat", "amod") and tree.size > 1 and tree.text(1)[:1].isupper()
    return (
        word == "I"
        or any(letter.isupper() for letter in word[1:])
        or starts_name
        or upos == "PROPN"
        # A nationality.
        or (upos == "ADJ" and word.endswith(_PEOPLES))
        or (upos in ("ADJ", "NOUN") and tree.entity[0] in ("other", "place", "person", "organization"))
    )


def _tidy(tree: DependencyTree, items: Iterable[Item]) -> list[Item]:
    """Remove commas at the start, before a stop and next to another comma."""
    kept: list[Item] = []
    for item in items:
        text, last = item_text(tree, item), item_text(tree, kept[-1]) if kept else ""
        if text == "," and (not kept or last in (",", *_STOPS) or last in OPENING):
            continue
        if text in _STOPS and last == ",":
            kept.pop()
        kept.append(item)
    return kept


def _keeps_quotations(tree: DependencyTree, words: Sequence[New]) -> bool:
    """Whether the content of quotation marks and brackets is unchanged."""
    open_marks: list[int] = []
    pairs: list[tuple[int, int]] = []
    for index in range(tree.size):
        text = tree.text(index)
        if text in OPENING:
            open_marks.append(index)
        elif text in CLOSING and tree.tag(index) != "POS":
            if not open_marks or OPENING[tree.text(open_marks[-1])] != text:
                return False
            pairs.append((open_marks.pop(), index))
    if open_marks:
        return False
    place = {word.of[0]: position for position, word in enumerate(words) if len(word.of) == 1}
    for start, end in pairs:
        if start not in place or end not in place or place[end] <= place[start]:
            return False
        inside = [word.of for word in words[place[start] : place[end] + 1] if word.text not in _FREE_MARKS]
        if inside != [(index,) for index in range(start, end + 1) if tree.text(index) not in _FREE_MARKS]:
            return False
    straight = sum(1 for word in words if word.text == '"')
    return straight % 2 == 0


def _join(tree: DependencyTree, words: Sequence[New]) -> str:
    """Join words with the spaces that precede them in the source; new words get one space."""
    tokenized = all(tree.words[index].start > tree.words[index - 1].end for index in range(1, tree.size))
    text = words[0].text
    for before, word in pairwise(words):
        text += word.text if not tokenized and _is_glued(tree, before, word) else f" {word.text}"
    return text


def _is_glued(tree: DependencyTree, before: New, word: New) -> bool:
    """Whether no space precedes a word: punctuation, a clitic, part of a hyphenated word."""
    if word.text in _GLUED or before.text in OPENING:
        return True
    adjacent = len(word.of) == len(before.of) == 1 and word.of[0] == before.of[0] + 1
    return adjacent and tree.words[word.of[0]].start == tree.words[before.of[0]].end
