"""*Ann left because it rained* <-> *Because it rained , Ann left*; *X , but Y* -> *Although X , Y*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Clause, connectives, per_clause, remaining
from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.focus import is_plain, second_verbs
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import SPEECH, word_set

_OPENERS = word_set("when while because since after before although though if as once until unless whereas despite")
_TWO_PLACES = word_set("because when after before if once while although though since unless despite")


@per_clause
def front_clause(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """An adverbial clause from the end to the front."""
    if not is_plain(tree, clause) or second_verbs(clause) or clause.fronts:
        return
    for block in clause.blocks:
        if block.base != "advcl" or block.tokens[-1] + 1 != clause.stop:
            continue
        opener = tree.lower[block.tokens[0]]
        if opener == "when" and tree.text(block.tokens[0] - 1) == ",":
            # "until 1998 , when ...": it tells what happened then.
            continue
        purpose = opener == "to" and tree.tag(block.head) == "VB" and tree.child(clause.predicate, "obj", "obl")
        if opener not in _OPENERS and not purpose:
            continue
        if opener == "as" or (opener in ("when", "while") and not tree.has_own_subject(block.head)):
            continue
        items: list[Item] = [
            *connectives(tree, clause),
            *block.tokens,
            New(","),
            *clause.subject,
            *clause.group,
            *remaining(clause.after, block.tokens),
        ]
        yield Draft("front-clause", tuple(items))


@per_clause
def back_clause(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """An adverbial clause from the front to the end."""
    if not is_plain(tree, clause) or second_verbs(clause):
        return
    fronts = [front for front in clause.fronts if front.head not in connectives(tree, clause)]
    if len(fronts) != 1 or fronts[0].base != "advcl" or tree.lower[fronts[0].tokens[0]] not in _TWO_PLACES:
        return
    front = fronts[0]
    # "When Ann came , she sang": turned round, she would come before Ann.
    named = any(tree.lower[index] == tree.lower[clause.subject_head] for index in front.tokens)
    clauses_behind = any(tree.base[index] in ("advcl", "ccomp") for index in clause.after)
    if (tree.tag(clause.subject_head) == "PRP" or clauses_behind) and not named:
        return
    comma: list[Item] = [New(",")] if tree.lower[front.tokens[0]] in ("although", "though", "while") else []
    items: list[Item] = [*connectives(tree, clause), *clause.subject, *clause.rest, *comma, *front.tokens]
    yield Draft("back-clause", tuple(items))


@per_clause
def although(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*X , but Y* -> *Although X , Y*."""
    for block in clause.blocks:
        if (
            block.base != "conj"
            or clause.lead
            or not tree.has_own_subject(block.head)
            or block.tokens[-1] + 1 != clause.stop
        ):
            continue
        if tree.lower[block.tokens[0]] not in ("but", "yet") or not _has_plain_subject(tree, block.head):
            continue
        if tree.lemmas[clause.predicate] in SPEECH:
            # He may have said both.
            continue
        first = [*clause.before, *clause.subject, *clause.group]
        first += [index for index in clause.after if index < block.tokens[0]]
        while first and tree.text(first[-1]) in (",", ";"):
            first.pop()
        if connectives(tree, clause) or any(tree.text(index) in (";", ":", "--") for index in first):
            return
        if sum(other.base == "conj" for other in clause.blocks) > 1:
            return
        if any(tree.base[index] in ("parataxis", "discourse") for index in clause.after):
            return
        items: list[Item] = [New("although"), *first, New(","), *block.tokens[1:]]
        yield Draft("although", tuple(items))


def _has_plain_subject(tree: Tree, verb: int) -> bool:
    return tree.child(verb, "nsubj", "expl") is not None
