"""How far a source supports a sentence, word by word and link by link, by syntax alone.

A *link* is a dependency between two content words, such as *robbed* and *van*. The source supports it when one of its
sentences links the same two lemmas directly, whichever of them is the head: so the passive supports the active. Where
the two are in one tree but further apart, the link is as strong as one over their distance. A link over a preposition
(*robbed* in *Glasgow*) should have the same preposition there. A word is found when the source has it in the same
form, or if it belongs to a number or a date that the source gives in other words.

The score of a sentence, or of some of its words, is the mean of four shares, two of them with double weight: links
that are supported directly (2), words that are found (2), prepositional links with the same preposition, and the
strength of the weakest link, as one wrong link makes a sentence false. What a sentence does not have, such as
prepositional links, does not count. Up to a quarter is taken off for numbers and dates that the source does not give.

This is similar to dependency-arc entailment (Goyal and Durrett 2020), with exact lemmas in place of a trained
network: it requires only a parser, and can show every missing link.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

from tupelo.core import Analysis
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.values import Agreement, FoundValue, values_in

_COST_OF_VALUES = 0.25
# Words that are further apart than this are not linked.
_FARTHEST = 6
CONTENT = frozenset(["NOUN", "VERB", "PROPN", "ADJ", "NUM", "ADV"])


@dataclass(frozen=True, slots=True)
class Link:
    """Two content words of a sentence, and the sentence of the source that links them too, if any."""

    dependent: int
    head: int
    preposition: str | None
    same_preposition: bool
    evidence: int | None
    strength: float


@dataclass(frozen=True, slots=True)
class Support:
    """How far a source supports a sentence."""

    links: tuple[Link, ...]
    found: tuple[bool | None, ...]
    values: tuple[tuple[FoundValue, bool], ...] = ()

    def score(self, words: Collection[int] | None = None) -> float | None:
        """The score in [0, 1], of `words` only if given. `None` if there is nothing to find."""
        looked_for = [found for place, found in enumerate(self.found) if found is not None and _in(place, words)]
        if not looked_for:
            return None
        links = [link for link in self.links if _in(link.dependent, words) and _in(link.head, words)]
        values = [
            known for item, known in self.values if all(_in(place, words) for place in range(item.start, item.end))
        ]
        shares: list[tuple[int, Sequence[float]]] = [
            (2, [link.evidence is not None for link in links]),
            (2, looked_for),
            (1, [link.same_preposition for link in links if link.preposition is not None]),
            (1, [min(link.strength for link in links)] if links else []),
        ]
        present = [(weight, sum(share) / len(share)) for weight, share in shares if share]
        mean = sum(weight * share for weight, share in present) / sum(weight for weight, _ in present)
        return mean * (1 - _COST_OF_VALUES * values.count(False) / len(values)) if values else mean

    def missing(self, words: Collection[int] | None = None) -> list[int]:
        """The words that the source does not have."""
        return [place for place, found in enumerate(self.found) if found is False and _in(place, words)]


def _in(place: int, words: Collection[int] | None) -> bool:
    return words is None or place in words


class Source:
    """An indexed source text."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        self.sentences = [analysis for analysis in analyses if analysis.words]
        self.trees = [DependencyTree(analysis) for analysis in self.sentences]
        self.values: list[list[FoundValue]] = []
        self._forms: set[str] = set()
        self._links: dict[frozenset[str], int] = {}
        self._prepositions: set[tuple[frozenset[str], str]] = set()
        self._distances: dict[frozenset[str], int] = {}
        self._holders: dict[str, list[int]] = {}
        for number, tree in enumerate(self.trees):
            self.values.append(values_in([word.text for word in tree.words]))
            self._forms.update(tree.lowered)
            for lemma in dict.fromkeys(content_lemmas(tree)):
                self._holders.setdefault(lemma, []).append(number)
            for dependent, head, preposition in content_links(tree):
                pair = frozenset((tree.lemmas[dependent], tree.lemmas[head]))
                self._links.setdefault(pair, number)
                if preposition is not None:
                    self._prepositions.add((pair, preposition))
            for one, other, steps in _close_words(tree):
                pair = frozenset((tree.lemmas[one], tree.lemmas[other]))
                self._distances[pair] = min(steps, self._distances.get(pair, steps))

    def links_nearly(self, one: str, other: str) -> bool:
        """Whether two lemmas are linked, directly or via one word: *bought*, *Oslo* in *at the market in Oslo*."""
        return self._distances.get(frozenset((one, other)), _FARTHEST + 1) <= 2

    def has_words(self, words: Iterable[str]) -> bool:
        """Whether all words occur, in lower case, anywhere."""
        return self._forms.issuperset(words)

    def support(self, tree: DependencyTree) -> Support:
        """The support of a sentence."""
        links = []
        for dependent, head, preposition in content_links(tree):
            pair = frozenset((tree.lemmas[dependent], tree.lemmas[head]))
            same = preposition is not None and (pair, preposition) in self._prepositions
            steps = self._distances.get(pair)
            links.append(Link(dependent, head, preposition, same, self._links.get(pair), 1 / steps if steps else 0.0))
        values = [
            (item, any(known.value.compare(item.value) is Agreement.SAME for found in self.values for known in found))
            for item in values_in([word.text for word in tree.words])
        ]
        by_value = {place for item, known in values if known for place in range(item.start, item.end)}
        return Support(tuple(links), self._found(tree, by_value), tuple(values))

    def _found(self, tree: DependencyTree, by_value: Collection[int]) -> tuple[bool | None, ...]:
        return tuple(
            (form in self._forms or place in by_value) if form[:1].isalnum() else None
            for place, form in enumerate(tree.lowered)
        )

    def places(self, lemma: str) -> list[tuple[int, int]]:
        """The occurrences of a content word: sentence and word."""
        return [
            (number, place)
            for number in self._holders.get(lemma, ())
            for place, other in enumerate(self.trees[number].lemmas)
            if other == lemma and self.trees[number].words[place].upos in CONTENT
        ]

    def dependents(self, lemma: str) -> list[tuple[int, int]]:
        """The dependents of a content word: sentence and word."""
        return [(number, child) for number, place in self.places(lemma) for child in self.trees[number].below[place]]

    def shares(self, number: int, lemmas: Collection[str], least: int) -> bool:
        """Whether a sentence has at least `least` of the given content words."""
        return len(set(lemmas).intersection(content_lemmas(self.trees[number]))) >= least

    def best_evidence(self, lemmas: Collection[str]) -> int | None:
        """The sentence that shares most of the given content words, weighted by rarity; ties go to the first."""
        weights: dict[int, float] = {}
        for lemma in sorted(set(lemmas)):
            holders = self._holders.get(lemma, ())
            for number in holders:
                weights[number] = weights.get(number, 0.0) + log(1 + len(self.sentences) / len(holders))
        return min(weights, key=lambda number: (-weights[number], number)) if weights else None


