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

from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.core.limits import LimitError
from tupelo.io.documents import Found, Reading

_ARTICLES = "0"
_EXPECTED = "expected a MediaWiki dump"
_BLOCK = 1 << 16
# The fields of a page: the names of the elements below it.
_FIELDS = frozenset(["title", "ns", "id", "redirect", "revision/text"])
_DEEPEST = 4


def read_mediawiki(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """Articles in order; redirects, talk and other pages are skipped. The title is that of the page."""
    most = reading.limits.document
    for page in _Dump(source, most).pages(stream):
        title = page.get("title", "")
        if page.get("ns", _ARTICLES) != _ARTICLES or not title or ("redirect" in page and not reading.links):
            continue
        name = f"{source}#{page.get('id') or title}"
        if sum(map(len, page.values())) > most:
            yield LimitError(name[:200], "document", "a larger page", most)
        else:
            text = page.get("revision/text", "")
            if "redirect" in page:
                found = _REDIRECT.match(text)
                yield Document(name, f"{REDIRECT} [[{found[1].strip()}]]" if found else "", title=title)
            else:
                yield Document(name, plain_text(text, links=reading.links), title=title)


class _Dump:
    """The fields of each page as soon as it is complete; nothing else of the file is kept.

    Declarations are refused: with them, a small file can be made to need endless memory. A page that is too large
    is cut off, one character beyond the limit or more.
    """

    def __init__(self, source: str, most: int) -> None:
        self._source, self._most = source, most
        # Number of open elements, and the names of the outer ones.
        self._depth = 0
        self._path: list[str] = []
        self._page: dict[str, list[str]] = {}
        # The field that text goes to, and the characters of the page so far.
        self._field: list[str] | None = None
        self._size = 0
        self._done: list[dict[str, str]] = []

    def pages(self, stream: IO[bytes]) -> Iterator[dict[str, str]]:
        from xml.parsers import expat

        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = self._text, self._declaration
        waiting, is_last = 0, False
        try:
            while not is_last:
                # Older parsers begin again with a tag or comment that has not ended: in ever larger blocks, that is
                # not often.
                data = stream.read(max(_BLOCK, waiting))
                is_last = not data
                place = parser.CurrentByteIndex
                parser.Parse(data, is_last)
                waiting = waiting + len(data) if place == parser.CurrentByteIndex else 0
                if waiting > max(_BLOCK, self._most):
                    raise LimitError(self._source, "document", "a larger tag or comment", self._most)
                yield from self._done
                self._done.clear()
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InputError(f"{self._source}:{error.lineno}: broken XML ({reason}), {_EXPECTED}") from error

    def _start(self, name: str, _: object) -> None:
        local = name.rpartition(" ")[2]
        if self._depth == 0 and local != "mediawiki":
            raise InputError(f"{self._source}: an XML file of <{local}>, {_EXPECTED}")
        self._depth += 1
        self._field = None
        if self._depth > _DEEPEST:
            return
        self._path[self._depth - 1 :] = [local]
        field = "/".join(self._path[2:])
        # Of several revisions, the first one counts.
        if self._path[1:2] == ["page"] and field in _FIELDS and field not in self._page:
            self._field = self._page[field] = []

    def _text(self, text: str) -> None:
        if self._field is not None and self._size <= self._most:
            self._field.append(text)
            self._size += len(text)

    def _end(self, _: str) -> None:
        self._depth -= 1
        self._field = None
        if self._depth == 1 and self._path[1] == "page":
            self._done.append({field: "".join(texts) for field, texts in self._page.items()})
            self._page, self._size = {}, 0

    def _declaration(self, *_: object) -> None:
        raise InputError(f"{self._source}: a document type declaration, {_EXPECTED} without one")


# First words of a document that stands for another page.
REDIRECT = "#REDIRECT"
_REDIRECT = re.compile(r"\s*#\w++\s*+:?\s*+\[\[([^\]\[|#]++)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLOCKS = re.compile(
    r"<(ref|math|gallery|source|syntaxhighlight|code|timeline|score|table|imagemap|chem)\b"
    r"(?:[^<>]*/>|[^<>]*>.*?(?:</\1\s*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_OUTSIDE = re.compile(r"\[(?:https?:|ftp:)?//[^\s\]\[]++\s*+([^\]\[]*+)\]")
_LINK_ENDS = re.compile(r"\[\[|\]\]")
_STYLE = re.compile(r"'{2,}")
# The text of a link is copied once for each that it stands in.
_DEEPEST_LINK = 10
_SWITCH = re.compile(r"__[A-Z]+__")
_PRONUNCIATION = re.compile(r"\( ?[;,:]*+ ?\)")
# Links into these do not stand for words: pictures, categories, other languages.
_NAMESPACES = re.compile(r"\s*:?(?:file|image|category|media|[a-z]{2,3}(?:-[a-z]+)?)\s*:", re.IGNORECASE)
_NO_PROSE = ("*", "#", ":", ";", "|", "!", "{", "}")
# Lists at the end of an article are no prose either.
_LAST_SECTIONS = frozenset(["references", "external links", "see also", "notes", "further reading", "bibliography"])


def plain_text(wikitext: str, *, links: bool = False) -> str:
    """The paragraphs of a page, one a line, with an empty line between them; links are words, or kept.

    >>> plain_text("'''Ann Lee''' (born 5 May 1970)<ref>A book</ref> is a [[poet|Swiss poet]].{{stub}}")
    'Ann Lee (born 5 May 1970) is a Swiss poet.'
    >>> plain_text("Ann is a [[poet|Swiss poet]] of [[Basel]].[[File:Ann.jpg|Ann in [[Basel]]]]", links=True)
    'Ann is a [[poet|Swiss poet]] of [[Basel|Basel]].'
    """
    text = _COMMENT.sub("", wikitext)
    text = _BLOCKS.sub("", text)
    text = _without_nested(text, "{{", "}}")
    text = _without_nested(text, "{|", "|}")
    text = _links(text, links)
    text = _OUTSIDE.sub(lambda match: match[1], text)
    text = unescape(_TAG.sub("", _STYLE.sub("", _SWITCH.sub("", text)))).replace("\xa0", " ")
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.startswith("=") and line.rstrip().endswith("=", 1):
            if line.strip("= \t").lower() in _LAST_SECTIONS:
                break
            paragraphs.append([])
            continue
        line = " ".join(_PRONUNCIATION.sub("", " ".join(line.split())).split())
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


def _links(text: str, keep: bool) -> str:
    """`[[page|words]]` to the words; pictures, whose captions hold links themselves, to nothing."""
    # Open links: the text so far, one list for each link that has begun.
    open_links: list[list[str]] = [[]]
    place = too_deep = 0
    for match in _LINK_ENDS.finditer(text):
        open_links[-1].append(text[place : match.start()])
        place = match.end()
        if match[0] == "[[" and len(open_links) > _DEEPEST_LINK:
            too_deep += 1
        elif match[0] == "[[":
            open_links.append([])
        elif too_deep:
            too_deep -= 1
        elif len(open_links) > 1:
            inside = "".join(open_links.pop())
            words = inside.split("|")[-1]
            if keep and words and "[[" not in inside and "]]" not in inside:
                words = f"[[{inside.split('|')[0]}|{words}]]"
            open_links[-1].append("" if _NAMESPACES.match(inside) else words)
    open_links[-1].append(text[place:])
    # Links that never end are words.
    return "".join("".join(part) for part in open_links)
