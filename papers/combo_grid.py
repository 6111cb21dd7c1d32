"""COMBO (EACL 2023), Figures 9 to 12: what an encoder's states are worth by input form, pooling and layer.

A cell of the grid is complete linkage over the standardized states of one encoder, form, pooling and layer. Its
threshold is searched on one part and measured on another: `tune_on` and the file, or the two halves of the file both
ways, whose mean is shown. Where a figure has no axis for a choice, the cell is the one with the best search, so
nothing is chosen on what is measured. The paper does not say how its figures choose.

The paper's figures show no numbers: only the sentences about them (`SAID`) and, for Figure 12, the differences
between rows of its Tables 8 and 9 can be compared. Tables 1 and 4 describe the data; Table 3 counts corrections by
annotators and cannot be computed.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from os import PathLike
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from papers import printed_by
from papers.combo import (
    COLUMNS,
    TITLES,
    ComboTables,
    judged_subtasks,
    mean_figures,
    printed,
    rate_subtask,
    tune_threshold,
)
from papers.folds import two_folds
from tupelo.core import InputError
from tupelo.core.canonical import SLOTS, TripleMention
from tupelo.core.progress import Progress, track
from tupelo.core.version import __version__
from tupelo.scorers.result import file_mark, signature
from tupelo.scorers.tables import ReportTable, percent

if TYPE_CHECKING:
    from tupelo.canon.methods import CanonMethod, PreparedMethod, StateEncoder
    from tupelo.io.triples import TripleFile
    from tupelo_training.canon.untrained import EncoderVectors

# Rows beside the encoders, and with how many seeds the paper runs what is random.
BASELINES = ("random", "words")
SEEDS = 4
# Endings of the names of encoders that were trained further; without the ending it names the one from before.
OBJECTIVES = ("triple", "subword")
# Statements of appendices G and H on Figures 9 to 11: the best choices, and the best of twelve layers by subtask.
SAID: Mapping[str, Mapping[str, str]] = {
    "choices": {"best form": "sentence", "best pooling": "mean", "worst pooling": "diffsum"},
    "layers": {
        "subject": "1-3",
        "object": "1-3",
        "relation": "10-12",
        "subject-type": "10-12",
        "object-type": "3-7",
    },
}
_WORD = re.compile(r"\w+")
_EPOCH = re.compile(r"epoch-\d+")
# The number of relations of Table 4, and about the number of phrases of each.
_EXAMPLES = 3
_PHRASES = 9

# A subtask and one of its columns in Table 5.
Measure = tuple[str, str]
# Columns by run: a run has its own parts to tune on and to measure.
Runs = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class GridCell:
    """One way to turn phrases into vectors; `runs` by subtask, each with `searched`, the score where it was tuned."""

    encoder: str
    form: str
    pooling: str
    layer: int
    runs: Mapping[str, Runs]


def chosen(cells: Sequence[GridCell], subtask: str) -> list[GridCell]:
    """For every run the cell whose search went best; the first among equals."""
    count = len(cells[0].runs[subtask])
    return [max(cells, key=lambda cell: cell.runs[subtask][run]["searched"]) for run in range(count)]


def figures_of(cells: Sequence[GridCell], subtask: str) -> dict[str, float]:
    """All columns of a subtask for the cells that the search prefers: means over runs."""
    runs = [cell.runs[subtask][run] for run, cell in enumerate(chosen(cells, subtask))]
    return {name: fmean(run[name] for run in runs) for name in runs[0]}


def value_of(cells: Sequence[GridCell], measure: Measure) -> float:
    subtask, column = measure
    return figures_of(cells, subtask)[column]


@dataclass(frozen=True, slots=True)
class ComboGrid:
    """All cells, the baselines with their spread over seeds, and what the data is like."""

    file: str
    triples: int
    subtasks: Sequence[str]
    cells: Sequence[GridCell]
    baselines: Mapping[str, Mapping[str, Mapping[str, Any]]]
    statistics: Mapping[str, float]
    examples: Mapping[str, Sequence[str]]
    signature: str

    @property
    def encoders(self) -> list[str]:
        return list(dict.fromkeys(cell.encoder for cell in self.cells))

    @property
    def forms(self) -> list[str]:
        return list(dict.fromkeys(cell.form for cell in self.cells))

    @property
    def poolings(self) -> list[str]:
        return list(dict.fromkeys(cell.pooling for cell in self.cells))

    @property
    def measures(self) -> list[Measure]:
        """The columns of Table 5: averages, and for types also the Jaccard index."""
        wanted = ("average", "jaccard")
        return [(subtask, column) for subtask in self.subtasks for column in wanted if column in COLUMNS[subtask]]

    def some(self, **wanted: str) -> list[GridCell]:
        """The cells with these attributes."""
        return [cell for cell in self.cells if all(getattr(cell, name) == value for name, value in wanted.items())]

    def strategies(self, encoder: str, measure: Measure) -> dict[str, dict[str, float]]:
        """Figure 10 for one encoder and measure: by form and pooling, at the layer that the search prefers."""
        return {
            form: {
                pooling: value_of(self.some(encoder=encoder, form=form, pooling=pooling), measure)
                for pooling in self.poolings
            }
            for form in self.forms
        }

    def overall(self) -> dict[str, dict[str, float]]:
        """Figure 9: the mean of Figure 10 over encoders and measures."""
        found = [self.strategies(encoder, measure) for encoder in self.encoders for measure in self.measures]
        return {
            form: {pooling: fmean(each[form][pooling] for each in found) for pooling in self.poolings}
            for form in self.forms
        }

    def layerwise(self, encoder: str, measure: Measure) -> dict[int, float]:
        """Figure 11 for one encoder and measure: by layer, in the form and pooling that the search prefers."""
        subtask, column = measure
        cells = self.some(encoder=encoder)
        found: dict[int, list[float]] = defaultdict(list)
        for run, best in enumerate(chosen(cells, subtask)):
            for cell in cells:
                if (cell.form, cell.pooling) == (best.form, best.pooling):
                    found[cell.layer].append(cell.runs[subtask][run][column])
        return {layer: fmean(values) for layer, values in sorted(found.items())}

    def pretraining(self) -> dict[str, dict[Measure, float]]:
        """Figure 12: what encoders gained by training on the triples, where one was given before and after."""
        known = set(self.encoders)
        return {
            after: {
                measure: value_of(self.some(encoder=after), measure) - value_of(self.some(encoder=before), measure)
                for measure in self.measures
            }
            for after in self.encoders
            if (before := name_before(after)) in known
        }

    def said(self) -> list[tuple[str, str, str]]:
        """Statements of the paper's text on Figures 9 to 11: the question, its answer, ours."""
        overall = self.overall()
        forms = {form: fmean(row.values()) for form, row in overall.items()}
        poolings = {pooling: fmean(row[pooling] for row in overall.values()) for pooling in self.poolings}
        ours = {
            "best form": max(forms, key=lambda form: forms[form]),
            "best pooling": max(poolings, key=lambda pooling: poolings[pooling]),
            "worst pooling": min(poolings, key=lambda pooling: poolings[pooling]),
        }
        rows = [
            (question, answer, ours[question])
            for question, answer in SAID["choices"].items()
            if len(forms if question == "best form" else poolings) > 1
        ]
        for encoder in self.encoders:
            for subtask in self.subtasks:
                layers = self.layerwise(encoder, (subtask, "average"))
                if len(layers) == 1:
                    continue
                best = max(layers, key=lambda layer: layers[layer])
                question = f"best layer, {TITLES[subtask]}, {encoder}"
                rows.append((question, f"{SAID['layers'][subtask]} of 12", f"{best} of {max(layers)}"))
        return rows

    def tables(self) -> ComboTables:
        """The rows of Tables 8 and 9: baselines, and every encoder as the search prefers it."""
        rows: dict[str, Mapping[str, Mapping[str, Any]]] = dict(self.baselines)
        for encoder in self.encoders:
            cells = self.some(encoder=encoder)
            rows[encoder] = {subtask: figures_of(cells, subtask) for subtask in self.subtasks}
        return ComboTables(self.file, self.triples, rows, self.subtasks, self.signature)

    def to_dict(self) -> dict[str, Any]:
        """Every figure and table, and all cells with the figures of each run."""
        pairs = [(encoder, measure) for encoder in self.encoders for measure in self.measures]

        def named(encoder: str, measure: Measure) -> dict[str, Any]:
            return {"encoder": encoder, "subtask": measure[0], "column": measure[1]}

        return {
            "file": self.file,
            "triples": self.triples,
            "table_1": dict(self.statistics),
            "table_4": {relation: list(phrases) for relation, phrases in self.examples.items()},
            "tables_5_8_9": self.tables().methods,
            "paper": {row: printed(row) for row in printed_by("combo")},
            "figure_9": self.overall(),
            "figure_10": [named(*pair) | {"values": self.strategies(*pair)} for pair in pairs],
            "figure_11": [
                named(*pair) | {"values": {str(layer): value for layer, value in self.layerwise(*pair).items()}}
                for pair in pairs
            ],
            "figure_12": [
                named(encoder, measure) | {"gain": gain}
                for encoder, gains in self.pretraining().items()
                for measure, gain in gains.items()
            ],
            "said": [{"what": what, "paper": paper, "here": here} for what, paper, here in self.said()],
            "cells": [asdict(cell) for cell in self.cells],
            "signature": self.signature,
        }

    def _report(self) -> Iterator[tuple[str, ReportTable]]:
        titles = [title_of(measure) for measure in self.measures]
        yield (
            "Table 1: the data",
            ReportTable(("", *self.statistics), (("", *map(_short, self.statistics.values())),)),
        )
        if self.examples:
            rows = tuple((relation, ", ".join(phrases)) for relation, phrases in self.examples.items())
            yield "Table 4: phrases of relations", ReportTable(("", "phrases"), rows)
        yield "Table 5", ReportTable(("", *titles), tuple(self._averages()))
        yield "Tables 8 and 9", self.tables().table()
        overall = tuple((form, *map(percent, row.values())) for form, row in self.overall().items())
        yield (
            "Figure 9: form and pooling, all encoders and columns of Table 5",
            ReportTable(("", *self.poolings), overall),
        )
        pairs = [(encoder, measure) for encoder in self.encoders for measure in self.measures]
        strategies = [(form, pooling) for form in self.forms for pooling in self.poolings]
        yield (
            "Figure 10: form and pooling",
            ReportTable(
                ("", *(f"{form} {pooling}" for form, pooling in strategies)),
                tuple(
                    (_row(*pair), *(percent(found[form][pooling]) for form, pooling in strategies))
                    for pair in pairs
                    for found in [self.strategies(*pair)]
                ),
            ),
        )
        layers = range(max(cell.layer for cell in self.cells) + 1)
        yield (
            "Figure 11: layers",
            ReportTable(
                ("", *map(str, layers)),
                tuple(
                    (_row(*pair), *(percent(found.get(layer)) for layer in layers))
                    for pair in pairs
                    for found in [self.layerwise(*pair)]
                ),
            ),
        )
        gained = self.pretraining()
        gains = [(encoder, *map(_signed, row.values())) for encoder, row in gained.items()]
        gains += [(f"  paper: {row}", *map(_signed, found)) for row, found in printed_gains(self.measures).items()]
        missing = "" if gained else f" ({NEEDED_FOR_GAINS})"
        yield f"Figure 12: gain by training on the triples{missing}", ReportTable(("", *titles), tuple(gains))
        yield "What the paper's text says of Figures 9 to 11", ReportTable(("", "paper", "here"), tuple(self.said()))

    def _averages(self) -> Iterator[tuple[str, ...]]:
        for name, figures in self.tables().methods.items():
            yield name, *(percent(figures[subtask].get(column)) for subtask, column in self.measures)
            if name in self.baselines and "deviations" in figures[self.subtasks[0]]:
                spread = ((figures[subtask]["deviations"], column) for subtask, column in self.measures)
                yield "  ±", *(percent(deviations.get(column)) for deviations, column in spread)
        for row in printed_by("combo"):
            found = printed(row)
            yield f"  paper: {row}", *(percent(found[subtask][column]) for subtask, column in self.measures)

    def __str__(self) -> str:
        return "\n".join([*(f"{title}\n{table.text()}" for title, table in self._report()), self.signature])

    def figures(self) -> dict[str, bytes]:
        """Figures 9 to 11 as SVG, and 12 where an encoder was given before and after training."""
        from papers import combo_plots as plots

        pairs = [(encoder, measure) for encoder in self.encoders for measure in self.measures]
        drawn = {
            "figure-9-strategies.svg": plots.draw_heat({"all": self.overall()}, 1),
            "figure-10-strategies.svg": plots.draw_heat(
                {_row(*pair): self.strategies(*pair) for pair in pairs}, len(self.measures)
            ),
            "figure-11-layers.svg": plots.draw_layers(
                {
                    title_of(measure): {encoder: self.layerwise(encoder, measure) for encoder in self.encoders}
                    for measure in self.measures
                }
            ),
        }
        gains = self.pretraining()
        if gains:
            named = {name: {title_of(one): gain for one, gain in row.items()} for name, row in gains.items()}
            drawn["figure-12-pretraining.svg"] = plots.draw_gains(named)
        return drawn


