"""The prompt of the ROBUST paper (`prompt.toml`), and the choice of the demonstrations in it."""

from __future__ import annotations

import math
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from tupelo.core import Analysis, Extraction, Record
from tupelo.core.clique import gather_cliques

_PROMPT = tomllib.loads(files("tupelo.extract.llm").joinpath("prompt.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A sentence and its tuples, each as predicate, subject and further arguments."""

    sentence: str
    tuples: tuple[tuple[str, ...], ...]


FIGURE_8 = Demonstration(_PROMPT["figure_8"]["sentence"], tuple(map(tuple, _PROMPT["figure_8"]["tuples"])))


def build_prompt(sentence: str, demonstrations: Sequence[Demonstration]) -> str:
    """The question about one sentence."""
    sentence = " ".join(sentence.split())
    if not demonstrations:
        return str(_PROMPT["alone"]).format(sentence=sentence)
    examples = (
        _PROMPT["example"].format(
            sentence=item.sentence, tuples="; ".join(f"({', '.join(parts)})" for parts in item.tuples)
        )
        for item in demonstrations
    )
    return str(_PROMPT["shown"]).format(examples="\n\n".join(examples), sentence=sentence)


# Counts of the kinds of arcs and of pairs of neighbouring arcs in a tree.
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


# Words of at least this many letters are content words.
_TELLING = 4
# Sentences that share this much of their telling words say the same. Of paraphrases that were built by rewriting,
# nearly all share more with their original.
_SHARED = 0.6
# Short sentences share most of their words by chance: "Ann was born in Oslo", "Bo was born in Oslo".
_FEWEST_TELLING = 4


@dataclass(frozen=True, slots=True)
class Siblings:
    """The demonstrations that paraphrase a sentence, so that showing them would give its tuples away.

    They are the sentence itself; sentences of its clique, where `cliques` knows it; and, because a file may know no
    cliques, sentences with mostly the same words. With `alone`, only the sentence itself.
    """

    cliques: Mapping[str, str] = field(default_factory=dict)
    alone: bool = False

    @classmethod
    def of(cls, records: Iterable[Record]) -> Siblings:
        """The cliques of a file, by sentence; a group of one sentence is none."""
        found = [clique for clique in gather_cliques(records) if len(clique.sentences) > 1]
        return cls({" ".join(each.text.split()): clique.id for clique in found for each in clique.sentences})

    def others(self, sentence: str, pool: Sequence[Demonstration]) -> list[int]:
        """The positions of the demonstrations that may be shown for a sentence."""
        words, clique = telling_words(sentence), self.cliques.get(sentence)

        def same(other: str) -> bool:
            if other == sentence or self.alone:
                return other == sentence
            if clique is not None and self.cliques.get(other) == clique:
                return True
            theirs = telling_words(other)
            return len(words & theirs) >= max(_SHARED * min(len(words), len(theirs)), _FEWEST_TELLING)

        return [position for position, item in enumerate(pool) if not same(item.sentence)]


# Every sentence is compared with the whole pool.
@lru_cache(maxsize=1 << 14)
def telling_words(sentence: str) -> frozenset[str]:
    """The longer words of a sentence, without case and punctuation."""
    words = ("".join(filter(str.isalnum, word)) for word in sentence.casefold().split())
    return frozenset(word for word in words if len(word) >= _TELLING)


@dataclass(frozen=True, slots=True)
class DemonstrationChoice:
    """Chooses demonstrations for a sentence: random ones, or those with the most similar trees, the best last.

    A random choice depends only on the seed and the sentence, not on the order of the sentences. `compare` returns
    the similarity of a sentence to each example in the pool.
    """

    pool: Sequence[Demonstration]
    count: int
    seed: int = 0
    siblings: Siblings = field(default_factory=Siblings)
    compare: Callable[[Analysis], Sequence[float]] | None = None

    def choose(self, analysis: Analysis) -> list[Demonstration]:
        sentence = " ".join(analysis.text.split())
        others = self.siblings.others(sentence, self.pool)
        if self.compare is None:
            chosen = random.Random(f"{self.seed}|{sentence}").sample(others, min(self.count, len(others)))
        else:
            values = self.compare(analysis)
            chosen = sorted(others, key=lambda position: (-values[position], position))[: self.count][::-1]
        return [self.pool[position] for position in chosen]


def outline_likeness(analyses: Sequence[Analysis]) -> Callable[[Analysis], list[float]]:
    """Compares the dependency tree of a sentence with each of these.

    Similarity is the cosine of two count vectors: counts of arcs (tag of the word, label, tag of its head) and of
    label pairs (an arc and the one above it).
    """
    known = [outline_of(analysis) for analysis in analyses]

    def compare(analysis: Analysis) -> list[float]:
        outline = outline_of(analysis)
        return [likeness(outline, other) for other in known]

    return compare


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
