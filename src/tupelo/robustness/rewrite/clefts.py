"""*Ann found a door* -> *It was Ann who found a door*, *What Ann found was a door*, *Ann is the one who ...*."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import Declaration, Proposals, clause_rule, rule
from tupelo.robustness.rewrite.clause import (
    BREAKS,
    Block,
    ClauseParts,
    can_be_focus,
    clauses,
    is_modified,
    relative_pronoun,
)
from tupelo.robustness.rewrite.draft import Item

_CONNECTING = words("rewriting", "framed_connectives")
_ASIDES = words("rewriting", "asides")
_EVENT = Declaration("what-happened-once")


def _it_was(clause: ClauseParts, front: Sequence[int], focus: Sequence[int]) -> list[Item | str]:
    return [*front, "it", clause.be, *focus, "that", *clause.without(focus)]


@clause_rule
def cleft_subject(clause: ClauseParts) -> Proposals:
    """The subject in focus."""
    tree = clause.tree
    # "A whale is a mammal": "it is a whale that" would change the meaning.
    is_kind = clause.has_pronoun_subject or tree.lowered[clause.subject[0]] in ("a", "an")
    if (clause.is_copular and is_kind) or any(front.base in ("ccomp", "parataxis") for front in clause.fronts):
        return
    who = relative_pronoun(tree, clause.subject_head)
    yield [*clause.before, "it", clause.be, *clause.subject, who, *clause.rest]


@clause_rule
def cleft_adjunct(clause: ClauseParts) -> Proposals:
    """A time, a place or another phrase with a preposition in focus."""
    for block, in_front in clause.focus_adjuncts():
        preposition = clause.preposition(block)
        if clause.tree.has_text(block.tokens, ",") or not can_be_focus(clause.tree, block.tokens):
            continue
        by = preposition == "by" and not clause.is_time(block) and block.label != "obl:agent"
        if not in_front and (preposition == "to" or by):
            continue
        front = [index for index in clause.before if index not in block.tokens]
        yield _it_was(clause, clause.connectives if in_front else front, block.tokens)


@clause_rule
def cleft_object(clause: ClauseParts, target: Block) -> Proposals:
    """The object in focus."""
    if is_modified(clause.tree, target.head) or clause.tree.tag(target.head).startswith("NNP"):
        yield _it_was(clause, clause.before, target.tokens)


@clause_rule
def what_happened(clause: ClauseParts) -> Proposals:
    """*What happened was that Ann found a door.*"""
    linked = clause.before and clause.tree.lowered[clause.before[0]] in _CONNECTING
    if not linked and _is_event(clause):
        yield ["what happened was that", *clause.before, *clause.subject, *clause.rest]


@rule
def what_is_true(tree: DependencyTree) -> Proposals:
    """*What is true is that Ann is a singer.*"""
    root, first = tree.root, next(iter(clauses(tree)), None)
    if root is None or tree.end == tree.size or tree.text(tree.end) != ".":
        return
    if tree.child(root, "nsubj", "expl") is None or (first is not None and (_is_event(first) or not first.is_plain)):
        return
    if tree.lowered[0] in _CONNECTING | {"i", "we", "you", "that", "this"} or " ".join(tree.lowered[:2]) in _ASIDES:
        return
    if tree.lemmas[root] in grammar.STATEMENT_VERBS or tree.base[0] in ("advmod", "cc"):
        return
    marks = (*BREAKS, "?", "``", "''")
    if not tree.has_text(range(tree.end), *marks) and not tree.has_base(tree.below[root], "parataxis"):
        yield ["what is true is that", *range(tree.size)]


def _is_event(clause: ClauseParts) -> bool:
    """Whether it describes something that happened once, as opposed to a state or a habit."""
    tree = clause.tree
    helped = tree.children(clause.predicate, "aux") and tree.labels[clause.subject_head] != "nsubj:pass"
    return clause.past and not helped and _EVENT.fits(clause)
