"""The names of a sentence: those of the recogniser, cleaned, and adjectives of places and proper nouns it missed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from tupelo.core.coreference import GENITIVES, NAMES
from tupelo.core.statement import Anchor
from tupelo.names.aliases import usual_place_name
from tupelo.names.forms import GENERATIONS, PARTICLES
from tupelo.nlp.kinds import kinds_of
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import ARTICLES
from tupelo.nlp.languages.en.naming import (
    COMPANY_ENDINGS,
    DEMONYMS,
    FEMALE_NAMES,
    MALE_NAMES,
    PLACES_OF,
    is_role,
    title_words,
)
from tupelo.nlp.languages.en.quantities import TIME_NOUNS
from tupelo.nlp.syntax import DependencyTree, remembered

_COUNTRIES = frozenset(tuple(place.lower().split()) for place in DEMONYMS.values())
_DEMONYMS_BEGIN = frozenset(name.split(" ")[0] for name in PLACES_OF)
_STATES = words("name_words", "whole_states")
# Types of names whose first words the recogniser may miss.
_EXTENDED = frozenset(["place", "organization", "event", "work"])
_SALUTATIONS = words("titles", "salutations")
_COURTESY = words("titles", "courtesy_titles", "professional_titles")
_INITIAL = re.compile(r"(?:[A-Z]\.-?){1,3}")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_QUOTES = frozenset(["``", "''", '"', "“", "”", "‘", "’", "«", "»"])
_ASIDE = _QUOTES | {"(", ")", "-LRB-", "-RRB-"}
_LONGEST_TITLE = 12
# Parts of speech of words with a capital in a title.
_LARGE = frozenset(["NOUN", "PROPN", "VERB", "ADJ"])
# Relations between the words of a name.
_INNER = frozenset(["compound", "flat", "amod", "nmod", "nummod"])
_BESIDE = re.compile(r"(?<!\s)\s*\([^()]*\)$")


@remembered
def proper_names(tree: DependencyTree) -> tuple[Anchor, ...]:
    """Recognised names, adjectives of places, and proper nouns that nobody recognised."""
    entities = tree.analysis.entities or ()
    taken = {token for entity in entities for token in range(entity.start, entity.end)}
    found: list[Anchor] = []
    for entity in entities:
        if entity.label in NAMES:
            for start, end, label in _parted(tree, entity.start, entity.end, entity.label):
                start, end, label = _trimmed(tree, start, end, label)
                if _is_name(tree, start, end) and not (found and start < found[-1].end):
                    start, end, label = _extended(tree, start, end, label, taken)
                    while found and found[-1].end > start:
                        # A name in a title.
                        found.pop()
                    found.append(_name(tree, start, end, label))
    taken |= {token for name in found for token in range(name.start, name.end)}
    found += [*_demonyms(tree, taken), *_overlooked(tree, taken)]
    return tuple(_joined(tree, sorted(found, key=lambda name: name.start)))


def _joined(tree: DependencyTree, names: Sequence[Anchor]) -> Iterator[Anchor]:
    """The names, parts of one put together: *Gill & Sons*, *Marl Growers' Co-operative*, *Robert "Bob" Lee*."""
    starts = {name.start: name for name in names}
    parts: set[Anchor] = set()
    for name in names:
        if name in parts:
            continue
        nickname = starts.get(_after_marks(tree, name))
        family = None if nickname is None else starts.get(_after_marks(tree, nickname))
        people = [one.label == "person" for one in (name, nickname, family) if one is not None]
        if nickname is not None and family is not None and people[0] and any(people[1:]):
            parts |= {nickname, family}
            name = _name(tree, name.start, family.end, "person")
        while (after := starts.get(name.end + 1)) is not None and _is_one(tree, name, after):
            parts.add(after)
            name = _name(tree, name.start, after.end, "place" if name.label == "place" else "organization")
        yield name


def _after_marks(tree: DependencyTree, name: Anchor) -> int:
    """The place after quotation marks and brackets that stand after a name, -1 without any."""
    place = name.end
    while place < tree.size and tree.text(place) in _ASIDE:
        place += 1
    return place if place > name.end else -1


def _is_one(tree: DependencyTree, name: Anchor, after: Anchor) -> bool:
    """Whether two names are parts of one: *Bosnia and Herzegovina*, *Gill & Sons*; *Ann & Bob* are two people."""
    if tree.text(name.end) == "and":
        return usual_place_name(" ".join(tree.lowered[name.start : after.end])) is not None
    if tree.text(name.end) == "&":
        words = tree.lowered[name.start], tree.lowered[after.start]
        return not all(word in MALE_NAMES | FEMALE_NAMES for word in words)
    is_plural = tree.text(name.end) in ("'", "’") and name.label != "person"
    return is_plural and any(kind.root == "organization" for kind in kinds_of(tree.lowered[after.end - 1]))


def _is_name(tree: DependencyTree, start: int, end: int) -> bool:
    """Whether words have a capital or a number, and not only say what somebody is: *45th President of the Senate*."""
    words = tree.words[start:end]
    is_office = is_role([word.text for word in words if word.upos not in ("NUM", "ADJ")])
    return not is_office and any(any(map(str.isupper, word.text)) or word.text[0].isdigit() for word in words)


