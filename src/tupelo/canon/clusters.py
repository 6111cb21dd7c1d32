"""Named clusters from cluster labels: ids, names, entities that span both slots, and nested types.

Their confidence comes from the changes that a slightly lower or higher threshold would make.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.methods import Mentions
from tupelo.canon.type_names import UNKNOWN, TypeNames, wider_name
from tupelo.core.canonical import Cluster, Doubt, Member, Slot, TripleMention
from tupelo.core.numeric import sigmoid

_LETTER = re.compile(r"[^\W\d_]")


def telling_name(forms: Sequence[str]) -> str:
    """The form that names a cluster best, from all its occurrences.

    Frequent forms are better known, longer ones more informative ("Joseph Biden", "Biden"): the weight of a form is
    its count times the number of its words, four at most. A form without any letter comes last. Ties go to the longer
    form, then to the first in alphabetical order.

    >>> telling_name(["Biden", "Joe Biden", "Joe Biden", "J. Biden"])
    'Joe Biden'
    """
    counts = Counter(forms)

    def weight(form: str) -> tuple[bool, int, int, str]:
        return (
            _LETTER.search(form) is None,
            -counts[form] * min(len(form.split()), 4),
            -len(form),
            form,
        )

    return min(counts, key=weight)


def forms_by_frequency(forms: Sequence[str]) -> tuple[str, ...]:
    """Distinct forms, the most frequent first, ties in alphabetical order."""
    counts = Counter(forms)
    return tuple(sorted(counts, key=lambda form: (-counts[form], form)))


Kind = Literal["entity", "relation", "type"]
Groups = Sequence[Sequence[Member]]


def make_clusters(
    kind: Kind,
    groups: Iterable[Iterable[Member]],
    mentions: Mapping[str, TripleMention],
    *,
    confidence: Callable[[Sequence[Member]], float],
) -> tuple[Cluster, ...]:
    """Named clusters, largest first. An id is a hash of the members: equal clusters have equal ids."""
    clusters = []
    for group in groups:
        members = tuple(sorted(group, key=member_order))
        texts = [" ".join(mentions[member.mention].phrase(member.slot).text.split()) for member in members]
        clusters.append(
            Cluster(
                id=cluster_id(kind, members),
                kind=kind,
                name=telling_name(texts),
                members=members,
                forms=forms_by_frequency(texts),
                confidence=confidence(members),
            )
        )
    return tuple(sorted(clusters, key=lambda cluster: (-len(cluster.members), cluster.name, cluster.id)))


def with_turned(
    cluster: Cluster,
    mentions: Mapping[str, TripleMention],
    turned: Mapping[Member, bool],
    symmetric: Mapping[Member, bool],
) -> Cluster:
    """A relation cluster with those of its forms whose subject and object are exchanged, compared with its name."""
    if any(symmetric[member] for member in cluster.members):
        return replace(cluster, symmetric=True)
    forms = {" ".join(mentions[member.mention].relation.text.split()): turned[member] for member in cluster.members}
    return replace(cluster, turned=tuple(form for form in cluster.forms if forms[form] != forms[cluster.name]))


def member_order(member: Member) -> tuple[int, str, str]:
    """Sort key: numeric ids by value, then other ids alphabetically."""
    return (
        int(member.mention) if member.mention.isdecimal() and len(member.mention) < 20 else 2**63,
        member.mention,
        member.slot,
    )


def cluster_id(kind: Kind, members: Sequence[Member]) -> str:
    content = "\n".join(f"{member.mention}\t{member.slot}" for member in members)
    return f"{kind[0]}{hashlib.sha256(content.encode('utf-8')).hexdigest()[:12]}"


def groups_of(labels: Iterable[int], members: Sequence[Member]) -> list[list[Member]]:
    """Members by cluster number, in order of appearance."""
    groups: dict[int, list[Member]] = defaultdict(list)
    for label, member in zip(labels, members, strict=True):
        groups[int(label)].append(member)
    return list(groups.values())


def join_by_key(partitions: Iterable[Groups], key: Callable[[Member], str]) -> list[list[Member]]:
    """One partition from several: groups that share a key are merged, also transitively.

    Subjects and objects that were clustered separately become entities: a form that occurs in both slots links its
    two clusters.
    """
    owner: dict[str, int] = {}
    groups = [list(group) for partition in partitions for group in partition]
    links = (
        (owner.setdefault(key(member), number), number) for number, group in enumerate(groups) for member in group
    )
    joined: dict[int, list[Member]] = defaultdict(list)
    for first, group in zip(components(len(groups), links), groups, strict=True):
        joined[first].extend(group)
    return list(joined.values())


def components(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Connected components: for every item the smallest item of its component."""
    parent = list(range(count))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for left, right in links:
        one, other = root(left), root(right)
        parent[max(one, other)] = min(one, other)
    return [root(item) for item in range(count)]


def slot_members(mentions: Mentions, slot: Slot) -> list[Member]:
    return [Member(mention.id, slot) for mention in mentions]


# Wider levels above the types themselves, as shares of the threshold.
LEVELS = (1.15, 1.35)


