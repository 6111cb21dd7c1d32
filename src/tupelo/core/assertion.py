"""Assertions: subject, relation and object as plain strings, with the number of times they were found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tupelo.core.ngram import is_count

if TYPE_CHECKING:
    import pyarrow as pa

ASSERTION_FORM = "subject, relation, object and count, separated by tabs"


@dataclass(frozen=True, slots=True)
class Assertion:
    """Subject, relation and object, with the number of times that it was stated."""

    subject: str
    relation: str
    object: str
    count: int = 1


def assertion_fault(line: str) -> str | None:
    """The fault of a line of a text file; `None` for a good one."""
    fields = line.split("\t")
    if len(fields) != 4:
        return f"{len(fields)} field(s)"
    if not all(fields[:3]):
        return "an empty field"
    count = fields[3]
    if not is_count(count):
        return f"count {count!r}"
    return None


def assertion_schema() -> pa.Schema:
    """Tables of assertions, on disk and between stages."""
    import pyarrow as pa

    words = [pa.field(name, pa.string(), nullable=False) for name in ("subject", "relation", "object")]
    return pa.schema([*words, pa.field("count", pa.int64(), nullable=False)])
