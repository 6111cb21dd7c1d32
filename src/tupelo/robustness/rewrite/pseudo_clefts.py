"""*Ann found a door* -> *What Ann found was a door*, *What Ann did was find a door*, *Ann is the one who ...*."""

from __future__ import annotations

import re

from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.grammar import (
    ACTION_VERBS,
    DATE_PREPOSITIONS,
    EVENT_VERBS,
    INTENTION_VERBS,
    LIGHT_VERBS,
    LOCATION_PREPOSITIONS,
    STATEMENT_VERBS,
    UNFOCUSED_WORDS,
)
from tupelo.nlp.languages.en.inflection import be, do
from tupelo.nlp.languages.en.naming import ORGANIZATION_NOUNS
from tupelo.nlp.languages.en.quantities import MONTHS_AND_ABBREVIATIONS
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import (
    Clause,
    can_be_focus,
    clauses,
    has_comma,
    is_modified,
    is_negated,
    relative_pronoun,
)
from tupelo.robustness.rewrite.draft import Item, New
from tupelo.robustness.rewrite.rule import FOCUS, Proposals, clause_rule, rule

_YEAR = re.compile(r"(1[0-9]|20)\d\d$")
_LONGEST_BETWEEN = 10
_LONGEST_REST = 16
# Prepositions that can be stranded, and verbs that require theirs.
_STRANDED = word_set("with on for about against to from in of at")
_BOUND = word_set(
    "involve engage participate invest specialize result believe focus rely depend insist concentrate "
    "base center report comment succeed"
)
_OPEN_ENDED = word_set("also then later too however therefore thus only still even")
_CONNECTING = word_set("and but however so thus therefore or yet instead still nor also moreover meanwhile though")
_ASIDES = frozenset([("for", "instance"), ("for", "example"), ("in", "addition"), ("in", "fact"), ("of", "course")])
_HABITS = word_set("would could had usually often always frequently sometimes generally regularly never")


def _is_thing(tree: DependencyTree, noun: int, tokens: tuple[int, ...] | list[int]) -> bool:
    """Whether *what* can stand for a noun phrase."""
    if tree.tag(noun) == "PRP" or relative_pronoun(tree, noun) == "who" or not can_be_focus(tree, tokens, 40):
        return False
    return is_modified(tree, noun) or tree.tag(noun) != "NN"


@clause_rule("pseudo-cleft-object", FOCUS)
def what_object(clause: Clause) -> Proposals:
    """*What Ann found under the house was a door.*"""
    tree, target = clause.tree, clause.block("obj")
    if not clause.is_plain or clause.has_second_verb or clause.is_negated:
        return
    if target is None or target.tokens[0] != clause.group[-1] + 1 or clause.lemma in LIGHT_VERBS:
        return
    if tree.entity[target.head] == "person" or clause.block("xcomp", "ccomp", "iobj"):
        return
    if not _is_thing(tree, target.head, target.tokens):
        return
    others = [block for block in clause.blocks if block.head != target.head]
    between = [index for block in others for index in block.tokens]
    if len(between) > _LONGEST_BETWEEN or any(block.base not in ("obl", "advmod") for block in others):
        return
    yield [*clause.before, "what", *clause.subject, *clause.group, *between, clause.be, *target.tokens]


@clause_rule("pseudo-cleft-action", FOCUS)
def what_action(clause: Clause) -> Proposals:
    """*What Ann did was find a door under the house.*"""
    tree = clause.tree
    if not clause.is_plain or clause.is_negated or clause.lemma not in ACTION_VERBS:
        return
    if tree.tag(clause.predicate) not in ("VBD", "VBZ", "VBP") or tree.children(clause.predicate, "aux"):
        return
    if tree.labels[clause.subject_head] != "nsubj" or not _acts(tree, clause.subject_head):
        return
    if any(tree.lowered[index] == "also" for index in clause.group):
        return
    verbs = [clause.predicate, *(block.head for block in clause.blocks if block.base == "conj")]
    if any(tree.tag(verb) not in ("VBD", "VBZ", "VBP") or tree.children(verb, "aux", "cop") for verb in verbs[1:]):
        return
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


