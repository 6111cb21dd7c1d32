"""Tuples as rows of the graph's tables, with ids and keys: a stage over the output of extraction.

Sentences, tuples and mentions come out in one stream, distinguished by `kind`;
the columns of the other two kinds are null. The SQL of `steps` separates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tupelo.graph.keys import mention_key, plain_name, relation_key
from tupelo.graph.schema import stable_id

if TYPE_CHECKING:
    import pyarrow as pa

# Roles of arguments that qualify an edge.
_BESIDE = ("time", "location")


@dataclass(frozen=True, slots=True)
class GraphRows:
    """The stage. `input` is the output schema of the extraction stage."""

    input: pa.Schema
    name: str = "rows"
    version: str = "4"
    key: str = "start_at"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def output(self) -> pa.Schema:
        return row_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            rows = [made for row in batch.to_pylist() for made in _rows(row)]
            yield pa.RecordBatch.from_pylist(rows, schema=row_schema())


def row_schema() -> pa.Schema:
    """One schema for three kinds of rows."""
    import pyarrow as pa

    text, whole = pa.string(), pa.int64()
    return pa.schema(
        [
            pa.field("kind", text, nullable=False),
            pa.field("document_id", text, nullable=False),
            pa.field("sentence_id", text, nullable=False),
            ("tuple_id", text),
            ("mention_id", text),
            ("position", pa.int32()),
            ("text", text),
            ("start_at", whole),
            ("end_at", whole),
            ("confidence", pa.float64()),
            ("negated", pa.bool_()),
            *((name, text) for name in _TUPLE_TEXTS),
            ("subject_key", text),
            ("relation_key", text),
            ("object_key", text),
            ("role", text),
            ("resolved", text),
            ("starts", pa.list_(pa.int32())),
            ("ends", pa.list_(pa.int32())),
            ("entity_type", text),
            ("entity_key", text),
        ]
    )


_TUPLE_TEXTS = (
    "modality",
    "speaker",
    "speech_verb",
    "attribution",
    "context",
    "extractor",
    "extractor_version",
    "rule",
)


def _rows(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    sentence = row["sentence"]
    document_id, text, start = sentence["document_id"], sentence["text"], row["start_at"]
    # The position is not part of the id, so text added before a sentence does not change it.
    sentence_id = stable_id("sentence", document_id, row["passage"], text, row["occurrence"])
    place = {"document_id": document_id, "sentence_id": sentence_id}
    if row["position"] == 0:
        yield place | {"kind": "sentence", "text": text, "start_at": start, "end_at": start + len(text)}
    if row["rel"] is None:
        return
    tuple_id = stable_id("tuple", sentence_id, row["position"])
    relation = relation_key(row["lemmas"][0])
    mentions = list(_mentions(row, place | {"tuple_id": tuple_id}))
    said = row["attribution"] or {}
    yield place | {
        "kind": "tuple",
        "tuple_id": tuple_id,
        "position": row["position"],
        "text": row["rel"]["text"],
        "speaker": said.get("speaker"),
        "speech_verb": said.get("verb"),
        "attribution": said.get("text") or None,
        "context": row["context"] and row["context"]["text"],
        "relation_key": relation,
        **{
            name: row[name]
            for name in ("confidence", "negated", "modality", "extractor", "extractor_version", "rule")
        },
        **{f"{part['role']}_key": part["entity_key"] for part in mentions if part["role"] in ("subject", "object")},
    }
    yield _mention(row["rel"], place | {"tuple_id": tuple_id}, 0, "relation") | {"relation_key": relation}
    yield from mentions


def _mentions(row: Mapping[str, Any], place: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if row["arg1"] is None:
        return
    parts = [row["arg1"], *(row["args"] or ())]
    # The object is the first argument that is not a time or place, else the first place, else the first argument.
    numbered = range(1, len(parts))
    plain = [number for number in numbered if parts[number]["role"] not in _BESIDE]
    placed = [number for number in numbered if parts[number]["role"] == "location"]
    chosen = next(iter([*plain, *placed, *numbered]), None)
    for number, part in enumerate(parts):
        given = part["role"] if part["role"] in _BESIDE else "argument"
        role = "subject" if number == 0 else "object" if number == chosen else given
        kind = row["types"][number + 1]
        if kind is None and part["role"] == "time":
            kind = "datetime"
        name = plain_name(part["text"], part["resolved"] or row["names"][number + 1], kind)
        yield _mention(part, place, number + 1, role) | {
            "resolved": name,
            "entity_type": kind,
            "entity_key": mention_key(part["text"], name, kind, place["sentence_id"]),
        }


def _mention(part: Mapping[str, Any], place: Mapping[str, Any], position: int, role: str) -> dict[str, Any]:
    spans = part["spans"]
    return {
        **place,
        "kind": "mention",
        "mention_id": stable_id("mention", place["tuple_id"], position),
        "position": position,
        "role": role,
        "text": part["text"],
        "resolved": None,
        "starts": None if spans is None else [span["start"] for span in spans],
        "ends": None if spans is None else [span["end"] for span in spans],
    }
