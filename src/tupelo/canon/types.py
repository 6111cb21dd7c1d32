"""Types that people can read: a few levels of one tree, each cluster named after what its members are called."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.assemble import cluster_id, make_clusters
from tupelo.canon.names import telling_name
from tupelo.core.canonical import Cluster, Member, TripleMention

# Wider levels above the types themselves, as shares of the threshold.
LEVELS = (1.15, 1.35)
# "Ann Berg , a Norwegian painter who …": what follows an article after the phrase, up to the first small word.
_SAID_TO_BE = re.compile(
    r"^\s*(?:\([^)]*\)\s*)?(?:,\s*)?(?:which |who )?(?:is|was|are|were|,)?\s*(?:one of )?(?:a|an|the)\s+"
    r"((?:[\w'-]+\s+){0,4}?[\w'-]+?)(?=\s*(?:$|[,.;:()]|\b(?:of|in|by|for|from|on|at|to|and|or|with|that|which|who|is|was)\b))",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_LEAST_SHARE = 0.08


def nested_types(
    groups: Sequence[Sequence[Member]],
    cut: Callable[[float], NDArray[np.int64]],
    members: Sequence[Member],
    mentions: Mapping[str, TripleMention],
    confidence: Callable[[Sequence[Member]], float],
) -> tuple[Cluster, ...]:
    """Types with the wider types that they lie in.

    The narrow types list all occurrences. A wider type lists none of its own, and exists only
    where it holds several narrower ones.
    """
    words = {member: kind_words(mentions[member.mention], member) for member in members}
    everywhere = Counter(word for own in words.values() for word in own)

    def name(group: Sequence[Member]) -> str:
        texts = [mentions[member.mention].phrase(member.slot).text for member in group]
        return type_name([words[member] for member in group], everywhere, len(members)) or telling_name(texts)

    made = list(make_clusters("type", groups, mentions, confidence=confidence))
    clusters = [replace(cluster, name=name(cluster.members)) for cluster in made]
    item = {member: number for number, member in enumerate(members)}
    wider: list[Cluster] = []
    for share in LEVELS:
        labels = cut(share)
        # A corrected cluster may reach into several wider ones; the one that holds most of it is its own.
        inside: dict[int, list[Cluster]] = {}
        for cluster in (c for c in (*clusters, *wider) if c.parent is None):
            votes = Counter(int(labels[item[member]]) for member in _all_members(cluster, clusters, wider))
            label = min(votes, key=lambda own: (-votes[own], own))
            inside.setdefault(label, []).append(cluster)
        for label in sorted(inside):
            below = inside[label]
            if len(below) < 2:
                continue
            covered = [member for cluster in below for member in _all_members(cluster, clusters, wider)]
            identity = cluster_id("type", covered)
            wider.append(Cluster(identity, "type", name(covered), (), (), confidence(covered)))
            ids = {cluster.id for cluster in below}
            clusters = [replace(c, parent=identity) if c.id in ids else c for c in clusters]
            wider = [replace(c, parent=identity) if c.id in ids else c for c in wider]
    return (*clusters, *wider)


def _all_members(cluster: Cluster, clusters: Sequence[Cluster], wider: Sequence[Cluster]) -> list[Member]:
    if cluster.members:
        return list(cluster.members)
    return [
        member
        for child in (*clusters, *wider)
        if child.parent == cluster.id
        for member in _all_members(child, clusters, wider)
    ]


def kind_words(mention: TripleMention, member: Member) -> tuple[str, ...]:
    """Words that may say what the phrase is: what the sentence calls it, and its own last word."""
    phrase = mention.phrase(member.slot)
    found: list[str] = []
    if phrase.span is not None:
        said = _SAID_TO_BE.match(mention.sentence[phrase.span.end :])
        if said:
            found += _WORD.findall(said[1].lower())[-1:] * 2
    own = _WORD.findall(phrase.text.lower())
    if len(own) > 1:
        found.append(own[-1])
    return tuple(found)


def type_name(words: Sequence[Sequence[str]], everywhere: Mapping[str, int], total: int) -> str | None:
    """The word that many members share and few others have; `None` when no word is telling enough."""
    counts = Counter(word for own in words for word in own)
    least = max(2.0, _LEAST_SHARE * len(words))

    def weight(word: str) -> float:
        outside = (everywhere[word] - counts[word] + 0.5) / (total - len(words) + 1)
        return counts[word] * math.log((counts[word] + 0.5) / (len(words) + 1) / outside)

    telling = [word for word, count in counts.items() if count >= least and weight(word) > 0]
    return min(telling, key=lambda word: (-weight(word), word)) if telling else None
