"""A sentence as links read it: what leads from a noun to the names below it.

*the faculty of Oslo* leads from *faculty* to *Oslo* by *faculty of*, *Rihanna's album* to *Rihanna* by *album of*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tupelo.core import Argument
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.anchors import heads_of, meant_nouns
from tupelo.extract.links.wording import Pieces
from tupelo.extract.marks.standing import standing
from tupelo.extract.rules.phrases import is_in_brackets, noun_phrase
from tupelo.names.proper_names import is_demonym
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import HOLLOW_NOUNS, LOOSE_WORDS, NAMED_PLACE_KINDS, PLACE_KINDS, PLACE_PARTS
from tupelo.nlp.languages.en.naming import is_role
from tupelo.nlp.syntax import NOUNS, DependencyTree

_MOST_PLACES = 5
_SURROUNDING = frozenset(["appos", "nmod:unmarked", "dep", "list", "nmod(in)", "nmod(of)"])
_INSIDE = words("extraction", "inside")
_DEEPEST = 3
_MOST_MODIFIERS = 3
_MOST_CONJUNCTS = 40
_COMPARING = words("extraction", "comparing")
_EXAMPLES = frozenset(["including", "such", "like", "e.g."])


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


class LinkReader:
    """The tree of a sentence with its anchors, and what leads from its nouns to names."""

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
        whole: dict[int, int] = {}
        for number, anchor in enumerate(anchors):
            if anchor.kind == "name" or (anchor.kind == "value" and anchor.label != "quality"):
                whole |= dict.fromkeys(range(anchor.start, anchor.end), number)
            else:
                (self.clauses if anchor.kind == "statement" else self.at).setdefault(anchor.head, number)
        self.at |= whole

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
        return number is not None and is_demonym(self.tree, self.anchors[number].start, self.anchors[number].end)

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
        # *a district of Oslo* and *the districts of Oslo* are not Oslo.
        definite = all(tree.lowered[child] == "the" for child in tree.children(noun, "det"))
        after = None
        if inside is not None and definite and tree.is_plural(noun) == (tree.child(inside, "conj") is not None):
            named = self.name_at(inside)
            after = named if named is not None and self.anchors[named].label == "place" else None
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
        return found

    def _surrounds(self, child: int, number: int) -> bool:
        tree, anchor = self.tree, self.anchors[number]
        if anchor.kind != "name" or anchor.label != "place" or self.is_demonym(child) or is_in_brackets(tree, child):
            # Brackets give another name of it.
            return False
        label = step_label(tree, child)
        # Some parses take what follows the comma for a part of the name.
        return label in _SURROUNDING or (tree.text(anchor.start - 1) == "," and label in ("compound", "flat", "nmod"))

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
                # *galleries including the Louvre*: what is said of the galleries is said of it.
                is_example = any(isinstance(word, int) and tree.lowered[word] in _EXAMPLES for word in joint[:1])
                lead = words if is_example else (*noun, *joint)
                for other in self.alike(child, inside):
                    yield End(other, lead, label)
            elif tree.lemmas[child] in PLACE_PARTS and is_in(tree, child):
                # *in the northern part of Norway* is in Norway.
                for place in tree.children(child, "nmod"):
                    if place in inside and step_label(tree, place) == "nmod(of)":
                        found = self.alike(place, inside, within=True)
                        yield from (End(other, (*noun, *joint), label) for other in found)
            elif len(steps) + 1 < _DEEPEST and tree.upos(child) in NOUNS and tree.labels[child] == "nmod":
                yield from self._below(child, inside, (*noun, *joint), label, full)

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
                    yield from self.around(number)

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
