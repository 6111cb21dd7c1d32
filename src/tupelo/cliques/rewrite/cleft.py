"""*Ann won the race in May* -> *It was Ann who won the race in May*, *It was in May that Ann won the race*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Clause, be_word, connectives, per_clause, remaining
from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.focus import (
    can_be_focus,
    focus_adjuncts,
    is_negated,
    is_plain,
    is_time,
    preposition,
    relative_pronoun,
    second_verbs,
)
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import word_set

# What is told of a subject by these is no news about the subject.
_THIN = word_set("be seem appear become remain exist")


@per_clause
def cleft_subject(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """The subject in focus."""
    if not is_plain(tree, clause) or not can_be_focus(tree, clause.subject, 18):
        return
    if tree.lower[clause.subject_head] in ("it", "there", "this", "that", "what", "i", "you"):
        return
    if tree.tag(clause.subject_head) == "PRP" and tree.child(clause.predicate, "cop") is not None:
        return
    if _is_generic(tree, clause) or any(front.base in ("ccomp", "parataxis") for front in clause.fronts):
        return
    front = _front(tree, clause)
    pronoun = relative_pronoun(tree, clause.subject_head)
    items: list[Item] = [*front, New("it"), be_word(clause), *clause.subject, New(pronoun), *clause.rest]
    yield Draft("cleft-subject", tuple(items))


@per_clause
def cleft_adjunct(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """A time, a place or another phrase with a preposition in focus."""
    if not is_plain(tree, clause):
        return
    if tree.child(clause.predicate, "cop") is not None and not _is_placed(tree, clause):
        return
    for block, in_front in focus_adjuncts(tree, clause):
        if is_negated(tree, clause.group) or "," in [tree.text(index) for index in block.tokens]:
            continue
        if not can_be_focus(tree, block.tokens) or (preposition(tree, block) == "to" and not in_front):
            continue
        if (
            preposition(tree, block) == "by"
            and not is_time(tree, block)
            and not in_front
            and not _is_agent(tree, block)
        ):
            continue
        front = [index for index in _front(tree, clause) if index not in block.tokens]
        items: list[Item] = [
            *(front if not in_front else connectives(tree, clause)),
            New("it"),
            be_word(clause),
            *block.tokens,
            New("that"),
            *clause.subject,
            *clause.group,
            *remaining(clause.after, block.tokens),
        ]
        yield Draft("cleft-adjunct", tuple(items))


@per_clause
def cleft_clause(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Ann left because it rained* -> *It was because it rained that Ann left*."""
    if not is_plain(tree, clause) or second_verbs(clause) or clause.lead or clause.stop != tree.end:
        return
    fronts = [front for front in clause.fronts if front.head not in connectives(tree, clause)]
    for block in (*(fronts if len(fronts) == 1 else ()), *clause.blocks):
        in_front = block in fronts
        if block.base != "advcl" or tree.lower[block.tokens[0]] not in _FOCUSED_CLAUSES or len(block.tokens) > 14:
            continue
        if not tree.has_own_subject(block.head) or is_negated(tree, clause.group) or (fronts and not in_front):
            continue
        if not in_front and block.tokens[-1] + 1 != clause.stop:
            continue
        items: list[Item] = [
            *connectives(tree, clause),
            New("it"),
            be_word(clause),
            *block.tokens,
            New("that"),
            *clause.subject,
            *clause.group,
            *remaining(clause.after, block.tokens),
        ]
        yield Draft("cleft-clause", tuple(items))


_FOCUSED_CLAUSES = frozenset(["because", "when", "after", "before"])


@per_clause
def cleft_object(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """The object in focus."""
    if not is_plain(tree, clause) or second_verbs(clause):
        return
    target = clause.block("obj")
    if target is None or target.tokens[0] != clause.group[-1] + 1 or not can_be_focus(tree, target.tokens, 10):
        return
    if clause.block("xcomp", "ccomp", "iobj") or tree.lemmas[clause.predicate] in ("have", "become", "take", "get"):
        return
    if any(tree.text(index) in ("$", "#", "%") for index in target.tokens):
        return
    if tree.tag(target.head) in ("PRP", "DT") or any(
        tree.lower[i] in ("his", "her", "its", "their") for i in target.tokens
    ):
        return
    if not tree.children(target.head, "det", "nmod:poss", "amod", "nummod") and not tree.tag(target.head).startswith(
        "NNP"
    ):
        return
    items: list[Item] = [
        *_front(tree, clause),
        New("it"),
        be_word(clause),
        *target.tokens,
        New("that"),
        *clause.subject,
        *clause.group,
        *remaining(clause.after, target.tokens),
    ]
    yield Draft("cleft-object", tuple(items))


def _front(tree: Tree, clause: Clause) -> tuple[int, ...]:
    return clause.before


def _is_generic(tree: Tree, clause: Clause) -> bool:
    """*A whale is a mammal*: saying *it is a whale that* would change what is meant."""
    first = tree.lower[clause.subject[0]]
    return tree.child(clause.predicate, "cop") is not None and first in ("a", "an")


def _is_placed(tree: Tree, clause: Clause) -> bool:
    return False


def _is_agent(tree: Tree, block: object) -> bool:
    return getattr(block, "label", "") == "obl:agent"
