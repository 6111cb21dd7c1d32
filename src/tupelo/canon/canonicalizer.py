"""Any method as a `Canonicalizer`: subjects and objects become entities, relations relations, types types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tupelo.canon.assemble import groups_of, join_by_key, make_clusters, slot_members
from tupelo.canon.methods.surface import normal_form
from tupelo.canon.resources import Resources
from tupelo.canon.thresholds import threshold_for
from tupelo.core import InputError
from tupelo.core.canonical import SLOTS, SUBTASKS, TASKS, Canonicalization, Cluster, Member, TripleMention
from tupelo.core.protocols import Advance, CanonMethod, Prepared


@dataclass(frozen=True, slots=True)
class MethodCanonicalizer:
    """`thresholds` override those that ship, by subtask."""

    method: CanonMethod
    resources: Resources = field(default_factory=Resources)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    tasks: tuple[str, ...] = tuple(TASKS)
    seed: int = 0
    advance: Advance = lambda steps: None

    @property
    def name(self) -> str:
        return self.method.name

    @property
    def version(self) -> str:
        return "1"

    def canonicalize(self, mentions: Sequence[TripleMention]) -> Canonicalization:
        check_mentions(mentions)
        if not mentions:
            return Canonicalization()
        # Whatever order they come in, the clusters are the same.
        ordered = sorted(mentions, key=lambda mention: mention.id)
        prepared = self.method.prepare(ordered, self.resources, seed=self.seed, advance=self.advance)
        by_id = {mention.id: mention for mention in ordered}
        made: dict[str, tuple[Cluster, ...]] = dict.fromkeys(TASKS, ())
        for task in self.tasks:
            partitions = [self._groups(prepared, ordered, subtask) for subtask in TASKS[task]]

            def form(member: Member) -> str:
                return normal_form(by_id[member.mention].phrase(member.slot).text)

            groups = partitions[0] if len(partitions) == 1 else join_by_key(partitions, form)
            kind = {"npc-e": "entity", "rpc": "relation", "npc-o": "type"}[task]
            made[task] = make_clusters(kind, groups, by_id)  # type: ignore[arg-type]
        return Canonicalization(entities=made["npc-e"], relations=made["rpc"], types=made["npc-o"])

    def _groups(self, prepared: Prepared, mentions: Sequence[TripleMention], subtask: str) -> list[list[Member]]:
        threshold = self.thresholds.get(subtask, threshold_for(self.method.name, subtask))
        labels = prepared.subtask(subtask).labels(threshold)
        return groups_of(labels.tolist(), slot_members(mentions, SUBTASKS[subtask]))


def check_mentions(mentions: Sequence[TripleMention]) -> None:
    """Every mention has an id of its own and three phrases with something in them."""
    seen: set[str] = set()
    for mention in mentions:
        if mention.id in seen:
            raise InputError(f"two mentions have the id '{mention.id}', expected one id each")
        seen.add(mention.id)
        for slot in SLOTS:
            if not mention.phrase(slot).text.strip():
                raise InputError(f"mention '{mention.id}' has an empty {slot}, expected a phrase")
