"""Does one statement follow from another? The pair that is asked about, and how it is answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tupelo.core.extraction import Triple
from tupelo.core.results import ResultList


@dataclass(frozen=True, slots=True)
class EntailmentPair:
    """`premise` is what is known, `hypothesis` what one would like to conclude from it.

    `entailed` is the judgement of people, `None` where nobody judged.
    """

    premise: Triple
    hypothesis: Triple
    entailed: bool | None = None

    def reversed(self) -> EntailmentPair:
        """The question the other way round, which nobody judged by judging this one."""
        return EntailmentPair(self.hypothesis, self.premise)

    def key(self) -> tuple[Triple, Triple]:
        """Premise and hypothesis as they are compared when two files are merged."""
        return _folded(self.premise), _folded(self.hypothesis)


def _folded(triple: Triple) -> Triple:
    return Triple(*(" ".join(part.split()).lower() for part in (triple.subject, triple.relation, triple.object)))


@dataclass(frozen=True, slots=True)
class RelationSignature:
    """A relation of a graph and the types of its arguments, empty where none is known."""

    name: str
    subject_types: frozenset[str] = frozenset()
    object_types: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Entailment:
    """How strongly a premise entails a hypothesis by a method, and the reverse; `None` is what was not asked for."""

    method: str
    pair: EntailmentPair
    score: float
    reverse: float | None = None
    reasons: tuple[str, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """What `tupelo infer --json` prints."""
        premise, hypothesis = self.pair.premise, self.pair.hypothesis
        found = {
            "method": self.method,
            "premise": [premise.subject, premise.relation, premise.object],
            "hypothesis": [hypothesis.subject, hypothesis.relation, hypothesis.object],
            "score": self.score,
            "reverse": self.reverse,
        }
        return found if self.reasons is None else {**found, "reasons": list(self.reasons)}

    def __str__(self) -> str:
        lines = [f"{self.score:.3f}  {_shown(self.pair.premise)}  =>  {_shown(self.pair.hypothesis)}"]
        if self.reverse is not None:
            lines.append(f"{self.reverse:.3f}  the reverse")
        return "\n".join([*lines, *(f"  {reason}" for reason in self.reasons or ())])


class Entailments(ResultList[Entailment]):
    """The scores of several pairs, in their order."""

    __slots__ = ("method",)

    def __init__(self, items: Iterable[Entailment], method: str) -> None:
        super().__init__(items)
        self.method = method

    def to_dict(self) -> dict[str, Any]:
        """The method and all pairs."""
        return {"method": self.method, "pairs": [item.to_dict() for item in self]}

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair."""
        return [
            {
                "premise": _shown(item.pair.premise),
                "hypothesis": _shown(item.pair.hypothesis),
                "score": item.score,
                "reverse": item.reverse,
                "entailed": item.pair.entailed,
            }
            for item in self
        ]

    def __str__(self) -> str:
        return "\n".join(map(str, self))


def _shown(triple: Triple) -> str:
    return f"{triple.subject} | {triple.relation} | {triple.object}"
