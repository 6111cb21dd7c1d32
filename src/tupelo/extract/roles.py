"""Which arguments say when, and which say where."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tupelo.core import Analysis
from tupelo.nlp.languages.en.adverbs import PLACE_ADVERBS
from tupelo.nlp.languages.en.calendar import TIME_ADVERBS, TIME_NOUNS
from tupelo.nlp.languages.en.prepositions import PLACE_PREPOSITIONS, SURE_TIME_PREPOSITIONS, TIME_PREPOSITIONS
from tupelo.nlp.syntax import DependencyTree

# Years, decades and times of day.
_TIME = re.compile(r"(1\d|20)\d\d(s|['’]s)?|\d0s|\d{1,2}:\d\d|\d{1,2}(am|pm)")
_TIME_CLAUSES = frozenset(["when", "whenever", "until", "till", "after", "before", "since", "once"])
_PLACE_CLAUSES = frozenset(["where", "wherever"])


def role_of(analysis: Analysis, tokens: Sequence[int], tree: DependencyTree | None = None) -> str | None:
    """`time`, `location`, or `None` for any other argument."""
    tree = tree or DependencyTree(analysis)
    head = tree.head_of(tokens)
    if head is None:
        return None
    base, word = tree.base[head], tree.lowered[head]
    if base == "advcl":
        first = tree.lowered[min(tokens)]
        return "time" if first in _TIME_CLAUSES else "location" if first in _PLACE_CLAUSES else None
    if base == "advmod" or tree.upos(head) == "ADV":
        return "time" if word in TIME_ADVERBS else "location" if word in PLACE_ADVERBS else None
    if base not in ("obl", "nmod", "conj"):
        return None
    label = _entity(analysis, head)
    timely = label == "datetime" or tree.lemmas[head] in TIME_NOUNS or _TIME.fullmatch(word) is not None
    opening = next((tree.lowered[child] for child in tree.children(head, "case", "mark")), None)
    if opening is None:
        return "time" if timely else None
    if opening in SURE_TIME_PREPOSITIONS:
        return "time"
    if timely and opening in TIME_PREPOSITIONS and not _is_cause(tree, head):
        return "time"
    return "location" if label == "place" and opening in PLACE_PREPOSITIONS else None


def _is_cause(tree: DependencyTree, head: int) -> bool:
    """*for the first time* says when; *by the end* does too; *for age* says why."""
    return tree.lemmas[head] in ("age", "term", "end", "past", "future") and any(
        tree.lowered[child] in ("for", "to", "with") for child in tree.children(head, "case")
    )


def _entity(analysis: Analysis, head: int) -> str | None:
    for entity in analysis.entities or ():
        if entity.start <= head < entity.end:
            return entity.label
    return None
