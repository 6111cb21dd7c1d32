"""Pairs of noun phrases that may be the same entity: candidates, vetoes and features.

A form has a *sense* for each entity with its name. Triples give evidence that occurrences are distinct: a person and
not a person (*Jordan, a basketball player*, *Jordan, a country*), towns in different places (*a town in Texas*, *the
capital of France*), a name and a common noun (*Apple*, *the apple*). Occurrences without evidence get the sense with
the most similar contexts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import close_pair_blocks, pair_keys, pairs_of_keys
from tupelo.canon.cluster.neighbours import nearest_rows
from tupelo.canon.context import Array, Context, Halves, unit
from tupelo.canon.cuts import add_rows, distinct
from tupelo.canon.methods import slot_forms
from tupelo.canon.type_names import kind_votes, said_nouns
from tupelo.canon.words import LEXICAL, Pairs, WordOverlap, content_words, overlaps, singular
from tupelo.core.canonical import Member, Slot, TripleMention
from tupelo.names.aliases import is_known_place, places_around
from tupelo.names.same import (
    OF_SINGLE,
    SHAPES,
    SPELLING,
    Built,
    canonical_key,
    is_single,
    keys_of_name,
    reason_apart,
    reason_one,
    shape_of_pair,
)
from tupelo.nlp.kinds import KINDS, kinds_of
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import ARTICLES

_IN_PLACE = re.compile(r"\b(?:in|of)$")
_SETTLEMENT = "city"
_PERSON = "person"
_LEAST_SHARE = 0.1
# Roles of people, and also of teams, firms and countries.
_ANYBODY = words("nouns", "roles_of_groups")


@dataclass(frozen=True, slots=True)
class SenseEvidence:
    """Evidence about an occurrence, `None` if unknown: whether it is a person, its place, whether it is a name."""

    is_person: bool | None = None
    place: str | None = None
    is_name: bool | None = None

    def contradicts(self, other: SenseEvidence) -> bool:
        return (
            {self.is_person, other.is_person} == {True, False}
            or {self.is_name, other.is_name} == {True, False}
            or (self.place is not None and other.place is not None and _apart(self.place, other.place))
        )

    def with_(self, other: SenseEvidence) -> SenseEvidence:
        """The evidence of both."""
        return SenseEvidence(
            self.is_person if other.is_person is None else other.is_person,
            self.place or other.place,
            self.is_name if other.is_name is None else other.is_name,
        )


def _apart(one: str, other: str) -> bool:
    """Whether neither of two places lies in the other."""
    return one != other and one not in places_around(other) and other not in places_around(one)


def evidence_of(mention: TripleMention, slot: Slot, cased: bool = True) -> SenseEvidence:
    """Evidence of a triple about its subject or object; `cased` if names are capitalized.

    >>> from tupelo.core.canonical import Phrase
    >>> evidence_of(TripleMention("1", Phrase("Paris"), Phrase("is a town in"), Phrase("Texas")), "subject")
    SenseEvidence(is_person=False, place='texas', is_name=None)
    """
    member = Member(mention.id, slot)
    nouns = said_nouns(mention, member)
    said = frozenset(noun for noun in nouns if noun not in _ANYBODY)
    roots = {kind.root for noun in said for kind in kinds_of(noun)}
    text = mention.phrase(slot).text
    if not nouns and text != text.lower():
        # A name may itself give the kind.
        roots = {KINDS[kind].root for kind in kind_votes(mention, member) if kind in KINDS}
    is_person = None
    if roots == {_PERSON}:
        is_person = True
    elif roots and _PERSON not in roots:
        is_person = False
    place = None
    if slot == "subject" and any(kind.name == _SETTLEMENT for noun in said for kind in kinds_of(noun)):
        key = canonical_key(mention.object.text)
        place = key if _IN_PLACE.search(mention.relation.text) and is_known_place(key) else None
    return SenseEvidence(is_person, place, _is_name(mention, slot) if cased else None)


def _is_name(mention: TripleMention, slot: Slot) -> bool | None:
    """Whether a phrase is capitalized; unknown at the start of a sentence."""
    phrase = mention.phrase(slot)
    words = phrase.text.split()
    plain = [word for word in words if word.casefold() not in ARTICLES]
    if plain and not any(letter.isupper() for word in plain for letter in word):
        return False
    begins = (phrase.span is None and slot == "subject") or (phrase.span is not None and not phrase.span.start)
    inner = words[1:] if begins else plain
    return True if any(word[:1].isupper() for word in inner) else None


def senses(
    texts: Sequence[str], evidence: Sequence[SenseEvidence], vectors: Callable[[Sequence[int]], Array]
) -> NDArray[np.int64]:
    """For every occurrence the number of its sense among those of its text, from 0.

    `vectors` returns unit vectors of the contexts of some occurrences.
    """
    by_text: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        by_text[text].append(place)
    found = np.zeros(len(texts), dtype=np.int64)
    for places in by_text.values():
        groups: list[tuple[SenseEvidence, list[int]]] = []
        rest = []
        for place in places:
            if evidence[place] == SenseEvidence():
                rest.append(place)
                continue
            number = next((n for n, (own, _) in enumerate(groups) if not own.contradicts(evidence[place])), None)
            if number is None:
                groups.append((evidence[place], [place]))
            else:
                known, members = groups[number]
                members.append(place)
                groups[number] = (known.with_(evidence[place]), members)
        least = _LEAST_SHARE * sum(len(members) for _, members in groups)
        # Evidence of few among many triples is taken for an error.
        rest += [place for _, members in groups if len(members) < least for place in members]
        groups = [(own, members) for own, members in groups if len(members) >= least]
        if len(groups) > 1:
            for number, (_, members) in enumerate(groups):
                found[members] = number
            centres = unit(np.stack([vectors(members).mean(axis=0) for _, members in groups]))
            if rest:
                found[rest] = np.argmax(vectors(rest) @ centres.T, axis=1)
    return found


# A pair is a candidate if its cosine distance is below the first, or its word overlap at least the second.
_CLOSE = 0.72
_SHARED = 0.25
# Minimum share of noun phrases with capitals in cased text.
_CASED = 0.1
# A key (or, if `approximate`, a word) that more names share than this is ignored.
_MOST_SHARERS = 50
# If `approximate`: nearest forms of each form, and frequent words of a form that are combined.
_NEAREST = 8
_MOST_WORDS = 6
_BLOCK = 4096
# Blocks whose cosines are evidence; each form has the mean of its occurrences.
VECTOR_BLOCKS = ("whole", "phrase", "own:6", "own:4", "own:1", "other:6", "sentence:6")
_PRODUCTS = 7
# Number of features of a pair.
FEATURES = len(VECTOR_BLOCKS) + len(LEXICAL) + _PRODUCTS + len(SHAPES)


class Forms:
    """Distinct noun phrases of some slots, one form per sense, with the mean of the states of its occurrences."""

    def __init__(self, context: Context, slots: Sequence[Slot], moments: Mapping[str, tuple[Array, Array]]) -> None:
        """`moments` has mean and deviation of every block in the training data."""
        texts = [text for slot in slots for text in slot_forms(context.mentions, slot)]
        # Objects of ReVerb's triples are all in lower case, names too.
        cased = {slot: _is_cased([mention.phrase(slot).text for mention in context.mentions]) for slot in slots}
        said = [evidence_of(mention, slot, cased[slot]) for slot in slots for mention in context.mentions]
        meanings = senses(texts, said, lambda places: _own_states(context, slots, places))
        firsts, numbers = distinct(list(zip(texts, meanings.tolist(), strict=True)))
        self.texts = [texts[first] for first in firsts]
        # Evidence from all occurrences of a form.
        self.evidence = [SenseEvidence()] * len(firsts)
        for number, evidence in zip(numbers.tolist(), said, strict=True):
            self.evidence[number] = self.evidence[number].with_(evidence)
        spelled = [mention.phrase(slot).text for slot in slots for mention in context.mentions]
        # As first written: *US* is no *us*.
        self.names = [spelled[first] for first in firsts]
        # For every slot the number of the form of each mention.
        self.items = dict(zip(slots, np.split(numbers, len(slots)), strict=True))
        # Number of occurrences of each form.
        self.counts = np.bincount(numbers, minlength=len(firsts))
        counts = self.counts.astype(np.float32)[:, None]
        self.vectors: dict[str, Halves] = {}
        for block in VECTOR_BLOCKS:
            mean, deviation = moments[block]
            total = np.zeros((len(firsts), len(mean)), dtype=np.float32)
            for slot in slots:
                for places, part in context.parts():
                    add_rows(total, self.items[slot][places], part.block(block, slot))
            self.vectors[block] = np.empty(total.shape, dtype=np.float16)
            for start in range(0, len(total), _BLOCK):
                some = slice(start, start + _BLOCK)
                self.vectors[block][some] = unit((total[some] / counts[some] - mean) / deviation)

    @cached_property
    def keys(self) -> NameKeys:
        return NameKeys(self.names)

    @cached_property
    def built(self) -> list[Built]:
        return [Built.of(name) for name in self.names]

    def reason_one(self, left: int, right: int) -> str:
        """Reason in the names why two forms are the same entity; empty if there is none."""
        if not self.keys.tell(left, right):
            return ""
        return reason_one(self.names[left], self.names[right]) or ""

    @cached_property
    def words(self) -> WordOverlap:
        return WordOverlap(self.texts)

    @property
    def directions(self) -> Array:
        """Unit vectors of each form, read alone and in its contexts, for the search of near forms."""
        rows = np.empty((len(self.texts), 2 * self.vectors["whole"].shape[1]), dtype=np.float32)
        for start in range(0, len(rows), _BLOCK):
            some = slice(start, start + _BLOCK)
            parts = [self.vectors[block][some].astype(np.float32) for block in ("whole", "own:6")]
            rows[some] = unit(np.concatenate(parts, axis=1))
        return rows

    def is_common(self, number: int) -> bool:
        """Whether every word of a form is too frequent to be informative."""
        return self.words.fewest(number) > _MOST_SHARERS

    def cosines(self, block: str, pairs: Pairs) -> Array:
        # Each form is converted once, not once for every pair.
        rows, places = np.unique(np.stack(pairs), return_inverse=True)
        vectors = self.vectors[block][rows].astype(np.float32)
        one, other = places.reshape(2, -1)
        return np.asarray(np.einsum("ij,ij->i", vectors[one], vectors[other]))

    @cached_property
    def is_cased(self) -> bool:
        """Whether the text has capitals: in lower-case text names look like other words."""
        return _is_cased(self.names)


class NameKeys:
    """Keys that names of one entity share: aliases, acronyms, surnames. `of` has their numbers for each name."""

    def __init__(self, names: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self.of = [tuple(numbers.setdefault(key, len(numbers)) for key in keys_of_name(name)) for name in names]
        self._of_single = {number for key, number in numbers.items() if key.startswith(OF_SINGLE)}
        self._single = list(map(is_single, names))

    def tell(self, left: int, right: int) -> bool:
        """Whether two names share a key that can be a reason to merge them."""
        shared = set(self.of[left]).intersection(self.of[right])
        return bool(shared) and (self._single[left] or self._single[right] or not shared <= self._of_single)


def _is_cased(names: Sequence[str]) -> bool:
    return sum(name != name.lower() for name in names) > _CASED * len(names)


def _own_states(context: Context, slots: Sequence[Slot], places: Sequence[int]) -> Array:
    """Unit vectors of some occurrences, numbered slot by slot."""
    at, numbers = np.divmod(np.asarray(places), len(context.mentions))
    part = context.part(numbers)
    return unit(np.stack([part.block("own:6", slot) for slot in slots])[at, np.arange(len(at))])


def candidate_pairs(forms: Forms, approximate: bool = False) -> Pairs:
    """Candidate pairs, each once, the smaller number first; `possible` applies the vetoes.

    With `approximate`, a form is compared only with its nearest ones and with those that share a rare word, or a rare
    combination of two words.
    """
    keys = [_keys(_sharing(forms.keys.of))]
    if approximate:
        keys.append(pair_keys(*nearest_rows(forms.directions, _NEAREST, _CLOSE)))
        keys.append(_keys(_pairs_by_words(forms.texts)))
    elif len(forms.texts) > 1:
        keys += [pair_keys(near.first, near.second) for near in close_pair_blocks(forms.directions, _CLOSE)]
        keys.append(_keys((left, right) for left, right, shared in overlaps(forms.texts) if shared >= _SHARED))
    return pairs_of_keys(np.unique(np.concatenate(keys)))


def possible(forms: Forms, pairs: Pairs) -> NDArray[np.bool_]:
    """For every pair whether it may be the same entity."""
    return np.fromiter((may_be_one(forms, *pair) for pair in zip(*pairs, strict=True)), bool, len(pairs[0]))


def may_be_one(forms: Forms, left: int, right: int) -> bool:
    """Whether neither names nor evidence forbid that two forms are one entity; senses of one form are distinct."""
    if forms.texts[left] == forms.texts[right] or forms.evidence[left].contradicts(forms.evidence[right]):
        return False
    return reason_apart(forms.names[left], forms.names[right]) is None


def spellings(forms: Forms, pairs: Pairs) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """For each pair whether both are spellings of one name; for each form its share of all its spellings."""
    same = np.array([forms.reason_one(*pair) == SPELLING for pair in zip(*pairs, strict=True)], dtype=bool)
    first, second = pairs[0][same], pairs[1][same]
    total = forms.counts.astype(np.float64)
    np.add.at(total, first, forms.counts[second])
    np.add.at(total, second, forms.counts[first])
    return same, forms.counts / total


def _pairs_by_words(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of texts that share a rare word, or a rare combination of two words."""
    words = [list(map(singular, content_words(text))) for text in texts]
    frequency = Counter(word for each in words for word in set(each))

    def keys(each: Sequence[str]) -> Iterator[Hashable]:
        often = [word for word in dict.fromkeys(each) if frequency[word] > _MOST_SHARERS]
        yield from (word for word in each if frequency[word] <= _MOST_SHARERS)
        yield from combinations(sorted(often)[:_MOST_WORDS], 2)

    return _sharing(map(keys, words))


