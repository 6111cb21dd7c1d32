"""The default method: entities, relations and types of a triple canonicalized together.

The encoder reads every sentence once. Small fitted heads (`canon.heads`) turn its states and the words themselves
into evidence:

* entities: pairs of noun phrases get the probability of being the same entity, from the similarity of their words and
  of their contexts; average linkage merges probable pairs, spellings of one name first, except where a veto applies.
  Subjects and objects are compared in one pool.
* relations: forms are judged by the support model, both ways (`canon.relations`). With `relations="wide"` instead
  mentions of one property of a knowledge base, by the states of relation and arguments. With `relations="taught"`
  a mention's distribution over the relations of COMBO, from its relation, subject, object and sentence together,
  so that "was born in" a place and a year differ; concatenated with the plain states, for unseen relations.
* types: a projection in which things of one type are near each other. All mentions of an entity of the first step
  share their evidence. Average linkage gives a hierarchy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges
from tupelo.canon.cluster.sparse import join_by_mean
from tupelo.canon.context import STATES, Array, Context, read_context, unit
from tupelo.canon.cuts import TreeCut, VectorCut, add_rows, merges_of
from tupelo.canon.forms import Forms, may_be_one, spellings
from tupelo.canon.heads import Heads, load_heads
from tupelo.canon.methods import CanonResources, Cuttable, Mentions, no_progress
from tupelo.canon.relations import LARGEST_DOUBT, WIDE_THRESHOLD, JudgedRelations, wide_relations
from tupelo.core import InputError
from tupelo.core.canonical import SUBTASKS, Slot
from tupelo.core.progress import Advance
from tupelo.core.protocols import SupportReader

JUDGED, WIDE, TAUGHT = "judged", "wide", "taught"
NOUNS: tuple[Slot, ...] = ("subject", "object")
PROBABILITY_GRID = tuple(round(0.05 * step, 2) for step in range(1, 20))
# Blocks of states for types and judged relations.
_AFTER_ENTITIES = ("subject:3", "object:3", "subject:6", "object:6", "relation:6", "phrase", "whole")
# Minimum probability of a pair.
_LEAST = 0.02


@dataclass(frozen=True, slots=True)
class TupeloMethod:
    """`heads` is a folder with heads to use instead of the shipped ones.

    `relations` is `judged` for wordings that say the same, `wide` for properties, or `taught`: by the head trained
    on COMBO's 80 relations.
    """

    relations: str = JUDGED
    heads: str = ""
    approximate: bool = False

    name: ClassVar[str] = "tupelo"
    title: ClassVar[str] = "words and contexts together, heads fitted on gold clusters; the default"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder", "support"})

    def __post_init__(self) -> None:
        if self.relations not in (JUDGED, WIDE, TAUGHT):
            raise InputError(f"'relations={self.relations}', expected {JUDGED}, {WIDE} or {TAUGHT}")

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> JointMentions:
        heads = self._load()
        kept = [name for name in STATES if name != "relation:4" or self.relations == TAUGHT]
        context = read_context(mentions, resources.require("encoder", self.name), advance, kept=kept)
        support = resources.require("support", self.name)() if self.relations == JUDGED else None
        return JointMentions(context, heads, self.approximate, support, wide=self.relations == WIDE)

    @property
    def thresholds(self) -> Mapping[str, float]:
        """The thresholds that were fitted with the heads; for judged relations the largest doubt."""
        thresholds: Mapping[str, float] = self._load().settings["thresholds"]
        own = {JUDGED: LARGEST_DOUBT, WIDE: WIDE_THRESHOLD, TAUGHT: thresholds["relation"]}
        return {**thresholds, "relation": own[self.relations]}

    @property
    def fitted_on(self) -> Mapping[str, str]:
        """The data whose labels each head saw, by head: judged and wide relations have none."""
        if self.heads:
            return {"all": self.heads}
        named = {"entities": "combo-dev,re-docred-dev,gum-train", "types": "combo-dev"}
        return {**named, "relations": "combo-dev"} if self.relations == TAUGHT else named

    def slope(self, subtask: str) -> float:
        """The fitted slope of the confidence around the threshold."""
        return self._load().slope(subtask)

    def _load(self) -> Heads:
        return load_heads(self.heads or None)


class JointMentions:
    """Mentions with their hidden states. Steps run on demand, entities before types."""

    def __init__(
        self,
        context: Context,
        heads: Heads,
        approximate: bool = False,
        support: SupportReader | None = None,
        wide: bool = False,
    ) -> None:
        self.context, self._heads, self._approximate = context, heads, approximate
        self._support, self._wide = support, wide

    def subtask(self, name: str) -> Cuttable:
        slot = SUBTASKS[name]
        if name == "relation" and self._support is not None:
            return self._judged_relations
        if name == "relation" and self._wide:
            return self._wide_relations
        if name == "relation":
            return VectorCut(self.relation_vectors, approximate=self._approximate)
        if name.endswith("-type"):
            return VectorCut(self.type_vectors(slot), linkage="average")
        tree, items = self._entity_tree
        return TreeCut(tree, items[slot], PROBABILITY_GRID)

    def pooled(self, kind: str) -> Cuttable:
        """Subjects and objects together, all subjects first: `entity` or `type`."""
        if kind == "entity":
            tree, items = self._entity_tree
            return TreeCut(tree, np.concatenate([items[slot] for slot in NOUNS]), PROBABILITY_GRID)
        return VectorCut(self._type_rows(NOUNS), linkage="average")

    @cached_property
    def _judged_relations(self) -> JudgedRelations:
        assert self._support is not None
        vectors = self.context.block("relation:6")
        return JudgedRelations(self.context.mentions, vectors, self._support)

    @cached_property
    def _wide_relations(self) -> VectorCut:
        return wide_relations(self.context)

    @cached_property
    def relation_vectors(self) -> Array:
        return np.concatenate([self._heads.relation_vectors(part) for _, part in self.context.parts()])

    def type_vectors(self, slot: Slot) -> Array:
        return self._type_rows((slot,))

    def _type_rows(self, slots: Sequence[Slot]) -> Array:
        """Type vectors of all mentions, slot by slot."""
        share = np.float32(self._heads.settings["type_entity"])
        size = len(self.context.mentions)
        rows: Array | None = None
        for number, slot in enumerate(slots):
            for places, own in self._own_types(slot):
                if rows is None:
                    rows = np.empty((len(slots) * size, own.shape[1]), dtype=np.float32)
                shared = own + share * self._entity_means[self._entities[slot][places]] if share > 0 else own
                rows[number * size :][places] = unit(shared) if share > 0 else own
        assert rows is not None
        return rows

    def _own_types(self, slot: Slot) -> Iterator[tuple[slice, Array]]:
        """Type vectors of mentions without their entities, in batches."""
        return ((places, self._heads.type_vectors(part, slot)) for places, part in self.context.parts())

    @cached_property
    def _entity_means(self) -> Array:
        """For every entity the mean type vector of its mentions, in both slots."""
        sums = None
        count = max(int(owners.max()) for owners in self._entities.values()) + 1
        for slot in NOUNS:
            for places, own in self._own_types(slot):
                sums = np.zeros((count, own.shape[1]), dtype=np.float32) if sums is None else sums
                add_rows(sums, self._entities[slot][places], own)
        assert sums is not None
        return unit(sums)

    @cached_property
    def _entities(self) -> dict[Slot, NDArray[np.int64]]:
        tree, items = self._entity_tree
        threshold = (self._heads.threshold("subject") + self._heads.threshold("object")) / 2
        labels = tree.labels(threshold)
        return {slot: labels[items[slot]] for slot in NOUNS}

    @cached_property
    def _entity_tree(self) -> tuple[Merges, dict[Slot, NDArray[np.int64]]]:
        """The merges of forms, and the number of the form of each mention."""
        forms = Forms(self.context, NOUNS, self._heads.moments())
        if self._support is not None:
            # Half of the states are not needed any more.
            self.context = self.context.only(_AFTER_ENTITIES)
        first, second, likely = self._heads.entity_pairs(forms, _LEAST, self._approximate)
        same, shares = spellings(forms, (first, second))
        # Spellings of one name are merged first, and then count as one form.
        distances = np.where(same, 0.0, 1.0 - likely.astype(np.float64))
        edges = zip(first.tolist(), second.tolist(), distances.tolist(), strict=True)
        merges = join_by_mean(edges, partial(may_be_one, forms), max(PROBABILITY_GRID), shares.tolist())
        return merges_of(len(forms.texts), merges), forms.items
