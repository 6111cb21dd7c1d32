"""Whether two names may be of one thing, by the names alone: what keeps them apart, and what makes them one.

Two phrases are *apart* when they differ in a number, an ordinal, a year or a compass word; when one is a part of the
other's thing (*University of Oslo* and *Oslo*, *Minneapolis* and *Minnesota*); and when they are people with
different given names. They are *one* when only spelling, articles, titles or legal forms differ, when the tables of
names have them as one, when one is the acronym of the other, when a given name is an initial or short form, and when
one is the surname in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tupelo.names.aliases import Aliases, is_country, is_known_place, places_around
from tupelo.names.forms import GENERATIONS, PARTICLES, NameForm, acronyms_of, form_of, phrase_key
from tupelo.nlp.kinds import ThingKind, kinds_of, own_nouns
from tupelo.nlp.languages import language_data, words
from tupelo.nlp.languages.en.naming import DEMONYMS, FEMALE_NAMES, FULL_FIRST_NAMES, MALE_NAMES, OTHER_GIVEN_NAMES
from tupelo.nlp.languages.en.quantities import CARDINALS, ORDINALS, TENS

_NUMBER = re.compile(r"\d+")
_DECADE = re.compile(r"(?<!\d)(\d{3}0)'?s\b")
_OWNER = re.compile("['’]s? ")
_WORD = re.compile(r"[^\W_]+")
# 1st, 22nd: the number counts.
_ORDINAL_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_ROMAN: Mapping[str, int] = language_data("name_words")["roman_numerals"]
_LAST_ROMAN: Mapping[str, int] = language_data("name_words")["last_roman_numerals"]
_COMPASS = ("north", "south", "east", "west")
_DIRECTIONS = {word: word for word in (*_COMPASS, *words("name_words", "contrasts"))} | {
    f"{word}ern": word for word in _COMPASS
}
# Words that belong to a name without changing what it names: *New York*, *New Zealand*, *Old Norse*.
_PART_OF_NAME = frozenset(["new", "old"])
_SMALL = words("name_words", "small_words_across")
YEARS = range(1000, 2200)
_TABLES = Aliases()
_GIVEN = (
    MALE_NAMES | FEMALE_NAMES | OTHER_GIVEN_NAMES | frozenset(FULL_FIRST_NAMES) | frozenset(FULL_FIRST_NAMES.values())
)
_SAME_PLACE = words("name_words", "same_place")
_OF_A_THING = words("name_words", "of_a_thing")
_IDENTIFIED_BY_NAME = words("name_words", "identified_by_name")
_SHORTEST_ACRONYM = 3
_MOST_NAMES = 4
SPELLING = "spelling"
SURNAME = "surname"
_INITIALS = "initials"
# Prefixes of such keys.
OF_SINGLE = (f"{SURNAME} ", f"{_INITIALS} ")


@lru_cache(maxsize=1 << 16)
def words_in(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without articles and possessive endings."""
    form = form_of(name)
    words = (*form.words, form.generation) if form.generation else form.words
    return tuple(word.casefold() for word in words)


@lru_cache(maxsize=1 << 16)
def numbers_in(name: str) -> frozenset[int]:
    """All numbers of a name: digits, words, ordinals and Roman numerals.

    >>> [sorted(numbers_in(name)) for name in ("World War II", "the 45th Grammy Awards", "1,200 men")]
    [[2], [45], [1200]]
    """
    text = _ORDINAL_ENDING.sub("", _THOUSANDS.sub("", name.casefold()))
    # The 1980s are not 1980.
    found = {-int(decade) for decade in _DECADE.findall(text)}
    found |= {int(digits) for digits in _NUMBER.findall(_DECADE.sub("", text))}
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        value = CARDINALS.get(word) or TENS.get(word) or ORDINALS.get(word) or (_ROMAN.get(word) if place else None)
        if value is None and place and place == len(words) - 1:
            value = _LAST_ROMAN.get(word)
        if value is not None:
            found.add(int(value))
    return frozenset(found)


def _directions_in(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_DIRECTIONS[word] for word in words if word in _DIRECTIONS)


