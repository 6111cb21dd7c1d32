"""The diversified expressive filter: of many paraphrases, keep a few that are worded differently.

BLEU is taken between all pairs of paraphrases. As long as there are too many,
one sentence of the most similar pair is removed. Two orders:

* `paper`: the text of the paper. Of the most similar pair, a sentence is removed
  that is shorter than two thirds of the original (the shorter one, if both
  are); if neither is, the one with the higher sum of BLEU with all other ones.
  Lengths count tokens as BLEU does, which reproduces the paper's own example.
  The BLEU of a pair is the mean of both directions.
* `released`: the published program. It sorts by the number of words and first
  drops short sentences, skipping the one after each that it drops; then
  the most similar *ordered* pair decides by the sum of both directions.

The original itself is in no pair: it always stays, and the sums that the paper
prints for its example leave it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from tupelo.core import Clique, Record
from tupelo.core.errors import needs_extra, require_name
from tupelo.core.progress import Advance
from tupelo.core.results import Tabular

PAPER, RELEASED = "paper", "released"
ORDERS: Final = (PAPER, RELEASED)
DEFAULT_KEEP: Final = 3
_SHORT: Final = 2 / 3

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Removal:
    """A paraphrase that was removed: its position, and why. `partner` and `bleu` are those of its pair."""

    position: int
    reason: str
    partner: int | None = None
    bleu: float | None = None


@dataclass(frozen=True, slots=True)
class Filtered:
    """Positions of the paraphrases that are kept, in the given order, and the removals, first to last."""

    kept: tuple[int, ...]
    removed: tuple[Removal, ...]


@dataclass(frozen=True, slots=True)
class FilteredCliques(Tabular):
    """Cliques, and which of their paraphrases are kept; a row per paraphrase."""

    unfiltered: tuple[Clique, ...]
    found: tuple[Filtered, ...]
    keep: int
    order: str

    def _pairs(self) -> Iterator[tuple[Clique, Filtered]]:
        return zip(self.unfiltered, self.found, strict=True)

    @property
    def cliques(self) -> list[Clique]:
        """The cliques with the original and the paraphrases that are kept."""
        kept = [(clique, (0, *(place + 1 for place in each.kept))) for clique, each in self._pairs()]
        return [
            Clique(
                clique.id,
                tuple(clique.sentences[place] for place in places),
                tuple(clique.extractions[place] for place in places),
            )
            for clique, places in kept
        ]

    def records(self) -> list[Record]:
        """The tuples that are kept, with their sentences, as ROBUST's JSON has them."""
        return [record for clique in self.cliques for record in clique.records()]

    def to_dict(self) -> dict[str, Any]:
        def text(clique: Clique, position: int | None) -> str | None:
            return None if position is None else clique.sentences[position + 1].text

        return {
            "keep": self.keep,
            "order": self.order,
            "cliques": [
                {
                    "clique": clique.id,
                    "kept": [text(clique, place) for place in each.kept],
                    "removed": [
                        {
                            "sentence": text(clique, removal.position),
                            "reason": removal.reason,
                            "partner": text(clique, removal.partner),
                            "bleu": removal.bleu,
                        }
                        for removal in each.removed
                    ],
                }
                for clique, each in self._pairs()
            ],
        }

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "clique": clique.id,
                "sentence": sentence.text,
                "kept": position in each.kept,
                "reason": next((removal.reason for removal in each.removed if removal.position == position), None),
            }
            for clique, each in self._pairs()
            for position, sentence in enumerate(clique.sentences[1:])
        ]

    def __str__(self) -> str:
        reasons = Counter(removal.reason for each in self.found for removal in each.removed)
        counts = ", ".join(f"{count:,} for {reason}" for reason, count in sorted(reasons.items())) or "none"
        left = sum(len(each.kept) for each in self.found)
        return f"{len(self.unfiltered):,} cliques, {left:,} paraphrases kept; removed: {counts}"


