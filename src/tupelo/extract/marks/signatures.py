"""The signature that the word above gives to a clause."""

from __future__ import annotations

from tupelo.extract.marks.operators import denies, modalities
from tupelo.extract.marks.predicates import first_verb, has_infinitive_mark, opening_of
from tupelo.nlp.languages.en.embedding import (
    CLAUSES,
    DIRECTIVE,
    DIRECTIVES,
    FACTIVE,
    GERUNDS,
    IMPLIED,
    INFINITIVES,
    POSSIBLE,
    PURPOSE,
    RANKS,
    REPORTED,
    EmbeddingSignature,
)
from tupelo.nlp.syntax import DependencyTree


def signature_of(tree: DependencyTree, clause: int, head: int) -> EmbeddingSignature:
    """The signature that the head gives to a clause."""
    form, lemma = form_of(tree, clause), tree.lemmas[head]
    special = None
    if form is INFINITIVES:
        special = _of_infinitive(tree, clause, head)
    elif form is CLAUSES and lemma in DIRECTIVES and _is_wish(tree, clause, head):
        special = DIRECTIVE
    elif lemma in ("sure", "certain") and tree.base[head] == "xcomp":
        # "make sure that it works"
        special = IMPLIED
    elif lemma == "believe" and denies(tree, head) and "possible" in modalities(tree, head):
        # "I can't believe that he came": he did.
        special = FACTIVE
    return special or entry_of(tree, clause, head, form) or _default(tree, clause, head, form)


def form_of(tree: DependencyTree, clause: int) -> dict[str, EmbeddingSignature]:
    """The table for clauses of this form."""
    if has_infinitive_mark(tree, clause):
        return INFINITIVES
    tag = tree.tag(first_verb(tree, clause))
    if tag == "VBG":
        return GERUNDS
    if tree.base[clause] == "xcomp":
        return INFINITIVES
    # "let him go", but "suggested she go"
    bare = tag == "VB" and opening_of(tree, clause) is None
    wished = tree.child(clause, "nsubj") is not None and tree.lemmas[tree.heads[clause] or 0] in DIRECTIVES
    return INFINITIVES if bare and not wished else CLAUSES


def entry_of(
    tree: DependencyTree, clause: int, head: int, form: dict[str, EmbeddingSignature]
) -> EmbeddingSignature | None:
    """The signature of a word, looked up with its particle or the preposition of a gerund first."""
    lemma, opening = tree.lemmas[head], opening_of(tree, clause)
    keys = [particled(tree, head)]
    if opening is not None and form is GERUNDS:
        keys.append(f"{lemma} {opening}")
    else:
        keys += [lemma, tree.lowered[head]]
    return next((form[key] for key in keys if key in form), None)


def particled(tree: DependencyTree, verb: int) -> str:
    """A verb with its particle: *give up*, *go on*."""
    following = tree.lowered[verb + 1] if verb + 1 < tree.size and tree.heads[verb + 1] == verb else ""
    return f"{tree.lemmas[verb]} {following}"


def degree_of(tree: DependencyTree, head: int) -> str | None:
    """*too* or *enough* of what leads to the clause: *too tired to*, *ran fast enough to*."""
    near = tree.below[head]
    beside = [
        *near,
        *(below for child in near if tree.base[child] in ("advmod", "obj") for below in tree.below[child]),
    ]
    return next((tree.lowered[word] for word in beside if tree.lowered[word] in ("too", "enough")), None)


def _of_infinitive(tree: DependencyTree, clause: int, head: int) -> EmbeddingSignature | None:
    """The signatures of infinitives that depend on more than the word above."""
    degree, lemma = degree_of(tree, head), tree.lemmas[head]
    if degree == "enough" and tree.upos(head) == "ADJ":
        # "old enough to vote", but "kind enough to help"
        return INFINITIVES.get(lemma, POSSIBLE)
    if degree is not None:
        return INFINITIVES[degree]
    if lemma == "go" and particled(tree, head) not in INFINITIVES:
        # Only "is going to win" is about the future.
        return None if tree.tag(head) == "VBG" and has_infinitive_mark(tree, clause) else IMPLIED
    if lemma == "have" and tree.child(head, "obj") is not None:
        return IMPLIED
    ranked = any(tree.lowered[word] in RANKS for word in (head, *tree.children(head, "amod")))
    return IMPLIED if ranked and tree.base[clause] == "acl" else None


def _is_wish(tree: DependencyTree, clause: int, head: int) -> bool:
    """*suggested that he leave*: a bare form, or a present after the past."""
    verb = first_verb(tree, clause)
    if tree.tag(verb) == "VB" or tree.lowered[verb] == "should":
        return True
    past = tree.tag(head) in ("VBD", "VBN") and tree.lemmas[head] != "say"
    return past and verb == clause and tree.tag(verb) == "VBP"


def _default(tree: DependencyTree, clause: int, head: int, form: dict[str, EmbeddingSignature]) -> EmbeddingSignature:
    """The signature of an unlisted word. There are many manners of speaking (*she texted that*), few factives."""
    label = tree.base[clause]
    if form is CLAUSES and label == "ccomp" and tree.upos(head) == "VERB":
        subject = tree.child(head, "nsubj", "expl")
        return FACTIVE if subject is not None and tree.lowered[subject] == "it" else REPORTED
    if form is CLAUSES or (form is GERUNDS and label == "csubj"):
        return FACTIVE
    if form is GERUNDS or label in ("xcomp", "ccomp"):
        return IMPLIED
    if label == "csubj":
        return POSSIBLE if tree.upos(head) in ("ADJ", "NOUN") else IMPLIED
    return IMPLIED if tree.upos(head) == "ADJ" else PURPOSE
