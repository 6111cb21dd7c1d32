"""*Ann found a door* -> *What Ann found was a door*, *What Ann did was find a door*, *The person who found ...*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Clause, be_word, per_clause, remaining
from tupelo.cliques.rewrite.draft import Draft, Item, New, words
from tupelo.cliques.rewrite.focus import (
    can_be_focus,
    focus_adjuncts,
    is_negated,
    is_plain,
    is_set_phrase,
    is_time,
    points_back,
    preposition,
    relative_pronoun,
    second_verbs,
)
from tupelo.cliques.rewrite.identify import BODIES
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import DYNAMIC, LIGHT, MONTHS, PLACING, QUANTIFIERS, TIMING, word_set

_YEAR = re.compile(r"(1[0-9]|20)\d\d$")
_LONGEST_BETWEEN = 10


@per_clause
def what_object(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*What Ann found under the house was a door.*"""
    if not is_plain(tree, clause) or second_verbs(clause) or is_negated(tree, clause.group):
        return
    target = clause.block("obj")
    if target is None or target.tokens[0] != clause.group[-1] + 1 or tree.lemmas[clause.predicate] in LIGHT:
        return
    if (
        tree.entity[target.head] == "person"
        or tree.tag(target.head) == "PRP"
        or clause.block("xcomp", "ccomp", "iobj")
    ):
        return
    if relative_pronoun(tree, target.head) == "who" or not can_be_focus(tree, target.tokens, 40):
        return
    if not tree.children(target.head, "det", "nmod:poss", "amod", "nummod") and tree.tag(target.head) == "NN":
        return
    others = [block for block in clause.blocks if block.head != target.head]
    if any(block.base not in ("obl", "advmod") for block in others):
        return
    if sum(len(block.tokens) for block in others) > _LONGEST_BETWEEN:
        return
    between = [index for block in others for index in block.tokens]
    items: list[Item] = [
        *clause.before,
        New("what"),
        *clause.subject,
        *clause.group,
        *between,
        be_word(clause),
        *target.tokens,
    ]
    yield Draft("pseudo-cleft-object", tuple(items))


