"""Names of people, places and organizations, titles, and nouns for persons."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.nlp.languages import rows, word_names, words

__getattr__ = word_names(__name__, "titles", "people", "organizations")

TITLES = words("titles", "male_titles", "female_titles", "other_titles")
DETACHABLE_TITLES = words("titles", "detachable_titles", "detachable_phrases")
ROLES = TITLES | DETACHABLE_TITLES | words("titles", "roles")
_ROLE_JOINTS = words("titles", "role_joints")

# A short form -> the first name in full that it stands for across documents.
FULL_FIRST_NAMES = {
    short.removesuffix("*"): full
    for full, *shorts in rows("people", "nicknames")
    for short in shorts
    if short.endswith("*")
}

COMPANY_ENDINGS = words("organizations", "legal_forms", "company_endings")

_SAME_PLURAL = ("ese", "ish", "french", "dutch", "swiss", "ois", "manx", "kyrgyz")


def is_role(words: Sequence[str]) -> bool:
    """Whether words only say what somebody is: *Vice President*, *Governor of Virginia*.

    >>> is_role(["Governor", "of", "Virginia"]), is_role(["Governor", "Kaine"])
    (True, False)
    """
    lowered = [word.lower().removesuffix(".") for word in words]
    before = lowered[: lowered.index("of")] if "of" in lowered else lowered
    return bool(before) and all(word in ROLES or word in _ROLE_JOINTS for word in before)


def title_words(words: Sequence[str]) -> int:
    """The number of words of a person's name that stand before the name itself.

    >>> title_words(["Oregon", "Judge", "Robert", "Jones"])
    2
    """
    for index in range(len(words) - 2, -1, -1):
        if words[index].lower().removesuffix(".") in DETACHABLE_TITLES and words[index + 1][:1].isupper():
            return index + 1
    return 0


def _demonyms(name: str) -> list[tuple[str, str]]:
    """Each adjective with its place."""
    table = rows("places", name, "|")
    return [(adjective.lower(), place) for place, *adjectives in table for adjective in adjectives]


def _forms(word: str) -> tuple[str, ...]:
    """An adjective or a person, and several people."""
    if word.endswith(("man", "woman")) and not word.endswith(("german", "roman", "norman", "ottoman")):
        return word, word[:-2] + "en"
    return (word,) if word.endswith(_SAME_PLURAL) else (word, word + "s")


def _places() -> dict[str, tuple[str, ...]]:
    places: dict[str, list[str]] = {}
    for word, place in (*_demonyms("demonyms"), *_demonyms("further_demonyms")):
        for form in _forms(word):
            places.setdefault(form, []).append(place)
    return {form: tuple(found) for form, found in places.items()}


def _nicknames() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for given, *shorts in rows("people", "nicknames"):
        for short in (short.removesuffix("*") for short in shorts):
            found[short] = found.get(short, frozenset()) | {given}
    return found


# A short form -> the given names that it may stand for. All in lower case.
NICKNAMES = _nicknames()
# Words of an adjective, in lower case -> the place it names. The fact models were trained with these.
DEMONYMS: dict[tuple[str, ...], str] = {tuple(word.split()): place for word, place in _demonyms("demonyms")}
# An adjective, a person or people, in lower case -> the places that it may name.
PLACES_OF = _places()
