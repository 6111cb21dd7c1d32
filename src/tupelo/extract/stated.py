"""Names that a sentence itself equates: *Trinity Fatu, also known as Naomi*, *World Health Organization (WHO)*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core.statement import Anchor
from tupelo.extract.wordings import Wording, folded, is_acronym, make_wording
from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.demonyms import PLACES_OF
from tupelo.nlp.syntax import DependencyTree

# What may stand between two names of one thing: one of the first, any of the second, marks.
_CUES = word_set(
    "aka a.k.a a.k.a. known called nicknamed née nee né born formerly previously originally alias abbreviated "
    "shortened renamed i.e. ie dubbed short stylized stylised translated meaning lit. literally"
)
# These need a mark or a form of *be* before them: *Ann called Mary* says nothing.
_VERBS = word_set("called nicknamed renamed dubbed known born")
_FILLERS = word_set(
    "is was were are be been also as by his her its their the a better best more most commonly popularly widely "
    "officially professionally sometimes often usually simply then later now today for or in and to stage real full "
    "birth name names title under"
)
_LANGUAGES = word_set(
    "latin hebrew arabic urdu hindi tamil sanskrit pinyin yiddish esperanto romanized romanised lit"
)
_BE = word_set("is was were are be been")
_MARKS = frozenset(",;:()[]\"'“”‘’«»-–—/") | {"``", "''", "-LRB-", "-RRB-"}
_OPENING = frozenset(["(", "[", "-LRB-"])
_CLOSING = frozenset([")", "]", "-RRB-"])
_MOST_WORDS = 7
_REACH = 3


def stated_names(tree: DependencyTree, names: Sequence[Anchor]) -> Iterator[tuple[Anchor, Anchor]]:
    """Pairs of names of a sentence that it says to be one thing, the one that comes first being first."""
    inside = {token for name in names for token in range(name.start, name.end) if not _is_language(tree, name)}
    for place, second in enumerate(names):
        for first in reversed(names[max(0, place - _REACH) : place]):
            if first.end <= second.start and _equates(tree, first, second, inside):
                yield first, second
                break


def _equates(tree: DependencyTree, first: Anchor, second: Anchor, inside: set[int]) -> bool:
    between = range(first.end, second.start)
    marks = [tree.text(token) for token in between if tree.text(token) in _MARKS]
    words = [tree.lowered[token] for token in between if tree.text(token) not in _MARKS and token not in inside]
    if len(words) > _MOST_WORDS or not between:
        return False
    adjacent = inside.isdisjoint(between)
    if " ".join(tree.lowered[second.start : second.end]) in PLACES_OF:
        return False
    people = (first.label == "person") + (second.label == "person")
    if people == 1 and "other" not in (first.label, second.label):
        return False
    cues = [word for word in words if word in _CUES]
    if cues:
        follows_mark = tree.text(first.end) in _MARKS or (words[0] in _BE and "also" in words) or words[0] in _BE
        if not adjacent or (not follows_mark and not _VERBS.isdisjoint(cues)):
            return False
        if "in" in words and "known" not in cues:
            return False
        if "born" in cues and people < 2:
            return False
        return all(word in _CUES or word in _FILLERS for word in words)
    opened = any(mark in _OPENING for mark in marks) and not any(mark in _CLOSING for mark in marks)
    if not opened:
        return False
    if words and all(word in _LANGUAGES or word in PLACES_OF or word in _FILLERS for word in words) and ":" in marks:
        return True
    return not words and adjacent and _abbreviates(first, second)


def _is_language(tree: DependencyTree, name: Anchor) -> bool:
    """*French* in *(French: …)*."""
    return name.end < tree.size and tree.text(name.end) == ":"


def _abbreviates(first: Anchor, second: Anchor) -> bool:
    """Whether one of two names, the second in brackets, is a short form of the other, or in another script."""
    one, other = make_wording(first.text, first.label), make_wording(second.text, second.label)
    if _script(first.text) != _script(second.text):
        return True
    return any(is_acronym(*pair) or _letters_in_order(*pair) for pair in ((one, other), (other, one)))


def _script(text: str) -> bool:
    """Whether a name is written in Latin letters."""
    letters = [letter for letter in folded(text) if letter.isalpha()]
    return sum(letter < "ɐ" for letter in letters) * 2 >= len(letters)


def _letters_in_order(short: Wording, full: Wording) -> bool:
    """Whether the letters of a word in capitals occur in this order in a longer name, the first at its start."""
    letters = "".join(short.words)
    written = short.text.replace(".", "")
    if (
        not 2 <= len(letters) <= 10
        or sum(map(str.isupper, written)) < 2
        or len(short.words) > 1
        or len(full.words) < 2
    ):
        return False
    rest = iter("".join(full.words))
    return full.words[0][0] == letters[0] and all(letter in rest for letter in letters)