def title_of(measure: Measure) -> str:
    subtask, column = measure
    return f"{TITLES[subtask]} J" if column == "jaccard" else TITLES[subtask]


def _row(encoder: str, measure: Measure) -> str:
    return f"{encoder}, {title_of(measure)}"


def _signed(value: float) -> str:
    return f"{100 * value:+.1f}"


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


NEEDED_FOR_GAINS = (
    "needs an encoder before and after `tupelo pretrain`: --encoder NAME --encoder NAME-triple or NAME-subword"
)


def name_before(encoder: str) -> str | None:
    """The name of the encoder that one was trained from, by the ending of its own."""
    before, dash, objective = encoder.rpartition("-")
    return before if dash and objective in OBJECTIVES else None


def printed_gains(measures: Sequence[Measure]) -> dict[str, list[float]]:
    """Figure 12's differences by triples, from the rows of Tables 8 and 9."""
    gains = {}
    for row in printed_by("combo"):
        if before := name_before(row):
            found, base = printed(row), printed(before)
            gains[row] = [(found[s][c] or 0.0) - (base[s][c] or 0.0) for s, c in measures]
    return gains


def write_figures(grid: ComboGrid, folder: str | Path) -> None:
    """Write the figures into a folder, all or none."""
    from tupelo.io.files import open_output
    from tupelo.io.folders import filling_folder

    drawn = grid.figures()
    with filling_folder(folder) as started:
        for name, picture in drawn.items():
            with open_output(started / name) as stream:
                stream.write(picture)


