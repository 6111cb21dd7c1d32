"""Attribution: the speaker or believer of a clause."""

from __future__ import annotations

from tupelo.core import Attribution
from tupelo.extract.marks.predicates import opening_of, phrase_of, phrase_text, subject_of, verb_text
from tupelo.nlp.languages.en.grammar import (
    BELIEF_VERBS,
    HEARSAY_ADVERBS,
    HEARSAY_VERBS,
    NEGATIONS,
    OPINION_NOUNS,
    SPEECH_VERBS,
)
from tupelo.nlp.syntax import SUBJECTS, DependencyTree


def said_beside(tree: DependencyTree, clause: int) -> Attribution | None:
    """A speaker named beside a clause: *…, she said*; *according to her*; *reportedly*; *in her view*."""
    for child in tree.below[clause]:
        base = tree.base[child]
        if _is_remark(tree, child, SPEECH_VERBS):
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
            if owner is None:
                owner = tree.child(child, "nmod")
            if owner is not None and any(
                tree.lowered[case] in ("in", "to", "by") for case in tree.children(child, "case")
            ):
                return Attribution(phrase_text(tree, owner), f"in {tree.lowered[child]}")
    return None


def believed_beside(tree: DependencyTree, clause: int) -> list[int] | None:
    """The words of a belief named beside a clause: *it is, I think, a trap*."""
    for child in tree.below[clause]:
        if _is_remark(tree, child, BELIEF_VERBS):
            return holder_of(tree, child)
    return None


def _is_remark(tree: DependencyTree, verb: int, verbs: frozenset[str]) -> bool:
    """A clause that names a speaker but does not contain what was said: *she said*, *as she said*."""
    if tree.lemmas[verb] not in verbs or tree.base[verb] not in ("parataxis", "discourse", "advcl"):
        return False
    if tree.child(verb, "ccomp", "obj", "xcomp") is not None:
        return False
    if tree.base[verb] == "advcl":
        return opening_of(tree, verb) == "as"
    return tree.child(verb, "nsubj") is not None


def speech(tree: DependencyTree, word: int) -> Attribution:
    """Speaker and verb or noun of a report."""
    if tree.upos(word) not in ("VERB", "AUX"):
        owner = tree.child(word, "nmod:poss")
        return Attribution(phrase_text(tree, owner) if owner is not None else None, tree.words[word].text)
    subject = subject_of(tree, word)
    if subject is None or tree.labels[subject] == "nsubj:pass" or tree.child(word, "aux:pass") is not None:
        # "she was told that": the subject is not the speaker.
        subject = tree.child(word, "obl:agent")
    heard = tree.lemmas[word] in HEARSAY_VERBS
    return Attribution(
        phrase_text(tree, subject) if subject is not None and not heard else None, verb_text(tree, word)
    )


def holder_of(tree: DependencyTree, word: int) -> list[int]:
    """The words that say who believes or asks: *she never thought*, *the belief*."""
    if tree.upos(word) not in ("VERB", "AUX") and tree.child(word, "cop", *SUBJECTS) is None:
        return phrase_of(tree, word)
    subject = subject_of(tree, word)
    tokens = [word, *tree.children(word, "aux", "cop")]
    tokens.extend(child for child in tree.children(word, "advmod") if tree.lowered[child] in NEGATIONS)
    return [*(phrase_of(tree, subject) if subject is not None else []), *sorted(tokens)]
