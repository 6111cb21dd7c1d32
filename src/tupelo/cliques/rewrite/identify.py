"""*The pact bolsters the firm* -> *What bolsters the firm is the pact*, *The pact is what bolsters the firm*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Clause, clauses, per_clause
from tupelo.cliques.rewrite.draft import Draft, Item, New, words
from tupelo.cliques.rewrite.focus import can_be_focus, is_negated, is_plain, relative_pronoun
from tupelo.cliques.rewrite.morphology import be
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import DYNAMIC, SPEECH, word_set

# Groups of people: neither "who" nor "what".
BODIES = word_set(
    "company group team council government parliament court army party club committee agency firm board "
    "commission bank union police force crew band nation administration academy school university "
    "division industry concern maker corporation association organization department office ministry "
    "country city town congress senate house"
)
_LONGEST_REST = 16
_OPEN_ENDED = word_set("also then later too however therefore thus only still even")


@per_clause
def what_subject(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*What bolsters the firm is the pact*; *The person who ...* and *The people who ...* for people."""
    opening = _opening(tree, clause)
    if (
        opening in (None, "the one that")
        or clause.lead
        or len(clause.rest) > _LONGEST_REST
        or len(clause.subject) < 2
    ):
        return
    if clause.plural and opening == "what":
        # "What are distributed are copies": hardly anybody says so.
        return
    if any(block.base in ("advcl", "conj", "parataxis", "ccomp") for block in clause.blocks):
        return
    if "," in [tree.text(index) for index in (*clause.rest, *clause.subject)]:
        return
    subject = _bare(tree, clause.subject)
    plural = clause.plural and opening != "what"
    items: list[Item] = [
        *clause.before,
        *words(opening),
        *clause.rest,
        New(be(past=clause.past, plural=plural)),
        *subject,
    ]
    yield Draft("pseudo-cleft-what", tuple(items))


@per_clause
def the_one(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*Ann is the one who found the door*, *The pact is what bolsters the firm*."""
    opening = _opening(tree, clause)
    if opening is None or clause.lead or tree.tag(clause.subject_head) == "PRP":
        return
    if opening == "what":
        link = [New(be(past=clause.past, plural=clause.plural)), New("what")]
        if clause.plural:
            return
    else:
        noun = "ones" if clause.plural else "one"
        pronoun = "that" if opening == "the one that" else "who"
        link = [New(be(past=clause.past, plural=clause.plural)), *words(f"the {noun} {pronoun}")]
    items: list[Item] = [*clause.before, *clause.subject, *link, *clause.rest]
    yield Draft("reversed-cleft", tuple(items))


def _opening(tree: Tree, clause: Clause) -> str | None:
    """How a clause about its subject begins; `None` where it should not be tried."""
    head = clause.subject_head
    if not is_plain(tree, clause) or not can_be_focus(tree, clause.subject, 14) or is_negated(tree, clause.group):
        return None
    if tree.child(clause.predicate, "cop") is not None or tree.tag(head) in ("PRP", "DT", "EX", "WDT", "WP"):
        return None
    if any(tree.lower[index] in _OPEN_ENDED for index in clause.group):
        return None
    if tree.lower[clause.subject[0]] in ("a", "an") and tree.labels[head] != "nsubj":
        return None
    if relative_pronoun(tree, head) == "who":
        return "the people who" if clause.plural else "the person who"
    if tree.entity[head] in ("organization", "place") or tree.tag(head) in ("NNP", "NNPS"):
        return "the one that"
    return "the one that" if tree.lemmas[head] in BODIES else "what"


def _bare(tree: Tree, subject: tuple[int, ...]) -> list[int]:
    return [index for index in subject if index != subject[-1] or tree.text(index) != ","]


@per_clause
def what_happened(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """*What happened was that Ann found a door.*"""
    if clause.lead or not is_plain(tree, clause) or _links_back(tree, clause) or not _is_event(tree, clause):
        return
    items: list[Item] = [*words("what happened was that"), *clause.before, *clause.subject, *clause.rest]
    yield Draft("what-happened", tuple(items))


def what_is_true(tree: Tree) -> Iterator[Draft]:
    """*What is true is that Ann is a singer.*"""
    root, first = tree.root, next(clauses(tree), None)
    if (
        root is None
        or tree.end == tree.size
        or tree.text(tree.end) != "."
        or tree.child(root, "nsubj", "expl") is None
    ):
        return
    if first is not None and (_is_event(tree, first) or not is_plain(tree, first)):
        return
    if tree.lower[0] in _CONNECTING | {"i", "we", "you", "that", "this"} or tree.lemmas[root] in SPEECH:
        return
    if tuple(tree.lower[:2]) in _ASIDES:
        return
    if any(tree.text(index) in (";", ":", "--", "?", "``", "''") for index in range(tree.end)):
        return
    if any(tree.base[child] == "parataxis" for child in tree.below[root]) or tree.base[0] in ("advmod", "cc"):
        return
    yield Draft("what-is-true", (*words("what is true is that"), *range(tree.size)))


def _is_event(tree: Tree, clause: Clause) -> bool:
    """Something that happened once, as against something that is so."""
    if not clause.past or is_negated(tree, clause.group) or tree.child(clause.predicate, "cop") is not None:
        return False
    if tree.lemmas[clause.predicate] not in EVENTS | DYNAMIC:
        return False
    if tree.children(clause.predicate, "aux") and tree.labels[clause.subject_head] != "nsubj:pass":
        return False
    return not any(tree.lower[index] in _HABITS for index in clause.rest)


def _links_back(tree: Tree, clause: Clause) -> bool:
    return any(tree.lower[index] in _CONNECTING for index in clause.before[:1])


_CONNECTING = word_set("and but however so thus therefore or yet instead still nor also moreover meanwhile though")
_ASIDES = frozenset([("for", "instance"), ("for", "example"), ("in", "addition"), ("in", "fact"), ("of", "course")])
_HABITS = word_set("would could had usually often always frequently sometimes generally regularly never")

# Things that happen, as against those that are so.
EVENTS = word_set(
    "abandon accept acquire adopt announce appoint approve arrest arrive attack award ban become begin "
    "bomb break buy build cancel capture cause change claim close collapse come complete convert cut "
    "damage decide declare defeat demand demolish destroy develop die discontinue discover dismiss double "
    "drop earn elect end escape establish evacuate explode fail fall find fire flee flood force found "
    "give go grant hit increase introduce invade issue join jump kill launch lay leave lose make marry "
    "merge move murder offer open order oust pass place postpone promote propose publish purchase raise "
    "reach receive reduce reject release remove rename replace resign resume retire return rise sell send "
    "separate settle shoot sign sink slash split start stop strike suspend take transfer turn vote win "
    "withdraw"
)
