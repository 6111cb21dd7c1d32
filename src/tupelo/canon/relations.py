"""Relation phrases of open text that mean the same, judged by the support model in both directions.

Forms that differ in tense, auxiliaries and articles alone are one relation: *founded*, *had founded the*. What
differs in negation, modality, intention or roles, or a copula in its tense (*is*, *was president of*), is not. Every
other form is compared with the few whose vectors are nearest. Two relations are one if each follows from the other
when they are said of real arguments of both: *Ann bought Acme* and *Ann acquired Acme*, *Bo bought Bolt* and *Bo
acquired Bolt*. An active and a passive with an agent are compared with the arguments exchanged: *was bought by* is
*bought*, turned. Clusters grow by complete linkage: a form joins only if it was judged to be one with every member.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.clusters import normal_form
from tupelo.canon.context import Array, unit
from tupelo.canon.cuts import distinct, in_order_of_appearance
from tupelo.canon.method import Hierarchy, Mentions
from tupelo.core.protocols import SupportReader
from tupelo.nlp.languages.en.modality import MODALS
from tupelo.nlp.languages.en.negation import NEGATING_ADVERBS
from tupelo.nlp.languages.en.opposites import OPPOSITES
from tupelo.nlp.languages.en.verbs import PAST_AUXILIARIES
from tupelo.nlp.relation_phrases import RelationPhrase, base_relation, read_phrase

# Nearest forms that a form is compared with, and the cosine that they need.
_NEIGHBOURS = 3
_NEAR = 0.6
_LONGEST_ARGUMENT = 60
# The smallest probability that keeps a pair.
_LEAST = 0.5
# A merge of relations may be wrong with this probability, by the model's own account.
LARGEST_DOUBT = 0.4
_GRID = tuple(round(0.05 * step, 2) for step in range(1, 11))


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two groups of forms that are one relation with this probability; `turned` if with the roles exchanged."""

    first: int
    second: int
    turned: bool
    probability: float


