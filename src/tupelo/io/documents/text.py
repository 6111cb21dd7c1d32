"""Plain text: UTF-8, or UTF-16 with a byte order mark."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from tupelo.core import FormatError
from tupelo.core.document import Document
from tupelo.io.documents import Found
from tupelo.io.files import not_utf8


def read(stream: IO[bytes], source: str) -> Iterator[Found]:
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
