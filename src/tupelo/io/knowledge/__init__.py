"""Knowledge bases as files: what they say, and the formats of their lines, each a function and an entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tupelo.core import InputError, Registry

if TYPE_CHECKING:
    import pyarrow as pa

# How a name is known: the title of an encyclopedia article, what the thing is called first, or another name.
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
        "wikidata": "tupelo.io.knowledge.lines:read_wikidata",
        "ntriples": "tupelo.io.knowledge.lines:read_ntriples",
        "tsv": "tupelo.io.knowledge.lines:read_tsv",
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
