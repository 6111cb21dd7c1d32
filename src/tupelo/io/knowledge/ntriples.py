"""N-Triples, as DBpedia, YAGO and Wikidata publish them.

Labels (`rdfs:label`, `skos:prefLabel`, `schema:name`, `foaf:name`) and other names (`skos:altLabel`) are those in
English or without a language; things without any go by the last part of their address. A property is the last part of
its address: `P19`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from tupelo.core import FormatError
from tupelo.core.knowledge import ALIAS, LABEL, Knowledge, KnownFact, Name

_TRIPLE = re.compile(
    r"\s*(?:<([^<>\"{}|^`\\\s]*)>|_:(\S+))\s+<([^<>\s]*)>\s+"
    r"(?:<([^<>\s]*)>|_:(\S+)|\"((?:[^\"\\]|\\.)*)\"(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^<([^<>\s]*)>)?)\s*\.\s*(?:#.*)?"
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_LABELS = frozenset(
    [
        "http://www.w3.org/2000/01/rdf-schema#label",
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "http://schema.org/name",
        "http://xmlns.com/foaf/0.1/name",
    ]
)
_ALIASES = frozenset(["http://www.w3.org/2004/02/skos/core#altLabel"])
_DATES = frozenset(f"http://www.w3.org/2001/XMLSchema#{kind}" for kind in ("date", "dateTime", "gYear", "gYearMonth"))
_DATE = re.compile(r"\+?(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_EXPECTED = "<subject> <property> <object> . or a literal in quotes"


def read_line(line: str, source: str, number: int) -> Iterator[Knowledge]:
    if not line.strip() or line.lstrip().startswith("#"):
        return
    match = _TRIPLE.fullmatch(line)
    if match is None:
        raise FormatError(source, number, "not a triple", _EXPECTED)
    address, blank, relation, thing, blank_object, literal, language, kind = match.groups()
    if blank or blank_object:
        return  # Nobody can mention what has no name.
    subject = unquote(address)
    if literal is None:
        yield _own_name(subject)
        yield _own_name(unquote(thing))
        yield KnownFact(subject, _last(relation), unquote(thing))
    elif relation in _LABELS or relation in _ALIASES:
        if language is None or language.lower().partition("-")[0] == "en":
            yield Name(subject, _unescaped(literal), LABEL if relation in _LABELS else ALIAS)
    elif kind in _DATES and (date := _DATE.match(literal)):
        yield _own_name(subject)
        yield KnownFact(subject, _last(relation), "-".join(part for part in date.groups() if part), is_date=True)


def _own_name(address: str) -> Name:
    """The end of an address: a name for those who have no other."""
    return Name(address, _last(address).replace("_", " "), ALIAS)


def _last(address: str) -> str:
    return re.split(r"[/#]", unquote(address).rstrip("/#"))[-1]


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if code[0] in "uU" and len(code) > 1 else _ESCAPED.get(code, code)

    return _ESCAPE.sub(plain, text)