def diversify_cliques(
    cliques: Sequence[Clique],
    *,
    keep: int = DEFAULT_KEEP,
    order: str = PAPER,
    advance: Advance = lambda steps: None,
) -> FilteredCliques:
    """Keep a few paraphrases of each clique that differ; tuples stay with their sentence."""
    found = []
    for clique in cliques:
        original, *paraphrases = [sentence.text for sentence in clique.sentences]
        found.append(diversify(original, paraphrases, keep=keep, order=order))
        advance(1)
    return FilteredCliques(tuple(cliques), tuple(found), keep, order)


def diversify(original: str, paraphrases: Sequence[str], *, keep: int = DEFAULT_KEEP, order: str = PAPER) -> Filtered:
    """Choose `keep` paraphrases, or all of them if there are fewer."""
    require_name("order of the filter", order, ORDERS)
    if len(paraphrases) <= keep:
        return Filtered(tuple(range(len(paraphrases))), ())
    return (_as_in_the_paper if order == PAPER else _as_released)(original, paraphrases, keep)


def _as_in_the_paper(original: str, paraphrases: Sequence[str], keep: int) -> Filtered:
    tokens = _of_sacrebleu("tokenizers.tokenizer_13a", "Tokenizer13a")
    enough = _SHORT * len(tokens(original).split())
    lengths = [len(tokens(sentence).split()) for sentence in paraphrases]
    one_way = bleu_matrix(paraphrases)
    scores = [[(one_way[a][b] + one_way[b][a]) / 2 for b in range(len(paraphrases))] for a in range(len(paraphrases))]
    left = list(range(len(paraphrases)))
    removed = []
    while len(left) > keep:
        score, a, b = max(
            ((scores[a][b], a, b) for place, a in enumerate(left) for b in left[place + 1 :]),
            key=lambda pair: pair[0],
        )
        short = [node for node in (a, b) if lengths[node] < enough]
        if short:
            # On equal lengths the later one is removed.
            gone, reason = min(short, key=lambda node: (lengths[node], -node)), "length"
        else:
            gone, reason = max((b, a), key=lambda node: sum(scores[node][other] for other in left)), "bleu"
        removed.append(Removal(gone, reason, b if gone == a else a, score))
        left.remove(gone)
    return Filtered(tuple(left), tuple(removed))


def _as_released(original: str, paraphrases: Sequence[str], keep: int) -> Filtered:
    enough = _SHORT * len(original.split())
    left = sorted(range(len(paraphrases)), key=lambda node: len(paraphrases[node].split()))
    removed = []
    position = 0
    while position < len(left):
        if len(paraphrases[left[position]].split()) < enough and len(left) > keep:
            removed.append(Removal(left.pop(position), "length"))
        # The released program removes items from the list it iterates over, which skips the next one.
        position += 1
    scores = bleu_matrix(paraphrases) if len(left) > keep else []
    while len(left) > keep:
        # The first maximum in row-major order; with all scores 0 that is the first sentence with itself.
        best = max(scores[a][b] for a in left for b in left)
        a, b = next((a, b) for a in left for b in left if scores[a][b] == best)

        def total(node: int) -> float:
            return sum(scores[node][other] + scores[other][node] for other in left) / 2

        gone = a if total(a) > total(b) else b
        removed.append(Removal(gone, "bleu", b if gone == a else a, best))
        left.remove(gone)
    return Filtered(tuple(sorted(left)), tuple(removed))


def bleu_matrix(sentences: Sequence[str]) -> Matrix:
    """BLEU, 0 to 100, of each sentence against each other as the only reference; 0 on the diagonal.

    This is sacreBLEU's score of a corpus of one sentence, with its defaults.
    """
    metric = _of_sacrebleu("metrics.bleu", "BLEU")
    matrix = [[0.0] * len(sentences) for _ in sentences]
    for b, reference in enumerate(sentences):
        for a, sentence in enumerate(sentences):
            if a != b:
                matrix[a][b] = metric.corpus_score([sentence], [[reference]]).score
    return matrix


def _of_sacrebleu(module: str, name: str) -> Any:
    with needs_extra("the diversified filter", "cliques"):
        return getattr(import_module(f"sacrebleu.{module}"), name)()
