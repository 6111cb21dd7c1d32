"""The fitted part of the default method: three small heads over the states of the encoder.

* entities: the probability that two noun phrases are the same entity, by a logistic function of its features
  (`canon.forms`), or by their names alone (`names.same`), whichever is larger;
* relations: probabilities of known relations from the states of all three phrases and the sentence. The
  similarity of two mentions is that of these distributions (Bhattacharyya's coefficient), so that an unseen relation
  has its own mixture of classes; the relation's plain states are a second part of its vector;
* types: a projection in which things of one type are near each other, with the plain states as a second part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.context import Array, Context, unit
from tupelo.canon.forms import FEATURES, VECTOR_BLOCKS, Forms, candidate_pairs, pair_features, possible
from tupelo.canon.methods import SHIPPED
from tupelo.canon.words import Pairs
from tupelo.core.canonical import SUBTASKS, Slot
from tupelo.core.numeric import sigmoid
from tupelo.names.same import SURNAME
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model, model_path

Integers = NDArray[np.int64]

FORMAT = 1
# The entity head as readable JSON: a mean, spread and weight for each feature.
ENTITIES = "entities.json"
# `cased` is added to the weights in text with capitals.
ENTITY_ARRAYS = {**dict.fromkeys(("mean", "spread", "weights", "cased"), FEATURES), "bias": 1, "cased_bias": 1}

RELATION_BLOCKS = ("relation:4", "relation:6", "subject:4", "subject:6", "object:4", "object:6", "sentence:6")
TYPE_BLOCKS = ("own:3", "own:6", "phrase", "whole", "relation:6", "other:6")
# Pairs per batch.
_PAIRS = 1 << 15
# Blocks are unit vectors; this scales them so that weights of ordinary size can separate classes.
SCALE = 3.0


@dataclass(frozen=True, slots=True)
class Heads:
    """`arrays` as written by training; `settings`: weights of the parts of a vector, thresholds, slopes."""

    arrays: Mapping[str, Array]
    settings: Mapping[str, Any]

    @property
    def version(self) -> str:
        return str(self.settings["version"])

    def threshold(self, subtask: str) -> float:
        return float(self.settings["thresholds"][subtask])

    def slope(self, subtask: str) -> float:
        return float(self.settings["slopes"][subtask])

    def moments(self) -> dict[str, tuple[Array, Array]]:
        return {b: (self.arrays[f"entity.mean.{b}"], self.arrays[f"entity.deviation.{b}"]) for b in VECTOR_BLOCKS}

    def entity_pairs(self, forms: Forms, least: float, approximate: bool = False) -> tuple[Integers, Integers, Array]:
        """Pairs of forms that are the same entity with a probability above `least`, with that probability."""
        first, second = candidate_pairs(forms, approximate)
        found = []
        for start in range(0, len(first), _PAIRS):
            pairs = first[start : start + _PAIRS], second[start : start + _PAIRS]
            likely = self._likely(forms, pairs)
            reasons = np.array([forms.reason_one(*pair) for pair in zip(*pairs, strict=True)])
            kept = (likely > least) | (reasons != "")
            # The vetoes are slow, and few pairs are left.
            kept[kept] = possible(forms, (pairs[0][kept], pairs[1][kept]))
            found.append((pairs[0][kept], pairs[1][kept], likely[kept], reasons[kept]))
        if not found:
            return first, second, np.zeros(0, dtype=np.float32)
        first, second, likely, why = (np.concatenate(column) for column in zip(*found, strict=True))
        sure = _sure_reasons(forms, (first, second), why.tolist(), approximate)
        by_name = [self.settings["by_name"].get(reason, 0.0) for reason in sure]
        likely = np.maximum(likely, np.array(by_name, dtype=np.float32))
        kept = likely > least
        return first[kept], second[kept], likely[kept]

    def _likely(self, forms: Forms, pairs: Pairs) -> Array:
        """The probability by words and contexts that each pair is one entity."""
        features = (pair_features(forms, pairs) - self.arrays["entity.mean"]) / self.arrays["entity.spread"]
        scores = features @ self.arrays["entity.weights"] + self.arrays["entity.bias"]
        if forms.is_cased:
            scores += features @ self.arrays["entity.cased"] + self.arrays["entity.cased_bias"]
        return np.asarray(sigmoid(scores), dtype=np.float32)

    def relation_vectors(self, context: Context) -> Array:
        """Distributions over known relations beside the relation's own states."""
        features = relation_features(context, self.arrays)
        probabilities = softmax(features @ self.arrays["relation.weights"] + self.arrays["relation.bias"])
        plain = centred(context.block("relation:6"), self.arrays["relation.mean.relation:6"])
        return joined([(1.0, np.sqrt(probabilities)), (float(self.settings["relation_plain"]), plain)])

    def type_vectors(self, context: Context, slot: Slot) -> Array:
        """The projection beside the phrase's own states."""
        projected = unit(type_features(context, slot, self.arrays) @ self.arrays["type.projection"])
        own = (context.block("own:6", slot) - self.arrays[f"type.own.mean.{slot}"]) / self.arrays[
            f"type.own.deviation.{slot}"
        ]
        return joined([(1.0, projected), (float(self.settings["type_plain"]), unit(own))])