def reproduce(
    file: str,
    baselines: Sequence[str] = BASELINES,
    *,
    encoders: Sequence[str] = (),
    tasks: Sequence[str] = (),
    tune_on: str | None = None,
    settings: Mapping[str, str] = MappingProxyType({}),
    seed: int = 0,
    seeds: int = SEEDS,
    cells: str | Path | None = None,
    progress: Progress | None = None,
    **places: str | None,
) -> ComboGrid:
    """Run the grid for some encoders, by default the one that ships, on a file with gold clusters.

    `settings` are options of the method `encoder`; `form`, `pooling` or `layer` leaves one value of
    that axis. `cells` is the folder of finished cells, by default in the cache: what is there is not computed again.
    `places` are the files and folders that the baselines need (`word_vectors`, …).
    """
    from tupelo.api.canonical import open_method
    from tupelo.canon.methods import METHODS
    from tupelo.core.cache import cache_root
    from tupelo.io.triples import read_triples
    from tupelo_training.canon.readings import FORMS, POOLINGS

    data = read_triples(file)
    wanted = judged_subtasks(file, data, tasks)
    marks = {"data": file_mark(file, data.checksum)}
    if tune_on is None:
        parts = [part_of(data, mentions) for mentions in two_folds(data.mentions, data.gold)]
        if not all(part.mentions for part in parts):
            raise InputError(f"{file}: all triples share a subject or a sentence, expected two halves; use --tune-on")
        rounds = [(0, 1), (1, 0)]
    else:
        other = read_triples(tune_on)
        marks["tuned"] = file_mark(tune_on, other.checksum)
        parts, rounds = [other, data], [(0, 1)]
    store = CellStore(
        Path(cells) if cells else cache_root() / "combo-grid", "-".join(part.checksum for part in parts), len(rounds)
    )
    method: Any = open_method("encoder", settings)
    work = Work(parts, rounds, wanted, store, progress)
    found: list[GridCell] = []
    for place in encoders or (None,):
        name, encoder, mark = open_encoder(method, place)
        if any(cell.encoder == name for cell in found):
            raise InputError(f"{place}: a second encoder named '{name}', expected folders with different names")
        layers = [method.layer_of(encoder)] if "layer" in settings else list(range(encoder.layers + 1))
        for form in [method.form] if "form" in settings else FORMS:
            for pooling in [method.pooling] if "pooling" in settings else POOLINGS:
                chosen = replace(method, form=form, pooling=pooling)
                found += work.rate_layers(chosen, name, encoder, mark, layers)
    rows = {}
    for baseline in map(METHODS.resolve, baselines):
        needed = {"encoder": encoders[0] if encoders else None, **places}
        runs = work.rate_seeds(open_method(baseline), range(seed, seed + seeds), needed)
        rows[baseline] = runs[0] if seeds == 1 else mean_figures(runs)
    options = {
        "encoders": "+".join(dict.fromkeys(cell.encoder for cell in found)),
        "seed": str(seed) if seeds == 1 else f"{seed}-{seed + seeds - 1}",
        "settings": "+".join(map("=".join, settings.items())) or "default",
        "parts": "halves" if tune_on is None else "files",
    }
    return ComboGrid(
        file,
        len(data.mentions),
        wanted,
        found,
        rows,
        describe(data),
        relation_examples(data),
        signature("combo-grid", options, marks),
    )


