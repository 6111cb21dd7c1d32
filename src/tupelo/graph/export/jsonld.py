"""JSON-LD: a context, then one node per line, written as they come. Statements are reified the classic way."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tupelo.core import InputError
from tupelo.graph.export.base import ExportOptions, Opener
from tupelo.graph.export.statements import Iri, Literal, TripleTerm, Value, Vocabulary, descriptions, known
from tupelo.graph.store import Store

_TYPE = known("rdf:type")
# What JSON itself can say; the others carry their type.
_NATIVE: dict[str, Callable[[str], Any]] = {"integer": int, "boolean": lambda text: text == "true"}


@dataclass(frozen=True, slots=True)
class JsonLd:
    name: str = "jsonld"
    title: str = "RDF as JSON-LD"
    suffixes: tuple[str, ...] = (".jsonld",)

    def write(self, store: Store, opener: Opener, options: ExportOptions) -> None:
        if options.reify == "rdf12":
            raise InputError("JSON-LD has no RDF 1.2 form of statements about statements, expected classic or none")
        prefixes = Vocabulary(options.base).prefixes()
        with opener("") as stream:
            stream.write(f'{{"@context": {_dump(prefixes)}, "@graph": ['.encode())
            between = b"\n"
            for subject, said in descriptions(store, options):
                stream.write(between + _dump(_node(subject, said, prefixes)).encode("utf-8", "replace"))
                between = b",\n"
            stream.write(b"\n]}\n")


def _node(subject: Iri, said: Sequence[tuple[Iri, Value]], prefixes: dict[str, str]) -> dict[str, Any]:
    node: dict[str, Any] = {"@id": _short(subject.value, prefixes)}
    for predicate, value in said:
        if predicate == _TYPE and isinstance(value, Iri):
            node.setdefault("@type", []).append(_short(value.value, prefixes))
        else:
            node.setdefault(_short(predicate.value, prefixes), []).append(_value(value, prefixes))
    return {key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in node.items()}


def _value(value: Value, prefixes: dict[str, str]) -> Any:
    if isinstance(value, Iri):
        return {"@id": _short(value.value, prefixes)}
    assert isinstance(value, Literal), f"{TripleTerm.__name__} has no JSON-LD form"
    if value.datatype is None:
        return value.value
    if value.datatype in _NATIVE:
        return _NATIVE[value.datatype](value.value)
    return {"@type": f"xsd:{value.datatype}", "@value": value.value}


def _short(iri: str, prefixes: dict[str, str]) -> str:
    prefix, place = max(
        ((prefix, place) for prefix, place in prefixes.items() if iri.startswith(place)),
        key=lambda item: len(item[1]),
        default=("", ""),
    )
    return f"{prefix}:{iri[len(place) :]}" if prefix else iri


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


JSONLD = JsonLd()
