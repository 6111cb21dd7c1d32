"""Names that a sentence itself equates: *Trinity Fatu, also known as Naomi*, *World Health Organization (WHO)*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tupelo.core.coreference import GENITIVES
from tupelo.core.statement import Anchor
from tupelo.names.aliases import is_country
from tupelo.names.wordings import NameWording, folded, initials, make_wording
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import ARTICLES
from tupelo.nlp.languages.en.naming import PLACES_OF
from tupelo.nlp.syntax import DependencyTree

_CUES = words("stated_names", "cues")
_FILLERS = words("stated_names", "fillers")
_NAMING = words("stated_names", "naming_lemmas")
_FORMERLY = words("stated_names", "formerly")
_PREPOSITIONS = words("stated_names", "prepositions")
_LIKE_ANOTHER = words("stated_names", "like_another")
_NAME_NOUNS = words("stated_names", "name_nouns")
_NAME_KINDS = words("stated_names", "name_kinds")
_VERBS = words("stated_names", "naming_verbs")
_VERSIONS = words("stated_names", "versions")
_LANGUAGES = words("stated_names", "languages")
_BE = words("stated_names", "forms_of_be")
_MARKS = frozenset(",;:()[]\"'“”‘’«»-–—/") | {"``", "''", "-LRB-", "-RRB-"}
_QUOTES = frozenset("\"'“”‘’«»") | {"``", "''"}
_HYPHENS = frozenset("-–—/")
_UNCLEAR = frozenset(["work", "other"])
_OPENING = frozenset(["(", "[", "-LRB-"])
_CLOSING = frozenset([")", "]", "-RRB-"])
_MOST_WORDS = 7
# Number of names before one that are compared with it.
_REACH = 3


def stated_names(tree: DependencyTree, names: Sequence[Anchor]) -> Iterator[tuple[Anchor, Anchor, bool]]:
    """Pairs of names of a sentence that it gives to one thing, in order, and whether that is sure.

    It is not where the second stands in brackets and nothing says why: *Kristiania (Oslo)*, *Leeds (England)*. Where
    a sentence has several such brackets, they say what belongs to what: *Heroes (Scary Monsters), Fame (Low)*.
    """
    pairs = list(_stated_pairs(tree, names))
    several = sum(not is_sure for _, _, is_sure in pairs) > 1
    yield from ((first, second, is_sure) for first, second, is_sure in pairs if is_sure or not several)


def _stated_pairs(tree: DependencyTree, names: Sequence[Anchor]) -> Iterator[tuple[Anchor, Anchor, bool]]:
    inside = {token for name in names if not _is_language(tree, name) for token in range(name.start, name.end)}
    for place, second in enumerate(names):
        if " ".join(tree.lowered[second.start : second.end]) in PLACES_OF or _is_citation(tree, second):
            continue
        if second.end < tree.size and (tree.text(second.end) in GENITIVES or _is_cut(tree, second)):
            # *Children's BBC* is more than *Children*, *UK-APC* more than *UK*.
            continue
        if _is_language(tree, second):
            continue
        for first in reversed(names[max(0, place - _REACH) : place]):
            sure = _equates(tree, first, second, inside) if first.end < second.start else None
            if sure is not None and not _is_another(tree, first):
                yield first, second, sure
                break


def named_subjects(tree: DependencyTree, names: Sequence[Anchor]) -> Iterator[tuple[int, Anchor]]:
    """Words for what has a name by the sentence: *He was nicknamed Bo*, *Her real name is Ann*."""
    for name in names:
        subject = _of_verb(tree, name)
        if subject is None:
            subject = _of_noun(tree, name)
        if subject is None or any(tree.lowered[child] in _LIKE_ANOTHER for child in tree.below[subject]):
            continue
        if not name.start <= subject < name.end:
            yield subject, name


def _of_verb(tree: DependencyTree, name: Anchor) -> int | None:
    """The subject of a passive verb that gives a name."""
    verb = tree.heads[name.head]
    if _is_another(tree, name):
        return None
    if verb is None or tree.lemmas[verb] not in _NAMING or tree.base[name.head] not in ("obl", "xcomp", "obj"):
        return None
    case = tree.child(name.head, "case")
    if case is not None and tree.lowered[case] != "as":
        return None
    subject = tree.child(verb, "nsubj:pass")
    return tree.heads[verb] if subject is None and tree.base[verb] == "acl" else subject


def _is_another(tree: DependencyTree, name: Anchor) -> bool:
    """*The new Psy*, who is not Psy."""
    return name.start > 0 and tree.lowered[name.start - 1] in _LIKE_ANOTHER


def _of_noun(tree: DependencyTree, name: Anchor) -> int | None:
    """The bearer of a *nickname* or *stage name*."""
    noun = tree.child(name.head, "nsubj") if tree.child(name.head, "cop") is not None else tree.heads[name.head]
    if noun is None or tree.lemmas[noun] not in _NAME_NOUNS:
        return None
    if tree.lemmas[noun] == "name" and not any(tree.lowered[child] in _NAME_KINDS for child in tree.below[noun]):
        return None
    owner = tree.child(noun, "nmod:poss")
    if owner is not None or tree.base[noun] != "obl":
        return owner
    verb: int | None = tree.heads[noun]
    while verb is not None:
        if (subject := tree.child(verb, "nsubj")) is not None:
            return subject
        verb = tree.heads[verb] if tree.base[verb] in ("conj", "advcl", "xcomp", "acl") else None
    return None


def _equates(tree: DependencyTree, first: Anchor, second: Anchor, inside: set[int]) -> bool | None:
    between = range(first.end, second.start)
    marks = [tree.text(token) for token in between if tree.text(token) in _MARKS]
    words = [tree.lowered[token] for token in between if tree.text(token) not in _MARKS and token not in inside]
    people = (first.label == "person") + (second.label == "person")
    if len(words) > _MOST_WORDS or (people == 1 and "other" not in (first.label, second.label)):
        return None
    adjacent = inside.isdisjoint(between)
    opened = _is_open(marks)
    follows_mark = tree.text(first.end) in _MARKS
    if not _CUES.isdisjoint(words):
        is_said = (
            adjacent
            and (follows_mark or words[0] in _BE or _VERBS.isdisjoint(words))
            and ("born" not in words or people == 2)
            and marks[-1:] != ["-"]
            and not _is_closed(marks)
            and not _is_said_of_another(tree, first, between)
        )
        return True if is_said and _gives_name(words) else None
    end = _end_of_quotes(tree, second)
    after = tree.text(end) if end < tree.size else "."
    is_alike = first.label == second.label or {first.label, second.label} == _UNCLEAR
    is_aside = follows_mark and adjacent and after in _MARKS and is_alike
    in_list = tree.base[first.head] == "conj" or len(tree.children(first.head, "conj")) > 1
    if (
        words in (["or"], ["or", "the"])
        and is_aside
        and not in_list
        and (opened or after == "," or _abbreviates(first, second))
    ):
        return True
    if words in (["now"], ["today"]) and opened and adjacent:
        # *Minsk, Russian Empire (now Belarus)*.
        return None if is_country(folded(second.text)) else True
    if not opened or marks[0] in _HYPHENS or _ends_a_name(tree, first):
        return None
    if words and ":" in marks and all(word in _LANGUAGES or word in PLACES_OF or word in _FILLERS for word in words):
        return True
    if not adjacent or not ARTICLES.issuperset(words):
        return None
    if _abbreviates(first, second):
        return True
    is_other = min(len(first.text), len(second.text)) < 2 or _is_version(tree, first, second)
    is_other = is_other or _names_other(first, second) or (end + 1 < tree.size and tree.upos(end + 1) == "PROPN")
    return False if is_aside and after in _CLOSING and not people and not is_other else None


def _names_other(first: Anchor, second: Anchor) -> bool:
    """Whether a name in brackets is that of a part, or another acronym: *Angola (Cabinda)*, *BUA (CI)*."""
    if is_country(folded(first.text)) or is_country(folded(second.text)):
        return True
    letters = [name.text.replace(".", "") for name in (first, second)]
    return all(map(str.isupper, letters)) and sorted(letters[0]) != sorted(letters[1])


def _ends_a_name(tree: DependencyTree, name: Anchor) -> bool:
    """Whether a name is the end of a longer one: *Maghreb* in *al-Qaeda in the Maghreb (AQM)*."""
    governor = tree.heads[name.head]
    if governor is None or tree.base[name.head] != "nmod" or tree.upos(governor) != "PROPN":
        return False
    return governor < name.start and all(
        tree.upos(token) in ("ADP", "DET") for token in range(governor + 1, name.start)
    )


def _is_cut(tree: DependencyTree, name: Anchor) -> bool:
    """Whether a name goes on after a hyphen."""
    before, after = tree.words[name.end - 1], tree.words[name.end]
    return after.text in ("-", "–") and before.end == after.start


def _is_version(tree: DependencyTree, first: Anchor, second: Anchor) -> bool:
    """Whether the second name says which recording the first is: *The Kings G-Mix*, *Sun 267*."""
    words = {part for word in tree.lowered[second.start : second.end] for part in word.split("-")}
    own = words.difference(tree.lowered[first.start : first.end])
    return any(word.isdigit() or word in _VERSIONS for word in own)


def _end_of_quotes(tree: DependencyTree, anchor: Anchor) -> int:
    """The end of an anchor, with the quotation marks after it."""
    end = anchor.end
    while end < tree.size and tree.text(end) in _QUOTES:
        end += 1
    return end


def _gives_name(words: Sequence[str]) -> bool:
    """Whether words with a cue do nothing but give another name: *also known as*, not *born in*."""
    if "in" in words and "known" not in words:
        return False
    return all(word in _CUES or word in _FILLERS for word in words) and not _is_said_otherwise(words)


def _is_said_otherwise(words: Sequence[str]) -> bool:
    """Whether a cue says something else: *formerly by Nokia*, *born to Ann Lee*, *the AFI short Requiem*."""
    for word, following in zip_longest(words, words[1:]):
        if (word == "short" and following != "for") or (word in _FORMERLY and following in _PREPOSITIONS):
            return True
    return False


def _is_citation(tree: DependencyTree, name: Anchor) -> bool:
    """*Fillmore 1968*."""
    last = tree.text(name.end - 1)
    return name.end - name.start > 1 and len(last) == 4 and last.isdigit()


def _is_closed(marks: Sequence[str]) -> bool:
    """Whether the first bracket is a closing one: *(capital of the U.S.) known as the L'Enfant Plan*."""
    return next((mark in _CLOSING for mark in marks if mark in _OPENING or mark in _CLOSING), False)


