"""Tuples of a sentence, carried over to its rewrite.

The words of a tuple are located in the source, and followed to their positions in the rewrite.
A tuple mostly stays as it is: *Ann won the race* and *It was Ann who won the
race* both say (Ann; won; the race). Words that changed their form change it in
the tuple (*wrote*, *written*), phrases that were put in another order follow,
and where a clause got another subject, its tuples begin with that:
(Ann; wrote; the book) becomes (the book; was written by; Ann).

Words that the rewrite no longer has are dropped from arguments (*in* of *In 1990*, now
*1990 was when ...*) and kept in relations, as implied words are in gold tuples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile

from tupelo.nlp.languages.en.grammar import OBJECT_FORMS, SUBJECT_FORMS
from tupelo.nlp.parts import aligned
from tupelo.nlp.syntax import DependencyTree, is_run
from tupelo.nlp.tokens import tokenize
from tupelo.robustness.candidates import TextTuple
from tupelo.robustness.rewrite.draft import New, Rewrite, Turn


@dataclass(frozen=True, slots=True)
class LocatedWord:
    """A word of a tuple and its position in the source, if it has one."""

    text: str
    source: int | None = None


def carry(tuples: Sequence[TextTuple], tree: DependencyTree, rewrite: Rewrite) -> tuple[TextTuple, ...]:
    """The tuples of the source in the words of the rewrite, in order and without duplicates."""
    return tuple(dict.fromkeys(_carry_one(texts, tree, rewrite) for texts in tuples))


def can_carry(tuples: Sequence[TextTuple], tree: DependencyTree, rewrite: Rewrite) -> bool:
    """Whether no tuple has the verb of a clause with another subject, but not the old subject before it."""
    for texts in tuples:
        parts = _locate(texts, tree)
        for turn in rewrite.draft.turns:
            if turn.head in _sources(parts[0]) and _turn(parts, tree, turn, _Follower(tree, rewrite)) is None:
                return False
    return True


def _carry_one(texts: TextTuple, tree: DependencyTree, rewrite: Rewrite) -> TextTuple:
    parts, follow = _locate(texts, tree), _Follower(tree, rewrite)
    for turn in rewrite.draft.turns:
        turned = _turn(parts, tree, turn, follow)
        if turned is not None:
            return turned
    carried = [follow.relation(parts[0]), *map(follow.argument, parts[1:])]
    # The new text, unless it is empty or differs only in spaces.
    return tuple(
        before if not after or "".join(before.split()) == "".join(after.split()) else after
        for before, after in zip(texts, carried, strict=True)
    )


def _locate(texts: TextTuple, tree: DependencyTree) -> list[list[LocatedWord]]:
    """The words of a tuple with their positions; the relation is searched for near its arguments."""
    arguments = [_align(text, tree, None) for text in texts[1:]]
    first, second = (sorted(_sources(part)) for part in (*arguments, [], [])[:2])
    near = second[0] if second else first[-1] if first else None
    return [_align(texts[0], tree, near), *arguments]


def _align(text: str, tree: DependencyTree, near: int | None) -> list[LocatedWord]:
    """Match the longest phrases of the source from left to right; ties go to the nearest."""
    wanted = _forms(text, tree)
    places = aligned(tree.lowered, [form.lower() for form in wanted], near, follow=True)
    return list(map(LocatedWord, wanted, places))


def _forms(text: str, tree: DependencyTree) -> list[str]:
    known = set(tree.lowered)
    forms: list[str] = []
    for word in text.split():
        tokens = [word[start:end] for start, end, *_ in tokenize(word)] if word.lower() not in known else [word]
        forms.extend(tokens if all(token.lower() in known for token in tokens) else [word])
    return forms


def _turn(parts: list[list[LocatedWord]], tree: DependencyTree, turn: Turn, follow: _Follower) -> TextTuple | None:
    """The tuple of a clause that got another subject; `None` if the tuple belongs to another clause."""
    relation, *arguments = parts
    if not arguments or turn.head not in _sources(relation) or not _lies_in(arguments[0], turn.old_subject):
        return None
    target = _target(parts, tree, turn)
    if target is None and not turn.mark and not turn.old_mark:
        return None
    if target is None:
        kept = tree.strip_marks(list(turn.new_subject))
        first = follow.argument([LocatedWord(tree.text(index), index) for index in kept])
    else:
        words = arguments[target]
        if turn.old_mark and words and words[0].text.lower() == turn.old_mark:
            words = words[1:]
        first = follow.argument(words)
    second = follow.argument(arguments[0])
    if turn.mark:
        second = OBJECT_FORMS.get(second.lower(), second)
    if turn.old_mark:
        first = SUBJECT_FORMS.get(first.lower(), first)
    inside = set(turn.new_subject) | turn.verb
    left = [
        word.text
        for word in relation
        if word.source is not None and word.source not in inside and word.text.lower() != turn.old_mark
    ]
    rest = [
        follow.argument(part)
        for number, part in enumerate(arguments[1:], 1)
        if number != target and (target is not None or not _lies_in(part, turn.new_subject))
    ]
    if left:
        rest = [" ".join([*left, *rest[:1]]), *rest[1:]]
    new_relation = " ".join([*turn.relation, turn.mark] if turn.mark else turn.relation)
    return (new_relation, first, second, *rest)


def _target(parts: list[list[LocatedWord]], tree: DependencyTree, turn: Turn) -> int | None:
    """The argument that is the new subject: it contains its head, or follows the preposition that it had."""
    relation, *arguments = parts
    head = next((index for index in turn.new_subject if tree.heads[index] not in turn.new_subject), None)
    heads = set() if head is None else {head, *tree.children(head, "conj")}
    for number, part in enumerate(arguments[1:], 1):
        whole = set(turn.new_subject) <= _sources(part)
        if (whole or _lies_in(part, turn.new_subject)) and heads & _sources(part):
            return number
    if turn.old_mark and len(arguments) > 1 and relation[-1].text.lower() == turn.old_mark:
        return 1
    return None


def _sources(words: Sequence[LocatedWord]) -> set[int]:
    return {word.source for word in words if word.source is not None}


def _lies_in(words: Sequence[LocatedWord], phrase: Sequence[int]) -> bool:
    """Whether most words of a part are in a phrase."""
    sources = _sources(words)
    return bool(sources) and 2 * len(sources & set(phrase)) > len(sources)


class _Follower:
    """Finds the words of a sentence in its rewrite."""

    def __init__(self, tree: DependencyTree, rewrite: Rewrite) -> None:
        self.tree = tree
        self.rewritten = rewrite.words
        self.at: dict[int, list[int]] = {}
        for position, word in enumerate(rewrite.words):
            for source in word.of:
                self.at.setdefault(source, []).append(position)
        self.regrouped = rewrite.draft.regrouped
        self.framed = rewrite.draft.framed

    def relation(self, words: list[LocatedWord]) -> str:
        return self._text(self._regroup(words), keep=True)

    def argument(self, words: list[LocatedWord]) -> str:
        words = self._regroup(words)
        sources = [word.source for word in words if word.source is not None]
        if len(sources) == len(words) and is_run(sources) and (block := self._block(sources)):
            return block
        return self._text(words, keep=False)

    def _text(self, words: list[LocatedWord], *, keep: bool) -> str:
        """The words as the rewrite spells them; a word that stands for several of them is written once."""
        forms: list[str] = []
        last: list[int] | None = None
        for word in words:
            places = None if word.source is None else self.at.get(word.source)
            if places is None or places != last:
                forms.append(self._form(word, keep=keep))
            last = places
        return " ".join(filter(None, forms))

    def _form(self, word: LocatedWord, *, keep: bool) -> str:
        """The word as the rewrite spells it; with `keep`, a word that the rewrite lacks stays."""
        if word.source is None or word.text.lower() in SUBJECT_FORMS or word.text.lower() in OBJECT_FORMS:
            # The case of a pronoun depends on its position, not on the content of the tuple.
            return word.text
        places = self.at.get(word.source)
        if not places:
            # "the agency 's members" stays as it is if the tuple omits the rest of the phrase.
            return word.text if keep or self.tree.tag(word.source) == "POS" else ""
        text = " ".join(self.rewritten[position].text for position in places)
        return word.text if text.lower() == word.text.lower() else text

    def _regroup(self, words: list[LocatedWord]) -> list[LocatedWord]:
        """The words of a reordered phrase in their new order, with those that were added."""
        for group, new in self.regrouped:
            inside = [number for number, word in enumerate(words) if word.source in group]
            if {words[number].source for number in inside} == set(group) and is_run(inside):
                fresh = [
                    LocatedWord(item.text) if isinstance(item, New) else LocatedWord(self.tree.text(item), item)
                    for item in new
                ]
                words = [*words[: inside[0]], *fresh, *words[inside[-1] + 1 :]]
        return words

    def _block(self, sources: list[int]) -> str | None:
        """The phrase of the rewrite that consists of these words and added ones."""
        inside = set(sources)
        if self.framed or any(source not in self.at and self.tree.tag(source) == "POS" for source in sources):
            return None
        places = sorted(position for source in sources for position in self.at.get(source, ()))
        if not places:
            return None
        first, last = places[0], places[-1]
        phrase = self.rewritten[first : last + 1]
        if any(not inside.issuperset(word.of) for word in phrase):
            return None
        if all(word.of for word in phrase) and [word.of for word in phrase] == [(source,) for source in sources]:
            return None
        if any(self.tree.base[index] == "nsubj" and self.tree.heads[index] in inside for index in inside):
            # A clause begins with the words that were added before it.
            while first and not self.rewritten[first - 1].of and self.rewritten[first - 1].text.isalpha():
                first -= 1
        marks = (",", ";", "--")
        words = list(dropwhile(marks.__contains__, (word.text for word in self.rewritten[first : last + 1])))
        while words and words[-1] in (*marks, "."):
            words.pop()
        return " ".join(words)
