"""Which arguments say when, and which say where."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tupelo.core import Analysis
from tupelo.extract.tree import Tree
from tupelo.extract.words import (
    PLACE_ADVERBS,
    PLACE_PREPOSITIONS,
    SURE_TIME_PREPOSITIONS,
    TIME_ADVERBS,
    TIME_NOUNS,
    TIME_PREPOSITIONS,
)

_YEAR = re.compile(r"(1\d|20)\d\d(s|['’]s)?|(19|20)?\d0s")
_CLOCK = re.compile(r"\d{1,2}:\d\d|\d{1,2}(am|pm)")
_TIME_CLAUSES = frozenset(["when", "whenever", "until", "till", "after", "before", "since", "while", "once"])
_PLACE_CLAUSES = frozenset(["where", "wherever"])


def role_of(analysis: Analysis, tokens: Sequence[int], tree: Tree | None = None) -> str | None:
    """`time`, `location`, or `None` for any other argument."""
    tree = tree or Tree(analysis)
    head = tree.head_of(tokens)
    if head is None:
        return None
    base, word = tree.base[head], tree.lower(head)
    prepositions = [tree.lower(child) for child in tree.children(head, "case", "mark")]
    first = tree.lower(min(tokens))
    if base == "advcl":
        return (
            "time" if first in _TIME_CLAUSES and first != "while" else "location" if first in _PLACE_CLAUSES else None
        )
    if base == "advmod" or tree.upos(head) == "ADV":
        if word in TIME_ADVERBS:
            return "time"
        return "location" if word in PLACE_ADVERBS else None
    if base not in ("obl", "nmod", "obj", "nsubj", "conj", "root", "xcomp", "advmod"):
        return None
    label = _entity(analysis, head)
    if base in ("obl", "nmod", "conj"):
        opening = prepositions[0] if prepositions else None
        timely = (
            label in ("date", "datetime")
            or tree.lemmas[head] in TIME_NOUNS
            or _YEAR.fullmatch(word)
            or _CLOCK.fullmatch(word)
        )
        if opening is None:
            return "time" if timely else None
        if timely and opening in TIME_PREPOSITIONS and not _is_cause(tree, head):
            return "time"
        if opening in SURE_TIME_PREPOSITIONS:
            return "time"
        if label == "place" and opening in PLACE_PREPOSITIONS:
            return "location"
    return None


def _is_cause(tree: Tree, head: int) -> bool:
    """*for the first time* says when; *by the end* does too; *for age* says why."""
    return tree.lemmas[head] in ("age", "term", "end", "past", "future") and any(
        tree.lower(child) in ("for", "to", "with") for child in tree.children(head, "case")
    )


def _entity(analysis: Analysis, head: int) -> str | None:
    for entity in analysis.entities or ():
        if entity.start <= head < entity.end:
            return entity.label
    return None
