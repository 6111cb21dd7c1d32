"""The document-level classifier at inference: words in, entities and the relations of every pair out.

A document that is longer than the network's input is read in windows of whole sentences that overlap by half; a pair
gets its best score among the windows that contain both of its entities. Mentions come from the first window that
contains them, and two of them are compared in every window that contains both.

The network scores a tag for every word (`TAGS`: outside, or the first or a later word of a mention of some type) and
for every two mentions whether they are the same entity, given how alike their words are (`likeness`). Mentions of
equal words are the same entity; forms are merged as long as their links are above one half on average.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core.numeric import sigmoid
from tupelo.factmodels.folder import FactModel
from tupelo.nlp.decode import EntityDecoder
from tupelo.nlp.languages.en.naming import DEMONYMS
from tupelo.nlp.subwords import NORMALIZE, Subwords

# The types of mentions, and the tags; their order is part of the model's format.
KINDS = ("PER", "ORG", "LOC", "TIME", "NUM", "MISC")
TAGS = ("O", *(f"{place}-{kind}" for kind in KINDS for place in "BI"))
# Kinds of likeness of two mentions. Each is doubled: of different types, of the same.
LIKENESSES = 8
NOTHING, EQUAL, BEGINNING, ENDING, PART, WORD, INITIALS, PEOPLE = range(LIKENESSES)
_LINKED = 0.5
TAGGED = EntityDecoder(TAGS)


def likeness(one: Sequence[str], two: Sequence[str]) -> int:
    """The likeness of the words of two mentions: one of the eight."""
    a, b = (tuple(word.lower() for word in words) for words in (one, two))
    if a == b:
        return EQUAL
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    if DEMONYMS.get(short, "").lower() == " ".join(long) or DEMONYMS.get(long, "").lower() == " ".join(short):
        return PEOPLE
    size = len(short)
    if size < len(long):
        if long[:size] == short:
            return BEGINNING
        if long[-size:] == short:
            return ENDING
        if set(short) <= set(long):
            return PART
        if size == 1 and _are_initials(*((one, two) if len(one) == 1 else (two, one))):
            return INITIALS
    return WORD if any(len(word) > 3 for word in set(a) & set(b)) else NOTHING


def _are_initials(one: Sequence[str], many: Sequence[str]) -> bool:
    letters = one[0].replace(".", "")
    return len(letters) > 1 and letters == "".join(word[0] for word in many if word[:1].isupper())


def alike(mentions: Sequence[tuple[Sequence[str], str]]) -> NDArray[np.int64]:
    """[mentions, mentions]: the likeness of two mentions (words and type), with the types."""
    forms: dict[tuple[str, ...], int] = {}
    rows = np.array([forms.setdefault(tuple(words), len(forms)) for words, _ in mentions], dtype=np.int64)
    table = np.zeros((len(forms), len(forms)), dtype=np.int64)
    listed = list(forms)
    for one, words in enumerate(listed):
        for two in range(one + 1):
            table[one, two] = table[two, one] = likeness(words, listed[two])
    kinds = np.array([KINDS.index(kind) for _, kind in mentions], dtype=np.int64)
    found: NDArray[np.int64] = 2 * table[np.ix_(rows, rows)] + (kinds[:, None] == kinds[None, :])
    return found


def entities_of(
    mentions: Sequence[tuple[Sequence[str], str]], linked: Iterable[tuple[int, int, float]]
) -> tuple[list[int], list[str]]:
    """The entity of every mention, numbered from 0 by first mention, and the type of every entity.

    `linked` has two mentions and the probability that they are one, for all that were compared. The best linked forms
    are joined first, as long as those of the two clusters that were compared are linked on average.
    """
    keys: dict[tuple[str, ...], int] = {}
    forms = [keys.setdefault(tuple(word.lower() for word in words), len(keys)) for words, _ in mentions]
    sums: dict[tuple[int, int], list[float]] = {}
    for one, two, probability in linked:
        a, b = sorted((forms[one], forms[two]))
        if a != b:
            both = sums.setdefault((a, b), [0.0, 0.0])
            both[0] += probability
            both[1] += 1.0
    means = {pair: total / count for pair, (total, count) in sums.items()}
    cluster = list(range(len(keys)))
    members = [[form] for form in cluster]
    for (a, b), mean in sorted(means.items(), key=lambda item: (-item[1], item[0])):
        if mean <= _LINKED:
            break
        one, two = sorted((cluster[a], cluster[b]))
        between = [
            means[pair] for x in members[one] for y in members[two] if (pair := (min(x, y), max(x, y))) in means
        ]
        if one != two and sum(between) / len(between) > _LINKED:
            members[one] += members[two]
            for form in members[two]:
                cluster[form] = one
    order: dict[int, int] = {}
    entity = [order.setdefault(cluster[form], len(order)) for form in forms]
    counts = np.zeros((len(order), len(KINDS)))
    for number, (_, kind) in zip(entity, mentions, strict=True):
        counts[number, KINDS.index(kind)] += 1
    return entity, [KINDS[int(row.argmax())] for row in counts]


# The network's entity types; the order is part of the model's format.
TYPES = ("unknown", *KINDS)
NEVER = -100.0
_FAR = 5
_OFTEN = 4


@dataclass(frozen=True, slots=True)
class MarkedMention:
    """Words `[start, end)` of the document, counted over all sentences, that mean entity number `entity`."""

    start: int
    end: int
    entity: int


@dataclass(frozen=True, slots=True)
class Marked:
    """The network's input: sentences of words, the type of every entity, mentions."""

    sentences: tuple[tuple[str, ...], ...]
    types: tuple[str, ...]
    mentions: tuple[MarkedMention, ...]


