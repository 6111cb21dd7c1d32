"""Knowledge bases as files: what they say, and the formats of their lines, each a function and an entry here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import unquote

from tupelo.core import FormatError, InputError, Registry
from tupelo.io.json_items import json_value
from tupelo.io.lines import Fault

if TYPE_CHECKING:
    import pyarrow as pa

# Origins of a name: the title of an encyclopedia article, what the thing is called first, or another name.
TITLE, LABEL, ALIAS = "title", "label", "alias"


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a thing. `kind` is `title`, `label` or `alias`."""

    id: str
    name: str
    kind: str = LABEL


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A thing has a property, whose value is another thing (`object` is its id) or a date (`YYYY-MM-DD` or less)."""

    subject: str
    property: str
    object: str
    is_date: bool = False


Knowledge: TypeAlias = Name | KnownFact


def knowledge_schema() -> pa.Schema:
    """Names and facts in one table: a name has no property, a fact has no `kind` but `thing` or `date`."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("property", pa.string()),
            pa.field("value", pa.string(), nullable=False),
            pa.field("kind", pa.string(), nullable=False),
        ]
    )


# A line, the name of its file and its number, to what it says; it raises `FormatError` where it cannot be read.
LineReader: TypeAlias = Callable[[str, str, int], Iterator[Knowledge]]

KNOWLEDGE_BASES: Registry[LineReader] = Registry(
    "knowledge base format",
    {
        "wikidata": "tupelo_training.facts.knowledge:read_wikidata",
        "ntriples": "tupelo_training.facts.knowledge:read_ntriples",
        "tsv": "tupelo_training.facts.knowledge:read_tsv",
    },
)

ENDINGS = {".json": "wikidata", ".nt": "ntriples", ".tsv": "tsv", ".txt": "tsv"}


def format_of(name: str) -> str:
    """The format that the ending of a name stands for; `.gz` or `.bz2` after it does not matter.

    >>> format_of("latest-all.json.bz2"), format_of("facts.tsv")
    ('wikidata', 'tsv')
    """
    plain = name.lower().removesuffix(".gz").removesuffix(".bz2")
    for ending, kind in ENDINGS.items():
        if plain.endswith(ending):
            return kind
    raise InputError(f"{name}: not a known kind of knowledge base, expected {', '.join(ENDINGS)} (.gz, .bz2)")


_PLAIN_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def read_tsv(line: str, source: str, number: int) -> Iterator[Knowledge]:
    """Facts by name: `subject TAB property TAB object`, one a line. A thing is its name.

    The property `alias` gives another name: `Brad Pitt TAB alias TAB William Bradley Pitt`. An object that is
    written as a date (`1963-12-18`, `1963-12`, `1963`) is one.
    """
    if not line.strip():
        return
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != 3 or not all(fields):
        raise FormatError(
            source, number, f"{len(fields)} field(s)", "subject, property and object, separated by tabs"
        )
    subject, relation, value = fields
    yield Name(subject, subject, LABEL)
    if relation == "alias":
        yield Name(subject, value, ALIAS)
        return
    is_date = _PLAIN_DATE.fullmatch(value) is not None
    if not is_date:
        yield Name(value, value, LABEL)
    yield KnownFact(subject, relation, value, is_date)


_LANGUAGE, _SITE, _DEMONYM = "en", "enwiki", "P1549"
_TIME = re.compile(r"\+(\d{4})-(\d{2})-(\d{2})T")
# Wikidata's numbers for how exactly a time is known.
_PARTS = {9: 1, 10: 2, 11: 3}


def read_wikidata(line: str, source: str, number: int) -> Iterator[Knowledge]:
    """Wikidata's JSON dump: one item a line, between brackets, with a comma after each.

    Names are the English label and aliases, what its people are called (`P1549`, demonym) and the title of the
    English article. Facts are statements of normal and preferred rank (only the preferred where there are some)
    whose value is an item or a date. Numbers, texts and addresses of other collections are left out: no name in a
    text can mean them.
    """
    text = line.strip().rstrip(",")
    if text in ("", "[", "]"):
        return
    try:
        item = json_value(text, "one item of Wikidata's JSON dump a line")
    except Fault as fault:
        raise FormatError(source, number, *fault.args) from fault
    if not isinstance(item, Mapping) or not isinstance(item.get("id"), str):
        raise FormatError(source, number, "no item with an id", "one item of Wikidata's JSON dump a line")
    try:
        yield from _wikidata_item(item)
    except (AttributeError, KeyError, TypeError) as error:
        raise FormatError(
            source, number, f"an item of another form ({error})", "an item of Wikidata's JSON dump"
        ) from error


def _wikidata_item(item: Mapping[str, Any]) -> Iterator[Knowledge]:
    name = item["id"]
    # Empty values are written as a list.
    if title := (item.get("sitelinks") or {}).get(_SITE):
        yield Name(name, title["title"], TITLE)
    if label := (item.get("labels") or {}).get(_LANGUAGE):
        yield Name(name, label["value"], LABEL)
    for alias in (item.get("aliases") or {}).get(_LANGUAGE, ()):
        yield Name(name, alias["value"], ALIAS)
    for relation, statements in (item.get("claims") or {}).items():
        for value in _best_values(statements):
            if relation == _DEMONYM:
                if isinstance(value, Mapping) and value.get("language") == _LANGUAGE:
                    yield Name(name, value["text"], ALIAS)
            elif isinstance(value, Mapping) and value.get("entity-type") == "item":
                yield KnownFact(name, relation, value.get("id") or f"Q{value['numeric-id']}")
            elif isinstance(value, Mapping) and "time" in value:
                found, parts = _TIME.match(value["time"]), _PARTS.get(value.get("precision", 11))
                if found and parts:
                    yield KnownFact(name, relation, "-".join(found.groups()[:parts]), is_date=True)


def _best_values(statements: list[Mapping[str, Any]]) -> Iterator[Any]:
    """The values of the statements that hold."""
    preferred = [statement for statement in statements if statement.get("rank") == "preferred"]
    for statement in preferred or statements:
        snak = statement["mainsnak"]
        if statement.get("rank") != "deprecated" and snak.get("snaktype") == "value":
            yield snak["datavalue"]["value"]


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
_LITERAL_DATE = re.compile(r"\+?(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_EXPECTED = "<subject> <property> <object> . or a literal in quotes"


def read_ntriples(line: str, source: str, number: int) -> Iterator[Knowledge]:
    """N-Triples, as DBpedia, YAGO and Wikidata publish them.

    Labels (`rdfs:label`, `skos:prefLabel`, `schema:name`, `foaf:name`) and other names (`skos:altLabel`) are those
    in English or without a language; things without any go by the last part of their address. A property is the
    last part of its address: `P19`.
    """
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
    elif kind in _DATES and (date := _LITERAL_DATE.match(literal)):
        yield _own_name(subject)
        yield KnownFact(subject, _last(relation), "-".join(part for part in date.groups() if part), is_date=True)


def _own_name(address: str) -> Name:
    """The end of an address: a name for those who have no other."""
    return Name(address, _last(address).replace("_", " "), ALIAS)


def _last(address: str) -> str:
    return unquote(address).rstrip("/#").replace("#", "/").rpartition("/")[2]


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if code[0] in "uU" and len(code) > 1 else _ESCAPED.get(code, code)

    return _ESCAPE.sub(plain, text)
