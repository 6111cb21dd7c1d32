"""Markdown as plain text of the same length, so that every character keeps its place.

Markup becomes white space: emphasis, headings, quotations, the addresses of links, tags, citation marks such as
`[2]`. An item of a list begins a paragraph, since no sentence crosses one. Cells of a table are separated by commas.
Blocks of code are blank in an answer, which makes no claims there, and kept in a source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = ("```", "~~~")
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦▪●–]|\(?\d{1,3}[.)])[ \t]+(?=\S)")
HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_QUOTATION = re.compile(r" {0,3}(?:>[ \t]?)+")
_RULE = re.compile(r"[-*_=|:+ \t]{3,}")
_LINK = re.compile(r"(!?\[)([^\[\]\n]{0,400})(\]\([^()\s]{0,600}(?: \"[^\"\n]{0,100}\")?\))")
_CITATION = re.compile(r"\[\^?\d{1,3}(?:(?:, ?|[-–])\d{1,3}){0,8}\]|【[^【】\n]{0,60}】")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_CODE = re.compile(r"(?<!`)`(?!`)([^`\n]{1,400})`(?!`)")
_EMPHASIS = re.compile(r"\*{1,3}(?=[^\s*\d])|(?<=[^\s*])\*{1,3}(?!\w)|\*{2,3}|~~")
_UNDERLINE = re.compile(r"(?<![\w_])_{1,2}(?=[^\W_])|(?<=[^\W_])_{1,2}(?![\w_])")


def plain_text(text: str, *, code: bool = False) -> str:
    """A text of the same length without markup; blocks of code are kept if `code`.

    >>> plain_text("- **Rosa** left [1].\\n- See [Oslo](x.no)!")
    '\\n   Rosa   left    .\\n\\n See  Oslo       !'
    """
    return "".join(_lines(text, code))


def _lines(text: str, code: bool) -> Iterator[str]:
    fence = ""
    for line in text.splitlines(keepends=True):
        start = line.lstrip()[:3]
        if (not fence and start in _FENCE) or (fence and start == fence):
            fence = "" if fence else start
            yield _blank(line)
        elif fence:
            yield line if code else _blank(line)
        else:
            yield _line(line)


def _line(line: str) -> str:
    if _RULE.fullmatch(line.rstrip("\r\n")) and line.strip():
        return _blank(line)
    quotation = _QUOTATION.match(line)
    if quotation:
        line = _blank(quotation[0]) + line[quotation.end() :]
    mark = HEADING.match(line) or _ITEM.match(line)
    if mark:
        # A line break more makes the rest a paragraph of its own.
        line = "\n" + " " * (mark.end() - 1) + line[mark.end() :]
    if line.lstrip().startswith("|"):
        line = _table_row(line)
    line = _LINK.sub(lambda match: _blank(match[1]) + match[2] + _blank(match[3]), line)
    line = _CODE.sub(r" \1 ", line)
    for pattern in (_CITATION, _TAG, _EMPHASIS, _UNDERLINE):
        line = pattern.sub(lambda match: _blank(match[0]), line)
    return line


def _table_row(line: str) -> str:
    first, last = line.index("|"), len(line.rstrip()) - 1
    cells = line[:first] + " " + line[first + 1 :].replace("|", ",")
    return cells[:last] + " " + cells[last + 1 :] if cells[last] == "," else cells


def _blank(text: str) -> str:
    return "".join(letter if letter in "\r\n" else " " for letter in text)
