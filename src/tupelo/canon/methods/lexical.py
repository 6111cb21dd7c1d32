"""Methods that compare words: equal words, and shared words weighted by rarity with side information.

`tokens` is the token baseline of the COMBO paper. Its similarity is that of Galárraga et al., "Canonicalizing Open
Knowledge Bases" (CIKM 2014): shared words over all words of the two phrases, each word weighing 1 / log(1 +
frequency). Articles are ignored, and a plural counts as its singular. Two phrases that side information declares
equal have similarity 1: a common PPDB cluster, a common WordNet synset (for the whole phrase), a pair of a
side-information file, an entity linker's guess, and for relations a pair of rules in AMIE's manner, mined from the
triples themselves: r implies s and s implies r, when enough arguments agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tupelo.canon.cuts import FlatCut, TreeCut, distinct, link_edges
from tupelo.canon.method import CanonResources, Mentions, no_progress, slot_forms
from tupelo.canon.methods import PreparedMentions, ShippedMethod
from tupelo.canon.side import declared_equal
from tupelo.canon.words import overlaps
from tupelo.core.canonical import SUBTASKS, Slot
from tupelo.core.progress import Advance


@dataclass(frozen=True, slots=True)
class SurfaceForms(ShippedMethod):
    """Phrases are the same if their words are, ignoring case and spacing."""

    name: ClassVar[str] = "surface"
    title: ClassVar[str] = "equal words, nothing else"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        def cut(name: str) -> FlatCut:
            _, inverse = distinct(slot_forms(mentions, SUBTASKS[name]))
            return FlatCut(lambda threshold: inverse)

        return PreparedMentions(cut)


_GRID = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True, slots=True)
class SharedTokens(ShippedMethod):
    """`min_support` and `min_confidence` are those of the relation rules; `side` turns side information off.

    `linkage` is `complete`, or `single` for data with few ambiguous phrases.
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
        # Phrases of the other slot count for the rarity of words, but are not compared.
        others: dict[Slot, Slot] = {"subject": "object", "object": "subject"}
        context = sorted(set(slot_forms(mentions, others[slot]))) if slot in others else []
        pairs = {(left, right): 1 - similarity for left, right, similarity in overlaps(forms, context)}
        if self.side:
            rules = self.min_support, self.min_confidence
            for left, right, _, _ in declared_equal((slot,), forms, mentions, resources, *rules):
                pairs[min(left, right), max(left, right)] = 0.0
        edges = ((left, right, distance) for (left, right), distance in pairs.items())
        return TreeCut(link_edges(len(forms), edges, self.linkage), inverse, _GRID, top=1.0)
