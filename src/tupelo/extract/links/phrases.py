"""A sentence as links read it: what leads from a noun to the names below it.

*the faculty of Oslo* leads from *faculty* to *Oslo* by *faculty of*, *Rihanna's album* to *Rihanna* by *album of*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tupelo.core import Argument
from tupelo.extract.anchors import heads_of
from tupelo.extract.links.anchored import AnchoredTree, is_in, step_label
from tupelo.extract.links.wording import Pieces
from tupelo.extract.marks.standing import standing
from tupelo.extract.rules.phrases import noun_phrase
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import HOLLOW_NOUNS, LOOSE_WORDS, PLACE_PARTS
from tupelo.nlp.languages.en.naming import is_role
from tupelo.nlp.syntax import NOUNS, DependencyTree

_DEEPEST = 3
_MOST_MODIFIERS = 3
_MOST_CONJUNCTS = 40
_COMPARING = words("extraction", "comparing")


@dataclass(frozen=True, slots=True)
class End:
    """An anchor of a phrase. `words` lead from the head of the phrase to it, by the dependency labels `steps`."""

    anchor: int
    words: Pieces = ()
    steps: tuple[str, ...] = ()

    @property
    def nouns(self) -> Pieces:
        """The noun of one step, without the preposition or genitive before the anchor."""
        return self.words[:-1] if len(self.steps) == 1 else ()


class LinkReader(AnchoredTree):
    """An anchored tree with what leads from its nouns to names."""

    __slots__ = ()

    def subject(self, head: int, inside: Collection[int]) -> int | None:
        """The anchor of a subject: *Loud* in *Loud is an album that sold well*, *Loud, an album that sold well*."""
        tree = self.tree
        number = self.main(head, inside)
        if number is not None and self.is_name(number):
            return number
        above, of = tree.heads[head], tree.child(head, "nsubj")
        if tree.labels[head] == "appos" and above is not None and self.name_at(above) is not None:
            return self.name_at(above)
        if of is None or tree.child(head, "cop") is None or tree.child(head, "case") is not None:
            return number
        named = self.main(of, range(tree.size))
        is_said = named is not None and self.is_node(named) and standing(tree, head).is_claim
        return named if is_said else number

    def mains(self, argument: Argument) -> list[int | None]:
        """The anchors that the coordinated phrases of an argument stand for."""
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
            if number is not None and (number in self.named or (self.is_pronoun(number) and self.is_node(number))):
                lead = words if _is_example(tree, joint) else (*noun, *joint)
                for other in self.alike(child, inside):
                    yield End(other, lead, label)
            elif tree.lemmas[child] in PLACE_PARTS and is_in(tree, child):
                yield from self._in_part(child, inside, (*noun, *joint), label)
            elif len(steps) + 1 < _DEEPEST and tree.upos(child) in NOUNS and tree.labels[child] == "nmod":
                yield from self._below(child, inside, (*noun, *joint), label, full)

    def _in_part(self, part: int, inside: Collection[int], words: Pieces, steps: tuple[str, ...]) -> Iterator[End]:
        """*in the northern part of Norway* is in Norway."""
        for child in self.tree.children(part, "nmod"):
            if child in inside and step_label(self.tree, child) == "nmod(of)":
                yield from (End(other, words, steps) for other in self.alike(child, inside, within=True))

    def _joint(self, head: int, child: int) -> Pieces | None:
        """The words between a noun and a name that depends on it; `None` if they say nothing of the two."""
        tree = self.tree
        label = tree.labels[child]
        if label == "nmod:poss":
            return ("of",)
        if label == "nmod":
            preposition = noun_phrase(tree, child).preposition
            if preposition and tree.lowered[preposition[0]] in _COMPARING:
                return None
            return preposition or (None if child > head else ("of",))
        if child > head or self.name_at(child) is None:
            return None
        if label in ("amod", "compound", "nmod:desc") and self.is_demonym(child):
            return (self.origin(head),)
        return ("of",) if label in ("compound", "nmod:desc", "nmod:unmarked") else None

    def alike(self, head: int, inside: Collection[int], *, within: bool = False) -> Iterator[int]:
        """The name at a word, those coordinated with it, and the places that it lies in: *Paris, Texas*.

        `within`: something is in the place, whatever the preposition before its name.
        """
        for one in (head, *self.tree.children(head, "conj")[:_MOST_CONJUNCTS]):
            number = self.main(one, inside)
            if number is not None and one in inside and (number in self.named or self.is_pronoun(number)):
                yield number
                if self.anchors[number].label == "place" and (within or is_in(self.tree, head)):
                    yield from dict.fromkeys((*self.around(number), *self.beyond(one)))

    def origin(self, noun: int) -> str:
        """The preposition between a noun and the country of its adjective: *runner from*, *town in*, *army of*."""
        label = None if is_role([self.tree.text(noun)]) else self.labels.get(noun)
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
            if child < head
            and self.name_at(child) is None
            and (full or tree.upos(child) == "NOUN")
            and tree.lowered[child] not in LOOSE_WORDS
            for token in tree.subtree(child)
            if tree.upos(token) not in ("PUNCT", "DET")
        ]
        if len(before) > _MOST_MODIFIERS or any(self.name_at(token) is not None for token in before):
            before = []
        return (*before, head)

    def acts(self, noun: int, end: End) -> bool:
        """Whether what a noun does is done for a name in its phrase: *Kenya's government*, *Dutch merchants*."""
        if len(end.steps) != 1:
            return False
        step, _, opening = end.steps[0].partition("(")
        is_part = self.labels.get(noun) in ("person", "organization") and (step != "nmod" or opening == "of)")
        return step == "nmod:poss" or is_part

    def has_hollow(self, words: Pieces) -> bool:
        """Whether one of the nouns says nothing by itself: *visited as part of a tour*."""
        return any(isinstance(word, int) and self.tree.lowered[word] in HOLLOW_NOUNS for word in words)


def _is_example(tree: DependencyTree, joint: Pieces) -> bool:
    """*galleries including the Louvre*: what is said of the galleries is said of it."""
    first = joint[0] if joint else None
    return isinstance(first, int) and tree.lowered[first] in ("including", "such", "like", "e.g.")
