"""Export formats of a graph by name. A new one is one module and one line here, or an entry point.

No exporter holds more than one batch of rows, whatever the size of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Any, Protocol, TypeAlias

from tupelo.core import InputError, Registry
from tupelo.graph.query.edges import QUALIFIERS, reservations
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import finest

# Relations that get a name of their own in a format that has few.
MOST_NAMES = 40
# Opens a file of an export by name; "" if the export is a single file.
Opener: TypeAlias = Callable[[str], AbstractContextManager[IO[bytes]]]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of exporters. `base` is the prefix of our IRIs, `reify` how statements about statements are written."""

    base: str = "urn:tupelo:"
    reify: str = "classic"
    min_confidence: float = 0.0


class Exporter(Protocol):
    """Writes a graph in one format. `suffixes` are its file suffixes; without any, the output is a folder."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def suffixes(self) -> tuple[str, ...]: ...

    def write(self, store: Store, opener: Opener, options: ExportOptions) -> None: ...


@dataclass(frozen=True, slots=True)
class ChosenExporter:
    """An exporter with its name. Registered exporters may also be classes, or functions with `suffixes`."""

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[Store, Opener, ExportOptions], None]

    @property
    def is_folder(self) -> bool:
        return not self.suffixes


EXPORTERS: Registry[Exporter] = Registry(
    "exporter",
    {
        "ntriples": "tupelo.graph.export.rdf:NTRIPLES",
        "turtle": "tupelo.graph.export.rdf:TURTLE",
        "nquads": "tupelo.graph.export.rdf:NQUADS",
        "trig": "tupelo.graph.export.rdf:TRIG",
        "jsonld": "tupelo.graph.export.rdf:JSONLD",
        "graphml": "tupelo.graph.export.graphml:GRAPHML",
        "neo4j": "tupelo.graph.export.tables:NEO4J",
        "parquet": "tupelo.graph.export.tables:PARQUET",
    },
    aliases={"nt": "ntriples", "ttl": "turtle", "nq": "nquads", "json-ld": "jsonld", "csv": "neo4j"},
)


def exporter_for(output: str, name: str | None = None) -> ChosenExporter:
    """The exporter with the given name, or the one that matches the suffix of the output."""
    plain = output.removesuffix(".gz")
    if name is None:
        for name in EXPORTERS:
            chosen = _chosen(name)
            if chosen.suffixes and plain.endswith(chosen.suffixes):
                return chosen
        raise InputError(f"the name '{output}' tells no format, expected one: --to {'|'.join(EXPORTERS)}")
    chosen = _chosen(name)
    if chosen.is_folder and output == "-":
        raise InputError(f"{chosen.name} writes several files, expected a folder: -o FOLDER")
    return chosen


def _chosen(name: str) -> ChosenExporter:
    part: Any = EXPORTERS.get(name)
    part = part() if isinstance(part, type) else part
    return ChosenExporter(EXPORTERS.resolve(name), tuple(getattr(part, "suffixes", ())), getattr(part, "write", part))


def rows(store: Store, sql: str) -> Iterator[dict[str, Any]]:
    """The rows of a query, fetched in batches."""
    for batch in store.batches(sql):
        yield from batch.to_pylist()


# Role of a qualifier -> the column that lists its wordings.
_QUALIFIED = ", ".join(
    f"list(text ORDER BY text) FILTER (role = '{role}') AS {column}" for role, column in QUALIFIERS.items()
)


def edges_with_sentences(options: ExportOptions) -> str:
    """SQL for edges in the order of their ids, with their sentence ids and qualifiers."""
    return _with_sentences("SELECT * FROM edges", options)


def attributes_with_sentences(options: ExportOptions) -> str:
    """The same for attributes, with the columns of their literals."""
    return _with_sentences(
        "SELECT attributes.*, kind, text, number, unit, first_day, last_day "
        "FROM attributes JOIN literals USING (literal_id)",
        options,
    )


def _with_sentences(statements: str, options: ExportOptions) -> str:
    return f"""
        SELECT said.*, sentences, {", ".join(QUALIFIERS.values())}, relations.name AS relation_name
        FROM ({statements}) AS said
        JOIN relations USING (relation_id)
        LEFT JOIN (
            SELECT edge_id, list(DISTINCT sentence_id ORDER BY sentence_id) AS sentences
            FROM provenance GROUP BY edge_id
        ) USING (edge_id)
        LEFT JOIN (SELECT edge_id, {_QUALIFIED} FROM qualifiers GROUP BY edge_id) USING (edge_id)
        WHERE said.confidence >= {float(options.min_confidence)!r}
        ORDER BY edge_id
    """


def doubts(row: Mapping[str, Any]) -> list[str]:
    """Why a statement is no plain claim of the text."""
    held = {role: row[column] for role, column in QUALIFIERS.items()}
    return reservations(row["stance"], row["negated"], row["modality"], held)


def entities(options: ExportOptions) -> str:
    """SQL for entities in the order of their ids, with types, aliases and what is asserted of them in literals.

    `type` is the one of its types that says most.
    """
    return f"""
        SELECT entities.*, type, types, aliases, said
        FROM entities
        LEFT JOIN ({finest()}) USING (entity_id)
        LEFT JOIN (
            SELECT entity_id, list(types.name ORDER BY types.name) AS types
            FROM entity_types JOIN types USING (type_id) GROUP BY entity_id
        ) USING (entity_id)
        LEFT JOIN (
            SELECT owner_id AS entity_id, list(text ORDER BY text) AS aliases
            FROM aliases WHERE owner = 'entity' GROUP BY owner_id
        ) USING (entity_id)
        LEFT JOIN (
            SELECT subject_id AS entity_id, list({{'relation': name, 'text': text}} ORDER BY name, text) AS said
            FROM attributes JOIN relations USING (relation_id) JOIN literals USING (literal_id)
            WHERE stance = 'asserted' AND confidence >= {float(options.min_confidence)!r}
            GROUP BY subject_id
        ) USING (entity_id)
        ORDER BY entity_id
    """


def frequent_attributes(store: Store) -> list[str]:
    """The relations of most attributes, by name: they are properties of nodes where a format has such."""
    sql = (
        "SELECT name FROM attributes JOIN relations USING (relation_id) WHERE stance = 'asserted' "
        f"GROUP BY name ORDER BY count(*) DESC, name LIMIT {MOST_NAMES}"
    )
    return [str(name) for (name,) in store.rows(sql)]


def values_of(row: Mapping[str, Any], relation: str) -> list[str] | None:
    """What is asserted of an entity by an attribute; `None` for nothing."""
    return [said["text"] for said in row["said"] or () if said["relation"] == relation] or None


RELATIONS = """
    SELECT relations.*, aliases
    FROM relations
    LEFT JOIN (
        SELECT owner_id AS relation_id, list(text ORDER BY text) AS aliases
        FROM aliases WHERE owner = 'relation' GROUP BY owner_id
    ) USING (relation_id)
    ORDER BY relation_id
"""
SENTENCES = "SELECT * FROM sentences ORDER BY sentence_id"
DOCUMENTS = "SELECT * FROM documents ORDER BY document_id"
RUNS = "SELECT * FROM runs ORDER BY run_id"