@per_clause
def what_action(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*What Ann did was find a door under the house.*"""
    if not is_plain(tree, clause) or is_negated(tree, clause.group):
        return
    if tree.lemmas[clause.predicate] not in DYNAMIC or tree.tag(clause.predicate) not in ("VBD", "VBZ", "VBP"):
        return
    if tree.children(clause.predicate, "aux") or tree.labels[clause.subject_head] != "nsubj":
        return
    if not _acts(tree, clause) or any(tree.lower[index] == "also" for index in clause.group):
        return
    verbs = [clause.predicate]
    for block in clause.blocks:
        if block.base == "conj":
            if tree.tag(block.head) not in ("VBD", "VBZ", "VBP") or tree.children(block.head, "aux", "cop"):
                return
            verbs.append(block.head)
    bases = {verb: New(tree.lemmas[verb], (verb,)) for verb in verbs}
    do = "did" if clause.past else ("do" if clause.plural or tree.tag(clause.predicate) == "VBP" else "does")
    items: list[Item] = [
        *clause.before,
        New("what"),
        *clause.subject,
        New(do),
        be_word(clause),
        *(bases.get(index, index) for index in clause.rest),
    ]
    yield Draft("pseudo-cleft-action", tuple(items))


@per_clause
def what_for(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*The book deals with wolves* -> *What the book deals with is wolves*."""
    last = clause.blocks[-1] if clause.blocks else None
    if last is None or last.base != "obl" or not is_plain(tree, clause) or is_negated(tree, clause.group):
        return
    mark = preposition(tree, last)
    if mark not in _STRANDED or is_time(tree, last) or tree.entity[last.head] in ("place", "person", "datetime"):
        return
    if last.tokens[-1] + 1 != clause.stop or len(clause.blocks) != 1 or relative_pronoun(tree, last.head) == "who":
        return
    if (
        is_set_phrase(tree, last)
        or tree.tag(last.head) in ("PRP", "VBG")
        or not can_be_focus(tree, last.tokens[1:], 40)
    ):
        return
    if tree.child(clause.predicate, "cop") is not None or clause.lead or last.label == "obl:agent":
        return
    if tree.lower[clause.subject[0]] in QUANTIFIERS - {"it", "this", "these", "those", "that"}:
        return
    if mark in ("in", "at", "on") and tree.lemmas[clause.predicate] not in _BOUND:
        return
    items: list[Item] = [
        *clause.before,
        New("what"),
        *clause.subject,
        *clause.rest[: len(clause.group)],
        last.tokens[0],
        be_word(clause),
        *last.tokens[1:],
    ]
    yield Draft("pseudo-cleft-preposition", tuple(items))


@per_clause
def what_to_do(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Ann agreed to sell the house* -> *What Ann agreed to do was sell the house*."""
    block = clause.blocks[0] if clause.blocks else None
    if block is None or block.base != "xcomp" or not is_plain(tree, clause) or is_negated(tree, clause.group):
        return
    start = block.tokens[0]
    if tree.lower[start] != "to" or start != clause.group[-1] + 1 or tree.tag(block.head) != "VB" or clause.lead:
        return
    if tree.lemmas[clause.predicate] not in _WISHES or tree.lemmas[block.head] not in DYNAMIC:
        return
    if second_verbs(clause) or tree.child(block.head, "aux", "cop") is not None:
        return
    items: list[Item] = [
        *clause.before,
        New("what"),
        *clause.subject,
        *clause.group,
        start,
        New("do"),
        be_word(clause),
        *clause.after[1:],
    ]
    yield Draft("pseudo-cleft-to-do", tuple(items))


@per_clause
def what_inner_object(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Ann agreed to sell the house* -> *What Ann agreed to sell was the house*."""
    last = clause.blocks[-1] if clause.blocks else None
    if last is None or last.base != "xcomp" or len(clause.blocks) != 1 or not is_plain(tree, clause) or clause.lead:
        return
    target = tree.child(last.head, "obj")
    if target is None or is_negated(tree, clause.rest) or last.tokens[-1] + 1 != clause.stop or second_verbs(clause):
        return
    tokens = [index for index in tree.subtree(target) if index in last.tokens]
    tail = tree.trim(tokens)
    if tail != list(range(last.head + 1, clause.stop)) or tree.tag(target) == "PRP" or tree.tag(last.head) != "VB":
        return
    if relative_pronoun(tree, target) == "who" or not can_be_focus(tree, tail, 40) or tree.lemmas[last.head] in LIGHT:
        return
    if not tree.children(target, "det", "nmod:poss", "amod", "nummod") and tree.tag(target) == "NN":
        return
    head = [index for index in clause.after if index <= last.head]
    items: list[Item] = [*clause.before, New("what"), *clause.subject, *clause.group, *head, be_word(clause), *tail]
    yield Draft("pseudo-cleft-inner-object", tuple(items))


# Prepositions that can be left behind by what they belonged to, and verbs that are bound to theirs.
_STRANDED = word_set("with on for about against to from in of at")
_BOUND = word_set(
    "involve engage participate invest specialize result believe focus rely depend insist concentrate "
    "base center report comment succeed"
)
_WISHES = word_set(
    "agree decide plan want try have begin refuse promise offer seek attempt intend hope choose need vow "
    "threaten continue start expect use help manage tend"
)


@per_clause
def who_subject(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*The person who found a door was Ann.*"""
    if not is_plain(tree, clause) or clause.plural or not can_be_focus(tree, clause.subject, 8):
        return
    if tree.entity[clause.subject_head] != "person" or tree.tag(clause.subject_head) not in ("NNP", "NN"):
        return
    if (
        tree.child(clause.predicate, "cop") is not None
        or len(clause.after) > 18
        or "," in map(tree.text, clause.subject)
    ):
        return
    if "," in [tree.text(index) for index in clause.rest]:
        return
    if any(tree.lower[i] in ("himself", "herself", "later", "also", "then") for i in clause.rest):
        return
    items: list[Item] = [*clause.before, *words("the person who"), *clause.rest, be_word(clause), *clause.subject]
    yield Draft("pseudo-cleft-subject", tuple(items))


@per_clause
def when_and_where(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*1990 was the year in which Ann found a door*, *Oslo was where Ann found a door.*"""
    if not is_plain(tree, clause) or is_negated(tree, clause.group):
        return
    for block, in_front in focus_adjuncts(tree, clause):
        mark = preposition(tree, block)
        tokens = block.tokens[1:] if mark else block.tokens
        if not tokens or not can_be_focus(tree, tokens, 8) or points_back(tree, block.tokens, clause):
            continue
        link = _link(tree, block.tokens, tokens, mark, is_time(tree, block), tree.entity[block.head] == "place")
        if link is None:
            continue
        front = () if in_front else clause.before
        items: list[Item] = [
            *front,
            *tokens,
            be_word(clause),
            *link,
            *clause.subject,
            *clause.group,
            *remaining(clause.after, block.tokens),
        ]
        yield Draft("pseudo-cleft-when-where", tuple(items))


def _link(
    tree: Tree, whole: tuple[int, ...], tokens: tuple[int, ...], mark: str | None, time: bool, place: bool
) -> list[New] | None:
    if time and mark in TIMING:
        if len(tokens) == 1 and _YEAR.match(tree.text(tokens[0])):
            return [*words("the year"), New("in", whole[:1]), New("which")]
        if tree.lower[tokens[0]] in MONTHS and len(tokens) >= 2 and tree.text(tokens[1]).isdigit() and mark == "on":
            return [*words("the day"), New("on", whole[:1]), New("which")]
        if tree.lower[tokens[0]] in MONTHS or any(_YEAR.match(tree.text(index)) for index in tokens):
            return words("when")
        return None
    if place and mark in PLACING and tree.tag(tokens[-1]) in ("NNP", "NNPS"):
        return words("where")
    return None


def _acts(tree: Tree, clause: Clause) -> bool:
    """Whether the subject is someone, or a body of people."""
    head = clause.subject_head
    if tree.lower[head] in ("it", "this", "that", "which", "these", "those", "there"):
        return False
    if tree.tag(head) == "PRP" or tree.entity[head] in ("person", "organization"):
        return True
    return relative_pronoun(tree, head) == "who" or tree.lemmas[head] in BODIES
