"""A sentence as it came, and the records that a file of tuples consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tupelo.core.thaw import thaw

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

    def __init__(
        self: Any,
        text: str,
        id: str | None = None,
        document_id: str | None = None,
        tokens: tuple[str, ...] | None = None,
    ) -> None:
        thaw(self, "__class__", _ThawedSentence)
        self.text = text
        self.id = id
        self.document_id = document_id
        self.tokens = tokens
        self.__class__ = Sentence

    def __str__(self) -> str:
        return self.text


class _ThawedSentence:
    __slots__ = Sentence.__slots__


# What readers yield and writers take. A bare sentence says: this one was
# looked at, and has no tuple (or none yet); scorers must not lose it.
Record: TypeAlias = "Extraction | Sentence"
