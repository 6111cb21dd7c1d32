"""Methods that compare words: equal words, and shared words weighted by rarity with side information.

`tokens` is the token baseline of the COMBO paper. Its similarity is that of Galárraga et al., "Canonicalizing Open
Knowledge Bases" (CIKM 2014): shared words over all words of the two phrases, each word weighing 1 / log(1 +
frequency). Articles are ignored, and a plural counts as its singular. Two phrases that side information declares
equal have similarity 1: a common PPDB cluster, a common WordNet synset (for the whole phrase), a pair of a
side-information file, an entity linker's guess, and for relations a pair of rules in AMIE's manner, mined from the
triples themselves: r implies s and s implies r, when enough arguments agree.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from tupelo.canon.clusters import normal_form
from tupelo.canon.cuts import FlatCut, TreeCut, distinct, link_edges
from tupelo.canon.method import CanonResources, Mentions, no_progress
from tupelo.canon.methods import PreparedMentions, ShippedMethod
from tupelo.core.canonical import SUBTASKS, Slot
from tupelo.core.progress import Advance


@dataclass(frozen=True, slots=True)
class SurfaceForms(ShippedMethod):
    """Phrases are one when their words are, case and spacing aside."""

    name: ClassVar[str] = "surface"
    title: ClassVar[str] = "equal words, nothing else"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        def cut(name: str) -> FlatCut:
            _, inverse = distinct(slot_forms(mentions, SUBTASKS[name]))
            return FlatCut(lambda threshold: inverse)

        return PreparedMentions(cut)


def slot_forms(mentions: Mentions, slot: Slot) -> list[str]:
    """The normal form of every mention's phrase in a slot."""
    return [normal_form(mention.phrase(slot).text) for mention in mentions]


_WORD = re.compile(r"\w+")
_ARTICLES = frozenset(("the", "a", "an"))
_GRID = tuple(round(0.05 * step, 2) for step in range(1, 20))
# A word that more phrases than this share says too little to compare all of them.
_MOST_SHARERS = 2000


@dataclass(frozen=True, slots=True)
class SharedTokens(ShippedMethod):
    """`min_support` and `min_confidence` are those of the relation rules; `side` turns side information off.

    `linkage` is `complete`, or `single` for data in which a phrase hardly ever means two things.
    """

    side: bool = True
    linkage: str = "complete"
    min_support: int = 2
    min_confidence: float = 0.8

    name: ClassVar[str] = "tokens"
    title: ClassVar[str] = "shared words, rare ones count more; paraphrases and relation rules as side information"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        return PreparedMentions(lambda name: self._cut(SUBTASKS[name], mentions, resources))

    def _cut(self, slot: Slot, mentions: Mentions, resources: CanonResources) -> TreeCut:
        texts = slot_forms(mentions, slot)
        firsts, inverse = distinct(texts)
        forms = [texts[first] for first in firsts]
        # The other noun phrases count for the rarity of words, but are not compared.
        others: dict[Slot, Slot] = {"subject": "object", "object": "subject"}
        context = sorted(set(slot_forms(mentions, others[slot]))) if slot in others else []
        pairs = {(left, right): 1 - similarity for left, right, similarity in overlaps(forms, context)}
        if self.side:
            rules = self.min_support, self.min_confidence
            for left, right, _, _ in declared_equal((slot,), forms, mentions, resources, *rules):
                pairs[min(left, right), max(left, right)] = 0.0
        edges = ((left, right, distance) for (left, right), distance in pairs.items())
        return TreeCut(link_edges(len(forms), edges, self.linkage), inverse, _GRID, top=1.0)


def declared_equal(
    slots: Sequence[Slot],
    forms: Sequence[str],
    mentions: Mentions,
    resources: CanonResources,
    min_support: int = 2,
    min_confidence: float = 0.8,
    *,
    most_sharers: float = math.inf,
) -> Iterator[tuple[int, int, float, str]]:
    """Pairs of forms that side information declares equal, with weight and source; `forms` are all of the slots.

    A key that more than `most_sharers` forms share is ignored.
    """
    number = {form: position for position, form in enumerate(forms)}
    keys: dict[tuple[str, str], set[int]] = defaultdict(set)
    for position, form in enumerate(forms):
        for key in resources.keys(form):
            keys[key].add(position)
    for mention in mentions:
        for phrase, slot, link in zip(
            (mention.subject, mention.object), ("subject", "object"), mention.links, strict=True
        ):
            if slot in slots and link is not None:
                keys["links", link].add(number[normal_form(phrase.text)])
    for (source, _), sharers in keys.items():
        if len(sharers) <= most_sharers:
            # All against all: with complete linkage a star would join only two of them.
            yield from ((left, right, 1.0, source) for left, right in combinations(sorted(sharers), 2))
    kind = "relation" if "relation" in slots else "entity"
    for left_form, right_form, weight in resources.side_pairs.get(kind, ()):
        left, right = number.get(normal_form(left_form)), number.get(normal_form(right_form))
        if left is not None and right is not None and left != right:
            yield left, right, weight, "pairs"
    if kind == "relation":
        rules = mutual_rules(mentions, min_support, min_confidence)
        yield from ((number[left], number[right], 1.0, "rules") for left, right in rules)


def overlaps(forms: Sequence[str], others: Sequence[str] = ()) -> Iterator[tuple[int, int, float]]:
    """Every pair of forms with a word in common, and its similarity in (0, 1]; `others` only say what is rare."""
    words = [_word_set(form) for form in forms]
    known = set(forms)
    frequency = Counter(word for each in words for word in each)
    frequency.update(word for form in others if form not in known for word in _word_set(form))
    weight = {word: 1 / math.log(1 + count) for word, count in frequency.items()}
    having: dict[str, list[int]] = defaultdict(list)
    total = [sum(weight[word] for word in each) for each in words]
    for right, each in enumerate(words):
        shared: dict[int, float] = defaultdict(float)
        for word in each:
            if frequency[word] <= _MOST_SHARERS:
                for left in having[word]:
                    shared[left] += weight[word]
                having[word].append(right)
        for left, common in shared.items():
            yield left, right, min(1.0, common / (total[left] + total[right] - common))


def _word_set(form: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(singular, content_words(form)))) or (form,)


def content_words(form: str) -> list[str]:
    """The words of a normal form without articles; a form of nothing else keeps what it has."""
    words = _WORD.findall(form)
    return [word for word in words if word not in _ARTICLES] or words


def singular(word: str) -> str:
    """A noun without the ending of its plural, roughly: enough to see that tanks are a tank."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def mutual_rules(mentions: Mentions, min_support: int, min_confidence: float) -> list[tuple[str, str]]:
    """Relations that imply each other: they share argument pairs, and most argument pairs of both are shared."""
    arguments: dict[str, set[tuple[str, str]]] = defaultdict(set)
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    for mention in mentions:
        pair = (normal_form(mention.subject.text), normal_form(mention.object.text))
        relation = normal_form(mention.relation.text)
        arguments[relation].add(pair)
        holders[pair].add(relation)
    support: Counter[tuple[str, str]] = Counter()
    for relations in holders.values():
        support.update(combinations(sorted(relations), 2))
    return sorted(
        (left, right)
        for (left, right), count in support.items()
        if count >= min_support
        and count >= min_confidence * len(arguments[left])
        and count >= min_confidence * len(arguments[right])
    )
