"""What a file of triples holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tupelo.core.canonical import SUBTASKS, GoldLabels, TripleMention


@dataclass(frozen=True, slots=True)
class TripleFile:
    """Mentions in the order of the file, with gold labels and side information where the file has them.

    `gold` is empty for data without any. `side_pairs` is what
    `canon.resources.Resources` calls so.
    """

    mentions: tuple[TripleMention, ...]
    gold: GoldLabels = field(default_factory=dict)
    side_pairs: dict[str, tuple[tuple[str, str, float], ...]] = field(default_factory=dict)
    checksum: str = ""


class Collected:
    """Mentions by id while a file is read: a later one with the same id takes the earlier one's place."""

    def __init__(self) -> None:
        self._mentions: dict[str, TripleMention] = {}
        self._gold: dict[str, dict[str, frozenset[str]]] = {subtask: {} for subtask in SUBTASKS}

    def add(self, mention: TripleMention, labels: dict[str, Iterable[str]] | None = None) -> None:
        self._mentions[mention.id] = mention
        for subtask, values in (labels or {}).items():
            self._gold[subtask][mention.id] = frozenset(values)

    def file(self, **rest: Any) -> TripleFile:
        gold = {subtask: labels for subtask, labels in self._gold.items() if labels}
        return TripleFile(tuple(self._mentions.values()), gold, **rest)


# Reports a fault: what was found, what was expected.
Complain = Callable[[str, str], None]


def filled(text: object, what: str, complain: Complain) -> str | None:
    """`text` when it is a string with at least one visible character; otherwise a complaint and `None`."""
    if isinstance(text, str) and text.strip():
        return text
    complain(f"{what} is {'empty' if isinstance(text, str) else 'no text'}", "a phrase")
    return None
