"""Files of many documents: archives, JSON lines and Parquet.

Rows have a field `text` and perhaps `id`, `title` and `date`.
Archives are zip and tar. Names that lead out of them, links and bombs are refused.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import IO, Any

from tupelo.core import FormatError, InputError, TupeloError
from tupelo.core.document import Document
from tupelo.core.errors import is_unicode
from tupelo.core.limits import LimitError
from tupelo.io.archives import WHOLE_ARCHIVE, Allowance, Entry, entries
from tupelo.io.documents import READERS, SEEKING, UNKNOWN_KIND, UTF8, Found, NoDocument, Reading, day_of, format_of
from tupelo.io.documents.markup import decode
from tupelo.io.json_items import json_value
from tupelo.io.lines import Fault

_TEXT = ("text", "content", "body")
_ID = ("id", "doc_id", "document_id", "url")
_DATES = ("published", "date")
_WANTED = (*_TEXT, *_ID, *_DATES, "title")
_ROWS = 1000
_CHUNK = 1 << 16


def read_jsonl(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """One JSON object per line. A line that cannot be read is complained about; the others are kept."""
    seen: set[str] = set()
    for number, line in enumerate(_bounded_lines(stream, reading.limits.document), start=1):
        if line is None:
            yield LimitError(f"{source}:{number}", "document", "a longer line", reading.limits.document)
        elif line.strip():
            try:
                row = json_value(decode(line, source, (UTF8, reading.encoding)))
            except FormatError as error:
                yield FormatError(source, number, error.found, error.expected, error.hint)
            except Fault as fault:
                yield FormatError(source, number, *fault.args)
            else:
                yield _document(row, source, number, seen, reading)


def _bounded_lines(stream: IO[bytes], most: int) -> Iterator[bytes | None]:
    """Lines; one that is too long is `None`, and never in memory as a whole."""
    while line := stream.readline(most + 1):
        if len(line) <= most or line.endswith(b"\n"):
            yield line
            continue
        yield None
        while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass


def read_parquet(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """One document per row."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    allowance = Allowance(stream, source, reading.limits)
    seen: set[str] = set()
    number = 0
    try:
        about = pq.read_metadata(stream)
        schema = about.schema.to_arrow_schema()
        columns = [name for name in schema.names if name in _WANTED]
        allowance.check(_unpacked_size(about, columns))
        # As it is stored: a long text that many rows share is there once.
        shared = [name for name in columns if schema.field(name).type == pa.string()]
        file = pq.ParquetFile(stream, metadata=about, read_dictionary=shared)
        for batch in file.iter_batches(_ROWS, columns=columns):
            for place in range(batch.num_rows):
                number += 1
                row = {name: column[place].as_py() for name, column in zip(columns, batch.columns, strict=True)}
                allowance.take(sum(len(value) for value in row.values() if isinstance(value, str | bytes)))
                yield _document(row, source, number, seen, reading)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source}: broken Parquet file ({_brief(error)}), expected a complete one") from error


def _document(row: Any, source: str, number: int, seen: set[str], reading: Reading) -> Found:
    if not isinstance(row, Mapping):
        return FormatError(source, number, f"a JSON {type(row).__name__}", "one JSON object")
    text = next((row[name] for name in _TEXT if row.get(name) is not None), None)
    if not isinstance(text, str):
        return FormatError(source, number, "no text", "a field 'text' with a string")
    if len(text) > reading.limits.document:
        return LimitError(f"{source}:{number}", "document", "a longer text", reading.limits.document)
    given = next((row[name] for name in _ID if row.get(name) is not None), None)
    if "\0" in text or not is_unicode(text) or not is_unicode(str(given)):
        return FormatError(source, number, "a NUL character or half a surrogate pair", "text")
    name = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16] if given is None else str(given)
    if name in seen:
        # The same text twice is one document; two texts of one name are a mistake.
        what = "the same text again" if given is None else f"id {name[:200]!r} comes twice"
        return FormatError(source, number, what, "every document once")
    seen.add(name)
    title = row.get("title")
    day = next((row[name] for name in _DATES if row.get(name) is not None), "")
    return Document(
        f"{source}#{name}",
        text.replace("\r\n", "\n").replace("\r", "\n"),
        title=title if isinstance(title, str) and is_unicode(title) else None,
        published=day_of(str(day)),
    )


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _unpacked_size(metadata: Any, columns: list[str]) -> int:
    """Memory that the columns need, according to the file."""
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    chunks = (group.column(place) for group in groups for place in range(group.num_columns))
    return sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in columns)


def read_archive(
    stream: IO[bytes], source: str, reading: Reading, outer: Allowance | None = None, depth: int = 1
) -> Iterator[Found]:
    """The documents among the members. A broken member does not harm the others, a hostile archive ends here.

    An archive inside is read as well, up to the limit `depth`; what it unpacks to counts for the outer one too.
    """
    allowance = outer or Allowance(stream, source, reading.limits)
    seen: set[PurePosixPath] = set()
    is_empty = True
    for entry in entries(stream, source, allowance):
        for found in _complaining(_member(entry, source, reading, allowance, depth, seen)):
            is_empty = False
            yield found
    if is_empty:
        yield NoDocument(source, "an archive without documents")


def _complaining(found: Iterator[Found]) -> Iterator[Found]:
    """Documents of a member, with the error that ends it, unless it ends the whole archive."""
    try:
        yield from found
    except LimitError as error:
        if error.limit in WHOLE_ARCHIVE:
            raise
        yield error
    except (InputError, FormatError) as error:
        yield error
    except TupeloError as error:
        yield InputError(str(error))


def _member(
    entry: Entry, source: str, reading: Reading, allowance: Allowance, depth: int, seen: set[PurePosixPath]
) -> Iterator[Found]:
    if not entry.is_plain:
        yield NoDocument(f"{source}/{entry.name}", "a link or a device in an archive")
        return
    path = entry.path(source)
    inner = f"{source}/{path}"
    kind = format_of(path.name)
    if any(part.startswith(".") for part in path.parts):
        # As in folders, what is hidden is not meant.
        return
    if kind is None:
        yield NoDocument(inner, UNKNOWN_KIND)
        return
    if kind != "archive" and path.suffix.lower() in (".gz", ".bz2"):
        yield NoDocument(inner, "a compressed file in an archive")
        return
    if path in seen:
        raise InputError(f"{inner}: comes twice in its archive, expected every name once")
    seen.add(path)
    if kind == "archive" and depth >= reading.limits.depth:
        raise LimitError(inner, "depth", "an archive in an archive", reading.limits.depth)
    with entry.opened() as content:
        if kind not in SEEKING:
            yield from READERS.get(kind)(content, inner, reading)
            return
        whole = io.BytesIO(content.read())
    if kind == "archive":
        yield from read_archive(whole, inner, reading, allowance, depth + 1)
    else:
        yield from READERS.get(kind)(whole, inner, reading)