def content_lemmas(tree: DependencyTree, words: Iterable[int] | None = None) -> list[str]:
    """The lemmas of content words, in order."""
    places: Iterable[int] = range(tree.size) if words is None else words
    return [tree.lemmas[place] for place in places if tree.words[place].upos in CONTENT]


def content_links(tree: DependencyTree) -> list[tuple[int, int, str | None]]:
    """Dependent, head and preposition of every dependency between two content words."""
    found = []
    for dependent, head in enumerate(tree.heads):
        if head is None or not _both_content(tree, (dependent, head)):
            continue
        marker = tree.child(dependent, "case")
        found.append((dependent, head, None if marker is None else tree.lemmas[marker]))
    return found


def _close_words(tree: DependencyTree) -> Iterator[tuple[int, int, int]]:
    """Pairs of content words at most `_FARTHEST` dependencies apart, without duplicates, with their distance."""
    for start in range(tree.size):
        if tree.words[start].upos not in CONTENT:
            continue
        seen, reached = {start}, [start]
        for steps in range(1, _FARTHEST + 1):
            around = [
                place for word in reached for place in (*tree.below[word], tree.heads[word]) if place is not None
            ]
            reached = [place for place in dict.fromkeys(around) if place not in seen]
            seen.update(reached)
            for place in reached:
                if start < place and tree.words[place].upos in CONTENT:
                    yield start, place, steps


def _both_content(tree: DependencyTree, places: Sequence[int]) -> bool:
    return all(tree.words[place].upos in CONTENT for place in places)
