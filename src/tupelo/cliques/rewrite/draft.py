"""A rewritten sentence that knows where each of its words came from.

A rule gives the words in their new order: the number of a word of the source
that stays as it is, or a `New` word, which may stand for words of the source
(*written* for *wrote*) or for none (*it*, *that*). Everything that is the same
for all rules happens in `finish`: capitals, commas, quotation marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tupelo.cliques.rewrite.tree import CLOSING, OPENING, Tree
from tupelo.cliques.rewrite.words import word_set

# What closes a quotation depends on what follows it.
_FREE_MARKS = frozenset([",", "."])
# How adjectives end that are made from names: Japanese, Italian, British, French.
_PEOPLES = ("ese", "ian", "ish", "rench", "utch", "wiss", "ican", "orean", "opean", "raqi", "aeli")
_STOPS = word_set(". ! ? ; : --")


@dataclass(frozen=True, slots=True)
class New:
    """A word that the source does not have so; `of` are the words it stands for."""

    text: str
    of: tuple[int, ...] = ()


Item = int | New


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
class Draft:
    """What a rule proposes. `regrouped` are phrases whose inner order changed; tuples follow them."""

    rule: str
    items: tuple[Item, ...]
    turns: tuple[Turn, ...] = ()
    regrouped: tuple[tuple[tuple[int, ...], tuple[Item, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of the finished sentence and the words of the source it stands for."""

    text: str
    of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A finished sentence, word by word."""

    rules: tuple[str, ...]
    pieces: tuple[Piece, ...]
    text: str
    draft: Draft


def words(text: str) -> list[New]:
    """Words that the source does not have.

    >>> words("it was")
    [New(text='it', of=()), New(text='was', of=())]
    """
    return [New(word) for word in text.split()]


def finish(tree: Tree, draft: Draft) -> Rewrite | None:
    """The sentence of a draft; `None` where quotations or brackets would break, or nothing changed."""
    items = _tidy(tree, draft.items)
    pieces = [
        Piece(tree.text(item), (item,)) if isinstance(item, int) else Piece(item.text, item.of) for item in items
    ]
    if not pieces or not _keeps_quotations(tree, pieces):
        return None
    for position, piece in enumerate(pieces):
        if piece.of and piece.of[0] == 0 and position > _first_word(pieces) and not _stays_capital(tree, 0):
            pieces[position] = Piece(piece.text[:1].lower() + piece.text[1:], piece.of)
    first = _first_word(pieces)
    if first < len(pieces):
        pieces[first] = Piece(pieces[first].text[:1].upper() + pieces[first].text[1:], pieces[first].of)
    text = _join(tree, pieces)
    if [piece.text for piece in pieces] == [word.text for word in tree.words]:
        return None
    return Rewrite((draft.rule,), tuple(pieces), text, draft)


def _first_word(pieces: Sequence[Piece]) -> int:
    for position, piece in enumerate(pieces):
        if piece.text not in OPENING and piece.text not in ('"', "'", "`"):
            return position
    return len(pieces)


def _stays_capital(tree: Tree, index: int) -> bool:
    """Whether the first word has its capital for a reason of its own."""
    word = tree.text(index)
    if word == "I" or any(letter.isupper() for letter in word[1:]) or not word[:1].isupper():
        return True
    if (
        index + 1 < tree.size
        and tree.text(index + 1)[:1].isupper()
        and tree.base[index] in ("compound", "flat", "amod")
    ):
        # Part of a name: "Crime Master".
        return True
    if tree.upos(index) == "ADJ" and word.endswith(_PEOPLES):
        return True
    return tree.tag(index) in ("NNP", "NNPS") or tree.upos(index) == "PROPN" or _is_nationality(tree, index)


def _is_nationality(tree: Tree, index: int) -> bool:
    return tree.upos(index) in ("ADJ", "NOUN") and tree.entity[index] in ("other", "place", "person", "organization")


def _tidy(tree: Tree, items: Iterable[Item]) -> list[Item]:
    """Commas that stand at the start, before a stop or beside another comma go."""
    kept: list[Item] = []
    for item in items:
        text = tree.text(item) if isinstance(item, int) else item.text
        last = _text(tree, kept[-1]) if kept else ""
        if text == "," and (not kept or last in (",", *_STOPS) or last in OPENING):
            continue
        if text in _STOPS and last == ",":
            kept.pop()
        kept.append(item)
    return kept


def _text(tree: Tree, item: Item) -> str:
    return tree.text(item) if isinstance(item, int) else item.text


def _keeps_quotations(tree: Tree, pieces: Sequence[Piece]) -> bool:
    """What stands in quotation marks or brackets must stand there unchanged, and nothing else may."""
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
    place = {piece.of[0]: position for position, piece in enumerate(pieces) if len(piece.of) == 1}
    for start, end in pairs:
        if start not in place and end not in place:
            continue
        if start not in place or end not in place or place[end] <= place[start]:
            return False
        inside = [piece.of for piece in pieces[place[start] : place[end] + 1] if piece.text not in _FREE_MARKS]
        if inside != [(index,) for index in range(start, end + 1) if tree.text(index) not in _FREE_MARKS]:
            return False
    straight = sum(1 for piece in pieces if piece.text == '"')
    return straight % 2 == 0


def _join(tree: Tree, pieces: Sequence[Piece]) -> str:
    """Words with the spaces that the source puts before them; new words are set apart by one."""
    text = ""
    tokenized = all(tree.words[index].start > tree.words[index - 1].end for index in range(1, tree.size))
    for position, piece in enumerate(pieces):
        if position and not (_is_glued(tree, pieces, position) and not tokenized):
            text += " "
        text += piece.text
    return text


def _is_glued(tree: Tree, pieces: Sequence[Piece], position: int) -> bool:
    """Whether a word stands right after the one before it: a mark, a clitic, part of a hyphenated word."""
    piece, before = pieces[position], pieces[position - 1]
    if piece.text in (",", ".", ";", ":", "?", "!", "'s", "''", "”", ")", "n't", "%"):
        return True
    if before.text in OPENING:
        return True
    if len(piece.of) == 1 and len(before.of) == 1 and piece.of[0] == before.of[0] + 1:
        return tree.words[piece.of[0]].start == tree.words[before.of[0]].end
    return False
