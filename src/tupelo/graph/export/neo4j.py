"""CSV files for `neo4j-admin database import`: entities and sentences as nodes, edges as relationships.

A relationship cannot point at a node, so an edge carries the ids of its
sentences as a list. README.txt, written beside them, has the command.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tupelo.graph.export.base import DOCUMENTS, ENTITIES, SENTENCES, ExportOptions, Opener, edges_with_sentences, rows
from tupelo.graph.store import Store

_ROWS_PER_WRITE = 1_000
_LINE_BREAKS = re.compile(r"[\r\n]+")
_README = """\
neo4j-admin database import full --nodes=entities.csv --nodes=sentences.csv --nodes=documents.csv \\
    --relationships=edges.csv --relationships=quoted-from.csv neo4j
"""


@dataclass(frozen=True, slots=True)
class Neo4jCsv:
    name: str = "neo4j"
    title: str = "CSV files for Neo4j's importer"
    suffixes: tuple[str, ...] = ()

    def write(self, store: Store, opener: Opener, options: ExportOptions) -> None:
        _write(
            opener,
            "entities.csv",
            ["entityId:ID(Entity)", "name", "kind", "mentions:long", "documents:long", "aliases:string[]", ":LABEL"],
            (
                [
                    row["entity_id"],
                    row["name"],
                    row["kind"],
                    row["mentions"],
                    row["documents"],
                    _list(row["aliases"]),
                    _list(["Entity", *(row["types"] or ())]),
                ]
                for row in rows(store, ENTITIES)
            ),
        )
        _write(
            opener,
            "edges.csv",
            [
                ":START_ID(Entity)",
                ":END_ID(Entity)",
                ":TYPE",
                "edgeId",
                "confidence:double",
                "negated:boolean",
                "modality",
                "mentions:long",
                "asserted:long",
                "documents:long",
                "times:string[]",
                "places:string[]",
                "sentences:string[]",
            ],
            (
                [
                    row["subject_id"],
                    row["object_id"],
                    row["relation"],
                    row["edge_id"],
                    row["confidence"],
                    str(row["negated"]).lower(),
                    row["modality"],
                    row["mentions"],
                    row["asserted"],
                    row["documents"],
                    _list(row["times"]),
                    _list(row["places"]),
                    _list(row["sentences"]),
                ]
                for row in rows(store, edges_with_sentences(options))
            ),
        )
        _write(
            opener,
            "sentences.csv",
            ["sentenceId:ID(Sentence)", "text", "position:long", ":LABEL"],
            ([row["sentence_id"], row["text"], row["position"], "Sentence"] for row in rows(store, SENTENCES)),
        )
        _write(
            opener,
            "quoted-from.csv",
            [":START_ID(Sentence)", ":END_ID(Document)", ":TYPE"],
            ([row["sentence_id"], row["document_id"], "QUOTED_FROM"] for row in rows(store, SENTENCES)),
        )
        _write(
            opener,
            "documents.csv",
            ["documentId:ID(Document)", "source", "title", ":LABEL"],
            ([row["document_id"], row["source"], row["title"], "Document"] for row in rows(store, DOCUMENTS)),
        )
        with opener("README.txt") as stream:
            stream.write(_README.encode())


def _write(opener: Opener, name: str, header: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    with opener(name) as stream:
        for text in _csv(header, lines):
            stream.write(text.encode("utf-8", "replace"))


def _csv(header: Sequence[str], lines: Iterable[Sequence[object]]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for number, line in enumerate(lines, start=1):
        # The importer reads a line break inside quotes only when it is told to.
        writer.writerow(
            [" ".join(item.split("\n")).replace("\r", " ") if isinstance(item, str) else item for item in line]
        )
        if number % _ROWS_PER_WRITE == 0:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _list(values: Iterable[str] | None) -> str:
    """A list as the importer reads it: `;` between the items, and therefore not inside them."""
    return ";".join(value.replace(";", ",") for value in values or ())


NEO4J = Neo4jCsv()
