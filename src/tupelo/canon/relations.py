"""Relation phrases of open text that mean the same, possibly with subject and object exchanged.

Wordings with one plain form (`relations.forms`) are one relation if their arguments are of the same kinds
(`relations.wordings`): *founded*, *had also founded the*, and, turned, *was founded by*, but not *was founded
in* a place and a year. Forms that differ in negation, modality, intention, hedges or roles, or states that differ in
tense (*is*, *was president of*), are distinct. Other forms with arguments of the same kinds are compared if there is
evidence: they are in one family of the table, they differ in a preposition that means the same before such an object,
or the text says both of the same two things and their vectors are near. The support model then judges whether each
entails the other, with several arguments of both; the lowest probability counts: *Ann bought Acme* and *Ann acquired
Acme*, *Bo bought Bolt* and *Bo acquired Bolt*. The weaker the evidence, the higher the probability that is required.
Clusters grow by complete linkage: a form is added only if it was judged the same as every member.

Wide relations, such as the properties of a knowledge base, are another question: *was the architect of* and *built* a
house may be one of them, *in* a town and *in* a language are not. They are clusters of mentions, not of forms, by the
states of the relation and of both arguments (`wide_relations`), without any judgement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import exp, log
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.neighbours import nearest_rows
from tupelo.canon.context import Array, Context, standardized, unit
from tupelo.canon.cuts import VectorCut, add_rows, distinct, in_order_of_appearance
from tupelo.canon.heads import joined
from tupelo.canon.methods import Mentions
from tupelo.core.canonical import Slot, normal_form
from tupelo.core.protocols import SupportReader
from tupelo.relations.sameness import FAMILY, PRIORS, SHARED, SURE, TYPED, form_key, may_be_one
from tupelo.relations.wordings import ANY, Expected, RelationWording, expected_kinds, same_kinds, wording_of

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")
# Minimum cosine of two forms that the text says of the same two things.
_NEAR = 0.6
_LONGEST_ARGUMENT = 60
# Minimum probability of a pair.
_LEAST = 0.5
# Maximum probability that a merge is wrong, by the model and the evidence.
LARGEST_DOUBT = 0.4
_GRID = tuple(round(0.05 * step, 2) for step in range(1, 11))
# Maximum number of arguments with which a form is judged.
_MOST = 3
# Of wide relations: blocks with their weights, neighbours, rounds, and the threshold of average linkage. They were
# chosen on 786 mentions of 31 properties that COMBO lacks (`tupelo_training.canon.properties`).
_WIDE_BLOCKS: Sequence[tuple[str, Slot | None, float]] = (
    ("relation:6", None, 1.0),
    ("whole", "object", 0.5),
    ("whole", "subject", 0.3),
)
_NEIGHBOURS, _ROUNDS = 5, 2
WIDE_THRESHOLD = 0.75


@dataclass(frozen=True, slots=True)
class RelationMatch:
    """Two forms that are one relation with this probability; `turned` if their roles are exchanged."""

    first: int
    second: int
    turned: bool
    probability: float


class JudgedRelations:
    """A `Cuttable` over the relations of mentions: the threshold is the largest doubt of a merge."""

    grid: Sequence[float] = _GRID

    def __init__(self, mentions: Mentions, vectors: Array, support: SupportReader) -> None:
        """`vectors` has a row per mention: the states of its relation in its sentence."""
        self._mentions, self._support = mentions, support
        said = [
            wording_of(one.subject.text, one.relation.text, one.object.text, one.kinds, sentence=one.sentence)
            for one in mentions
        ]
        keys = [form_key(wording.text, wording.form) for wording in said]
        firsts, self._items = distinct([(key, wording.kinds) for key, wording in zip(keys, said, strict=True)])
        self._keys = [keys[first] for first in firsts]
        self._turned = np.array([wording.form.turned for wording in said], dtype=bool)
        # One wording of each form, preferably in the direction of its plain form.
        self._wordings: dict[int, RelationWording] = {}
        for item, wording in zip(self._items.tolist(), said, strict=True):
            if item not in self._wordings or (self._wordings[item].form.turned and not wording.form.turned):
                self._wordings[item] = wording
        self._count = len(firsts)
        # Mean state of each form in its sentences.
        means = np.zeros((self._count, vectors.shape[1]), dtype=np.float32)
        add_rows(means, self._items, vectors)
        self._states = unit(means)

    def labels(self, threshold: float) -> NDArray[np.int64]:
        return in_order_of_appearance(self._oriented(threshold)[0][self._items])

    def turned(self, threshold: float) -> NDArray[np.bool_]:
        """Whether each mention has its roles exchanged, as compared with the first plain form of its cluster."""
        found: NDArray[np.bool_] = self._oriented(threshold)[1][self._items] ^ self._turned
        return found

    @cached_property
    def symmetric(self) -> NDArray[np.bool_]:
        """Whether the relation of each mention holds with subject and object exchanged.

        True for families of the table that are symmetric, and for forms that the text uses in both directions of two
        things if the model agrees.
        """
        asked = sorted(self._said_both_ways)
        found = {item for item, wording in self._wordings.items() if wording.is_symmetric}
        pairs = [(self._sentence(item, ends), self._sentence(item, ends[::-1])) for item, ends in asked]
        outcomes = self._support.outcomes([*pairs, *(pair[::-1] for pair in pairs)])
        for (item, _), there, back in zip(asked, outcomes[: len(asked)], outcomes[len(asked) :], strict=True):
            if min(there[0], back[0]) > 1 - LARGEST_DOUBT:
                found.add(item)
        symmetric: NDArray[np.bool_] = np.isin(self._items, sorted(found))
        return symmetric

    @property
    def _said_both_ways(self) -> set[tuple[int, tuple[str, ...]]]:
        """Forms with pairs of things that the text has in both directions."""
        said = {
            (item, ends[::-1] if turned else ends)
            for item, turned, mention in zip(self._items.tolist(), self._turned.tolist(), self._mentions, strict=True)
            if (ends := (mention.subject.text, mention.object.text))
        }
        return {(item, ends) for item, ends in said if ends < ends[::-1] and (item, ends[::-1]) in said}

    def _oriented(self, threshold: float) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        likely = [found for found in self._likenesses if 1 - found.probability < threshold]
        return merge_oriented(self._count, likely)

    @cached_property
    def _likenesses(self) -> list[RelationMatch]:
        # Both forms are asked with the arguments of both; each question is only for pairs that passed the one before.
        pairs = self._candidates
        likely = dict.fromkeys(pairs, 1.0)
        questions = ((False, False), (True, True), (False, True), (True, False))
        for place, (swapped, of_second) in product(range(_MOST), questions):
            asked = [
                pair
                for pair, probability in likely.items()
                if probability >= _LEAST and place < len(self._arguments[pair[of_second]])
            ]
            outcomes = self._support.outcomes([self._question(pair, place, swapped, of_second) for pair in asked])
            for pair, (supported, _, _) in zip(asked, outcomes, strict=True):
                likely[pair] = min(likely[pair], with_prior(supported, PRIORS[pairs[pair]]))
        # Of the two directions of a pair, the more probable one counts.
        best: dict[tuple[int, int], RelationMatch] = {}
        for (first, second, turned), probability in likely.items():
            known = best.get((first, second))
            if probability >= _LEAST and (known is None or known.probability < probability):
                best[first, second] = RelationMatch(first, second, turned, probability)
        return [*self._same_forms, *best.values()]

    @cached_property
    def _candidates(self) -> dict[tuple[int, int, bool], str]:
        """Pairs of forms, with whether their roles are exchanged, and the evidence."""
        found: dict[tuple[int, int, bool], str] = {}
        for source, pairs in (
            (SURE, self._family_pairs(sure=True)),
            (FAMILY, self._family_pairs(sure=False)),
            (TYPED, self._typed_pairs()),
            (SHARED, self._shared_pairs()),
        ):
            for one, other, turned in pairs:
                first, second = sorted((one, other))
                texts = self._wordings[first].text, self._wordings[second].text
                if (
                    self._keys[first] != self._keys[second]
                    and (first, second, turned) not in found
                    and (source in (SURE, FAMILY) or self._said_of_the_same(first, second, turned))
                    and may_be_one(*texts, turned, source)
                ):
                    found[first, second, turned] = source
        return found

    def _said_of_the_same(self, first: int, second: int, turned: bool, expected: Expected = ANY) -> bool:
        """Whether the arguments of both forms are of the same kinds, or of those `expected` of the first."""
        one, other = self._wordings[first], self._wordings[second]
        acting = not (one.is_passive or other.is_passive)
        seen = (other.kinds[1], other.kinds[0]) if turned else other.kinds
        return same_kinds(one.kinds, seen, acting=acting, expected=expected)

    @property
    def _same_forms(self) -> Iterator[RelationMatch]:
        """Forms that differ only in the kinds of their arguments, if these kinds are compatible."""
        for _, one, other in _pairs_by_key((key, item) for item, key in enumerate(self._keys)):
            shared = self._wordings[one].families & self._wordings[other].families
            about = [ANY, *(expected_kinds(family, exchanged) for family, exchanged in shared)]
            if any(self._said_of_the_same(one, other, False, expected) for expected in about):
                yield RelationMatch(one, other, False, 1.0)

    def _family_pairs(self, sure: bool) -> Iterator[tuple[int, int, bool]]:
        """Forms of one family of the table; `sure` if one of them has no sense that the other lacks."""
        of = {item: wording.families for item, wording in self._wordings.items()}
        members = ((family, (item, exchanged)) for item, found in of.items() for family, exchanged in found)
        for family, (one, side), (other, again) in _pairs_by_key(members):
            senses = [{family for family, _ in of[item]} for item in (one, other)]
            is_sure = senses[0] <= senses[1] or senses[1] <= senses[0]
            if is_sure == sure and self._said_of_the_same(one, other, side != again, expected_kinds(family, side)):
                yield one, other, side != again

    def _typed_pairs(self) -> Iterator[tuple[int, int, bool]]:
        """Forms that differ in prepositions that mean the same before such an object."""
        said = ((self._wordings[item].variants, item) for item in sorted(self._wordings))
        return ((one, other, False) for _, one, other in _pairs_by_key(said))

    def _shared_pairs(self) -> Iterator[tuple[int, int, bool]]:
        """Near forms of different sentences with the same two arguments, in either direction."""
        having: dict[tuple[str, str], set[tuple[int, bool, str]]] = defaultdict(set)
        for item, turned, mention in zip(self._items.tolist(), self._turned.tolist(), self._mentions, strict=True):
            ends = normal_form(mention.subject.text), normal_form(mention.object.text)
            first, second = sorted(ends)
            having[first, second].add((item, (ends != (first, second)) != turned, mention.sentence))
        for members in having.values():
            for (one, side, said), (other, again, elsewhere) in combinations(sorted(members), 2):
                if (said != elsewhere or not said) and self._states[one] @ self._states[other] >= _NEAR:
                    yield one, other, side != again

    def _question(self, pair: tuple[int, int, bool], place: int, swapped: bool, of_second: bool) -> tuple[str, str]:
        """Premise and hypothesis of a pair, with arguments of one of them; `swapped` if the second is the premise."""
        first, second, turned = pair
        ends = self._arguments[pair[of_second]][place]
        there = ends[::-1] if turned else ends
        own, other = (there, ends) if of_second else (ends, there)
        statements = self._sentence(first, own), self._sentence(second, other)
        return (statements[1], statements[0]) if swapped else statements

    def _sentence(self, item: int, ends: Sequence[str]) -> str:
        wording = self._wordings[item]
        subject, target = reversed(ends) if wording.form.turned else ends
        text = " ".join(f"{subject} {wording.text} {target}".split())
        return f"{text[:1].upper()}{text[1:]}."

    @cached_property
    def _arguments(self) -> Mapping[int, Sequence[tuple[str, ...]]]:
        """The shortest arguments of every form, pronouns last, in the direction of the form."""
        found: dict[int, set[tuple[str, ...]]] = defaultdict(set)
        for item, turned, mention in zip(self._items.tolist(), self._turned.tolist(), self._mentions, strict=True):
            ends = mention.subject.text, mention.object.text
            found[item].add(ends[::-1] if turned else ends)
        return {
            item: [
                tuple(end[:_LONGEST_ARGUMENT] for end in ends) for ends in sorted(several, key=_awkwardness)[:_MOST]
            ]
            for item, several in found.items()
        }


def _pairs_by_key(items: Iterable[tuple[Key, Item]]) -> Iterator[tuple[Key, Item, Item]]:
    """Pairs of items with the same key, in order."""
    having: dict[Key, list[Item]] = defaultdict(list)
    for key, item in items:
        having[key].append(item)
    for key, members in having.items():
        yield from ((key, one, other) for one, other in combinations(members, 2))


def merge_oriented(count: int, likely: Sequence[RelationMatch]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Cluster numbers and orientations by complete linkage: a merge requires all pairs across."""
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


def wide_relations(context: Context) -> VectorCut:
    """Clusters of mentions by the states of relation and arguments, moved towards the nearest mentions."""
    blocks = ((weight, context.block(name, slot)) for name, slot, weight in _WIDE_BLOCKS)
    vectors = unit(joined([(weight, unit(standardized(block))) for weight, block in blocks]))
    for _ in range(_ROUNDS):
        moved = vectors.copy()
        row, near = nearest_rows(vectors, _NEIGHBOURS, 1.0)
        cosines = np.einsum("ij,ij->i", vectors[row], vectors[near])
        add_rows(moved, row, vectors[near] * (cosines / _NEIGHBOURS)[:, None])
        vectors = unit(moved)
    return VectorCut(vectors, linkage="average")


def with_prior(probability: float, prior: float) -> float:
    """A probability with a prior added to its log odds."""
    inside = min(max(probability, 1e-6), 1 - 1e-6)
    return 1 / (1 + exp(-(log(inside / (1 - inside)) + prior)))


def _awkwardness(ends: Sequence[str]) -> tuple[int | str, ...]:
    return sum(len(end) < 3 or end.islower() for end in ends), sum(map(len, ends)), *ends
