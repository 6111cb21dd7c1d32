"""PDF and Word files, with the packages of the extra `documents`."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO

from tupelo.core import InputError, MissingExtraError
from tupelo.core.document import Document
from tupelo.core.limits import LimitError
from tupelo.io.archives import Allowance, entries
from tupelo.io.documents import Found, Reading

_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
# A line end inside a sentence: no full stop before it, and something goes on behind it.
_INSIDE = re.compile(r"(?<![.!?:;\n])\n(?=\S)")
_CHUNK = 1 << 16


def read_pdf(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The text layer of all pages; a scan without one is complained about."""
    try:
        import pypdf
    except ImportError as error:
        raise MissingExtraError(f"{source}: PDF", "documents") from error
    # Its warnings about a broken file come as exceptions, too.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pdf = pypdf.PdfReader(stream)
        if pdf.is_encrypted and not pdf.decrypt(""):
            raise InputError(f"{source}: needs a password, expected a PDF that anybody can read")
        pages = _bounded((page.extract_text() for page in pdf.pages), source, reading)
        information = pdf.metadata
        title = information.title if information else None
        created = information.creation_date if information else None
    except InputError:
        raise
    except Exception as error:  # pypdf raises all kinds on broken files, recursion among them
        raise InputError(f"{source}: broken PDF ({_brief(error)}), expected a complete one") from error
    text = "\n\n".join(_joined(page) for page in pages if page.strip())
    if not text:
        raise InputError(f"{source}: no text in {len(pages)} page(s), expected a PDF with a text layer")
    published = created.date().isoformat() if created else None
    yield Document(source, text, "application/pdf", (title or "").strip() or None, published)


def read_docx(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """Paragraphs and the cells of tables."""
    try:
        import docx
    except ImportError as error:
        raise MissingExtraError(f"{source}: Word", "documents") from error
    try:
        _check_parts(stream, source, reading)
        word = docx.Document(stream)
        cells = (cell.text for table in word.tables for row in table.rows for cell in row.cells)
        paragraphs = _bounded(chain((paragraph.text for paragraph in word.paragraphs), cells), source, reading)
        title, created = word.core_properties.title, word.core_properties.created
    except LimitError:
        raise
    except Exception as error:  # python-docx passes on whatever zip and XML raise
        raise InputError(f"{source}: broken Word file ({_brief(error)}), expected a complete .docx") from error
    text = "\n\n".join(paragraph.strip() for paragraph in paragraphs if paragraph.strip())
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    yield Document(source, text, kind, title or None, created.date().isoformat() if created else None)


def _bounded(texts: Iterable[str], source: str, reading: Reading) -> list[str]:
    """All the texts, as long as they are no more than a document may have."""
    kept, size = [], 0
    for text in texts:
        kept.append(text)
        size += len(text)
        if size > reading.limits.document:
            raise LimitError(source, "document", "more text", reading.limits.document)
    return kept


def _check_parts(stream: IO[bytes], source: str, reading: Reading) -> None:
    """A Word file is a zip archive, which python-docx unpacks into memory: look first how large its parts are."""
    for entry in entries(stream, source, Allowance(stream, source, reading.limits)):
        content = entry.opened()
        while content.read(_CHUNK):
            pass
    stream.seek(0)


def _joined(page: str) -> str:
    return _INSIDE.sub(" ", _HYPHEN.sub("", page.replace("\0", ""))).strip()


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
