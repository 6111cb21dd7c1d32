"""Noun phrases as arguments: where they end, and how coordinated ones are taken apart."""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.extract.tree import Tree

# Dependents of a predicate noun or adjective that belong to its clause, not to the phrase.
CLAUSAL = frozenset(
    [
        "nsubj",
        "csubj",
        "cop",
        "aux",
        "mark",
        "advcl",
        "parataxis",
        "discourse",
        "dislocated",
        "expl",
        "vocative",
        "orphan",
    ]
)
_NEVER = frozenset(["parataxis", "discourse", "dislocated", "vocative", "orphan", "reparandum", "list"])
_NOMINAL = frozenset(["NOUN", "PROPN", "PRON", "NUM", "SYM", "X"])
_DETERMINERS = ("det", "nmod:poss")
_ENDS = frozenset(["and", "or", "but", "nor", "as", "&"])
_MOST_CONJUNCTS = 12


@dataclass(frozen=True, slots=True)
class Phrase:
    """An argument: its head, the preposition before it and its own words, as word numbers."""

    head: int
    preposition: tuple[int, ...]
    tokens: tuple[int, ...]

    @property
    def whole(self) -> tuple[int, ...]:
        return tuple(sorted({*self.preposition, *self.tokens}))


def noun_phrase(tree: Tree, head: int, leave: frozenset[int] = frozenset(), *, joined: bool = True) -> Phrase:
    """The phrase of `head` without relative clauses and appositions that a comma sets apart.

    With `joined` the words coordinated with the head belong to it.
    """
    predicate = tree.child(head, "cop") is not None or tree.upos(head) == "VERB"
    drop = set(leave)
    preposition: list[int] = []
    for child in tree.below[head]:
        label = tree.base[child]
        if label == "case" and tree.tag(child) != "POS":
            preposition.extend(_fixed(tree, child))
            drop.add(child)
        elif label in _NEVER or (predicate and label in CLAUSAL) or (not joined and label in ("conj", "cc")):
            drop.add(child)
        elif label == "cc" and child < head:
            drop.add(child)
        elif label == "appos" and _set_apart(tree, child):
            drop.add(child)
        elif label == "acl" and _set_apart(tree, child):
            drop.add(child)
        elif predicate and label == "advmod" and (child < head and _before_determiner(tree, head, child)):
            drop.add(child)
        elif tree.labels[head] == "nmod:poss" and tree.tag(child) == "POS":
            drop.add(child)
    tokens = tree.subtree(head, drop)
    if not joined:
        tokens = _without_joining_marks(tree, head, tokens)
    tokens = tree.trim(tokens, _ENDS) or [head]
    return Phrase(head, tuple(sorted(preposition)), tuple(tokens))


def _fixed(tree: Tree, index: int) -> list[int]:
    """A preposition of several words (*because of*), with its adverb."""
    return [index, *tree.children(index, "fixed")]


def _set_apart(tree: Tree, child: int) -> bool:
    first = tree.subtree(child)[0]
    return (
        first > 0
        and tree.words[first - 1].text in (",", "(", "-LRB-", "--", "–", "—", ";", ":")
        or (tree.words[first].text in (",", "(", "-LRB-", "--", "–", "—", ";", ":"))
    )


def _before_determiner(tree: Tree, head: int, child: int) -> bool:
    """An adverb before the whole predicate noun (*is also the deputy*) belongs to the clause."""
    determiner = tree.child(head, *_DETERMINERS)
    return determiner is None or child < determiner


def _without_joining_marks(tree: Tree, head: int, tokens: list[int]) -> list[int]:
    """Commas between conjuncts hang on the conjuncts or on the head; those at the end go with `trim`."""
    return [
        token
        for token in tokens
        if not (tree.heads[token] == head and tree.base[token] == "punct" and tree.words[token].text in (",", ";"))
    ]


def conjuncts(tree: Tree, head: int) -> list[int]:
    """The heads of coordinated phrases, the first one included."""
    found = [head]
    for child in tree.children(head, "conj"):
        if child not in found:
            found.append(child)
    # Some parses hang the third conjunct on the second.
    for child in found[1:]:
        found.extend(below for below in tree.children(child, "conj") if below not in found)
    return sorted(found)


def atoms(tree: Tree, head: int, leave: frozenset[int] = frozenset()) -> list[Phrase]:
    """The coordinated phrases of `head`, one by one; shared determiners and prepositions go with each."""
    heads = conjuncts(tree, head)
    heads = [one for one in heads if one not in leave]
    whole = noun_phrase(tree, head, leave)
    if len(heads) == 1 or len(heads) > _MOST_CONJUNCTS or not all(_can_stand_alone(tree, one, head) for one in heads):
        return [whole]
    first = noun_phrase(tree, head, leave | frozenset(heads[1:]), joined=False)
    found = [first]
    owner = tree.child(head, "nmod:poss")
    for other in heads[1:]:
        phrase = noun_phrase(tree, other, leave | frozenset(heads) - {other}, joined=False)
        tokens = phrase.tokens
        if owner is not None and owner < head and tree.child(other, *_DETERMINERS) is None:
            if tree.upos(other) == "NOUN":
                tokens = tuple(sorted({*tree.subtree(owner), *tokens}))
        found.append(Phrase(other, phrase.preposition or first.preposition, tokens))
    return found


def _can_stand_alone(tree: Tree, one: int, head: int) -> bool:
    """Nouns stand alone; a noun and a clause, or *between A and B*, do not come apart."""
    if tree.upos(one) not in _NOMINAL and tree.upos(one) != tree.upos(head):
        return False
    return not any(tree.lower(child) in ("between", "both") for child in tree.children(head, "case"))
