"""*Ann is the owner of the inn* -> *The owner of the inn is Ann*; *It is located in Y* -> *Located in Y is X*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Clause, per_clause
from tupelo.cliques.rewrite.draft import Draft, Item, New, Turn
from tupelo.cliques.rewrite.focus import can_be_focus, is_negated, is_plain
from tupelo.cliques.rewrite.morphology import be
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import PLACING, POSSESSIVES, word_set

_PLACED = word_set("locate situate base house place bury include attach display list")


@per_clause
def swap_copula(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """Subject and predicate noun change places where both are definite."""
    if not is_plain(tree, clause) or is_negated(tree, clause.group) or clause.before:
        return
    if len(clause.blocks) != 1 or clause.blocks[0].label != "predicate" or len(clause.group) != 1:
        return
    noun = clause.predicate
    tokens = clause.blocks[0].tokens
    if tree.upos(noun) not in ("NOUN", "PROPN") or tree.lower[tokens[0]] not in ("the", "one"):
        return
    if tree.tag(clause.subject_head) == "PRP" or not can_be_focus(tree, clause.subject, 16) or len(tokens) > 24:
        return
    if any(tree.lower[index] in POSSESSIVES for index in tokens) or "," in map(tree.text, tokens):
        return
    if any(tree.tag(index) in ("VBZ", "VBP", "VBD") for index in tokens[-12:] if tree.base[index] == "conj"):
        return
    subject = [index for index in clause.subject if index != clause.subject[-1] or tree.text(index) != ","]
    form = New(be(past=clause.past, plural=tree.is_plural(noun)), clause.group)
    items: list[Item] = [*tokens, form, *subject]
    turn = Turn(clause.group[0], frozenset(clause.group), (form.text,), tuple(subject), tokens)
    yield Draft("swap-copula", tuple(items), (turn,))


@per_clause
def place_first(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*The terminus is at the airport* -> *At the airport is the terminus*."""
    block = clause.block("predicate")
    if block is None or len(clause.blocks) != 1 or clause.before or clause.lead or len(clause.group) != 1:
        return
    if (
        not is_plain(tree, clause)
        or tree.lower[block.tokens[0]] not in PLACING
        or tree.tag(clause.subject_head) == "PRP"
    ):
        return
    if "," in [tree.text(index) for index in (*block.tokens, *clause.subject)] or clause.subject[0] > block.tokens[0]:
        return
    items: list[Item] = [*block.tokens, *clause.group, *clause.subject]
    yield Draft("place-first", tuple(items))


@per_clause
def located_first(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*X is located in Y* -> *Located in Y is X*."""
    if not is_plain(tree, clause) or is_negated(tree, clause.group) or clause.before:
        return
    if tree.lemmas[clause.predicate] not in _PLACED or tree.tag(clause.predicate) != "VBN":
        return
    if tree.tag(clause.subject_head) == "PRP" or len(clause.group) != 2 or len(clause.blocks) != 1:
        return
    if clause.blocks[0].base != "obl":
        return
    subject = [index for index in clause.subject if index != clause.subject[-1] or tree.text(index) != ","]
    items: list[Item] = [clause.group[1], *clause.after, clause.group[0], *subject]
    yield Draft("located-first", tuple(items))
