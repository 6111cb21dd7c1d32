"""Titles, headings and labels: whether they name something, and how they are worded within a phrase."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from tupelo.extract.structure.trust import CALENDAR, GENERAL, VERBS
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, MALE_NAMES

PARTS = re.compile(r" [|–—·•»-] |[|:] | \(|, ")
RESUME = re.compile(r"(?i)\b(?:curriculum vitae|cv|résumé|resume)\b(?: of)?|^(?:about|profile of|meet)\s+")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]?$")
LEAST_WORDS, _MANY_WORDS = 6, 10
_NO_TITLE = re.compile(r"[.!?]$|\.\.|\t|: [^a-z]|\d:\d\d:")
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?\s+)")
# "Minutes of the board" is about the board.
_ABOUT = re.compile(
    r"(?:[A-Z]?[\w-]{1,20} ){0,2}(?i:minutes|notes|report|price list|prices|menu|list|questions|faqs?|guide|notice) "
    r"(?:of|for|on|about|from) (?:the )?"
)
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\d{1,2}\. ?\d{1,2}\.")
CONTACT = re.compile(
    r"(?i)\S{1,64}@\S+|https?:\S+|www\.\S+|\b(?:tel|phone|mobile)[.:]? ?|\+\d[\d ()/-]{5,30}\d"
    r"|\b0\d{2,4}[ /-][\d /-]{5,30}\d"
)
ORGANIZATIONS = words("structure", "organizations")
_DOCUMENTS = words("structure", "kinds_of_documents")
LINKING = words("structure", "linking")
_OPENING = words("structure", "section_openings")
WORD = re.compile(r"[\w.-]+")
_TITLES = words("structure", "titles_of_persons")
_LONGEST_NAME, LONGEST_TITLE = 12, 14


def is_sentence(text: str) -> bool:
    """Whether a value is long and ends as a sentence does, with a verb or more words than a remark has."""
    size = len(text.split())
    if size < LEAST_WORDS or _SENTENCE_END.search(text) is None:
        return False
    return size >= _MANY_WORDS or has_verb(text)


def has_verb(text: str) -> bool:
    """Whether one of the frequent verbs or pronouns is in a text."""
    return not VERBS.isdisjoint(text.lower().split())


def is_title(line: str) -> bool:
    """Whether a line may be a title that is not set off: short, no sentence, and no label with its value."""
    size = len(line.split())
    return (
        0 < size <= LONGEST_TITLE
        and _NO_TITLE.search(line) is None
        and (": " not in line or (size >= LEAST_WORDS and len(line.partition(": ")[0].split()) > 2))
    )


def subject_of(path: Sequence[str]) -> str | None:
    """The subject of a block: the lowest heading above it that names something, else the title.

    >>> subject_of(("Ann Lee – Curriculum Vitae", "Work experience")), subject_of(("Price list",))
    ('Ann Lee', 'Price list')
    """
    if (name := lowest_named(path)) is not None:
        return name
    title = RESUME.sub("", path[0]).strip(" -–:") if path else ""
    return title if 1 < len(title.split()) <= _LONGEST_NAME and not title.endswith("?") else None


def lowest_named(path: Sequence[str]) -> str | None:
    for level in range(len(path) - 1, -1, -1):
        if level and _DATED.search(path[level]):
            # A meeting, a job or a period, not a thing.
            continue
        if (name := _named(path[level], level)) is not None:
            return name
    return None


@cache
def whole_title(title: str) -> str | None:
    """A title as a context: all of it, or what it names where it is long."""
    return title.strip(" :") if len(title.split()) <= LONGEST_TITLE else subject_of((title,))


def names_something(heading: str) -> bool:
    """Whether a heading is the name of a thing, not that of a section: *The Glass Orchard*."""
    return _named(heading, 1) is not None


@cache
def is_general(heading: str) -> bool:
    """Whether a heading only says what kind of things is below it: *Contact*, *Technical data*, *Opening hours*."""
    low = [word.strip(".,()&:").lower() for word in _NUMBERING.sub("", heading).split()]
    low = [word for word in low if word.isalpha()]
    return not low or low[-1] in GENERAL or (len(low) > 1 and low[0] in GENERAL and low[1] in LINKING)


def is_kind(title: str) -> bool:
    """Whether a title is that of a kind of document, not a name: *Annual report 2023*."""
    return is_general(title) and any(map(str.isalpha, title.split()))


@cache
def _named(heading: str, level: int) -> str | None:
    """The part of a heading that names something: not a kind of section, no question and no number.

    A title may be any words; below it, a heading of ordinary words is a section.
    """
    if heading.endswith("?") or len(heading.split()) > _LONGEST_NAME:
        return None
    for part in PARTS.split(CONTACT.sub(" | ", RESUME.sub(" ", heading))):
        part = _ABOUT.sub("", _NUMBERING.sub("", part.strip(" ()-–|,:")))
        low = [word.strip(".,()&").lower() for word in part.split()]
        low = [word for word in low if word and not word.isdigit()]
        if level == 0 and f"{part}: " in heading and sum(map(str.istitle, part.split())) < 2:
            # "Model card: leaf-net-2" is not about a model card.
            continue
        if level == 0 and len(low) > 1 and low[-1] in _DOCUMENTS and low[0] not in GENERAL and part[:1].isupper():
            # "Acme FAQ" is about Acme.
            low.pop()
            part = part.rpartition(" ")[0]
        if not low or low[-1] in GENERAL or (low[0] in GENERAL and low[1:2] and low[1] in LINKING):
            continue
        if all(word in CALENDAR for word in low):
            continue
        capitals = [one for one in part.split() if one.lower() != one and one.lower().strip(".,()") not in CALENDAR]
        is_section = low[0] in _OPENING or len(capitals) < 2
        if not capitals or (level and (is_section or part.isupper())):
            # Below the title, capitals throughout are how sections are written.
            continue
        return part
    return None


def is_person(name: str) -> bool:
    """Whether words may name a person: a known first name or a title is first, or several words have capitals."""
    first, *others = name.lower().split()
    if first.rstrip(".") in _TITLES or first in FEMALE_NAMES or first in MALE_NAMES:
        return True
    return bool(others) and not name.isupper() and GENERAL.isdisjoint([first, *others]) and name.istitle()


def has_word(text: str, known: frozenset[str]) -> bool:
    """Whether some of the known words are in a text."""
    return not known.isdisjoint(WORD.findall(text.lower()))


def lowered(label: str) -> str:
    """A label within a phrase: *Price* is *price*, *CEO* stays."""
    return " ".join(
        word if word[1:2].isupper() or len(word) == 1 or any(map(str.isdigit, word)) else word.lower()
        for word in label.replace("_", " ").split()
    )
