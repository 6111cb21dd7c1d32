"""Places in the phrases of a sentence: kinds of places, and places around places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.extract.rules.phrases import is_in_brackets
from tupelo.nlp.languages.en.grammar import NAMED_PLACE_KINDS, PLACE_KINDS
from tupelo.nlp.syntax import DependencyTree

if TYPE_CHECKING:
    from tupelo.extract.links.phrases import LinkReader

_MOST_PLACES = 5
_SURROUNDING = frozenset(["appos", "nmod:unmarked", "dep", "list", "nmod(in)", "nmod(of)"])
# What is there is also in what lies around it.
_INSIDE = frozenset(["in", "at", "from", "within", "to", "into"])


def called(reader: LinkReader, noun: int) -> int | None:
    """The place that a kind of place is: *Lindvik* for *the town of Lindvik*, *Miranda* for *Miranda state*."""
    tree = reader.tree
    kind = tree.lemmas[noun]
    if kind not in PLACE_KINDS:
        return None
    before = reader.name_at(noun - 1) if noun and kind in NAMED_PLACE_KINDS else None
    inside = next((child for child in tree.children(noun, "nmod") if step_label(tree, child) == "nmod(of)"), None)
    after = None if inside is None or not _is_the_one(tree, noun, inside) else reader.name_at(inside)
    if after is not None and reader.anchors[after].label != "place":
        after = None
    # "the Pudu district of Kuala Lumpur" is Pudu, "the U.S. state of Michigan" is Michigan.
    if before is None or reader.is_demonym(noun - 1) or (after is not None and kind == "state"):
        return after
    return before


def _is_the_one(tree: DependencyTree, noun: int, inside: int) -> bool:
    """*a district of Oslo* and *the districts of Oslo* are not Oslo."""
    indefinite = any(tree.lowered[child] != "the" for child in tree.children(noun, "det"))
    return not indefinite and tree.is_plural(noun) == (tree.child(inside, "conj") is not None)


def around(reader: LinkReader, number: int) -> list[int]:
    """The places that the phrase of a place puts around it, inner ones first: *Ojai, California, USA*."""
    tree = reader.tree
    found: list[int] = []
    pending = [number]
    while pending and len(found) < _MOST_PLACES:
        one = pending.pop(0)
        anchor = reader.anchors[one]
        tokens = [*range(anchor.start, anchor.end)]
        kind = tree.heads[anchor.head]
        if kind is not None and called(reader, kind) == one:
            # "the township of St. Clair, Lambton County"
            tokens.append(kind)
        for child in sorted(below for token in tokens for below in tree.below[token] if below >= anchor.end):
            other = reader.main(child, range(tree.size))
            if other is not None and other not in (number, *found) and _surrounds(reader, child, other):
                found.append(other)
                pending.append(other)
                found += [place for place in beyond(reader, child) if place not in (number, *found)]
    return found


def _surrounds(reader: LinkReader, child: int, number: int) -> bool:
    tree, anchor = reader.tree, reader.anchors[number]
    if anchor.kind != "name" or anchor.label != "place" or reader.is_demonym(child) or is_in_brackets(tree, child):
        # Brackets give another name of it.
        return False
    label = step_label(tree, child)
    # Some parses take what follows the comma for a part of the name.
    return label in _SURROUNDING or (tree.text(anchor.start - 1) == "," and label in ("compound", "flat", "nmod"))


def beyond(reader: LinkReader, noun: int) -> list[int]:
    """The country in *the U.S. state of Michigan*."""
    kind = called(reader, noun)
    if kind is None:
        return []
    before = (reader.name_at(child) for child in reader.tree.children(noun, "compound", "amod") if child < noun)
    return [
        number
        for number in before
        if number is not None and number != kind and reader.anchors[number].label == "place"
    ]


def place_after(reader: LinkReader, number: int) -> int | None:
    """The place of the phrase right after a place, wherever the parser attached it: *in Lima in northern Peru*."""
    tree, anchor = reader.tree, reader.anchors[number]
    index = anchor.end
    if index + 1 < tree.size and tree.text(index) == ",":
        index += 1
    if index >= tree.size or tree.lowered[index] != "in" or tree.base[index] != "case":
        return None
    head = tree.heads[index]
    if head is None or tree.heads[anchor.head] != tree.heads[head]:
        return None
    found = reader.main(head, range(tree.size))
    is_place = found is not None and reader.is_name(found) and reader.anchors[found].label == "place"
    return found if is_place and found != number else None


def is_in(tree: DependencyTree, head: int) -> bool:
    """Whether the preposition of a phrase says that something is, comes from or goes there."""
    return any(tree.lowered[case] in _INSIDE for case in tree.children(head, "case"))


def preposition_of(tree: DependencyTree, head: int) -> int | None:
    """The preposition before a word; not a genitive, nor the last word of *Nordvest AS*."""
    case = tree.child(head, "case")
    return case if case is not None and case < head and tree.tag(case) != "POS" else None


def step_label(tree: DependencyTree, child: int) -> str:
    """The label of a step down, with its preposition: `nmod(of)`."""
    preposition = preposition_of(tree, child)
    return tree.labels[child] + ("" if preposition is None else f"({tree.lowered[preposition]})")
