"""Assertions: subject, relation and object, with the number of times that a corpus states them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


# A number with one digit more might not fit into 64 bits.
COUNT_DIGITS = 18
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


def is_count(text: str) -> bool:
    """A number of at most 18 digits."""
    return text.isascii() and text.isdigit() and len(text) <= COUNT_DIGITS
