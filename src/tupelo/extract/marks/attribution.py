"""Who states a tuple, and the condition, belief or question in which it is embedded."""

from __future__ import annotations

from tupelo.core import Argument, Attribution
from tupelo.extract.marks.predicates import is_that_clause, phrase_of, phrase_text, subject_of, verb_text
from tupelo.extract.parts import make_part
from tupelo.nlp.languages.en.modality import CONDITIONS, QUESTIONS
from tupelo.nlp.languages.en.negation import NEGATIONS
from tupelo.nlp.languages.en.reporting import (
    BELIEF_NOUNS,
    BELIEF_VERBS,
    HEARSAY_ADVERBS,
    OPINION_NOUNS,
    SPEECH_NOUNS,
    SPEECH_VERBS,
)
from tupelo.nlp.syntax import DependencyTree

_HEARSAY_VERBS = frozenset(["say", "report", "allege", "claim", "rumor", "rumour"])
# Dependency relations through which marks are inherited.
_PASSED = frozenset(
    ["conj", "xcomp", "ccomp", "advcl", "acl", "csubj", "parataxis", "appos", "nsubj", "obj", "obl", "nmod", "advmod"]
)


def attribution_of(tree: DependencyTree, top: int, inside: frozenset[int]) -> Attribution | None:
    """The nearest speaker above the clause of `top`."""
    for other in sorted(inside):
        verb = tree.heads[other]
        # "was said to have fled": the relation itself expresses the hearsay.
        if verb in inside and tree.base[other] == "xcomp" and _is_hearsay(tree, verb):
            return Attribution(None, verb_text(tree, verb))
    for step in (top, *tree.path(top)):
        found = _said_beside(tree, step, inside) or _said_above(tree, step, inside)
        if found is not None:
            return found
        if tree.base[step] not in _PASSED:
            return None
    return None


def _is_hearsay(tree: DependencyTree, verb: int) -> bool:
    return tree.lemmas[verb] in _HEARSAY_VERBS and tree.child(verb, "aux:pass") is not None


def _said_above(tree: DependencyTree, clause: int, inside: frozenset[int]) -> Attribution | None:
    """The speaker of the verb or noun of speech to which a clause is attached."""
    head, label = tree.heads[clause], tree.base[clause]
    if head is None:
        return None
    lemma = tree.lemmas[head]
    if label == "ccomp" and lemma in SPEECH_VERBS and head not in inside:
        return speech(tree, head)
    if label == "xcomp" and _is_hearsay(tree, head):
        return Attribution(None, verb_text(tree, head))
    if label == "xcomp" and lemma == "claim":
        return speech(tree, head)
    if label in ("acl", "ccomp") and lemma in SPEECH_NOUNS and is_that_clause(tree, clause):
        owner = tree.child(head, "nmod:poss")
        return Attribution(phrase_text(tree, owner) if owner is not None else None, tree.words[head].text)
    return None


def _said_beside(tree: DependencyTree, index: int, inside: frozenset[int]) -> Attribution | None:
    """A speaker named beside a clause: *…, she said*; *according to her*; *reportedly*; *in her view*."""
    for child in tree.below[index]:
        base = tree.base[child]
        if child not in inside and _is_speech_beside(tree, child):
            return speech(tree, child)
        if base in ("obl", "advcl", "nmod") and any(
            tree.lowered[below] == "according" for below in (child, *tree.below[child])
        ):
            inner = tree.child(child, "obl", "nmod", "obj") if tree.lowered[child] == "according" else None
            return Attribution(phrase_text(tree, child if inner is None else inner), "according to")
        if base == "advmod" and tree.lowered[child] in HEARSAY_ADVERBS:
            return Attribution(None, tree.words[child].text)
        if base == "obl" and tree.lemmas[child] in OPINION_NOUNS:
            owner = tree.child(child, "nmod:poss")
            if owner is None and tree.lemmas[child] in ("view", "opinion"):
                owner = tree.child(child, "nmod")
            if owner is not None and any(
                tree.lowered[case] in ("in", "to", "by") for case in tree.children(child, "case")
            ):
                return Attribution(phrase_text(tree, owner), f"in {tree.lowered[child]}")
    return None


def _is_speech_beside(tree: DependencyTree, verb: int) -> bool:
    """A clause that names a speaker but does not contain what was said: *she said*, *as she said*."""
    if tree.lemmas[verb] not in SPEECH_VERBS or tree.base[verb] not in ("parataxis", "discourse", "advcl"):
        return False
    if tree.child(verb, "ccomp", "obj", "xcomp") is not None or tree.child(verb, "nsubj") is None:
        return False
    return tree.base[verb] != "advcl" or any(tree.lowered[opening] == "as" for opening in tree.children(verb, "mark"))


def speech(tree: DependencyTree, verb: int) -> Attribution:
    """Speaker and verb of a reporting clause."""
    subject = subject_of(tree, verb)
    if subject is None:
        agent = tree.child(verb, "obl:agent")
        subject = agent
    elif tree.labels[subject] == "nsubj:pass":
        # "she was told that": the subject is not the speaker.
        subject = tree.child(verb, "obl:agent")
    speaker = phrase_text(tree, subject) if subject is not None else None
    return Attribution(speaker, verb_text(tree, verb))


def context_of(tree: DependencyTree, top: int, inside: frozenset[int]) -> Argument | None:
    """The nearest context around the clause of `top`, whose relation has the predicates `inside`."""
    depends = True
    for step in (top, *tree.path(top)):
        found = _around(tree, step, inside)
        if found is None and depends:
            found = _condition(tree, step, inside)
        if found is not None:
            return found
        if tree.base[step] not in ("conj", "xcomp", "ccomp", "advcl", "parataxis"):
            break
        # A conditional clause may be coordinated with an unconditional one.
        depends = depends and tree.base[step] in ("conj", "xcomp", "ccomp")
    return _question(tree, top)


def _around(tree: DependencyTree, clause: int, inside: frozenset[int]) -> Argument | None:
    """A clause that opens with *if* or *whether*, or depends on a belief."""
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
    path = [top, *tree.path(top)]
    if any(tree.base[step] not in ("conj", "xcomp") for step in path[:-1]):
        return None
    return make_part(tree.analysis, [last], "question")


def _condition(tree: DependencyTree, clause: int, inside: frozenset[int]) -> Argument | None:
    """The conditional clause that is attached to a clause."""
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
