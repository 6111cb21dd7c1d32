"""Clauses: a predicate with its subject and its complements, ready to be made into tuples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tupelo.extract.parts import role_of
from tupelo.extract.rules.complements import Complement, complements_of, predicate_complement
from tupelo.extract.rules.phrases import ArgumentPhrase, atoms, clausal_phrase, opening_marks
from tupelo.extract.rules.subjects import SubjectFinder
from tupelo.extract.rules.verbs import (
    Pieces,
    first_conjunct,
    is_infinitive,
    is_predicate,
    merges_into_head,
    outer_copula,
    outer_subject,
    verb_group,
)
from tupelo.nlp.languages.en.grammar import PLACE_PREPOSITIONS
from tupelo.nlp.syntax import DependencyTree

# Verbs that form one relation: *would have to try to sell*.
_LONGEST_CHAIN = 4


@dataclass(frozen=True, slots=True)
class Clause:
    """One predicate. `verb` is the relation before a preposition is added; `rule` names how the subject was found."""

    rule: str
    predicate: int
    subjects: tuple[ArgumentPhrase, ...]
    verb: Pieces
    complements: tuple[Complement, ...]


def clauses(subjects: SubjectFinder) -> Iterator[Clause]:
    """The clauses of a sentence, in the order of their predicates."""
    tree = subjects.tree
    titled = _words_of_titles(tree)
    for index in range(tree.size):
        verb = tree.child(index, "cop")
        if is_predicate(tree, index) and (index if verb is None else verb) not in titled:
            for clause in (_outer_clause(tree, index), _existential(subjects, index) or _clause(subjects, index)):
                if clause is not None:
                    yield clause


def _words_of_titles(tree: DependencyTree) -> set[int]:
    """The words of names such as *Comedians in Cars Getting Coffee*, which state nothing."""
    names = (entity for entity in tree.analysis.entities or () if entity.label not in ("number", "datetime"))
    return {index for entity in names if entity.end - entity.start > 1 for index in range(entity.start, entity.end)}


def group_of(subjects: SubjectFinder, index: int) -> Pieces:
    """The words of a predicate, with a form of *be* that agrees with its subject where one is implied."""
    return verb_group(subjects.tree, index, subjects.form_of_be(index))


def _clause(subjects: SubjectFinder, index: int) -> Clause | None:
    tree = subjects.tree
    rule, found = subjects.of(index)
    if not found or any(merges_into_head(tree, child) for child in tree.children(index, "xcomp")):
        # If an infinitive follows, its tuple covers this one.
        return None
    chain = _chain(tree, index)
    own = group_of(subjects, index)
    words = [own]
    if rule == "object-control" and is_infinitive(tree, first := first_conjunct(tree, chain[-1])):
        # "asked Bob to leave" does not say that Bob left: the asking stays with it.
        asking = tree.heads[first]
        if asking is None:
            return None
        words.extend(phrase.tokens for phrase in found)
        words.extend(group_of(subjects, head) for head in _chain(tree, asking))
        found = subjects.of(asking)[1]
    for head in chain[1:]:
        words.append(group_of(subjects, head))
        if tree.child(head, "cop") is not None:
            words.append(predicate_complement(tree, head).phrases[0].tokens)
    complements = complements_of(subjects, chain, _in_order(words))
    if _leads_on(tree, index, complements):
        # "is subject to", "was involved in": the adjective is part of the relation.
        words.append(complements[0].phrases[0].tokens)
        complements = complements[1:]
    elif (content := _made_sure(tree, complements)) is not None:
        # "make sure that": what it is about is the argument.
        sure = complements[0].position
        words.append(tuple(token for token in tree.subtree(sure, {content})))
        complements = [Complement("ccomp", (clausal_phrase(tree, content),), None, content), *complements[1:]]
    rule = "control" if len(chain) > 1 and rule == "clause" else rule
    return Clause(rule, index, found, _in_order(words), tuple(complements))


def _chain(tree: DependencyTree, index: int) -> list[int]:
    """The predicate and the verbs above it in the same relation: *refused to grant* is one."""
    chain = [index]
    while len(chain) < _LONGEST_CHAIN:
        # "began to plant and water": *began to* belongs to both.
        first = first_conjunct(tree, chain[-1])
        head = tree.heads[first]
        if not merges_into_head(tree, first) or head is None or head in chain:
            break
        chain.append(head)
    return chain


def _in_order(words: list[Pieces]) -> Pieces:
    """Implied words first, then the words of the sentence in order."""
    pieces = [piece for group in words for piece in group]
    implied = [piece for piece in pieces if isinstance(piece, str)]
    return (*implied, *sorted({piece for piece in pieces if isinstance(piece, int)}))


def _leads_on(tree: DependencyTree, index: int, complements: list[Complement]) -> bool:
    """An adjective directly followed by its preposition."""
    if len(complements) < 2 or complements[0].label != "predicate" or len(complements[0].phrases) != 1:
        return False
    if tree.upos(index) not in ("ADJ", "VERB", "ADV") or complements[1].label != "obl":
        return False
    return min(complements[1].phrases[0].whole) == complements[0].phrases[0].tokens[-1] + 1


def _made_sure(tree: DependencyTree, complements: list[Complement]) -> int | None:
    """The clause after an adjective that only a verb without an object precedes: *make clear that*."""
    if not complements or complements[0].label != "xcomp" or tree.upos(complements[0].position) != "ADJ":
        return None
    return tree.child(complements[0].position, "ccomp")


def _existential(subjects: SubjectFinder, index: int) -> Clause | None:
    """*There are wolves in Norway*: what exists, and where."""
    tree = subjects.tree
    expletive, own = tree.child(index, "expl"), tree.child(index, "nsubj")
    if expletive is None or own is None or tree.lowered[expletive] != "there":
        return None
    verb = group_of(subjects, index)
    where = [child for child in tree.children(own, "nmod") if _says_where(tree, child)]
    places = [*where, *(child for child in tree.children(index, "obl") if tree.child(child, "case") is not None)]
    if not places:
        there = ArgumentPhrase(expletive, (), (expletive,))
        return Clause("existential", index, (there,), verb, (Complement("obj", tuple(atoms(tree, own)), None, own),))
    complements = tuple(
        Complement("obl", tuple(atoms(tree, child)), role_of(tree.analysis, tree.subtree(child), tree), child)
        for child in places
    )
    return Clause("existential", index, tuple(atoms(tree, own, frozenset(where))), verb, complements)


def _says_where(tree: DependencyTree, noun: int) -> bool:
    openings = [tree.lowered[child] for child in tree.children(noun, "case")]
    return len(openings) == 1 and openings[0] in PLACE_PREPOSITIONS


def _outer_clause(tree: DependencyTree, index: int) -> Clause | None:
    """*The idea is that all is well*: a whole clause as the predicate."""
    subject, copula = outer_subject(tree, index), outer_copula(tree, index)
    if subject is None or copula is None:
        return None
    marks = opening_marks(tree, index)
    leave = {subject, copula, *marks, *(child for child in tree.below[index] if child < copula)}
    tokens = tree.trim(tree.subtree(index, leave))
    if not tokens:
        return None
    complement = Complement("ccomp", (ArgumentPhrase(index, marks, tuple(tokens)),), None, index)
    verb = (*(child for child in tree.children(index, "aux") if child < copula), copula)
    return Clause("copula", index, tuple(atoms(tree, subject)), verb, (complement,))
