"""Files of many documents: archives, JSON lines and Parquet.

Rows have a field `text` and perhaps `id`, `title` and `date`.
Archives are zip and tar. Names that lead out of them, links and bombs are refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

from tupelo.core import FormatError, InputError, TupeloError
from tupelo.core.document import Document
from tupelo.io.archives import members
from tupelo.io.catalogue import Unpack
from tupelo.io.documents import READERS, Found, format_of

_TEXT = ("text", "content", "body")
_ID = ("id", "doc_id", "document_id", "url")
_DATES = ("published", "date")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ROWS = 1000


def read_jsonl(stream: IO[bytes], source: str) -> Iterator[Found]:
    """One JSON object per line. A line that cannot be read is complained about; the others are kept."""
    seen: set[str] = set()
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else "not JSON"
            yield FormatError(source, number, reason, "one JSON object")
            continue
        yield _document(row, source, number, seen)


def read_parquet(stream: IO[bytes], source: str) -> Iterator[Found]:
    """One document per row."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    seen: set[str] = set()
    number = 0
    try:
        file = pq.ParquetFile(stream)
        wanted = {*_TEXT, *_ID, *_DATES, "title"}
        columns = [name for name in file.schema_arrow.names if name in wanted]
        for batch in file.iter_batches(_ROWS, columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield _document(row, source, number, seen)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{source}: broken Parquet file ({_brief(error)}), expected a complete one") from error


def _document(row: Any, source: str, number: int, seen: set[str]) -> Found:
    if not isinstance(row, Mapping):
        return FormatError(source, number, f"a JSON {type(row).__name__}", "one JSON object")
    text = next((row[name] for name in _TEXT if row.get(name) is not None), None)
    if not isinstance(text, str):
        return FormatError(source, number, "no text", "a field 'text' with a string")
    if "\0" in text or not _is_unicode(text):
        return FormatError(source, number, "a NUL character or half a surrogate pair", "text")
    given = next((row[name] for name in _ID if row.get(name) is not None), None)
    name = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16] if given is None else str(given)
    if name in seen:
        # The same text twice is one document; two texts of one name are a mistake.
        what = "the same text again" if given is None else f"id {name!r} comes twice"
        return FormatError(source, number, what, "every document once")
    seen.add(name)
    title = row.get("title")
    date = _DATE.match(str(next((row[name] for name in _DATES if row.get(name) is not None), "")))
    return Document(
        f"{source}#{name}",
        text.replace("\r\n", "\n").replace("\r", "\n"),
        title=title if isinstance(title, str) and _is_unicode(title) else None,
        published=date.group() if date else None,
    )


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


# Unpacked bytes of one archive.
_ARCHIVE_LIMIT = 8 << 30


def read_archive(stream: IO[bytes], source: str) -> Iterator[Found]:
    """The documents among the members; other members are skipped. A broken member does not harm the others."""
    for path, content in members(stream, source, Unpack(into="", limit=_ARCHIVE_LIMIT)):
        inner = f"{source}/{path}"
        kind = format_of(path.name)
        if kind == "archive":
            yield InputError(f"{inner}: an archive in an archive, expected documents. Unpack it first.")
        elif kind is not None:
            try:
                yield from READERS.get(kind)(io.BytesIO(content.read()), inner)
            except (InputError, FormatError) as error:
                yield error
            except TupeloError as error:
                yield InputError(str(error))
