"""What of a sentence does a source say? Word by word and link by link, by syntax alone.

A *link* is a dependency between two content words, such as *robbed* and *van*. The source supports it when one of its
sentences links the same two lemmas directly, whichever of them is the head: so the passive supports the active, and
"the robbery of a van" does not support "a van was robbed" by itself. A link over a preposition (*robbed* in
*Glasgow*) is supported in full when the preposition is the same. A word is found when the source has it in the same
form, or when it belongs to a number or a date that the source gives in other words.

Three shares make the score of a sentence, or of some of its words: links that are supported (L), prepositional links
with their preposition (P), and words that are found (W): (2 L + P + 2 W) / 5, or (L + W) / 2 without such links.

This is close to what is known as dependency-arc entailment (Goyal and Durrett 2020), with exact lemmas in the place
of a trained network: it needs nothing but a parser, and can show every link that it misses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import log

from tupelo.core import Analysis
from tupelo.extract.tree import Tree
from tupelo.facts.values import FoundValue, Verdict, values_in

CONTENT = frozenset(["NOUN", "VERB", "PROPN", "ADJ", "NUM", "ADV"])


@dataclass(frozen=True, slots=True)
class Link:
    """Two content words of a sentence, and the sentence of the source that links them too, if any."""

    dependent: int
    head: int
    preposition: str | None
    same_preposition: bool
    evidence: int | None


@dataclass(frozen=True, slots=True)
class Support:
    """How far a source supports a sentence."""

    links: tuple[Link, ...]
    found: tuple[bool | None, ...]

    def score(self, words: Collection[int] | None = None) -> float | None:
        """In [0, 1]; of some words only where `words` are given. `None` where there is nothing to find."""
        looked_for = [found for place, found in enumerate(self.found) if found is not None and _in(place, words)]
        if not looked_for:
            return None
        share = sum(looked_for) / len(looked_for)
        links = [link for link in self.links if _in(link.dependent, words) and _in(link.head, words)]
        if not links:
            return share
        linked = sum(link.evidence is not None for link in links) / len(links)
        prepositional = [link for link in links if link.preposition is not None]
        if not prepositional:
            return (linked + share) / 2
        kept = sum(link.same_preposition for link in prepositional) / len(prepositional)
        return (2 * linked + kept + 2 * share) / 5

    def missing(self, words: Collection[int] | None = None) -> list[int]:
        """The words that the source does not have."""
        return [place for place, found in enumerate(self.found) if found is False and _in(place, words)]


def _in(place: int, words: Collection[int] | None) -> bool:
    return words is None or place in words


class Source:
    """A text to compare with, indexed once."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        self.sentences = [analysis for analysis in analyses if analysis.words]
        self.trees = [Tree(analysis) for analysis in self.sentences]
        self.values: list[list[FoundValue]] = []
        self._forms: set[str] = set()
        self._links: dict[frozenset[str], int] = {}
        self._prepositions: set[tuple[frozenset[str], str]] = set()
        self._near: set[frozenset[str]] = set()
        self._holders: dict[str, list[int]] = {}
        for number, tree in enumerate(self.trees):
            self.values.append(values_in([word.text for word in tree.words]))
            self._forms.update(tree.lowered)
            for lemma in dict.fromkeys(content_lemmas(tree)):
                self._holders.setdefault(lemma, []).append(number)
            for dependent, head, preposition in content_links(tree):
                pair = frozenset((tree.lemmas[dependent], tree.lemmas[head]))
                self._links.setdefault(pair, number)
                self._near.add(pair)
                above = tree.heads[head]
                if above is not None:
                    self._near.add(frozenset((tree.lemmas[dependent], tree.lemmas[above])))
                if preposition is not None:
                    self._prepositions.add((pair, preposition))

    def links_nearly(self, one: str, other: str) -> bool:
        """Whether two lemmas are linked, directly or over one word: *bought* and *Oslo* in *at the market in
        Oslo*."""
        return frozenset((one, other)) in self._near

    def support(self, tree: Tree) -> Support:
        """What the source says of a sentence."""
        links = []
        for dependent, head, preposition in content_links(tree):
            pair = frozenset((tree.lemmas[dependent], tree.lemmas[head]))
            same = preposition is not None and (pair, preposition) in self._prepositions
            links.append(Link(dependent, head, preposition, same, self._links.get(pair)))
        return Support(tuple(links), self._found(tree))

    def _found(self, tree: Tree) -> tuple[bool | None, ...]:
        by_value = {
            place
            for item in values_in([word.text for word in tree.words])
            if self.has_value(item)
            for place in range(item.start, item.end)
        }
        return tuple(
            (form in self._forms or place in by_value) if form[:1].isalnum() else None
            for place, form in enumerate(tree.lowered)
        )

    def has_value(self, item: FoundValue, sentences: Iterable[int] | None = None) -> bool:
        """Whether the source, or some of its sentences, give the same value."""
        chosen = range(len(self.values)) if sentences is None else sentences
        return any(
            other.value.compare(item.value) is Verdict.SAME for number in chosen for other in self.values[number]
        )

    def places(self, lemma: str) -> list[tuple[int, int]]:
        """Where a content word occurs: sentence and word."""
        return [
            (number, place)
            for number in self._holders.get(lemma, ())
            for place, other in enumerate(self.trees[number].lemmas)
            if other == lemma and self.trees[number].words[place].upos in CONTENT
        ]

    def dependents(self, lemma: str) -> list[tuple[int, int]]:
        """The words that hang on a content word: sentence and word."""
        return [(number, child) for number, place in self.places(lemma) for child in self.trees[number].below[place]]

    def shares(self, number: int, lemmas: Collection[str], least: int) -> bool:
        """Whether a sentence has at least so many of the given content words."""
        return len(set(lemmas).intersection(content_lemmas(self.trees[number]))) >= least

    def best_evidence(self, lemmas: Collection[str]) -> int | None:
        """The sentence that shares most of the given content words, rare ones counting more; first of equals."""
        weights: dict[int, float] = {}
        for lemma in sorted(set(lemmas)):
            holders = self._holders.get(lemma, ())
            for number in holders:
                weights[number] = weights.get(number, 0.0) + log(1 + len(self.sentences) / len(holders))
        return min(weights, key=lambda number: (-weights[number], number)) if weights else None


def content_lemmas(tree: Tree, words: Iterable[int] | None = None) -> list[str]:
    """The lemmas of content words, in order."""
    places: Iterable[int] = range(tree.size) if words is None else words
    return [tree.lemmas[place] for place in places if tree.words[place].upos in CONTENT]


def content_links(tree: Tree) -> list[tuple[int, int, str | None]]:
    """Dependent, head and preposition of every dependency between two content words."""
    found = []
    for dependent, head in enumerate(tree.heads):
        if head is None or not _both_content(tree, (dependent, head)):
            continue
        marker = tree.child(dependent, "case")
        found.append((dependent, head, None if marker is None else tree.lemmas[marker]))
    return found


def _both_content(tree: Tree, places: Sequence[int]) -> bool:
    return all(tree.words[place].upos in CONTENT for place in places)
