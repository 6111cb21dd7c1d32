"""Pages of a MediaWiki dump (`pages-articles.xml`, as Wikipedia publishes it): one document per article, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO
from xml.etree import ElementTree

from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.io.documents import Found
from tupelo.io.documents.wikitext import plain_text

_ARTICLES = "0"
_FORBIDDEN = b"<!DOCTYPE"
_EXPECTED = "expected a MediaWiki dump"


def read(stream: IO[bytes], source: str) -> Iterator[Found]:
    """Articles in order; redirects, talk and other pages are passed over. The title is that of the page."""
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
