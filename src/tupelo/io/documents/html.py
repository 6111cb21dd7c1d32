"""Web pages: the words that a reader sees, paragraphs apart. Nothing is run, loaded or followed."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import IO

from tupelo.core.document import Document
from tupelo.io.documents import Found
from tupelo.io.documents.text import decode

# What people do not read, or not as sentences.
_HIDDEN = frozenset(["script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select"])
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "td",
        "th",
        "tr",
        "ul",
    ]
)
_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATE_NAMES = frozenset(["article:published_time", "date", "dc.date", "dcterms.date", "datepublished"])
_SPACE = re.compile(r"[^\S\n]+")


def read(stream: IO[bytes], source: str) -> Iterator[Found]:
    """The whole page as one document."""
    data = stream.read()
    page = Page()
    page.feed(decode(data, source, _encoding(data)))
    page.close()
    yield Document(source, page.text(), "text/html", page.title, page.published)


class Page(HTMLParser):
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
        found = _DATE.match(values.get("content", ""))
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
