"""Equal words, nothing else: the floor that every method must beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tupelo.canon.cuts import FixedCut, distinct
from tupelo.canon.resources import Resources
from tupelo.core.canonical import SUBTASKS, TripleMention
from tupelo.core.progress import Advance


@dataclass(frozen=True, slots=True)
class SurfaceForms:
    """Phrases are one when their words are, case and spacing aside."""

    name: ClassVar[str] = "surface"
    needs: ClassVar[frozenset[str]] = frozenset()

    def prepare(
        self,
        mentions: Sequence[TripleMention],
        resources: Resources,
        *,
        seed: int = 0,
        advance: Advance = lambda steps: None,
    ) -> Surfaces:
        return Surfaces(mentions)


@dataclass(frozen=True, slots=True)
class Surfaces:
    mentions: Sequence[TripleMention]

    def subtask(self, name: str) -> FixedCut:
        slot = SUBTASKS[name]
        _, inverse = distinct([normal_form(mention.phrase(slot).text) for mention in self.mentions])
        return FixedCut(inverse)


def normal_form(text: str) -> str:
    """Lower case, single spaces."""
    return " ".join(text.casefold().split())
