"""GraphML, for Gephi, yEd, networkx and igraph: entities as nodes, edges with their confidence and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from tupelo.graph.export import ENTITIES, ExportOptions, Opener, edges_with_sentences, rows
from tupelo.graph.store import Store

_NODE = {"name": "string", "kind": "string", "types": "string", "mentions": "long", "documents": "long"}
_EDGE = {
    "relation": "string",
    "confidence": "double",
    "negated": "boolean",
    "modality": "string",
    "mentions": "long",
    "asserted": "long",
    "documents": "long",
    "times": "string",
    "places": "string",
    "sentences": "string",
}
# Characters that XML 1.0 cannot represent.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


@dataclass(frozen=True, slots=True)
class GraphMl:
    name: str = "graphml"
    title: str = "GraphML"
    suffixes: tuple[str, ...] = (".graphml",)

    def write(self, store: Store, opener: Opener, options: ExportOptions) -> None:
        with opener("") as stream:
            for text in _document(store, options):
                stream.write(text.encode("utf-8"))


def _document(store: Store, options: ExportOptions) -> Iterator[str]:
    yield _HEAD
    for owner, fields in (("node", _NODE), ("edge", _EDGE)):
        for name, kind in fields.items():
            yield f'<key id="{owner}_{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for row in rows(store, ENTITIES):
        yield f"<node id={_attribute(row['entity_id'])}>{_data('node', _NODE, row)}</node>\n"
    for row in rows(store, edges_with_sentences(options)):
        ends = f"source={_attribute(row['subject_id'])} target={_attribute(row['object_id'])}"
        yield f"<edge id={_attribute(row['edge_id'])} {ends}>{_data('edge', _EDGE, row)}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _data(owner: str, fields: dict[str, str], row: dict[str, Any]) -> str:
    return "".join(
        f'<data key="{owner}_{name}">{escape(_clean(_text(row[name])))}</data>'
        for name in fields
        if row[name] is not None
    )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


GRAPHML = GraphMl()
