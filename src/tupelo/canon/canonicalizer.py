"""A `Canonicalizer` from any method: clusters of subjects and objects as entities and types, and of relations.

Clusters respect the corrections of people. Phrases that cannot be linked are separated by splitting their cluster at
lower and lower thresholds; if that does not help (equal vectors), the second phrase gets a cluster of its own. The
clusters of phrases that must be linked are then merged, or, if that would violate a correction, the phrases form a
cluster of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.clusters import (
    DEFAULT_SLOPE,
    Confidence,
    Kind,
    components,
    groups_of,
    join_by_key,
    make_clusters,
    nested_types,
    slot_members,
    with_turned,
)
from tupelo.canon.cuts import in_order_of_appearance
from tupelo.canon.methods import CanonMethod, CanonResources, Mentions, PreparedMethod, no_progress
from tupelo.core import InputError
from tupelo.core.canonical import (
    SLOTS,
    SUBTASKS,
    TASKS,
    Canonicalization,
    Cluster,
    Doubt,
    Member,
    PhraseCorrection,
    normal_form,
)
from tupelo.core.progress import Advance
from tupelo.nlp.languages.en.grammar import POSSESSIVES, UNNAMING_PRONOUNS

Labels = NDArray[np.int64]
PRONOUNS = UNNAMING_PRONOUNS | POSSESSIVES
KINDS: dict[str, Kind] = {"npc-e": "entity", "rpc": "relation", "npc-o": "type"}


@dataclass(frozen=True, slots=True)
class MethodCanonicalizer:
    """`thresholds` replace the shipped ones, by subtask; `corrections` are decisions of people."""

    method: CanonMethod
    resources: CanonResources = field(default_factory=CanonResources)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    tasks: tuple[str, ...] = tuple(TASKS)
    corrections: tuple[PhraseCorrection, ...] = ()
    seed: int = 0
    advance: Advance = no_progress

    @property
    def name(self) -> str:
        return self.method.name

    @property
    def version(self) -> str:
        return "2"

    def canonicalize(self, mentions: Mentions) -> Canonicalization:
        check_mentions(mentions)
        if not mentions:
            return Canonicalization()
        # The clusters do not depend on the order of the mentions.
        ordered = sorted(mentions, key=lambda mention: mention.id)
        prepared = self.method.prepare(ordered, self.resources, seed=self.seed, advance=self.advance)
        made: dict[str, tuple[Cluster, ...]] = dict.fromkeys(TASKS, ())
        doubts: list[Doubt] = []
        for task in self.tasks:
            made[task], doubtful = self._clusters(task, prepared, ordered)
            doubts.extend(doubtful)
        doubts.sort(key=lambda doubt: abs(doubt.probability - 0.5))
        by_id = {mention.id: mention for mention in mentions}
        return Canonicalization(
            made["npc-e"],
            made["rpc"],
            made["npc-o"],
            tuple(doubts),
            by_id,
            self.name,
            notes=tuple(self._notes(prepared)),
        )

    def _notes(self, prepared: PreparedMethod) -> Iterator[str]:
        """For a method that trains from initial clusters, how many of them changed, by task."""
        if not hasattr(prepared, "changes"):
            return
        for task in self.tasks:
            thresholds = [self._threshold(subtask) for subtask in TASKS[task]]
            found = cast(Any, prepared).changes(TASKS[task][0], sum(thresholds) / len(thresholds))
            yield f"{KINDS[task]}: {found} from the start of '{self.name}'"

    def _clusters(
        self, task: str, prepared: PreparedMethod, mentions: Mentions
    ) -> tuple[tuple[Cluster, ...], list[Doubt]]:
        kind, by_id = KINDS[task], {mention.id: mention for mention in mentions}
        members = [member for subtask in TASKS[task] for member in slot_members(mentions, SUBTASKS[subtask])]
        forms = [by_id[member.mention].phrase(member.slot).text for member in members]
        cut = self._cut(task, prepared, members, forms)
        if kind == "entity":
            cut = _with_pronouns_apart(cut, forms)
        chosen = [correction for correction in self.corrections if correction.kind == kind]
        labels = corrected(cut, 1.0, chosen, forms, [member.mention for member in members])
        confidence = Confidence(
            cut, 1.0, getattr(self.method, "slope", lambda subtask: DEFAULT_SLOPE)(TASKS[task][0])
        )
        item = {member: number for number, member in enumerate(members)}
        groups = groups_of(labels.tolist(), members)

        def sureness(group: Sequence[Member]) -> float:
            return confidence.of([item[member] for member in group])

        decided = {frozenset((normal_form(c.left), normal_form(c.right))) for c in chosen}
        doubts = [
            doubt
            for doubt in confidence.doubts(kind, forms)
            if frozenset((normal_form(doubt.left[0]), normal_form(doubt.right[0]))) not in decided
        ]
        if kind == "type":
            return nested_types(groups, cut, members, by_id, sureness), doubts
        clusters = make_clusters(kind, groups, by_id, confidence=sureness)
        if kind == "relation" and (turned := getattr(prepared.subtask("relation"), "turned", None)) is not None:
            at = dict(zip(members, turned(self._threshold("relation")).tolist(), strict=True))
            both = dict(zip(members, cast(Any, prepared.subtask("relation")).symmetric.tolist(), strict=True))
            clusters = tuple(with_turned(cluster, by_id, at, both) for cluster in clusters)
        return clusters, doubts

    def _cut(
        self, task: str, prepared: PreparedMethod, members: Sequence[Member], forms: Sequence[str]
    ) -> Callable[[float], Labels]:
        """A function from a share to the cluster numbers of all members, with every threshold multiplied by it."""
        subtasks = TASKS[task]
        thresholds = [self._threshold(subtask) for subtask in subtasks]
        mean = sum(thresholds) / len(thresholds)
        if hasattr(prepared, "around"):
            return cast("Callable[[float], Labels]", cast(Any, prepared).around(subtasks, mean))
        if len(subtasks) > 1 and hasattr(prepared, "pooled"):
            pooled = cast(Any, prepared).pooled(KINDS[task])
            return lambda share: pooled.labels(share * mean)
        cuts = [prepared.subtask(subtask) for subtask in subtasks]
        if len(cuts) == 1:
            return lambda share: cuts[0].labels(share * thresholds[0])
        form_of = {member: normal_form(form) for member, form in zip(members, forms, strict=True)}
        size = len(members) // len(cuts)

        def combined(share: float) -> Labels:
            partitions = [
                groups_of(own.labels(share * threshold).tolist(), members[number * size : (number + 1) * size])
                for number, (own, threshold) in enumerate(zip(cuts, thresholds, strict=True))
            ]
            groups = join_by_key(partitions, form_of.__getitem__)
            label = {member: number for number, group in enumerate(groups) for member in group}
            return np.array([label[member] for member in members], dtype=np.int64)

        return combined

    def _threshold(self, subtask: str) -> float:
        return self.thresholds[subtask] if subtask in self.thresholds else threshold_of(self.method, subtask)


def _with_pronouns_apart(cut: Callable[[float], Labels], forms: Sequence[str]) -> Callable[[float], Labels]:
    """The same clusters, but each pronoun is alone: what *it* refers to differs from sentence to sentence."""
    places = np.array([place for place, form in enumerate(forms) if normal_form(form) in PRONOUNS], dtype=np.int64)
    if not places.size:
        return cut

    def separated(share: float) -> Labels:
        labels = cut(share).copy()
        labels[places] = labels.max() + 1 + np.arange(places.size)
        return labels

    return separated


def threshold_of(method: CanonMethod, subtask: str) -> float:
    """The shipped threshold of a method; an error where the user has to give one."""
    thresholds: Mapping[str, float] = getattr(method, "thresholds", {})
    if subtask not in thresholds:
        raise InputError(
            f"no threshold ships for '{subtask}' of method '{method.name}': "
            "give --threshold, or tune one on gold data"
        )
    return thresholds[subtask]


def check_mentions(mentions: Mentions) -> None:
    """Raise an error unless ids are unique and all phrases have words."""
    seen: set[str] = set()
    for mention in mentions:
        if mention.id in seen:
            raise InputError(f"two mentions have the id '{mention.id}', expected one id each")
        seen.add(mention.id)
        for slot in SLOTS:
            if not mention.phrase(slot).text.strip():
                raise InputError(f"mention '{mention.id}' has an empty {slot}, expected a phrase")


_LEVELS = 12


def corrected(
    cut: Callable[[float], Labels],
    threshold: float,
    corrections: Iterable[PhraseCorrection],
    forms: Sequence[str],
    ids: Sequence[str],
) -> Labels:
    """Cluster numbers per item at the threshold, with corrections of one kind applied.

    `forms` and `ids` have the phrase and the triple of every item. A correction about phrases that do not occur has
    no effect.
    """
    labels = in_order_of_appearance(cut(threshold))
    decided = tuple(corrections)
    if not decided:
        return labels
    places = _Places(forms, ids)
    links = [(c, places.find(c.left), places.find(c.right)) for c in decided]
    links = [(c, left, right) for c, left, right in links if left and right]
    if not links:
        return labels
    musts = ((left[0], item) for c, left, right in links if c.together for item in (*left, *right))
    together = components(len(labels), musts)
    apart = [(c, left, right) for c, left, right in links if not c.together]
    for correction, left, right in apart:
        shared = {together[item] for item in left} & {together[item] for item in right}
        if shared or set(left) & set(right):
            raise InputError(
                f"corrections contradict each other: '{correction.left}' and '{correction.right}' cannot be one, "
                "but others say that they must"
            )
        labels = _take_apart(labels, left, right, cut, threshold)
    forbidden = [(set(left), set(right)) for _, left, right in apart]
    # All phrases that must be linked are merged at once: a later pair could separate an earlier one.
    linked = {item for c, left, right in links if c.together for item in (*left, *right)}
    for first in sorted({together[item] for item in linked}):
        items = [item for item in sorted(linked) if together[item] == first]
        labels = _bring_together(labels, items, forbidden)
    return in_order_of_appearance(labels)


class _Places:
    """Items by phrase, and by phrase and id."""

    def __init__(self, forms: Sequence[str], ids: Sequence[str]) -> None:
        self._items: dict[str, list[int]] = {}
        for item, (form, number) in enumerate(zip(forms, ids, strict=True)):
            normal = normal_form(form)
            for key in (normal, f"{normal}|{number}"):
                self._items.setdefault(key, []).append(item)

    def find(self, phrase: str) -> list[int]:
        form, bar, number = phrase.rpartition("|")
        key = f"{normal_form(form)}|{number.strip()}" if bar else normal_form(phrase)
        return self._items.get(key) or self._items.get(normal_form(phrase), [])


def _take_apart(
    labels: Labels, left: list[int], right: list[int], cut: Callable[[float], Labels], threshold: float
) -> Labels:
    for cluster in sorted({int(labels[item]) for item in left} & {int(labels[item]) for item in right}):
        inside = labels == cluster
        ones = [item for item in left if inside[item]]
        others = [item for item in right if inside[item]]
        for level in range(_LEVELS - 1, 0, -1):
            finer = cut(threshold * level / _LEVELS)
            if not {int(finer[item]) for item in ones} & {int(finer[item]) for item in others}:
                labels = np.where(inside, finer + labels.max() + 1, labels)
                break
        else:
            labels = labels.copy()
            labels[others] = labels.max() + 1
    return labels


def _bring_together(labels: Labels, items: list[int], forbidden: list[tuple[set[int], set[int]]]) -> Labels:
    wanted = {int(labels[item]) for item in items}
    if len(wanted) == 1:
        return labels
    joined = np.isin(labels, sorted(wanted))
    members = set(np.flatnonzero(joined).tolist())
    labels = labels.copy()
    if any(members & one and members & other for one, other in forbidden):
        labels[items] = labels.max() + 1
    else:
        labels[joined] = min(wanted)
    return labels
