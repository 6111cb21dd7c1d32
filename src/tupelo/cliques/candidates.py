"""A paraphrase on its way into a clique."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from tupelo.core import Analysis

# A relation and its arguments, as text.
Told = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may say the same as another one.

    `origin` names how it was made (`passive`, `passive+cleft-adjunct`, a
    target parse). `alignment` has, for each of its words, the words of the
    original that it stands for; `None` where whoever made it does not know.
    `tuples` are those of the original, told of this sentence. `analysis` is
    its own parse, where one was made on the way.
    """

    text: str
    origin: str
    tuples: tuple[Told, ...]
    alignment: tuple[tuple[int, ...], ...] | None = field(default=None, repr=False)
    analysis: Analysis | None = field(default=None, repr=False, compare=False)


class Paraphraser(Protocol):
    """Makes paraphrases of a parsed sentence. `pretokenized` says how its text was cut into words."""

    name: str

    def paraphrase(self, sentences: list[Original]) -> list[list[Candidate]]:
        """The candidates of each sentence, the best first."""


@dataclass(frozen=True, slots=True)
class Original:
    """A sentence of a gold standard with its parse and its tuples."""

    analysis: Analysis
    tuples: tuple[Told, ...]