def _sure_reasons(forms: Forms, pairs: Pairs, reasons: Sequence[str], approximate: bool) -> list[str]:
    """The reasons of pairs, without surnames that may belong to several people.

    If `approximate`, not all bearers of a common name were compared.
    """
    bearers: dict[int, list[int]] = {}
    for left, right, reason in zip(*(side.tolist() for side in pairs), reasons, strict=True):
        if reason == SURNAME:
            short, full = sorted((left, right), key=lambda number: len(forms.texts[number].split()))
            bearers.setdefault(short, []).append(full)
    shared = {
        short
        for short, found in bearers.items()
        if (approximate and forms.is_common(short))
        or any(not forms.reason_one(one, other) for one, other in combinations(found, 2))
    }
    return [
        "" if reason == SURNAME and (left in shared or right in shared) else reason
        for left, right, reason in zip(*(side.tolist() for side in pairs), reasons, strict=True)
    ]


def relation_features(context: Context, arrays: Mapping[str, Array]) -> Array:
    blocks = [centred(context.block(name), arrays[f"relation.mean.{name}"]) for name in RELATION_BLOCKS]
    return np.concatenate(blocks, axis=1) * np.float32(SCALE)


def type_features(context: Context, slot: Slot, arrays: Mapping[str, Array]) -> Array:
    blocks = [centred(context.block(name, slot), arrays[f"type.mean.{slot}.{name}"]) for name in TYPE_BLOCKS]
    return np.concatenate(blocks, axis=1) * np.float32(SCALE)


def centred(vectors: Array, mean: Array) -> Array:
    return unit(vectors - mean)


def joined(parts: Sequence[tuple[float, Array]]) -> Array:
    """Parts of length 1 side by side: the cosine of two rows is the weighted mean of the parts' cosines."""
    return np.concatenate([np.float32(np.sqrt(weight)) * part for weight, part in parts if weight > 0], axis=1)


def softmax(scores: Array) -> Array:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


@lru_cache(maxsize=2)
def load_heads(path: str | Path | None = None) -> Heads:
    """The shipped heads, or those in a folder: `heads.safetensors`, `entities.json` and `config.json`."""
    folder = ModelFolder(find_model(SHIPPED) if path is None else model_path(path), "canonicalization heads")
    stored = folder.settings(FORMAT)
    with folder.reading(CONFIG):
        settings: dict[str, Any] = {
            "version": str(stored["version"]),
            **{name: float(stored[name]) for name in ("relation_plain", "type_plain", "type_entity")},
            **{name: {task: float(stored[name][task]) for task in SUBTASKS} for name in ("thresholds", "slopes")},
        }
    arrays = folder.tensors("heads.safetensors")
    with folder.reading(ENTITIES):
        entities = folder.json(ENTITIES)
        for name, size in ENTITY_ARRAYS.items():
            array = np.array(entities[name], dtype=np.float32)
            if array.shape != (size,):
                raise ValueError(f"'{name}' has the shape {array.shape}, expected ({size},)")
            arrays[f"entity.{name}"] = array
        settings["by_name"] = {str(name): float(value) for name, value in entities["by_name"].items()}
        for slot in ("subject", "object"):
            settings["thresholds"][slot] = float(entities["threshold"])
            settings["slopes"][slot] = float(entities["slope"])
    return Heads(arrays, settings)
