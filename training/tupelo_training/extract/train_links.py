"""Trains the ranker of statements: would a reader call one right, and worth reading by itself?

    python -m tupelo_training.extract.train_links --output src/tupelo/models/en-extract --data ../shared/data

Reads `training/judged/statements.tsv` (document, sentence, statement, label of `benchmarks/graph_reading.md`) and
makes the statements of its documents again; those that are no longer made are left out. A good statement counts as
1, a plain one as `PLAIN`, any other as 0, one of an *I* or *we* that nobody resolved at most as `MOST_OF_FIRST`. Ten
folds by document give the figures that are printed.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Analysis, Passage
from tupelo.core.numeric import sigmoid
from tupelo.core.statement import LinkedSentence, Referent
from tupelo.documents import read
from tupelo.extract.links.judge import WEIGHTS, features_of
from tupelo.extract.stages import ReadStatements, linked_passage
from tupelo.extract.structure import divide
from tupelo.extract.structure.voices import Voices
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.judged.stored import FOLDER
from tupelo_training.options import option_parser, write_checksums, write_json

STATEMENTS = "statements.tsv"
PLAIN = 0.85
# Most readers cannot say who *we* are in a statement; others find a whole sentence plain.
FIRST, MOST_OF_FIRST = frozenset(["i", "me", "my", "we", "us", "our"]), 0.3
FOLDS = 10
RIDGE = 60.0
STEPS = 30
# A feature that fewer statements have says nothing.
LEAST = 6
# Characters of a document that were read, and where those of a web page begin.
LONGEST, BEFORE = 4000, 1500
WEB = 3500

Array = NDArray[np.float64]


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """Documents by the names they have in the file of statements, those of files with their ending."""
    from benchmarks.graph_gum import read_gold

    for name, text in read_gold(data / "gum/gum-train.conllu.gz", paragraphs=True).texts.items():
        yield f"{name.split('_')[1]}/{name}", text[:LONGEST]
    for name, text in read_gold(data / "gum/gum-dev.conllu.gz", paragraphs=True).texts.items():
        yield f"{name.split('_')[1]}/{name}", text
    for name, text in read_gold(data / "ud_ewt/en_ewt-train.conllu.gz", paragraphs=True).texts.items():
        yield f"{name.split('-')[0]}/{name}", text[:LONGEST]
    for topic in ("history", "mathematics", "nature"):
        with gzip.open(data / f"wild/{topic}/pages.jsonl.gz", "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=-10):
                yield f"wild-{topic}/{topic}{number}", json.loads(line)["text"][BEFORE : BEFORE + WEB]
    for number, line in enumerate((data / "mine/essays.jsonl").read_text("utf-8").splitlines()):
        yield f"mine/{number}", json.loads(line)["text"][:LONGEST]
    for part, name in (("technical", "biz-technical"), ("develop", "biz")):
        for file in sorted(Path(f"benchmarks/business/{part}/documents").iterdir()):
            yield f"{name}/{file.name}", file.read_text("utf-8")


def judged(file: Path) -> dict[tuple[str, str, str], float]:
    """The worth of statements by document, sentence and words."""
    worth = {"good": 1.0, "plain": PLAIN}

    def value(row: dict[str, str]) -> float:
        told = worth.get(row["label"], 0.0)
        return (
            told if FIRST.isdisjoint(row["statement"].lower().replace(",", " ").split()) else min(told, MOST_OF_FIRST)
        )

    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {(row["document"], row["sentence"], row["statement"]): value(row) for row in rows}


def read_rows(data: Path, known: Mapping[tuple[str, str, str], float]) -> list[tuple[str, dict[str, float], float]]:
    """Document, features and worth of the judged statements, as they are made now."""
    rows = []
    for name, _, trees, linked, referents in linked_passages(data, {key[0] for key in known}):
        for tree, sentence in zip(trees, linked, strict=True):
            seen = set()
            for link in sentence.links:
                said = sentence.texts[link.tuple]
                worth = known.get((name, " ".join(tree.analysis.text.split()), said))
                if worth is not None and said not in seen:
                    seen.add(said)
                    rows.append((name, features_of(sentence, link, tree, referents), worth))
    return rows


def linked_passages(
    data: Path, wanted: set[str]
) -> Iterator[tuple[str, list[Analysis], list[DependencyTree], list[LinkedSentence], Sequence[Referent]]]:
    """The passages of documents, with what a build reads in them, before anything is a value."""
    stage = ReadStatements()
    pipeline = stage.recipe.pipeline()
    for name, passage in passages(data, wanted):
        prose, _ = divide(passage)
        analyses = list(pipeline.analyses(prose, stage.form))
        trees, voices = [DependencyTree(analysis) for analysis in analyses], Voices(passage)
        spoken = [voices.at(analysis.start) for analysis in analyses] if voices else None
        yield name, analyses, trees, *linked_passage(pipeline, analyses, stage.form, trees, spoken)


def passages(data: Path, wanted: set[str]) -> Iterator[tuple[str, Passage]]:
    """The passages of documents as a build reads them."""
    with TemporaryDirectory() as folder:
        for name, text in texts(data):
            if name in wanted:
                file = Path(folder, Path(name).name if name.startswith("biz") else "text.txt")
                file.write_text(text, "utf-8")
                for document in read(file):
                    yield from ((name, replace(passage, document_id="0")) for passage in document.passages())
                file.unlink()


def fit(features: Array, worth: Array, penalty: float = RIDGE) -> Array:
    """Weights of a logistic curve with a ridge on all but the first feature, by Newton's method."""
    ridge = np.full(features.shape[1], penalty)
    ridge[0] = 0.01
    weights = np.zeros(features.shape[1])
    for _ in range(STEPS):
        chance = sigmoid(features @ weights, limit=30)
        slope = features.T @ (chance - worth) + ridge * weights
        curve = (features * (chance * (1 - chance))[:, None]).T @ features + np.diag(ridge)
        weights -= np.linalg.solve(curve, slope)
    return weights


