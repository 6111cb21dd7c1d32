"""The experiments of the CaRB paper (EMNLP 2019), recomputed and set beside the printed figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tupelo.core import Extraction, Record
from tupelo.score.carb import Carb, sentence_key
from tupelo.score.oie2016 import Oie2016
from tupelo.score.result import Score
from tupelo.score.tables import Table

FIGURES = ("precision", "recall", "f1", "auc")

# Table 6: systems on CaRB test.
PRINTED_SYSTEMS: Mapping[str, tuple[float, float, float, float]] = {
    "ollie": (0.505, 0.346, 0.411, 0.224),
    "props": (0.340, 0.300, 0.319, 0.126),
    "openie4": (0.553, 0.437, 0.488, 0.272),
    "openie5": (0.521, 0.424, 0.467, 0.245),
    "clausie": (0.411, 0.496, 0.450, 0.224),
}
# Tables 4 and 5: the two gold standards as if they were systems, against 50 expert sentences.
PRINTED_QUALITY: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "token-level match": {"OIE2016": (0.65, 0.55, 0.60), "CaRB": (0.87, 0.71, 0.78)},
    "lexical match": {"OIE2016": (0.67, 0.51, 0.57), "CaRB": (0.74, 0.73, 0.73)},
}


@dataclass(frozen=True, slots=True)
class Row:
    """Printed and measured figures of one line of a table; what was not measured or not printed is `None`."""

    name: str
    printed: tuple[float, ...] | None
    measured: tuple[float, ...] | None


def rate_systems(gold: Iterable[Record], systems: Mapping[str, Iterable[Record]]) -> list[Row]:
    """Table 6. Systems that the paper does not have are added, missing ones are shown without a measure."""
    gold = list(gold)
    rows = []
    for name in [*PRINTED_SYSTEMS, *(name for name in systems if name not in PRINTED_SYSTEMS)]:
        measured = None
        if name in systems:
            score = Carb().evaluate(gold, systems[name]).score()
            measured = tuple(float(getattr(score, figure)) for figure in FIGURES)
        rows.append(Row(name, PRINTED_SYSTEMS.get(name), measured))
    return rows


def rate_gold_standards(expert: Iterable[Record], standards: Mapping[str, Iterable[Record]]) -> dict[str, list[Row]]:
    """Tables 4 and 5. The gold standards are cut down to the expert sentences and count as certain."""
    annotated = [record for record in expert if isinstance(record, Extraction)]
    sentences = {sentence_key(record.sentence.text) for record in annotated}
    tables: dict[str, list[Row]] = {title: [] for title in PRINTED_QUALITY}
    for name, records in standards.items():
        chosen = [
            record
            for record in records
            if isinstance(record, Extraction) and sentence_key(record.sentence.text) in sentences
        ]
        scores = {
            "token-level match": Carb().evaluate(annotated, chosen).score(),
            "lexical match": Oie2016().evaluate(annotated, chosen).score(),
        }
        for title, score in scores.items():
            tables[title].append(Row(name, PRINTED_QUALITY[title].get(name), _three_figures(score)))
    return tables


def rows_to_table(rows: Iterable[Row], figures: tuple[str, ...] = FIGURES) -> Table:
    """Printed, measured and their difference, figure by figure."""
    header = ("", *(f"{name} {kind}" for name in figures for kind in ("paper", "here", "Δ")))
    lines = []
    for row in rows:
        cells = [row.name]
        for column in range(len(figures)):
            printed = row.printed[column] if row.printed else None
            measured = row.measured[column] if row.measured else None
            gap = None if printed is None or measured is None else measured - printed
            cells += [_digits(printed), _digits(measured), "–" if gap is None else f"{gap:+.3f}"]
        lines.append(tuple(cells))
    return Table(header, tuple(lines))


def _three_figures(score: Score) -> tuple[float, ...]:
    return (score.precision, score.recall, score.f1)


def _digits(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
