"""From cluster numbers per phrase to named clusters that people and the graph can use."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from tupelo.canon.names import forms_by_frequency, telling_name
from tupelo.core.canonical import Cluster, Member, Slot, TripleMention

Kind = Literal["entity", "relation", "type"]
Groups = Sequence[Sequence[Member]]


def make_clusters(
    kind: Kind,
    groups: Iterable[Iterable[Member]],
    mentions: Mapping[str, TripleMention],
    *,
    confidence: Callable[[Sequence[Member]], float] = lambda members: 1.0,
    name: Callable[[Sequence[str]], str] = telling_name,
) -> tuple[Cluster, ...]:
    """Named clusters, largest first. An id is a hash of the members, so that equal clusters have equal ids."""
    clusters = []
    for group in groups:
        members = tuple(sorted(group, key=member_order))
        texts = [" ".join(mentions[member.mention].phrase(member.slot).text.split()) for member in members]
        clusters.append(
            Cluster(
                id=cluster_id(kind, members),
                kind=kind,
                name=name(texts),
                members=members,
                forms=forms_by_frequency(texts),
                confidence=confidence(members),
            )
        )
    return tuple(sorted(clusters, key=lambda cluster: (-len(cluster.members), cluster.name, cluster.id)))


def member_order(member: Member) -> tuple[int, str, str]:
    """Numbers in their order, then other ids in that of the alphabet."""
    return (int(member.mention) if member.mention.isdecimal() else 2**63, member.mention, member.slot)


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
    """One partition from several: groups that share a key are one, also through others.

    This is how subjects and objects that were clustered apart become entities: a
    form that occurs in both slots holds its two clusters together.
    """
    parent: dict[int, int] = {}

    def root(group: int) -> int:
        while parent[group] != group:
            parent[group] = parent[parent[group]]
            group = parent[group]
        return group

    owner: dict[str, int] = {}
    groups = [list(group) for partition in partitions for group in partition]
    for number, group in enumerate(groups):
        parent[number] = number
        for member in group:
            earlier = root(owner.setdefault(key(member), number))
            here = root(number)
            parent[max(earlier, here)] = min(earlier, here)
    joined: dict[int, list[Member]] = defaultdict(list)
    for number, group in enumerate(groups):
        joined[root(number)].extend(group)
    return list(joined.values())


def slot_members(mentions: Sequence[TripleMention], slot: Slot) -> list[Member]:
    return [Member(mention.id, slot) for mention in mentions]
