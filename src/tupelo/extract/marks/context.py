"""Conditions, beliefs and questions around a relation."""

from __future__ import annotations

from tupelo.core import Argument
from tupelo.extract.marks.predicates import is_that_clause, phrase_of, subject_of
from tupelo.extract.parts import make_part
from tupelo.nlp.languages.en.modality import CONDITIONS, QUESTIONS
from tupelo.nlp.languages.en.negation import NEGATIONS
from tupelo.nlp.languages.en.reporting import BELIEF_NOUNS, BELIEF_VERBS
from tupelo.nlp.syntax import DependencyTree


def context_of(tree: DependencyTree, top: int, inside: frozenset[int]) -> Argument | None:
    """The nearest reservation around the clause of `top`, whose relation has the predicates `inside`."""
    depends = True
    for step in (top, *tree.path(top)):
        found = _around(tree, step, inside)
        if found is None and depends:
            found = _condition(tree, step, inside)
        if found is not None:
            return found
        if tree.base[step] not in ("conj", "xcomp", "ccomp", "advcl", "parataxis"):
            break
        # What holds on a condition may stand beside a clause that holds without.
        depends = depends and tree.base[step] in ("conj", "xcomp", "ccomp")
    return _question(tree, top)


def _around(tree: DependencyTree, clause: int, inside: frozenset[int]) -> Argument | None:
    """A clause that opens with *if* or *whether*, or hangs on a belief."""
    label, head = tree.base[clause], tree.heads[clause]
    openings = tree.children(clause, "mark")
    if label == "advcl":
        opening = next((index for index in openings if tree.lowered[index] in CONDITIONS), _inverted(tree, clause))
        return None if opening is None else make_part(tree.analysis, [opening], "hypothesis")
    if label == "ccomp" and head is not None:
        opening = next((index for index in openings if tree.lowered[index] in QUESTIONS), None)
        if opening is not None:
            return make_part(tree.analysis, [opening], "question")
        if head not in inside and tree.lemmas[head] in BELIEF_VERBS:
            return make_part(tree.analysis, _believing(tree, head), "belief")
    if label == "acl" and head is not None and tree.lemmas[head] in BELIEF_NOUNS and is_that_clause(tree, clause):
        return make_part(tree.analysis, phrase_of(tree, head), "belief")
    return None


def _question(tree: DependencyTree, top: int) -> Argument | None:
    """The mark at the end of a question, for its main clause and what is coordinated with it."""
    last = tree.size - 1
    while last > 0 and tree.lowered[last] in ("''", '"', "”", ")"):
        last -= 1
    if last < 0 or tree.words[last].text != "?":
        return None
    way = [top, *tree.path(top)]
    if any(tree.base[step] not in ("conj", "xcomp") for step in way[:-1]):
        return None
    return make_part(tree.analysis, [last], "question")


def _condition(tree: DependencyTree, clause: int, inside: frozenset[int]) -> Argument | None:
    """The conditional clause that hangs on a clause."""
    for child in tree.children(clause, "advcl"):
        conditional = any(tree.lowered[opening] in CONDITIONS for opening in tree.children(child, "mark"))
        if child not in inside and (conditional or _inverted(tree, child) is not None):
            return make_part(tree.analysis, tree.trim(tree.subtree(child)) or [child], "condition")
    return None


def _inverted(tree: DependencyTree, clause: int) -> int | None:
    """The auxiliary that opens *had the guard locked the gate*."""
    subject = tree.child(clause, "nsubj")
    if subject is None or tree.child(clause, "mark") is not None:
        return None
    first = tree.subtree(subject)[0]
    for auxiliary in tree.children(clause, "aux", "cop"):
        if auxiliary < first and tree.lowered[auxiliary] in ("had", "were", "should"):
            return auxiliary
    return None


def _believing(tree: DependencyTree, verb: int) -> list[int]:
    subject = subject_of(tree, verb)
    tokens = [verb, *tree.children(verb, "aux")]
    tokens.extend(child for child in tree.children(verb, "advmod") if tree.lowered[child] in NEGATIONS)
    return [*(phrase_of(tree, subject) if subject is not None else []), *sorted(tokens)]
