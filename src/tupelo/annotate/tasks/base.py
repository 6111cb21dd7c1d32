"""Kinds of annotation tasks, from rows of a file to items, answers, grades and files; and checks of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from random import Random
from typing import Any, ClassVar, Protocol, TypeAlias

from tupelo.core import Extraction, InputError, Record
from tupelo.core.errors import is_unicode

# One object of a JSON file, or a line of another format as converted by the importer.
ItemRow: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]
# Sentences to their tuples, in order; passed in by the command line, which alone depends on extractors.
ExtractTuples: TypeAlias = Callable[[Sequence[str]], list[list[Extraction]]]


class AnswerError(InputError):
    """An answer that is invalid for its item. `field` is the path to the error, such as `tuples.0.rel`."""

    def __init__(self, message: str, field: str | None = None) -> None:
        self.field = field
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to be annotated.

    `content` is shown; `hidden` never leaves the server (which system is which, what a control expects). `gold` is
    the right answer, if known: of a test, or of a `control` that is mixed in with the others.
    """

    id: str
    content: dict[str, Any]
    hidden: dict[str, Any] = field(default_factory=dict)
    gold: Answer | None = None
    control: bool = False


class AnnotationTask(Protocol):
    """A kind of task. Functions are pure: the same arguments give the same result.

    `reads` says what rows come from: `sentences`, `extractions`, `cliques`, `paraphrases`, `rows`, `pairs` or
    `clusters`. `writes` is `tuples` where `export` gives records of `core`, `rows` where it gives JSON objects.
    `levels` holds the level of measurement of each question that `units` answers. `version` counts changes of the
    shape of answers.

    Some attributes are optional. `settle(item, answers)` is the answer of several people, by default the one that
    agrees best with the others; `tally` counts the settled answers of all items. `page` is the JavaScript of the
    module that shows the task in the browser: `Component`, an `Editor`, and `show(content, answer)`; without it
    answers are written as JSON. `example` maps the names of files to the texts of a worked example for `annotate
    init`, `project.toml` among them.

    A class that inherits from this one has the defaults of most tasks: JSON rows in and out, the same content for
    everybody, no controls, no suggestions.
    """

    name: str
    title: str
    version: int = 1
    reads: str = "rows"
    writes: str = "rows"
    levels: ClassVar[Mapping[str, str]] = {}

    def items(self, rows: Sequence[ItemRow], settings: Mapping[str, Any]) -> list[Item]:
        """The items of the rows, in order; raises `InputError` for an unusable row."""
        ...

    def present(self, item: Item, seed: str) -> dict[str, Any]:
        """The content as one person sees it; `seed` belongs to person and item and decides random orders."""
        return item.content

    def validate(self, item: Item, answer: Any, seed: str) -> Answer:
        """The normal form of an untrusted answer; raises `AnswerError` if it is invalid for the item."""
        ...

    def missed(self, item: Item, answer: Answer) -> list[str]:
        """The controls inside the item that the answer misses. It is accepted only if there are none."""
        return []

    def grade(self, item: Item, answer: Answer, gold: Answer) -> float:
        """The agreement of an answer with another one, from 0 to 1."""
        ...

    def units(self, item: Item, answer: Answer) -> dict[tuple[str, str], Hashable]:
        """Question and unit -> label, for chance-corrected agreement: by default, the fields with these names."""
        return {(question, ""): answer[question] for question in self.levels if question in answer}

    def suggest(self, item: Item, extract: ExtractTuples) -> Answer | None:
        """A machine-made answer to start from."""
        return None

    def export(self, item: Item, answer: Answer) -> list[Record] | list[dict[str, Any]]:
        """The answer as records or objects for files."""
        ...


class RowTask(AnnotationTask, ABC):
    """A task in which every row is an item of its own."""

    def items(self, rows: Sequence[ItemRow], settings: Mapping[str, Any]) -> list[Item]:
        return [self.item(row) for row in rows]

    @abstractmethod
    def item(self, row: ItemRow) -> Item:
        """The item of a row; raises `InputError` if the row is unusable."""