def part_of(data: TripleFile, mentions: Sequence[TripleMention]) -> TripleFile:
    """A file as if it had only some of its mentions."""
    known = {mention.id for mention in mentions}
    gold = {
        subtask: {mention: own for mention, own in labels.items() if mention in known}
        for subtask, labels in data.gold.items()
    }
    return replace(data, mentions=tuple(mentions), gold=gold)


def content_sum(name: str | PathLike[str]) -> str:
    """SHA-256 of a file, or of the files directly in a folder."""
    from tupelo.io.files import read_pieces
    from tupelo.io.folders import list_files

    digest = sha256()
    for file in list_files(name):
        own = sha256()
        for piece in read_pieces(file, 0, None, 1 << 20):
            own.update(piece)
        digest.update(own.digest())
    return digest.hexdigest()


def open_encoder(method: CanonMethod, place: str | None) -> tuple[str, StateEncoder, str]:
    """An encoder, its name in tables and a mark of its weights; the folder of an epoch is named after its parent."""
    from tupelo.api.canonical import CanonOptions, open_resources
    from tupelo.nlp.encoder import Encoder
    from tupelo_training.canon.checkpoint import checkpoint_folder

    encoder: StateEncoder = open_resources(method, options=CanonOptions(encoder=place)).require(
        "encoder", method.name
    )
    if isinstance(encoder, Encoder):
        return encoder.name, encoder, encoder.folder.fingerprint
    path = Path(encoder.name)
    name = path.parent.name if _EPOCH.fullmatch(path.name) and path.parent.name else path.name
    return name, encoder, content_sum(checkpoint_folder(encoder.name))


