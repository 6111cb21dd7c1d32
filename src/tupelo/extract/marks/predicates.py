"""The predicates that a relation consists of, and their context."""

from __future__ import annotations

from tupelo.nlp.languages.en.grammar import NEGATIONS
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import VERBAL, DependencyTree

# Function words that represent their head in a relation.
_SERVANTS = frozenset(["aux", "cop", "advmod", "compound", "expl"])
# Words that introduce what follows: *that* at the end of a relation is not part of its meaning.
_OPENERS = frozenset(["mark", "case", "cc", "det", "fixed", "punct"])
_NO_PART_OF_A_NAME = frozenset(["case", "appos", "cop", "mark", "nsubj", "advcl", "parataxis"])
_SEPARATORS = frozenset([",", ";", ":", "--", "–", "—"])


def predicates_of(tree: DependencyTree, relation: tuple[int, ...]) -> list[int]:
    """The verbs, adjectives or nouns that a relation consists of: *had*, *sold* in *had to be sold to*."""
    found: list[int] = []
    for token in relation:
        if tree.base[token] in _OPENERS:
            continue
        index = token
        seen = {index}
        while tree.base[index] in _SERVANTS and (head := tree.heads[index]) is not None and head not in seen:
            index = head
            seen.add(head)
        # Not a noun inside the relation (*made an offer on*), unless a copula or an auxiliary stands for it.
        stands_for_it = index != token and tree.base[token] in ("cop", "aux")
        is_verbal = stands_for_it or tree.upos(index) in VERBAL or tree.child(index, "cop", "nsubj") is not None
        if index not in found and is_verbal:
            found.append(index)
    return found


def first_verb(tree: DependencyTree, clause: int) -> int:
    """The auxiliary or copula that carries the form of a clause, or its own verb."""
    found = tree.child(clause, "aux", "cop")
    return clause if found is None else found


def has_infinitive_mark(tree: DependencyTree, clause: int) -> bool:
    """*to leave*, *gonna leave*; not *admitted to leaving*."""
    marked = tree.has_word(tree.children(clause, "mark"), ("to", "na"))
    return marked and tree.tag(first_verb(tree, clause)) != "VBG"


def opening_of(tree: DependencyTree, clause: int) -> str | None:
    """The words that open a clause: *that*, *from*, *as if*, *instead of*; not the *to* of an infinitive."""
    below = tree.below[clause]

    def opens(child: int) -> bool:
        if tree.base[child] in ("advmod", "case") and (tree.child(child, "fixed") or tree.tag(child) == "WRB"):
            return True
        is_short = tree.lowered[child] in ("far", "short") and tree.base[child] == "advmod"
        return tree.base[child] == "mark" or (is_short and child + 1 in below)

    opening = [word for child in below if opens(child) for word in (child, *tree.children(child, "fixed"))]
    words = [tree.lowered[word] for word in opening]
    if has_infinitive_mark(tree, clause):
        words = [word for word in words if word not in ("to", "na")]
    if words == ["in"] and tree.lowered[opening[0] + 1 : opening[0] + 2] == ["case"]:
        return "in case"
    return " ".join(words) or None


def subject_of(tree: DependencyTree, verb: int) -> int | None:
    """The noun that a predicate says something of, also where it shares it with the verb above."""
    seen = {verb}
    while True:
        subject = tree.child(verb, "nsubj")
        head = tree.heads[verb]
        if subject is not None:
            relative = tree.labels[verb] == "acl:relcl" and tree.lowered[subject] in ("who", "which", "that")
            return head if relative else subject
        if head is None or head in seen or tree.child(verb, "csubj", "expl") is not None:
            return None
        label = tree.labels[verb]
        if label == "acl":
            return head if tree.tag(verb) in ("VBN", "VBG") else None
        if label not in ("conj", "xcomp", "advcl"):
            return None
        if label == "xcomp" and (controlled := tree.child(head, "obj")) is not None:
            return controlled
        if label == "advcl" and tree.tag(verb) not in ("VBG", "VBN"):
            return None
        seen.add(head)
        verb = head


def verb_words(tree: DependencyTree, verb: int, *labels: str) -> list[int]:
    """A verb with its negations and the dependents with these labels."""
    negations = [child for child in tree.children(verb, "advmod") if tree.lowered[child] in NEGATIONS]
    return sorted([verb, *tree.children(verb, *labels), *negations])


def phrase_text(tree: DependencyTree, head: int) -> str:
    return make_part(tree.analysis, phrase_of(tree, head)).text


def phrase_of(tree: DependencyTree, head: int) -> list[int]:
    """A noun phrase without its preposition and without anything set off by a comma."""
    leave = [child for child in tree.below[head] if tree.base[child] in _NO_PART_OF_A_NAME]
    leave += tree.children(head, "acl:relcl")
    leave += [child for child in tree.children(head, "acl") if child and tree.lowered[child - 1] == ","]
    leave += [child for child in tree.children(head, "punct") if tree.lowered[child] in _SEPARATORS]
    return tree.trim(tree.subtree(head, leave)) or [head]