@dataclass(frozen=True, slots=True)
class PairScores:
    """Log-odds [entities, entities, relations] against the pair's threshold, and of any relation at all.

    Pairs that share no window, and an entity with itself, have `NEVER`.
    """

    relations: NDArray[np.float32]
    related: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Log-odds to probabilities and back."""

    slope: float
    intercept: float

    def probability(self, odds: float) -> float:
        return float(sigmoid(np.float64(self.slope * odds + self.intercept)))

    def odds(self, probability: float) -> float:
        """The log-odds of a probability; for 0 and 1 they are large but finite."""
        kept = min(max(probability, 1e-9), 1 - 1e-9)
        return max((float(np.log(kept / (1 - kept))) - self.intercept) / self.slope, NEVER / 2)


@dataclass(frozen=True, slots=True)
class Window:
    """Whole sentences of a document: subwords, shapes of their words, and mentions."""

    subwords: list[int]
    shapes: list[int]
    # The sentence of every subword, and the subwords of every mention that is entirely in the window.
    lines: list[int]
    mentions: list[tuple[int, int, int]]
    # The first subword of each word, and the one after its last.
    begins: dict[int, int]
    ends: dict[int, int]


class PairModel(FactModel):
    """The shipped classifier, or one of the same kind from another folder."""

    kind, part = "pairs", "classifier"

    def _configure(self, config: Mapping[str, Any]) -> None:
        self._most_subwords = int(config["max_subwords"]) - 2
        # Log-odds above which a fact is stated; the same for any relation at all.
        self.threshold = float(config["threshold"])
        self.related_threshold = float(config["related_threshold"])
        # Slope and intercept that turn log-odds into probabilities.
        self.calibration = Calibration(*map(float, config.get("calibration", (1.0, 0.0))))
        self.related_calibration = Calibration(*map(float, config.get("related_calibration", (1.0, 0.0))))

    @cached_property
    def _words(self) -> Subwords:
        return Subwords(self.vocabulary, normalize=NORMALIZE)

    def mark(self, sentences: Sequence[Sequence[str]]) -> Marked:
        """A document of words with the entities that the network finds in it."""
        document = Marked(tuple(map(tuple, sentences)), (), ())
        first = np.concatenate(([0], np.cumsum([len(words) for words in document.sentences]))).tolist()
        words = [word for sentence in document.sentences for word in sentence]
        found: list[tuple[int, int, str]] = []
        compared: list[tuple[int, int, float]] = []
        read = 0
        for window in self._windows(document):
            states, _, tags = self._encode(window, np.zeros((1, len(window.subwords)), dtype=np.int64))
            start, end = window.lines[0], window.lines[-1]
            for line in range(max(start, read), end):
                places = [word for word in range(first[line], first[line + 1]) if word in window.begins]
                scores = tags[[window.begins[word] for word in places]]
                found += [(places[a], places[b - 1] + 1, kind) for kind, a, b in TAGGED.spans(scores)]
            read = end
            here = [number for number, (a, b, _) in enumerate(found) if a in window.begins and b in window.ends]
            compared += self._compared(window, states, found, here, words)
        named = [(words[a:b], kind) for a, b, kind in found]
        entities, types = entities_of(named, compared)
        mentions = tuple(MarkedMention(a, b, entity) for (a, b, _), entity in zip(found, entities, strict=True))
        return Marked(document.sentences, tuple(types), mentions)

    def _compared(
        self,
        window: Window,
        states: NDArray[np.float32],
        found: Sequence[tuple[int, int, str]],
        here: Sequence[int],
        words: Sequence[str],
    ) -> Iterator[tuple[int, int, float]]:
        """The probability that two mentions are one entity, for all that are in a window."""
        if len(here) < 2:
            return
        pool = np.zeros((len(here), len(window.subwords)), dtype=np.float32)
        for row, number in enumerate(here):
            a, b, _ = found[number]
            pool[row, window.begins[a] : window.ends[b]] = 1 / (window.ends[b] - window.begins[a])
        likenesses = alike([(words[found[number][0] : found[number][1]], found[number][2]) for number in here])
        links = self.graph("links.onnx")
        (linked,) = links.run(["linked"], {"states": states, "pool": pool, "alike": likenesses})
        probabilities = sigmoid(linked)
        for row, number in enumerate(here):
            for column in range(row):
                yield number, here[column], float(probabilities[row, column])

    def _encode(self, window: Window, marks: NDArray[np.int64]) -> list[NDArray[np.float32]]:
        """States of subwords, attention of the last layer, and scores of tags."""
        inputs: dict[str, NDArray[np.generic]] = {
            "vectors": self.embed(np.array([window.subwords], dtype=np.int64)),
            "marks": marks,
            "shapes": np.array([window.shapes], dtype=np.int64),
        }
        return self.graph("layers.onnx", tags=len(TAGS)).run(["states", "attention", "tags"], inputs)

    def read(self, document: Marked) -> PairScores:
        """Scores of all pairs of a document; memory grows with the square of its entities."""
        count = len(document.types)
        relations = np.full((count, count, len(self.relations)), NEVER, dtype=np.float32)
        related = np.full((count, count), NEVER, dtype=np.float32)
        for here, scores in self.windows(document):
            places = np.ix_(here, here)
            relations[places] = np.maximum(relations[places], scores.relations)
            related[places] = np.maximum(related[places], scores.related)
        return PairScores(relations, related)

    def windows(self, document: Marked) -> Iterator[tuple[list[int], PairScores]]:
        """The entities of each window, and the scores of their pairs."""
        for here, inputs in self.inputs(document):
            yield here, self.scores(inputs)

    def inputs(self, document: Marked) -> Iterator[tuple[list[int], dict[str, NDArray[np.generic]]]]:
        """The entities of each window that has two or more, and all that is known about them and their subwords."""
        for window in self._windows(document):
            here = sorted({entity for _, _, entity in window.mentions})
            if len(here) < 2:
                continue
            marks, inputs = window_inputs(window, here, document.types)
            inputs["states"], inputs["attention"], _ = self._encode(window, marks)
            yield here, inputs

    def scores(self, inputs: Mapping[str, NDArray[np.generic]]) -> PairScores:
        """The scores of the pairs of a window."""
        relations, related = self.graph("pairs.onnx", scores=len(self.relations)).run(["scores", "related"], inputs)
        # The mean of the output for any relation and the best single relation.
        related = (related + relations.max(axis=2)) / 2
        own = np.arange(len(related))
        relations[own, own], related[own, own] = NEVER, NEVER
        return PairScores(relations, related)

    def _windows(self, document: Marked) -> Iterator[Window]:
        cut = [[self._words.cut(word) for word in words] for words in document.sentences]
        sizes = [sum(len(ids) for ids, _ in words) for words in cut]
        first_words = np.concatenate(([0], np.cumsum([len(words) for words in cut])))
        start = 0
        while start < len(cut):
            end, total = start, 0
            while end < len(cut) and (total + sizes[end] <= self._most_subwords or end == start):
                total += sizes[end]
                end += 1
            yield self._window(document, cut, start, end, int(first_words[start]))
            if end == len(cut):
                return
            # The next window begins with the second half of this one.
            start += 1
            while start < end and sum(sizes[start:end]) > total / 2:
                start += 1

    def _window(
        self, document: Marked, cut: Sequence[Sequence[tuple[tuple[int, ...], int]]], start: int, end: int, first: int
    ) -> Window:
        subwords, shapes, lines = [self._words.start], [0], [start]
        begins: dict[int, int] = {}
        ends: dict[int, int] = {}
        word = first
        for line in range(start, end):
            for ids, shape in cut[line]:
                # A single sentence may be longer than the input; it is truncated.
                if len(subwords) - 1 + len(ids) <= self._most_subwords:
                    begins[word] = len(subwords)
                    subwords += ids
                    ends[word + 1] = len(subwords)
                    shapes += [shape] * len(ids)
                    lines += [line] * len(ids)
                word += 1
        mentions = [
            (begins[mention.start], ends[mention.end], mention.entity)
            for mention in document.mentions
            if mention.start in begins and mention.end in ends
        ]
        return Window([*subwords, self._words.end], [*shapes, 0], [*lines, end], mentions, begins, ends)


def window_inputs(
    window: Window, entities: Sequence[int], types: Sequence[str]
) -> tuple[NDArray[np.int64], dict[str, NDArray[np.generic]]]:
    """The marks of the subwords, and the inputs of the graph of pairs other than the network's states."""
    number = {entity: place for place, entity in enumerate(entities)}
    length, count = len(window.subwords), len(entities)
    pool = np.zeros((len(window.mentions), length), dtype=np.float32)
    marks = np.zeros((1, length), dtype=np.int64)
    own: list[list[int]] = [[] for _ in entities]
    first = [length] * count
    where: list[set[int]] = [set() for _ in entities]
    kinds = np.array([TYPES.index(types[entity]) for entity in entities], dtype=np.int64)
    for mention, (start, end, entity) in enumerate(window.mentions):
        place = number[entity]
        pool[mention, start:end] = 1 / (end - start)
        marks[0, start:end] = 2 + 2 * kinds[place]
        marks[0, start] = 1 + 2 * kinds[place]
        own[place].append(mention + 1)
        first[place] = min(first[place], start)
        where[place].add(window.lines[start])
    members = np.zeros((count, max(len(one) for one in own)), dtype=np.int64)
    for place, one in enumerate(own):
        members[place, : len(one)] = one
    near = np.array([[_near(a, b) for b in where] for a in where], dtype=np.int64)
    begin = np.array(first)
    return marks, {
        "pool": pool,
        "members": members,
        "types": kinds + 1,
        "near": near,
        "often": np.array([min(len(one), _OFTEN) for one in own], dtype=np.int64),
        "order": (begin[:, None] < begin[None, :]).astype(np.int64),
    }


def _near(first: set[int], second: set[int]) -> int:
    """The distance of two entities in sentences, in bins: 0, 1, 2, up to 4, more."""
    apart = min((abs(a - b) for a in first for b in second), default=_FAR)
    return apart if apart < 3 else 3 if apart < 5 else 4
