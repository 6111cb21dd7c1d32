"""Whether a relation is a plain claim, or possible, probable, necessary, intended, yet to come."""

from __future__ import annotations

from tupelo.extract.marks.predicates import CLAUSES_BELOW, SUBJECTS, has_infinitive_mark
from tupelo.nlp.languages.en.modality import MODAL_ADVERBS, MODAL_HEADS, MODAL_VERBS
from tupelo.nlp.syntax import DependencyTree

_MARK_ORDER = ("necessary", "possible", "probable", "hypothetical", "intended", "future")


def modality_of(tree: DependencyTree, predicates: list[int], top: int) -> str | None:
    found: list[str] = []
    for position, predicate in enumerate(predicates):
        for child in tree.below[predicate]:
            if tree.base[child] == "aux" and (kind := MODAL_VERBS.get(tree.lowered[child])):
                if tree.lowered[child] in ("'d", "’d") and tree.tag(predicate) in ("VBN", "VBD"):
                    continue
                found.append(kind)
            elif tree.base[child] == "advmod" and (kind := MODAL_ADVERBS.get(tree.lowered[child])):
                found.append(kind)
        more = position + 1 < len(predicates)
        alone = _governs_infinitive(tree, predicate) and tree.child(predicate, "obj") is None
        if (more or alone) and (kind := _modal_head(tree, predicate)):
            found.append(kind)
    found.extend(_shared_modality(tree, top) if not found else ())
    if any(tree.base[below] == "advcl" and has_infinitive_mark(tree, below) for below in predicates if below != top):
        # "was built to impress": the purpose is told in one relation with the verb.
        found.append("intended")
    head = tree.heads[top]
    if head is not None and tree.base[top] in CLAUSES_BELOW and has_infinitive_mark(tree, top):
        kind = _modal_head(tree, head)
        if kind is None and tree.base[top] in ("advcl", "acl"):
            kind = "intended"
        found.extend([kind] if kind else ())
    if not found and tree.upos(top) == "ADJ" and tree.lemmas[top] in ("likely", "unlikely", "possible", "impossible"):
        found.append(MODAL_HEADS[tree.lemmas[top]])
    return min(found, key=_MARK_ORDER.index, default=None)


def _shared_modality(tree: DependencyTree, predicate: int) -> list[str]:
    """*will sing and dance*: a bare form shares the auxiliary of the verb that it is coordinated with."""
    first = tree.heads[predicate]
    if first is None or tree.base[predicate] != "conj" or tree.tag(first) != tree.tag(predicate):
        return []
    if tree.tag(predicate) not in ("VB", "VBN", "VBG") or tree.child(predicate, "aux", "cop", *SUBJECTS) is not None:
        return []
    return [kind for child in tree.children(first, "aux") if (kind := MODAL_VERBS.get(tree.lowered[child]))]


def _governs_infinitive(tree: DependencyTree, predicate: int) -> bool:
    return any(has_infinitive_mark(tree, child) for child in tree.children(predicate, "xcomp"))


def _modal_head(tree: DependencyTree, index: int) -> str | None:
    """What a verb or adjective says about the infinitive below it."""
    lemma = tree.lemmas[index]
    if lemma in ("have", "have got", "get") and tree.upos(index) in ("VERB", "AUX"):
        return "necessary" if lemma == "have" and tree.child(index, "obj") is None else None
    if lemma == "go":
        return "future" if tree.tag(index) == "VBG" else None
    return MODAL_HEADS.get(lemma)
