"""Documents in files, folders and archives, by the ending of the name. A new kind is a function and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import IO, TypeAlias

from tupelo.core import FormatError, InputError, Registry
from tupelo.core.document import Document

# What a reader finds: documents, and complaints about those that cannot be read. It raises when nothing more can be.
Found: TypeAlias = Document | InputError | FormatError
Reader: TypeAlias = Callable[[IO[bytes], str], Iterator[Found]]

READERS: Registry[Reader] = Registry(
    "document format",
    {
        "text": "tupelo.io.documents.markup:read_text",
        "markdown": "tupelo.io.documents.markup:read_markdown",
        "html": "tupelo.io.documents.markup:read_html",
        "jsonl": "tupelo.io.documents.records:read_jsonl",
        "parquet": "tupelo.io.documents.records:read_parquet",
        "pdf": "tupelo.io.documents.office:read_pdf",
        "docx": "tupelo.io.documents.office:read_docx",
        "archive": "tupelo.io.documents.records:read_archive",
        "mediawiki": "tupelo.io.documents.wiki:read_mediawiki",
    },
)

ENDINGS = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pdf": "pdf",
    ".docx": "docx",
    ".zip": "archive",
    ".tar": "archive",
    ".tar.gz": "archive",
    ".tgz": "archive",
    ".xml": "mediawiki",
}


def format_of(name: str) -> str | None:
    """The format that the ending of a file name stands for; `.gz` or `.bz2` after it does not matter.

    >>> format_of("notes/May.MD"), format_of("news.jsonl.gz"), format_of("wiki.xml.bz2"), format_of("photo.png")
    ('markdown', 'jsonl', 'mediawiki', None)
    """
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes[-2:]]
    for ending in ("".join(suffixes), suffixes[-1] if suffixes else ""):
        if ending in ENDINGS:
            return ENDINGS[ending]
    if len(suffixes) == 2 and suffixes[1] in (".gz", ".bz2"):
        return ENDINGS.get(suffixes[0])
    return None
