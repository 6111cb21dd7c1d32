"""CaRB (Bhardwaj et al., EMNLP 2019): Table 6, systems; Tables 4 and 5, quality of the gold standards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tupelo.core import Extraction, InputError, Record
from tupelo.papers import printed_by
from tupelo.score.carb import Carb, sentence_key
from tupelo.score.oie2016 import Oie2016
from tupelo.score.result import FIGURES
from tupelo.score.tables import ReportTable

_PRINTED = printed_by("carb")
# Table 6: systems on CaRB test.
PRINTED_SYSTEMS: Mapping[str, tuple[float, ...]] = {name: tuple(row) for name, row in _PRINTED["systems"].items()}
# Measured as well, where their output is there.
OTHER_SYSTEMS = ("reverb", "stanford")
# Tables 4 and 5: the two gold standards as if they were systems, against 50 expert sentences.
PRINTED_QUALITY: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    title: {name: tuple(row) for name, row in rows.items()} for title, rows in _PRINTED["quality"].items()
}


@dataclass(frozen=True, slots=True)
class PaperRow:
    """Printed and measured figures of one line of a table; what was not measured or not printed is `None`."""

    name: str
    printed: tuple[float, ...] | None
    measured: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class CarbTables:
    """The recomputed tables; `missing` names the files that were not found."""

    split: str
    systems: Sequence[PaperRow]
    quality: Mapping[str, Sequence[PaperRow]]
    missing: Sequence[str]

    def to_dict(self) -> dict[str, Any]:
        """Printed and measured figures of every row."""
        return {
            "split": self.split,
            "table_6": [asdict(row) for row in self.systems],
            "tables_4_and_5": {title: [asdict(row) for row in rows] for title, rows in self.quality.items()},
            "missing": list(self.missing),
        }

    def __str__(self) -> str:
        note = "" if self.split == "test" else " (the paper's figures are for test)"
        parts = [f"Table 6: systems on CaRB {self.split}{note}\n{rows_to_table(self.systems).text()}"]
        for title, rows in self.quality.items():
            parts.append(f"Gold standards against the experts, {title}")
            parts.append(rows_to_table(rows, FIGURES[:3]).text())
        return "\n".join(parts)


def reproduce(data: str | Path | None = None, split: str = "test") -> CarbTables:
    """All tables from the datasets `carb` and `oie2016` in `data`, by default the download cache."""
    from tupelo.io.fetch import cache_folder
    from tupelo.io.folders import find_file
    from tupelo.io.tuples import read_records

    root = Path(data) if data else cache_folder()
    missing: list[str] = []

    def read(patterns: list[str], format: str) -> list[Record] | None:
        path = find_file(root, patterns)
        if path is None:
            missing.append(patterns[0])
            return None
        return read_records(path, format)

    gold = read([f"carb/**/gold/{split}.tsv"], "carb")
    found = {name: read(system_patterns(name, split), "auto") for name in (*PRINTED_SYSTEMS, *OTHER_SYSTEMS)}
    systems = {name: records for name, records in found.items() if records is not None}
    expert = read(["carb/**/expert_gold.tsv"], "carb")
    # The expert sentences are dev sentences.
    crowd = read(["carb/**/gold/dev.tsv"], "carb")
    derived = read(["oie2016/**/dev.oie.orig", "oie2016/**/all.oie.orig"], "oie2016-orig")
    if gold is None and expert is None:
        raise InputError(f"{root}: no CaRB data, expected the files of 'tupelo data get carb' or --data DIR")
    standards = {name: records for name, records in (("OIE2016", derived), ("CaRB", crowd)) if records is not None}
    return CarbTables(
        split,
        rate_systems(gold, systems) if gold is not None else [],
        rate_gold_standards(expert, standards) if expert is not None else {},
        missing,
    )


def system_patterns(name: str, split: str) -> list[str]:
    """Where the output of a system may lie: by split first, the system's own format before the tabbed one."""
    folders = [f"carb/**/{split}", f"oie2016/**/{split}", "oie2016/**/systems_output", "carb/**/system_outputs"]
    endings = ("output.txt", "output.txt.gz", "tabbed.txt", "tabbed.txt.gz")
    return [f"{folder}/{name}_{ending}" for folder in folders for ending in endings]


def rate_systems(gold: Iterable[Record], systems: Mapping[str, Iterable[Record]]) -> list[PaperRow]:
    """Table 6. Systems that the paper does not have are added, missing ones are shown without a measure."""
    gold = list(gold)
    rows = []
    for name in [*PRINTED_SYSTEMS, *(name for name in systems if name not in PRINTED_SYSTEMS)]:
        measured = None
        if name in systems:
            score = Carb().evaluate(gold, systems[name]).score()
            measured = tuple(float(getattr(score, figure)) for figure in FIGURES)
        rows.append(PaperRow(name, PRINTED_SYSTEMS.get(name), measured))
    return rows


def rate_gold_standards(
    expert: Iterable[Record], standards: Mapping[str, Iterable[Record]]
) -> dict[str, list[PaperRow]]:
    """Tables 4 and 5. The gold standards are restricted to the expert sentences and count as certain."""
    annotated = [record for record in expert if isinstance(record, Extraction)]
    sentences = {sentence_key(record.sentence.text) for record in annotated}
    tables: dict[str, list[PaperRow]] = {title: [] for title in PRINTED_QUALITY}
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
            measured = (score.precision, score.recall, score.f1)
            tables[title].append(PaperRow(name, PRINTED_QUALITY[title].get(name), measured))
    return tables


def rows_to_table(rows: Iterable[PaperRow], figures: Sequence[str] = FIGURES) -> ReportTable:
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
    return ReportTable(header, tuple(lines))


def _digits(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
