"""Candidate paraphrases for a clique, and the protocol of paraphrasers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from tupelo.core import Analysis

# A relation and its arguments, as text.
TextTuple: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Original:
    """A sentence of a gold standard with its parse and its tuples."""

    analysis: Analysis
    tuples: tuple[TextTuple, ...]

    @property
    def unchanged(self) -> Rewording:
        """The sentence as a rewording of itself."""
        alignment = tuple((index,) for index in range(len(self.analysis.words)))
        return Rewording(self.analysis.text, "", self.tuples, alignment)


@dataclass(frozen=True, slots=True)
class Rewording:
    """A sentence that may have the same meaning as another one.

    `origin` names how it was made (`passive`, `passive+cleft-adjunct`, a target parse). `alignment` has, for each of
    its words, the words of the original that it stands for; `None` if unknown. `tuples` are
    those of the original, adapted to this sentence. `analysis` is its parse, if the paraphraser needed one.
    """

    text: str
    origin: str
    tuples: tuple[TextTuple, ...]
    alignment: tuple[tuple[int, ...], ...] | None = field(default=None, repr=False)
    analysis: Analysis | None = field(default=None, repr=False, compare=False)


class Paraphraser(Protocol):
    """Makes paraphrases of parsed sentences."""

    @property
    def name(self) -> str: ...

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """The candidates of each sentence, best first."""
