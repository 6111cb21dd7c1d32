"""The vocabulary of canonicalization: triples where they were found, and the clusters made of their phrases."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tupelo.core.errors import FormatError
from tupelo.core.extraction import Span
from tupelo.core.results import Tabular, values_of

Slot: TypeAlias = Literal["subject", "relation", "object"]
SLOTS: tuple[Slot, ...] = ("subject", "relation", "object")
Kinds: TypeAlias = tuple[str | None, str | None]

# The name of clusters that do not name their subtask.
BARE = "clusters"
# Subtasks that are clustered and scored one by one, each with the slot of its phrases. The names of the three tasks
# are those of the COMBO benchmark: entities, relations, and types (whose gold clusters overlap).
SUBTASKS: dict[str, Slot] = {
    "subject": "subject",
    "object": "object",
    "relation": "relation",
    "subject-type": "subject",
    "object-type": "object",
}
# Subtasks of the programs of CESI and CUVA, subjects and objects together: every occurrence of a noun phrase, or
# every distinct one.
JOINT = ("mention", "phrase")
TASKS: dict[str, tuple[str, ...]] = {
    "npc-e": ("subject", "object"),
    "rpc": ("relation",),
    "npc-o": ("subject-type", "object-type"),
}


def normal_form(text: str) -> str:
    """The form in which phrases are compared: lower case, single spaces."""
    return " ".join(text.casefold().split())


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a slot; `span` says where they stand in the sentence, `None` if unknown.

    The words need not be those of the span: a normalised relation may have lost an article.
    """

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class TripleMention:
    """A triple as one sentence states it. `id` is unique among the mentions that are canonicalized together.

    `links` are the guesses of an entity linker for subject and object, which some methods use as side information;
    they are never gold. `kinds` says what subject and object are (`person`, `datetime`), `None` where unknown.
    """

    id: str
    subject: Phrase
    relation: Phrase
    object: Phrase
    sentence: str = ""
    links: tuple[str | None, str | None] = (None, None)
    kinds: Kinds = (None, None)

    def phrase(self, slot: Slot) -> Phrase:
        phrase: Phrase = getattr(self, slot)
        return phrase


# Subtask -> id of the mention -> labels of its phrase; more than one label only for types.
GoldLabels: TypeAlias = Mapping[str, Mapping[str, frozenset[str]]]


@dataclass(frozen=True, slots=True, order=True)
class Member:
    """One occurrence of a phrase: a slot of a mention."""

    mention: str
    slot: Slot


@dataclass(frozen=True, slots=True)
class Cluster:
    """Occurrences that mean the same: one entity, one relation or one type.

    `name` is the most telling surface form. `confidence` is the probability that the weakest merge inside is right, 1
    for a cluster of one form. `parent` is the id of the wider type that a type lies in, `None` at the top and for
    entities and relations. The forms of a relation that are `turned` say it with subject and object exchanged: *was
    bought by* among *bought*. One that is `symmetric` means the same both ways: *is married to*.
    """

    id: str
    kind: Literal["entity", "relation", "type"]
    name: str
    members: tuple[Member, ...]
    forms: tuple[str, ...]
    confidence: float = 1.0
    parent: str | None = None
    turned: tuple[str, ...] = ()
    symmetric: bool = False

    def to_dict(self, mentions: Mapping[str, TripleMention], evidence: int = 3) -> dict[str, Any]:
        """The cluster with its members' words, and as many different sentences as `evidence` says."""
        found = [(member, mentions[member.mention]) for member in self.members]
        sentences = dict.fromkeys(mention.sentence for _, mention in found if mention.sentence)
        return {
            **values_of(self, "id", "kind", "name"),
            "confidence": round(self.confidence, 6),
            "parent": self.parent,
            "forms": list(self.forms),
            "members": [
                {"mention": mention.id, "slot": member.slot, "text": mention.phrase(member.slot).text}
                for member, mention in found
            ],
            "evidence": list(sentences)[:evidence],
            **({"turned": list(self.turned)} if self.turned else {}),
            **({"symmetric": True} if self.symmetric else {}),
        }


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two groups of forms that were joined, or kept apart, with little margin; `probability` that they are one."""

    kind: Literal["entity", "relation", "type"]
    left: tuple[str, ...]
    right: tuple[str, ...]
    probability: float
    joined: bool


@dataclass(frozen=True, slots=True, repr=False)
class Canonicalization(Tabular):
    """All clusters of a set of mentions. Every occurrence is in one entity or relation cluster.

    Types may nest: an occurrence belongs to the type that lists it and to all its parents. `skipped` are the faulty
    lines of the input, `notes` what the method says of its work.
    """

    entities: tuple[Cluster, ...] = ()
    relations: tuple[Cluster, ...] = ()
    types: tuple[Cluster, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    mentions: Mapping[str, TripleMention] = field(default_factory=dict)
    method: str = ""
    skipped: tuple[FormatError, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        return (*self.entities, *self.relations, *self.types)

    def to_dict(self, evidence: int = 3) -> dict[str, Any]:
        """The output of `tupelo canonicalize --json`."""
        clusters = [cluster.to_dict(self.mentions, evidence) for cluster in self.clusters]
        notes = {"notes": list(self.notes)} if self.notes else {}
        return {"method": self.method, "triples": len(self.mentions), **notes, "clusters": clusters}

    def rows(self) -> list[dict[str, Any]]:
        """One row per cluster."""
        return [
            values_of(cluster, "kind", "name")
            | {"forms": "; ".join(cluster.forms), "members": len(cluster.members)}
            | values_of(cluster, "confidence", "parent", "id")
            for cluster in self.clusters
        ]

    @property
    def _counts(self) -> str:
        return (
            f"{len(self.mentions):,} triples: {len(self.entities):,} entities, {len(self.relations):,} relations, "
            f"{len(self.types):,} types"
        )

    def __repr__(self) -> str:
        return f"<Canonicalization of {self._counts}>"

    def __str__(self) -> str:
        several = [cluster for cluster in self.clusters if len(cluster.forms) > 1]
        lines = (f"{c.kind:<8}  {c.confidence:.2f}  {c.name}: {' | '.join(c.forms)}" for c in several)
        return "\n".join([self._counts, *self.notes, *lines])


@dataclass(frozen=True, slots=True)
class PhraseCorrection:
    """The decision of a person about two phrases. `together`: the two phrases mean the same; otherwise they do not.

    A phrase stands for all its occurrences. `phrase|id` stands for its
    occurrence in the triple with that id alone, for phrases with several meanings.
    """

    together: bool
    kind: Literal["entity", "relation", "type"]
    left: str
    right: str


Members: TypeAlias = Collection[Hashable]


@dataclass(frozen=True, slots=True)
class ClusterFile:
    """Clusters by subtask. `nested` adds, for types, what lies below each; elsewhere it equals `clusters`.

    `joint` has the clusters of subjects and objects together, for gold that asks for them. `partial`: gold has no
    label for some elements, and these are not scored.
    """

    name: str
    format: str
    clusters: Mapping[str, Sequence[Members]]
    nested: Mapping[str, Sequence[Members]] = field(default_factory=dict)
    joint: Mapping[str, Sequence[Members]] = field(default_factory=dict)
    partial: bool = False
    checksum: str = ""
