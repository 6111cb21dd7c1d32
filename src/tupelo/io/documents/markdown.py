"""Markdown: its prose, without marks, links, code and front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from tupelo.core.document import Document
from tupelo.io.documents import Found
from tupelo.io.documents.html import Page
from tupelo.io.documents.text import decode

_FRONT = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_DATE = re.compile(r"^(?:date|published): *[\"']?(\d{4}-\d{2}-\d{2})", re.MULTILINE)
_TITLE = re.compile(r"^title: *[\"']?(.+?)[\"']? *$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}(#{1,6}) +(.*?)(?: +#+)? *$")
_RULE = re.compile(r"^ {0,3}(?:[-*_] *){3,}$|^ {0,3}(?:=+|-+) *$|^[ |:+-]+$")
_BULLET = re.compile(r"^ *(?:[-*+]|\d{1,9}[.)]) +")
_QUOTE = re.compile(r"^ {0,3}(?:> ?)+")
_INLINE = (
    (re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)"), ""),
    (re.compile(r"\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])"), r"\1"),
    (re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$", re.MULTILINE), ""),
    (re.compile(r"<((?:https?|mailto):[^>\s]+)>"), r"\1"),
    (re.compile(r"(`+)(.+?)\1"), r"\2"),
    (re.compile(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!|~>-])"), r"\1"),
)


def read(stream: IO[bytes], source: str) -> Iterator[Found]:
    """The whole file as one document; its title is that of the front matter or the first heading."""
    text = decode(stream.read(), source)
    title = published = None
    if front := _FRONT.match(text):
        text = text[front.end() :]
        title, published = (_first(pattern, front[1]) for pattern in (_TITLE, _DATE))
    prose, heading = _prose(text)
    if "<" in prose:
        # Markdown may hold HTML. Line ends mean more here than there.
        page = Page()
        page.feed(prose.replace("\n\n", "<p>").replace("\n", "<br>"))
        page.close()
        prose = page.text()
    yield Document(source, prose, "text/markdown", title or heading, published)


def _prose(text: str) -> tuple[str, str | None]:
    lines: list[str] = []
    first_heading = None
    fence = ""
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        if fence:
            if opened and opened[1].startswith(fence):
                fence = ""
        elif opened:
            fence = opened[1]
            lines.append("")
        elif heading := _HEADING.match(line):
            first_heading = first_heading or _plain(heading[2])
            lines += ["", heading[2], ""]
        elif _RULE.match(line) and line.strip():
            lines.append("")
        else:
            line = _QUOTE.sub("", line)
            if _BULLET.match(line):
                lines.append("")
                line = _BULLET.sub("", line)
            lines.append(line.strip())
    return re.sub(r"\n{3,}", "\n\n", _plain("\n".join(lines))).strip(), first_heading


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1) if found else None


def _plain(text: str) -> str:
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return text
