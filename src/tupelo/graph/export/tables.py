"""Tables of files: CSV for `neo4j-admin database import`, and Parquet, one file per table of the graph.

In Neo4j entities and sentences are nodes and edges relationships. A relationship cannot point at a node, so an edge
carries the ids of its sentences as a list. README.txt, written to the same folder, has the command.
These files are for an importer, to which an apostrophe before `=` would be a part of a name: unlike other CSV of ours
they are not made safe for spreadsheets.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tupelo.core import InputError
from tupelo.graph.export import DOCUMENTS, ENTITIES, SENTENCES, ExportOptions, Opener, edges_with_sentences, rows
from tupelo.graph.schema import TABLES
from tupelo.graph.store import Store

_ROWS_PER_WRITE = 1_000
# File -> the columns of its header, each with the column of the graph that fills it, or `=` and a fixed value.
_FILES: dict[str, dict[str, str]] = {
    "entities.csv": {
        "entityId:ID(Entity)": "entity_id",
        "name": "name",
        "kind": "kind",
        "mentions:long": "mentions",
        "documents:long": "documents",
        "aliases:string[]": "aliases",
        ":LABEL": "labels",
    },
    "edges.csv": {
        ":START_ID(Entity)": "subject_id",
        ":END_ID(Entity)": "object_id",
        ":TYPE": "relation",
        "edgeId": "edge_id",
        "confidence:double": "confidence",
        "negated:boolean": "negated",
        "modality": "modality",
        "mentions:long": "mentions",
        "asserted:long": "asserted",
        "documents:long": "documents",
        "times:string[]": "times",
        "places:string[]": "places",
        "sentences:string[]": "sentences",
    },
    "sentences.csv": {
        "sentenceId:ID(Sentence)": "sentence_id",
        "text": "text",
        "position:long": "position",
        ":LABEL": "=Sentence",
    },
    "quoted-from.csv": {
        ":START_ID(Sentence)": "sentence_id",
        ":END_ID(Document)": "document_id",
        ":TYPE": "=QUOTED_FROM",
    },
    "documents.csv": {
        "documentId:ID(Document)": "document_id",
        "source": "source",
        "title": "title",
        ":LABEL": "=Document",
    },
}
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
        queries = {
            "entities.csv": ENTITIES,
            "edges.csv": edges_with_sentences(options),
            "sentences.csv": SENTENCES,
            "quoted-from.csv": SENTENCES,
            "documents.csv": DOCUMENTS,
        }
        for name, columns in _FILES.items():
            with opener(name) as stream:
                for text in _csv(columns, rows(store, queries[name])):
                    stream.write(text.encode("utf-8", "replace"))
        with opener("README.txt") as stream:
            stream.write(_README.encode())


def _csv(columns: Mapping[str, str], lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for number, line in enumerate(lines, start=1):
        writer.writerow([_cell(line, column) for column in columns.values()])
        if number % _ROWS_PER_WRITE == 0:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _cell(row: Mapping[str, Any], column: str) -> object:
    if column.startswith("="):
        return column[1:]
    value = ["Entity", *(row["types"] or ())] if column == "labels" else row[column]
    if isinstance(value, list):
        # `;` separates the items of a list, so it cannot occur inside them.
        value = ";".join(item.replace(";", ",") for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    # By default the importer does not read a line break inside quotes.
    return value.replace("\n", " ").replace("\r", " ") if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class ParquetTables:
    name: str = "parquet"
    title: str = "Parquet, a file per table"
    suffixes: tuple[str, ...] = ()

    def write(self, store: Store, opener: Opener, options: ExportOptions) -> None:
        import pyarrow.parquet as pq

        if options.min_confidence:
            raise InputError("Parquet holds whole tables; a least confidence would leave edges out that others name")
        for table in TABLES:
            if table.derived:
                continue
            batches = store.batches(f"SELECT * FROM {table.name} ORDER BY {', '.join(table.key)}")
            schema = store.arrow_schema(table.name)
            with (
                opener(f"{table.name}.parquet") as stream,
                pq.ParquetWriter(stream, schema, compression="zstd") as writer,
            ):
                for batch in batches:
                    writer.write_batch(batch)


NEO4J = Neo4jCsv()
PARQUET = ParquetTables()
