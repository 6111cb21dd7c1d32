"""CaRB (Bhardwaj et al., EMNLP 2019): Tables 2 to 6 and both figures.

Tables 2 and 3 are worked examples of the two ways to match, Tables 4 and 5 the quality of the gold standards, Table 6
and the figures the systems. The comparison of two systems by people (section 5.3) needs people: `tupelo annotate init
--task preference` asks them, and its tally is what the paper prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from papers import printed_by
from tupelo.core import Extraction, InputError, Record
from tupelo.core.parameters import Among, Input
from tupelo.scorers.carb import Carb, sentence_key
from tupelo.scorers.oie2016 import Oie2016
from tupelo.scorers.result import FIGURES, Score
from tupelo.scorers.tables import ReportTable

_PRINTED = printed_by("carb")
# Table 6: systems on CaRB test.
PRINTED_SYSTEMS: Mapping[str, tuple[float, ...]] = {name: tuple(row) for name, row in _PRINTED["systems"].items()}
# The figures that Tables 2 and 3 print for each system.
EXAMPLE_FIGURES = FIGURES[:2]
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


# Figures are printed with two or three digits; a larger difference is no rounding.
_ROUNDING = 0.0051


@dataclass(frozen=True, slots=True)
class CarbTables:
    """The recomputed tables; `missing` names the files that were not found.

    `curves` are the scores of the systems by scorer, for the figures.
    """

    split: str
    examples: Mapping[str, Sequence[PaperRow]]
    systems: Sequence[PaperRow]
    quality: Mapping[str, Sequence[PaperRow]]
    missing: Sequence[str]
    curves: Mapping[str, Mapping[str, Score]] = field(default_factory=dict, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Printed and measured figures of every row."""
        return {
            "split": self.split,
            "tables_2_and_3": {title: [asdict(row) for row in rows] for title, rows in self.examples.items()},
            "table_6": [asdict(row) for row in self.systems],
            "tables_4_and_5": {title: [asdict(row) for row in rows] for title, rows in self.quality.items()},
            "missing": list(self.missing),
            "differences": self.differences(),
        }

    def differences(self) -> list[str]:
        """The figures that differ from the printed ones. Table 6 is compared on test only, where it was measured."""
        tables: list[tuple[str, Sequence[PaperRow], Sequence[str]]] = [
            (title, rows, EXAMPLE_FIGURES) for title, rows in self.examples.items()
        ]
        tables += [(f"{title} with the experts", rows, FIGURES[:3]) for title, rows in self.quality.items()]
        tables += [("Table 6", self.systems, FIGURES)] if self.split == "test" else []
        return [
            f"{title}, {row.name}: {name} {measured:.3f}, printed {printed:.3f}"
            for title, rows, names in tables
            for row in rows
            if row.printed is not None and row.measured is not None
            for name, printed, measured in zip(names, row.printed, row.measured, strict=True)
            if abs(printed - measured) > _ROUNDING
        ]

    def figures(self) -> dict[str, bytes]:
        """Figures 1 and 2 as SVG: precision and recall of the systems, by OIE2016 and by CaRB."""
        from tupelo.show.plots import draw_curves

        return {
            f"figure-{number}-{name}.svg": draw_curves(self.curves[name], "svg", f"{name}, {self.split}")
            for number, name in enumerate(("oie2016", "carb"), start=1)
            if self.curves.get(name)
        }

    def __str__(self) -> str:
        note = "" if self.split == "test" else " (the paper's figures are for test)"
        parts = []
        for title, rows in self.examples.items():
            parts += [title, rows_to_table(rows, EXAMPLE_FIGURES).text()]
        parts.append(f"Table 6: systems on CaRB {self.split}{note}\n{rows_to_table(self.systems).text()}")
        for title, rows in self.quality.items():
            parts.append(f"Gold standards against the experts, {title}")
            parts.append(rows_to_table(rows, FIGURES[:3]).text())
        parts += [f"does not come out: {line}" for line in self.differences()]
        return "\n".join(parts)


def reproduce(
    data: Annotated[Input | None, "Folder that holds 'carb' and 'oie2016'. [default: the download cache]"] = None,
    split: Annotated[str, Among(("test", "dev")), "Which part of the datasets."] = "test",
) -> CarbTables:
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
    older = read([f"oie2016/**/{split}.oie.orig"], "oie2016-orig")
    curves = {"oie2016": _scores(Oie2016(), older, systems), "carb": _scores(Carb(), gold, systems)}
    standards = {name: records for name, records in (("OIE2016", derived), ("CaRB", crowd)) if records is not None}
    return CarbTables(
        split,
        worked_examples(),
        system_rows(curves["carb"]) if gold is not None else [],
        rate_gold_standards(expert, standards) if expert is not None else {},
        missing,
        curves,
    )


def write_figures(tables: CarbTables, folder: str | Path) -> None:
    """Write the figures into a folder, all or none."""
    from tupelo.io.files import open_output
    from tupelo.io.folders import filling_folder

    drawn = tables.figures()
    with filling_folder(folder) as started:
        for name, picture in drawn.items():
            with open_output(started / name) as stream:
                stream.write(picture)


def worked_examples() -> dict[str, list[PaperRow]]:
    """Tables 2 and 3: one sentence, two systems, two scorers; no data is needed."""
    tables: dict[str, list[PaperRow]] = {}
    for title, example in _PRINTED["examples"].items():
        gold = [_tuple(example["sentence"], parts) for parts in example["gold"]]
        for system, row in example["systems"].items():
            predicted = [_tuple(example["sentence"], row["tuple"])]
            for name, scorer in (("OIE2016", Oie2016()), ("CaRB", Carb())):
                score = scorer.evaluate(gold, predicted).score()
                measured = (score.precision, score.recall)
                tables.setdefault(title, []).append(PaperRow(f"{system}, {name}", tuple(row[name]), measured))
    return tables


def _tuple(sentence: str, parts: Sequence[str]) -> Extraction:
    subject, relation, *others = parts
    return Extraction.of(sentence, relation, [subject, *others], confidence=1.0)


def _scores(
    scorer: Carb | Oie2016, gold: Sequence[Record] | None, systems: Mapping[str, Iterable[Record]]
) -> dict[str, Score]:
    if gold is None:
        return {}
    return {name: scorer.evaluate(gold, records).score() for name, records in systems.items()}


def system_patterns(name: str, split: str) -> list[str]:
    """Patterns for the output of a system: by split first, the system's own format before the tabbed one."""
    folders = [f"carb/**/{split}", f"oie2016/**/{split}", "oie2016/**/systems_output", "carb/**/system_outputs"]
    endings = ("output.txt", "output.txt.gz", "tabbed.txt", "tabbed.txt.gz")
    return [f"{folder}/{name}_{ending}" for folder in folders for ending in endings]


def system_rows(scores: Mapping[str, Score]) -> list[PaperRow]:
    """Table 6. Systems that the paper does not have are added, missing ones are shown without a measure."""
    rows = []
    for name in [*PRINTED_SYSTEMS, *(name for name in scores if name not in PRINTED_SYSTEMS)]:
        score = scores.get(name)
        measured = None if score is None else tuple(float(getattr(score, figure)) for figure in FIGURES)
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
