"""Tables of files: CSV for `neo4j-admin database import`, and Parquet, one file per table of the graph.

In Neo4j nodes, values and sentences are nodes, statements relationships. A relationship cannot point
at a node, so an edge carries the ids of its sentences as a list. What is asserted has the type of its relation if it
is a frequent one (`WORKS_FOR`), else `RELATED`; what is not asserted has the type of its stance (`ASKED`), so that no
query by a relation finds it. The wording is the property `relation`. README.txt, written to the same folder, has the
command.
These files are for an importer, to which an apostrophe before `=` would be a part of a name: unlike other CSV of ours
they are not made safe for spreadsheets.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tupelo.core import InputError
from tupelo.core.shipped import declared
from tupelo.graph.export import Exporter, ExportOptions, Opener, content
from tupelo.graph.query.edges import EVERYTHING, QUALIFIERS
from tupelo.graph.store.file import Store
from tupelo.graph.store.schema import TABLES

_ROWS_PER_WRITE = 1_000
_OTHER = "RELATED"
# Characters of the longest name of a type.
_LONGEST = 40
_RESERVED = frozenset({"entityId", "name", "kind", "mentions", "documents", "aliases"})
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")
# File -> the columns of its header, each with the column of the graph that fills it, or `=` and a fixed value.
_DECLARED = declared(__name__, "neo4j.toml")
_STATEMENT = _DECLARED.pop("statement") | {f"{column}:string[]": column for column in QUALIFIERS.values()}
_STATEMENT |= {"sentences:string[]": "sentences"}
_FILES: dict[str, dict[str, str]] = {
    f"{name}.csv": columns | (_STATEMENT if name == "statements" else {}) for name, columns in _DECLARED.items()
}
_README = """\
neo4j-admin database import full \\
    --nodes=nodes.csv --nodes=values.csv --nodes=sentences.csv --nodes=documents.csv \\
    --relationships=statements.csv --relationships=quoted-from.csv neo4j
"""


def _write_csv(store: Store, opener: Opener, options: ExportOptions) -> None:
    families = _families(store)
    attributes = {name: _camel(name) for name in content.frequent_attributes(store)}
    tables = dict(_FILES)
    tables["nodes.csv"] = _FILES["nodes.csv"] | {f"{name}:string[]": f"said {name}" for name in attributes.values()}

    def statement(row: dict[str, Any]) -> dict[str, Any]:
        asserted = row["stance"] == "asserted"
        return row | {"family": families.get(row["relation_id"], _OTHER) if asserted else row["stance"].upper()}

    def entity(row: dict[str, Any]) -> dict[str, Any]:
        said: dict[str, list[str]] = {}
        for relation, name in attributes.items():
            said.setdefault(f"said {name}", []).extend(content.values_of(row, relation) or ())
        labels = [_pascal(row["kind"]), *(label for kind in row["types"] or () if (label := _pascal(kind)))]
        return row | said | {"labels": labels}

    def valued(row: dict[str, Any]) -> dict[str, Any]:
        return row | dict(zip(("value", "datatype"), content.value_of(row, "name"), strict=True))

    lines = {
        "nodes.csv": map(entity, store.stream(content.entities(options))),
        "values.csv": map(valued, store.stream(content.values(options))),
        "statements.csv": map(statement, store.stream(content.statements(options))),
        "sentences.csv": store.stream(content.SENTENCES),
        "quoted-from.csv": store.stream(content.SENTENCES),
        "documents.csv": store.stream(content.DOCUMENTS),
    }
    for name, columns in tables.items():
        with opener(name) as stream:
            for text in _csv(columns, lines[name]):
                stream.write(text.encode("utf-8", "replace"))
    with opener("README.txt") as stream:
        stream.write(_README.encode())


def _families(store: Store) -> dict[str, str]:
    """The type of each frequent relation, by its id: its name in the customary form, `WORKS_FOR`."""
    counted = store.rows(
        "SELECT relation_id, name FROM statements JOIN relations USING (relation_id) WHERE stance = 'asserted' "
        "GROUP BY relation_id, name ORDER BY count(*) DESC, name, relation_id"
    )
    named = ((key, "_".join(_words(name)).upper()) for key, name in counted)
    fitting = [(key, name) for key, name in named if name and len(name) <= _LONGEST and not name[0].isdigit()]
    return dict(fitting[: content.MOST_NAMES])


def _words(name: str) -> list[str]:
    """The ASCII words of a name, which need no quoting in Cypher."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return _NOT_IN_NAMES.sub(" ", plain).split()


def _pascal(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in _words(name))


def _camel(name: str) -> str:
    """The name of a property: `hasPopulationOf`."""
    found = _pascal(name)
    camel = found[:1].lower() + found[1:]
    return camel if camel[:1].isalpha() and camel not in _RESERVED else f"attribute{found}"


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
    value = row[column]
    if isinstance(value, list):
        # `;` separates the items of a list, so it cannot occur inside them.
        value = ";".join(item.replace(";", ",") for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    # By default the importer does not read a line break inside quotes.
    return value.replace("\n", " ").replace("\r", " ") if isinstance(value, str) else value


def _write_parquet(store: Store, opener: Opener, options: ExportOptions) -> None:
    import pyarrow.parquet as pq

    if options.view != EVERYTHING:
        raise InputError("Parquet holds whole tables; a view would leave statements out that others name")
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


NEO4J = Exporter("neo4j", "CSV files for Neo4j's importer", (), _write_csv)
PARQUET = Exporter("parquet", "Parquet, a file per table", (), _write_parquet)