def _extended(tree: DependencyTree, start: int, end: int, label: str, taken: set[int]) -> tuple[int, int, str]:
    """A name with the words that the recogniser missed, as in *United [States]*, and its type."""
    if label == "work" and (title := _quoted(tree, start, end)) is not None:
        return *title, label
    while label in _EXTENDED and start > 0 and start - 1 not in taken and _belongs(tree, start - 1, start, end):
        start -= 1
    last, mentions = end, tree.analysis.mentions or ()
    people = {one.head for one in mentions if one.label == "person"}
    while end < tree.size and end not in taken and end not in people and _goes_on(tree, start, end):
        end += 1
    if end > last and label in ("person", "place"):
        # *Trump Tower*, *Oslo Opera House*.
        label = next((one.label for one in mentions if one.head == end - 1 and one.label in NAMES), "other")
    if label == "event" and start > 1 and tree.text(start - 1) == "of" and _is_event(tree.lowered[start - 2]):
        start -= 2
    return start, end, label


def _quoted(tree: DependencyTree, start: int, end: int) -> tuple[int, int] | None:
    """The title in quotation marks around some words of it: *Your [Disco] Needs You*."""
    before = range(start - 1, max(-1, start - _LONGEST_TITLE), -1)
    opening = next((place for place in before if tree.text(place) in _QUOTES), None)
    closing = next((place for place in range(end, tree.size) if tree.text(place) in _QUOTES), None)
    if opening is None or closing is None or closing - opening > _LONGEST_TITLE:
        return None
    while tree.upos(closing - 1) == "PUNCT" and tree.text(closing - 1) in ",.":
        closing -= 1
    inside = range(opening + 1, closing)
    is_title = all(tree.text(place)[0].isupper() for place in inside if tree.upos(place) in _LARGE)
    return (opening + 1, closing) if is_title and tree.text(opening + 1)[0].isupper() else None


def _goes_on(tree: DependencyTree, start: int, end: int) -> bool:
    """Whether the word after a name is part of it: capitalized, and with a word of the name as a modifier."""
    return (
        tree.text(end).istitle()
        and tree.upos(end) in ("PROPN", "NOUN")
        and not is_role([tree.text(end)])
        and all(kind.root != "person" for kind in kinds_of(tree.lowered[end]))
        and tree.lowered[end] not in PLACES_OF
        and not is_demonym(tree, start, end)
        and any(tree.heads[place] == end and tree.base[place] in _INNER for place in range(start, end))
    )


def _is_event(noun: str) -> bool:
    return any(kind.root == "event" for kind in kinds_of(noun))


def _name(tree: DependencyTree, start: int, end: int, label: str) -> Anchor:
    head = tree.head_of(range(start, end))
    if is_demonym(tree, start, end) and (end - start > 1 or tree.upos(start) == "ADJ"):
        label = "place"
    return Anchor(start, end, start if head is None else head, "name", label, tree.analysis.written(start, end))


def is_demonym(tree: DependencyTree, start: int, end: int) -> bool:
    """Whether words are an adjective or a noun made from the name of a place."""
    return " ".join(tree.lowered[start:end]) in PLACES_OF


def _parted(tree: DependencyTree, start: int, end: int, label: str) -> Iterator[tuple[int, int, str]]:
    """Two names that were taken for one: *South Africa('s) Tokyo Sexwale*, *the 2008 Olympics in Beijing*."""
    if label == "person":
        for place in range(start + 1, end - 1):
            owner = tuple(tree.lowered[start:place])
            if tree.text(place) in GENITIVES or owner in _COUNTRIES:
                yield start, place, "place" if owner in _COUNTRIES else "other"
                yield place, end, label
                return
    if label in ("place", "event"):
        for place in range(start + 1, end - 1):
            outer = tuple(word for word in tree.lowered[place + 1 : end] if word not in ARTICLES)
            is_state = any(word in _STATES for word in tree.lowered[start:place])
            of_country = tree.text(place) == "of" and place - start > 1 and outer in _COUNTRIES and not is_state
            if of_country or (tree.text(place) == "in" and tree.upos(end - 1) == "PROPN"):
                yield start, place, label
                yield place + 1, end, "place"
                return
    yield start, end, label


def _trimmed(tree: DependencyTree, start: int, end: int, label: str) -> tuple[int, int, str]:
    """A name without salutations, titles, articles, genitives and loose words at its ends, and its type.

    Titles of works keep theirs. A name after a courtesy title is that of a person; *MRICS* after one is no name.
    """
    first, last, label = _person_of([word.text for word in tree.words[start:end]], label)
    start, end = start + first, start + last
    while start < end and (
        tree.lowered[start] in ARTICLES or _is_common(tree, start) or (label == "person" and _is_loose(tree, start))
    ):
        start += 1
    while start < end and (tree.text(end - 1) in GENITIVES or _is_common(tree, end - 1)):
        end -= 1
    return start, end, label


