"""Reading and writing files of tuples in any registered format, and the fields that a format cannot hold.

Losses are not taken from a list of promises: the records are written, read back and compared. So a conversion either
keeps the words of every tuple and names the fields that it drops, or fails.
"""

from __future__ import annotations

import codecs
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import PurePath
from typing import IO, Any, BinaryIO, cast

from tupelo.core import Argument, Extraction, FormatError, InputError, Record, Sentence
from tupelo.core.errors import UnknownFormatError
from tupelo.io.files import InputFile, Source, not_utf8, open_output, split_lines
from tupelo.io.formats import ALL_FIELDS, FORMATS, BinaryFormat, Format, TextFormat
from tupelo.io.lines import Lines

AUTO = "auto"
_BYTE_ORDER_MARK = "\ufeff"
_ENDINGS = {".jsonl": "jsonl", ".parquet": "parquet", ".csv": "csv"}


@dataclass(slots=True)
class RecordStream:
    """The records of one open file, read as they are asked for."""

    name: str
    format: Format
    records: Iterator[Record]
    _file: InputFile

    def __iter__(self) -> Iterator[Record]:
        return self.records

    def checksum(self) -> str:
        """SHA-256 of the uncompressed content; reads to the end first."""
        return self._file.finish()


@contextmanager
def open_records(
    source: Source,
    format_name: str = AUTO,
    collect: Callable[[FormatError], None] | None = None,
    option: str = "--format",
) -> Iterator[RecordStream]:
    """Open a file of tuples; `-` is standard input, gzip is recognised by its content.

    Without `collect` the first faulty line raises `FormatError`; with it,
    faulty lines are handed over and left out. `option` is named when the format is not clear.
    """
    with InputFile(source) as file:
        yield stream_records(file, format_name, collect, option)


def stream_records(
    file: InputFile,
    format_name: str = AUTO,
    collect: Callable[[FormatError], None] | None = None,
    option: str = "--format",
) -> RecordStream:
    """The records of a file that is open already."""
    chosen = sniff_format(file, option) if format_name == AUTO else FORMATS.get(format_name)
    if isinstance(chosen, BinaryFormat):
        records = chosen.read(cast(BinaryIO, file.binary), file.name)
    else:
        records = chosen.read(file.lines(collect))
    return RecordStream(file.name, chosen, records, file)


def read_records(source: Source, format_name: str = AUTO) -> list[Record]:
    """All records of a file at once."""
    with open_records(source, format_name) as stream:
        return list(stream.records)


def write_records(name: str | os.PathLike[str], records: Iterable[Record], format_name: str) -> None:
    """Write a file of tuples; it appears only when everything could be written."""
    chosen = FORMATS.get(format_name)
    with open_output(name) as stream:
        write_stream(chosen, records, stream)