@clause_rule("pseudo-cleft-preposition", FOCUS)
def what_for(clause: Clause) -> Proposals:
    """*The book deals with wolves* -> *What the book deals with is wolves*."""
    tree = clause.tree
    last = clause.blocks[0] if len(clause.blocks) == 1 else None
    if last is None or last.base != "obl" or not clause.is_plain or clause.is_negated or clause.is_copular:
        return
    preposition = clause.preposition(last)
    if preposition not in _STRANDED or tree.entity[last.head] in ("place", "person", "datetime"):
        return
    if not clause.ends_with(last) or clause.lead or last.label == "obl:agent" or clause.is_set_phrase(last):
        return
    if relative_pronoun(tree, last.head) == "who" or tree.tag(last.head) in ("PRP", "VBG"):
        return
    if not can_be_focus(tree, last.tokens[1:], 40):
        return
    if tree.lowered[clause.subject[0]] in UNFOCUSED_WORDS - {"it", "this", "these", "those", "that"}:
        return
    if preposition in ("in", "at", "on") and clause.lemma not in _BOUND:
        return
    yield [
        *clause.before,
        "what",
        *clause.subject,
        *clause.group,
        last.tokens[0],
        clause.be,
        *last.tokens[1:],
    ]


@clause_rule("pseudo-cleft-to-do", FOCUS)
def what_to_do(clause: Clause) -> Proposals:
    """*Ann agreed to sell the house* -> *What Ann agreed to do was sell the house*."""
    tree = clause.tree
    block = clause.blocks[0] if clause.blocks else None
    if block is None or block.base != "xcomp" or not clause.is_plain or clause.is_negated or clause.lead:
        return
    start = block.tokens[0]
    if tree.lowered[start] != "to" or start != clause.group[-1] + 1 or tree.tag(block.head) != "VB":
        return
    if clause.lemma not in INTENTION_VERBS or tree.lemmas[block.head] not in ACTION_VERBS:
        return
    if clause.has_second_verb or tree.child(block.head, "aux", "cop") is not None:
        return
    yield [
        *clause.before,
        "what",
        *clause.subject,
        *clause.group,
        start,
        "do",
        clause.be,
        *clause.after[1:],
    ]


@clause_rule("pseudo-cleft-inner-object", FOCUS)
def what_inner_object(clause: Clause) -> Proposals:
    """*Ann agreed to sell the house* -> *What Ann agreed to sell was the house*."""
    tree = clause.tree
    last = clause.blocks[0] if len(clause.blocks) == 1 else None
    if last is None or last.base != "xcomp" or not clause.is_plain or clause.lead or not clause.ends_with(last):
        return
    target = tree.child(last.head, "obj")
    if target is None or is_negated(tree, clause.rest) or tree.tag(last.head) != "VB":
        return
    tail = tree.strip_marks([index for index in tree.subtree(target) if index in last.tokens])
    if tail != list(range(last.head + 1, clause.stop)) or tree.lemmas[last.head] in LIGHT_VERBS:
        return
    if _is_thing(tree, target, tail):
        head = [index for index in clause.after if index <= last.head]
        yield [*clause.before, "what", *clause.subject, *clause.group, *head, clause.be, *tail]


@clause_rule("pseudo-cleft-subject", FOCUS)
def who_subject(clause: Clause) -> Proposals:
    """*The person who found a door was Ann.*"""
    tree, head = clause.tree, clause.subject_head
    if not clause.is_plain or clause.plural or not can_be_focus(tree, clause.subject, 8):
        return
    if tree.entity[head] != "person" or tree.tag(head) not in ("NNP", "NN"):
        return
    if clause.is_copular or len(clause.after) > 18 or has_comma(tree, (*clause.subject, *clause.rest)):
        return
    if any(tree.lowered[i] in ("himself", "herself", "later", "also", "then") for i in clause.rest):
        return
    yield [*clause.before, "the person who", *clause.rest, clause.be, *clause.subject]


@clause_rule("pseudo-cleft-when-where", FOCUS, "adjunct")
def when_and_where(clause: Clause) -> Proposals:
    """*1990 was the year in which Ann found a door*, *Oslo was where Ann found a door.*"""
    if not clause.is_plain or clause.is_negated:
        return
    for block, in_front in clause.focus_adjuncts():
        preposition = clause.preposition(block)
        tokens = block.tokens[1:] if preposition else block.tokens
        if not can_be_focus(clause.tree, tokens, 8) or clause.points_back(block.tokens):
            continue
        if clause.is_time(block) and preposition in DATE_PREPOSITIONS:
            link = _date_link(clause.tree, tokens, preposition)
        elif clause.tree.entity[block.head] == "place" and preposition in LOCATION_PREPOSITIONS:
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


