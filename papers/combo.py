"""COMBO (EACL 2023): Tables 5, 8 and 9, entities, relations and types, for any file with gold clusters.

The printed figures are for COMBO's test part, which is not public; figures on
another part are not comparable with them in height, because every metric
depends on the number of triples. They show which method is ahead.

The task is unsupervised in the paper. The default method has three rows for relations: its own, wordings that a model
judges to say the same, and `WIDE_ROW`, properties by their contexts, neither of which saw a label of COMBO; and
`TAUGHT_ROW`, whose head was taught the labels of COMBO's development part. All fitted heads, those of entities and
types too, are named in the signature with the data that they saw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from papers import printed_by
from papers.hierarchies import tree_of, tree_scores
from tupelo.core import InputError
from tupelo.core.canonical import SUBTASKS, TASKS
from tupelo.core.progress import Progress, track
from tupelo.scorers.clusters import ClusterScorer
from tupelo.scorers.result import file_mark, signature
from tupelo.scorers.tables import ReportTable, percent

if TYPE_CHECKING:
    from tupelo.canon.methods import CanonMethod, Cuttable, PreparedMethod
    from tupelo.io.triples import TripleFile
    from tupelo_training.canon.shipped import StartChanges

Integers = NDArray[np.int64]

# Columns of Tables 5, 8 and 9 by subtask, in the paper's order.
COLUMNS: dict[str, tuple[str, ...]] = {
    "subject": ("macro", "micro", "pair", "average"),
    "object": ("macro", "micro", "pair", "average"),
    "relation": ("micro", "pair", "average"),
    "subject-type": ("macro", "micro", "pair", "average", "gold_to_predicted", "predicted_to_gold", "jaccard"),
    "object-type": ("macro", "micro", "pair", "average", "gold_to_predicted", "predicted_to_gold", "jaccard"),
}
TITLES: dict[str, str] = {
    "subject": "NPC-E subject",
    "object": "NPC-E object",
    "relation": "RPC",
    "subject-type": "NPC-O subject",
    "object-type": "NPC-O object",
}
SHORT: dict[str, str] = {
    "macro": "Ma",
    "micro": "Mi",
    "pair": "Pair",
    "average": "AVG",
    "gold_to_predicted": "Jg→p",
    "predicted_to_gold": "Jp→g",
    "jaccard": "J",
}
# Our method -> row of the paper.
PAPER_ROWS: dict[str, str] = {
    "tokens": "Token Sim+SI",
    "random": "Random+HAC",
    "words": "GloVe+HAC",
    "hole": "GloVe+HolE+HAC",
    "side": "GloVe+SI+HAC",
    "cesi": "CESI",
    "vae-gmm-side": "VAEGMM+SI",
    "vae-gmm-hole": "VAEGMM+HolE",
    "cuva": "CUVA",
    "encoder": "Bert-base",
}
# Tables 8 and 9, percent: by row and subtask, in the order of COLUMNS.
_PRINTED: Mapping[str, Mapping[str, Sequence[float | None]]] = printed_by("combo")

# The rows of the default method with other relations: by context alone, and by a head that saw those of COMBO.
WIDE_ROW, TAUGHT_ROW = "tupelo, relations=wide", "tupelo, relations=taught"

Figures = Mapping[str, Mapping[str, float | None]]


@dataclass(frozen=True, slots=True)
class ComboTables:
    """All columns of the methods that were run."""

    file: str
    triples: int
    methods: Mapping[str, Mapping[str, Mapping[str, Any]]]
    subtasks: Sequence[str]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Our figures by method and subtask, and those of the paper for the same methods."""
        paper = {name: printed(PAPER_ROWS[name]) for name in self.methods if name in PAPER_ROWS}
        return {
            "file": self.file,
            "triples": self.triples,
            "methods": self.methods,
            "paper": paper,
            "signature": self.signature,
        }

    def table(self) -> ReportTable:
        """Measured rows, each above the paper's row for the same method where it has one."""
        columns = [(subtask, column) for subtask in self.subtasks for column in COLUMNS[subtask]]

        def row(title: str, figures: Figures) -> tuple[str, ...]:
            return title, *(percent(figures.get(subtask, {}).get(column)) for subtask, column in columns)

        header = (f"{TITLES[s]} {SHORT[c]}" if c == COLUMNS[s][0] else SHORT[c] for s, c in columns)
        rows = []
        for name, figures in self.methods.items():
            rows.append(row(name, figures))
            deviations = {subtask: own["deviations"] for subtask, own in figures.items() if "deviations" in own}
            if deviations:
                rows.append(row("  ±", deviations))
            if name in PAPER_ROWS:
                rows.append(row(f"  paper: {PAPER_ROWS[name]}", printed(PAPER_ROWS[name])))
        return ReportTable(("", *header), tuple(rows))

    def notes(self) -> Iterator[str]:
        """For methods that train from initial clusters, how many of them changed, by subtask."""
        for name, figures in self.methods.items():
            moved = [
                f"{TITLES[subtask]}: {own['start_changed']:,.0f} of {own['start_clusters']:,.0f} clusters changed"
                for subtask, own in figures.items()
                if "start_changed" in own
            ]
            if moved:
                yield f"{name}, from its start: {'; '.join(moved)}"

    def __str__(self) -> str:
        return "\n".join([self.table().text(), *self.notes(), self.signature])


