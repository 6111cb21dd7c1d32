"""The kinds of arguments that no parser has read, by their words: a value, a name, a concept, a statement."""

from __future__ import annotations

import re

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, MALE_NAMES
from tupelo.nlp.values import Date, Number, values_in, words_of

_ORGANIZATIONS = words("structure", "organizations")
_LITERAL = re.compile(r"[^\s@]++@[^\s@]++|https?://\S++|www\.\S++|\+?\d[\d ()/.-]{5,}+")
_PERIOD = re.compile(
    r"(?i)\s*(?:since\s+)?(?:\w{3,9}\.?\s+)?(?:19|20)\d\d(?:\s*(?:[-–—]|to)\s*(?:(?:\w{3,9}\.?\s+)?(?:19|20)\d\d|\w+))?\s*"
)
_MOST_WORDS = 8


def anchor_kind(text: str) -> tuple[str, str]:
    """The kind of an anchor for some words and its label.

    >>> anchor_kind("Ann Lee"), anchor_kind("12.5 m EUR"), anchor_kind("5 May 2020"), anchor_kind("host plant")
    (('name', 'person'), ('value', 'number'), ('value', 'datetime'), ('concept', 'abstract'))
    """
    if _LITERAL.fullmatch(text):
        return "value", "other"
    written = words_of(text)
    found = values_in(written) if any(map(str.isdigit, text)) else []
    if _PERIOD.fullmatch(text) or (found and isinstance(found[0].value, Date) and len(written) <= 6):
        return "value", "datetime"
    is_number = bool(found) and isinstance(found[0].value, Number) and len(written) <= 6
    if is_number and text.lstrip("+-–~<>≈( $€£¥")[:1].isdigit():
        return "value", "number"
    if len(written) > _MOST_WORDS:
        return "statement", ""
    content = [word for word in text.split() if word[:1].isalpha() and len(word) > 3] or text.split()
    if not all(word[:1].isupper() or any(map(str.isdigit, word)) for word in content):
        return "concept", "abstract"
    low = [word.lower().strip(".,") for word in text.split()]
    if _ORGANIZATIONS & set(low):
        return "name", "organization"
    is_person = 1 < len(low) < 5 and (low[0] in FEMALE_NAMES or low[0] in MALE_NAMES)
    return "name", "person" if is_person else "other"
