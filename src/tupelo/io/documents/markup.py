"""Plain text, web pages and Markdown: the words that a reader sees, paragraphs apart.

Text is UTF-8, or UTF-16 with a byte order mark, or in the encoding that the user names. Of Markdown the prose is
kept, without marks, links, code and front matter.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from tupelo.core import FormatError
from tupelo.core.document import Document
from tupelo.io.documents import UTF8, Found, Reading, day_of, text_encoding
from tupelo.io.documents.html import Page

_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_OTHER_ENCODING = "Name its encoding, for example --encoding cp1252."


def read_text(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The whole file as one document."""
    yield Document(source, decode(reading.whole(stream, source), source, (UTF8, reading.encoding)))


def decode(data: bytes, source: str, encodings: tuple[str, ...]) -> str:
    """Bytes as text with plain line ends, in the first encoding that fits; raises at a byte that fits none."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ("utf-16",)
    data = data.removeprefix(codecs.BOM_UTF8)
    *others, last = encodings
    for encoding in others:
        with suppress(UnicodeError):
            return _checked(data.decode(encoding), source)
    try:
        return _checked(data.decode(last), source)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x} at position {error.start:,} is not {last.upper()}"
        raise FormatError(source, line, found, f"{last.upper()} text", _OTHER_ENCODING) from None


def _checked(text: str, source: str) -> str:
    if "\0" in text:
        raise FormatError(source, text.count("\n", 0, text.index("\0")) + 1, "a NUL character", "text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_html(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The whole page as one document."""
    data = reading.whole(stream, source)
    declared = _declared(data)
    page = Page(decode(data, source, (declared,) if declared else (UTF8, reading.encoding)))
    yield Document(source, page.text(), "text/html", page.title, page.published)


def _declared(data: bytes) -> str | None:
    """The encoding that a page names for itself."""
    declared = _CHARSET.search(data[:4096])
    return text_encoding(declared[1].decode("ascii", "replace")) if declared else None


_FRONT = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_FRONT_DATE = re.compile(r"^(?:date|published): *[\"']?(.{10})", re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title:(.+)$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}#{1,6} +(.*)$")
_RULE = re.compile(r"^ {0,3}(?:[-*_] *){3,}$|^ {0,3}(?:=+|-+) *$|^[ |:+-]+$")
_BULLET = re.compile(r"^ *(?:[-*+]|\d{1,9}[.)]) +")
_QUOTE = re.compile(r"^ {0,3}(?:> ?)+")
# Longest link, code or emphasis. Without bounds, marks that open and never close take quadratic time.
_INLINE = (
    (re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)"), ""),
    (re.compile(r"\[([^\[\]\n]{1,500})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,500}\])"), r"\1"),
    (re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$", re.MULTILINE), ""),
    (re.compile(r"<((?:https?|mailto):[^<>\s]+)>"), r"\1"),
    (re.compile(r"(?<!`)(`++)(.{1,500}?)(?<!`)\1(?!`)"), r"\2"),
    (re.compile(r"(\*{1,3}|~~)(?=\S)(.{1,500}?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.{1,500}?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!|~>-])"), r"\1"),
)


def read_markdown(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The whole file as one document; its title is that of the front matter or the first heading."""
    text = decode(reading.whole(stream, source), source, (UTF8, reading.encoding))
    title = published = None
    if front := _FRONT.match(text):
        text = text[front.end() :]
        title, published = (_first(pattern, front[1]) for pattern in (_FRONT_TITLE, _FRONT_DATE))
        title, published = title and title.strip(" \"'"), published and day_of(published)
    prose, heading = _prose(text)
    if "<" in prose:
        # Markdown may hold HTML. Line ends mean more here than there.
        prose = Page(prose.replace("\n\n", "<p>").replace("\n", "<br>")).text()
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
            words = heading[1].rstrip()
            # Closing marks stand apart from the words.
            bare = words.rstrip("#")
            words = bare.rstrip() if not bare or bare[-1] == " " else words
            first_heading = first_heading or _plain(words)
            lines += ["", words, ""]
        elif _RULE.match(line) and line.strip():
            lines.append("")
        else:
            line = _QUOTE.sub("", line)
            if _BULLET.match(line):
                lines.append("")
                line = _BULLET.sub("", line)
            lines.append(line.strip())
    return _BLANK_LINES.sub("\n\n", _plain("\n".join(lines))).strip(), first_heading


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1) if found else None


def _plain(text: str) -> str:
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return text
