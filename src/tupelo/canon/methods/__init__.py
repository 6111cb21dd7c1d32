"""The canonicalization methods by name.

A method is one class: `name`, `title`, `needs` (resources without which it cannot run), `thresholds` (by subtask) and
perhaps `slope(subtask)` are its attributes, its options the keyword parameters of its constructor. Other packages add
theirs through the entry point group `tupelo.canonicalizers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from tupelo.core.registry import Registry

if TYPE_CHECKING:
    from tupelo.canon.method import CanonMethod, Cuttable

METHODS: Registry[Callable[..., CanonMethod]] = Registry(
    "method",
    {
        "tupelo": "tupelo.canon.methods.tupelo:TupeloMethod",
        "surface": "tupelo.canon.methods.untrained:SurfaceForms",
        "tokens": "tupelo.canon.methods.untrained:SharedTokens",
        "ngrams": "tupelo.canon.methods.untrained:CharacterVectors",
        "hole": "tupelo_training.canon.embedded:Hole",
        "side": "tupelo_training.canon.embedded:SideInformation",
        "cesi": "tupelo_training.canon.embedded:Cesi",
        "vae-gmm": "tupelo_training.canon.autoencoded:VaeGmm",
        "vae-gmm-side": "tupelo_training.canon.autoencoded:VaeGmmSide",
        "vae-gmm-hole": "tupelo_training.canon.autoencoded:VaeGmmHole",
        "cuva": "tupelo_training.canon.autoencoded:Cuva",
        "random": "tupelo.canon.methods.untrained:RandomVectors",
        "words": "tupelo.canon.methods.untrained:StaticVectors",
        "encoder": "tupelo.canon.methods.untrained:EncoderVectors",
    },
    group="tupelo.canonicalizers",
)


class ShippedMethod:
    """A method with shipped thresholds; `thresholds.json` names the data that they were fitted on."""

    __slots__ = ()

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()

    @property
    def thresholds(self) -> Mapping[str, float]:
        return _fitted_thresholds()[self.name]


@dataclass(frozen=True, slots=True)
class PreparedMentions:
    """A `PreparedMethod` with independent subtasks."""

    cut: Callable[[str], Cuttable]

    def subtask(self, name: str) -> Cuttable:
        return self.cut(name)


@cache
def _fitted_thresholds() -> Mapping[str, Mapping[str, float]]:
    from tupelo.canon.heads import SHIPPED
    from tupelo.nlp.folder import ModelFolder, find_model

    folder = ModelFolder(find_model(SHIPPED), "canonicalization heads")
    stored = folder.json("thresholds.json")
    with folder.reading("thresholds.json"):
        return {
            method: {subtask: float(value) for subtask, value in thresholds.items()}
            for method, thresholds in stored["thresholds"].items()
        }
