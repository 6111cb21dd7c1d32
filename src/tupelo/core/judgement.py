"""A generated text beside its source: what people said about it, and its factual accuracy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tupelo.core.extraction import Triple


@dataclass(frozen=True, slots=True)
class JudgedText:
    """One text to be checked. `None` is what a dataset does not tell.

    `sentences` are those of the generated text where the dataset has split it. `score` is what people said, 1 being
    faithful to the source and 0 not at all; `label` is the same as a verdict. `error_types` are names of errors.
    """

    id: str
    generated: str
    source: str | None = None
    # The parts of the source, where it has several, and the question that the text answers.
    passages: tuple[str, ...] = ()
    question: str = ""
    sentences: tuple[str, ...] = ()
    score: float | None = None
    label: bool | None = None
    system: str | None = None
    error_types: tuple[str, ...] = ()
    # The answers of each person, for every question: a list of answers per sentence, or per text.
    answers: tuple[tuple[str, ...], ...] = ()
    # The part of the dataset, such as `valid`, where it has parts.
    split: str | None = None


@dataclass(frozen=True, slots=True)
class FactAccuracy:
    """Accuracy in [0, 1], or `None` with a `reason`; `supported` of `checked` claims."""

    value: float | None
    supported: tuple[Triple, ...] = ()
    refuted: tuple[Triple, ...] = ()
    unverifiable: tuple[Triple, ...] = ()
    reason: str = ""

    @classmethod
    def of(
        cls, supported: Iterable[Triple], refuted: Iterable[Triple], unverifiable: Iterable[Triple]
    ) -> FactAccuracy:
        """The share of supported claims among those that the source supports or refutes."""
        made = cls(None, tuple(supported), tuple(refuted), tuple(unverifiable))
        if made.checked:
            return replace(made, value=len(made.supported) / made.checked)
        none = not made.unverifiable
        return replace(made, reason="the text makes no claim" if none else "the source says nothing about any claim")

    @property
    def checked(self) -> int:
        return len(self.supported) + len(self.refuted)

    def to_dict(self) -> dict[str, Any]:
        """The value with the facts behind it, or the reason why it is unknown."""
        facts = {
            kind: [[fact.subject, fact.relation, fact.object] for fact in getattr(self, kind)]
            for kind in ("supported", "refuted", "unverifiable")
        }
        return {"value": self.value, "reason": self.reason or None, **facts}

    def lines(self, name: str) -> Iterator[str]:
        """Lines of text: the value, and the facts that the source refutes."""
        if self.value is None:
            yield f"fact_acc {name} –   ({self.reason})"
            return
        yield f"fact_acc {name} {self.value:.3f}   ({len(self.supported)} of {self.checked} facts)"
        for fact in self.refuted:
            yield f"  x {fact.subject}; {fact.relation}; {fact.object}"
