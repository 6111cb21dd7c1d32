"""A generated text beside its source: what people said about it, its factual accuracy, and a gate on its claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from tupelo.core.extraction import Triple
from tupelo.core.parameters import Among, Share, Spelled, Whole


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


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition on checked texts, all together: the least share of supported claims, the most claims that are not
    supported, and verdicts that no claim may have.

    >>> Gate(max_unsupported=0).failure({"supported": 1, "refuted": 2})
    'claims that are not supported: 2, asked for at most 0'
    """

    min_supported: Annotated[Share | None, "Exit with status 1 when a smaller share of the claims is supported."] = (
        None
    )
    max_unsupported: Annotated[
        Whole | None, Spelled.of("N"), "Exit with status 1 when more claims are not supported."
    ] = None
    fail_on: Annotated[
        Collection[str],
        Among(("refuted", "overstated", "unverifiable", "abstained")),
        "Exit with status 1 when any claim has this verdict. Repeat.",
    ] = ()

    def failure(self, counts: Mapping[str, int], reason: str = "") -> str:
        """The violated condition in one line; nothing if all hold. `counts` are the numbers of claims by verdict.

        A text that abstains claims nothing, and passes; one that could not be checked does not, for `reason`.
        """
        supported = counts.get("supported", 0)
        unsupported = sum(counts.get(verdict, 0) for verdict in ("refuted", "overstated", "unverifiable"))
        is_asked = self.min_supported is not None or self.max_unsupported is not None or bool(self.fail_on)
        if is_asked and not any(counts.values()):
            return f"nothing could be checked ({reason})"
        share = supported / (supported + unsupported) if supported + unsupported else 1.0
        if self.min_supported is not None and share < self.min_supported:
            return f"{share:.4f} of the claims are supported, asked for {self.min_supported}"
        if self.max_unsupported is not None and unsupported > self.max_unsupported:
            return f"claims that are not supported: {unsupported}, asked for at most {self.max_unsupported}"
        for verdict in self.fail_on:
            if counts.get(verdict, 0):
                return f"{verdict} claims: {counts[verdict]}, asked for none"
        return ""
