"""Triples for HippoRAG without a language model; HippoRAG need not be installed.

- `write_openie_results(texts, path)`: the file of Open IE results that HippoRAG reads before it indexes,
  `openie_results_ner_<LLM>.json` in its `save_dir`. Passages in it are not read by a language model again.
- `TupeloOpenIE`: an object for the attribute `openie` of a `HippoRAG`.

`texts` are those of `TripleReader.pipe` or of `Graph.triples`. A passage must be the text that HippoRAG indexes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import md5
from typing import Any

from tupelo.api.files import write_text
from tupelo.api.triples import LinkedText, TripleReader
from tupelo.core.document import Document

__all__ = ["TupeloOpenIE", "openie_results", "write_openie_results"]


@dataclass(slots=True)
class NerOutput:
    """With the fields of HippoRAG's `NerRawOutput`."""

    chunk_id: str
    unique_entities: list[str]
    response: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class TripleOutput:
    """With the fields of HippoRAG's `TripleRawOutput`."""

    chunk_id: str
    triples: list[list[str]]
    response: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


def openie_results(texts: Iterable[LinkedText]) -> dict[str, Any]:
    """Content of the file: passages with entities and triples, and the mean length of entities."""
    docs: list[dict[str, Any]] = [
        {
            # HippoRAG's own name of a passage.
            "idx": f"chunk-{md5(text.text.encode()).hexdigest()}",
            "passage": text.text,
            "extracted_entities": _names(text),
            "extracted_triples": _triples(text),
        }
        for text in texts
    ]
    names = [name for doc in docs for name in doc["extracted_entities"]]
    count = max(len(names), 1)
    return {
        "docs": docs,
        "avg_ent_chars": round(sum(map(len, names)) / count, 4),
        "avg_ent_words": round(sum(len(name.split()) for name in names) / count, 4),
    }


def write_openie_results(texts: Iterable[LinkedText], path: str | os.PathLike[str]) -> None:
    """Write the file, whole or not at all; in ASCII, since HippoRAG reads it in the encoding of its system."""
    write_text(path, json.dumps(openie_results(texts)))


class TupeloOpenIE:
    """HippoRAG's Open IE: `HippoRAG(…).openie = TupeloOpenIE()`."""

    def __init__(self, reader: TripleReader | None = None) -> None:
        self._reader = reader or TripleReader()

    def openie(self, chunk_key: str, passage: str) -> dict[str, NerOutput | TripleOutput]:
        """Entities and triples of one passage."""
        entities, triples = self.batch_openie({chunk_key: {"content": passage}})
        return {"ner": entities[chunk_key], "triplets": triples[chunk_key]}

    def batch_openie(
        self, chunks: Mapping[str, Mapping[str, Any]]
    ) -> tuple[dict[str, NerOutput], dict[str, TripleOutput]]:
        """Entities and triples of passages, each by the key of its passage."""
        read = self._reader.pipe(Document(key, chunk["content"]) for key, chunk in chunks.items())
        found = {text.id: text for text in read}
        return (
            {key: NerOutput(key, _names(text)) for key, text in found.items()},
            {key: TripleOutput(key, _triples(text)) for key, text in found.items()},
        )


def _names(text: LinkedText) -> list[str]:
    return [entity.name for entity in text.entities]


def _triples(text: LinkedText) -> list[list[str]]:
    found = ([triple.subject.name, triple.relation, triple.object.name] for triple in text.triples)
    return [list(triple) for triple in dict.fromkeys(map(tuple, found))]