def nested_types(
    groups: Sequence[Sequence[Member]],
    cut: Callable[[float], NDArray[np.int64]],
    members: Sequence[Member],
    mentions: Mapping[str, TripleMention],
    confidence: Callable[[Sequence[Member]], float],
) -> tuple[Cluster, ...]:
    """Types with the wider types that contain them.

    Only narrow types list occurrences. A wider type exists where it contains several narrower ones, and is named
    after the narrowest kind that they share.
    """
    names = TypeNames(members, mentions)
    item = {member: number for number, member in enumerate(members)}
    levels = {share: cut(share) for share in LEVELS}

    @cache
    def wide_name(share: float, label: int) -> str | None:
        return names.name([members[number] for number in np.flatnonzero(levels[share] == label).tolist()])

    def name(group: Sequence[Member]) -> str:
        """The name of a group, or of the narrowest wider group with a name that contains most of it."""
        found = names.name(group)
        for share, labels in levels.items():
            if found is None:
                found = wide_name(share, most_common(int(labels[item[member]]) for member in group))
        return UNKNOWN if found is None else found

    clusters = list(make_clusters("type", groups, mentions, confidence=confidence))
    clusters = [replace(cluster, name=name(cluster.members)) for cluster in clusters]
    covered = {cluster.id: cluster.members for cluster in clusters}
    for share in LEVELS:
        labels = levels[share]
        # A corrected cluster may overlap several wider ones; its parent is the one that contains most of it.
        inside: dict[int, list[str]] = defaultdict(list)
        for cluster in clusters:
            if cluster.parent is None:
                inside[most_common(int(labels[item[member]]) for member in covered[cluster.id])].append(cluster.id)
        for _, below in sorted(inside.items()):
            if len(below) > 1:
                wide = tuple(member for narrow in below for member in covered[narrow])
                identity = cluster_id("type", wide)
                clusters = [replace(c, parent=identity) if c.id in below else c for c in clusters]
                named = [(cluster.name, len(covered[cluster.id])) for cluster in clusters if cluster.id in below]
                clusters.append(Cluster(identity, "type", wider_name(named), (), (), confidence(wide)))
                covered[identity] = wide
    return tuple(clusters)


def most_common(labels: Iterable[int]) -> int:
    """The most frequent label, the smallest of equally frequent ones."""
    votes = Counter(labels)
    return min(votes, key=lambda label: (-votes[label], label))


Labels = NDArray[np.int64]
Cut = Callable[[float], Labels]

# Thresholds that are compared, as shares of the one in use: lower ones for the cohesion of clusters, higher ones for
# clusters that were nearly merged.
_LEVELS = (0.25, 0.5, 0.65, 0.8, 0.9, 0.96, 1.0, 1.04, 1.1, 1.2)
# Distance from the threshold, as a share of it, at which the odds fall by a factor of e; methods may have a fitted
# one.
DEFAULT_SLOPE = 0.12


def probability(height: float, threshold: float, slope: float = DEFAULT_SLOPE) -> float:
    """Probability that a merge at this height is right; 0.5 at the threshold."""
    if threshold <= 0:
        return 1.0 if height <= 0 else 0.5
    return sigmoid((threshold - height) / (slope * threshold), limit=50.0)


class Confidence:
    """A clustering at several thresholds."""

    def __init__(self, cut: Cut, threshold: float, slope: float = DEFAULT_SLOPE) -> None:
        self._threshold, self._slope = threshold, slope
        self._levels = [(share * threshold, cut(share * threshold)) for share in _LEVELS]

    def of(self, items: Sequence[int]) -> float:
        """Probability of the weakest merge of a cluster, by the lowest level that has all its items together."""
        if len(items) == 1:
            return 1.0
        for height, labels in self._levels:
            if len(np.unique(labels[list(items)])) == 1:
                return probability(height * 0.9, self._threshold, self._slope)
        return 0.5

    def doubts(self, kind: Kind, forms: Sequence[str], most: int = 200) -> list[Doubt]:
        """Pairs of groups that were merged, or kept apart, with little margin; the least certain first."""
        found: list[Doubt] = []
        here = _LEVELS.index(1.0)
        for level in range(here - 3, len(_LEVELS) - 1):
            (low, finer), (high, coarser) = self._levels[level], self._levels[level + 1]
            joined = level < here
            likelihood = probability((low + high) / 2, self._threshold, self._slope)
            for parts in _splits(finer, coarser):
                texts = [forms_by_frequency([forms[item] for item in part]) for part in parts]
                for other in texts[1:]:
                    if set(other) != set(texts[0]):
                        found.append(Doubt(kind, texts[0], other, likelihood, joined))
        found.sort(key=lambda doubt: (abs(doubt.probability - 0.5), doubt.left, doubt.right))
        return found[:most]


def _splits(finer: Labels, coarser: Labels) -> list[list[list[int]]]:
    """Clusters of the coarser level that are several clusters of the finer one, largest part first."""
    size = int(finer.max(initial=0)) + 1
    inside = np.unique(coarser * size + finer) // size
    split = np.flatnonzero((np.bincount(inside) > 1)[coarser])
    parts: dict[int, dict[int, list[int]]] = {}
    for item, small, large in zip(split.tolist(), finer[split].tolist(), coarser[split].tolist(), strict=True):
        parts.setdefault(large, {}).setdefault(small, []).append(item)
    return [sorted(found.values(), key=lambda part: (-len(part), part[0])) for found in parts.values()]
