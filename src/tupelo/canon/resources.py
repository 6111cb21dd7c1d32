"""What methods may use besides the mentions themselves. `api` opens the files; a method only looks things up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tupelo.core import InputError
from tupelo.core.canonical import TripleMention

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tupelo.nlp.encoder import Pieces, States

Mentions: TypeAlias = Sequence[TripleMention]
WordVectors: TypeAlias = Mapping[str, "NDArray[np.float32]"]


def no_progress(steps: int) -> None:
    """The `advance` of callers that do not ask for progress."""


class StateEncoder(Protocol):
    """A BERT-like model that exposes all its layers: the shipped one (`nlp.encoder`) or any other."""

    @property
    def name(self) -> str: ...

    @property
    def layers(self) -> int: ...

    def cut(self, text: str) -> Pieces:
        """The subwords of a text, [CLS] and [SEP] included, whose offsets are (0, 0)."""

    def join(self, texts: Sequence[str]) -> Pieces:
        """Several texts as one input with a separator after each; offsets count from the start of each text."""

    def read(self, inputs: Iterable[Pieces]) -> Iterator[States]:
        """The states of what `cut` or `join` made, in order: (layers + 1, subwords, size), embeddings first."""


@dataclass(frozen=True, slots=True)
class CanonResources:
    """Everything that a method may ask for. What is `None` was not given.

    `paraphrases` maps a phrase to the representative of its PPDB cluster, `synonyms` gives the ids of a phrase's
    WordNet synsets, `side_pairs` has weighted pairs of phrases from a side-information file, by kind of slot
    ("entity" or "relation").
    """

    encoder: StateEncoder | None = None
    word_vectors: WordVectors | None = None
    paraphrases: Mapping[str, str] | None = None
    synonyms: Callable[[str], frozenset[str]] | None = None
    side_pairs: Mapping[str, Sequence[tuple[str, str, float]]] = field(default_factory=dict)

    def require(self, name: str, method: str) -> Any:
        """The resource of that name; an error that says how to give it where it is missing."""
        found = getattr(self, name)
        if found is None:
            option = name.replace("_", "-")
            raise InputError(f"method '{method}' needs {name.replace('_', ' ')}: give --{option}")
        return found

    def keys(self, form: str) -> Iterator[str]:
        """Keys of a normal form; forms with a common key mean the same by PPDB or by WordNet."""
        if self.paraphrases is not None and form in self.paraphrases:
            yield f"ppdb {self.paraphrases[form]}"
        if self.synonyms is not None:
            yield from (f"wordnet {synset}" for synset in self.synonyms(form))
