"""Whether a relation is denied, and whether it is possible, probable, necessary, intended or yet to come."""

from __future__ import annotations

from tupelo.extract.marks.predicates import CLAUSES_BELOW, SUBJECTS, has_infinitive_mark
from tupelo.nlp.languages.en.modality import MODAL_ADVERBS, MODAL_HEADS, MODAL_VERBS
from tupelo.nlp.languages.en.negation import (
    NEGATIONS,
    NEGATIVE_ADJECTIVES,
    NEGATIVE_DETERMINERS,
    NEGATIVE_PRONOUNS,
    NEGATIVE_VERBS,
    PREVENTING_VERBS,
)
from tupelo.nlp.syntax import DependencyTree

_ONLY = frozenset(["only", "just", "merely", "simply"])


def is_negated(tree: DependencyTree, predicates: list[int], argument_heads: list[int]) -> bool:
    denials = sum(_own_denials(tree, predicate) for predicate in predicates)
    denials += sum(_denies_what_follows(tree, predicate, predicates) for predicate in predicates)
    denials += sum(_is_denied_from_above(tree, predicate, predicates) for predicate in predicates)
    denials += any(_denies(tree, head) for head in argument_heads)
    return denials % 2 == 1


def _denies_what_follows(tree: DependencyTree, predicate: int, predicates: list[int]) -> bool:
    """*failed to reach*, *was unable to pay*."""
    if tree.lemmas[predicate] not in NEGATIVE_VERBS | NEGATIVE_ADJECTIVES:
        return False
    follows = any(tree.heads[other] == predicate and tree.base[other] in CLAUSES_BELOW for other in predicates)
    return follows or (predicate == predicates[-1] and tree.child(predicate, "xcomp") is not None)


def _is_denied_from_above(tree: DependencyTree, predicate: int, predicates: list[int]) -> bool:
    """An infinitive in a tuple without its governing verb (*reach* without *failed to*) is still denied."""
    head = tree.heads[predicate]
    if head is None or head in predicates or tree.base[predicate] not in ("xcomp", "advcl", "ccomp"):
        return False
    lemma = tree.lemmas[head]
    if lemma in PREVENTING_VERBS:
        return any(tree.lowered[opening] == "from" for opening in tree.children(predicate, "mark"))
    return lemma in NEGATIVE_VERBS | NEGATIVE_ADJECTIVES and has_infinitive_mark(tree, predicate)


def _own_denials(tree: DependencyTree, predicate: int) -> int:
    """Negations on a predicate, or shared with the one that it is coordinated with."""
    if denies_itself(tree, predicate):
        return 1
    if tree.base[predicate] != "conj":
        return 0
    joint = [tree.lowered[child] for child in tree.children(predicate, "cc")]
    if "nor" in joint:
        return 1
    if "but" in joint or tree.child(predicate, *SUBJECTS) is not None:
        return 0
    first = tree.heads[predicate]
    if first is None or not denies_itself(tree, first):
        return 0
    # "did not eat or drink": the form says that the auxiliary, and with it the negation, is shared.
    own_auxiliary = tree.child(predicate, "aux", "cop") is not None
    same_form = tree.tag(predicate) == tree.tag(first)
    shares = same_form and tree.child(first, "aux", "cop") is not None
    return int(not own_auxiliary and (shares or "or" in joint))


def denies_itself(tree: DependencyTree, predicate: int) -> bool:
    """Whether a negation is attached to the predicate; *not only* does not count."""
    found = sum(_is_denial(tree, predicate, child) for child in tree.below[predicate])
    if tree.upos(predicate) in ("NOUN", "PROPN", "ADJ") and tree.child(predicate, "cop") is not None:
        found += any(tree.lowered[child] == "no" for child in tree.children(predicate, "det"))
    return found % 2 == 1


def _is_denial(tree: DependencyTree, predicate: int, child: int) -> bool:
    word, label = tree.lowered[child], tree.base[child]
    following = tree.lowered[child + 1] if child + 1 < tree.size else ""
    if word in NEGATIONS and label in ("advmod", "cc", "aux", "det", "discourse"):
        # "but" and "nor" between predicates are handled at the second predicate.
        return following not in _ONLY and not (label == "cc" and tree.base[predicate] == "conj")
    if word == "longer":
        return any(tree.lowered[below] == "no" for below in tree.below[child])
    if word == "without":
        return label in ("mark", "case")
    return (word == "no" and label == "advmod") or _denies_circumstances(tree, child)


def _denies_circumstances(tree: DependencyTree, index: int) -> bool:
    """*Under no circumstances*, *at no time*: it is the predicate that is denied."""
    return (
        tree.base[index] in ("obl", "advmod")
        and tree.lemmas[index] in ("way", "time", "circumstance", "circumstances", "means", "case", "point")
        and any(tree.lowered[below] == "no" and tree.base[below] == "det" for below in tree.below[index])
    )


def _denies(tree: DependencyTree, head: int) -> bool:
    """Whether an argument is negated: *no player*, *nobody*, *none of them*."""
    if _denies_circumstances(tree, head):
        # Already counted with the predicate.
        return False
    if tree.lowered[head] in NEGATIVE_PRONOUNS:
        return True
    if tree.lowered[head] == "one" and any(tree.lowered[child] == "no" for child in tree.below[head]):
        return True
    if tree.upos(head) in ("VERB", "AUX") or tree.child(head, "cop", "nsubj") is not None:
        # A clausal argument may be denied while the tuple is not; a predicate was already counted.
        return False
    for child in tree.below[head]:
        word = tree.lowered[child]
        following = tree.lowered[child + 1] if child + 1 < tree.size else ""
        if word in NEGATIVE_DETERMINERS and tree.base[child] in ("det", "cc", "advmod") and following != "longer":
            return True
        if word == "not" and tree.base[child] == "advmod" and following not in _ONLY:
            return child < head
    return False


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
        more = position + 1 < len(predicates) or _governs_infinitive(tree, predicate)
        # "obliges Bob to leave" is a plain claim about the obliging.
        if more and tree.child(predicate, "obj", "iobj") is None and (kind := _modal_head(tree, predicate)):
            found.append(kind)
    found.extend(_shared_modality(tree, top) if not found else ())
    if any(tree.base[below] == "advcl" and has_infinitive_mark(tree, below) for below in predicates if below != top):
        # "was built to impress": the purpose is part of the same relation as the verb.
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
    """The modality that a verb or adjective gives to its infinitive."""
    lemma = tree.lemmas[index]
    if lemma in ("have", "have got", "get") and tree.upos(index) in ("VERB", "AUX"):
        return "necessary" if lemma == "have" and tree.child(index, "obj") is None else None
    if lemma == "go":
        return "future" if tree.tag(index) == "VBG" else None
    return MODAL_HEADS.get(lemma)