@dataclass(frozen=True, slots=True)
class CellStore:
    """Finished runs, a file each, whose name is made of everything that decides what they are."""

    folder: Path
    parts: str
    rounds: int

    def _place(self, key: Mapping[str, Any]) -> Path:
        whole = {"parts": self.parts, "rounds": self.rounds, "version": __version__, **key}
        return self.folder / f"{sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()}.json"

    def find(self, key: Mapping[str, Any]) -> Runs | None:
        from tupelo.io.files import InputFile

        place = self._place(key)
        if not place.is_file():
            return None
        with InputFile(place) as file:
            try:
                runs: Runs = json.loads(file.binary.read())["runs"]
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{place}: damaged, expected a finished cell; remove it to compute it again"
                ) from None
        return runs

    def keep(self, key: Mapping[str, Any], runs: Runs) -> None:
        from tupelo.io.files import write_text
        from tupelo.io.folders import make_folder

        make_folder(self.folder)
        write_text(self._place(key), json.dumps({"cell": key, "runs": runs}) + "\n")


@dataclass(frozen=True, slots=True)
class Work:
    """The parts, and which is measured with the thresholds of which: numbers of (tuned, measured)."""

    parts: Sequence[TripleFile]
    rounds: Sequence[tuple[int, int]]
    subtasks: Sequence[str]
    store: CellStore
    progress: Progress | None

    def rate_layers(
        self, method: EncoderVectors, name: str, encoder: StateEncoder, mark: str, layers: Sequence[int]
    ) -> Iterator[GridCell]:
        """The cells of one form and pooling; texts are read once for all layers that are not finished."""
        from tupelo_training.canon.readings import phrase_states, reading

        advance = track(self.progress, f"{name}, {method.form}, {method.pooling}", len(layers) * len(self.subtasks))
        keys = {layer: {"encoder": mark, **asdict(method), "layer": layer} for layer in layers}
        missing = [layer for layer in layers if self._missing(keys[layer])]
        states = [
            phrase_states(encoder, part.mentions, reading(method.form, method.pooling, missing))
            for part in (self.parts if missing else ())
        ]
        for layer in layers:
            prepared = [method.cut_states(own[:, :, missing.index(layer)]) for own in states if layer in missing]
            runs = {}
            for subtask in self.subtasks:
                runs[subtask] = self._rate(prepared, subtask, keys[layer])
                advance(1)
            yield GridCell(name, method.form, method.pooling, layer, runs)

    def rate_seeds(
        self, method: CanonMethod, seeds: Iterable[int], places: Mapping[str, str | None]
    ) -> list[dict[str, dict[str, Any]]]:
        """The figures of a method by seed, each the mean over rounds."""
        from tupelo.api.canonical import CanonOptions, open_resources

        resources = cache(
            lambda: open_resources(method, self.parts[-1], CanonOptions(**cast("dict[str, Any]", places)))
        )
        given = {
            name: content_sum(place) if Path(place).exists() else place for name, place in places.items() if place
        }
        found = []
        for seed in seeds:
            advance = track(self.progress, f"{method.name}, seed {seed}", len(self.subtasks))
            key = {"method": method.name, "seed": seed, **given}
            prepared = [
                method.prepare(part.mentions, resources(), seed=seed)
                for part in (self.parts if self._missing(key) else ())
            ]
            figures = {}
            for subtask in self.subtasks:
                runs = self._rate(prepared, subtask, key)
                figures[subtask] = {column: fmean(run[column] for run in runs) for column in runs[0]}
                advance(1)
            found.append(figures)
        return found

    def _missing(self, key: Mapping[str, Any]) -> bool:
        return any(self.store.find({**key, "subtask": subtask}) is None for subtask in self.subtasks)

    def _rate(self, prepared: Sequence[PreparedMethod], subtask: str, key: Mapping[str, Any]) -> Runs:
        key = {**key, "subtask": subtask}
        found = self.store.find(key)
        if found is None:
            found = []
            for tuned, measured in self.rounds:
                best = tune_threshold(prepared[tuned], self.parts[tuned], subtask)
                figures = rate_subtask(prepared[measured], self.parts[measured], subtask, best.threshold)
                found.append({**figures, "searched": best.score})
            self.store.keep(key, found)
        return found


