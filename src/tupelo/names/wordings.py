"""Names as they are compared: when one stands for another.

A name is compared by its words without case, accents, hyphens and dots; a person's also without titles. `stands_for`
says why a name may be a shorter form of another, from the two names alone. Whether it is, the passage decides: see
`names.referents`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from tupelo.names.aliases import body_of_state, usual_place_name
from tupelo.names.forms import GENERATIONS, SONS, acronyms_of
from tupelo.nlp.languages import language_data, words
from tupelo.nlp.languages.en.naming import (
    BODIES,
    CLUB_ENDINGS,
    COMPANY_ENDINGS,
    KINDS_OF_THINGS,
    NICKNAMES,
    PLACES_OF,
    ROLES,
    STUDIO_ENDINGS,
    title_words,
)

_DOTTED = re.compile(r"(?:\w\.){2,}\w?|(?:\w\.)+\w(?!\w)")
_WORD = re.compile(r"[\w&]+")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "’": "'"}
)
_APOSTROPHES = re.compile(r"[’'`´ʻ]")
_GENERATIONS = words("name_words", "spelled_generations")
_ROMAN = re.compile(r"[ivx]+")
_PREPOSITIONS = words("name_words", "joining_prepositions")
_STATES = words("name_words", "states")
_ORDINALS = words("name_words", "ordinals")
# Words of names in two spellings have at least this many letters, and this share of letters in common.
_VOWELS = frozenset("aeiouy")
_DOUBLE = re.compile(r"(.)\1")
_SHORTEST_SPELLING, _SAME_SPELLING = 4, 0.75
_LONGEST_PARTIAL = 6
_STREETS: Mapping[str, str] = language_data("name_words")["streets"]
_SMALL = words("name_words", "small_words")
_FULL_OF_NICKNAMES: dict[str, list[str]] = {}
for _given, _others in NICKNAMES.items():
    for _other in _others:
        _FULL_OF_NICKNAMES.setdefault(_other, []).append(_given)


@dataclass(frozen=True, slots=True)
class NameWording:
    """A name: as it is written, without titles; its words as they are compared; its type; `capitals` for acronyms."""

    text: str
    words: tuple[str, ...]
    label: str
    capitals: str


def folded(text: str) -> str:
    """A text without case and accents.

    >>> folded("Łukasz Škoda")
    'lukasz skoda'
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(letter for letter in plain if unicodedata.category(letter) not in ("Mn", "Lm"))


@lru_cache(maxsize=1 << 14)
def make_wording(text: str, label: str) -> NameWording:
    """A name of this type as it is compared.

    >>> make_wording("the U.S. Navy", "organization").words, make_wording("Dr. J.R. Smith-Lee", "person").words
    (('us', 'navy'), ('j', 'r', 'smith', 'lee'))
    """
    parts = text.split()
    if label == "person":
        parts = parts[title_words(parts) :]
    if len(parts) > 1 and parts[0].lower() in ("the", "a", "an"):
        parts = parts[1:]
    name = " ".join(parts)
    separator = " " if label == "person" else ""
    spelled = _DOTTED.sub(lambda found: found[0].replace(".", separator), name)
    words = tuple(_WORD.findall(_APOSTROPHES.sub("", folded(spelled))))
    if label != "person" and len(words) > 1 and words[-1] in _STREETS:
        words = (*words[:-1], _STREETS[words[-1]])
    written = _WORD.findall(_APOSTROPHES.sub("", spelled))
    capitals = "".join(word[0] for word in written if word[0].isupper())
    return NameWording(name, words or (text,), label, folded(capitals))


def stands_for(short: NameWording, full: NameWording) -> tuple[str, str] | None:
    """Why the first may be a shorter form of the second: a reason of `MERGE_REASONS` and what kind of it.

    >>> lee, ann = make_wording("Lee", "person"), make_wording("Ann Lee", "person")
    >>> stands_for(lee, ann), stands_for(ann, lee)
    (('short name', 'family name'), None)
    """
    if short.words == full.words:
        return None
    if short.label == full.label == "person":
        found = _person(short.words, full.words)
        # *Burne-Jones* is one word of a name.
        is_family = found is not None and found[1] == "without a first name" and " " not in short.text
        return ("short name", "family name") if is_family else found
    if full.label == "person":
        # Somebody's family name may have been taken for a name of something else.
        is_family = len(short.words) == 1 < len(full.words) and short.words[0] == full.words[-1]
        return ("short name", f"{short.label} for person") if is_family else None
    if short.label == "person":
        return _part(short, full)
    if _singular(short) == _singular(full):
        # *Chatham Island* is one of the *Chatham Islands*.
        is_place = "place" in (short.label, full.label) or places_of(short) or places_of(full)
        return None if is_place else ("same name", "plural")
    if (place := usual_place(short)) is not None and place == usual_place(full):
        return "alias table", "place"
    if is_acronym(short, full):
        return "acronym", "plain"
    if _is_partial_acronym(short, full):
        return "acronym", "partial"
    if (body := body_of_state(" ".join(short.words))) is not None and body == body_of_state(" ".join(full.words)):
        return "same name", "turned"
    if full.words[0] == "university" and sorted(_large(short)) == sorted(_large(full)):
        return "same name", "turned"
    return _part(short, full)


