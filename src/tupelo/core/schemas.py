"""Arrow schemas of the vocabulary, and conversion both ways without loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tupelo.core.errors import wrong_type
from tupelo.core.extraction import Argument, Attribution, Extraction, Reason, Record, Sentence, Span

if TYPE_CHECKING:
    import pyarrow as pa

# Written into the schema's metadata; a reader refuses a version it does not know.
SCHEMA_VERSION = 3
# Fields of a tuple that are written as they are.
_PLAIN = ("confidence", "negated", "modality", "group", "extractor", "extractor_version", "rule")


def extraction_schema() -> pa.Schema:
    """One row per record. `rel` is null in the row of a bare sentence."""
    import pyarrow as pa

    text, numbers = pa.string(), pa.list_(pa.int64())
    text_field = pa.field("text", text, nullable=False)
    span = pa.struct([pa.field(end, pa.int64(), nullable=False) for end in ("start", "end")])
    places = [("tokens", numbers), ("spans", pa.list_(span)), ("inferred", numbers)]
    argument = pa.struct([text_field, ("role", text), *places, ("resolved", text)])
    sentence = pa.struct([text_field, ("id", text), ("document_id", text), ("tokens", pa.list_(text))])
    return pa.schema(
        [
            pa.field("sentence", sentence, nullable=False),
            ("rel", argument),
            ("arg1", argument),
            ("args", pa.list_(argument)),
            ("confidence", pa.float64()),
            ("negated", pa.bool_()),
            ("modality", text),
            ("attribution", pa.struct([("speaker", text), ("verb", text), ("text", text)])),
            ("context", argument),
            *((name, text) for name in ("group", "extractor", "extractor_version", "rule")),
            ("minor", pa.bool_()),
        ],
        metadata={"tupelo.schema": "extraction", "tupelo.schema_version": str(SCHEMA_VERSION)},
    )


def record_to_row(record: Record) -> dict[str, Any]:
    """A record as plain JSON-like values. Fields that are unknown are left out."""
    if isinstance(record, Sentence):
        return {"sentence": _sentence_row(record)}
    if not isinstance(record, Extraction):
        raise wrong_type(record, "a tuple or a sentence")
    row: dict[str, Any] = {"sentence": _sentence_row(record.sentence), "rel": _argument_row(record.rel)}
    if record.arg1 is not None:
        row["arg1"] = _argument_row(record.arg1)
        row["args"] = [_argument_row(argument) for argument in record.args]
    if record.attribution is not None:
        row["attribution"] = _known(record.attribution, "speaker", "verb", "text")
    if record.context is not None:
        row["context"] = _argument_row(record.context)
    if record.reasons:
        # In JSON alone; tables of tuples have no column for them.
        row["reasons"] = [_known(reason, "about", "text", "weight") for reason in record.reasons]
    row |= _known(record, *_PLAIN)
    return row | ({"minor": True} if record.minor else {})


def row_to_record(row: dict[str, Any]) -> Record:
    """The opposite of `record_to_row`; unknown fields may be absent or `None`."""
    sentence = Sentence(
        text=row["sentence"]["text"],
        id=row["sentence"].get("id"),
        document_id=row["sentence"].get("document_id"),
        tokens=_tuple(row["sentence"].get("tokens")),
    )
    if row.get("rel") is None:
        return sentence
    said = row.get("attribution")
    return Extraction(
        sentence=sentence,
        rel=_argument(row["rel"]),
        arg1=_argument(row["arg1"]) if row.get("arg1") is not None else None,
        args=tuple(_argument(argument) for argument in row.get("args") or ()),
        attribution=None if said is None else Attribution(said.get("speaker"), said.get("verb"), said.get("text")),
        context=_argument(row["context"]) if row.get("context") is not None else None,
        minor=bool(row.get("minor")),
        reasons=tuple(Reason(**reason) for reason in row.get("reasons") or ()),
        **{name: row.get(name) for name in _PLAIN},
    )


def records_to_batches(records: Iterable[Record], rows_per_batch: int = 10_000) -> Iterator[pa.RecordBatch]:
    """Arrow record batches of `extraction_schema`, bounded in size."""
    return rows_to_batches(map(record_to_row, records), extraction_schema(), rows_per_batch)


def rows_to_batches(
    rows: Iterable[dict[str, Any]], schema: pa.Schema, rows_per_batch: int
) -> Iterator[pa.RecordBatch]:
    """Arrow record batches of any schema, bounded in size."""
    import pyarrow as pa

    waiting: list[dict[str, Any]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == rows_per_batch:
            yield pa.RecordBatch.from_pylist(waiting, schema=schema)
            waiting = []
    if waiting:
        yield pa.RecordBatch.from_pylist(waiting, schema=schema)


def batches_to_records(batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
    """The opposite of `records_to_batches`."""
    return (row_to_record(row) for batch in batches for row in batch.to_pylist())


def _known(value: object, *names: str) -> dict[str, Any]:
    """The fields of a value that are known, tuples as lists."""
    row = {}
    for name in names:
        if (one := getattr(value, name)) is not None:
            row[name] = list(one) if type(one) is tuple else one
    return row


def _sentence_row(sentence: Sentence) -> dict[str, Any]:
    return _known(sentence, "text", "id", "document_id", "tokens")


def _argument_row(argument: Argument) -> dict[str, Any]:
    row = _known(argument, "text", "role", "tokens", "spans", "inferred", "resolved")
    if argument.spans:
        row["spans"] = [{"start": span.start, "end": span.end} for span in argument.spans]
    if not argument.inferred:
        del row["inferred"]
    return row


def _argument(row: dict[str, Any]) -> Argument:
    spans = row.get("spans")
    return Argument(
        text=row["text"],
        role=row.get("role"),
        tokens=_tuple(row.get("tokens")),
        spans=None if spans is None else tuple(Span(span["start"], span["end"]) for span in spans),
        inferred=_tuple(row.get("inferred")) or (),
        resolved=row.get("resolved"),
    )


def _tuple(values: Iterable[Any] | None) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values)
