"""Side information: pairs of forms that something outside the triples, or a rule over them, holds to be one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tupelo.canon.embed.vocabulary import Floats, Integers, Vocabulary
from tupelo.canon.methods.surface import normal_form
from tupelo.canon.methods.tokens import mutual_rules, overlaps
from tupelo.canon.resources import Resources
from tupelo.core.canonical import TripleMention

# Shared words count from here on (similarity by rarity, 0 to 1); the token baseline's best cut lies near it.
LEAST_OVERLAP = 0.5
# A key that more forms share says too little about each pair of them.
_MOST_SHARERS = 40


@dataclass(frozen=True, slots=True)
class SidePairs:
    """Forms `left[i]` and `right[i]` belong together with weight `weights[i]`, 0 to 1."""

    left: Integers
    right: Integers
    weights: Floats


def find_side_pairs(
    kind: str, vocabulary: Vocabulary, mentions: Sequence[TripleMention], resources: Resources
) -> SidePairs:
    """Shared rare words, paraphrases, synonyms, a linker's guesses, a side-information file, relation rules."""
    forms = vocabulary.forms(kind)
    numbers = {form: number for number, form in enumerate(forms)}
    pairs: dict[tuple[int, int], float] = {}

    def add(one: int, other: int, weight: float) -> None:
        if one != other:
            key = min(one, other), max(one, other)
            pairs[key] = max(weight, pairs.get(key, 0.0))

    for one, other, similarity in overlaps(forms):
        if similarity >= LEAST_OVERLAP:
            add(one, other, similarity)
    keys: dict[str, set[int]] = defaultdict(set)
    for number, form in enumerate(forms):
        if resources.paraphrases is not None and form in resources.paraphrases:
            keys[f"ppdb {resources.paraphrases[form]}"].add(number)
        if resources.synonyms is not None:
            for synset in resources.synonyms(form):
                keys[f"wordnet {synset}"].add(number)
    if kind == "entity":
        for mention in mentions:
            for phrase, link in zip((mention.subject, mention.object), mention.links, strict=True):
                if link is not None:
                    keys[f"link {link}"].add(numbers[normal_form(phrase.text)])
    else:
        for left, right in mutual_rules(mentions, 2, 0.8):
            add(numbers[left], numbers[right], 1.0)
    for sharers in keys.values():
        if len(sharers) <= _MOST_SHARERS:
            for one, other in combinations(sorted(sharers), 2):
                add(one, other, 1.0)
    for left, right, weight in resources.side_pairs.get(kind, ()):
        first, second = numbers.get(normal_form(left)), numbers.get(normal_form(right))
        if first is not None and second is not None:
            add(first, second, min(1.0, max(0.0, weight)))
    table = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    weights = np.array([pairs[one, other] for one, other in table.tolist()], dtype=np.float32)
    return SidePairs(table[:, 0], table[:, 1], weights)


def side_loss(vectors: Floats, pairs: SidePairs) -> tuple[float, Floats]:
    """The weighted mean of squared distances inside pairs, and its gradient."""
    gradient = np.zeros_like(vectors)
    if not len(pairs.left):
        return 0.0, gradient
    apart = vectors[pairs.left] - vectors[pairs.right]
    weights = pairs.weights[:, None] / len(pairs.left)
    np.add.at(gradient, pairs.left, 2 * weights * apart)
    np.add.at(gradient, pairs.right, -2 * weights * apart)
    return float((weights * apart**2).sum()), gradient
