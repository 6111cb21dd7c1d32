"""What a knowledge base says: things with their names, and facts about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

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
