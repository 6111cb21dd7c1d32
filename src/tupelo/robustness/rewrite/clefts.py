"""*Ann found a door* -> *It was Ann who found a door*, *What Ann found was a door*, *Ann is the one who ...*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.inflection import be, do
from tupelo.nlp.languages.en.naming import ORGANIZATION_NOUNS
from tupelo.nlp.languages.en.quantities import MONTHS_AND_ABBREVIATIONS
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import Declaration, Proposals, clause_rule, rule
from tupelo.robustness.rewrite.clause import (
    BREAKS,
    FINITE,
    Block,
    ClauseParts,
    can_be_focus,
    clauses,
    is_modified,
    relative_pronoun,
)
from tupelo.robustness.rewrite.draft import Item, New

_YEAR = re.compile(r"(1[0-9]|20)\d\d$")
_LONGEST_BETWEEN = 10
_STRANDED = words("rewriting", "stranded_prepositions")
_BOUND = words("rewriting", "bound_verbs")
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
def cleft_clause(clause: ClauseParts, block: Block) -> Proposals:
    """*Ann left because it rained* -> *It was because it rained that Ann left*."""
    yield _it_was(clause, clause.connectives, block.tokens)


@clause_rule
def cleft_object(clause: ClauseParts, target: Block) -> Proposals:
    """The object in focus."""
    if is_modified(clause.tree, target.head) or clause.tree.tag(target.head).startswith("NNP"):
        yield _it_was(clause, clause.before, target.tokens)


def _what(clause: ClauseParts, inside: Sequence[Item | str], focus: Sequence[Item]) -> list[Item | str]:
    """*What Ann found under the house was a door*: the clause with `inside` after the verb, and the focus."""
    return [*clause.before, "what", *clause.subject, *clause.group, *inside, clause.be, *focus]


def _is_thing(tree: DependencyTree, noun: int, tokens: tuple[int, ...] | list[int]) -> bool:
    """Whether *what* can stand for a noun phrase."""
    if tree.tag(noun) == "PRP" or relative_pronoun(tree, noun) == "who" or not can_be_focus(tree, tokens, 40):
        return False
    return is_modified(tree, noun) or tree.tag(noun) != "NN"


@clause_rule
def pseudo_cleft_object(clause: ClauseParts, target: Block) -> Proposals:
    """*What Ann found under the house was a door.*"""
    others = [block for block in clause.blocks if block.head != target.head]
    between = [index for block in others for index in block.tokens]
    if len(between) > _LONGEST_BETWEEN or any(block.base not in ("obl", "advmod") for block in others):
        return
    if _is_thing(clause.tree, target.head, target.tokens):
        yield _what(clause, between, target.tokens)


@clause_rule
def pseudo_cleft_action(clause: ClauseParts) -> Proposals:
    """*What Ann did was find a door under the house.*"""
    tree = clause.tree
    verbs = [clause.predicate, *(block.head for block in clause.blocks if block.base == "conj")]
    if any(tree.tag(verb) not in FINITE or tree.children(verb, "aux", "cop") for verb in verbs[1:]):
        return
    if _acts(tree, clause.subject_head):
        bases = {verb: New(tree.lemmas[verb], (verb,)) for verb in verbs}
        form = do(past=clause.past, plural=clause.plural or tree.tag(clause.predicate) == "VBP")
        rest: list[Item] = [bases.get(index, index) for index in clause.rest]
        yield [*clause.before, "what", *clause.subject, form, clause.be, *rest]


def _acts(tree: DependencyTree, head: int) -> bool:
    """Whether a subject is a person or an organization."""
    if tree.lowered[head] in ("it", "this", "that", "which", "these", "those", "there"):
        return False
    if tree.tag(head) == "PRP" or tree.entity[head] in ("person", "organization"):
        return True
    return relative_pronoun(tree, head) == "who" or tree.lemmas[head] in ORGANIZATION_NOUNS


@clause_rule
def pseudo_cleft_preposition(clause: ClauseParts, last: Block) -> Proposals:
    """*The book deals with wolves* -> *What the book deals with is wolves*."""
    tree, preposition = clause.tree, clause.preposition(last)
    if preposition not in _STRANDED or clause.is_set_phrase(last) or relative_pronoun(tree, last.head) == "who":
        return
    if tree.lowered[clause.subject[0]] in grammar.UNFOCUSED_WORDS - {"it", "this", "these", "those", "that"}:
        return
    if preposition in ("in", "at", "on") and clause.lemma not in _BOUND:
        return
    if can_be_focus(tree, last.tokens[1:], 40):
        yield _what(clause, last.tokens[:1], last.tokens[1:])


@clause_rule
def pseudo_cleft_to_do(clause: ClauseParts, block: Block) -> Proposals:
    """*Ann agreed to sell the house* -> *What Ann agreed to do was sell the house*."""
    yield _what(clause, [block.tokens[0], "do"], clause.after[1:])


@clause_rule
def pseudo_cleft_inner_object(clause: ClauseParts, last: Block) -> Proposals:
    """*Ann agreed to sell the house* -> *What Ann agreed to sell was the house*."""
    tree = clause.tree
    target = tree.children(last.head, "obj")[0]
    tail = tree.strip_marks([index for index in tree.subtree(target) if index in last.tokens])
    if tail == list(range(last.head + 1, clause.stop)) and _is_thing(tree, target, tail):
        yield _what(clause, [index for index in clause.after if index <= last.head], tail)


@clause_rule
def pseudo_cleft_subject(clause: ClauseParts) -> Proposals:
    """*The person who found a door was Ann.*"""
    yield [*clause.before, "the person who", *clause.rest, clause.be, *clause.subject]


@clause_rule
def pseudo_cleft_when_where(clause: ClauseParts) -> Proposals:
    """*1990 was the year in which Ann found a door*, *Oslo was where Ann found a door.*"""
    for block, in_front in clause.focus_adjuncts():
        preposition = clause.preposition(block)
        tokens = block.tokens[1:] if preposition else block.tokens
        if not can_be_focus(clause.tree, tokens, 8) or clause.points_back(block.tokens):
            continue
        if clause.is_time(block) and preposition in grammar.DATE_PREPOSITIONS:
            link = _date_link(clause.tree, tokens, preposition)
        elif clause.tree.entity[block.head] == "place" and preposition in grammar.LOCATION_PREPOSITIONS:
            link = ["where"] if clause.tree.tag(tokens[-1]) in ("NNP", "NNPS") else []
        else:
            continue
        if link:
            front = () if in_front else clause.before
            yield [*front, *tokens, clause.be, *link, *clause.without(block.tokens)]


def _date_link(tree: DependencyTree, tokens: tuple[int, ...], preposition: str) -> list[Item | str]:
    """The words that link a clause to a date; empty if it cannot follow one."""
    source = (tokens[0] - 1,)
    month = tree.lowered[tokens[0]] in MONTHS_AND_ABBREVIATIONS
    if len(tokens) == 1 and _YEAR.match(tree.text(tokens[0])):
        return ["the year", New("in", source), "which"]
    if month and len(tokens) >= 2 and tree.text(tokens[1]).isdigit() and preposition == "on":
        return ["the day", New("on", source), "which"]
    return ["when"] if month or any(_YEAR.match(tree.text(index)) for index in tokens) else []


@clause_rule
def pseudo_cleft_what(clause: ClauseParts) -> Proposals:
    """*What bolsters the firm is the pact*; *The person who ...* and *The people who ...* for people."""
    opening = _opening(clause)
    # "What are distributed are copies" is unidiomatic.
    if opening in (None, "the one that") or (clause.plural and opening == "what"):
        return
    form = be(past=clause.past, plural=clause.plural)
    yield [*clause.before, opening, *clause.rest, form, *clause.subject]


@clause_rule
def reversed_cleft(clause: ClauseParts) -> Proposals:
    """*Ann is the one who found the door*, *The pact is what bolsters the firm*."""
    opening = _opening(clause)
    if opening is None or (opening == "what" and clause.plural):
        return
    if opening != "what":
        opening = f"the {'ones' if clause.plural else 'one'} {'that' if opening == 'the one that' else 'who'}"
    form = be(past=clause.past, plural=clause.plural)
    yield [*clause.before, *clause.subject, form, opening, *clause.rest]


def _opening(clause: ClauseParts) -> str | None:
    """The opening of a clause about its subject; `None` if there is none."""
    tree, head = clause.tree, clause.subject_head
    if tree.lowered[clause.subject[0]] in ("a", "an") and tree.labels[head] != "nsubj":
        return None
    if relative_pronoun(tree, head) == "who":
        return "the people who" if clause.plural else "the person who"
    if tree.entity[head] in ("organization", "place") or tree.tag(head) in ("NNP", "NNPS"):
        return "the one that"
    return "the one that" if tree.lemmas[head] in ORGANIZATION_NOUNS else "what"


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
