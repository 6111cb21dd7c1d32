"""Minimal and maximal arguments.

Standard arguments omit what a comma sets off and keep the rest. A *minimal* argument is its name or its head noun
with compounds, numbers and a negating *no*. A *maximal* one is the whole subtree of its head: relative clauses,
appositions, parentheticals. Clausal arguments and the relation keep their width.
"""

from __future__ import annotations

from dataclasses import replace

from tupelo.core import Analysis, Argument, Extraction, InputError
from tupelo.extract.rules.phrases import CLAUSAL
from tupelo.nlp.languages.en.grammar import NEGATIVE_DETERMINERS
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import DependencyTree

WIDTHS = ("minimal", "maximal")
_NAMED = frozenset(["person", "organization", "place", "event", "work"])
_WORD_PARTS = frozenset(["compound", "flat", "fixed", "goeswith", "nummod", "case"])


def resize(extraction: Extraction, analysis: Analysis, width: str, tree: DependencyTree | None = None) -> Extraction:
    """The same tuple with shorter or longer arguments; parts without known positions are unchanged."""
    if width not in WIDTHS:
        raise InputError(f"width '{width}', expected {' or '.join(WIDTHS)}")
    tree = tree or DependencyTree(analysis)
    parts = [extraction.rel, *extraction.arguments]
    resized: list[Argument] = []
    for number, argument in enumerate(extraction.arguments):
        if not argument.tokens or argument.inferred:
            resized.append(argument)
            continue
        taken = {
            token for other, part in enumerate(parts, start=-1) if other != number for token in part.tokens or ()
        }
        tokens = _shortest(tree, argument.tokens) if width == "minimal" else _longest(tree, argument.tokens, taken)
        part = make_part(analysis, tokens, argument.role)
        resized.append(replace(part, resolved=argument.resolved))
    if not resized:
        return extraction
    return replace(extraction, arg1=resized[0], args=tuple(resized[1:]))


def _is_clause(tree: DependencyTree, head: int, tokens: tuple[int, ...]) -> bool:
    return tree.upos(head) in ("VERB", "AUX") or any(
        child in tokens for child in tree.children(head, "nsubj", "cop", "mark")
    )


def _shortest(tree: DependencyTree, tokens: tuple[int, ...]) -> list[int]:
    head = tree.head_of(tokens)
    if head is None or _is_clause(tree, head, tokens):
        return list(tokens)
    kept = {head}
    for entity in tree.analysis.entities or ():
        if entity.start <= head < entity.end and entity.label in _NAMED:
            kept.update(range(entity.start, entity.end))
    pending = [head]
    while pending:
        for child in tree.below[pending.pop()]:
            if child in kept:
                continue
            denies = tree.base[child] == "det" and tree.lowered[child] in NEGATIVE_DETERMINERS
            if (tree.base[child] in _WORD_PARTS and tree.tag(child) != "POS") or denies:
                kept.add(child)
                pending.append(child)
    return [token for token in tokens if token in kept] or list(tokens)


def _longest(tree: DependencyTree, tokens: tuple[int, ...], taken: set[int]) -> list[int]:
    head = tree.head_of(tokens)
    if head is None:
        return list(tokens)
    inside = set(tokens)
    predicate = tree.child(head, "cop") is not None or tree.upos(head) in ("VERB", "AUX")
    leave = set(taken)
    for child in tree.below[head]:
        if child in inside:
            continue
        label = tree.base[child]
        # Dependents that form their own tuple or belong to the clause are excluded.
        if label in ("conj", "cc", "punct", "case") or (predicate and label in CLAUSAL | {"obl", "advmod"}):
            leave.add(child)
    widened = [token for token in tree.subtree(head, leave) if token not in taken]
    return sorted(inside | set(tree.trim(widened)))
