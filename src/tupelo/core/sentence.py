"""Sentences as they came, and what a tuple takes from them: spans of characters, arguments, attributions."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A line break after a hyphen within a word; soft and typographic hyphens break lines as well.
_BROKEN_WORD = re.compile(r"(?<=\w[-\u2010\u00ad])[^\S\n]*+\n\s*+(?=\w)")


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

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Argument:
    """One part of a tuple: the relation, the subject or any other argument.

    `role` is `None` where only the position says what the part is; otherwise
    `arg2`, `time`, `location`, or whatever the source calls it.
    `tokens` and `spans` may be discontinuous. `None` means that nobody said
    where the words are, an empty tuple that they are not in the sentence.
    `inferred` numbers the words of `text` (split at white space) that are
    known not to be in the sentence. `resolved` is the name that a pronoun, a
    short name or a description stands for, found elsewhere in the document, or
    `text` with a possessive by name: *Toyota's plants*.
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
