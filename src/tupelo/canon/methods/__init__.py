"""The canonicalization methods by name, the protocol of a method, its resources, and clusterings for every threshold.

A method is one class: `name`, `title`, `needs` (resources without which it cannot run), `thresholds` (by subtask) and
perhaps `slope(subtask)` are its attributes, its options the keyword parameters of its constructor. Other packages add
theirs through the entry point group `tupelo.canonicalizers`. `api` opens the files of `CanonResources`; methods do no
input or output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from tupelo.core import InputError
from tupelo.core.canonical import Slot, TripleMention, normal_form
from tupelo.core.progress import Advance
from tupelo.core.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tupelo.core.protocols import SupportReader
    from tupelo.nlp.encoder import EncodedText, States
    from tupelo.relations.rules import RelationRule

Mentions: TypeAlias = Sequence[TripleMention]
WordVectors: TypeAlias = Mapping[str, "NDArray[np.float32]"]
# The model with the fitted heads and thresholds.
SHIPPED = "en-canon"


def no_progress(steps: int) -> None:
    """The `advance` of callers that do not ask for progress."""


def slot_forms(mentions: Mentions, slot: Slot) -> list[str]:
    """The normal form of every mention's phrase in a slot."""
    return [normal_form(mention.phrase(slot).text) for mention in mentions]


class StateEncoder(Protocol):
    """A BERT-like model that exposes all its layers: the shipped one (`nlp.encoder`) or any other."""

    @property
    def name(self) -> str: ...

    @property
    def layers(self) -> int: ...

    def cut(self, text: str) -> EncodedText:
        """The subwords of a text, [CLS] and [SEP] included, whose offsets are (0, 0)."""

    def join(self, texts: Sequence[str]) -> EncodedText:
        """Several texts as one input with a separator after each; offsets count from the start of each text."""

    def read(self, inputs: Iterable[EncodedText]) -> Iterator[States]:
        """The states of what `cut` or `join` made, in order: (layers + 1, subwords, size), embeddings first."""


@dataclass(frozen=True, slots=True)
class CanonResources:
    """The resources of a method; `None` if not given.

    `paraphrases` maps a phrase to the representative of its PPDB cluster, `synonyms` gives the ids of a phrase's
    WordNet synsets, `side_pairs` has weighted pairs of phrases from a side-information file, by kind of slot
    ("entity" or "relation"). `support` opens the support model on first use, `mine` finds rules between the
    relations of mentions.
    """

    encoder: StateEncoder | None = None
    word_vectors: WordVectors | None = None
    paraphrases: Mapping[str, str] | None = None
    synonyms: Callable[[str], frozenset[str]] | None = None
    side_pairs: Mapping[str, Sequence[tuple[str, str, float]]] = field(default_factory=dict)
    support: Callable[[], SupportReader] | None = None
    mine: Callable[[Mentions], Sequence[RelationRule]] | None = None

    def require(self, name: str, method: str) -> Any:
        """The resource of that name; an error with the option that gives it if it is missing."""
        found = getattr(self, name)
        if found is None:
            option = name.replace("_", "-")
            raise InputError(f"method '{method}' needs {name.replace('_', ' ')}: give --{option}")
        return found


class Cuttable(Protocol):
    """The result of a method for one subtask: a clustering for every threshold.

    Items are numbered like the mentions that the method was given.
    """

    @property
    def grid(self) -> Sequence[float]:
        """Thresholds worth trying, ascending. One value if the method has nothing to tune."""

    def labels(self, threshold: float) -> NDArray[np.int64]:
        """A cluster number per item. A higher threshold never splits clusters of a lower one."""


class PreparedMethod(Protocol):
    """A method that has seen the mentions: vectors computed, embeddings trained, rules mined."""

    def subtask(self, name: str) -> Cuttable:
        """One of `core.canonical.SUBTASKS`."""


class CanonMethod(Protocol):
    """A canonicalization method. Constructors take keyword options only, store them and do no work.

    `needs` names the resources without which it cannot run (see `CanonResources`). The same mentions, resources and
    seed give the same clusters. Four attributes are optional: `title`, a line for lists, `thresholds` by subtask,
    without which users have to give one, `slope(subtask)`: the distance from the threshold, as a share of it, at
    which the odds change by a factor of e, and `fitted_on`, the data whose labels each fitted head saw.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = ...
    ) -> PreparedMethod:
        """Do the work that does not depend on the subtask."""


METHODS: Registry[Callable[..., CanonMethod]] = Registry(
    "method",
    {
        "tupelo": "tupelo.canon.methods.tupelo:TupeloMethod",
        "surface": "tupelo_training.canon.untrained:SurfaceForms",
        "tokens": "tupelo_training.canon.untrained:SharedTokens",
        "ngrams": "tupelo_training.canon.untrained:CharacterVectors",
        "hole": "tupelo_training.canon.embedded:Hole",
        "side": "tupelo_training.canon.embedded:SideInformation",
        "cesi": "tupelo_training.canon.embedded:Cesi",
        "vae-gmm": "tupelo_training.canon.autoencoded:VaeGmm",
        "vae-gmm-side": "tupelo_training.canon.autoencoded:VaeGmmSide",
        "vae-gmm-hole": "tupelo_training.canon.autoencoded:VaeGmmHole",
        "cuva": "tupelo_training.canon.autoencoded:Cuva",
        "random": "tupelo_training.canon.untrained:RandomVectors",
        "words": "tupelo_training.canon.untrained:StaticVectors",
        "encoder": "tupelo_training.canon.untrained:EncoderVectors",
    },
    group="tupelo.canonicalizers",
)
