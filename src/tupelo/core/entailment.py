"""Does one statement follow from another? The pair that is asked about, and how it is answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tupelo.core.extraction import Triple
from tupelo.core.results import ResultList

_SENTENCE_ENDS = (".", "?", "!")
_FEWEST_WORDS = 3


def whole_statement(text: str) -> Triple:
    """A sentence that is not divided: all of it is the relation, and the arguments are empty."""
    return Triple("", text, "")


def is_whole(statement: Triple) -> bool:
    """Whether a statement is a sentence that is not divided."""
    return not statement.subject and not statement.object


def parse_statement(text: str) -> Triple | None:
    """`argument, relation, argument` as a triple, a sentence as a whole; `None` for anything else.

    A sentence has three words or more and no comma, or it ends like one. Three parts between commas are a triple,
    unless there is a space after a comma and a full stop at the end.

    >>> parse_statement("Ann,founded,Ferries")
    Triple(subject='Ann', relation='founded', object='Ferries')
    >>> parse_statement("In 1990, Ann left, and Bo stayed.").relation
    'In 1990, Ann left, and Bo stayed.'
    """
    text = text.strip()
    parts = [part.strip() for part in text.split(",")]
    ended = text.endswith(_SENTENCE_ENDS)
    if len(parts) == 3 and all(parts) and not (ended and ", " in text):
        return Triple(*parts)
    long_enough = len(text.split()) >= _FEWEST_WORDS
    return whole_statement(text) if long_enough and (ended or len(parts) == 1) else None


@dataclass(frozen=True, slots=True)
class EntailmentPair:
    """`premise` is what is known, `hypothesis` what one would like to conclude from it.

    Either may be a sentence that is not divided (`whole_statement`). `entailed` is the judgement of people, `None`
    where nobody judged.
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
    """The scores of a method for a premise entailing a hypothesis, and the reverse; `None` where not requested."""

    method: str
    pair: EntailmentPair
    score: float
    reverse: float | None = None
    reasons: tuple[str, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The output of `tupelo infer --json`."""
        found = {
            "method": self.method,
            "premise": _as_data(self.pair.premise),
            "hypothesis": _as_data(self.pair.hypothesis),
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


def _as_data(statement: Triple) -> str | list[str]:
    if is_whole(statement):
        return statement.relation
    return [statement.subject, statement.relation, statement.object]


def _shown(statement: Triple) -> str:
    if is_whole(statement):
        return statement.relation
    return f"{statement.subject} | {statement.relation} | {statement.object}"
