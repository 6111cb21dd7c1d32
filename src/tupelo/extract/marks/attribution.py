"""Who says so: reported speech, direct and indirect, and hearsay."""

from __future__ import annotations

from tupelo.core import Attribution
from tupelo.extract.marks.predicates import is_that_clause, phrase_text, subject_of, verb_text
from tupelo.nlp.languages.en.reporting import HEARSAY_ADVERBS, OPINION_NOUNS, SPEECH_NOUNS, SPEECH_VERBS
from tupelo.nlp.syntax import DependencyTree

_HEARSAY_VERBS = frozenset(["say", "report", "allege", "claim", "rumor", "rumour"])
# Links that a reservation passes through on its way down.
_PASSED = frozenset(
    ["conj", "xcomp", "ccomp", "advcl", "acl", "csubj", "parataxis", "appos", "nsubj", "obj", "obl", "nmod", "advmod"]
)


def attribution_of(tree: DependencyTree, top: int, inside: frozenset[int]) -> Attribution | None:
    """The nearest speaker above the clause of `top`."""
    for other in sorted(inside):
        verb = tree.heads[other]
        # "was said to have fled": the relation tells of the hearsay itself.
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
    """The speaker of the verb or noun of speech on which a clause hangs."""
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
            speaker = child
            if tree.lowered[child] == "according":
                speaker = tree.child(child, "obl", "nmod", "obj") or child
            return Attribution(phrase_text(tree, speaker), "according to")
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
    """A clause with a speaker that does not say itself what was said: *she said*, *as she said*."""
    if tree.lemmas[verb] not in SPEECH_VERBS or tree.base[verb] not in ("parataxis", "discourse", "advcl"):
        return False
    if tree.child(verb, "ccomp", "obj", "xcomp") is not None or tree.child(verb, "nsubj") is None:
        return False
    return tree.base[verb] != "advcl" or any(tree.lowered[opening] == "as" for opening in tree.children(verb, "mark"))


def speech(tree: DependencyTree, verb: int) -> Attribution:
    """Speaker and verb of a clause of saying."""
    subject = subject_of(tree, verb)
    if subject is None:
        agent = tree.child(verb, "obl:agent")
        subject = agent
    elif tree.labels[subject] == "nsubj:pass":
        # "she was told that": the one who is told does not speak.
        subject = tree.child(verb, "obl:agent")
    speaker = phrase_text(tree, subject) if subject is not None else None
    return Attribution(speaker, verb_text(tree, verb))