def reproduce(
    file: str,
    methods: Sequence[str] = ("tupelo",),
    *,
    tasks: Sequence[str] = (),
    tune_on: str | None = None,
    settings: Mapping[str, str] = MappingProxyType({}),
    seed: int = 0,
    seeds: int = 1,
    progress: Progress | None = None,
    **places: str | None,
) -> ComboTables:
    """Run methods (`all` is every one) on a file with gold clusters, which is never tuned on.

    Thresholds are those that ship, or those that the published search finds on the file `tune_on`. `settings` are
    options of the methods, `places` the files and folders that methods need (`encoder`, `wordnet`, …).
    With `seeds`, each method is run with that number of seeds from `seed` on: figures are means with deviations.
    """
    from tupelo.api.canonical import CanonOptions, open_method, open_resources
    from tupelo.canon.methods import METHODS
    from tupelo.io.triples import read_triples

    data = read_triples(file)
    other = None if tune_on is None else read_triples(tune_on)
    wanted = judged_subtasks(file, data, tasks)
    opened: dict[str, tuple[CanonMethod, Sequence[str]]] = {}
    for name in list(METHODS) if "all" in methods else map(METHODS.resolve, methods):
        opened[name] = open_method(name, settings), wanted
        if name == "tupelo" and "relation" in wanted and "relations" not in settings:
            # Entities and types are those of the row above.
            for row in (WIDE_ROW, TAUGHT_ROW):
                other_relations = {**settings, "relations": row.rpartition("=")[2]}
                opened[row] = open_method(name, other_relations), ["relation"]
    found = {}
    for name, (method, subtasks) in opened.items():
        resources = open_resources(method, data, CanonOptions(**cast("dict[str, Any]", places)))
        runs = [
            rate_method(method, resources, data, other, subtasks, number, progress)
            for number in range(seed, seed + seeds)
        ]
        found[name] = runs[0] if seeds == 1 else mean_figures(runs)
    marks = {"data": file_mark(file, data.checksum)}
    if other is not None:
        marks["tuned"] = file_mark(str(tune_on), other.checksum)
    drawn = str(seed) if seeds == 1 else f"{seed}-{seed + seeds - 1}"
    about = {"seed": drawn, "settings": "+".join(map("=".join, settings.items())) or "default"}
    mark = signature("combo", {**about, **_heads(method for method, _ in opened.values())}, marks)
    return ComboTables(file, len(data.mentions), found, wanted, mark)