def _sharing(keys: Iterable[Iterable[Hashable]]) -> Iterator[tuple[int, int]]:
    """Pairs of items that share a key, except keys of too many items."""
    having: dict[Hashable, list[int]] = defaultdict(list)
    for number, own in enumerate(keys):
        for key in dict.fromkeys(own):
            # One item above the maximum marks a key as too frequent.
            if len(having[key]) <= _MOST_SHARERS:
                having[key].append(number)
    for sharers in having.values():
        if len(sharers) <= _MOST_SHARERS:
            yield from combinations(sharers, 2)


def _keys(pairs: Iterable[tuple[int, int]]) -> NDArray[np.uint64]:
    flat = np.fromiter((number for pair in pairs for number in pair), dtype=np.int64)
    return pair_keys(flat[::2], flat[1::2])


def pair_features(forms: Forms, pairs: Pairs) -> Array:
    """One row per pair: cosines of all blocks, word overlap, their products, and the shapes of the names."""
    cosines = np.stack([forms.cosines(block, pairs) for block in VECTOR_BLOCKS], axis=1)
    words = forms.words.features(pairs)
    whole, own, trigrams = cosines[:, 0], cosines[:, 2], words[:, 0]
    contained, differ = words[:, 2], words[:, 5]
    products = np.stack(
        [whole * own, own * trigrams, own * own, whole * whole, trigrams * trigrams, contained * own, differ * own],
        axis=1,
    )
    built = forms.built
    rows = [shape_of_pair(built[left], built[right]) for left, right in zip(*pairs, strict=True)]
    shapes = np.array(rows, dtype=np.float32).reshape(-1, len(SHAPES))
    return np.concatenate([cosines, words, products, shapes], axis=1).astype(np.float32)
