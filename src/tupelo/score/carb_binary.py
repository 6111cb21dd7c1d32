"""CaRB's `--binary`: tuples with three or more arguments become tuples with two."""

from __future__ import annotations

from tupelo.score.carb_matchers import PlainTuple

PREPOSITIONS = frozenset(
    [
        "above",
        "across",
        "against",
        "along",
        "among",
        "around",
        "at",
        "before",
        "behind",
        "below",
        "beneath",
        "beside",
        "between",
        "by",
        "for",
        "from",
        "in",
        "into",
        "near",
        "of",
        "off",
        "on",
        "to",
        "toward",
        "under",
        "upon",
        "with",
        "within",
    ]
)


def split_to_binary(item: PlainTuple) -> list[PlainTuple]:
    """As described: *(p; a1, a2)*, and *(p a2; a1, aj)* for each further argument.

    A preposition at the start of aj moves to the end of the relation.
    """
    if len(item.args) <= 2:
        return [item]
    first, second, *others = item.args
    return [item._replace(args=(first, second)), *(_attach(item, other) for other in others)]


def split_to_binary_copies(item: PlainTuple) -> list[PlainTuple]:
    """As released: one object is changed and appended again and again.

    So k arguments give k - 1 equal copies of the last form, and *(p; a1, a2)* is lost.
    """
    if len(item.args) <= 2:
        return [item]
    return [_attach(item, item.args[-1])] * (len(item.args) - 1)


def _attach(item: PlainTuple, argument: str) -> PlainTuple:
    relation = f"{item.rel} {item.args[1]}"
    words = argument.split()
    if words and words[0].lower() in PREPOSITIONS:
        relation = f"{relation} {words.pop(0)}"
    return item._replace(rel=relation, args=(item.args[0], " ".join(words)))
