"""Every way out of a graph by name. A new one is one new module and one line here."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.graph.export.base import Exporter, ExportOptions, Opener

EXPORTERS: Registry[Exporter] = Registry(
    "exporter",
    {
        "ntriples": "tupelo.graph.export.rdf:NTRIPLES",
        "turtle": "tupelo.graph.export.rdf:TURTLE",
        "jsonld": "tupelo.graph.export.jsonld:JSONLD",
        "graphml": "tupelo.graph.export.graphml:GRAPHML",
        "neo4j": "tupelo.graph.export.neo4j:NEO4J",
        "parquet": "tupelo.graph.export.parquet:PARQUET",
    },
    aliases={"nt": "ntriples", "ttl": "turtle", "json-ld": "jsonld", "csv": "neo4j"},
)

__all__ = ["EXPORTERS", "ExportOptions", "Exporter", "Opener"]
