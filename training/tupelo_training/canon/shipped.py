"""What the methods of papers share: thresholds that ship, subtasks that do not depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from tupelo.canon.methods import SHIPPED, Cuttable
from tupelo.nlp.folder import ModelFolder, find_model


class ShippedMethod:
    """A method with shipped thresholds; `thresholds.json` names the data that they were fitted on."""

    __slots__ = ()

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()

    @property
    def thresholds(self) -> Mapping[str, float]:
        return _fitted_thresholds()[self.name]


@dataclass(frozen=True, slots=True)
class PreparedMentions:
    """A `PreparedMethod` with independent subtasks."""

    cut: Callable[[str], Cuttable]

    def subtask(self, name: str) -> Cuttable:
        return self.cut(name)


@cache
def _fitted_thresholds() -> Mapping[str, Mapping[str, float]]:
    folder = ModelFolder(find_model(SHIPPED), "canonicalization heads")
    stored = folder.json("thresholds.json")
    with folder.reading("thresholds.json"):
        return {
            method: {subtask: float(value) for subtask, value in thresholds.items()}
            for method, thresholds in stored["thresholds"].items()
        }


@dataclass(frozen=True, slots=True)
class StartChanges:
    """The number of initial clusters that training changed, and of all of them.

    A prepared method that trains from an initial clustering has `changes(subtask, threshold)`, which returns these.
    """

    changed: int
    clusters: int

    def __str__(self) -> str:
        return f"{self.changed:,} of {self.clusters:,} clusters changed"
