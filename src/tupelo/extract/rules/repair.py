"""Contrasts as the rules read them, and sentences with some words changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tupelo.core import Analysis
from tupelo.extract.marks.operators import is_contrast, is_replaced, partner_of
from tupelo.nlp.syntax import DependencyTree


def repair(analysis: Analysis) -> Analysis:
    """*In May, not in June*, *Rome instead of Oslo*: the second phrase is a conjunct of the first."""
    if not any(word.deprel in ("conj", "cc") or word.text in ("not", "never", "instead") for word in analysis.words):
        return analysis
    tree, changes = DependencyTree(analysis), Changes()
    for conjunct, label in enumerate(tree.base):
        is_second = label in ("obl", "obj", "nmod") and (
            tree.has_base(tree.below[conjunct], "cc") or is_contrast(tree, conjunct)
        )
        if is_second and (first := partner_of(tree, conjunct)) is not None:
            changes[conjunct] = {"head": first, "deprel": "conj"}
            changes |= {
                case: {"deprel": "cc"} for case in tree.children(conjunct, "case") if is_replaced(tree, conjunct)
            }
    return with_changes(analysis, changes)


# New values for the fields of some words.
Changes = dict[int, dict[str, Any]]


def with_changes(analysis: Analysis, changes: Changes) -> Analysis:
    """The sentence with some words changed; the same object if there are none."""
    if not changes:
        return analysis
    words = enumerate(analysis.words)
    return replace(
        analysis, words=tuple(replace(word, **changes[at]) if at in changes else word for at, word in words)
    )
