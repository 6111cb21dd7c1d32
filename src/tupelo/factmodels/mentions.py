"""Mentions from the scores of words, and which of them mean the same: what the document-level classifier starts with.

The network scores a tag for every word (`TAGS`: outside, or the first or a later word of a mention of some type) and
for every two mentions whether they are one entity, given how alike their words are (`likeness`). Mentions of equal
words are one entity; forms are joined as long as their links are above one half on average.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.nlp.decode import EntityDecoder
from tupelo.nlp.languages.en.naming import DEMONYMS

# The types of mentions, and the tags; their order is part of the model's format.
KINDS = ("PER", "ORG", "LOC", "TIME", "NUM", "MISC")
TAGS = ("O", *(f"{place}-{kind}" for kind in KINDS for place in "BI"))
# Kinds of likeness of two mentions. Each is doubled: of different types, of the same.
LIKENESSES = 8
NOTHING, EQUAL, BEGINNING, ENDING, PART, WORD, INITIALS, PEOPLE = range(LIKENESSES)
_LINKED = 0.5
TAGGED = EntityDecoder(TAGS)


def likeness(one: Sequence[str], two: Sequence[str]) -> int:
    """The likeness of the words of two mentions: one of the eight."""
    a, b = (tuple(word.lower() for word in words) for words in (one, two))
    if a == b:
        return EQUAL
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    if DEMONYMS.get(short, "").lower() == " ".join(long) or DEMONYMS.get(long, "").lower() == " ".join(short):
        return PEOPLE
    size = len(short)
    if size < len(long):
        if long[:size] == short:
            return BEGINNING
        if long[-size:] == short:
            return ENDING
        if set(short) <= set(long):
            return PART
        if size == 1 and _are_initials(*((one, two) if len(one) == 1 else (two, one))):
            return INITIALS
    return WORD if any(len(word) > 3 for word in set(a) & set(b)) else NOTHING


def _are_initials(one: Sequence[str], many: Sequence[str]) -> bool:
    letters = one[0].replace(".", "")
    return len(letters) > 1 and letters == "".join(word[0] for word in many if word[:1].isupper())


def alike(mentions: Sequence[tuple[Sequence[str], str]]) -> NDArray[np.int64]:
    """[mentions, mentions]: the likeness of two mentions (words and type), with the types."""
    forms: dict[tuple[str, ...], int] = {}
    rows = np.array([forms.setdefault(tuple(words), len(forms)) for words, _ in mentions], dtype=np.int64)
    table = np.zeros((len(forms), len(forms)), dtype=np.int64)
    listed = list(forms)
    for one, words in enumerate(listed):
        for two in range(one + 1):
            table[one, two] = table[two, one] = likeness(words, listed[two])
    kinds = np.array([KINDS.index(kind) for _, kind in mentions], dtype=np.int64)
    found: NDArray[np.int64] = 2 * table[np.ix_(rows, rows)] + (kinds[:, None] == kinds[None, :])
    return found


def entities_of(
    mentions: Sequence[tuple[Sequence[str], str]], linked: Iterable[tuple[int, int, float]]
) -> tuple[list[int], list[str]]:
    """The entity of every mention, numbered from 0 by first mention, and the type of every entity.

    `linked` has two mentions and the probability that they are one, for all that were compared. The best linked forms
    are joined first, as long as those of the two clusters that were compared are linked on average.
    """
    keys: dict[tuple[str, ...], int] = {}
    forms = [keys.setdefault(tuple(word.lower() for word in words), len(keys)) for words, _ in mentions]
    sums: dict[tuple[int, int], list[float]] = {}
    for one, two, probability in linked:
        a, b = sorted((forms[one], forms[two]))
        if a != b:
            both = sums.setdefault((a, b), [0.0, 0.0])
            both[0] += probability
            both[1] += 1.0
    means = {pair: total / count for pair, (total, count) in sums.items()}
    cluster = list(range(len(keys)))
    members = [[form] for form in cluster]
    for (a, b), mean in sorted(means.items(), key=lambda item: (-item[1], item[0])):
        if mean <= _LINKED:
            break
        one, two = sorted((cluster[a], cluster[b]))
        between = [
            means[pair] for x in members[one] for y in members[two] if (pair := (min(x, y), max(x, y))) in means
        ]
        if one != two and sum(between) / len(between) > _LINKED:
            members[one] += members[two]
            for form in members[two]:
                cluster[form] = one
    order: dict[int, int] = {}
    entity = [order.setdefault(cluster[form], len(order)) for form in forms]
    counts = np.zeros((len(order), len(KINDS)))
    for number, (_, kind) in zip(entity, mentions, strict=True):
        counts[number, KINDS.index(kind)] += 1
    return entity, [KINDS[int(row.argmax())] for row in counts]