def _large(name: NameWording) -> list[str]:
    return [word for word in name.words if word not in _SMALL]


def _singular(name: NameWording) -> list[str]:
    return [word.removesuffix("s") for word in name.words]


def is_spelling(one: NameWording, other: NameWording) -> bool:
    """Whether two names may be spellings of one in another script: *Seyhoun* and *Seyhoon*."""
    if len(one.words) != len(other.words) or one.words[0][0] != other.words[0][0]:
        return False
    pairs = [pair for pair in zip(one.words, other.words, strict=True) if pair[0] != pair[1]]
    return all(
        min(map(len, pair)) >= _SHORTEST_SPELLING
        and pair[0].isalpha()
        and pair[1].isalpha()
        and SequenceMatcher(None, *pair, autojunk=False).ratio() >= _SAME_SPELLING
        for pair in pairs
    )


def skeleton(word: str) -> str:
    """The first letter of a word and its consonants, double ones once: the same for *Hattersley* and *Hattersly*."""
    plain = word.replace("c", "k")
    return _DOUBLE.sub(r"\1", plain[0] + "".join(letter for letter in plain[1:] if letter not in _VOWELS))


def usual_place(name: NameWording) -> str | None:
    """The usual name of a country or union that has several."""
    return usual_place_name(" ".join(name.words))


def places_of(name: NameWording) -> tuple[str, ...]:
    """The places that an adjective or a name of people may refer to, usual names first."""
    return PLACES_OF.get(" ".join(name.words), ()) if name.label != "person" else ()


def is_demonym(name: NameWording) -> bool:
    """Whether a name is the adjective of a place."""
    return name.label == "place" and bool(places_of(name)) and usual_place(name) is None


def is_acronym(short: NameWording, full: NameWording) -> bool:
    """Whether a name consists of the first letters of another: *UN*, *U.N.*, *MSAs*."""
    letters = "".join(short.words)
    text = short.text.replace(".", "").removesuffix("s")
    if not 2 <= len(letters) <= 8 or len(short.words) > 2 or not text.replace("-", "").replace("&", "").isupper():
        return False
    letters = letters.removesuffix("s") if short.text.endswith("s") else letters
    # *GB* does not stand for *GB Badminton*.
    return letters in initials(full) and letters not in full.words


def _is_partial_acronym(short: NameWording, full: NameWording) -> bool:
    """Whether a word in capitals stands for some words of a longer name: *Somerset PCT*, *GW Bridge*."""
    written = short.text.split()
    if len(written) != len(short.words) or len(written) < 2 or len(full.words) <= len(written):
        return False
    for place, word in enumerate(written):
        if not word.isupper() or not 2 <= len(word) <= _LONGEST_PARTIAL:
            continue
        after = len(full.words) - (len(written) - place - 1)
        same = short.words[:place] == full.words[:place] and short.words[place + 1 :] == full.words[after:]
        spelled = [other for other in full.words[place:after] if other not in _SMALL]
        if same and len(spelled) > 1 and short.words[place] == "".join(other[0] for other in spelled):
            return True
    return False


def initials(name: NameWording) -> set[str]:
    """The acronyms that a name of several words may have."""
    found = acronyms_of(name.words, _SMALL)
    return {name.capitals, *found} if found else set()


def _person(short: tuple[str, ...], full: tuple[str, ...]) -> tuple[str, str] | None:
    """A part of a person's name, with initials or usual short forms for some of its words."""
    if _is_of_father(short, full) or (len(short) > 1 and short == full[:-1] and full[-1] in GENERATIONS):
        # *Rhiryd ap Bleddyn* is a son of *Bleddyn*, *Joseph Smith III* one of *Joseph Smith*.
        return None
    short, full = _bare(short), _bare(full)
    if not short or len(short) > len(full) or all(len(word) == 1 for word in short):
        return None
    if len(short) == 1 and short[0] in ROLES:
        # *Raja* is a title of *Raja Ram Singh*.
        return None
    if short == full:
        return "short name", "family name"
    ways: set[str] = set()
    place = last = -1
    for word in short:
        place += 1
        while place < len(full) and (way := _same_given(word, full[place], place == 0)) is None:
            place += 1
        if place == len(full):
            return None
        ways.add(way or "")
        last = place
    ends_alike = last == len(full) - 1
    begins_alike = short[0] == full[0]
    if "nickname" in ways:
        if len(short) == 1:
            return "nickname", "nickname alone"
        return ("nickname", "person") if ends_alike else None
    if "initial" in ways:
        return ("initials", "person") if ends_alike else None
    if len(short) > 1 and ends_alike and any(len(word) > 1 for word in full if word not in short):
        return "short name", "without a middle name" if begins_alike else "without a first name"
    if ends_alike:
        return "short name", "family name"
    return "short name", "given name" if begins_alike else "middle name"