def distinguishes(words: tuple[str, ...]) -> bool:
    """Whether words that only one of two names has say that they are distinct: numbers and compass words."""
    return any(
        any(map(str.isdigit, word)) or word in _ROMAN or word in ORDINALS or word in _DIRECTIONS for word in words
    )


def reason_apart(one: str, other: str) -> str | None:
    """Why two names cannot be of one thing; `None` if they may be.

    >>> reason_apart("North Korea", "South Korea"), reason_apart("World War I", "World War II")
    ('direction', 'number')
    >>> reason_apart("University of Oslo", "Oslo"), reason_apart("Minneapolis", "Minnesota")
    ('part', 'place')
    >>> reason_apart("Joe Biden", "Joseph Biden"), reason_apart("Hunter Biden", "Joe Biden")
    (None, 'given name')
    """
    first, second = canonical_key(one), canonical_key(other)
    if first == second:
        return None
    left, right = words_in(one), words_in(other)
    if _numbers_differ(numbers_in(one), numbers_in(other)) or _is_counted(left, right) or _is_counted(right, left):
        return "number"
    if _turned_apart(left, right):
        return "direction"
    if is_known_place(first) and is_known_place(second) and DEMONYMS.keys().isdisjoint((left, right)):
        return "place"
    if _is_part(one, left, right) or _is_part(other, right, left):
        return "part"
    if _are_other_people(form_of(one, "person"), form_of(other, "person")):
        return "given name"
    if _have_other_heads(one, other):
        return "kind"
    return None


