"""Knowledge bases as files: lines to names and facts. A new kind is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from tupelo.core import FormatError, InputError, Registry
from tupelo.core.knowledge import Knowledge

# A line, the name of its file and its number, to what it says; it raises `FormatError` where it cannot be read.
LineReader: TypeAlias = Callable[[str, str, int], Iterator[Knowledge]]

KNOWLEDGE_BASES: Registry[LineReader] = Registry(
    "knowledge base format",
    {
        "wikidata": "tupelo.io.knowledge.wikidata:read_line",
        "ntriples": "tupelo.io.knowledge.ntriples:read_line",
        "tsv": "tupelo.io.knowledge.tsv:read_line",
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


__all__ = ["KNOWLEDGE_BASES", "FormatError", "LineReader", "format_of"]