def _is_said_of_another(tree: DependencyTree, first: Anchor, between: range) -> bool:
    """Whether the verb that gives a name belongs to a noun before: *the desert of Antioch, known as Thebaid*."""
    for token in between:
        head = tree.heads[token]
        if tree.lowered[token] in _VERBS and tree.base[token] == "acl" and head is not None:
            return head < first.start
    return False


def _is_open(marks: Sequence[str]) -> bool:
    """Whether the last bracket is an opening one."""
    brackets = [mark for mark in marks if mark in _OPENING or mark in _CLOSING]
    return bool(brackets) and brackets[-1] in _OPENING


def _is_language(tree: DependencyTree, name: Anchor) -> bool:
    """*French* in *(French: …)*."""
    return name.end < tree.size and tree.text(name.end) == ":"


def _abbreviates(first: Anchor, second: Anchor) -> bool:
    """Whether one of two names, the second in brackets, is a short form of the other, or in another script."""
    if _is_latin(first.text) != _is_latin(second.text):
        return True
    one, other = make_wording(first.text, first.label), make_wording(second.text, second.label)
    return _has_letters_of(one, other) or _has_letters_of(other, one)


def _is_latin(text: str) -> bool:
    letters = [letter for letter in folded(text) if letter.isalpha()]
    return sum(letter < "ɐ" for letter in letters) * 2 >= len(letters)


def _has_letters_of(short: NameWording, full: NameWording) -> bool:
    """Whether the letters of a short name in capitals occur in this order in a longer one, the first at its start.

    Words before the first letter are allowed where all letters begin words: *U.S. Office of Management (OM)*.
    """
    letters = "".join(short.words)
    if not 2 <= len(letters) <= 10 or sum(map(str.isupper, short.text)) < 2 or len(full.words) < 2:
        return False
    if len(short.words) > 1 and not short.words[-1].isdigit():
        return False
    rest = iter("".join(full.words))
    in_order = full.words[0][0] == letters[0] and all(letter in rest for letter in letters)
    return in_order or any(found.endswith(letters) for found in initials(full))
