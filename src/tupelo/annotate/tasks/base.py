"""What a kind of annotation task is: from rows of a file to items, from answers to grades, agreement and files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeAlias

from tupelo.core import Extraction, InputError, Record

# One object of a JSON file, or what the importer made of a line of another format.
Row: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]
# Sentences to their tuples, in order; handed in by the command line, which alone knows extractors.
Extract: TypeAlias = Callable[[Sequence[str]], list[list[Extraction]]]


class AnswerError(InputError):
    """An answer that its item does not allow. `field` is the path to what is wrong, such as `tuples.0.rel`."""

    def __init__(self, message: str, field: str | None = None) -> None:
        self.field = field
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to be annotated.

    `content` is shown; `hidden` never leaves the server (which system is which, what a control expects). `gold` is
    the right answer where it is known: of a test, or of a `control` that is mixed in among the others.
    """

    id: str
    content: dict[str, Any]
    hidden: dict[str, Any] = field(default_factory=dict)
    gold: Answer | None = None
    control: bool = False


class Task(Protocol):
    """A kind of task. Functions are pure: the same arguments give the same result.

    `reads` says what rows come from: `sentences`, `cliques`, `rows`, `pairs` or `clusters`. `writes` is `tuples`
    where `export` gives records of `core`, `rows` where it gives JSON objects. `levels` holds the level of
    measurement of each question that `units` answers. `version` counts changes of the shape of answers.
    """

    name: str
    title: str
    version: int
    reads: str
    writes: str

    @property
    def levels(self) -> Mapping[str, str]: ...

    def items(self, rows: Sequence[Row], settings: Mapping[str, Any]) -> list[Item]:
        """Items of the rows, in order; `InputError` on a row that cannot be used."""
        ...

    def present(self, item: Item, seed: str) -> dict[str, Any]:
        """The content as one person sees it; `seed` belongs to person and item and decides random orders."""
        ...

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        """The normal form of an answer that came from outside; `AnswerError` when the item does not allow it."""
        ...

    def missed(self, item: Item, answer: Answer) -> list[str]:
        """Controls inside the item that the answer misses. It is not taken until there are none."""
        ...

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """How far an answer agrees with another one, from 0 to 1."""
        ...

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        """Question and unit -> label, for chance-corrected agreement."""
        ...

    def suggest(self, item: Item, extract: Extract) -> Answer | None:
        """An answer to begin with, made by a machine."""
        ...

    def export(self, item: Item, answer: Answer) -> list[Record] | list[dict[str, Any]]:
        """The answer as records or objects for files."""
        ...


class PlainTask:
    """What most tasks share: the same content for everybody, no controls inside, no suggestions."""

    levels: ClassVar[Mapping[str, str]] = {}

    def present(self, item: Item, seed: str) -> dict[str, Any]:
        return item.content

    def missed(self, item: Item, answer: Answer) -> list[str]:
        return []

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        return {}

    def suggest(self, item: Item, extract: Extract) -> Answer | None:
        return None


class RowTask(PlainTask, ABC):
    """A task in which every row is an item of its own."""

    def items(self, rows: Sequence[Row], settings: Mapping[str, Any]) -> list[Item]:
        return [self.item(row) for row in rows]

    @abstractmethod
    def item(self, row: Row) -> Item:
        """The item of a row; `InputError` where it cannot be used."""
