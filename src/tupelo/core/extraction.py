"""What an extractor makes: one n-ary tuple with everything known about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

from tupelo.core.sentence import Sentence
from tupelo.core.span import Span
from tupelo.core.triple import Triple

# A tuple without confidence counts as certain wherever a number is needed, as gold files do in CaRB's program.
UNKNOWN_CONFIDENCE = 1.0


@dataclass(frozen=True, slots=True)
class Argument:
    """One part of a tuple: the relation, the subject or any other argument.

    `role` is `None` where only the position says what the part is; otherwise
    `arg2`, `time`, `location`, or whatever the source calls it.
    `tokens` and `spans` may be discontinuous. `None` means that nobody said
    where the words are, an empty tuple that they are not in the sentence.
    `inferred` numbers the words of `text` (split at white space) that are
    known not to be in the sentence. `resolved` is the fuller name that a
    pronoun or a short name stands for, found elsewhere in the document.
    """

    text: str
    role: str | None = None
    tokens: tuple[int, ...] | None = None
    spans: tuple[Span, ...] | None = None
    inferred: tuple[int, ...] = ()
    resolved: str | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who said it, with which verb; `text` is the wording of the source where it was not taken apart."""

    speaker: str | None = None
    verb: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """A tuple *(arg1; rel; args…)* found in a sentence.

    `arg1` is `None` for a relation without any argument. `confidence` is
    whatever scale the source uses (some use log values); `None` is unknown,
    NaN is refused. `group` names the unit of a gold standard that the tuple
    belongs to: a fact cluster of BenchIE, a clique of ROBUST. `negated`,
    `modality`, `attribution` and `context` say under which reservations the
    sentence claims the tuple; `rule` names what made it, for people who ask why.
    """

    sentence: Sentence
    rel: Argument
    arg1: Argument | None = None
    args: tuple[Argument, ...] = ()
    confidence: float | None = None
    negated: bool | None = None
    modality: str | None = None
    attribution: Attribution | None = None
    context: Argument | None = None
    group: str | None = None
    extractor: str | None = None
    extractor_version: str | None = None
    rule: str | None = None

    def __post_init__(self) -> None:
        if self.confidence is not None and isnan(self.confidence):
            raise ValueError("confidence is NaN; use None when it is not known")
        if self.arg1 is None and self.args:
            raise ValueError("a tuple with arguments needs arg1; the first argument belongs there")

    @property
    def counted_confidence(self) -> float:
        """The confidence, or that of a certain tuple where it is not known."""
        return UNKNOWN_CONFIDENCE if self.confidence is None else self.confidence

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """All arguments in order, `arg1` first."""
        return () if self.arg1 is None else (self.arg1, *self.args)

    @classmethod
    def of(
        cls,
        sentence: str | Sentence,
        rel: str,
        arguments: Iterable[str] = (),
        *,
        confidence: float | None = None,
    ) -> Extraction:
        """A tuple from plain strings, arguments in order.

        >>> print(Extraction.of("He ate.", "ate", ["He"]).arg1)
        He
        """
        if not isinstance(sentence, Sentence):
            sentence = Sentence(sentence)
        parts = tuple([Argument(text) for text in arguments])
        return cls(sentence, Argument(rel), parts[0] if parts else None, parts[1:], confidence)

    def triple(self) -> Triple:
        """Three strings; arguments after the second are joined to it with a space."""
        return Triple(
            subject=self.arg1.text if self.arg1 else "",
            relation=self.rel.text,
            object=" ".join(argument.text for argument in self.args),
        )

    def __str__(self) -> str:
        parts = [str(self.arg1) if self.arg1 else "", str(self.rel), *map(str, self.args)]
        return f"({'; '.join(parts)})"

    def _repr_html_(self) -> str:
        """How a notebook shows the tuple: its parts, and the sentence with their places marked."""
        from tupelo.core.highlight import extraction_html

        return extraction_html(self)