@clause_rule("pseudo-cleft-what", FOCUS)
def what_subject(clause: Clause) -> Proposals:
    """*What bolsters the firm is the pact*; *The person who ...* and *The people who ...* for people."""
    opening = _opening(clause)
    if opening is None or opening == "the one that" or clause.lead:
        return
    if len(clause.rest) > _LONGEST_REST or len(clause.subject) < 2:
        return
    if clause.plural and opening == "what":
        # "What are distributed are copies" is unidiomatic.
        return
    if any(block.base in ("advcl", "conj", "parataxis", "ccomp") for block in clause.blocks):
        return
    if not has_comma(clause.tree, (*clause.rest, *clause.subject)):
        form = be(past=clause.past, plural=clause.plural)
        yield [*clause.before, opening, *clause.rest, form, *clause.subject]


@clause_rule("reversed-cleft", FOCUS)
def the_one(clause: Clause) -> Proposals:
    """*Ann is the one who found the door*, *The pact is what bolsters the firm*."""
    opening = _opening(clause)
    if opening is None or clause.lead or (opening == "what" and clause.plural):
        return
    if opening != "what":
        opening = f"the {'ones' if clause.plural else 'one'} {'that' if opening == 'the one that' else 'who'}"
    form = be(past=clause.past, plural=clause.plural)
    yield [*clause.before, *clause.subject, form, opening, *clause.rest]


def _opening(clause: Clause) -> str | None:
    """The opening of a clause about its subject; `None` if the rule does not apply."""
    tree, head = clause.tree, clause.subject_head
    if not clause.is_plain or not can_be_focus(tree, clause.subject, 14) or clause.is_negated:
        return None
    if clause.is_copular or tree.tag(head) in ("PRP", "DT", "EX", "WDT", "WP"):
        return None
    if any(tree.lowered[index] in _OPEN_ENDED for index in clause.group):
        return None
    if tree.lowered[clause.subject[0]] in ("a", "an") and tree.labels[head] != "nsubj":
        return None
    if relative_pronoun(tree, head) == "who":
        return "the people who" if clause.plural else "the person who"
    if tree.entity[head] in ("organization", "place") or tree.tag(head) in ("NNP", "NNPS"):
        return "the one that"
    return "the one that" if tree.lemmas[head] in ORGANIZATION_NOUNS else "what"


@clause_rule("what-happened", FOCUS)
def what_happened(clause: Clause) -> Proposals:
    """*What happened was that Ann found a door.*"""
    linked = clause.before and clause.tree.lowered[clause.before[0]] in _CONNECTING
    if not clause.lead and clause.is_plain and not linked and _is_event(clause):
        yield ["what happened was that", *clause.before, *clause.subject, *clause.rest]


@rule("what-is-true", FOCUS)
def what_is_true(tree: DependencyTree) -> Proposals:
    """*What is true is that Ann is a singer.*"""
    root, first = tree.root, next(iter(clauses(tree)), None)
    if root is None or tree.end == tree.size or tree.text(tree.end) != ".":
        return
    if tree.child(root, "nsubj", "expl") is None:
        return
    if first is not None and (_is_event(first) or not first.is_plain):
        return
    if tree.lowered[0] in _CONNECTING | {"i", "we", "you", "that", "this"} or tree.lemmas[root] in STATEMENT_VERBS:
        return
    if tuple(tree.lowered[:2]) in _ASIDES or tree.base[0] in ("advmod", "cc"):
        return
    if any(tree.text(index) in (";", ":", "--", "?", "``", "''") for index in range(tree.end)):
        return
    if not any(tree.base[child] == "parataxis" for child in tree.below[root]):
        yield ["what is true is that", *range(tree.size)]


def _is_event(clause: Clause) -> bool:
    """Whether it describes something that happened once, as opposed to a state or a habit."""
    tree = clause.tree
    if not clause.past or clause.is_negated or clause.is_copular or clause.lemma not in EVENT_VERBS | ACTION_VERBS:
        return False
    if tree.children(clause.predicate, "aux") and tree.labels[clause.subject_head] != "nsubj:pass":
        return False
    return not any(tree.lowered[index] in _HABITS for index in clause.rest)
