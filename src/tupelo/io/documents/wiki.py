"""Pages of a MediaWiki dump (`pages-articles.xml`, as Wikipedia publishes it): one document per article, streamed.

Of a page only the prose is kept, without templates, tables, pictures, references and marks of style. This is not a
parser of the whole language: what it does not know it drops rather than keeps. Text that was written by a template is
lost, a link keeps the words that readers see; headings, lists and captions are no prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import IO
from xml.etree import ElementTree

from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.io.documents import Found

_ARTICLES = "0"
_FORBIDDEN = b"<!DOCTYPE"
_EXPECTED = "expected a MediaWiki dump"


def read_mediawiki(stream: IO[bytes], source: str) -> Iterator[Found]:
    """Articles in order; redirects, talk and other pages are skipped. The title is that of the page."""
    try:
        for page in _pages(_guarded(stream, source), source):
            title, text = page.findtext("{*}title") or "", page.findtext("{*}revision/{*}text") or ""
            if page.findtext("{*}ns") in (_ARTICLES, None) and page.find("{*}redirect") is None and title:
                yield Document(f"{source}#{page.findtext('{*}id') or title}", plain_text(text), title=title)
    except ElementTree.ParseError as error:
        raise InputError(f"{source}:{error.position[0]}: broken XML ({error.msg}), {_EXPECTED}") from error


def _pages(stream: IO[bytes], source: str) -> Iterator[ElementTree.Element]:
    """Each page as soon as it is complete; what was read is forgotten."""
    root: ElementTree.Element | None = None
    for event, element in ElementTree.iterparse(stream, events=("start", "end")):
        if root is None:
            root = element
            if element.tag.rpartition("}")[2] != "mediawiki":
                raise InputError(f"{source}: an XML file of <{element.tag.rpartition('}')[2]}>, {_EXPECTED}")
        elif event == "end" and element.tag.rpartition("}")[2] == "page":
            yield element
            root.clear()


class _Guarded:
    """A stream that refuses declarations, with which a small file can be made to need endless memory."""

    def __init__(self, stream: IO[bytes], source: str) -> None:
        self._stream, self._source, self._checked = stream, source, False

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if not self._checked:
            self._checked = True
            if _FORBIDDEN in data[:4096].upper():
                raise InputError(f"{self._source}: a document type declaration, {_EXPECTED} without one")
        return data


def _guarded(stream: IO[bytes], source: str) -> IO[bytes]:
    return _Guarded(stream, source)  # type: ignore[return-value]


_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLOCKS = re.compile(
    r"<(ref|math|gallery|source|syntaxhighlight|code|timeline|score|table|imagemap|chem)\b"
    r"(?:[^<>]*/>|[^<>]*>.*?(?:</\1\s*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_OUTSIDE = re.compile(r"\[(?:https?:|ftp:)?//[^\s\]]+\s*([^\]]*)\]")
_STYLE = re.compile(r"'{2,}")
_SWITCH = re.compile(r"__[A-Z]+__")
_HEADING = re.compile(r"^=+.*=+\s*$")
_PRONUNCIATION = re.compile(r"\(\s*[;,:]*\s*\)")
# Links into these do not stand for words: pictures, categories, other languages.
_NAMESPACES = re.compile(r"\s*:?(?:file|image|category|media|[a-z]{2,3}(?:-[a-z]+)?)\s*:", re.IGNORECASE)
_NO_PROSE = ("*", "#", ":", ";", "|", "!", "{", "}")
# What is listed at the end of an article is no prose either.
_LAST_SECTIONS = frozenset(["references", "external links", "see also", "notes", "further reading", "bibliography"])


def plain_text(wikitext: str) -> str:
    """The paragraphs of a page, one a line, with an empty line between them.

    >>> plain_text("'''Ann Lee''' (born 5 May 1970)<ref>A book</ref> is a [[poet|Swiss poet]].{{stub}}")
    'Ann Lee (born 5 May 1970) is a Swiss poet.'
    """
    text = _COMMENT.sub("", wikitext)
    text = _BLOCKS.sub("", text)
    text = _without_nested(text, "{{", "}}")
    text = _without_nested(text, "{|", "|}")
    text = _links(text)
    text = _OUTSIDE.sub(lambda match: match[1], text)
    text = unescape(_TAG.sub("", _STYLE.sub("", _SWITCH.sub("", text)))).replace("\xa0", " ")
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        if _HEADING.match(line):
            if line.strip("= \t").lower() in _LAST_SECTIONS:
                break
            paragraphs.append([])
            continue
        line = " ".join(_PRONUNCIATION.sub("", line).split())
        if line and not line.startswith(_NO_PROSE):
            # A single line break is a space, as on the page.
            paragraphs[-1].append(line.replace(" ,", ",").replace(" .", "."))
        else:
            paragraphs.append([])
    return "\n\n".join(" ".join(lines) for lines in paragraphs if lines)


def _without_nested(text: str, opening: str, closing: str) -> str:
    """Without everything between two marks, which may stand within each other; an open end is cut off."""
    kept: list[str] = []
    depth = place = 0
    for match in re.finditer(f"{re.escape(opening)}|{re.escape(closing)}", text):
        if depth == 0:
            kept.append(text[place : match.start()])
        if match[0] == opening:
            depth += 1
        elif depth:
            depth -= 1
        place = match.end()
    return "".join(kept) + (text[place:] if depth == 0 else "")


def _links(text: str) -> str:
    """`[[page|words]]` to the words; pictures, whose captions hold links themselves, to nothing."""
    # What is open: the text so far, one list for each link that has begun.
    open_links: list[list[str]] = [[]]
    place = 0
    for match in re.finditer(r"\[\[|\]\]", text):
        open_links[-1].append(text[place : match.start()])
        place = match.end()
        if match[0] == "[[":
            open_links.append([])
        elif len(open_links) > 1:
            inside = "".join(open_links.pop())
            open_links[-1].append("" if _NAMESPACES.match(inside) else inside.split("|")[-1])
    open_links[-1].append(text[place:])
    # Links that never end are words.
    return "".join("".join(part) for part in open_links)
