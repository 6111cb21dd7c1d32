"""*Ann moved in May* <-> *In May , Ann moved*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Block, Clause, connectives, per_clause, remaining
from tupelo.cliques.rewrite.draft import Draft, Item, New
from tupelo.cliques.rewrite.focus import (
    is_followed_by_comma,
    is_negated,
    is_plain,
    is_set_phrase,
    is_time,
    may_belong_elsewhere,
    points_back,
    preposition,
    second_verbs,
)
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import FOCUSED

_STAY = frozenset(["to", "by", "into", "with", "for"])


@per_clause
def front_adjunct(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """A time or place from behind the verb to the front."""
    if not is_plain(tree, clause) or second_verbs(clause):
        return
    if [front for front in clause.fronts if front.head not in connectives(tree, clause)]:
        return
    for block in clause.blocks:
        if (
            not _can_move(tree, block)
            or points_back(tree, block.tokens, clause)
            or is_followed_by_comma(tree, block, clause)
            or may_belong_elsewhere(tree, block, clause)
        ):
            continue
        if preposition(tree, block) in _STAY and not is_time(tree, block):
            continue
        if preposition(tree, block) == "on" and not is_time(tree, block) and tree.entity[block.head] != "place":
            # "on one knee" says how, and belongs to the verb.
            continue
        if tree.child(clause.predicate, "cop") is not None and not is_time(tree, block):
            continue
        items: list[Item] = [
            *connectives(tree, clause),
            *block.tokens,
            New(","),
            *clause.subject,
            *clause.group,
            *remaining(clause.after, block.tokens),
        ]
        yield Draft("front-adjunct", tuple(items))


@per_clause
def move_back(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """A phrase from the front to the end, or right behind the verb and its object."""
    if not is_plain(tree, clause) or second_verbs(clause):
        return
    fronts = [front for front in clause.fronts if front.head not in connectives(tree, clause)]
    if len(fronts) != 1 or not _can_move(tree, fronts[0]) or len(fronts[0].tokens) > 12:
        return
    front = fronts[0]
    place = _place_behind(tree, clause)
    if place is None:
        return
    behind = list(clause.after[:place])
    items: list[Item] = [
        *connectives(tree, clause),
        *clause.subject,
        *clause.group,
        *behind,
        *front.tokens,
        *clause.after[place:],
    ]
    yield Draft("move-back", tuple(items))


def _can_move(tree: Tree, block: Block) -> bool:
    if is_negated(tree, block.tokens) or len(block.tokens) > 16 or is_set_phrase(tree, block):
        return False
    if block.base == "obl":
        return preposition(tree, block) in FOCUSED | {"despite", "until"} or is_time(tree, block)
    return (
        block.base == "advmod"
        and tree.lower[block.head]
        in (
            "recently",
            "currently",
            "today",
            "yesterday",
            "eventually",
            "initially",
            "originally",
            "previously",
            "traditionally",
            "historically",
            "subsequently",
            "finally",
            "later",
            "formerly",
            "presently",
        )
        and len(block.tokens) == 1
    )


def _place_behind(tree: Tree, clause: Clause) -> int | None:
    """Where an adjunct can stand: behind the object or the first short complement, else at the end."""
    if not clause.blocks:
        return 0
    count = 0
    for block in clause.blocks:
        if block.base in ("obj", "iobj", "predicate", "obl", "advmod") and block.label != "obl:tmod":
            if any(tree.text(index) == "," for index in clause.after[count : block.tokens[0] - clause.after[0]]):
                break
            count = block.tokens[-1] - clause.after[0] + 1
            continue
        break
    last = [block for block in clause.blocks if block.tokens[-1] - clause.after[0] + 1 == count]
    if not last or any(block.base in ("xcomp", "ccomp") for block in clause.blocks):
        return None
    inside = range(clause.after[0], clause.after[0] + count)
    # Behind a clause the phrase would be read as part of it.
    if any(tree.base[index] in ("acl", "advcl", "ccomp", "appos") for index in inside):
        return None
    return count
