"""Recognition of prose among other lines: headings, menus, tables, options, code, badges, addresses, references.

Prose has a predicate: a finite verb, or a subject with a verb of any form, as in headlines (*Man arrested in Oslo*).
Lines that are written for a program or laid out in columns are no prose, whatever their words look like to a parser.
"""

from __future__ import annotations

import re

from tupelo.core import Analysis, Word
from tupelo.nlp.languages import word_set
from tupelo.nlp.syntax import VERBAL

_FINITE = frozenset(["VBZ", "VBP", "VBD", "MD"])
# Openings of lines of code, markup and shells; also option lists, fences, rulers, fields and directives.
_OPENING = re.compile(
    r"\s*(```|~~~|\$ |>>> |\.\.\. |\.\. |\|[^|]*\||\+-|\[!|!\[|</?[a-z!]|:[\w-]+:|@\w|--?\w|[-*+] (\[|--?\w)"
    r"|[=~^*_#-]{3,}\s*$|#!|#include|(import|def|class|return|const|let|var|export) [\w.{*]+[ (:;]|from \S+ import )"
)
_HEADING = re.compile(r"\s*#{1,6} ")
_COLUMN = re.compile(r"(?<=\S)(?: {3}|\t)")
# Calls, indexes, assignments and other signs that programs read; *option(s)* and *text[12]* are prose.
_CODE = re.compile(r"\w\((?!e?s\))|\w\[(?!\d)|[\w\])\"']=[\w\"'\[({-]|[{}\\]|::|->|=>|==|!=|&&|\|\||</?\w|;$")
_ASSIGNMENTS = word_set("= := += == != <= >= => ->")
_QUOTED = re.compile(r"``[^`\n]+``|`[^`\n]+`")
_SHELL = word_set(
    "pip pip3 python python3 npm npx yarn git sudo apt apt-get brew conda docker curl wget cd make uv poetry cargo"
)
_FULL_STOPS = (".", "!", "?")
_STOPS = (*_FULL_STOPS, "…", ":", ")", "]", "”", '"', "’", "'")


def is_prose(analysis: Analysis) -> bool:
    """Whether a sentence states something in words, so that it is worth reading as a sentence."""
    text = analysis.text
    if _OPENING.match(text) or len(_COLUMN.findall(text.strip())) > 1:
        return False
    words = analysis.words
    if not any(_is_finite(word) for word in words) and not any(_is_subject(words, word) for word in words):
        return False
    if _HEADING.match(text) and not text.rstrip().endswith(_STOPS):
        return False
    if words[0].text in _SHELL and not text.rstrip().endswith(_FULL_STOPS):
        return False
    return not _is_code(text) and not _is_table(analysis)


def _is_finite(word: Word) -> bool:
    if word.xpos is None:
        return word.upos in VERBAL
    return word.xpos in _FINITE and any(map(str.isalpha, word.text))


def _is_subject(words: tuple[Word, ...], word: Word) -> bool:
    """The subject of a verb, finite or not."""
    head = word.head
    return (
        (word.deprel or "").startswith("nsubj")
        and head is not None
        and 0 <= head < len(words)
        and (words[head].upos in VERBAL or any(other.head == head and other.deprel == "cop" for other in words))
    )


def _is_code(text: str) -> bool:
    """Whether more than one word in eight looks like code; code in backquotes counts as a word."""
    words = _QUOTED.sub("x", text).split()
    signs = sum(word in _ASSIGNMENTS or (not _is_address(word) and _CODE.search(word) is not None) for word in words)
    return 8 * signs > len(words)


def _is_address(word: str) -> bool:
    return "://" in word or "@" in word or word.startswith("www.")


def _is_table(analysis: Analysis) -> bool:
    """Rows of a table, scores, contents: no end, and mostly numbers, or many words and mostly names and numbers."""
    words = [word for word in analysis.words if word.upos != "PUNCT"]
    if len(words) < 8 or analysis.text.rstrip().endswith(_FULL_STOPS):
        return False
    numbers = sum(word.upos in ("NUM", "SYM") for word in words)
    names = sum(word.upos != "NUM" and word.text[:1].isupper() for word in words)
    small = sum(word.text.islower() for word in words)
    return 2 * numbers > len(words) or (len(words) >= 20 and numbers > 2 and small < numbers + names)
