"""What methods may use beside the mentions themselves. `cli` reads the files; a method only looks things up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tupelo.core import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CutText(Protocol):
    """A text as a model reads it; marks such as [CLS] and [SEP] have the offsets (0, 0)."""

    @property
    def ids(self) -> Sequence[int]: ...

    @property
    def offsets(self) -> Sequence[tuple[int, int]]: ...


class LayerStates(Protocol):
    """One encoded text: (layers + 1, pieces, size), layer 0 being the embeddings."""

    @property
    def vectors(self) -> NDArray[np.float32]: ...

    @property
    def offsets(self) -> Sequence[tuple[int, int]]: ...


class StateEncoder(Protocol):
    """A BERT-like model that shows all its layers: the shipped one (`nlp.encoder`) or any other."""

    @property
    def name(self) -> str: ...

    @property
    def layers(self) -> int: ...

    def cut(self, text: str) -> Any:
        """A `CutText`, marks included, of the model's own type."""

    def join(self, texts: Sequence[str]) -> Any:
        """Several texts as one input with a mark after each; offsets count in each text from its own start."""

    def read(self, inputs: Iterable[Any]) -> Iterator[Any]:
        """The `LayerStates` of what `cut` or `join` made, in order."""


WordVectors = Mapping[str, "NDArray[np.float32]"]


@dataclass(frozen=True, slots=True)
class Resources:
    """Everything a method may ask for. What is `None` was not given.

    `paraphrases` maps a phrase to the representative of its PPDB cluster,
    `synonyms` gives the WordNet synsets of a phrase as ids, `side_pairs` holds
    pairs of phrases with weights from a side-information file, by slot kind ("entity" or "relation").
    """

    encoder: StateEncoder | None = None
    word_vectors: WordVectors | None = None
    paraphrases: Mapping[str, str] | None = None
    synonyms: Callable[[str], frozenset[str]] | None = None
    side_pairs: Mapping[str, Sequence[tuple[str, str, float]]] = field(default_factory=dict)

    def require(self, name: str, method: str) -> Any:
        """The resource of that name, or a clear refusal."""
        found = getattr(self, name)
        if found is None:
            option = name.replace("_", "-")
            raise InputError(f"method '{method}' needs {name.replace('_', ' ')}: give --{option}")
        return found
