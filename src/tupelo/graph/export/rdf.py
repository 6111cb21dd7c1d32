"""N-Triples and Turtle. With `reify="rdf12"` statements are values, `<<( s p o )>>`, as RDF 1.2 writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tupelo.graph.export.base import ExportOptions, Opener
from tupelo.graph.export.statements import Description, Iri, TripleTerm, Value, Vocabulary, descriptions, known
from tupelo.graph.store import Store

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_SPECIAL = re.compile(r'[\\"\x00-\x1f\x7f]')
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?")
_XSD = known("xsd:").value


@dataclass(frozen=True, slots=True)
class RdfText:
    """A writer of RDF as lines of text; `lines` spells descriptions."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    lines: Callable[[Iterator[Description], Vocabulary], Iterator[str]]

    def write(self, store: Store, opener: Opener, options: ExportOptions) -> None:
        with opener("") as stream:
            for line in self.lines(descriptions(store, options), Vocabulary(options.base)):
                stream.write(line.encode("utf-8", "replace"))


def ntriples(found: Iterator[Description], _: Vocabulary) -> Iterator[str]:
    """A line per statement."""
    for subject, said in found:
        for predicate, value in said:
            yield f"{_spell(subject)} {_spell(predicate)} {_spell(value)} .\n"


def turtle(found: Iterator[Description], names: Vocabulary) -> Iterator[str]:
    """Prefixes, then a block per subject."""
    prefixes = names.prefixes()
    for prefix, place in prefixes.items():
        yield f"@prefix {prefix}: <{place}> .\n"
    shorten = _shortener(prefixes)
    for subject, said in found:
        lines = [
            f"{'a' if predicate == known('rdf:type') else _spell(predicate, shorten)} {_spell(value, shorten)}"
            for predicate, value in said
        ]
        yield f"\n{_spell(subject, shorten)} " + " ;\n    ".join(lines) + " .\n"


def _shortener(prefixes: dict[str, str]) -> Callable[[str], str | None]:
    """Prefixed names where the rest is plain; `None` leaves the IRI in full."""
    longest_first = sorted(prefixes.items(), key=lambda item: -len(item[1]))

    def shorten(iri: str) -> str | None:
        for prefix, place in longest_first:
            if iri.startswith(place):
                rest = iri[len(place) :]
                return f"{prefix}:{rest}" if _LOCAL.fullmatch(rest) else None
        return None

    return shorten


def _spell(value: Value, shorten: Callable[[str], str | None] | None = None) -> str:
    if isinstance(value, Iri):
        return (shorten(value.value) if shorten else None) or f"<{value.value}>"
    if isinstance(value, TripleTerm):
        inner = " ".join(_spell(part, shorten) for part in (value.subject, value.predicate, value.object))
        return f"<<( {inner} )>>"
    text = f'"{_SPECIAL.sub(_escape, value.value)}"'
    return text if value.datatype is None else f"{text}^^{_spell(Iri(_XSD + value.datatype), shorten)}"


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}"


NTRIPLES = RdfText("ntriples", "RDF, a line per statement", (".nt",), ntriples)
TURTLE = RdfText("turtle", "RDF as Turtle", (".ttl",), turtle)
