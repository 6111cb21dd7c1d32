"""Coreference against gold: MUC, B³, CEAF, LEA and BLANC, and the average of the CoNLL shared tasks.

The rules of the reference scorer, version 8.01 (Pradhan et al., ACL 2014). A mention is right when its first and last
characters are. A document is scored as two sets of clusters: K of gold, R of the response. A mention that only one
side has stays in its cluster and fits nothing on the other side. Numerators and denominators are summed over all
documents, then divided once. Below, n(K, R) is the number of mentions that a gold and a response cluster share.

* MUC (Vilain et al. 1995): recall is the sum over K of |K| - p(K) over the sum of |K| - 1; p(K) counts the parts into
  which the response splits K, each mention that it does not have being a part of its own. Precision exchanges the
  roles. Clusters of one mention count nothing.
* B³ (Bagga and Baldwin 1998): recall is the sum over K and R of n(K, R)² / |K| over the number of gold mentions.
  Precision divides by |R| and by the number of response mentions.
* CEAF (Luo 2005): the one-to-one assignment of gold to response clusters with the largest total similarity. For
  `ceafm` that is n(K, R), and recall is the total over the gold mentions; for `ceafe` it is
  2 n(K, R) / (|K| + |R|), and recall is the total over the number of gold clusters. Precision takes the response's.
* LEA (Moosavi and Strube 2016): of the links n (n - 1) / 2 inside a cluster, the share that the other side has too,
  weighted with the size of the cluster. A cluster of one mention has one link, with itself.
* BLANC (Recasens and Hovy 2011; Luo et al. 2014): figures for the links inside clusters and for the links between
  clusters, and their mean. Where neither side has links of one kind, the others count alone.
* `conll`: the mean of the F1 of MUC, B³ and `ceafe`.
* `mentions`: the mentions themselves, whatever their clusters.

Characters are counted from the start of the document, white space left out, so that both sides may have other words
and sentences; they must have the same characters. Documents belong together by their ids, or by their order where one
side has none, and both sides must have the same ones. Two mentions with the same characters are one: where they are
in different clusters the first counts, and a remark gives their number. With `singletons="drop"`, clusters of
one mention are left out on both sides before anything is counted.

A worked example (Pradhan et al. 2014). Gold {a b c} {d e f g}, response {a b} {c d} {f g h i}. MUC: {a b c} is split
into {a b} {c}, and {d e f g} into {d} {e} {f g}: recall (1 + 1) / (2 + 3); precision (1 + 0 + 1) / (1 + 1 + 3).
B³: recall (4/3 + 1/3 + 1/4 + 4/4) / 7, precision (4/2 + 1/2 + 1/2 + 4/4) / 8. CEAF: {a b c} goes with {a b} and
{d e f g} with {f g h i}; `ceafm` has 4/7 and 4/8, `ceafe` (4/5 + 4/8) / 2 and (4/5 + 4/8) / 3.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate, groupby
from typing import Any, ClassVar

from tupelo.core import Analysis, InputError
from tupelo.core.results import values_of
from tupelo.scorers.result import Figures, Result, ratio
from tupelo.scorers.scorer import SHOWN, MarkedScorer
from tupelo.scorers.signature import Mark
from tupelo.scorers.tables import Reported, ReportTable, percent

Span = tuple[int, int]
Cluster = frozenset[Span]

# Metrics with their titles.
TITLES: Mapping[str, str] = SHOWN["coref"]["metrics"]
_AVERAGED = ("muc", "b3", "ceafe")
# The two kinds of links of BLANC.
_TOGETHER, _APART = "together", "apart"
# Numerator and denominator of recall, then of precision.
_Sums = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorefScore(Reported, Result):
    """The figures of every metric by name. `gold` and `predicted` count mentions, their `_clusters` what they form.

    The figures of BLANC are means over two kinds of links, its F1 too.
    `repeated` counts mentions that were left out since their characters are in another cluster already.
    """

    figures: Mapping[str, Figures]
    documents: int
    gold: int
    predicted: int
    gold_clusters: int
    predicted_clusters: int
    repeated: int = 0

    @property
    def f1(self) -> float:
        """The CoNLL average: the mean of the F1 of MUC, B³ and CEAF over entities."""
        return sum(self.figures[name].f1 for name in _AVERAGED) / len(_AVERAGED)

    def to_dict(self) -> dict[str, Any]:
        """All figures, in full precision; `f1` is the CoNLL average."""
        counts = ("documents", "gold", "predicted", "gold_clusters", "predicted_clusters", "repeated")
        metrics = {name: figures._asdict() for name, figures in self.figures.items()}
        return values_of(self, "scorer", "f1") | metrics | values_of(self, *counts, "signature")

    def rows(self) -> list[dict[str, Any]]:
        """A row per metric."""
        return [{"metric": name, **figures._asdict()} for name, figures in self.figures.items()]

    def table(self) -> ReportTable:
        """Percentages, a row per metric, and the CoNLL average."""
        rows = [(TITLES[name], *map(percent, figures)) for name, figures in self.figures.items()]
        counts = (
            f"{self.documents:,} documents; {self.predicted:,} mentions of {self.predicted_clusters:,} entities "
            f"predicted, {self.gold:,} of {self.gold_clusters:,} gold"
        )
        return ReportTable(
            ("", "P", "R", "F1"), (*rows, ("CoNLL", "", "", percent(self.f1))), (counts, self.signature)
        )

    def remarks(self) -> list[str]:
        same = f"{self.repeated:,} mentions left out: a mention before them has the same characters"
        return [same] if self.repeated else []

    def failures(self, *, min_f1: float | None = None, **limits: float | None) -> list[str]:
        """A sentence where the CoNLL average is below the limit."""
        return [f"CoNLL F1 {self.f1:.4f} is below {min_f1}"] if min_f1 is not None and self.f1 < min_f1 else []


class CorefScorer(MarkedScorer):
    """The scorer of coreference. `singletons` says whether clusters of one mention are kept or dropped."""

    name: ClassVar[str] = "coref"
    reads: ClassVar[str] = "mentions"

    marks: ClassVar[tuple[Mark, ...]] = (Mark("singletons", "singletons"),)

    def __init__(self, *, singletons: str = "keep") -> None:
        self.singletons = self.choose("singletons", singletons, "choice for singletons")

    def evaluate(self, gold: Iterable[Analysis], predicted: Iterable[Analysis]) -> CorefScore:
        """Compare the mentions of analysed sentences; those of a document follow each other."""
        sums: dict[str, list[_Sums]] = defaultdict(list)
        counts: Counter[str] = Counter()
        for one, other in _pair_documents(_documents(gold, "gold"), _documents(predicted, "predicted")):
            counts.update(documents=1, repeated=one.repeated + other.repeated)
            pair = Partitions(self._kept(one.clusters), self._kept(other.clusters))
            for name, found in pair.sums().items():
                sums[name].append(found)
            counts.update(gold=sum(pair.gold_sizes), gold_clusters=len(pair.gold_sizes))
            counts.update(predicted=sum(pair.predicted_sizes), predicted_clusters=len(pair.predicted_sizes))
        return CorefScore(
            scorer=self.name,
            figures=_figures(sums),
            documents=counts["documents"],
            gold=counts["gold"],
            predicted=counts["predicted"],
            gold_clusters=counts["gold_clusters"],
            predicted_clusters=counts["predicted_clusters"],
            repeated=counts["repeated"],
        )

    def _kept(self, clusters: Sequence[Cluster]) -> list[Cluster]:
        fewest = 1 if self.singletons == "keep" else 2
        return [cluster for cluster in clusters if len(cluster) >= fewest]


class Partitions:
    """The gold and the predicted clusters of one document, each a set of mentions, and what they share."""

    def __init__(self, gold: Sequence[Collection[Hashable]], predicted: Sequence[Collection[Hashable]]) -> None:
        self.gold_sizes = [len(cluster) for cluster in gold]
        self.predicted_sizes = [len(cluster) for cluster in predicted]
        owner = {mention: number for number, cluster in enumerate(predicted) for mention in cluster}
        # The number of mentions that gold cluster i and predicted cluster j share, for all pairs that share any.
        self.shared = Counter(
            (number, owner[mention]) for number, cluster in enumerate(gold) for mention in cluster if mention in owner
        )

    def sums(self) -> dict[str, _Sums]:
        """Numerators and denominators of all metrics; BLANC has two of each, by kind of link."""
        gold, predicted = sum(self.gold_sizes), sum(self.predicted_sizes)
        common = self.shared.total()
        similarity = {
            (i, j): 2 * count / (self.gold_sizes[i] + self.predicted_sizes[j])
            for (i, j), count in self.shared.items()
        }
        most_mentions, most_similar = heaviest_matching(self.shared), heaviest_matching(similarity)
        return {
            "muc": (*self._links_kept(0, self.gold_sizes), *self._links_kept(1, self.predicted_sizes)),
            "b3": (self._cubed(0, self.gold_sizes), gold, self._cubed(1, self.predicted_sizes), predicted),
            "ceafe": (most_similar, len(self.gold_sizes), most_similar, len(self.predicted_sizes)),
            "ceafm": (most_mentions, gold, most_mentions, predicted),
            "lea": (self._resolved(0, self.gold_sizes), gold, self._resolved(1, self.predicted_sizes), predicted),
            **self._link_sums(),
            "mentions": (common, gold, common, predicted),
        }

    def _links_kept(self, side: int, sizes: Sequence[int]) -> tuple[int, int]:
        """MUC: of the links that hold the clusters together, how many the other side has, and how many there are."""
        parts, found = Counter(pair[side] for pair in self.shared), Counter[int]()
        for pair, count in self.shared.items():
            found[pair[side]] += count
        return sum(found[number] - parts[number] for number in found), sum(sizes) - len(sizes)

    def _cubed(self, side: int, sizes: Sequence[int]) -> float:
        return sum(count * count / sizes[pair[side]] for pair, count in self.shared.items())

    def _resolved(self, side: int, sizes: Sequence[int]) -> float:
        """LEA: sizes of clusters, each with the share of its links that the other side has."""
        total = 0.0
        for pair, count in self.shared.items():
            size, other = sizes[pair[side]], (self.predicted_sizes if side == 0 else self.gold_sizes)[pair[1 - side]]
            total += size * _pairs(count) / _pairs(size) if size > 1 else float(other == 1)
        return total

    def _link_sums(self) -> dict[str, _Sums]:
        """BLANC: links inside clusters, and links between them."""
        found: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        for pair, count in self.shared.items():
            for side in (0, 1):
                found[side][pair[side]] += count
        together = sum(map(_pairs, self.shared.values()))
        # Of all pairs of mentions that both sides have: neither in one gold cluster nor in one predicted one.
        apart = _pairs(self.shared.total()) + together
        apart -= sum(_pairs(count) for counts in found for count in counts.values())
        inside = [sum(map(_pairs, sizes)) for sizes in (self.gold_sizes, self.predicted_sizes)]
        every = [_pairs(sum(sizes)) for sizes in (self.gold_sizes, self.predicted_sizes)]
        return {
            _TOGETHER: (together, inside[0], together, inside[1]),
            _APART: (apart, every[0] - inside[0], apart, every[1] - inside[1]),
        }


def heaviest_matching(weights: Mapping[tuple[int, int], float]) -> float:
    """The largest total weight of edges (row, column) that share no end; no weight may be negative.

    The Hungarian method: rows are matched one after the other along shortest augmenting paths, where the length of an
    edge is what the prices of its ends exceed its weight by. A path ends at a free column, or at a row whose price it
    has used up, which is then free. Paths stay within few edges, so that the work grows about as the number of edges.

    >>> heaviest_matching({(0, 0): 3, (0, 1): 2, (1, 0): 2})
    4
    """
    edges: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for (row, column), weight in weights.items():
        edges[row].append((column, weight))
    row_price = {row: max(weight for _, weight in own) for row, own in edges.items()}
    column_price: dict[int, float] = defaultdict(float)
    row_of: dict[int, int] = {}
    column_of: dict[int, int] = {}
    for start in edges:
        row, length = start, 0.0
        rows = {start: 0.0}
        settled: dict[int, float] = {}
        nearest: dict[int, float] = {}
        came_from: dict[int, int] = {}
        waiting: list[tuple[float, int]] = []
        # The shortest path so far ends at a row; or at a free column, once one is reached.
        shortest, last_row, last_column = row_price[start], start, None
        while True:
            for column, weight in edges[row]:
                reached = length + row_price[row] + column_price[column] - weight
                if column not in settled and reached < min(shortest, nearest.get(column, math.inf)):
                    nearest[column], came_from[column] = reached, row
                    heappush(waiting, (reached, column))
            while waiting and waiting[0][1] in settled:
                heappop(waiting)
            if not waiting or waiting[0][0] >= shortest:
                break
            length, column = heappop(waiting)
            settled[column] = length
            if column not in row_of:
                shortest, last_column = length, column
                break
            row = row_of[column]
            rows[row] = length
            if length + row_price[row] < shortest:
                shortest, last_row = length + row_price[row], row
        for row, length in rows.items():
            row_price[row] -= shortest - length
        for column, length in settled.items():
            column_price[column] += shortest - length
        # Along the path, every row takes the column after it.
        free = last_column if last_column is not None else column_of.pop(last_row, None)
        while free is not None:
            row = came_from[free]
            row_of[free] = row
            column_of[row], free = free, column_of.get(row)
    return sum(weights[pair] for pair in column_of.items())


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _figures(sums: Mapping[str, Sequence[_Sums]]) -> dict[str, Figures]:
    """Divide the sums of all documents, once."""
    totals = {name: tuple(map(math.fsum, zip(*found, strict=True))) for name, found in sums.items()}
    figures = {name: _divide(totals.get(name, (0.0,) * 4)) for name in (*TITLES, _TOGETHER, _APART)}
    kinds = [figures.pop(name) for name in (_TOGETHER, _APART)]
    some = [kind for kind, name in zip(kinds, (_TOGETHER, _APART), strict=True) if any(totals.get(name, ()))]
    means = (sum(getattr(kind, key) for kind in some) / max(1, len(some)) for key in ("precision", "recall", "f1"))
    return figures | {"blanc": Figures(*means)}


def _divide(totals: Sequence[float]) -> Figures:
    found, wanted, right, given = totals
    return Figures.of(ratio(right, given), ratio(found, wanted))


@dataclass(frozen=True, slots=True)
class _Document:
    """The characters of a document, white space left out, and its mentions by their entities."""

    id: str | None
    characters: str
    clusters: list[Cluster]
    repeated: int


def _documents(analyses: Iterable[Analysis], side: str) -> list[_Document]:
    documents: list[_Document] = []
    knows_mentions = False
    for document_id, sentences in groupby(analyses, key=lambda analysis: analysis.document_id):
        parts_of_text: list[str] = []
        clusters: dict[int, list[Span]] = {}
        seen: set[Span] = set()
        position = repeated = 0
        for analysis in sentences:
            knows_mentions |= analysis.mentions is not None
            blanks = [0, *accumulate(map(str.isspace, analysis.text))]
            for mention in analysis.mentions or ():
                place = analysis.span(mention.start, mention.end)
                span = (position + place.start - blanks[place.start], position + place.end - blanks[place.end])
                if span in seen:
                    repeated += 1
                    continue
                seen.add(span)
                clusters.setdefault(mention.entity, []).append(span)
            parts_of_text.append("".join(analysis.text.split()))
            position += len(parts_of_text[-1])
        found = [frozenset(spans) for spans in clusters.values()]
        documents.append(_Document(document_id, "".join(parts_of_text), found, repeated))
    if documents and not knows_mentions:
        raise InputError(f"no mentions on the {side} side, expected those that `tupelo analyze --coref` writes")
    [(name, count)] = Counter(document.id for document in documents).most_common(1) or [(None, 1)]
    if count > 1:
        raise InputError(f"document {name!r} comes {count} times on the {side} side, expected its sentences in a row")
    return documents


def _pair_documents(
    gold: Sequence[_Document], predicted: Sequence[_Document]
) -> Iterator[tuple[_Document, _Document]]:
    """Documents with the same id, or in the same place where one side has no ids."""
    if all(document.id is None for document in gold) or all(document.id is None for document in predicted):
        if len(gold) != len(predicted):
            counts = f"{len(gold)} document(s) of gold and {len(predicted)} predicted, not all with ids"
            raise InputError(f"{counts}; expected the same documents in the same order, or an id for each")
        pairs = list(zip(gold, predicted, strict=True))
    else:
        by_id = {document.id: document for document in predicted}
        missing = [document.id for document in gold if document.id not in by_id]
        if missing:
            covered = f"predictions cover {len(gold) - len(missing)} of {len(gold)} gold documents"
            raise InputError(f"{covered}; first missing: {missing[0]!r}, expected all of them")
        unknown = by_id.keys() - {document.id for document in gold}
        if unknown:
            raise InputError(f"document {min(map(str, unknown))!r} is predicted, expected only those that gold has")
        pairs = [(document, by_id[document.id]) for document in gold]
    for one, other in pairs:
        if one.characters != other.characters:
            raise InputError(_first_difference(one, other))
        yield one, other


def _first_difference(gold: _Document, predicted: _Document) -> str:
    both = zip(gold.characters, predicted.characters, strict=False)
    shorter = min(len(gold.characters), len(predicted.characters))
    place = next((number for number, (one, other) in enumerate(both) if one != other), shorter)
    texts = (repr(document.characters[place : place + 20]) for document in (gold, predicted))
    name = "the texts" if gold.id is None else f"document {gold.id!r}: the texts"
    return (
        f"{name} differ at character {place:,} (white space not counted): {' and '.join(texts)}, "
        "expected the same text on both sides"
    )
