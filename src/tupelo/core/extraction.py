"""Sentences as they came, and n-ary tuples found in them with everything known about each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, TypeAlias

from tupelo.core.registry import Shown, view

# A line break after a hyphen within a word; soft and typographic hyphens break lines as well.
_BROKEN_WORD = re.compile(r"(?<=\w[-\u2010\u00ad])[^\S\n]*+\n\s*+(?=\w)")
_NOT_SPACE = re.compile(r"[^\S ]")


def on_one_line(text: str) -> str:
    """Text as it is written, with single spaces, and none where a line was broken at a hyphen.

    >>> on_one_line("Nazanin  Zaghari-\\nRatcliffe\\nleft")
    'Nazanin Zaghari-Ratcliffe left'
    """
    return " ".join((_BROKEN_WORD.sub("", text) if "\n" in text else text).split())


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open `[start, end)`, counted in Unicode code points from the start of the sentence.

    >>> Span(4, 8).of("Ann sold it")
    'sold'
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span [{self.start}, {self.end}) is not 0 <= start <= end")

    def of(self, text: str) -> str:
        """The words that the span covers in `text`."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The text of a sentence, never normalised, with what is known about it.

    `tokens` is `None` when nobody tokenised the sentence; token numbers in an
    extraction then count the words between single spaces.
    """

    text: str
    id: str | None = None
    document_id: str | None = None
    tokens: tuple[str, ...] | None = None

    @property
    def sentence(self) -> Sentence:
        """Itself: every record has a sentence, whether it is a tuple or a sentence without any."""
        return self

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Argument:
    """One part of a tuple: the relation, the subject or any other argument.

    `role` is `None` where only the position says what the part is; otherwise `arg2`, `time`, `location`, or whatever
    the source calls it. `tokens` and `spans` may be discontinuous. `None` means that nobody said where the words are,
    an empty tuple that they are not in the sentence. `inferred` numbers the words of `text` (split at white space)
    that are known not to be in the sentence. `resolved` is the name that a pronoun, a short name or a description
    stands for, found elsewhere in the document, or `text` with a possessive by name: *Toyota's plants*.
    """

    text: str
    role: str | None = None
    tokens: tuple[int, ...] | None = None
    spans: tuple[Span, ...] | None = None
    inferred: tuple[int, ...] = ()
    resolved: str | None = None

    @property
    def kind(self) -> str:
        """The kind of an argument after the first: `time`, `location`, or `arg` for any other."""
        return self.role if self.role in ("time", "location") else "arg"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Attribution:
    """The speaker and the verb of saying; `text` is the wording of the source where it was not analysed."""

    speaker: str | None = None
    verb: str | None = None
    text: str | None = None

    def __str__(self) -> str:
        if self.text:
            return self.text
        # "Brekke said", but "according to the archive".
        preposition_first = (self.verb or "").endswith(" to")
        words = (self.verb, self.speaker) if preposition_first else (self.speaker, self.verb)
        return " ".join(word for word in words if word)


# Stances of a sentence towards its content. Only the first is a claim of the text itself.
STANCES = {
    "asserted": "what the text claims",
    "reported": "what somebody is said to have said",
    "believed": "what somebody is said to believe",
    "possible": "what may, must, should or will be, or is intended",
    "conditional": "what holds on a condition, and the condition itself",
    "asked": "what is asked",
    "denied": "what the text says is not so",
}
# A tuple without confidence counts as certain wherever a number is needed, as gold files do in CaRB's program.
UNKNOWN_CONFIDENCE = 1.0


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a tuple is as it is.

    `about` is the `rule`, a part of the tuple (`arg1`, `arg`, `time`, `location`), a reservation (`not`, `modality`,
    `attribution`, `context`) or the `confidence`; `weight` is how much a reason adds to the log-odds of the latter.
    """

    about: str
    text: str
    weight: float | None = None

    def __str__(self) -> str:
        return f"{self.about}: {self.text}{'' if self.weight is None else f' ({self.weight:+.2f})'}"


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, relation and object as phrases, nothing resolved."""

    subject: str
    relation: str
    object: str

    def __str__(self) -> str:
        return f"({self.subject}; {self.relation}; {self.object})"


@dataclass(frozen=True, slots=True, repr=False)
class Extraction(Shown):
    """A tuple *(arg1; rel; args…)* found in a sentence.

    `arg1` is `None` for a relation without any argument. `confidence` is whatever scale the source uses (some use log
    values); `None` is unknown, NaN is refused. `group` names the unit of a gold standard that the tuple belongs to: a
    fact cluster of BenchIE, a clique of ROBUST. `negated`, `modality`, `attribution` and `context` say under which
    reservations the sentence claims the tuple; `rule` names what made it, for people who ask why. A `minor` tuple is
    right, but a shorter form of another one of the sentence, or says little on its own. `reasons` explain it, if
    that was asked for.

    >>> sold = Extraction(Sentence("Ann sold it"), rel=Argument("sold"), arg1=Argument("Ann"), args=(Argument("it"),))
    >>> print(sold)
    (Ann; sold; it)
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
    minor: bool = False
    reasons: tuple[Reason, ...] = ()

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

    @property
    def subject(self) -> Argument | None:
        """The first argument, as in `arg1`."""
        return self.arg1

    @property
    def relation(self) -> Argument:
        """The relation, as in `rel`."""
        return self.rel

    @property
    def object(self) -> Argument | None:
        """The second argument; `None` if there is none."""
        return self.args[0] if self.args else None

    @classmethod
    def of(
        cls, sentence: str | Sentence, rel: str, arguments: Iterable[str] = (), *, confidence: float | None = None
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

    def __repr__(self) -> str:
        return f"<Extraction {self}{'' if self.confidence is None else f' {self.confidence:.2f}'}>"

    def frame_row(self) -> dict[str, Any]:
        """One row of a data frame: all that is known of the tuple, spans counted in characters of the sentence."""

        def spans(part: Argument | None) -> list[list[int]]:
            return [[span.start, span.end] for span in part.spans or ()] if part else []

        return {
            "document": self.sentence.document_id,
            "sentence": self.sentence.text,
            "arg1": self.arg1.text if self.arg1 else None,
            "rel": self.rel.text,
            "args": [argument.text for argument in self.args],
            "confidence": self.confidence,
            "arg1_resolved": self.arg1.resolved if self.arg1 else None,
            "args_resolved": [argument.resolved for argument in self.args],
            "stance": self.stance,
            "negated": self.negated,
            "modality": self.modality,
            "attribution": str(self.attribution) if self.attribution else None,
            "context": self.context.text if self.context else None,
            "times": [argument.text for argument in self.args if argument.role == "time"],
            "places": [argument.text for argument in self.args if argument.role == "location"],
            "arg1_spans": spans(self.arg1),
            "rel_spans": spans(self.rel),
            "args_spans": [spans(argument) for argument in self.args],
            "reservations": "; ".join(self.reservations()),
        }

    def labelled_parts(self) -> list[tuple[str, Argument]]:
        """Relation and arguments in reading order, each with its kind: `arg1`, `rel`, `arg`, `time`, `location`."""
        parts = [("arg1", self.arg1)] if self.arg1 is not None else []
        return [*parts, ("rel", self.rel), *((part.kind, part) for part in self.args)]

    @property
    def stance(self) -> str:
        """A key of `STANCES`: the strongest reservation of the sentence."""
        role = self.context.role if self.context is not None else None
        if role == "question":
            return "asked"
        if role in ("condition", "hypothesis"):
            return "conditional"
        if self.modality is not None:
            return "possible"
        if self.negated:
            return "denied"
        if role == "belief":
            return "believed"
        return "asserted" if self.attribution is None else "reported"

    def reservations(self) -> list[str]:
        """Under which reservations the sentence claims the tuple, in a few words each."""
        notes = ["not" if self.negated else "", self.modality or "", str(self.attribution or "")]
        if self.context is not None:
            role = f"{self.context.role}: " if self.context.role else ""
            notes.append(f"{role}{self.context.text}")
        return [note for note in notes if note]

    def tuple_html(self) -> str:
        """The parts of the tuple, its reservations and its confidence."""
        return view(self, "tuple")

    def sentence_html(self) -> str:
        """The sentence with the parts of the tuple marked where they stand."""
        return view(self, "sentence")


# The unit of readers and writers. A bare sentence was processed and has no tuple (or none yet); scorers must
# not lose it.
Record: TypeAlias = Extraction | Sentence


def in_one_line(record: Record) -> Record:
    """The record with its sentence on one line: line breaks, tabs and similar characters become spaces.

    Characters keep their offsets, so all spans stay valid.
    """
    sentence = record.sentence
    text = _NOT_SPACE.sub(" ", sentence.text)
    if text == sentence.text:
        return record
    sentence = replace(sentence, text=text)
    return sentence if isinstance(record, Sentence) else replace(record, sentence=sentence)


@dataclass(frozen=True, slots=True)
class SentenceTuples:
    """A sentence, its tuples, and where it starts in the text that was read.

    `partial`: the sentence was longer than the limit and goes on in the next. `failure`: why nothing could be
    extracted from it.
    """

    sentence: Sentence
    extractions: tuple[Extraction, ...]
    start: int = 0
    partial: bool = False
    failure: str | None = None

    @property
    def records(self) -> tuple[Record, ...]:
        """The tuples, or the bare sentence where there are none: what a file of tuples holds."""
        return self.extractions or (self.sentence,)

    def __str__(self) -> str:
        return "\n".join([self.sentence.text, *(f"  {extraction}" for extraction in self.extractions)])
