"""A sentence as links read it: which anchor stands where, and what leads from a noun to the names below it.

*the faculty of Oslo* leads from *faculty* to *Oslo* by *faculty of*, *Rihanna's album* to *Rihanna* by *album of*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tupelo.core import Argument
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.anchors import heads_of
from tupelo.extract.links.wording import Pieces
from tupelo.nlp.languages.en.demonyms import DEMONYMS
from tupelo.nlp.languages.en.nouns import HOLLOW_NOUNS
from tupelo.nlp.syntax import DependencyTree

_NOUNS = frozenset(["NOUN", "PROPN"])
_DEEPEST = 3
_MOST_MODIFIERS = 3
_DESCRIBING = frozenset(["appos", "flat", "nmod"])


@dataclass(frozen=True, slots=True)
class End:
    """An anchor of a phrase. `words` lead from the head of the phrase to it, by the dependency labels `steps`."""

    anchor: int
    words: Pieces = ()
    steps: tuple[str, ...] = ()

    @property
    def nouns(self) -> Pieces:
        """The words without the preposition or genitive right before the anchor."""
        return self.words[:1] if len(self.steps) == 1 else ()


class LinkReader:
    """The tree of a sentence with its anchors."""

    __slots__ = ("anchors", "at", "labels", "named", "tree")

    def __init__(self, tree: DependencyTree, anchors: Sequence[Anchor], referents: Sequence[Referent]) -> None:
        self.tree = tree
        self.anchors = anchors
        names = {referent.number for referent in referents if referent.kind == "name"}
        self.labels = {mention.head: mention.label for mention in tree.analysis.mentions or ()}
        self.named = {
            number
            for number, anchor in enumerate(anchors)
            if anchor.referent is not None and (anchor.kind == "name" or anchor.referent in names)
        }
        # Names and values cover all their words, other anchors only their heads.
        self.at: dict[int, int] = {}
        for number, anchor in enumerate(anchors):
            if anchor.kind not in ("name", "value"):
                self.at.setdefault(anchor.head, number)
        for number, anchor in enumerate(anchors):
            if anchor.kind in ("name", "value"):
                self.at.update(dict.fromkeys(range(anchor.start, anchor.end), number))

    def is_node(self, number: int) -> bool:
        return self.anchors[number].referent is not None

    def is_name(self, number: int) -> bool:
        return self.anchors[number].kind == "name"

    def name_at(self, index: int) -> int | None:
        """The name that a word belongs to."""
        number = self.at.get(index)
        return number if number is not None and self.is_name(number) else None

    def main(self, head: int, inside: Collection[int]) -> int | None:
        """What a phrase stands for: *Ola Brekke* for *the mayor, Ola Brekke*."""
        number = self.at.get(head)
        if number is not None and self.anchors[number].kind in ("name", "value", "statement"):
            return number
        for child in self.tree.children(head, "appos", "flat", "nmod:desc"):
            beside = self.name_at(child)
            if child in inside and child > head and beside is not None and self.tree.child(child, "case") is None:
                return beside
        return number

    def mains(self, argument: Argument) -> list[int | None]:
        """What the coordinated phrases of an argument stand for."""
        inside = set(argument.tokens or ())
        return [self.main(head, inside) for head in heads_of(self.tree, argument)]

    def inner(self, head: int, inside: Collection[int], *, full: bool = False) -> Iterator[End]:
        """The names and resolved pronouns below the head of a phrase, each with what leads to it."""
        yield from self._below(head, inside, (), (), full)

    def _below(
        self, head: int, inside: Collection[int], words: Pieces, steps: tuple[str, ...], full: bool
    ) -> Iterator[End]:
        tree = self.tree
        noun = (*words, *self.noun(head, full=full))
        for child in tree.below[head]:
            if child not in inside or tree.upos(child) not in ("NOUN", "PROPN", "PRON", "ADJ", "NUM", "X"):
                continue
            joint = self._joint(head, child)
            if joint is None:
                continue
            label = (*steps, step_label(tree, child))
            number = self.main(child, inside)
            if number is not None and number in self.named:
                for one in (child, *tree.children(child, "conj")):
                    other = self.main(one, inside)
                    if other is not None and other in self.named and one in inside:
                        yield End(other, (*noun, *joint), label)
            elif len(steps) + 1 < _DEEPEST and tree.upos(child) in _NOUNS and tree.labels[child] == "nmod":
                yield from self._below(child, inside, (*noun, *joint), label, full)

    def _joint(self, head: int, child: int) -> Pieces | None:
        """What stands between a noun and a name that depends on it; `None` where nothing is said of them."""
        tree = self.tree
        label = tree.labels[child]
        if label == "nmod:poss":
            return ("of",)
        if label == "nmod":
            prepositions = [token for token in tree.children(child, "case") if tree.tag(token) != "POS"]
            return tuple(
                sorted(token for case in prepositions for token in (case, *tree.children(case, "fixed")))
            ) or (None if child > head else ("of",))
        if child > head or self.name_at(child) is None:
            return None
        if label in ("amod", "compound", "nmod:desc") and self.is_demonym(child):
            return (self.origin(head),)
        return ("of",) if label in ("compound", "nmod:desc", "nmod:unmarked") else None

    def is_demonym(self, index: int) -> bool:
        number = self.name_at(index)
        if number is None:
            return False
        anchor = self.anchors[number]
        return tuple(self.tree.lowered[anchor.start : anchor.end]) in DEMONYMS

    def origin(self, noun: int) -> str:
        """The preposition between a noun and the country of its adjective: *runner from*, *town in*, *army of*."""
        label = self.labels.get(noun)
        return {"person": "from", "object": "from", "place": "in"}.get(label or "", "of")

    def noun(self, head: int, *, full: bool = False) -> Pieces:
        """A noun with the compound words before it, and all its adjectives where it is wanted in full."""
        tree = self.tree
        if tree.upos(head) == "ADJ":
            return (head,)
        kinds = ("compound", "amod") if full else ("compound",)
        before = [
            token
            for child in tree.children(head, *kinds)
            if child < head and self.name_at(child) is None and (full or tree.upos(child) == "NOUN")
            for token in tree.subtree(child)
            if tree.upos(token) not in ("PUNCT", "DET")
        ]
        if len(before) > _MOST_MODIFIERS or any(self.name_at(token) is not None for token in before):
            before = []
        return (*before, head)

    def is_hollow(self, noun: int) -> bool:
        return self.tree.lowered[noun] in HOLLOW_NOUNS


def step_label(tree: DependencyTree, child: int) -> str:
    """The label of a step down, with its preposition: `nmod(of)`."""
    case = tree.child(child, "case")
    preposition = f"({tree.lowered[case]})" if case is not None and tree.tag(case) != "POS" else ""
    return f"{tree.labels[child]}{preposition}"
