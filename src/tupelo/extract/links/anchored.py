"""A tree with its anchors: which anchor stands where, what a phrase stands for, and the places around a place."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tupelo.core.statement import Anchor, Referent
from tupelo.extract.anchors import meant_nouns
from tupelo.extract.rules.phrases import is_in_brackets
from tupelo.names.proper_names import is_demonym
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import NAMED_PLACE_KINDS, PLACE_KINDS
from tupelo.nlp.syntax import DependencyTree

_MOST_PLACES = 5
_SURROUNDING = frozenset(["appos", "nmod:unmarked", "dep", "list", "nmod(in)", "nmod(of)"])
_INSIDE = words("extraction", "inside")


class AnchoredTree:
    """The tree of a sentence with its anchors."""

    __slots__ = ("anchors", "at", "clauses", "labels", "named", "tree")

    def __init__(self, tree: DependencyTree, anchors: Sequence[Anchor], referents: Sequence[Referent]) -> None:
        self.tree = tree
        self.anchors = anchors
        self.labels = {mention.head: mention.label for mention in tree.analysis.mentions or ()}
        self.named = {
            number
            for number, anchor in enumerate(anchors)
            if anchor.referent is not None and referents[anchor.referent].kind == "entity"
        }
        # Names, times and numbers cover all their words, other anchors only their heads.
        self.at: dict[int, int] = {}
        self.clauses: dict[int, int] = {}
        whole = [number for number, anchor in enumerate(anchors) if _covers_its_words(anchor)]
        for number, anchor in enumerate(anchors):
            if not _covers_its_words(anchor):
                (self.clauses if anchor.kind == "statement" else self.at).setdefault(anchor.head, number)
        for number in whole:
            self.at.update(dict.fromkeys(range(anchors[number].start, anchors[number].end), number))

    def is_node(self, number: int) -> bool:
        return self.anchors[number].referent is not None

    def is_name(self, number: int) -> bool:
        return self.anchors[number].kind == "name"

    def is_pronoun(self, number: int) -> bool:
        return self.anchors[number].kind == "pronoun"

    def name_at(self, index: int) -> int | None:
        """The name that a word belongs to."""
        number = self.at.get(index)
        return number if number is not None and self.is_name(number) else None

    def is_demonym(self, index: int) -> bool:
        number = self.name_at(index)
        if number is None:
            return False
        anchor = self.anchors[number]
        return is_demonym(self.tree, anchor.start, anchor.end)

    def main(self, head: int, inside: Collection[int]) -> int | None:
        """The anchor that a phrase stands for: *Ola Brekke* for *the mayor, Ola Brekke*."""
        clause = self.clauses.get(head)
        if clause is not None and self.anchors[clause].start in inside:
            return clause
        number = self.at.get(head)
        if number is not None and self.anchors[number].kind in ("name", "value"):
            return number
        for child in (*self.tree.children(head, "appos", "flat", "nmod:desc"), *self.siblings(head)):
            beside = self.name_at(child)
            if child in inside and child > head and beside is not None and preposition_of(self.tree, child) is None:
                return beside
        place = self.called(head)
        if place is not None and self.anchors[place].head in inside:
            return place
        return self.at.get(meant_nouns(self.tree, head, inside)[0]) if number is None else number

    def siblings(self, noun: int) -> list[int]:
        """A name right after a noun that the parser attached beside it: *a song by singer Ann Lee*."""
        after = self.name_at(noun + 1) if self.tree.upos(noun) == "NOUN" else None
        head = self.anchors[after].head if after is not None else None
        return [head] if head is not None and self.tree.heads[head] == self.tree.heads[noun] else []

    def called(self, noun: int) -> int | None:
        """The place that a kind of place is: *Lindvik* for *the town of Lindvik*, *Miranda* for *Miranda state*."""
        tree = self.tree
        kind = tree.lemmas[noun]
        if kind not in PLACE_KINDS:
            return None
        before = self.name_at(noun - 1) if noun and kind in NAMED_PLACE_KINDS else None
        inside = next((child for child in tree.children(noun, "nmod") if step_label(tree, child) == "nmod(of)"), None)
        after = None if inside is None or not _is_the_one(tree, noun, inside) else self.name_at(inside)
        if after is not None and self.anchors[after].label != "place":
            after = None
        # "the Pudu district of Kuala Lumpur" is Pudu, "the U.S. state of Michigan" is Michigan.
        if before is None or self.is_demonym(noun - 1) or (after is not None and kind == "state"):
            return after
        return before

    def around(self, number: int) -> list[int]:
        """The places that the phrase of a place puts around it, inner ones first: *Ojai, California, USA*."""
        tree = self.tree
        found: list[int] = []
        pending = [number]
        while pending and len(found) < _MOST_PLACES:
            one = pending.pop(0)
            anchor = self.anchors[one]
            tokens = [*range(anchor.start, anchor.end)]
            kind = tree.heads[anchor.head]
            if kind is not None and self.called(kind) == one:
                # "the township of St. Clair, Lambton County"
                tokens.append(kind)
            for child in sorted(below for token in tokens for below in tree.below[token] if below >= anchor.end):
                other = self.main(child, range(tree.size))
                if other is not None and other not in (number, *found) and self._surrounds(child, other):
                    found.append(other)
                    pending.append(other)
                    found += [place for place in self.beyond(child) if place not in (number, *found)]
        return found

    def _surrounds(self, child: int, number: int) -> bool:
        tree, anchor = self.tree, self.anchors[number]
        if anchor.kind != "name" or anchor.label != "place" or self.is_demonym(child) or is_in_brackets(tree, child):
            # Brackets give another name of it.
            return False
        label = step_label(tree, child)
        # Some parses take what follows the comma for a part of the name.
        return label in _SURROUNDING or (tree.text(anchor.start - 1) == "," and label in ("compound", "flat", "nmod"))

    def beyond(self, noun: int) -> list[int]:
        """The country in *the U.S. state of Michigan*."""
        kind = self.called(noun)
        if kind is None:
            return []
        before = (self.name_at(child) for child in self.tree.children(noun, "compound", "amod") if child < noun)
        return [
            number
            for number in before
            if number is not None and number != kind and self.anchors[number].label == "place"
        ]

    def place_after(self, number: int) -> int | None:
        """The place of the phrase right after a place, wherever it is attached: *in Lima in northern Peru*."""
        tree, anchor = self.tree, self.anchors[number]
        index = anchor.end
        if index + 1 < tree.size and tree.text(index) == ",":
            index += 1
        if index >= tree.size or tree.lowered[index] != "in" or tree.base[index] != "case":
            return None
        head = tree.heads[index]
        if head is None or tree.heads[anchor.head] != tree.heads[head]:
            return None
        found = self.main(head, range(tree.size))
        is_place = found is not None and self.is_name(found) and self.anchors[found].label == "place"
        return found if is_place and found != number else None


def _covers_its_words(anchor: Anchor) -> bool:
    return anchor.kind == "name" or (anchor.kind == "value" and anchor.label != "quality")


def _is_the_one(tree: DependencyTree, noun: int, inside: int) -> bool:
    """*a district of Oslo* and *the districts of Oslo* are not Oslo."""
    indefinite = any(tree.lowered[child] != "the" for child in tree.children(noun, "det"))
    return not indefinite and tree.is_plural(noun) == (tree.child(inside, "conj") is not None)


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
