"""Words that distinguish things of one name: what people, groups and places are called, and frequent names."""

from __future__ import annotations

from functools import lru_cache

from tupelo.nlp.languages import labels, language_data, words
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, FREQUENT_SURNAMES, FULL_FIRST_NAMES, MALE_NAMES

_FIELDS_OF: dict[str, frozenset[str]] = {
    **{word: frozenset([field]) for word, field in labels("fields", "fields").items()},
    **{word: frozenset(fields) for word, fields in language_data("fields")["vague"].items()},
}
_NEIGHBOURS = [frozenset(fields) for fields in language_data("fields")["neighbours"]]
TITLED_WORKS = words("fields", "titled_works")
GIVEN_NAMES = MALE_NAMES | FEMALE_NAMES
GENERIC_NAMES = words("fields", "generic_names")
# A name of one of these words alone is that of many people.
FREQUENT_NAMES = FREQUENT_SURNAMES | GIVEN_NAMES


@lru_cache(maxsize=1 << 14)
def fields_of(descriptions: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """The fields that each description may belong to; a phrase goes by its rarest word.

    >>> sorted(fields_of(("basketball player",))[0]), fields_of(("friend",))
    (['basketball'], ())
    """
    found = (
        min(
            (_FIELDS_OF[word] for word in text.casefold().split() if word in _FIELDS_OF), key=len, default=frozenset()
        )
        for text in descriptions
    )
    return tuple(fields for fields in found if fields)


@lru_cache(maxsize=1 << 12)
def fields_agree(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether one thing may well belong to both sets of fields, or one of them is empty.

    >>> fields_agree(frozenset(["basketball"]), frozenset(["learning"]))
    False
    """
    if not first or not second or first & second:
        return True
    return any(group & first and group & second for group in _NEIGHBOURS)


def first_name(word: str) -> str:
    """A first name in full.

    >>> first_name("bill"), first_name("marta")
    ('william', 'marta')
    """
    return FULL_FIRST_NAMES.get(word, word)