def _person_of(words: Sequence[str], label: str) -> tuple[int, int, str]:
    """The first and the last of the words that are a name without titles and letters after it, and its type."""
    start, end = 0, len(words)
    while start < end - 1 and words[start].lower().strip(",") in _SALUTATIONS:
        start += 1
    own = words[start:end]
    if len(own) > 1 and label not in ("person", "work", "event"):
        is_initials = len(own) < 4 and own[-1].istitle() and own[-1].lower() not in COMPANY_ENDINGS
        is_initials = is_initials and all(_INITIAL.fullmatch(word) for word in own[:-1])
        label = "person" if is_initials or own[0].lower().removesuffix(".") in _COURTESY else label
    if label == "person":
        start += title_words(own)
        is_letters = end - start > 2 and words[end - 1].isupper() and words[end - 1].isalpha()
        end -= is_letters and words[end - 2].istitle() and words[end - 1].lower() not in GENERATIONS
    return start, end, label


def name_of_line(text: str, label: str) -> tuple[str, str]:
    """A name that a line, a header or a table has, as a text would have it, and its type.

    >>> name_of_line("Cllr M. Pell", "other"), name_of_line("Ann Lee, for the Seller", "person")
    (('M. Pell', 'person'), ('Ann Lee', 'person'))
    >>> name_of_line("for Norrsund Lines", "other"), name_of_line("Strait Workers' Union (SWU)", "organization")
    (('Norrsund Lines', 'other'), ("Strait Workers' Union", 'organization'))
    """
    words = _BESIDE.sub("", text).split()
    if words[:1] and words[0].lower() == "for":
        words = words[1 + (words[1:2] == ["the"]) :]
    start, end, label = _person_of(words, label)
    words = words[start:end]
    if label == "person" and "for" in words[1:]:
        words = words[: words.index("for")]
    return " ".join(words).rstrip(",") or text, label


def _is_common(tree: DependencyTree, index: int) -> bool:
    """Whether a word at the end of a name is none of its words: *Iceland by*, *lake Saimaa*."""
    if tree.upos(index) == "PUNCT":
        return True
    return tree.text(index).islower() and tree.upos(index) not in ("PROPN", "NUM", "X")


def _is_loose(tree: DependencyTree, index: int) -> bool:
    """Whether a word in lower case before a person's name is none of its words: *king Louis*; not *van Gogh*."""
    return tree.text(index).islower() and tree.lowered[index] not in PARTICLES


def _belongs(tree: DependencyTree, place: int, start: int, end: int) -> bool:
    """Whether the word before a name is part of it: capitalized, and a modifier of a word of the name."""
    head = tree.heads[place]
    return (
        (tree.text(place)[:1].isupper() or bool(_ORDINAL.fullmatch(tree.text(place))))
        and tree.upos(place) in ("PROPN", "ADJ", "VERB")
        and tree.lowered[place] not in PLACES_OF
        and not is_role([tree.text(place)])
        and head is not None
        and start <= head < end
    )


def _demonyms(tree: DependencyTree, taken: set[int]) -> Iterator[Anchor]:
    """*Kenyan*, *South African*, *an American*; not the language in *they spoke Dutch*."""
    place = 0
    while place < tree.size:
        sizes = (2, 1) if tree.lowered[place] in _DEMONYMS_BEGIN else ()
        size = next((n for n in sizes if place + n <= tree.size and is_demonym(tree, place, place + n)), 0)
        last = place + size - 1
        if size and tree.text(place)[:1].isupper() and taken.isdisjoint(range(place, place + size)):
            modifies = tree.base[last] in ("amod", "compound", "nmod", "conj") and tree.labels[last] != "nmod:poss"
            if tree.upos(last) == "ADJ" or (modifies and tree.child(last, "case") is None):
                taken.update(range(place, place + size))
                yield _name(tree, place, place + size, "place")
        place += size or 1


def _overlooked(tree: DependencyTree, taken: set[int]) -> Iterator[Anchor]:
    """Runs of proper nouns outside all entities; not a title alone, and nothing in a line of capitals."""
    if sum(word.text.isupper() for word in tree.words) * 2 > tree.size:
        return
    # A word alone in a heading may well be no name.
    is_clause = any(word.upos in ("VERB", "AUX") for word in tree.words)
    proper = [word.upos == "PROPN" and word.text[:1].isupper() for word in tree.words]
    free = [at for at in range(tree.size) if proper[at] and at not in taken]
    for _, run in groupby(enumerate(free), lambda one: one[1] - one[0]):
        places = [at for _, at in run]
        place, end = places[0], places[-1] + 1
        words = [word.text for word in tree.words[place:end]]
        heads_name = end < tree.size and end in taken
        alone = end - place == 1 and (
            not is_clause or words[0].lower() in TIME_NOUNS or len(words[0]) < 2 or heads_name
        )
        if not (is_role(words) or alone):
            before = place - 1
            is_longer = place > 0 and before not in taken and _belongs(tree, before, place, end)
            start = before if is_longer else place
            taken.update(range(start, end))
            yield _name(tree, start, end, "other")
