"""Arrow schemas of the vocabulary, and conversion both ways without loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tupelo.core.errors import wrong_type
from tupelo.core.extraction import Argument, Attribution, Extraction, Record, Sentence, Span

if TYPE_CHECKING:
    import pyarrow as pa

# Written into the schema's metadata; a reader refuses a version it does not know.
SCHEMA_VERSION = 3


def extraction_schema() -> pa.Schema:
    """One row per record. `rel` is null in the row of a bare sentence."""
    import pyarrow as pa

    span = pa.struct([pa.field("start", pa.int64(), nullable=False), pa.field("end", pa.int64(), nullable=False)])
    argument = pa.struct(
        [
            pa.field("text", pa.string(), nullable=False),
            pa.field("role", pa.string()),
            pa.field("tokens", pa.list_(pa.int64())),
            pa.field("spans", pa.list_(span)),
            pa.field("inferred", pa.list_(pa.int64())),
            pa.field("resolved", pa.string()),
        ]
    )
    sentence = pa.struct(
        [
            pa.field("text", pa.string(), nullable=False),
            pa.field("id", pa.string()),
            pa.field("document_id", pa.string()),
            pa.field("tokens", pa.list_(pa.string())),
        ]
    )
    attribution = pa.struct([("speaker", pa.string()), ("verb", pa.string()), ("text", pa.string())])
    return pa.schema(
        [
            pa.field("sentence", sentence, nullable=False),
            pa.field("rel", argument),
            pa.field("arg1", argument),
            pa.field("args", pa.list_(argument)),
            pa.field("confidence", pa.float64()),
            pa.field("negated", pa.bool_()),
            pa.field("modality", pa.string()),
            pa.field("attribution", attribution),
            pa.field("context", argument),
            pa.field("group", pa.string()),
            pa.field("extractor", pa.string()),
            pa.field("extractor_version", pa.string()),
            pa.field("rule", pa.string()),
            pa.field("minor", pa.bool_()),
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
        said = record.attribution
        row["attribution"] = _known(speaker=said.speaker, verb=said.verb, text=said.text)
    if record.context is not None:
        row["context"] = _argument_row(record.context)
    row |= _known(
        confidence=record.confidence,
        negated=record.negated,
        modality=record.modality,
        group=record.group,
        extractor=record.extractor,
        extractor_version=record.extractor_version,
        rule=record.rule,
        minor=record.minor or None,
    )
    return row


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
        confidence=row.get("confidence"),
        negated=row.get("negated"),
        modality=row.get("modality"),
        attribution=None
        if said is None
        else Attribution(speaker=said.get("speaker"), verb=said.get("verb"), text=said.get("text")),
        context=_argument(row["context"]) if row.get("context") is not None else None,
        group=row.get("group"),
        extractor=row.get("extractor"),
        extractor_version=row.get("extractor_version"),
        rule=row.get("rule"),
        minor=bool(row.get("minor")),
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
    for batch in batches:
        for row in batch.to_pylist():
            yield row_to_record(row)


def _known(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _sentence_row(sentence: Sentence) -> dict[str, Any]:
    tokens = None if sentence.tokens is None else list(sentence.tokens)
    return {"text": sentence.text, **_known(id=sentence.id, document_id=sentence.document_id, tokens=tokens)}


def _argument_row(argument: Argument) -> dict[str, Any]:
    return {
        "text": argument.text,
        **_known(
            role=argument.role,
            tokens=None if argument.tokens is None else list(argument.tokens),
            spans=None
            if argument.spans is None
            else [{"start": span.start, "end": span.end} for span in argument.spans],
            inferred=list(argument.inferred) or None,
            resolved=argument.resolved,
        ),
    }


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
