"""Methods that were not fitted to judged pairs: shared words and cosines.

`lemma`: the premise entails what it already says. The score is 1 when all base forms of the hypothesis' relation are
in the premise's, neither is negated alone, and the arguments are in the same order, or in the opposite one where the
voice changes (*wrote*, *was written by*); otherwise 0. The auxiliary *be* and the *by* of the passive are optional.

`overlap`: the weight of the shared words over the weight of all, so it is symmetric. A word in k of the n relations
that are compared weighs log((n + 1) / (k + 1)) + 1; for a single pair all words weigh nearly the same.

`embedding` is symmetric and in the manner of DIRT: relations with similar arguments are similar. The vectors come
from `tupelo embed relations`, or from any file of vectors. A relation without one gets the mean of the vectors of its
words where those exist; a pair without any vector scores -1. `encoder`, symmetric too, encodes the two whole triples
as sentences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.core.progress import Advance
from tupelo.core.vectors import Floats32, Vectors, unit_rows
from tupelo.inference.methods import InferenceResources, ShippedEntailment
from tupelo.inference.statements import are_swapped, as_text, folded
from tupelo.relations.phrases import RelationPhrase, base_relation, read_phrase

UNKNOWN = -1.0


class EmbeddingCosine(ShippedEntailment):
    """Cosine of the vectors of two relations."""

    name: ClassVar[str] = "embedding"
    title: ClassVar[str] = "cosine of relation vectors (--vectors), as in DIRT; symmetric"
    directional: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"vectors"})

    def __init__(self, resources: InferenceResources) -> None:
        self._vectors: Vectors = resources.require("vectors", self.name)

    def _score(self, pair: EntailmentPair) -> float:
        one, other = (direction_of(self._vectors, text) for text in (pair.premise.relation, pair.hypothesis.relation))
        return UNKNOWN if one is None or other is None else float(one @ other)

    def explain(self, pair: EntailmentPair) -> list[str]:
        lines = [f"cosine {self._score(pair):.3f}"]
        for text in (pair.premise.relation, pair.hypothesis.relation):
            name = known_name(self._vectors, text)
            if name is not None:
                near = ", ".join(item.name for item in self._vectors.neighbours(name, 5))
                lines.append(f"near '{text}': {near}")
            elif direction_of(self._vectors, text) is not None:
                lines.append(f"'{text}' has no vector; that of its words is used")
            else:
                lines.append(f"'{text}' has no vector")
        return lines


def known_name(vectors: Vectors, text: str) -> str | None:
    """The name of a phrase in the vectors: as it is, in lower case, with underscores, or in base form."""
    lower = folded(text)
    names = text, lower, lower.replace(" ", "_"), base_relation(text)
    return next((name for name in names if name in vectors), None)


def direction_of(vectors: Vectors, text: str) -> Floats32 | None:
    """The direction of a relation's vector, or of the mean of its words'; `None` when there is neither."""
    name = known_name(vectors, text)
    if name is not None:
        direction: Floats32 = vectors.directions[vectors.index[name]]
        return direction
    rows = [vectors.index[word] for word in read_phrase(text).words if word in vectors]
    if not rows:
        return None
    mean: Floats32 = unit_rows(np.mean(vectors.directions[rows], axis=0, keepdims=True, dtype=np.float32))[0]
    return mean


class EncoderCosine(ShippedEntailment):
    """Cosine of the vectors of two statements."""

    name: ClassVar[str] = "encoder"
    title: ClassVar[str] = "cosine of the statements' vectors; symmetric"
    directional: ClassVar[bool] = False

    def _scores(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        texts = [as_text(triple) for pair in pairs for triple in (pair.premise, pair.hypothesis)]
        vectors = self._encoder.encode(texts).astype(np.float64)
        found: list[float] = (vectors[::2] * vectors[1::2]).sum(axis=1).tolist()
        return found

    def explain(self, pair: EntailmentPair) -> list[str]:
        bare = [Triple("", triple.relation, "") for triple in (pair.premise, pair.hypothesis)]
        relations = EntailmentPair(bare[0], bare[1])
        return [
            f"cosine of the statements {self.scores([pair])[0]:.3f}, of the relations alone "
            f"{self.scores([relations])[0]:.3f}"
        ]


class LemmaContainment(ShippedEntailment):
    """1 for containment, 0 otherwise."""

    name: ClassVar[str] = "lemma"
    title: ClassVar[str] = "the premise has every base form of the hypothesis"

    def _score(self, pair: EntailmentPair) -> float:
        return float(not missing_words(pair) and fits(pair))

    def explain(self, pair: EntailmentPair) -> list[str]:
        missing = missing_words(pair)
        if missing:
            return [f"the premise lacks: {', '.join(missing)}"]
        return [
            "the premise has every word of the hypothesis",
            *([] if fits(pair) else ["but they do not fit together"]),
        ]


def missing_words(pair: EntailmentPair) -> list[str]:
    """Base forms of the hypothesis that the premise lacks."""
    known = set(_required(read_phrase(pair.premise.relation)))
    return [base for base in _required(read_phrase(pair.hypothesis.relation)) if base not in known]


def _required(phrase: RelationPhrase) -> list[str]:
    if not phrase.passive:
        return list(phrase.bases)
    return [base for base in phrase.bases if base not in ("be", "by")]


def fits(pair: EntailmentPair) -> bool:
    """Whether polarity is the same and the order of arguments agrees with the voices."""
    premise, hypothesis = read_phrase(pair.premise.relation), read_phrase(pair.hypothesis.relation)
    return premise.negated == hypothesis.negated and are_swapped(pair) == (premise.passive != hypothesis.passive)


class RelationOverlap(ShippedEntailment):
    """Weighted Jaccard index of the words of two relations."""

    name: ClassVar[str] = "overlap"
    title: ClassVar[str] = "shared words of the relations, rare words counting more; symmetric"
    directional: ClassVar[bool] = False

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> list[float]:
        weights = word_weights(pairs)
        return [weighted_overlap(*bases(pair), weights) for pair in pairs]

    def explain(self, pair: EntailmentPair) -> list[str]:
        premise, hypothesis = bases(pair)
        shared = ", ".join(sorted(premise & hypothesis)) or "nothing"
        return [f"shared words: {shared}; others: {', '.join(sorted(premise ^ hypothesis)) or 'none'}"]


def bases(pair: EntailmentPair) -> tuple[frozenset[str], frozenset[str]]:
    """Base forms of the words of both relations."""
    return frozenset(read_phrase(pair.premise.relation).bases), frozenset(read_phrase(pair.hypothesis.relation).bases)


def word_weights(pairs: Sequence[EntailmentPair]) -> Mapping[str, float]:
    """Inverse frequencies over the distinct relations of the pairs."""
    phrases = {triple.relation.lower() for pair in pairs for triple in (pair.premise, pair.hypothesis)}
    counts = Counter(base for phrase in phrases for base in set(read_phrase(phrase).bases))
    return {base: math.log((len(phrases) + 1) / (count + 1)) + 1 for base, count in counts.items()}


def weighted_overlap(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> float:
    # Sorted: a sum of floats depends on its order, and sets have none.
    whole = sum(weights[base] for base in sorted(one | other))
    return sum(weights[base] for base in sorted(one & other)) / whole if whole else 0.0