def words_of_fuller_names(name: NameWording) -> list[set[str]]:
    """Sets of words: a name that this person's name stands for has at least one word of each.

    Initials may stand for too many words, and have none.
    """
    bare = _bare(name.words) if name.label == "person" else ()
    return [
        {word, word[0], *NICKNAMES.get(word, ()), *_FULL_OF_NICKNAMES.get(word, ())} for word in bare if len(word) > 1
    ]


def keys_of_forms(name: NameWording) -> tuple[set[str], set[str]]:
    """Keys by which people's names, acronyms and names of companies are found.

    Where one `stands_for` another, a key in the first set of the short name is in the second set of the full one. Not
    so *John S.* and *J. Smith*, of which no word is the same.

    >>> short, full = make_wording("Bob", "person"), make_wording("Robert Lee", "person")
    >>> keys_of_forms(short)[0] & keys_of_forms(full)[1]
    {'bob'}
    """
    words = list(_bare(name.words) if name.label == "person" else name.words)
    if name.label == "person":
        alike = ((word, *NICKNAMES.get(word, ()), *_FULL_OF_NICKNAMES.get(word, ())) for word in words)
        return {*[word for word in words if len(word) > 1][-1:]}, set().union(*alike)
    letters, written = "".join(words), " ".join(words)
    partial = {
        " ".join([*words[:start], "".join(word[:1] for word in words[start:end] if word not in _SMALL), *words[end:]])
        for start in range(len(words))
        for end in range(start + 2, len(words) + 1)
    }
    while len(words) > 1 and words[-1] in COMPANY_ENDINGS:
        words.pop()
    plain = " ".join(words)
    return {written, plain, letters, letters.removesuffix("s")}, {plain, *partial, *initials(name)}


def _is_of_father(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether a name is that of a father in a longer one."""
    before = full[: -len(short)]
    return full[-len(short) :] == short and bool(before) and before[-1] in SONS


def _same_given(one: str, other: str, first: bool) -> str | None:
    """The agreement of two words of people's names: `equal`, `initial`, `nickname`, or not at all."""
    if one == other:
        return "equal"
    if _ROMAN.fullmatch(one) or _ROMAN.fullmatch(other):
        return None
    if min(len(one), len(other)) == 1 and one[0] == other[0]:
        return "initial"
    if first and (other in NICKNAMES.get(one, ()) or one in NICKNAMES.get(other, ())):
        return "nickname"
    return None


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    kept = tuple(word for word in words if word not in _GENERATIONS)
    return kept or words


def _part(short: NameWording, full: NameWording) -> tuple[str, str] | None:
    """The first or last words of a longer name of anything but a person."""
    size = len(short.words)
    if size >= len(full.words) or full.text.startswith(f"{short.text}-"):
        # *Disney* is no *Disney-MGM Studios*.
        return None
    if full.words[:size] == short.words:
        kind = _beginning(short, full, full.words[size:])
    elif full.words[-size:] == short.words:
        kind = _ending(short, full, full.words[:-size])
    else:
        return None
    return None if kind is None else ("short name", kind)


def _beginning(short: NameWording, full: NameWording, rest: tuple[str, ...]) -> str | None:
    """The kind of a form that leaves the last words out."""
    if all(word in COMPANY_ENDINGS for word in rest):
        return "company"
    if len(rest) < 3 and all(word in CLUB_ENDINGS | STUDIO_ENDINGS for word in rest):
        # *Hull City*, *West Ham United*.
        return "studio" if rest[-1] in STUDIO_ENDINGS else "club"
    if all(word.isdigit() for word in rest):
        return "without a number"
    if rest[0] in _PREPOSITIONS and rest[0] not in ("and", "&"):
        is_kind = short.words[-1] in KINDS_OF_THINGS or short.label == "place"
        return f"kind of {short.label}" if is_kind else None
    if rest[-1] in BODIES or (short.text.isupper() and len(short.text) > 1):
        # The *EU* is no *EU Committee*, the *Carter Foundation* none of the Carters.
        return None
    if rest[-1] in KINDS_OF_THINGS:
        return f"{full.label} without its kind"
    return f"first {'word' if len(short.words) == 1 else 'words'} of {full.label}"


def _ending(short: NameWording, full: NameWording, before: tuple[str, ...]) -> str | None:
    """The kind of a form that leaves the first words out."""
    if before[-1] in _SMALL:
        kind = before[-2] if len(before) > 1 and before[-1] == "of" else ""
        if kind == "university":
            return "after university of"
        return "state" if short.label == "place" and kind in _STATES else None
    if len(short.words) == 1 and len({letter.isdigit() for letter in short.words[0]}) > 1:
        return "model"
    if any(word.isdigit() or word in _ORDINALS for word in before):
        return None
    country = " ".join(before)
    is_country = country in PLACES_OF or usual_place_name(country)
    return "without its country" if is_country else f"end of {full.label}"
