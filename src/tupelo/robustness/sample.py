"""Draw target parses from a parallel corpus (ROBUST, section 2.1; AESOP, Sun et al. 2021).

Both sentences of each pair of the corpus are parsed and their trees truncated at a
height. For a new sentence, the source parses of the corpus that are most similar to
its own are looked up, by a weighted sum of ROUGE-1, ROUGE-2 and ROUGE-L
between parse strings; and for each of them target parses are drawn by how
often they are paired with it, without replacement.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tupelo.core import InputError
from tupelo.robustness.trees import DEFAULT_HEIGHT, ConstituencyTree
from tupelo.scorers.rouge import longest_common_subsequence, ngram_overlap

# ROUGE-1, ROUGE-2, ROUGE-L: order counts more than the bag of labels.
_WEIGHTS = (0.2, 0.3, 0.5)
DEFAULT_SOURCES = 2
DEFAULT_TARGETS = 5


def parse_string(tree: ConstituencyTree, height: int = DEFAULT_HEIGHT) -> str:
    """A tree truncated at a height, in brackets and without words.

    >>> parse_string(ConstituencyTree(("S", "NP", "PRP", "VP", "VBD"), ((1, 3), (2,), (), (4,), ())), 2)
    '(S (NP) (VP))'
    """
    top = tree.truncate(height)

    def written(node: int) -> str:
        inside = " ".join(written(child) for child in top.children[node])
        return f"({top.labels[node]} {inside})" if inside else f"({top.labels[node]})"

    return " ".join(written(node) for node in top.roots)


def _truncated(tree: ConstituencyTree | str) -> str:
    return tree if isinstance(tree, str) else parse_string(tree)


def weighted_rouge(first: str, second: str) -> float:
    """The weighted F1 of ROUGE-1, -2 and -L between two parse strings; brackets are words too."""
    own, other = _tokens(first), _tokens(second)
    common = longest_common_subsequence(own, other)
    scores = (
        ngram_overlap(own, other, 1).f1,
        ngram_overlap(own, other, 2).f1,
        2 * common / (len(own) + len(other)) if own or other else 0.0,
    )
    return sum(weight * score for weight, score in zip(_WEIGHTS, scores, strict=True))


def _tokens(parse: str) -> list[str]:
    return parse.replace("(", " ( ").replace(")", " ) ").split()


@dataclass(frozen=True, slots=True)
class TargetParse:
    """A target parse, the source parse it is paired with, and the relative frequency of the pair (0 to 1)."""

    parse: str
    source: str
    share: float


class SyntaxSampler:
    """Target parses by conditional frequency. The same sentence and seed give the same parses.

    `pairs` are trees, or strings of trees that were truncated before.
    """

    def __init__(
        self,
        pairs: Iterable[tuple[ConstituencyTree | str, ConstituencyTree | str]],
        *,
        sources: int = DEFAULT_SOURCES,
        targets: int = DEFAULT_TARGETS,
        seed: int = 0,
    ) -> None:
        self.sources, self.targets, self.seed = sources, targets, seed
        self.counts: dict[str, Counter[str]] = {}
        for source, target in pairs:
            row = self.counts.setdefault(_truncated(source), Counter())
            row[_truncated(target)] += 1
        if not self.counts:
            raise InputError("a parallel corpus without pairs, expected at least one")

    def nearest(self, tree: ConstituencyTree) -> list[str]:
        """The source parses of the corpus that are most similar to that of a sentence, best first."""
        own = parse_string(tree)
        ranked = sorted(self.counts, key=lambda parse: (-weighted_rouge(own, parse), parse))
        return ranked[: self.sources]

    def draw(self, tree: ConstituencyTree) -> list[TargetParse]:
        """Draw target parses for a sentence: `targets` for each of its `sources`, fewer if the corpus has fewer."""
        generator = random.Random(f"{self.seed}\n{parse_string(tree)}")
        drawn: dict[str, TargetParse] = {}
        for source in self.nearest(tree):
            row = dict(sorted(self.counts[source].items()))
            total = sum(row.values())
            for _ in range(min(self.targets, len(row))):
                parse = generator.choices(list(row), weights=list(row.values()))[0]
                drawn.setdefault(parse, TargetParse(parse, source, row.pop(parse) / total))
        return list(drawn.values())