def write_stream(chosen: Format, records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write records to a file that is open already."""
    if isinstance(chosen, BinaryFormat):
        chosen.write(records, cast(BinaryIO, stream))
        return
    for position, text in enumerate(chosen.write(records)):
        if position == 0 and text.startswith(_BYTE_ORDER_MARK):
            # A reader drops one mark at the start of a file; this one belongs to the text.
            text = _BYTE_ORDER_MARK + text
        try:
            stream.write(text.encode("utf-8"))
        except UnicodeEncodeError as error:
            found = ascii(text[max(error.start - 20, 0) : error.end])
            raise InputError(f"half of a surrogate pair in {found}, expected whole Unicode characters") from None


def format_of_name(name: str | os.PathLike[str]) -> str | None:
    """The format that the ending of a file name stands for, where it is only one."""
    return _ENDINGS.get(PurePath(str(name).removesuffix(".gz")).suffix)


def require_format_of_name(name: str | os.PathLike[str], option: str) -> str:
    """The format that the ending of a file name stands for; the complaint names the option that says it instead."""
    chosen = format_of_name(name)
    if chosen is None:
        raise InputError(f"the ending of '{name}' does not say which format to write; name one with {option}")
    return chosen


def sniff_format(file: InputFile, option: str = "--format") -> Format:
    """The format whose look fits the first lines best; an error when none fits or two fit alike.

    A blank file is taken for `tab`, in which it holds no tuples; every line format would agree.
    """
    head = file.peek()
    formats = [FORMATS.get(name) for name in FORMATS]
    for candidate in formats:
        if isinstance(candidate, BinaryFormat) and head.startswith(candidate.magic):
            return candidate
    text = head.decode("utf-8-sig", errors="replace")
    lines = split_lines(text)
    if len(lines) > 1 and not text.endswith(("\n", "\r")):
        # The last line may be cut where the buffer ends.
        lines.pop()
    if not any(line.strip() for line in lines):
        return FORMATS.get("tab")
    fits = [(c.sniff(lines), c.name, c) for c in formats if isinstance(c, TextFormat)]
    fits = sorted((fit for fit in fits if fit[0] > 0), key=lambda fit: (-fit[0], fit[1]))
    if not fits:
        _require_utf8(head, file.name)
        raise UnknownFormatError(
            f"{file.name}: no known format fits its first lines; name one with {option} ({', '.join(FORMATS)})"
        )
    if len(fits) > 1 and fits[0][0] == fits[1][0]:
        alike = " or ".join(name for value, name, _ in fits if value == fits[0][0])
        raise UnknownFormatError(f"{file.name}: could be {alike}; name one with {option}")
    return fits[0][2]


def _require_utf8(head: bytes, name: str) -> None:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError as error:
        raise not_utf8(name, len(split_lines(head[: error.start].decode("utf-8") + "?")), head[error.start]) from None


_RECORDS_AT_ONCE = 1000


def watch_losses(records: Iterable[Record], target: Format, losses: Counter[str]) -> Iterator[Record]:
    """Pass records through to a writer and count in `losses` how many lose which field."""
    if not isinstance(target, TextFormat) or target.keeps == ALL_FIELDS:
        yield from records
        return
    passed: list[Record] = []
    for record in records:
        yield record
        passed.append(record)
        if len(passed) == _RECORDS_AT_ONCE and not target.document:
            losses.update(lost_fields(passed, target))
            passed = []
    losses.update(lost_fields(passed, target))


def writable(records: Iterable[Record], target: Format, collect: Callable[[InputError], None]) -> Iterator[Record]:
    """Leave out the records that the target cannot hold at all, and hand over why."""
    for record in records:
        try:
            if isinstance(target, TextFormat):
                for _ in target.write([record]):
                    pass
        except InputError as error:
            collect(error)
            continue
        yield record


def lost_fields(records: Sequence[Record], target: TextFormat) -> Counter[str]:
    """Number of records that lose each field when they are written together; raises when words would change."""
    text = "".join(target.write(records))
    read_back = list(target.read(Lines(split_lines(text), f"what was written as {target.name}")))
    losses: Counter[str] = Counter()
    # Some formats know a sentence by its id alone.
    key = _identifier if read_back and not any(map(_text, read_back)) else _text
    if key is _identifier:
        losses["sentence.text"] = sum(1 for record in records if _text(record))
    before, after = _in_fixed_order(records, key), _in_fixed_order(read_back, key)
    for extraction, other in zip_longest(before, after):
        if extraction is None or other is None or _words(extraction, key) != _words(other, key):
            raise InputError(f"{extraction or other} would not be read back from {target.name}")
        losses.update(_differences(extraction, other))
    there = {key(record): record for record in read_back}
    for record in records:
        if isinstance(record, Sentence):
            twin = there.get(key(record))
            kept = {} if twin is None else carried_fields(twin)
            lost = (name for name, value in carried_fields(record).items() if kept.get(name) != value)
            losses.update(["empty sentences"] if twin is None else (n for n in lost if n.startswith("sentence.")))
    return +losses


def carried_fields(record: Record) -> dict[str, Any]:
    """The members of `FIELDS` that a record has something in."""
    sentence = record.sentence
    fields: dict[str, Any] = {
        "sentence.id": sentence.id,
        "sentence.document_id": sentence.document_id,
        "sentence.tokens": sentence.tokens,
    }
    if isinstance(record, Sentence):
        texts = [sentence.text]
        fields["empty sentences"] = True
    else:
        parts = _parts(record)
        texts = [sentence.text, *(part.text for part in parts.values())]
        fields |= {
            "roles": {name: part.role for name, part in parts.items() if part.role is not None} or None,
            "tokens": {name: part.tokens for name, part in parts.items() if part.tokens is not None} or None,
            "spans": {name: part.spans for name, part in parts.items() if part.spans is not None} or None,
            "inferred": {name: part.inferred for name, part in parts.items() if part.inferred} or None,
            "resolved": {name: part.resolved for name, part in parts.items() if part.resolved is not None} or None,
            "confidence": record.confidence,
            "negated": record.negated,
            "modality": record.modality,
            "attribution": record.attribution,
            "context": record.context and _spaced(record.context.text),
            "group": record.group,
            "extractor": record.extractor,
            "extractor_version": record.extractor_version,
            "rule": record.rule,
            "minor": record.minor or None,
        }
    fields["extra spaces"] = texts if any(text != _spaced(text) for text in texts) else None
    return {name: value for name, value in fields.items() if value is not None}


def _differences(record: Extraction, other: Extraction) -> Iterator[str]:
    if other == record:
        return
    has = carried_fields(other)
    for name, value in carried_fields(record).items():
        if isinstance(value, Mapping):
            # A part that is gone, such as the context, is counted under its own name.
            kept = has.get(name) or {}
            there = _parts(other)
            if any(kept.get(part) != item for part, item in value.items() if part in there):
                yield name
        elif has.get(name) != value:
            yield name


def _parts(extraction: Extraction) -> dict[str, Argument]:
    parts = {"rel": extraction.rel}
    parts |= {f"arg{number}": part for number, part in enumerate(extraction.arguments, start=1)}
    if extraction.context is not None:
        parts["context"] = extraction.context
    return parts


def _in_fixed_order(records: Iterable[Record], key: Callable[[Record], str]) -> list[Extraction]:
    """The tuples in an order that does not depend on how a format gathers them."""
    extractions = [record for record in records if isinstance(record, Extraction)]
    return sorted(extractions, key=lambda extraction: _words(extraction, key))


def _text(record: Record) -> str:
    return _spaced(record.sentence.text)


def _identifier(record: Record) -> str:
    return record.sentence.id or ""


def _words(extraction: Extraction, key: Callable[[Record], str]) -> tuple[str, ...]:
    return (key(extraction), *[_spaced(part.text) for part in (extraction.rel, *extraction.arguments)])


# Sentences come again and again.
@lru_cache(maxsize=1000)
def _spaced(text: str) -> str:
    return " ".join(text.split())