class JudgedRelations:
    """A `Cuttable` over the relations of mentions: the threshold is the largest doubt of a merge."""

    grid: Sequence[float] = _GRID

    def __init__(self, mentions: Mentions, vectors: Array, support: SupportReader) -> None:
        """`vectors` has a row per mention: what its relation means in its sentence."""
        self._mentions, self._vectors, self._support = mentions, vectors, support
        texts = [normal_form(mention.relation.text) for mention in mentions]
        firsts, self._items = distinct([form_key(text) for text in texts])
        self._texts = [texts[first] for first in firsts]

    def labels(self, threshold: float) -> NDArray[np.int64]:
        return in_order_of_appearance(self._oriented(threshold)[0][self._items])

    def turned(self, threshold: float) -> NDArray[np.bool_]:
        """Whether each mention has its roles exchanged, as compared with the first form of its cluster."""
        found: NDArray[np.bool_] = self._oriented(threshold)[1][self._items]
        return found

    def tree(self) -> Hierarchy | None:
        return None

    def _oriented(self, threshold: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        likely = [found for found in self._likenesses if 1 - found.probability < threshold]
        return merge_oriented(len(self._texts), likely)

    @cached_property
    def _likenesses(self) -> list[Likeness]:
        phrases = [read_phrase(text) for text in self._texts]
        pairs = [
            (first, second, _has_agent(phrases[first]) != _has_agent(phrases[second]))
            for first, second in self._near_pairs()
            if may_be_one(phrases[first], phrases[second])
        ]
        # Each of the two is said of the arguments of both, and the next question is for pairs that passed the last.
        least = dict.fromkeys(pairs, 1.0)
        for swapped, of_second in ((False, False), (True, True), (False, True), (True, False)):
            asked = [pair for pair, probability in least.items() if probability >= _LEAST]
            for pair, probability in zip(asked, self._probabilities(asked, swapped, of_second), strict=True):
                least[pair] = min(least[pair], probability)
        return [Likeness(*pair, probability) for pair, probability in least.items() if probability >= _LEAST]

    def _near_pairs(self) -> Iterator[tuple[int, int]]:
        """Each form with its nearest ones."""
        means = np.zeros((len(self._texts), self._vectors.shape[1]))
        np.add.at(means, self._items, self._vectors)
        vectors = unit(means.astype(np.float32))
        found = set()
        for number, vector in enumerate(vectors):
            cosines = vectors @ vector
            cosines[number] = -1
            nearest = np.argsort(-cosines, kind="stable")[:_NEIGHBOURS]
            found |= {(min(number, int(near)), max(number, int(near))) for near in nearest if cosines[near] >= _NEAR}
        yield from sorted(found)

    def _probabilities(self, pairs: Sequence[tuple[int, int, bool]], swapped: bool, of_second: bool) -> list[float]:
        """That one relation supports the other, `swapped` if the second is the premise, of the arguments of one."""
        asked = []
        for first, second, turned in pairs:
            ends = self._arguments[second if of_second else first]
            there = (ends[1], ends[0]) if turned else ends
            own, other = (there, ends) if of_second else (ends, there)
            statements = (_sentence(own, self._texts[first]), _sentence(other, self._texts[second]))
            asked.append(statements[::-1] if swapped else statements)
        return [supported for supported, _, _ in self._support.outcomes(asked)]

    @cached_property
    def _arguments(self) -> Mapping[int, tuple[str, str]]:
        """For every form the shortest arguments that it occurs with, pronouns last."""
        found: dict[int, tuple[str, str]] = {}
        for item, mention in zip(self._items.tolist(), self._mentions, strict=True):
            ends = mention.subject.text, mention.object.text
            if item not in found or _awkwardness(ends) < _awkwardness(found[item]):
                found[item] = ends
        return {item: (one[:_LONGEST_ARGUMENT], other[:_LONGEST_ARGUMENT]) for item, (one, other) in found.items()}


def form_key(text: str) -> tuple[str, frozenset[str], bool]:
    """What forms of one relation share: base forms, modal verbs, and the tense of a copula."""
    phrase = read_phrase(text)
    past = phrase.copular and any(word in PAST_AUXILIARIES for word in phrase.words)
    return base_relation(text), _modals(phrase), past


def may_be_one(one: RelationPhrase, other: RelationPhrase) -> bool:
    """Whether words leave it possible: the same polarity and modality, no opposites, the same roles."""
    opposed = any(OPPOSITES.get(word, frozenset()) & set(other.content) for word in one.content)
    return not opposed and _manner(one) == _manner(other) and not _has_other_roles(one, other)


def _manner(phrase: RelationPhrase) -> tuple[bool, frozenset[str], bool, bool, bool]:
    """Polarity, modality, attempts and intentions, and the tense of a copula: where these differ, the fact does."""
    negated = any(word in NEGATING_ADVERBS for word in phrase.words)
    past = phrase.copular and any(word in PAST_AUXILIARIES for word in phrase.words)
    return negated, _modals(phrase), phrase.staged, "to" in phrase.words[:-1], past


def _has_other_roles(one: RelationPhrase, other: RelationPhrase) -> bool:
    """Whether the ends play other parts: *was arrested* and *arrested*, *died in* and *died of*."""
    patients = [phrase.passive and not _has_agent(phrase) for phrase in (one, other)]
    if patients[0] != patients[1] and not (one.copular or other.copular):
        return True
    prepositions = {phrase.preposition for phrase in (one, other) if not _has_agent(phrase)}
    alike = set(one.content) <= set(other.content) or set(other.content) <= set(one.content)
    return alike and len(prepositions) > 1


def merge_oriented(count: int, likely: Sequence[Likeness]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Cluster numbers and orientations: a merge waits for the least likely of the pairs across."""
    known: dict[tuple[int, int], bool] = {}
    members = {number: [number] for number in range(count)}
    labels, turned = np.arange(count), np.zeros(count, dtype=bool)
    for found in sorted(likely, key=lambda found: (-found.probability, found.first, found.second)):
        known[found.first, found.second] = found.turned
        left, right = sorted((int(labels[found.first]), int(labels[found.second])))
        flip = bool(turned[found.first] ^ turned[found.second] ^ found.turned)
        if left != right and all(
            known.get((min(one, other), max(one, other))) == bool(turned[one] ^ turned[other] ^ flip)
            for one in members[left]
            for other in members[right]
        ):
            joining = members.pop(right)
            labels[joining] = left
            turned[joining] ^= flip
            members[left] += joining
    return labels, turned


def _modals(phrase: RelationPhrase) -> frozenset[str]:
    return frozenset(word for word in phrase.words if word in MODALS)


def _has_agent(phrase: RelationPhrase) -> bool:
    return phrase.passive and phrase.preposition == "by"


def _awkwardness(ends: tuple[str, str]) -> tuple[int, int]:
    return sum(len(end) < 3 or end.islower() for end in ends), sum(map(len, ends))


def _sentence(ends: tuple[str, str], relation: str) -> str:
    text = " ".join(f"{ends[0]} {relation} {ends[1]}".split())
    return f"{text[:1].upper()}{text[1:]}."
