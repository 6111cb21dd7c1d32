"""Text to words with exact character offsets, as the English Universal Dependencies write them.

Words are never changed: `text[start:end]` is the word. Text is split at whitespace; each chunk in between is split by
one regular expression, from left to right, and then contractions are split (*don't* is *do* and *n't*). How a chunk
is split depends only on the chunk, so frequent ones are cached.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, cast

from tupelo.nlp.languages import labels, language_data, rows, words

# The word after an abbreviation: a name, a number, the rest of its sentence; or it may be the last word as well.
AbbreviationKind: TypeAlias = Literal["name", "number", "rest", "any"]

# In lower case, without the full stop.
ABBREVIATION_KINDS = cast(dict[str, AbbreviationKind], labels("tokenization", "abbreviations"))
# Those that keep their full stop as part of the word.
ABBREVIATIONS = frozenset(ABBREVIATION_KINDS) - words("tokenization", "words_of_their_own")
CLITICS: tuple[str, ...] = tuple(language_data("tokenization")["clitics"].split())
JOINING_PREFIXES = words("tokenization", "joining_prefixes")
# Whole words that are two -> the position where the second one begins.
SPLIT_WORDS = {first + second: len(first) for first, second in rows("tokenization", "split_words")}


# Cached chunks; the cache is cleared when full, which affects only speed.
_MEMORY_SIZE = 50_000
_LONGEST_REMEMBERED = 40
# A longer chunk without whitespace is split here first, which bounds the input of the regular expressions.
_LONGEST_STRETCH = 2_000


# Start, end, and whether the token is written together with the one before it as one word.
Token: TypeAlias = "tuple[int, int, bool]"


_PATTERN = re.compile(language_data("tokenization")["word"], re.VERBOSE | re.DOTALL)
_STRETCH = re.compile(r"\S+")
_UNIT = re.compile(r"[a-zA-Z]{1,3}|µ[a-z]")
_UNITS = words("tokenization", "units")
_TRAILING = ".,;:!?)]}'\"’”*>"


def tokenize(text: str) -> list[Token]:
    """All words of a text in order.

    >>> text = "I don't know."
    >>> [text[start:end] for start, end, _ in tokenize(text)]
    ['I', 'do', "n't", 'know', '.']
    """
    tokens: list[Token] = []
    add = tokens.append
    remembered = _MEMORY.get
    for match in _STRETCH.finditer(text):
        start, end = match.span()
        stretch = match.group()
        cut = remembered(stretch)
        if cut is None:
            cut = _cut_and_remember(stretch)
        if len(cut) == 1:
            add((start, end, False))
            continue
        for begin, end, joined in cut:
            add((start + begin, start + end, joined))
    return tokens


def _cut_and_remember(stretch: str) -> tuple[Token, ...]:
    if len(stretch) > _LONGEST_REMEMBERED:
        return tuple(
            (offset + start, offset + end, joined)
            for offset in range(0, len(stretch), _LONGEST_STRETCH)
            for start, end, joined in _cut(stretch[offset : offset + _LONGEST_STRETCH])
        )
    if len(_MEMORY) >= _MEMORY_SIZE:
        _MEMORY.clear()
    cut = _MEMORY[stretch] = _cut(stretch)
    return cut


_MEMORY: dict[str, tuple[Token, ...]] = {}


def _cut(stretch: str) -> tuple[Token, ...]:
    """The words of a chunk without whitespace."""
    found: list[Token] = []
    position = 0
    size = len(stretch)
    while position < size:
        match = _PATTERN.match(stretch, position)
        assert match is not None  # the last alternative matches any character
        kind = match.lastgroup or "other"
        end = match.end()
        if kind in ("url", "mail", "host", "path"):
            end = _without_trailing_marks(stretch, position, end)
            if kind == "mail" and stretch[position] == "<":
                found.append((position, position + 1, False))
                position += 1
            found.append((position, end, False))
        elif kind == "word":
            end = _take_word(stretch, position, end, found)
        elif kind == "number":
            end = _take_number(stretch, position, end, found)
        else:
            is_genitive = kind == "other" and _is_plural_possessive(stretch, position)
            found.append((position, end, is_genitive or (kind == "clitic" and bool(found))))
        position = end
    return tuple(found)


def _without_trailing_marks(stretch: str, start: int, end: int) -> int:
    # A closing bracket belongs to a URL that contains an opening one.
    trailing = _TRAILING.replace(")", "") if "(" in stretch[start:end] else _TRAILING
    while end > start + 1 and stretch[end - 1] in trailing:
        end -= 1
    return end


def _take_word(stretch: str, start: int, end: int, found: list[Token]) -> int:
    """One word that begins with a letter: with its hyphenated prefix or full stop, or split at its clitic."""
    lower = stretch[start:end].lower()
    while (
        lower in JOINING_PREFIXES
        and stretch[end : end + 1] == "-"
        and (following := _PATTERN.match(stretch, end + 1)) is not None
        and following.lastgroup in ("word", "number")
    ):
        end = following.end()
        lower = following.group().lower()
    word = stretch[start:end]
    lower = word.lower().replace("’", "'").replace("`", "'")
    if stretch[end : end + 1] == "." and _keeps_full_stop(stretch, start, end, lower):
        found.append((start, end + 1, False))
        return end + 1
    inside = 0 if lower in ("im", "ive") and word.isupper() else SPLIT_WORDS.get(lower, 0)
    if not inside and "'" in lower:
        clitics = (clitic for clitic in CLITICS if lower.endswith(clitic) and len(clitic) < len(lower))
        own = (clitic for clitic in clitics if not (clitic == "n't" and lower[-4:-3] in ("", "'")))
        inside = -len(next(own, "")) % len(lower)
    if inside:
        found += [(start, start + inside, False), (start + inside, end, True)]
    else:
        found.append((start, end, False))
    return end


def _keeps_full_stop(stretch: str, start: int, end: int, lower: str) -> bool:
    at_end = end + 1 == len(stretch)
    if len(lower) == 1 and stretch[start].isupper():
        # An initial (John D. Smith), except "I." at the end of a sentence.
        return lower != "i" or not at_end
    if not at_end and stretch[end + 1] == ".":
        return False
    return lower in ABBREVIATIONS


def _take_number(stretch: str, start: int, end: int, found: list[Token]) -> int:
    """A number, split from an attached unit (5k, 10am); codes such as 3143C or 747s stay whole."""
    match = _UNIT.match(stretch, end) if stretch[start].isdecimal() else None
    if match is not None and match.group() in _UNITS:
        unit_end = match.end()
        is_half = match.group() in ("a", "p")
        if not (stretch[unit_end : unit_end + 1].isalnum() or stretch[unit_end : unit_end + 1] == "_"):
            if is_half and stretch[unit_end : unit_end + 3].lower() != ".m.":
                found.append((start, unit_end, False))
                return unit_end
            unit_end += 3 * is_half
            found += [(start, end, False), (end, unit_end, False)]
            return unit_end
    while end < len(stretch) and (stretch[end].isalnum() or stretch[end] == "_"):
        end += 1
    found.append((start, end, False))
    return end


def _is_plural_possessive(stretch: str, position: int) -> bool:
    """The apostrophe of *the teachers' room*: after an s, before no letter, and without a quote to close."""
    return (
        position > 1
        and stretch[position] in "'’"
        and stretch[position - 1] in "sSzx"
        and not stretch[position + 1 : position + 2].isalnum()
        and stretch[0] not in "'‘’"
    )
