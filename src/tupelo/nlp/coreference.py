"""Coreference in documents: the mentions of their sentences, and which earlier mention each refers to.

The parser marks the words that head a mention. One graph (`mentions.onnx`) gives each mention vectors that know the
mentions around it, another (`pairs.onnx`) scores a mention with each of its candidates; nothing scores zero. The
probabilities of the candidates add up by entity, and a mention joins the likeliest one, unless it likelier starts one
of its own. A pronoun passes on all that it may stand for, not only its best reading, so that one wrong choice does
not carry through a document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tupelo.core import Analysis
from tupelo.core.analysis import Mention
from tupelo.nlp.folder import ModelFolder
from tupelo.nlp.mentions import CANDIDATES, CLASSES, NEAREST, Mentions, candidates, compare, describe
from tupelo.nlp.syntax import DependencyTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float32]
    Numbers: TypeAlias = NDArray[np.int64]

# A mention sees 64 others to either side in each of two layers: with this many around it, its vectors are exact.
_CONTEXT = 128
# Probabilities below these do not count.
_LEAST_SHARE = 0.003
_LEAST_READING = 0.01
_PRONOUNS = [CLASSES.index(name) for name in ("he", "she", "it", "they")]
_VECTORS = ("left", "right", "pair_left", "pair_right")


@dataclass(frozen=True, slots=True)
class MentionHeads:
    """The words of a segment that head a mention, in order, with the type of each mention and the word's vector."""

    places: list[int]
    labels: list[str]
    vectors: Floats

    def moved(self, places: int) -> MentionHeads:
        """The same in a sentence in which the segment begins later."""
        return replace(self, places=[place + places for place in self.places]) if places else self


class Coreference:
    """The graphs that link mentions.

    `labels` are the types of mentions after the first, which is that of words that head none. `block` mentions are
    computed at once; the results do not depend on it.
    """

    def __init__(self, folder: ModelFolder, threads: int, labels: Sequence[str], *, block: int = 512) -> None:
        self._folder, self._threads, self._labels, self._block = folder, threads, labels, block

    def heads(self, scores: Floats, states: Floats, lengths: Sequence[int]) -> list[MentionHeads]:
        """The heads of mentions in a batch of segments, whose words count from 1."""
        best = scores.argmax(axis=2)
        found = []
        for index, size in enumerate(lengths):
            places = np.flatnonzero(best[index, 1 : size + 1])
            labels = [self._labels[label] for label in best[index, places + 1]]
            found.append(MentionHeads(places.tolist(), labels, states[index, places + 1]))
        return found

    def resolve(
        self, sentences: Sequence[Analysis], heads: Sequence[Sequence[MentionHeads]], first_entity: int = 0
    ) -> list[Analysis]:
        """The sentences of one document with their mentions; entities are numbered from `first_entity`."""
        trees = [DependencyTree(one) for one in sentences]
        mentions = describe(trees, [[place for part in parts for place in part.places] for parts in heads])
        labels = [label for parts in heads for part in parts for label in part.labels]
        links = self._links(mentions, [part.vectors for parts in heads for part in parts]) if labels else iter(())
        found: list[list[Mention]] = [[] for _ in sentences]
        columns = (mentions.sentence, mentions.first, mentions.last, mentions.head)
        rows = zip(_entities(links, mentions), labels, *(column.tolist() for column in columns), strict=True)
        for (entity, confidence), label, sentence, first, last, head in rows:
            found[sentence].append(Mention(entity, first, last + 1, head, label, confidence))
        return list(_numbered(sentences, found, first_entity))

    def _links(self, mentions: Mentions, vectors: Sequence[Floats]) -> Iterator[list[tuple[int, float]]]:
        """For each mention in order: the earlier ones that it may refer to, with their probabilities."""
        known = self._vectors(np.concatenate(vectors), mentions.kind)
        places = candidates(mentions)
        for start in range(0, len(mentions), self._block):
            pairs = places[start : start + self._block]
            scores = np.full(pairs.shape, -np.inf, np.float32)
            # Most mentions have no candidates but the nearest.
            has_older = (pairs[:, NEAREST:] >= 0).any(axis=1)
            # The first ones have fewer: no more than mentions are before them.
            most_before = min(NEAREST, start + len(pairs) - 1)
            for chosen, width in ((~has_older, most_before), (has_older, CANDIDATES)):
                rows, nearest = np.flatnonzero(chosen) + start, pairs[chosen, :width]
                if nearest.size:
                    found = self._scores(mentions, known, rows, nearest)
                    scores[chosen, :width] = np.where(nearest < 0, -np.inf, found)
            most = np.maximum(scores.max(axis=1, keepdims=True), 0)
            shares = np.exp(scores - most)
            shares /= shares.sum(axis=1, keepdims=True) + np.exp(-most)
            links: list[list[tuple[int, float]]] = [[] for _ in pairs]
            kept = np.nonzero(shares > _LEAST_SHARE)
            for row, place, share in zip(kept[0].tolist(), pairs[kept].tolist(), shares[kept].tolist(), strict=True):
                links[row].append((place, share))
            yield from links

    def _scores(self, mentions: Mentions, known: dict[str, Floats], rows: Numbers, pairs: Numbers) -> Floats:
        (scores,) = self._folder.graph("pairs.onnx", self._threads).run(
            ["scores"],
            {
                "left": known["left"][rows],
                "pair_left": known["pair_left"][rows],
                "right": known["right"],
                "pair_right": known["pair_right"],
                "pairs": np.maximum(pairs, 0),
                "features": compare(mentions, pairs, rows),
            },
        )
        return scores

    def _vectors(self, vectors: Floats, classes: Numbers) -> dict[str, Floats]:
        parts: list[list[Floats]] = []
        for start in range(0, len(vectors), self._block):
            first = max(start - _CONTEXT, 0)
            seen = slice(first, start + self._block + _CONTEXT)
            inputs: dict[str, NDArray[Any]] = {"vectors": vectors[seen], "classes": classes[seen]}
            kept = slice(start - first, start - first + self._block)
            outputs = self._folder.graph("mentions.onnx", self._threads).run(_VECTORS, inputs)
            parts.append([output[kept] for output in outputs])
        return {name: np.concatenate(column) for name, *column in zip(_VECTORS, *parts, strict=True)}