def describe(data: TripleFile) -> dict[str, float]:
    """The columns of Table 1. A triple has context when its sentence has words that the triple lacks."""

    def labels(*subtasks: str) -> int:
        return len({label for subtask in subtasks for own in data.gold.get(subtask, {}).values() for label in own})

    phrases = {slot: [mention.phrase(slot).text for mention in data.mentions] for slot in SLOTS}
    whole = [" ".join(texts) for texts in zip(*phrases.values(), strict=True)]
    context = [
        not set(_WORD.findall(mention.sentence.lower())) <= set(_WORD.findall(text.lower()))
        for mention, text in zip(data.mentions, whole, strict=True)
    ]
    return {
        "NP": len({*phrases["subject"], *phrases["object"]}),
        "NPC-E": labels("subject", "object"),
        "RP": len(set(phrases["relation"])),
        "RPC": labels("relation"),
        "NPC-O": labels("subject-type", "object-type"),
        "triples": len(data.mentions),
        "words in a triple": fmean(len(text.split()) for text in whole),
        "context (%)": 100 * fmean(context),
    }


def relation_examples(data: TripleFile) -> dict[str, list[str]]:
    """Table 4: the gold relations with the most different phrases, each with its most frequent ones."""
    phrases: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in data.mentions:
        for label in data.gold.get("relation", {}).get(mention.id, ()):
            phrases[label][mention.relation.text] += 1
    widest = sorted(phrases, key=lambda label: (-len(phrases[label]), label))[:_EXAMPLES]
    return {label: [text for text, _ in phrases[label].most_common(_PHRASES)] for label in widest}
