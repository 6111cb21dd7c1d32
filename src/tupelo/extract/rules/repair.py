"""Two kinds of parse that cannot be right, mended: a title read as a clause, and a copula without a subject.

*Lover Come Back is a comedy*: the words of a title are one name, whatever they look like. *The HD 26 was a seaplane*:
a noun before the copula is its subject, not a part of the noun behind it.
"""

from __future__ import annotations

from dataclasses import replace

from tupelo.core import Analysis, Entity, Word
from tupelo.nlp.syntax import VERBAL, DependencyTree

_TITLES = frozenset(["work", "organization", "event", "other"])
_NOMINAL = frozenset(["NOUN", "PROPN", "PRON", "NUM"])
_SMALL = frozenset(["ADP", "DET", "CCONJ", "PART", "PUNCT", "PRON"])
_LOOSE = frozenset(["compound", "nmod", "appos", "flat", "dep", "list", "acl", "obl", "dislocated", "nummod"])


def repair(analysis: Analysis) -> Analysis:
    """The sentence with such parses mended; the same object where there are none."""
    for entity in analysis.entities or ():
        analysis = _one_name(analysis, entity)
    return _with_subjects(analysis)


def _one_name(analysis: Analysis, entity: Entity) -> Analysis:
    """A title with a verb at its top becomes a flat name, headed by its first word."""
    words, inside = analysis.words, range(entity.start, entity.end)
    tops = [place for place in inside if words[place].head not in inside]
    if entity.label not in _TITLES or len(inside) < 2 or len(tops) != 1:
        return analysis
    (top,) = tops
    if words[top].upos not in VERBAL or words[top].head is None or not _is_title(words[entity.start : entity.end]):
        return analysis
    first = entity.start
    mended = list(words)
    for place, word in enumerate(words):
        if place == first:
            mended[place] = replace(word, head=words[top].head, deprel="compound", upos="PROPN", xpos="NNP")
        elif place in inside:
            mended[place] = replace(word, head=first, deprel="flat", upos="PROPN", xpos="NNP")
        elif word.head in inside:
            mended[place] = replace(word, head=first)
    return replace(analysis, words=tuple(mended))


def _is_title(words: tuple[Word, ...]) -> bool:
    return all(word.text[:1].isupper() or word.upos in _SMALL for word in words)


def _with_subjects(analysis: Analysis) -> Analysis:
    """The last loose noun before a copula without a subject becomes the subject."""
    labelled = [((word.deprel or "").partition(":")[0], word.head) for word in analysis.words]
    with_subject = {head for label, head in labelled if label in ("nsubj", "csubj", "expl")}
    if all(label != "cop" or head in with_subject for label, head in labelled):
        return analysis
    tree = DependencyTree(analysis)
    words = list(analysis.words)
    for copula, label in enumerate(tree.base):
        predicate = tree.heads[copula]
        if label != "cop" or predicate is None or tree.has_own_subject(predicate) or copula > predicate:
            continue
        if tree.base[predicate] not in ("root", "conj", "ccomp", "parataxis"):
            continue
        before = [
            child
            for child in tree.below[predicate]
            if child < copula
            and tree.base[child] in _LOOSE
            and tree.upos(child) in _NOMINAL
            and tree.child(child, "case", "mark") is None
        ]
        if before:
            words[before[-1]] = replace(words[before[-1]], deprel="nsubj")
    changed = any(new is not old for new, old in zip(words, analysis.words, strict=True))
    return replace(analysis, words=tuple(words)) if changed else analysis
