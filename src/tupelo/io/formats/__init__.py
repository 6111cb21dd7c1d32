"""Tuple formats: what one is, and all of them by name.

A new one is a table in `formats.toml`, and the functions that read and write it in the module that the table names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from textwrap import fill
from typing import Any, BinaryIO

from tupelo.core import Record, Registry
from tupelo.core.shipped import shipped_text
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

    `layout` describes the lines for the reference page, `sample` names one of our own sample files; `keeps` lists the
    members of `FIELDS` it can hold. A tuple must have `min_arguments` to `max_arguments` arguments to be written.
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

    def to_dict(self) -> dict[str, Any]:
        """All information about the format, as plain values; a binary one has no sample."""
        names = ("title", "layout", "notes", "keeps", "min_arguments", "max_arguments", "log_confidence")
        about = {name: getattr(self, name) for name in names}
        about["keeps"] = [field for field in FIELDS if field in self.keeps]
        sample = None if isinstance(self, BinaryFormat) else self.sample_bytes().decode("utf-8")
        return {"name": self.name, "aliases": FORMATS.aliases(self.name), **about, "sample": sample}

    def sample_bytes(self) -> bytes:
        """The small file that shows a format in the documentation; empty for a format that brings none."""
        return files(__package__).joinpath("samples", self.sample).read_bytes() if self.sample else b""

    def __str__(self) -> str:
        known = self.to_dict()
        most = "any number" if self.max_arguments is None else self.max_arguments
        lines = [f"{self.name}: {self.title}", "", f"Layout     {self.layout}"]
        if known["aliases"]:
            lines.append(f"Also       {', '.join(known['aliases'])}")
        lines.append(f"Arguments  {self.min_arguments} to {most}")
        lines.append(f"Keeps      {', '.join(known['keeps']) or 'the words of relation and arguments only'}")
        if self.notes:
            lines += ["", fill(self.notes, 100, break_long_words=False, break_on_hyphens=True)]
        sample = "A binary file." if known["sample"] is None else known["sample"].rstrip("\n")
        return "\n".join([*lines, "", "Sample:", sample or "None."])

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat(_Description):
    """A format made of lines.

    `sniff` looks at the first lines of a file (without their ends) and returns how well they fit, from 0 to 1.
    `document` marks formats that gather: the records that are read back depend on all of them together.
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


def described(name: str) -> dict[str, Any]:
    """The description of a built-in format, as arguments of `TextFormat`, `BinaryFormat` or `column_format`."""
    about = {"name": name, **_descriptions()[name]}
    about = {key: value for key, value in about.items() if key not in ("made", "aliases")}
    if "keeps" in about:
        about["keeps"] = ALL_FIELDS if about["keeps"] == "all" else frozenset(about["keeps"])
    return about


@cache
def _descriptions() -> dict[str, dict[str, Any]]:
    return tomllib.loads(shipped_text(__package__, "formats.toml"))


FORMATS: Registry[Format] = Registry(
    "format",
    {name: f"{__name__}.{about['made']}" for name, about in _descriptions().items()},
    aliases={alias: name for name, about in _descriptions().items() for alias in about.get("aliases", ())},
)
