"""Export formats of a graph by name. A new one is one module and one line here, or an entry point.

No exporter holds more than one batch of rows, whatever the size of the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Any, TypeAlias

from tupelo.core import InputError, Registry
from tupelo.graph.query.edges import EVERYTHING, StatementView
from tupelo.graph.store.file import Store

# Opens a file of an export by name; "" if the export is a single file.
Opener: TypeAlias = Callable[[str], AbstractContextManager[IO[bytes]]]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of exporters. `base` is the prefix of our IRIs, `reify` how statements about statements are written."""

    base: str = "urn:tupelo:"
    reify: str = "classic"
    view: StatementView = EVERYTHING


@dataclass(frozen=True, slots=True)
class Exporter:
    """Writes a graph in one format. `suffixes` are its file suffixes; without any, the output is a folder.

    Registered parts may also be objects or classes with these attributes, or functions with `suffixes`.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    write: Callable[[Store, Opener, ExportOptions], None]

    @property
    def is_folder(self) -> bool:
        return not self.suffixes


EXPORTERS: Registry[Any] = Registry(
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


def exporter_for(output: str, name: str | None = None) -> Exporter:
    """The exporter with the given name, or the one that matches the suffix of the output."""
    plain = output.removesuffix(".gz")
    if name is None:
        for name in EXPORTERS:
            chosen = _chosen(name)
            if chosen.suffixes and plain.endswith(chosen.suffixes):
                return chosen
        names = "|".join(EXPORTERS)
        raise InputError(f"the name '{output}' tells no format, expected one: --format (format=) {names}")
    chosen = _chosen(name)
    if chosen.is_folder and output == "-":
        raise InputError(f"{chosen.name} writes several files, expected a folder: -o FOLDER")
    return chosen


def _chosen(name: str) -> Exporter:
    part = EXPORTERS.get(name)
    part = part() if isinstance(part, type) else part
    suffixes, write = tuple(getattr(part, "suffixes", ())), getattr(part, "write", part)
    return Exporter(EXPORTERS.resolve(name), EXPORTERS.title(name), suffixes, write)
