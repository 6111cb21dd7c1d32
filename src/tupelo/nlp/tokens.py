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


_DOMAINS = "com|org|net|edu|gov|mil|info|biz|co|uk|us|ca|de|fr|au|eu|io|tv|me|mx|ch|nl|ru|jp|cn|in|it|es|br"
_FILES = "docx?|xlsx?|pptx?|pdf|txt|html?|jpe?g|png|gif|zip|csv|xml|json|exe|py|rtf|wpd"
# The limits of RFC 5321 and RFC 1035. Without them, every word of a run such as "a-a-a-…" would look to its end.
_LONGEST_MAILBOX = 64
_LONGEST_LABEL = 63
_LONGEST_HOST = 253
_PATTERN = re.compile(
    rf"""
    (?P<url> (?:https?|ftp|file)://[^\s<>"“”]+ | www\d?\.[^\s<>"“”]+ )
  | (?P<mail> <?\w[\w.%+&'-]{{0,{_LONGEST_MAILBOX}}}+@[\w-]+(?:\.[\w-]+)* )
  | (?P<host> (?=[\w#-]{{1,{_LONGEST_LABEL}}}+\.) (?=[\w#.-]{{1,{_LONGEST_HOST}}}+(?![\w#.-]))
           (?: (?:[a-z0-9][\w-]*\.)+(?:{_DOMAINS})\b(?:/[^\s<>"“”]*)? | [\w#-]+(?:\.[\w#-]+)*\.(?:{_FILES})\b
           | [a-z]+(?:\.[a-z]+(?:-[a-z]+)*){{2,}}(?!\w) ) )
  | (?P<handle> @\w+ | \#[^\W\d]\w+ )
  | (?P<smile> (?<!\w)(?: [:;=][-o^']?[)(\]\[|/\\*]+(?!\w) | [:;=8][-o^']?[DPpOo3](?!\w)
               | \(:(?!\w) | <3+(?!\d) | \^_+\^ | [xX]D+(?!\w) | :'\( | -_+- | T_T | [oO]_[oO] ) )
  | (?P<phone> (?<![\d-]) (?: \+?\d{{1,3}}[-.] )? (?:\(\d{{3}}\))? \d{{3}}[-.]\d{{3}}[-.]\d{{4}} (?![\d-])
             | (?<![\d-]) (?: \d{{1,3}}-\d{{4}} | \d{{5}}-\d{{4}} ) (?![\d-]) )
  | (?P<date> \d{{1,4}}/\d{{1,2}}/\d{{1,4}} | \d{{1,2}}/\d{{1,2}}(?![\d/]) | \d{{1,2}}-\d{{1,2}}-\d{{2,4}}(?!\d) )
  | (?P<ordinal> \d+(?:,\d{{3}})*(?:st|nd|rd|th|ST|ND|RD|TH)(?!\w) | '?\d+0s(?!\w) | ['’]\d0s(?!\w) )
  | (?P<number> [+]?\d+(?:[.,:]\d+)* | \.\d+ )
  | (?P<initials> (?:[^\W\d_]\.){{2,}}(?:[^\W\d_](?![\w.’'-]))? | Ph\.D\.? )
  | (?P<and> [A-Z]{{1,3}}&[A-Z]{{1,3}}(?!\w) )
  | (?P<short> (?<!\w)[wW]/(?:o(?!\w)|(?!\w)) | (?<!\w)[bB]/[cC](?!\w) | (?<!\w)s/he(?!\w) )
  | (?P<word> [^\W\d_](?:\w|[\u0300-\u036f\u00ad\u200c\u200d])*
              (?:['’`](?:\w)+)* )
  | (?P<under> _+(?!\w) | \w+ )
  | (?P<dots> \.{{2,}} | …+ )
  | (?P<marks> \.?[!?]+ | \${{2,}} | -{{2,}} | \*{{2,}} | ={{2,}} | \+{{2,}} | ~{{2,}} | \#{{2,}} | <{{2,}}
             | >{{2,}} | ,{{2,}} | ''|``|\|{{2,}} )
  | (?P<clitic> ['’](?:s|S|m|re|ve|ll|d)(?!\w) )
  | (?P<picture> [\U0001F1E6-\U0001F1FF]{{2}}
               | [\u2190-\u2bff\U0001F000-\U0001FAFF][\ufe0e\ufe0f\u20e3\U0001F3FB-\U0001F3FF]*
                 (?:\u200d[\u2190-\u2bff\U0001F000-\U0001FAFF][\ufe0e\ufe0f\U0001F3FB-\U0001F3FF]*)* )
  | (?P<other> [^\w\s][\u0300-\u036f\ufe0e\ufe0f\u200b-\u200d]* | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_STRETCH = re.compile(r"\S+")
_UNIT = re.compile(r"[a-zA-Z]{1,3}|µ[a-z]")
_UNIT_NAMES = """
k K m M km cm mm kg g mg lb lbs oz ft am pm AM PM a p hr hrs yr yrs min mins sec gb GB mb MB kb KB tb TB mph hp
kW MW GW Hz bn b B c F C h s x X ml mL L l in V W A nm
"""
_UNITS = frozenset(_UNIT_NAMES.split())
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
        if kind in ("url", "mail", "host"):
            end = _without_trailing_marks(stretch, position, end)
            if kind == "mail" and stretch[position] == "<":
                found.append((position, position + 1, False))
                position += 1
            found.append((position, end, False))
        elif kind == "word":
            end = _take_word(stretch, position, end, found)
        elif kind == "number":
            end = _take_number(stretch, position, end, found)
        elif kind == "clitic":
            found.append((position, end, bool(found)))
        elif kind == "other" and stretch[position] in "'’" and _is_plural_possessive(stretch, position):
            found.append((position, end, True))
        else:
            found.append((position, end, False))
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
    word = stretch[start:end]
    lower = word.lower()
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
        end += 1
        found.append((start, end, False))
        return end
    inside = SPLIT_WORDS.get(lower)
    if inside is not None and not (lower in ("im", "ive") and word.isupper()):
        found.append((start, start + inside, False))
        found.append((start + inside, end, True))
        return end
    if "'" in lower:
        for clitic in CLITICS:
            cut = end - len(clitic)
            if lower.endswith(clitic) and cut > start:
                if clitic == "n't" and lower[-4:-3] in ("", "'"):
                    continue
                found.append((start, cut, False))
                found.append((cut, end, True))
                return end
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
        rest = stretch[match.end() : match.end() + 1]
        if not (rest.isalnum() or rest == "_"):
            found.append((start, end, False))
            unit_end = match.end()
            if match.group() in ("a", "p") and stretch[unit_end : unit_end + 3].lower() == ".m.":
                unit_end += 3
            elif match.group() in ("a", "p"):
                found[-1] = (start, unit_end, False)
                return unit_end
            found.append((end, unit_end, False))
            return unit_end
    while end < len(stretch) and (stretch[end].isalnum() or stretch[end] == "_"):
        end += 1
    found.append((start, end, False))
    return end


def _is_plural_possessive(stretch: str, position: int) -> bool:
    """The apostrophe of *the teachers' room*: after an s, before no letter, and without a quote to close."""
    return (
        position > 1
        and stretch[position - 1] in "sSzx"
        and not stretch[position + 1 : position + 2].isalnum()
        and stretch[0] not in "'‘’"
    )
