"""Signatures read back: one grammar for all scorers.

    signature = scorer "|" name ":" value "|" … "|" "v:" version

Names and values hold no `|`, `:` or white space; where a value had some, it is percent-encoded. `yes` and `no` are
truth values, `+` joins the members of a list, `none` is an empty one. First come the files (`gold`, `pred`, each with
the start of its SHA-256) and how they were read, then the options of the scorer, last the version.

A scorer declares its options as `marks`: the name in the signature, the keyword of its constructor, and words for
values that need some. Both directions follow from this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tupelo.core import InputError

_TRUTH = {True: "yes", False: "no"}
_NONE = "none"
# Fields of a signature that describe the files, not the scorer.
FILES = ("gold", "pred", "format", "gold-format", "official", "gold-skipped", "pred-skipped", "skipped", "align")
# Further fields that are no option of a scorer: the version, and the resampling of `compare`.
_BESIDES = ("v", "samples", "seed")


@dataclass(frozen=True, slots=True)
class Mark:
    """An option in a signature. `words` name special values; `read` makes all other values from their text.

    Without a keyword it is a rule of the scorer that cannot be chosen.
    """

    name: str
    keyword: str = ""
    words: Mapping[Any, str] = field(default_factory=dict)
    read: Callable[[str], Any] = str

    def write(self, value: Any) -> Any:
        if isinstance(value, frozenset | tuple | list):
            return "+".join(sorted(value)) or self.words.get((), _NONE)
        return value if self.words is _TRUTH else self.words.get(value, value)

    def value(self, text: str) -> Any:
        """The value that was written as this text."""
        for value, word in self.words.items():
            if word == text:
                return value
        try:
            return self.read(text)
        except ValueError as error:
            raise InputError(f"{self.name}:{text} in a signature, expected a number") from error


def members(text: str) -> list[str]:
    """A list of names."""
    return [] if text == _NONE else text.split("+")


FIXES = Mark("fixes", "fixes", read=members)


def switch(name: str, keyword: str, *, on: str = "yes", off: str = "no") -> Mark:
    """An option that is on or off."""
    return Mark(name, keyword, {True: on, False: off} if (on, off) != ("yes", "no") else _TRUTH)


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature, taken apart."""

    scorer: str
    fields: Mapping[str, str]

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature back.

        >>> Signature.parse("carb|gold:dev.tsv@2081484b|binary:no|v:0.1.0").fields["binary"]
        'no'
        """
        scorer, *parts = text.strip().split("|")
        fields: dict[str, str] = {}
        for part in parts:
            name, colon, value = part.partition(":")
            if not colon or not name or name in fields:
                wrong = f"'{name}' twice" if name in fields else f"'{part}'"
                raise InputError(f"signature '{text}': {wrong}, expected name:value once each, separated by |")
            fields[name] = unquote(value)
        if "v" not in fields:
            raise InputError(f"signature '{text}': no version, expected scorer|name:value|…|v:VERSION")
        return cls(scorer, fields)

    def options(self, marks: Iterable[Mark]) -> dict[str, Any]:
        """The keywords of the scorer's constructor."""
        known = {mark.name: mark for mark in marks}
        options: dict[str, Any] = {}
        for name, text in self.fields.items():
            if name in known and known[name].keyword:
                options[known[name].keyword] = known[name].value(text)
            elif name not in (*known, *FILES, *_BESIDES):
                raise InputError(f"{name}:{text} in a signature, expected an option of {self.scorer}")
        return options

    def departures(self, other: Signature) -> list[str]:
        """One sentence for each part in which another run differs, predictions and names of files aside."""
        names = [name for name in dict.fromkeys([*self.fields, *other.fields]) if name not in _OF_PREDICTIONS]
        found = []
        for name in names:
            ours, theirs = self.fields.get(name, "nothing"), other.fields.get(name, "nothing")
            if _content(name, ours) != _content(name, theirs):
                found.append(f"{name} is {theirs}, the signature has {ours}")
        return found


# `official` follows from the content of the gold file.
_OF_PREDICTIONS = ("pred", "pred-skipped", "system", "format", "official")


def _content(name: str, value: str) -> str:
    return value.rpartition("@")[2] if name == "gold" else value
