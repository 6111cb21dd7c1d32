"""GraphML, for Gephi, yEd, networkx and igraph: entities as nodes, edges with stance, confidence and sentences.

The `label` of an edge says in words that it is asked, denied or only reported, since a drawing shows nothing else.
Asserted attributes are properties of the nodes, named after their relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from tupelo.graph.export import Exporter, ExportOptions, Opener
from tupelo.graph.export.content import doubts, entities, frequent_attributes, statements, values_of
from tupelo.graph.query.edges import QUALIFIERS
from tupelo.graph.store.file import Store
from tupelo.graph.store.validity import Validity

_NODE = {
    **dict.fromkeys(("name", "kind", "type", "types"), "string"),
    **dict.fromkeys(("mentions", "documents"), "long"),
}
_EDGE = {
    "label": "string",
    "relation": "string",
    "stance": "string",
    "confidence": "double",
    "rank": "double",
    "negated": "boolean",
    "modality": "string",
    "mentions": "long",
    "asserted": "long",
    "documents": "long",
    **dict.fromkeys(Validity._fields, "string"),
    **dict.fromkeys(QUALIFIERS.values(), "string"),
    "sentences": "string",
}
# Characters that XML 1.0 cannot represent.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def _write(store: Store, opener: Opener, options: ExportOptions) -> None:
    with opener("") as stream:
        for text in _document(store, options):
            stream.write(text.encode("utf-8"))


def _document(store: Store, options: ExportOptions) -> Iterator[str]:
    attributes = {f"attribute{number}": name for number, name in enumerate(frequent_attributes(store))}
    node = _NODE | dict.fromkeys(attributes, "string")
    yield _HEAD
    for owner, fields in (("node", node), ("edge", _EDGE)):
        for name, kind in fields.items():
            shown = _attribute(attributes.get(name, name))
            yield f'<key id="{owner}_{name}" for="{owner}" attr.name={shown} attr.type="{kind}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for row in store.stream(entities(options)):
        row |= {key: values_of(row, name) for key, name in attributes.items()}
        yield f"<node id={_attribute(row['node_id'])}>{_data('node', node, row)}</node>\n"
    for row in store.stream(statements(options, "edges")):
        ends = f"source={_attribute(row['subject_id'])} target={_attribute(row['object_id'])}"
        row["label"] = "; ".join([row["relation"], *doubts(row)])
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


GRAPHML = Exporter("graphml", "GraphML", (".graphml",), _write)