def _entities(links: Iterable[list[tuple[int, float]]], mentions: Mentions) -> Iterator[tuple[int, float]]:
    """The entity of each mention, as the place of its first mention, and the probability that it is that one."""
    # The entities that each mention so far may refer to, and the genders that are known of each entity.
    readings: list[dict[int, float]] = []
    genders: dict[int, set[int]] = {}
    is_pronoun = np.isin(mentions.kind, _PRONOUNS).tolist()
    for own, (linked, gender) in enumerate(zip(links, mentions.gender.tolist(), strict=True)):
        shares: dict[int, float] = {}
        nothing = 1.0
        for place, share in linked:
            nothing -= share
            for entity, part in readings[place].items():
                if not gender or not genders[entity] or gender in genders[entity]:
                    shares[entity] = shares.get(entity, 0.0) + share * part
        chosen = max(shares, key=shares.__getitem__, default=own)
        confidence = 1.0
        if shares.get(chosen, 0.0) <= nothing:
            chosen, shares[own], genders[own] = own, nothing, set()
        else:
            confidence = shares[chosen] / (nothing + sum(shares.values()))
        if gender:
            genders[chosen].add(gender)
        total = sum(shares.values())
        kept = {entity: share / total for entity, share in shares.items() if share > _LEAST_READING * total}
        readings.append(kept if is_pronoun[own] else {chosen: 1.0})
        yield chosen, confidence


def _numbered(sentences: Sequence[Analysis], found: Sequence[list[Mention]], first_entity: int) -> Iterator[Analysis]:
    """Sentences with their mentions in order, one for the same words, and entities in the order of first mentions.

    Of two mentions of one entity that cross, as phrases of wrong trees may, the first stays: files cannot hold both.
    """
    numbers: dict[int, int] = {}
    for sentence, mentions in zip(sentences, found, strict=True):
        ordered: dict[tuple[int, int], Mention] = {}
        around: dict[int, list[int]] = {}  # the ends of the mentions of each entity that go on, the last to end first
        for mention in sorted(mentions, key=lambda one: (one.start, -one.end)):
            ends = around.setdefault(mention.entity, [])
            while ends and ends[-1] <= mention.start:
                ends.pop()
            if ends and ends[-1] < mention.end:
                continue
            ends.append(mention.end)
            number = numbers.setdefault(mention.entity, first_entity + len(numbers))
            own = Mention(number, mention.start, mention.end, mention.head, mention.label, mention.confidence)
            ordered.setdefault((mention.start, mention.end), own)
        yield replace(sentence, mentions=tuple(ordered.values()))
