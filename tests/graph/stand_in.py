"""A stand-in for extraction that needs no model: `Brava left Oslo.` is a tuple, `Brava not left Oslo.` a denial."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tupelo.core.document import passage_schema
from tupelo.core.stages import ERROR_COLUMN
from tupelo.extract.stages import statement_schema

TYPES = {
    "Ann Lee": "person",
    "Lee": "person",
    "Marta Solheim": "person",
    "Solheim": "person",
    "Vestas": "organization",
    "Brava": "organization",
    "Acme": "organization",
    "Oslo": "place",
}
# Words on which the stand-in fails; a test may add some.
FAILING: set[str] = set()
VALUE = re.compile(r"\d+")
# Names of more than one word are written with underscores: `Ann_Lee`.
WORD = re.compile(r"[^\s.]+")


@dataclass(frozen=True)
class ExtractPlainly:
    """Every sentence of three words is a tuple; a fourth is a time. A pronoun stands for nothing."""

    name: str = "plain"
    version: str = "1"
    key: str = "source"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def input(self):
        return passage_schema()

    @property
    def output(self):
        return statement_schema()

    def __call__(self, batches) -> Iterator[Any]:
        import pyarrow as pa

        schema = statement_schema()
        for name in (self.key, ERROR_COLUMN):
            schema = schema.append(pa.field(name, pa.string()))
        for batch in batches:
            rows = [row for passage in batch.to_pylist() for row in self.rows(passage)]
            yield pa.RecordBatch.from_pylist(rows, schema=schema)

    def rows(self, passage) -> list[dict[str, Any]]:
        seen: dict[str, int] = {}
        referents: dict[str, dict[str, Any]] = {}
        rows = []
        for found in re.finditer(r"\S[^.]*\.", passage["text"]):
            text = found.group()
            if "crash" in text:
                raise ValueError("crashed")
            seen[text] = seen.get(text, -1) + 1
            failed = any(word in text for word in FAILING)
            if failed:
                blank = {"document_id": "", "text": "", "passage": 0, "start_at": 0, "occurrence": 0}
                rows.append({**blank, "source": passage["source"], ERROR_COLUMN: f"'{text}': IndexError: failed"})
            rows.append(
                {
                    "document_id": passage["document_id"],
                    "text": text,
                    "passage": passage["number"],
                    "start_at": passage["start_at"] + found.start(),
                    "occurrence": seen[text],
                    **({} if failed else said(text, referents)),
                }
            )
        for row in [row for row in rows if row["document_id"]][:1]:
            row["referents"] = list(referents.values())
        return rows


def said(text: str, referents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    words = [word for word in WORD.finditer(text) if word.group() != "not"]
    if len(words) < 3:
        return {}
    parts = [part(word) for word in words]
    for later in parts[3:]:
        later["role"] = "time"
    arguments = [parts[0], *parts[2:]]
    anchors = [anchor(word, referents) for word in (words[0], *words[2:])]
    places = [number if found["kind"] != "pronoun" else None for number, found in enumerate(anchors)]
    linked = anchors[0]["kind"] not in ("pronoun", "value") and anchors[1]["kind"] != "pronoun"
    relation = parts[1]["text"]
    negated = " not " in text
    return {
        "tuples": [
            {
                "rel": parts[1],
                "arg1": arguments[0],
                "args": arguments[1:],
                "confidence": 0.5,
                "negated": negated,
                "stance": "denied" if negated else "asserted",
                "parts": places,
                "unlinked": None if linked else "a pronoun",
            }
        ],
        "anchors": anchors,
        "links": [
            {
                "tuple": 0,
                "subject": 0,
                "object": 1,
                "relation": relation,
                "key": relation.lower(),
                "confidence": 0.5,
                "rank": 0.6,
                "beside": list(range(2, len(arguments))),
            }
        ]
        * linked,
        "properties": [
            {
                "link": 0,
                "property": "P112",
                "name": "founded by",
                "turned": True,
                # A founding with a date is a sure one.
                "probability": 0.9 if len(arguments) > 2 else 0.6,
            }
        ]
        * (linked and relation == "founded" and not negated),
    }


def part(word: re.Match[str]) -> dict[str, Any]:
    spans = [{"start": word.start(), "end": word.end()}]
    return {"text": word.group().replace("_", " "), "role": None, "resolved": None, "spans": spans}


def anchor(word: re.Match[str], referents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    text = word.group().replace("_", " ")
    found = {"start": word.start(), "end": word.end(), "text": text, "label": ""}
    if text.lower() in ("it", "she"):
        return found | {"kind": "pronoun"}
    kind = "value" if VALUE.fullmatch(text) else "entity" if text[0].isupper() else "concept"
    label = {"value": "datetime", "concept": "object"}.get(kind) or TYPES.get(text, "other")
    referent = referents.setdefault(
        text,
        {
            "number": len(referents),
            "kind": kind,
            "name": text,
            "label": label,
            "names": [{"text": text, "mentions": 0, "reason": "same name", "probability": 1.0}]
            if kind != "value"
            else [],
            "mentions": 0,
            "descriptions": [],
            "context": [],
        },
    )
    referent["mentions"] += 1
    for naming in referent["names"]:
        naming["mentions"] += 1
    return found | {"kind": kind, "label": label, "referent": referent["number"], "name": text}