def area(chances: Array, right: NDArray[np.bool_]) -> float:
    """Area under the ROC curve."""
    above = chances[right][:, None] - chances[~right][None, :]
    return float((above > 0).mean() + (above == 0).mean() / 2)


def standardized(rows: Sequence[dict[str, float]]) -> tuple[list[str], Array, Array, Array]:
    """Names, values with mean 0 and deviation 1 (the constant first), means and deviations."""
    counts = Counter(name for row in rows for name, value in row.items() if value)
    names = ["constant", *sorted(name for name, n in counts.items() if n >= LEAST and name != "constant")]
    values = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    mean, spread = values.mean(0), values.std(0) + 0.05
    mean[0], spread[0] = 0.0, 1.0
    return names, (values - mean) / spread, mean, spread


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    rows = read_rows(given.data, judged(FOLDER / STATEMENTS))
    names, features, mean, spread = standardized([row for _, row, _ in rows])
    worth = np.array([value for _, _, value in rows])
    fold = np.array([int(sha256(name.encode()).hexdigest(), 16) % FOLDS for name, _, _ in rows])
    chances = np.zeros(len(rows))
    for number in range(FOLDS):
        own = fold == number
        chances[own] = sigmoid(features[own] @ fit(features[~own], worth[~own]), limit=30)
    readable = worth > 0
    print(f"{len(rows)} statements, {readable.mean():.3f} right and readable, {(worth == 1).mean():.3f} good")
    print(f"area under the curve {area(chances, readable):.3f}, good {area(chances, worth == 1):.3f}")
    for share in (0.25, 0.5, 0.75):
        kept = chances >= np.quantile(chances, 1 - share)
        good = (worth[kept] == 1).mean()
        print(f"best {share:.0%}: {readable[kept].mean():.3f} right and readable, {good:.3f} good")
    weights = fit(features, worth) / spread
    weights[0] -= float(weights[1:] @ mean[1:])
    config = json.loads((given.output / "config.json").read_text("utf-8"))
    found = {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}
    write_json(given.output / "config.json", config | {WEIGHTS: found})
    write_checksums(given.output)


if __name__ == "__main__":
    main()
