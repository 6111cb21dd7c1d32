"""*Ann won the race in May* -> *It was Ann who won the race in May*, *It was in May that Ann won the race*."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.robustness.rewrite.clause import ClauseParts, can_be_focus, is_modified, relative_pronoun
from tupelo.robustness.rewrite.draft import Item
from tupelo.robustness.rewrite.rule import FOCUS, Proposals, clause_rule


def _it_was(clause: ClauseParts, front: Sequence[int], focus: Sequence[int]) -> list[Item | str]:
    return [*front, "it", clause.be, *focus, "that", *clause.without(focus)]


@clause_rule(FOCUS, needs="plain")
def cleft_subject(clause: ClauseParts) -> Proposals:
    """The subject in focus."""
    tree, head = clause.tree, clause.subject_head
    if not can_be_focus(tree, clause.subject, 18):
        return
    if tree.lowered[head] in ("it", "there", "this", "that", "what", "i", "you"):
        return
    if clause.is_copular and (clause.has_pronoun_subject or tree.lowered[clause.subject[0]] in ("a", "an")):
        # "A whale is a mammal": "it is a whale that" would change the meaning.
        return
    if any(front.base in ("ccomp", "parataxis") for front in clause.fronts):
        return
    yield [*clause.before, "it", clause.be, *clause.subject, relative_pronoun(tree, head), *clause.rest]


@clause_rule(FOCUS, "adjunct", needs="plain positive verbal")
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


@clause_rule(FOCUS, needs="plain positive single sentence-first")
def cleft_clause(clause: ClauseParts) -> Proposals:
    """*Ann left because it rained* -> *It was because it rained that Ann left*."""
    tree, fronts = clause.tree, clause.own_fronts
    if clause.stop != tree.end:
        return
    for block in (*(fronts if len(fronts) == 1 else ()), *(() if fronts else clause.blocks)):
        if block.base != "advcl" or tree.lowered[block.tokens[0]] not in ("because", "when", "after", "before"):
            continue
        if len(block.tokens) > 14 or not tree.has_own_subject(block.head):
            continue
        if fronts or clause.ends_with(block):
            yield _it_was(clause, clause.connectives, block.tokens)


@clause_rule(FOCUS, needs="plain single")
def cleft_object(clause: ClauseParts) -> Proposals:
    """The object in focus."""
    tree, target = clause.tree, clause.block("obj")
    if target is None or target.tokens[0] != clause.group[-1] + 1 or not can_be_focus(tree, target.tokens, 10):
        return
    if clause.block("xcomp", "ccomp", "iobj") or clause.lemma in ("have", "become", "take", "get"):
        return
    if tree.has_text(target.tokens, "$", "#", "%"):
        return
    if tree.has_word(target.tokens, ("his", "her", "its", "their")) or tree.tag(target.head) in ("PRP", "DT"):
        return
    if is_modified(tree, target.head) or tree.tag(target.head).startswith("NNP"):
        yield _it_was(clause, clause.before, target.tokens)
