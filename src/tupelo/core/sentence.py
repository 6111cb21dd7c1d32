"""A sentence as it came, and the records that a file of tuples consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tupelo.core.extraction import Extraction


@dataclass(frozen=True, slots=True)
class Sentence:
    """The text of a sentence, never normalised, with what is known about it.

    `tokens` is `None` when nobody tokenised the sentence; token numbers in an
    extraction then count the pieces between single spaces.
    """

    text: str
    id: str | None = None
    document_id: str | None = None
    tokens: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return self.text


# What readers yield and writers take. A bare sentence says: this one was
# looked at, and has no tuple (or none yet); scorers must not lose it.
Record: TypeAlias = "Extraction | Sentence"
