"""A graph as RDF statements, grouped by subject; the RDF writers only serialize them.

Only what a text claims itself becomes a statement of its own. What it denies, asks, considers
possible or reports is described (reified, or in a graph of its own) and never asserted. Every
description says which sentences it was derived from, in the terms of PROV-O.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple, TypeAlias

from tupelo.core import InputError
from tupelo.graph.export import ExportOptions, content
from tupelo.graph.query.edges import QUALIFIERS
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import USED_TYPES
from tupelo.graph.store.validity import Validity

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
        self._longest_first = sorted(self.prefixes().items(), key=lambda item: -len(item[1]))

    def thing(self, kind: str, key: str) -> Iri:
        # All but ASCII letters and digits is percent-encoded.
        quoted = _NOT_IN_IRI.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8")), key)
        return Iri(f"{self.base}{kind}{self._join}{quoted}")

    def term(self, name: str) -> Iri:
        return Iri(f"{self.terms}{name}")

    def prefixes(self) -> dict[str, str]:
        kinds = ("entity", "value", "relation", "type", "edge", "sentence", "document", "run")
        return {**PREFIXES, "v": self.terms, **{kind: f"{self.base}{kind}{self._join}" for kind in kinds}}

    def split(self, iri: Iri) -> tuple[str, str]:
        """The prefix of an IRI, empty where it has none, and what follows it."""
        places = ((prefix, place) for prefix, place in self._longest_first if iri.value.startswith(place))
        prefix, place = next(places, ("", ""))
        return prefix, iri.value[len(place) :]


def known(name: str) -> Iri:
    """The full IRI of a prefixed name such as `rdf:type`."""
    prefix, _, rest = name.partition(":")
    return Iri(PREFIXES[prefix] + rest)


_TYPE, _LABEL, _ALT = known("rdf:type"), known("rdfs:label"), known("skos:altLabel")


def descriptions(store: Store, options: ExportOptions) -> Iterator[DescribedSubject]:
    """All statements, subject by subject."""
    names = Vocabulary(options.base)
    yield from _names(store, names, options)
    for row in store.stream(content.statements(options)):
        yield from _statement(row, names, options.reify)
    if options.reify != "none":
        yield from _sources(store, names)


def _names(store: Store, names: Vocabulary, options: ExportOptions) -> Iterator[DescribedSubject]:
    kinds = {row["type_id"]: row for row in store.stream(USED_TYPES)}
    for row in kinds.values():
        above = kinds.get(row["parent_id"])
        said = _told(
            (_TYPE, known("rdfs:Class")),
            (_LABEL, row["name"]),
            (known("rdfs:subClassOf"), above and names.thing("type", above["name"])),
        )
        yield DescribedSubject(names.thing("type", row["name"]), said)
    for row in store.stream(content.entities(options)):
        # A concept is a class.
        said = [(_TYPE, known("rdfs:Class") if row["kind"] == "concept" else names.term(row["kind"].capitalize()))]
        said += [(_TYPE, names.thing("type", name)) for name in row["types"] or () if row["kind"] != "concept"]
        yield DescribedSubject(names.thing("entity", row["node_id"]), said + _labels(row))
    for row in store.stream(content.values(options)):
        # A value has an IRI only for what is said of it.
        value = known("rdf:value"), Literal(*content.value_of(row, "name"))
        yield DescribedSubject(names.thing("value", row["node_id"]), [value])
    for row in store.stream(content.RELATIONS):
        said = [(_TYPE, known("rdf:Property"))]
        yield DescribedSubject(names.thing("relation", row["relation_id"]), said + _labels(row))


def _labels(row: dict[str, Any]) -> list[tuple[Iri, Value]]:
    return _told((_LABEL, row["name"]), (_ALT, [alias for alias in row["aliases"] or () if alias != row["name"]]))


def _told(*said: tuple[Iri, object]) -> list[tuple[Iri, Value]]:
    """Predicates with their values, each item of a list by itself; without those that have none."""
    return [
        (predicate, one if isinstance(one, Iri | Literal | TripleTerm) else _literal(one))
        for predicate, value in said
        for one in (value if isinstance(value, list) else [value])
        if one is not None
    ]


def _literal(value: object) -> Literal:
    if isinstance(value, bool):
        return Literal(str(value).lower(), "boolean")
    if isinstance(value, datetime):
        return Literal(f"{value.isoformat()}Z", "dateTime")
    if isinstance(value, date):
        return Literal(value.isoformat(), "date")
    return Literal(str(value), {int: "integer", float: "double"}.get(type(value)))


def _statement(row: dict[str, Any], names: Vocabulary, reify: str) -> Iterator[DescribedSubject]:
    """A statement: asserted where the text does, and described unless nothing is to be."""
    edge, relation = names.thing("edge", row["edge_id"]), names.thing("relation", row["relation_id"])
    subject = names.thing("value" if row["subject_kind"] == "value" else "entity", row["subject_id"])
    object_: Iri | Literal = names.thing("entity", row["object_id"])
    if row["object_kind"] == "value":
        object_ = Literal(*content.value_of(row, "text"))
    if row["stance"] == "asserted":
        yield DescribedSubject(subject, [(relation, object_), *_classes(row, object_)])
    if reify == "none":
        return
    if reify == "graphs":
        yield DescribedSubject(subject, [(relation, object_)], graph=edge)
    parts = (("subject", subject), ("predicate", relation), ("object", object_))
    form: Mapping[str, Sequence[tuple[Iri, Value]]] = {
        "rdf12": [(known("rdf:reifies"), TripleTerm(subject, relation, object_))],
        "graphs": [(_TYPE, names.term("Statement"))],
        "classic": [(_TYPE, known("rdf:Statement")), *((known(f"rdf:{name}"), part) for name, part in parts)],
    }
    said = _told(
        *((names.term(name), row[column]) for name, column in _COLUMNS.items()),
        (known("prov:wasDerivedFrom"), [names.thing("sentence", key) for key in row["sentences"] or ()]),
    )
    yield DescribedSubject(edge, [*form[reify], *said])


_PLAIN = ("confidence", "rank", "mentions", "asserted", "negated", "modality", *Validity._fields)
# Terms of a statement, with the columns that fill them.
_COLUMNS = {"stance": "stance", "wording": "relation"} | {name: name for name in _PLAIN}
_COLUMNS |= {"place" if role == "location" else role: column for role, column in QUALIFIERS.items()}


def _classes(row: dict[str, Any], object_: Iri | Literal) -> list[tuple[Iri, Value]]:
    """*A ferry is a boat* makes a class one of another, *Brava is a ferry* an instance of it."""
    if row["object_kind"] != "concept" or row["relation_name"] not in _KIND_OF:
        return []
    return [(known("rdfs:subClassOf") if row["subject_kind"] == "concept" else _TYPE, object_)]


_KIND_OF = frozenset(["is", "are", "was", "were", "is a kind of"])


def _sources(store: Store, names: Vocabulary) -> Iterator[DescribedSubject]:
    for row in store.stream(content.SENTENCES):
        said = _told(
            (_TYPE, known("prov:Entity")),
            (known("prov:value"), row["text"]),
            (known("prov:wasQuotedFrom"), names.thing("document", row["document_id"])),
            (names.term("position"), row["position"]),
        )
        yield DescribedSubject(names.thing("sentence", row["sentence_id"]), said)
    for row in store.stream(content.DOCUMENTS):
        said = _told(
            (_TYPE, known("prov:Entity")),
            (known("dcterms:source"), row["source"]),
            (known("dcterms:format"), row["media_type"]),
            (known("prov:wasInfluencedBy"), names.thing("run", row["run_id"])),
            (known("dcterms:title"), row["title"]),
            (known("dcterms:date"), row["published"]),
        )
        yield DescribedSubject(names.thing("document", row["document_id"]), said)
    for row in store.stream(content.RUNS):
        said = _told(
            (_TYPE, known("prov:Activity")),
            (names.term("version"), row["tupelo_version"]),
            (known("prov:startedAtTime"), row["started"]),
            (known("prov:endedAtTime"), row["finished"]),
        )
        yield DescribedSubject(names.thing("run", row["run_id"]), said)
