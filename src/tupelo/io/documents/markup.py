"""Plain text, web pages and Markdown: the words that a reader sees, paragraphs apart.

Text is UTF-8, or UTF-16 with a byte order mark. Of web pages nothing is run, loaded or followed. Of Markdown the
prose is kept, without marks, links, code and front matter.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import IO

from tupelo.core import FormatError
from tupelo.core.document import Document
from tupelo.io.documents import Found
from tupelo.io.files import not_utf8

# What people do not read, or not as sentences.
_HIDDEN = frozenset(["script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select"])
_BLOCK_TAGS = """
    address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary
    table td th tr ul
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_META_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATE_NAMES = frozenset(["article:published_time", "date", "dc.date", "dcterms.date", "datepublished"])
_SPACE = re.compile(r"[^\S\n]+")


def read_text(stream: IO[bytes], source: str) -> Iterator[Found]:
    """The whole file as one document."""
    yield Document(source, decode(stream.read(), source))


def decode(data: bytes, source: str, encoding: str = "utf-8") -> str:
    """Bytes as text with plain line ends; raises with the line of the first byte that is none."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise not_utf8(source, line, data[error.start], encoding.upper()) from None
    if "\0" in text:
        raise FormatError(source, text.count("\n", 0, text.index("\0")) + 1, "a NUL character", "text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_html(stream: IO[bytes], source: str) -> Iterator[Found]:
    """The whole page as one document."""
    data = stream.read()
    page = _Page()
    page.feed(decode(data, source, _encoding(data)))
    page.close()
    yield Document(source, page.text(), "text/html", page.title, page.published)


class _Page(HTMLParser):
    """Collects text, title and date while tags go by; what is nested wrongly does no harm."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._hidden: list[str] = []
        self._title: list[str] | None = None
        self.title: str | None = None
        self.published: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title" and self.title is None and "svg" not in self._hidden:
            self._title = []
        elif tag == "meta":
            self._meta({name: value or "" for name, value in attrs})
        elif tag in _HIDDEN:
            self._hidden.append(tag)
        elif tag == "body":
            # A head that nobody closed ends here.
            self._hidden.clear()
        elif tag == "br":
            self._pieces.append("\n")
        elif tag in _BLOCKS:
            self._pieces.append("\n\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _HIDDEN:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title" and self._title is not None:
            self.title = " ".join("".join(self._title).split()) or None
            self._title = None
        elif tag in self._hidden:
            del self._hidden[self._hidden.index(tag) :]
        elif tag in _BLOCKS:
            self._pieces.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._title is not None:
            self._title.append(data)
        elif not self._hidden:
            # Line breaks in the source are mere spaces.
            self._pieces.append(data.replace("\n", " "))

    def _meta(self, values: dict[str, str]) -> None:
        name = (values.get("property") or values.get("name") or values.get("itemprop") or "").lower()
        found = _META_DATE.match(values.get("content", ""))
        if name in _DATE_NAMES and found and self.published is None:
            self.published = found.group()

    def text(self) -> str:
        paragraphs = re.split(r"\n{2,}", _SPACE.sub(" ", "".join(self._pieces)))
        lines = ("\n".join(line.strip() for line in paragraph.split("\n")).strip() for paragraph in paragraphs)
        return "\n\n".join(line for line in lines if line)


def _encoding(data: bytes) -> str:
    declared = _CHARSET.search(data[:4096])
    try:
        return codecs.lookup(declared.group(1).decode("ascii")).name if declared else "utf-8"
    except LookupError:
        return "utf-8"


_FRONT = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_FRONT_DATE = re.compile(r"^(?:date|published): *[\"']?(\d{4}-\d{2}-\d{2})", re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title: *[\"']?(.+?)[\"']? *$", re.MULTILINE)
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


def read_markdown(stream: IO[bytes], source: str) -> Iterator[Found]:
    """The whole file as one document; its title is that of the front matter or the first heading."""
    text = decode(stream.read(), source)
    title = published = None
    if front := _FRONT.match(text):
        text = text[front.end() :]
        title, published = (_first(pattern, front[1]) for pattern in (_FRONT_TITLE, _FRONT_DATE))
    prose, heading = _prose(text)
    if "<" in prose:
        # Markdown may hold HTML. Line ends mean more here than there.
        page = _Page()
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
