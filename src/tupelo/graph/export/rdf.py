"""N-Triples, Turtle, N-Quads, TriG and JSON-LD, written subject by subject.

With `reify="rdf12"` statements are values, `<<( s p o )>>`, as RDF 1.2 writes them; JSON-LD has no such form. With
`reify="graphs"` each is in a graph of its own, which N-Triples and Turtle have not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from tupelo.core import InputError
from tupelo.graph.export import Exporter, ExportOptions, Opener
from tupelo.graph.export.statements import (
    DescribedSubject,
    Iri,
    Literal,
    TripleTerm,
    Value,
    Vocabulary,
    descriptions,
    known,
)
from tupelo.graph.store.file import Store

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_SPECIAL = re.compile(r'[\\"\x00-\x1f\x7f]')
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?")
_TYPE = known("rdf:type")
_XSD = known("xsd:").value
Lines: TypeAlias = Callable[[Iterator[DescribedSubject], Vocabulary], Iterator[str]]
# Types that JSON can represent natively; all other values carry their type.
_NATIVE: dict[str, Callable[[str], Any]] = {"integer": int, "boolean": lambda text: text == "true"}


def _as_text(name: str, title: str, suffix: str, lines: Lines, *, quads: bool = False) -> Exporter:
    """A writer of RDF as lines of text; `lines` serializes descriptions. `quads` if it knows named graphs."""

    def write(store: Store, opener: Opener, options: ExportOptions) -> None:
        if options.reify == "graphs" and not quads:
            raise InputError(f"{name} has no named graphs, expected nquads, trig or jsonld")
        with opener("") as stream:
            for line in lines(descriptions(store, options), Vocabulary(options.base)):
                stream.write(line.encode("utf-8", "replace"))

    return Exporter(name, title, (suffix,), write)


def ntriples(found: Iterator[DescribedSubject], _: Vocabulary) -> Iterator[str]:
    """A line per statement, with its graph where it has one."""
    for subject, said, graph in found:
        place = "" if graph is None else f" {_spell(graph)}"
        for predicate, value in said:
            yield f"{_spell(subject)} {_spell(predicate)} {_spell(value)}{place} .\n"


def turtle(found: Iterator[DescribedSubject], names: Vocabulary) -> Iterator[str]:
    """Prefixes, then a block per subject, within its graph where it has one."""
    for prefix, place in names.prefixes().items():
        yield f"@prefix {prefix}: <{place}> .\n"
    for subject, said, graph in found:
        lines = [
            f"{'a' if predicate == _TYPE else _spell(predicate, names)} {_spell(value, names)}"
            for predicate, value in said
        ]
        block = f"{_spell(subject, names)} " + " ;\n    ".join(lines) + " ."
        yield f"\n{block}\n" if graph is None else f"\n{_spell(graph, names)} {{ {block} }}\n"


def _spell(value: Value, names: Vocabulary | None = None) -> str:
    if isinstance(value, Iri):
        prefix, rest = names.split(value) if names else ("", "")
        return f"{prefix}:{rest}" if prefix and _LOCAL.fullmatch(rest) else f"<{value.value}>"
    if isinstance(value, TripleTerm):
        inner = " ".join(_spell(part, names) for part in (value.subject, value.predicate, value.object))
        return f"<<( {inner} )>>"
    escaped = _SPECIAL.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}", value.value)
    text = f'"{escaped}"'
    return text if value.datatype is None else f"{text}^^{_spell(Iri(_XSD + value.datatype), names)}"


def _write_json(store: Store, opener: Opener, options: ExportOptions) -> None:
    if options.reify == "rdf12":
        raise InputError(
            "JSON-LD has no RDF 1.2 form of statements about statements, expected classic, graphs or none"
        )
    names = Vocabulary(options.base)
    with opener("") as stream:
        stream.write(f'{{"@context": {_dump(names.prefixes())}, "@graph": ['.encode())
        between = b"\n"
        for subject, said, graph in descriptions(store, options):
            node = _node(subject, said, names)
            if graph is not None:
                node = {"@id": _prefixed(graph, names), "@graph": node}
            stream.write(between + _dump(node).encode("utf-8", "replace"))
            between = b",\n"
        stream.write(b"\n]}\n")


def _node(subject: Iri, said: Sequence[tuple[Iri, Value]], names: Vocabulary) -> dict[str, Any]:
    node: dict[str, Any] = {"@id": _prefixed(subject, names)}
    for predicate, value in said:
        if predicate == _TYPE and isinstance(value, Iri):
            node.setdefault("@type", []).append(_prefixed(value, names))
        else:
            node.setdefault(_prefixed(predicate, names), []).append(_json_value(value, names))
    return {key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in node.items()}


def _json_value(value: Value, names: Vocabulary) -> Any:
    if isinstance(value, Iri):
        return {"@id": _prefixed(value, names)}
    assert isinstance(value, Literal), f"{TripleTerm.__name__} has no JSON-LD form"
    if value.datatype is None:
        return value.value
    if value.datatype in _NATIVE:
        return _NATIVE[value.datatype](value.value)
    return {"@type": f"xsd:{value.datatype}", "@value": value.value}


def _prefixed(iri: Iri, names: Vocabulary) -> str:
    prefix, rest = names.split(iri)
    return f"{prefix}:{rest}" if prefix else rest


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


NTRIPLES = _as_text("ntriples", "RDF, a line per statement", ".nt", ntriples)
TURTLE = _as_text("turtle", "RDF as Turtle", ".ttl", turtle)
NQUADS = _as_text("nquads", "RDF with named graphs, a line per statement", ".nq", ntriples, quads=True)
TRIG = _as_text("trig", "RDF with named graphs as TriG", ".trig", turtle, quads=True)
JSONLD = Exporter("jsonld", "RDF as JSON-LD", (".jsonld",), _write_json)
