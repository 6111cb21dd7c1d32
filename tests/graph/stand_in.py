"""A stand-in for extraction that needs no model: `Ann founded Acme.` is a tuple, `Ann not founded Acme.` a denial."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tupelo.core.document import passage_schema
from tupelo.extract.stages import tuple_schema

TYPES = {"Ann": "person", "Bob": "person", "Acme": "organization", "Oslo": "place", "1998": "datetime"}


@dataclass(frozen=True)
class ExtractPlainly:
    """Every sentence of three words is a tuple; a fourth is a time. `never_paid` are two words, one in the lemma."""

    name: str = "plain"
    version: str = "1"
    key: str = "source"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def input(self):
        return passage_schema()

    @property
    def output(self):
        return tuple_schema()

    def __call__(self, batches) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            rows = [row for passage in batch.to_pylist() for row in self.rows(passage)]
            yield pa.RecordBatch.from_pylist(rows, schema=tuple_schema())

    def rows(self, passage) -> Iterator[dict[str, Any]]:
        seen: dict[str, int] = {}
        for found in re.finditer(r"\S[^.]*\.", passage["text"]):
            text = found.group()
            if "crash" in text:
                raise ValueError("crashed")
            seen[text] = seen.get(text, -1) + 1
            row = {
                "sentence": {"text": text, "document_id": passage["document_id"]},
                "passage": passage["number"],
                "start_at": passage["start_at"] + found.start(),
                "occurrence": seen[text],
                "position": 0,
            }
            words = text.rstrip(".").split()
            negated = "not" in words
            words = [word for word in words if word != "not"]
            if len(words) >= 3:
                parts = [{"text": word.replace("_", " "), "role": None, "resolved": None} for word in words]
                for part in parts[3:]:
                    part["role"] = "time"
                row |= {
                    "rel": parts[1],
                    "arg1": parts[0],
                    "args": parts[2:],
                    "confidence": 0.5,
                    "negated": negated,
                    "lemmas": [word.lower().removeprefix("never_") for word in (words[1], words[0], *words[2:])],
                    "types": [None, *(TYPES.get(word) for word in (words[0], *words[2:]))],
                    "names": [None] * len(words),
                }
            yield row
