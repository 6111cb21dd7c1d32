"""Parts of a gold file that share no sentence and no subject, for tuning on some and measuring on the rest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from tupelo.core.canonical import GoldLabels, TripleMention


def two_folds(mentions: Sequence[TripleMention], gold: GoldLabels) -> tuple[list[TripleMention], list[TripleMention]]:
    """Two halves; see `folds`."""
    left, right = folds(mentions, gold, 2)
    return left, right


def folds(mentions: Sequence[TripleMention], gold: GoldLabels, count: int) -> list[list[TripleMention]]:
    """Mentions in parts of about the same size, each with about the same share of every relation.

    Mentions with the same sentence, or with the same entity as subject, stay
    together; this is how COMBO's own parts were made. Whole groups are dealt
    out, largest first, to the part that has fewest mentions of their relations.
    """
    parent = list(range(len(mentions)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    first: dict[tuple[str, str], int] = {}
    for number, mention in enumerate(mentions):
        keys = [("subject", min(gold.get("subject", {}).get(mention.id, {mention.subject.text})))]
        if mention.sentence:
            keys.append(("sentence", mention.sentence))
        for key in keys:
            one, other = root(first.setdefault(key, number)), root(number)
            parent[max(one, other)] = min(one, other)
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(mentions)):
        groups[root(number)].append(number)
    relations = gold.get("relation", {})
    counts: list[Counter[str]] = [Counter() for _ in range(count)]
    parts: list[list[int]] = [[] for _ in range(count)]
    for group in sorted(groups.values(), key=lambda group: (-len(group), group[0])):
        labels = Counter(min(relations.get(mentions[number].id, {""})) for number in group)
        costs = [
            sum(times * counts[side][label] for label, times in labels.items()) + 0.01 * len(parts[side])
            for side in range(count)
        ]
        side = costs.index(min(costs))
        counts[side].update(labels)
        parts[side].extend(group)
    return [[mentions[number] for number in sorted(part)] for part in parts]
