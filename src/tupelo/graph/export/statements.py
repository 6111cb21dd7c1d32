"""A graph as RDF statements, grouped by subject; the RDF writers only serialize them.

Only what a text claims itself becomes a statement of its own. What it denies, asks, considers
possible or reports is described (reified, or in a graph of its own) and never asserted. Every
description says which sentences it was derived from, in the terms of PROV-O.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from tupelo.core import InputError
from tupelo.graph.export import ExportOptions
from tupelo.graph.export.content import (
    DOCUMENTS,
    RELATIONS,
    RUNS,
    SENTENCES,
    entities,
    rows,
    statements,
    values,
)
from tupelo.graph.query.edges import QUALIFIERS
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import USED_TYPES
from tupelo.graph.store.validity import Validity
from tupelo.graph.store.values import typed_value

PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "prov": "http://www.w3.org/ns/prov#",
    "dcterms": "http://purl.org/dc/terms/",
}
_BASE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\\\^`\x00-\x20]*")
_NOT_IN_IRI = re.compile(r"[^A-Za-z0-9._~-]")


@dataclass(frozen=True, slots=True)
class Iri:
    value: str


@dataclass(frozen=True, slots=True)
class Literal:
    value: str
    datatype: str | None = None


@dataclass(frozen=True, slots=True)
class TripleTerm:
    """A statement as a value, as RDF 1.2 has it."""

    subject: Iri
    predicate: Iri
    object: Iri | Literal


Value: TypeAlias = Iri | Literal | TripleTerm


class DescribedSubject(NamedTuple):
    """A subject with its predicates and objects, in a named graph or in the default graph."""

    subject: Iri
    said: Sequence[tuple[Iri, Value]]
    graph: Iri | None = None


class Vocabulary:
    """Our own IRIs under a base, and external ones by prefix."""

    def __init__(self, base: str) -> None:
        if not _BASE.fullmatch(base):
            raise InputError(f"'{base}' cannot begin an IRI, expected a scheme and a place such as urn:mine:")
        self.base = base
        self.terms = f"{base}vocabulary:" if base.startswith("urn:") else f"{base}vocabulary#"
        self._join = ":" if base.startswith("urn:") else "/"

    def thing(self, kind: str, key: str) -> Iri:
        return Iri(f"{self.base}{kind}{self._join}{_quoted(key)}")

    def term(self, name: str) -> Iri:
        return Iri(f"{self.terms}{name}")

    def prefixes(self) -> dict[str, str]:
        kinds = ("entity", "value", "relation", "type", "edge", "sentence", "document", "run")
        return {**PREFIXES, "v": self.terms, **{kind: f"{self.base}{kind}{self._join}" for kind in kinds}}


def known(name: str) -> Iri:
    """The full IRI of a prefixed name such as `rdf:type`."""
    prefix, _, rest = name.partition(":")
    return Iri(PREFIXES[prefix] + rest)


_TYPE, _LABEL, _ALT = known("rdf:type"), known("rdfs:label"), known("skos:altLabel")


def descriptions(store: Store, options: ExportOptions) -> Iterator[DescribedSubject]:
    """All statements, subject by subject."""
    names = Vocabulary(options.base)
    yield from _names(store, names, options)
    for row in rows(store, statements(options)):
        yield from _statement(row, names, options.reify)
    if options.reify != "none":
        yield from _sources(store, names)


def _names(store: Store, names: Vocabulary, options: ExportOptions) -> Iterator[DescribedSubject]:
    kinds = {row["type_id"]: row for row in rows(store, USED_TYPES)}
    for row in kinds.values():
        said: list[tuple[Iri, Value]] = [(_TYPE, known("rdfs:Class")), (_LABEL, Literal(row["name"]))]
        if row["parent_id"] is not None:
            said.append((known("rdfs:subClassOf"), names.thing("type", kinds[row["parent_id"]]["name"])))
        yield DescribedSubject(names.thing("type", row["name"]), said)
    for row in rows(store, entities(options)):
        # A concept is a class.
        said = [(_TYPE, known("rdfs:Class") if row["kind"] == "concept" else names.term(row["kind"].capitalize()))]
        said += [(_TYPE, names.thing("type", name)) for name in row["types"] or () if row["kind"] != "concept"]
        yield DescribedSubject(names.thing("entity", row["node_id"]), said + _labels(row))
    for row in rows(store, values(options)):
        # A value has an IRI only for what is said of it.
        value = Literal(*typed_value(*(row[name] for name in ("name", *_VALUE))))
        yield DescribedSubject(names.thing("value", row["node_id"]), [(known("rdf:value"), value)])
    for row in rows(store, RELATIONS):
        said = [(_TYPE, known("rdf:Property"))]
        yield DescribedSubject(names.thing("relation", row["relation_id"]), said + _labels(row))


def _labels(row: dict[str, Any]) -> list[tuple[Iri, Value]]:
    others = [alias for alias in row["aliases"] or () if alias != row["name"]]
    return [(_LABEL, Literal(row["name"])), *((_ALT, Literal(alias)) for alias in others)]


_VALUE = ("number", "unit", "first_day", "last_day")


def _statement(row: dict[str, Any], names: Vocabulary, reify: str) -> Iterator[DescribedSubject]:
    """A statement: asserted where the text does, and described unless nothing is to be."""
    edge, relation = names.thing("edge", row["edge_id"]), names.thing("relation", row["relation_id"])
    subject = names.thing("value" if row["subject_kind"] == "value" else "entity", row["subject_id"])
    object_: Iri | Literal = names.thing("entity", row["object_id"])
    if row["object_kind"] == "value":
        object_ = Literal(*typed_value(*(row[name] for name in ("text", *_VALUE))))
    if row["stance"] == "asserted":
        yield DescribedSubject(subject, [(relation, object_), *_classes(row, object_)])
    if reify == "none":
        return
    said: list[tuple[Iri, Value]]
    if reify == "rdf12":
        said = [(known("rdf:reifies"), TripleTerm(subject, relation, object_))]
    elif reify == "graphs":
        yield DescribedSubject(subject, [(relation, object_)], graph=edge)
        said = [(_TYPE, names.term("Statement"))]
    else:
        said = [
            (_TYPE, known("rdf:Statement")),
            (known("rdf:subject"), subject),
            (known("rdf:predicate"), relation),
            (known("rdf:object"), object_),
        ]
    said += [
        (names.term("stance"), Literal(row["stance"])),
        (names.term("wording"), Literal(row["relation"])),
        (names.term("confidence"), Literal(repr(float(row["confidence"])), "double")),
        (names.term("rank"), Literal(repr(float(row["rank"])), "double")),
        (names.term("mentions"), Literal(str(row["mentions"]), "integer")),
        (names.term("asserted"), Literal(str(row["asserted"]), "integer")),
        (names.term("negated"), Literal("true" if row["negated"] else "false", "boolean")),
    ]
    for name in ("modality", *Validity._fields):
        if row[name] is not None:
            said.append((names.term(name), Literal(row[name])))
    for role, column in QUALIFIERS.items():
        term = names.term("place" if role == "location" else role)
        said += [(term, Literal(text)) for text in row[column] or ()]
    derived = known("prov:wasDerivedFrom")
    said += [(derived, names.thing("sentence", sentence)) for sentence in row["sentences"] or ()]
    yield DescribedSubject(edge, said)


def _classes(row: dict[str, Any], object_: Iri | Literal) -> list[tuple[Iri, Value]]:
    """*A ferry is a boat* makes a class one of another, *Brava is a ferry* an instance of it."""
    if row["object_kind"] != "concept" or row["relation_name"] not in _KIND_OF:
        return []
    return [(known("rdfs:subClassOf") if row["subject_kind"] == "concept" else _TYPE, object_)]


_KIND_OF = frozenset(["is", "are", "was", "were", "is a kind of"])


def _sources(store: Store, names: Vocabulary) -> Iterator[DescribedSubject]:
    for row in rows(store, SENTENCES):
        yield DescribedSubject(
            names.thing("sentence", row["sentence_id"]),
            [
                (_TYPE, known("prov:Entity")),
                (known("prov:value"), Literal(row["text"])),
                (known("prov:wasQuotedFrom"), names.thing("document", row["document_id"])),
                (names.term("position"), Literal(str(row["position"]), "integer")),
            ],
        )
    for row in rows(store, DOCUMENTS):
        said: list[tuple[Iri, Value]] = [
            (_TYPE, known("prov:Entity")),
            (known("dcterms:source"), Literal(row["source"])),
            (known("dcterms:format"), Literal(row["media_type"])),
            (known("prov:wasInfluencedBy"), names.thing("run", row["run_id"])),
        ]
        said += [(known("dcterms:title"), Literal(row["title"]))] if row["title"] is not None else []
        said += [(known("dcterms:date"), Literal(row["published"].isoformat(), "date"))] if row["published"] else []
        yield DescribedSubject(names.thing("document", row["document_id"]), said)
    for row in rows(store, RUNS):
        said = [(_TYPE, known("prov:Activity")), (names.term("version"), Literal(row["tupelo_version"]))]
        for term, column in (("startedAtTime", "started"), ("endedAtTime", "finished")):
            if row[column] is not None:
                said.append((known(f"prov:{term}"), Literal(f"{row[column].isoformat()}Z", "dateTime")))
        yield DescribedSubject(names.thing("run", row["run_id"]), said)


def _quoted(key: str) -> str:
    """A key as part of an IRI: everything but ASCII letters and digits is percent-encoded."""
    return _NOT_IN_IRI.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8")), key)
