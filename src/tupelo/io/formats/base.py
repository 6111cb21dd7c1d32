"""The kinds of tuple formats; the table of names is in `formats/__init__.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import BinaryIO

from tupelo.core import Record
from tupelo.io.lines import Lines

# Fields that an extraction can have besides the words of its relation and arguments. A format lists
# those that survive writing and reading back; `tupelo convert` names the others.
# "extra spaces" are all white space but one space between words; most formats strip some of it.
FIELDS = (
    "sentence.id",
    "sentence.document_id",
    "sentence.tokens",
    "empty sentences",
    "roles",
    "tokens",
    "spans",
    "inferred",
    "resolved",
    "extra spaces",
    "confidence",
    "negated",
    "modality",
    "attribution",
    "context",
    "group",
    "extractor",
    "extractor_version",
    "rule",
    "minor",
)
ALL_FIELDS = frozenset(FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Description:
    """Description that every format has.

    `layout` describes the lines for the reference page, `sample` names one of our own sample files;
    `keeps` lists the members of `FIELDS` it can hold.
    A tuple must have `min_arguments` to `max_arguments` arguments to be written.
    `log_confidence` marks systems whose confidence is an unbounded log value.
    """

    name: str
    title: str
    layout: str
    keeps: frozenset[str]
    sample: str = ""
    notes: str = ""
    min_arguments: int = 0
    max_arguments: int | None = None
    log_confidence: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat(_Description):
    """A format made of lines.

    `sniff` looks at the first lines of a file (without their ends) and says
    how well they fit: 0 not at all, 1 surely.
    `document` marks formats that gather: what is read back depends on all
    records together, not on each alone.
    """

    read: Callable[[Lines], Iterator[Record]]
    write: Callable[[Iterable[Record]], Iterator[str]]
    sniff: Callable[[Sequence[str]], float]
    document: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryFormat(_Description):
    """A format that is not text. `magic` are the bytes every such file begins with."""

    read: Callable[[BinaryIO, str], Iterator[Record]]
    write: Callable[[Iterable[Record], BinaryIO], None]
    magic: bytes


Format = TextFormat | BinaryFormat


def sample_bytes(chosen: Format) -> bytes:
    """The small file that shows a format in the documentation; empty for a format that brings none."""
    return files(__package__).joinpath("samples", chosen.sample).read_bytes() if chosen.sample else b""