def _numbers_differ(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether both have other numbers, or one has a year: *Expo* and *Expo 2010*, but not *iPad* and *iPad 5*."""
    return one != other and (bool(one and other) or any(number in YEARS for number in one | other))


def _is_counted(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a name has an ordinal more: *Second Gulf War* and *Gulf War*."""
    return words[1:] == other and (words[0] in ORDINALS or bool(_ORDINAL_ENDING.search(words[0])))


def _turned_apart(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether compass words and the like differ, or are all that one name has more: *Germany*, *West Germany*."""
    one, other = _directions_in(left), _directions_in(right)
    if one == other or ((one | other) <= _PART_OF_NAME and not (one and other)):
        return False
    if one and other:
        return True
    plain = [tuple(word for word in words if word not in _DIRECTIONS) for words in (left, right)]
    return plain[0] == plain[1]


def _is_part(name: str, words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a name is built on that of its place or owner: *Oslo University*, *president of France*."""
    if len(words) <= len(other):
        return _has_other_complement(words, other)
    if "of" in words:
        at = words.index("of")
        # *State of Texas* is Texas.
        is_same = any(kind.name in _SAME_PLACE for kind in kinds_of(words[at - 1]))
        return words[at + 1 :] in (other, ("the", *other)) and not is_same
    owner = _OWNER.split(name, maxsplit=1)
    if len(owner) == 2 and words_in(owner[0]) == other:
        return True
    if words[: len(other)] != other:
        return False
    key = " ".join(other)
    kinds = [kind for noun in own_nouns(name) for kind in kinds_of(noun)]
    if is_known_place(key) or is_country(key):
        # *Oslo city* and *Oslo, Norway* are still the place, *Oslo Airport* and *Boston Celtics* are not.
        rest = " ".join(words[len(other) :])
        if is_country(key) and any(kind.name == "city" for kind in kinds):
            return True
        return rest not in places_around(key) and not any(kind.name in _SAME_PLACE for kind in kinds)
    # *Apple CEO*, *Lakefield School*: the added noun says that it is another thing.
    own = {kind.name for noun in own_nouns(" ".join(other)) for kind in kinds_of(noun)}
    return any((kind.root == "person" or kind.name in _OF_A_THING) and kind.name not in own for kind in kinds)


def _has_other_complement(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """*Bank of England* and *Bank of Scotland*, *president of Chile* and *president of Peru*."""
    if "of" not in words or "of" not in other:
        return False
    at, there = words.index("of"), other.index("of")
    one, two = (tuple(word for word in rest if word not in _SMALL) for rest in (words[at:], other[there:]))
    if words[:at] != other[:there] or not one or not two:
        return False
    keys = {_TABLES.canonical(" ".join(complement), "place") for complement in (one, two)}
    return len(keys) == 2 and not set(one) & set(two)


@lru_cache(maxsize=1 << 16)
def _own_kinds(name: str) -> frozenset[ThingKind]:
    """The kinds of the noun that a name is built around."""
    return frozenset(kind for noun in own_nouns(name) for kind in kinds_of(noun))


def _have_other_heads(one: str, other: str) -> bool:
    """Whether each name has words of its own and they are of different kinds of places, or of two institutions.

    *Victoria Dock* and *Victoria Street*; *Metropolitan Museum of Art* and *Museum of Modern Art*.
    """
    left, right = words_in(one), words_in(other)
    if min(len(left), len(right)) < 2 or not (_words_of_its_own(left, right) and _words_of_its_own(right, left)):
        return False
    kinds, others = _own_kinds(one), _own_kinds(other)
    if kinds & others:
        return any(kind.name in _IDENTIFIED_BY_NAME for kind in kinds & others)
    return {kind.root for kind in kinds} == {kind.root for kind in others} == {"place"}


def _words_of_its_own(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether some word is not in the other name, not even in another form or as an initial."""
    starts = {word[:3] for word in other}
    return any(len(word) > 1 and word not in _SMALL and word[:3] not in starts for word in words)


def _are_other_people(one: NameForm, other: NameForm) -> bool:
    """Whether two names have one surname and given names that no person has both of."""
    if len(one.words) < 2 or len(other.words) < 2 or one.words[-1] != other.words[-1]:
        return False
    if one.generation and other.generation and one.generation != other.generation:
        return True
    if set(one.words) <= set(other.words) or set(other.words) <= set(one.words):
        return False
    first, second = one.words[0], other.words[0]
    if first == second and first in _GIVEN:
        # *George W. Bush* and *George H. W. Bush*.
        middles = [_middle_initials(form) for form in (one, other)]
        return all(middles) and middles[0] != middles[1]
    if one.initials[0] or other.initials[0]:
        return first[0].casefold() != second[0].casefold() and (first in _GIVEN or second in _GIVEN)
    is_given = [word in _GIVEN for word in (first, second)]
    if _one_given_name(first, second) or first[:3] == second[:3] or not any(is_given):
        return False
    # *President Biden* and *Joe Biden* may be one, *Hunter Biden* and *Joe Biden* not.
    return all(
        given or not (kinds_of(word) or word in _SMALL) for word, given in zip((first, second), is_given, strict=True)
    )


def _middle_initials(form: NameForm) -> str:
    parts = zip(form.words[1:-1], form.initials[1:-1], strict=True)
    return "".join(word if is_initials else word[0] for word, is_initials in parts).casefold()


def _given_initials(form: NameForm) -> str:
    """The first letters of all words before the surname."""
    words = form.words[: -len(_surname(form))]
    parts = zip(words, form.initials, strict=False)
    return "".join(word if is_initials else word[0] for word, is_initials in parts).casefold()


def _one_given_name(first: str, second: str) -> bool:
    return FULL_FIRST_NAMES.get(first, first) == FULL_FIRST_NAMES.get(second, second)


@lru_cache(maxsize=1 << 16)
def canonical_key(name: str) -> str:
    """The key of a name, by the tables of names that of the usual one.

    >>> canonical_key("U.S."), canonical_key("USA"), canonical_key("WWII"), canonical_key("i.b.m.")
    ('united states', 'united states', 'world war ii', 'international business machines')
    """
    key = form_of(name).key
    found = _TABLES.canonical(key, "")
    if found == key and key.islower() and " " not in key and 2 < len(key) < 6:
        # Lower-case text: *usa*, but never *us*.
        found = _TABLES.canonical(key.upper(), "")
        found = key if found == key.upper() else found
    return found.casefold()


def reason_one(one: str, other: str) -> str | None:
    """Why two names are of one thing; `None` if nothing in them says so.

    >>> reason_one("IBM", "International Business Machines"), reason_one("Joe Biden", "Joseph Biden")
    ('alias', 'nickname')
    >>> reason_one("the E.U. Council", "EU council"), reason_one("DFB", "Deutscher Fußball-Bund")
    ('spelling', 'acronym')
    """
    found = _likeness(one, other)
    return found if found is None or reason_apart(one, other) is None else None


def _likeness(one: str, other: str) -> str | None:
    """The likeness of two names, whatever keeps them apart."""
    left, right = form_of(one), form_of(other)
    # *May 2, 1998* and *2 May 1998* have the same words.
    if sorted(words_in(one)) == sorted(words_in(other)) or form_of(one, "person").key == form_of(other, "person").key:
        return SPELLING
    if phrase_key(one) == phrase_key(other) and _may_have_plural(one, other):
        # *race riots* and *a race riot*.
        return SPELLING
    if canonical_key(one) == canonical_key(other):
        return "alias"
    if _is_acronym(left, right) or _is_acronym(right, left):
        return "acronym"
    if _lies_in(left, right) or _lies_in(right, left):
        return "place"
    people = form_of(one, "person"), form_of(other, "person")
    return _given_name_reason(*people) or _surname_reason(*people)


def _may_have_plural(one: str, other: str) -> bool:
    """Whether two names are common nouns, or one is the plural of an acronym."""
    lasts = (name.rpartition(" ")[2] for name in (one, other))
    return any(map(_are_acronyms, lasts)) or (_is_common_noun(one) and _is_common_noun(other))


def _are_acronyms(word: str) -> bool:
    """Whether a word is the plural of an acronym: *DVDs*, *NGOs*."""
    return len(word) > 2 and word.endswith("s") and word[:-1].isupper() and word[:-1].isalpha()


def _is_common_noun(name: str) -> bool:
    """Whether the last word is no part of a name: in lower case, or one that says what something is."""
    last = name.rpartition(" ")[2]
    return last.islower() or (len(words_in(name)) == 1 and any(kinds_of(noun) for noun in own_nouns(name)))


def _is_acronym(short: NameForm, long: NameForm) -> bool:
    word = short.key.casefold()
    return len(short.words) == 1 and len(word) >= _SHORTEST_ACRONYM and word in initials_of(long.key)


@lru_cache(maxsize=1 << 16)
def initials_of(name: str) -> frozenset[str]:
    """The acronyms that a name may have: with and without its small words.

    >>> sorted(initials_of("world health organization")), sorted(initials_of("bank of england"))
    (['who'], ['be', 'boe'])
    """
    found = acronyms_of(_WORD.findall(name.casefold()), _SMALL)
    return frozenset(letters for letters in found if len(letters) > 1)


def _lies_in(long: NameForm, short: NameForm) -> bool:
    """Whether a name only says where another lies: *Paris, France*."""
    size = len(short.words)
    around = " ".join(long.words[size:])
    return long.words[:size] == short.words and around in places_around(short.key)


def _surname_reason(one: NameForm, other: NameForm) -> str | None:
    """Whether one of two names is the surname in the other: *Einstein*, *President Biden*."""
    short, full = (one, other) if len(one.own_words) == 1 else (other, one)
    name = short.own_words
    if len(name) != 1 or not 2 <= len(full.words) <= _MOST_NAMES or _surname(full)[-1:] != name or full.generation:
        return None
    if short.titled:
        return SURNAME
    is_person = (full.words[0] in _GIVEN or full.initials[0]) and not kinds_of(name[0]) and name[0] not in _GIVEN
    return SURNAME if is_person and not is_known_place(name[0]) and not short.generation else None


def _given_name_reason(one: NameForm, other: NameForm) -> str | None:
    """Whether two names of people differ only in how their given names are written."""
    if len(one.words) < 2 or len(other.words) < 2 or one.generation != other.generation:
        return None
    if _surname(one) != _surname(other):
        return None
    first, second = one.words[0], other.words[0]
    given = first in _GIVEN or second in _GIVEN
    letters = [_given_initials(form) for form in (one, other)]
    if one.initials[0] != other.initials[0]:
        short, full = letters if one.initials[0] else letters[::-1]
        # One initial says little where the full name is no given name: *P. T. Barnum*, *P. Barnum*.
        agree = full.startswith(short) or (given and short.startswith(full))
        return "initials" if agree and (given or len(short) > 1) else None
    if first == second and any(one.initials) != any(other.initials) and letters[0] == letters[1]:
        # *George W. Bush* and *George Walker Bush*.
        return "initials"
    middles = one.words[1:-1], other.words[1:-1]
    if (
        first != second
        and given
        and _one_given_name(first, second)
        and (middles[0] == middles[1] or not all(middles))
    ):
        return "nickname"
    if first == second and given and not all(middles):
        # One of the two has a middle name.
        return "short name"
    return None


def _surname(form: NameForm) -> tuple[str, ...]:
    start = len(form.words) - 1
    while start > 1 and form.words[start - 1] in PARTICLES:
        start -= 1
    return form.words[start:]


@dataclass(frozen=True, slots=True)
class Built:
    """The parts of a name: its words, those that are not small, and the kinds of the noun it is built around."""

    words: tuple[str, ...]
    large: frozenset[str]
    kinds: frozenset[ThingKind]
    is_known_place: bool

    @classmethod
    def of(cls, name: str) -> Built:
        words = words_in(name)
        return cls(words, frozenset(words) - _SMALL, _own_kinds(name), is_known_place(canonical_key(name)))


def shape_of_pair(one: Built, other: Built) -> tuple[float, ...]:
    """The relation between the words of two names, one value for each of `SHAPES`, the same in either order."""
    short, long = (one, other) if len(one.words) <= len(other.words) else (other, one)
    few, many = short.words, long.words
    size = len(few)
    more = len(many) > size
    starts, ends = more and many[:size] == few, more and many[-size:] == few
    own, others = short.kinds, long.kinds
    roots = {kind.root for kind in others} if starts else set()
    values = (
        starts,
        ends,
        bool(roots),
        "person" in roots,
        "place" in roots,
        "organization" in roots,
        bool(own and others and not own & others),
        bool(own & others),
        not short.large <= long.large and not long.large <= short.large,
        ends and size == 1 and many[0] in _GIVEN,
        ends and size == 1 and len(many) < 4 and not others,
        starts and size == 1 and few[0] in _GIVEN,
        (few in DEMONYMS) != (many in DEMONYMS),
        one.is_known_place or other.is_known_place,
        "of" in many and "of" not in few,
        size == 1,
        starts and len(many) > size + 1,
    )
    return (len(many) - size, *values)


SHAPES = (
    "more words",
    "starts",
    "ends",
    "adds a kind",
    "adds a person",
    "adds a place",
    "adds an organization",
    "other kinds",
    "same kind",
    "both have more",
    "given name before",
    "word before",
    "given name alone",
    "adjective",
    "known place",
    "of",
    "one word",
    "two words after",
)


def is_single(name: str) -> bool:
    """Whether a name is one word, but for titles and particles."""
    return len(form_of(name).words) == 1 or len(form_of(name, "person").own_words) == 1


def keys_of_name(name: str) -> Iterator[str]:
    """Keys of which two names that `reason_one` puts together share one.

    Those of `OF_SINGLE` count only where one of the names `is_single`.
    """
    form = form_of(name)
    yield canonical_key(name)
    yield " ".join(sorted(words_in(name)))
    yield f"noun {phrase_key(name)}"
    if len(form.words) == 1 and len(form.key) >= _SHORTEST_ACRONYM:
        yield f"{_INITIALS} {form.key.casefold()}"
    for initials in initials_of(form.key):
        yield f"{_INITIALS} {initials}"
    person = form_of(name, "person")
    yield f"name {person.key.casefold()}"
    yield f"{SURNAME} {person.words[-1]}"
    if len(form.words) > 1 and (places := places_around(form.words[0])) and " ".join(form.words[1:]) in places:
        yield form.words[0]
    if len(person.words) > 1 and person.words[-1] not in GENERATIONS:
        yield f"person {person.words[0][0].casefold()} {person.words[-1]}"
        yield f"person {FULL_FIRST_NAMES.get(person.words[0], person.words[0])} {person.words[-1]}"
