"""Tupelo's own formats: every field of the vocabulary, nothing lost.

JSON lines hold one record a line, with the keys of `core.schemas`. Unknown fields are left out; `null` means the
same. A line with a sentence alone says that it has no tuple. Parquet files have the Arrow schema of the vocabulary,
for large sets of tuples.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from tupelo.core import FormatError, InputError, Record
from tupelo.core.schemas import SCHEMA_VERSION, extraction_schema, record_to_row, records_to_batches, row_to_record
from tupelo.io.formats import BinaryFormat, TextFormat, described
from tupelo.io.lines import Fault, Lines

if TYPE_CHECKING:
    import pyarrow as pa


# JSON has no infinite numbers, but log confidences of zero exist.
_INFINITE = ("inf", "-inf")
_LARGEST_NUMBER = 2**63 - 1


def _read_jsonl(lines: Lines) -> Iterator[Record]:
    return lines.values(lines.filled(), _parse)


def _parse(line: str) -> Record:
    row = _decode(line)
    _check_record(row)
    return row_to_record(row)


def _write_jsonl(records: Iterable[Record]) -> Iterator[str]:
    for record in records:
        row = record_to_row(record)
        confidence = row.get("confidence")
        if confidence is not None and math.isinf(confidence):
            row["confidence"] = "inf" if confidence > 0 else "-inf"
        yield json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"


def _sniff_jsonl(head: Sequence[str]) -> float:
    rows = [line.strip() for line in head if line.strip()]
    return float(bool(rows) and rows[0].startswith("{") and '"sentence"' in rows[0])


def _refuse_constant(name: str) -> NoReturn:
    raise Fault(f"{name} is not JSON", "a number", 'Infinite confidences are the strings "inf" and "-inf".')


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _decode(line: str) -> Any:
    try:
        row = _DECODER.decode(line)
    except json.JSONDecodeError as error:
        raise Fault(f"broken JSON at character {error.pos + 1} ({error.msg})", "one JSON object a line") from None
    except RecursionError:
        raise Fault("brackets nested too deeply", "one flat JSON object a line") from None
    except ValueError:
        # The only other complaint of the parser: an integer with thousands of digits.
        raise Fault("a number with too many digits", "numbers of ordinary size") from None
    if "\\u" in line:
        try:
            json.dumps(row, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise Fault("half of a surrogate pair", "whole Unicode characters") from None
    return row


# A check gets the place of a value, for the message, and the value; it complains or returns.
_Check = Callable[[str, Any], None]


def _check_text(place: str, value: Any) -> None:
    if not isinstance(value, str):
        raise Fault(f"{place} is {_kind(value)}", "a string")


def _check_flag(place: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise Fault(f"{place} is {_kind(value)}", "true or false")


def _check_index(place: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault(f"{place} is {_kind(value)}", "a whole number")
    if not 0 <= value <= _LARGEST_NUMBER:
        raise Fault(f"{place} is {value}", "0 or more" if value < 0 else f"at most {_LARGEST_NUMBER}")


def _list_of(check: _Check) -> _Check:
    def check_list(place: str, value: Any) -> None:
        if not isinstance(value, list):
            raise Fault(f"{place} is {_kind(value)}", "a list")
        for position, item in enumerate(value):
            check(f"{place}[{position}]", item)

    return check_list


def _object_of(checks: Mapping[str, _Check], required: Collection[str]) -> _Check:
    def check_object(place: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise Fault(f"{place} is {_kind(value)}", "an object")
        for key, item in value.items():
            if key not in checks:
                close = difflib.get_close_matches(key, checks, n=1)
                hint = f"Did you mean '{close[0]}'?" if close else None
                raise Fault(f"unknown key '{_join(place, key)}'", f"one of {', '.join(checks)}", hint)
            if item is not None or key in required:
                checks[key](_join(place, key), item)
        for key in required:
            if key not in value:
                raise Fault(f"no '{_join(place, key)}'", f"{place or 'the record'} to have one")

    return check_object


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _check_span(place: str, value: Any) -> None:
    _check_bounds(place, value)
    if value["start"] > value["end"]:
        raise Fault(f"{place} is [{value['start']}, {value['end']})", "start no larger than end")


def _check_confidence(place: str, value: Any) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number and not (isinstance(value, str) and value in _INFINITE):
        raise Fault(f"{place} is {_kind(value)}", 'a number, or the string "inf" or "-inf"')


_check_bounds = _object_of({"start": _check_index, "end": _check_index}, ("start", "end"))
_check_argument = _object_of(
    {
        "text": _check_text,
        "role": _check_text,
        "tokens": _list_of(_check_index),
        "spans": _list_of(_check_span),
        "inferred": _list_of(_check_index),
        "resolved": _check_text,
    },
    ("text",),
)
_check_keys = _object_of(
    {
        "sentence": _object_of(
            {"text": _check_text, "id": _check_text, "document_id": _check_text, "tokens": _list_of(_check_text)},
            ("text",),
        ),
        "rel": _check_argument,
        "arg1": _check_argument,
        "args": _list_of(_check_argument),
        "confidence": _check_confidence,
        "negated": _check_flag,
        "modality": _check_text,
        "attribution": _object_of({"speaker": _check_text, "verb": _check_text, "text": _check_text}, ()),
        "context": _check_argument,
        "group": _check_text,
        "extractor": _check_text,
        "extractor_version": _check_text,
        "rule": _check_text,
        "minor": _check_flag,
    },
    ("sentence",),
)


def _check_record(row: Any) -> None:
    if not isinstance(row, dict):
        raise Fault(f"the line is {_kind(row)}", "a JSON object")
    _check_keys("", row)
    if row.get("rel") is None:
        others = [key for key, value in row.items() if key != "sentence" and value is not None]
        if others:
            raise Fault(f"'{others[0]}' without 'rel'", "a relation, or nothing but the sentence")
    if row.get("args") and row.get("arg1") is None:
        raise Fault("'args' without 'arg1'", "the first argument in 'arg1'")
    confidence = row.get("confidence")
    if confidence is not None:
        try:
            # "inf" and "-inf" are just what `float` takes for the infinite numbers.
            row["confidence"] = float(confidence)
        except OverflowError:
            raise Fault("confidence is too large", "a number that a 64-bit float can hold") from None


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


JSONL = TextFormat(read=_read_jsonl, write=_write_jsonl, sniff=_sniff_jsonl, **described("jsonl"))


_ROWS_PER_GROUP = 50_000
_ROWS_PER_BATCH = 10_000


def _read_parquet(stream: BinaryIO, source: str) -> Iterator[Record]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # The table of contents is at the end of the file, so a stream has to be in memory as a whole.
    content = pa.BufferReader(stream.read())
    row = 0
    try:
        file = pq.ParquetFile(content, page_checksum_verification=True)
        _check_schema(file.schema_arrow, source)
        for batch in file.iter_batches(batch_size=_ROWS_PER_BATCH):
            for values in batch.to_pylist():
                row += 1
                try:
                    record = row_to_record(values)
                except ValueError as error:
                    raise FormatError(source, row, str(error), "a row that Tupelo can have written") from error
                yield record
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{source}: broken or cut Parquet data ({reason}), expected a complete file") from error


def _check_schema(schema: pa.Schema, source: str) -> None:
    metadata = schema.metadata or {}
    if metadata.get(b"tupelo.schema") != b"extraction":
        columns = ", ".join(schema.names[:5])
        raise InputError(f"{source}: a Parquet file with the columns {columns}, expected one written by Tupelo")
    version = metadata.get(b"tupelo.schema_version", b"").decode("utf-8", errors="replace")
    if version != str(SCHEMA_VERSION):
        raise InputError(f"{source}: schema version {version or 'missing'}, expected {SCHEMA_VERSION}")
    if not schema.equals(extraction_schema()):
        raise InputError(f"{source}: its columns differ from schema version {version}, expected those of Tupelo")


def _write_parquet(records: Iterable[Record], stream: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(stream, extraction_schema(), compression="zstd", write_page_checksum=True) as writer:
        try:
            for batch in records_to_batches(records, _ROWS_PER_GROUP):
                writer.write_batch(batch)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise InputError(f"a tuple cannot be held by Parquet ({' '.join(str(error).split())})") from error


PARQUET = BinaryFormat(read=_read_parquet, write=_write_parquet, magic=b"PAR1", **described("parquet"))