LONGEST_TEXT = 50_000
MOST_ENTRIES = 500
# Sentences on either side of one that is to be judged.
MOST_CONTEXT = 10
_LONGEST_ID = 200


def need_text(raw: Mapping[str, Any], name: str, longest: int = LONGEST_TEXT, where: str | None = None) -> str:
    """A required text: present, not blank, and storable in every database."""
    value = raw.get(name)
    if not isinstance(value, str) or not value.strip():
        raise AnswerError(f"'{name}' is {shortly(value)}, expected a text", where or name)
    if len(value) > longest:
        raise AnswerError(f"'{name}' has {len(value)} characters, expected at most {longest}", where or name)
    if not is_storable(value):
        raise AnswerError(f"'{name}' has a character that is no text, expected none", where or name)
    return value


def is_storable(text: str) -> bool:
    """Whether every database can store a text."""
    return "\0" not in text and is_unicode(text)


def optional_text(raw: Mapping[str, Any], name: str, longest: int = LONGEST_TEXT) -> str:
    """The text, or an empty one if it is missing."""
    value = raw.get(name)
    return "" if value is None or (isinstance(value, str) and not value.strip()) else need_text(raw, name, longest)


def need_list(
    raw: Mapping[str, Any], name: str, least: int = 0, most: int = MOST_ENTRIES, where: str | None = None
) -> list[Any]:
    value = raw.get(name)
    if not isinstance(value, list) or not least <= len(value) <= most:
        found = f"a list of {len(value)}" if isinstance(value, list) else shortly(value)
        raise AnswerError(f"'{name}' is {found}, expected a list of {least} to {most}", where or name)
    return value


def need_object(value: Any, name: str, where: str | None = None) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise AnswerError(f"{name} is {shortly(value)}, expected an object", where)
    return value


def need_fields(answer: Any, *names: str) -> Mapping[str, Any]:
    """An answer that is an object with no other fields than these: a misspelt one would be lost silently."""
    given = need_object(answer, "the answer")
    only_fields(given, *names)
    return given


def one_of(raw: Mapping[str, Any], name: str, choices: Sequence[Any], where: str | None = None) -> Any:
    value = raw.get(name)
    # 1 must not match True.
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise AnswerError(
            f"'{name}' is {shortly(value)}, expected one of {', '.join(map(str, choices))}", where or name
        )
    return value


def only_fields(raw: Mapping[str, Any], *names: str) -> None:
    """Reject unknown fields: a misspelt one would be lost silently."""
    for name in raw:
        if name not in names:
            raise AnswerError(f"a field '{str(name)[:40]}', expected only {', '.join(names)}", str(name)[:40])


def id_of(row: Mapping[str, Any], content: Any) -> str:
    """The id of a row, or a name made from its content: the same content is the same item."""
    if row.get("id") is None:
        return content_id(content)
    if not isinstance(row["id"], str | int) or isinstance(row["id"], bool):
        raise InputError(f"'id' is {shortly(row['id'])}, expected a text or a number")
    return need_text({"id": str(row["id"])}, "id", _LONGEST_ID)


def content_id(content: Any) -> str:
    return sha256(dumps(content, ensure_ascii=True, sort_keys=True).encode()).hexdigest()[:16]


def unique(names: Sequence[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{what} '{name[:60]}' is there twice, expected once")
        seen.add(name)


def shuffled(count: int, seed: str) -> list[int]:
    """The numbers below `count` in an order that depends only on the seed."""
    order = list(range(count))
    Random(seed).shuffle(order)
    return order


def share_equal(expected: Mapping[Any, Any], given: Mapping[Any, Any]) -> float:
    """The share of expected values that were given."""
    return sum(given.get(name) == value for name, value in expected.items()) / len(expected) if expected else 1.0


def shortly(value: Any) -> str:
    return "missing" if value is None else repr(value)[:60]