def _heads(methods: Iterable[CanonMethod]) -> dict[str, str]:
    """For the signature: the fitted heads of the methods, and for each the data whose labels it was fitted on."""
    found = {head: None for method in methods for head in getattr(method, "fitted_on", {}).items()}
    return {"heads": "+".join(f"{head}={data}" for head, data in found)} if found else {}


def judged_subtasks(file: str, data: TripleFile, tasks: Sequence[str] = ()) -> list[str]:
    """The subtasks of some tasks, all by default, that a file has gold labels for; an error if there is none."""
    wanted = [subtask for task in tasks or TASKS for subtask in TASKS[task] if subtask in data.gold]
    if not wanted:
        raise InputError(
            f"{file}: no gold labels for {', '.join(tasks or TASKS)}, expected a file with gold clusters"
        )
    return wanted


def mean_figures(runs: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Means over runs with different seeds; `deviations` has the standard deviation of each figure."""
    found: dict[str, dict[str, Any]] = {}
    for subtask, first in runs[0].items():
        values = {name: np.array([run[subtask][name] for run in runs], dtype=float) for name in first}
        found[subtask] = {name: float(own.mean()) for name, own in values.items()}
        found[subtask]["deviations"] = {name: float(own.std(ddof=1)) for name, own in values.items()}
    return found


def rate_method(
    method: CanonMethod,
    resources: Any,
    data: TripleFile,
    other: TripleFile | None,
    subtasks: Sequence[str],
    seed: int,
    progress: Progress | None,
) -> dict[str, dict[str, Any]]:
    """All columns of one method, with the thresholds that gave them."""
    from tupelo.canon.canonicalizer import threshold_of

    advance = track(progress, method.name)
    prepared = method.prepare(data.mentions, resources, seed=seed, advance=advance)
    tuned = None if other is None else method.prepare(other.mentions, resources, seed=seed, advance=advance)
    figures = {}
    for subtask in subtasks:
        if tuned is None or other is None:
            threshold = threshold_of(method, subtask)
        else:
            threshold = tune_threshold(tuned, other, subtask).threshold
        figures[subtask] = rate_subtask(prepared, data, subtask, threshold)
        advance(1)
    return figures


def tune_threshold(prepared: PreparedMethod, data: TripleFile, subtask: str) -> Trial:
    """The threshold that the published search finds on a file, with its score."""
    gold = gold_clusters(_labels(data, subtask))
    members = [mention.id for mention in data.mentions]
    search = search_threshold(
        prepared.subtask(subtask), lambda labels: search_score(gold, members, labels), len(gold)
    )
    return search.best


def rate_subtask(prepared: PreparedMethod, data: TripleFile, subtask: str, threshold: float) -> dict[str, Any]:
    """The columns of one subtask at a threshold; for types also those of the full hierarchy."""
    gold = gold_clusters(_labels(data, subtask))
    members = [mention.id for mention in data.mentions]
    clustering = prepared.subtask(subtask)
    judged = clusters_of(clustering.labels(threshold), members, _labels(data, subtask))
    figures = rate_flat(subtask, gold, judged) | {"threshold": threshold}
    if hasattr(prepared, "changes"):
        moved: StartChanges = cast(Any, prepared).changes(subtask, threshold)
        figures |= {"start_clusters": moved.clusters, "start_changed": moved.changed}
    if subtask.endswith("-type"):
        tree = tree_of(clustering)
        if tree is not None:
            figures |= rate_tree(gold, members, tree.children())
    return figures


def _labels(data: TripleFile, subtask: str) -> Mapping[str, frozenset[str]]:
    if subtask not in data.gold:
        raise InputError(f"no gold labels for '{subtask}' in the file to tune on, expected {', '.join(SUBTASKS)}")
    return data.gold[subtask]


def printed(row: str) -> dict[str, dict[str, float | None]]:
    """A row of the paper as shares: subtask, then column."""
    return {
        subtask: {
            column: None if value is None else value / 100
            for column, value in zip(COLUMNS[subtask], values, strict=True)
        }
        for subtask, values in _PRINTED[row].items()
    }


def gold_clusters(labels: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Members by label, in the order of the labels."""
    clusters: dict[str, list[str]] = defaultdict(list)
    for member, own in labels.items():
        for label in own:
            clusters[label].append(member)
    return [clusters[label] for label in sorted(clusters)]


def clusters_of(
    labels: Sequence[int] | Integers, members: Sequence[str], known: Container[str] | None = None
) -> list[list[str]]:
    """Members by cluster number; with `known`, only those that were judged."""
    clusters: dict[int, list[str]] = defaultdict(list)
    for label, member in zip(np.asarray(labels).tolist(), members, strict=True):
        if known is None or member in known:
            clusters[label].append(member)
    return list(clusters.values())


def rate_flat(subtask: str, gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The columns of one subtask that need a threshold, and how large the largest cluster is."""
    scores = ClusterScorer().flat(gold, predicted)
    return {
        "macro": scores.macro.f1,
        "micro": scores.micro.f1,
        "pair": scores.pair.f1,
        "average": scores.average_of_two if subtask == "relation" else scores.average,
        "clusters": scores.predicted,
        "gold_clusters": scores.gold,
        "largest": scores.largest,
    }


def rate_tree(gold: Sequence[Sequence[str]], members: Sequence[str], children: Integers) -> dict[str, float]:
    """The Jaccard columns, from the full hierarchy."""
    scores = tree_scores(gold, members, children)
    return {
        "gold_to_predicted": scores.gold_to_predicted,
        "predicted_to_gold": scores.predicted_to_gold,
        "jaccard": scores.average,
    }


def search_score(gold: Sequence[Sequence[str]], members: Sequence[str], labels: Integers) -> float:
    """The objective of the published search for every subtask: the mean of all three F1, rounded to four digits."""
    known = {member for cluster in gold for member in cluster}
    scores = ClusterScorer().flat(gold, clusters_of(labels, members, known))
    return float(sum(round(figures.f1, 4) for figures in (scores.macro, scores.micro, scores.pair)) / 3)


# Around the best value of the first round, in steps of that round.
_OFFSETS = (-1.0, -0.7, -0.4, -0.1, 0.2, 0.5, 0.8)
# The first round ends when fewer clusters than this share of the gold ones are left.
_FEWEST = 0.7

Score = Callable[[Integers], float]


@dataclass(frozen=True, slots=True)
class Trial:
    """A threshold that was tried, how many clusters it gave and how good they were."""

    threshold: float
    clusters: int
    score: float


@dataclass(frozen=True, slots=True)
class Search:
    """All trials in order, and the best: the first among equals."""

    trials: tuple[Trial, ...]

    @property
    def best(self) -> Trial:
        best = self.trials[0]
        for trial in self.trials[1:]:
            if trial.score > best.score:
                best = trial
        return best


def search_threshold(cut: Cuttable, score: Score, gold_clusters: int) -> Search:
    """Two rounds: the whole grid, rising, until clusters become too few; then seven values around the best one."""
    trials: list[Trial] = []

    def try_out(threshold: float) -> Trial:
        labels = cut.labels(threshold)
        trial = Trial(threshold, len(np.unique(labels)), score(labels))
        trials.append(trial)
        return trial

    for threshold in cut.grid:
        if try_out(threshold).clusters < _FEWEST * gold_clusters:
            break
    best = Search(tuple(trials)).best
    if best.score <= 0:
        raise InputError("no threshold gives a single right cluster; nothing can be tuned on this data")
    if len(cut.grid) > 1:
        step = cut.grid[1] - cut.grid[0]
        for offset in _OFFSETS:
            try_out(round(best.threshold + offset * step, 6))
    return Search(tuple(trials))
