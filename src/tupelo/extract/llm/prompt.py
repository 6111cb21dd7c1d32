"""The prompt of the ROBUST paper (Qi et al. 2023, "Preserving Knowledge Invariance", Figure 8).

The wording is that of the figure, including its typos, because results with another wording would not be comparable.
The figure shows one demonstration; with several, the sentence that introduces it is repeated. With none, the format
of a tuple is spelled out, since there is no example to follow.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tupelo.core import Analysis, Extraction, Record

_TASK = (
    "Open information extraction requires the extraction of all relations in the sentence, i.e., predicates, the "
    "subjects and objects corresponding to these relations, and the possible time and place thesis elements."
)
_EXAMPLE = (
    "For example, in the sentence: {sentence}\n\nFrom this sentence, the following tuple can be extracted: {tuples}"
)
_FORM = (
    "In these tuples, we always put the predicate first, the second is the subject corresponding to the predicate, "
    "the third is the object corresponding to the predicate (if there is none, it is not labeled), and the last two "
    "are time and place in that order, which can be omitted if there is none."
)
_FORM_ALONE = (
    "Each tuple is written as (predicate, subject, object, time, place), and tuples are separated by semicolons."
)
_ASK = "Please follow the example above and extract all the relational tuples in the following sentence: {sentence}"
_ASK_ALONE = "Please extract all the relational tuples in the following sentence: {sentence}"
_END = "Please show the results in one line strictly in the form of the results above"


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A sentence and its tuples, each as predicate, subject and further arguments."""

    sentence: str
    tuples: tuple[tuple[str, ...], ...]


# The demonstration in the figure, including the typo "Wastson".
FIGURE_8 = Demonstration(
    "Watson, who was elected by his caucus in November 1998, has served as Minority Leader since then.",
    (
        ("was elected by", "Wastson", "his caucus in November 1998"),
        ("has served as", "Wastson", "Minority Leader", "since then"),
    ),
)


def build_prompt(sentence: str, demonstrations: Sequence[Demonstration]) -> str:
    """The question about one sentence."""
    sentence = " ".join(sentence.split())
    if not demonstrations:
        return "\n\n".join([_TASK, f"{_FORM_ALONE} {_FORM}", _ASK_ALONE.format(sentence=sentence), _END])
    examples = [_EXAMPLE.format(sentence=item.sentence, tuples=_written(item)) for item in demonstrations]
    first, *others = examples
    return "\n\n".join([f"{_TASK} {first}", *others, _FORM, _ASK.format(sentence=sentence), _END])


def _written(demonstration: Demonstration) -> str:
    return "; ".join(f"({', '.join(parts)})" for parts in demonstration.tuples)


# How often each kind of arc and each pair of neighbouring arcs occurs in a tree.
Outline = Counter[tuple[str, ...]]


def gather(records: Iterable[Record]) -> list[Demonstration]:
    """Sentences with their tuples, in order of first appearance; sentences without tuples are skipped."""
    tuples: dict[str, list[tuple[str, ...]]] = {}
    for record in records:
        if isinstance(record, Extraction) and record.arg1 is not None:
            parts = (record.rel, *record.arguments)
            tuples.setdefault(" ".join(record.sentence.text.split()), []).append(
                tuple(" ".join(part.text.split()) for part in parts)
            )
    return [Demonstration(sentence, tuple(items)) for sentence, items in tuples.items()]


@dataclass(frozen=True, slots=True)
class RandomChoice:
    """Random examples. The choice depends only on the seed and the sentence, not on the order of the sentences."""

    pool: Sequence[Demonstration]
    count: int
    seed: int = 0

    def choose(self, analysis: Analysis) -> list[Demonstration]:
        sentence = " ".join(analysis.text.split())
        others = [item for item in self.pool if item.sentence != sentence]
        return random.Random(f"{self.seed}|{sentence}").sample(others, min(self.count, len(others)))


@dataclass(frozen=True, slots=True)
class SimilarChoice:
    """The examples with the most similar dependency trees, the most similar one last.

    Similarity is the cosine of two count vectors: counts of arcs (tag of the word, label, tag of its head) and of
    label pairs (an arc and the one above it).
    """

    pool: Sequence[Demonstration]
    outlines: Sequence[Outline]
    count: int

    def choose(self, analysis: Analysis) -> list[Demonstration]:
        sentence = " ".join(analysis.text.split())
        outline = outline_of(analysis)
        ranked = sorted(
            (-likeness(outline, other), position)
            for position, other in enumerate(self.outlines)
            if self.pool[position].sentence != sentence
        )
        return [self.pool[position] for _, position in reversed(ranked[: self.count])]


@dataclass(frozen=True, slots=True)
class SyntaxChoice:
    """The examples with the most similar constituency trees, the most similar one last.

    `compare` returns the similarity of a sentence to each example in the pool.
    """

    pool: Sequence[Demonstration]
    compare: Callable[[Analysis], Sequence[float]]
    count: int

    def choose(self, analysis: Analysis) -> list[Demonstration]:
        sentence = " ".join(analysis.text.split())
        ranked = sorted(
            (-value, position)
            for position, value in enumerate(self.compare(analysis))
            if self.pool[position].sentence != sentence
        )
        return [self.pool[position] for _, position in reversed(ranked[: self.count])]


def outline_of(analysis: Analysis) -> Outline:
    """Counts of the arcs and label pairs of a tree."""
    found: Outline = Counter()
    for word in analysis.words:
        if word.deprel is None:
            continue
        head = None if word.head is None else analysis.words[word.head]
        found[word.upos or "", word.deprel, (head.upos or "") if head else ""] += 1
        found[word.deprel, (head.deprel or "") if head else ""] += 1
    return found


def likeness(first: Outline, second: Outline) -> float:
    """Cosine similarity, between 0 (nothing in common) and 1 (same proportions)."""
    if len(second) < len(first):
        first, second = second, first
    common = sum(count * second[item] for item, count in first.items() if item in second)
    size = math.sqrt(sum(n * n for n in first.values())) * math.sqrt(sum(n * n for n in second.values()))
    return common / size if size else 0.0
