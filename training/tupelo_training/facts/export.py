"""Trained networks as the folder that the package ships.

    python -m tupelo_training.facts.export --data DATA --prepared prepared/ --classifier student --sentence sentence \
        --output packages/tupelo-facts-en/src/tupelo_facts_en/en-facts
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tupelo.core.numeric import sigmoid
from tupelo.factmodels.folder import SUPPORT, Relation
from tupelo.factmodels.pairs import PairModel
from tupelo_training.facts.corpus import Documents
from tupelo_training.facts.model_files import Files, pairs_files, pointer_files, sentence_files, writer_files
from tupelo_training.facts.pair_network import PairReader, PairSizes
from tupelo_training.facts.pointer_network import FactPointer, PointerSizes
from tupelo_training.facts.prepare import SHIPPED_RELATIONS
from tupelo_training.facts.properties import DATES, WEBNLG
from tupelo_training.facts.sentence_network import SentenceReader, SentenceSizes
from tupelo_training.facts.sources import _json
from tupelo_training.facts.train_pairs import gold_facts
from tupelo_training.facts.writer_network import FactWriter, WriterSizes
from tupelo_training.options import option_parser
from tupelo_training.weights import read_weights, tensors

VERSION = "2.0.0"
# Pieces of a text that the writer reads at once: as long as the longest that it learned from.
WINDOW = 100
# Below all scores that a run writes out.
UNWRITTEN = -7.0


def names(data: Path) -> dict[str, str]:
    """Names of Wikidata properties."""
    table: dict[str, Any] = _json(data / "fewrel" / "pid2name.json.gz")
    return {**{key: value[0] for key, value in table.items()}, **DATES}


def classifier(run: Path, prepared: Path, known: dict[str, str], offsets: dict[str, float], **settings: Any) -> Files:
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    model = PairReader(PairSizes(**report["sizes"])).eval()
    model.load_state_dict(tensors(read_weights(*sorted(run.glob("weights-*.npz")))))
    table = json.loads((prepared / "pairs.json").read_text(encoding="utf-8"))["relations"][:SHIPPED_RELATIONS]
    relations = [Relation(known[key], key) for key in table]
    with torch.no_grad():
        for key, value in offsets.items():
            # The threshold of a pair comes first.
            model.product.bias[1 + table.index(key)] += value
    name = "tupelo-en-facts-classifier"
    return pairs_files(model, relations, name=name, version=VERSION, embeddings=SUPPORT, **settings)


def sentence(run: Path, prepared: Path, known: dict[str, str]) -> Files:
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    model = SentenceReader(SentenceSizes(**report["sizes"])).eval()
    model.load_state_dict(tensors(read_weights(run / "weights.npz")))
    table = json.loads((prepared / "marked.json").read_text(encoding="utf-8"))["relations"]
    return sentence_files(
        model,
        [Relation(known[key], key) for key in table],
        name="tupelo-en-facts-sentence",
        version=VERSION,
        threshold=round(report["threshold"], 3),
        embeddings=SUPPORT,
    )


def calibrate(run: Path, prepared: Path) -> dict[str, Any]:
    """Probabilities by logistic regression on the scores of every second held-out document.

    The others tell how good they are. Thresholds are those that the network learned: 0.
    """
    documents = Documents(prepared, torch.device("cpu"))
    with np.load(run / "scores-held-out.npz") as stored:
        scored = {name: stored[name] for name in stored.files}
    gold = gold_facts(documents, scored["rows"])
    fitted = np.isin(scored["where"][:, 0], scored["rows"][::2])
    where, score = scored["where"], scored["score"].astype(np.float64)
    right = np.array([tuple(row) in gold for row in where.tolist()], dtype=np.float64)
    real = where[:, 3] > 0
    calibration = logistic(score[real & fitted], right[real & fitted])
    checked(score[real & ~fitted], right[real & ~fitted], calibration)
    # Pairs: the mean of the output for any relation and the best single one, as the package takes it.
    related: dict[tuple[int, ...], float] = {}
    best: dict[tuple[int, ...], float] = {}
    for row, value in zip(where[fitted].tolist(), score[fitted].tolist(), strict=True):
        table = best if row[3] else related
        table[tuple(row[:3])] = max(table.get(tuple(row[:3]), UNWRITTEN), value)
    pairs = sorted({*related, *best})
    mean = np.array([(related.get(pair, UNWRITTEN) + best.get(pair, UNWRITTEN)) / 2 for pair in pairs])
    true = {fact[:3] for fact in gold}
    holds = np.array([pair in true for pair in pairs], dtype=np.float64)
    return {"calibration": calibration, "related_calibration": logistic(mean, holds)}


def checked(score: Any, right: Any, calibration: tuple[float, float]) -> None:
    """Prints how many facts are right in each range of probabilities."""
    probability = sigmoid(calibration[0] * score + calibration[1])
    for low, high in ((0.4, 0.6), (0.6, 0.8), (0.8, 1.0)):
        inside = (probability >= low) & (probability < high)
        print(f"{low} to {high}: {inside.sum()} facts, {right[inside].mean():.3f} right")


def logistic(score: Any, right: Any) -> tuple[float, float]:
    """Slope and intercept by Newton's method, in small steps."""
    slope, intercept = 0.5, 0.0
    for _ in range(100):
        probability = sigmoid(slope * score + intercept)
        weight = np.maximum(probability * (1 - probability), 1e-9)
        rest = right - probability
        matrix = np.array(
            [[(weight * score**2).sum(), (weight * score).sum()], [(weight * score).sum(), weight.sum()]]
        )
        change = np.linalg.solve(matrix + 1e-6 * np.eye(2), np.array([(rest * score).sum(), rest.sum()]))
        change = change / max(1.0, float(np.abs(change).max()) / 0.2)
        slope, intercept = slope + float(change[0]), intercept + float(change[1])
    return round(slope, 4), round(intercept, 4)


def pointer(run: Path) -> Files:
    """The end-to-end model; its properties are in the order of writing."""
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    model = FactPointer(PointerSizes(**report["sizes"])).eval()
    model.load_state_dict(tensors(read_weights(run / "weights.npz")))
    known = PairModel().relations
    relations = [known[number] for number in np.argsort(report["places"]).tolist()]
    name = "tupelo-en-facts-pointer"
    settings = {key: report[key] for key in ("eager", "calibration")}
    return pointer_files(model, relations, name=name, version=VERSION, **settings)


def writer(run: Path, prepared: Path) -> Files:
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    model = FactWriter(WriterSizes(**report["sizes"]), report["generated"]).eval()
    model.load_state_dict(tensors(read_weights(run / "weights.npz")))
    tables = json.loads((prepared / "writing.json").read_text(encoding="utf-8"))
    relations = [Relation(name, WEBNLG.get(name)) for name in tables["relations"]]
    return writer_files(
        model,
        relations,
        report["generated"],
        tables["names"],
        name="tupelo-en-facts-writer",
        version=VERSION,
        window=WINDOW,
    )


def main() -> None:
    parser = option_parser(
        __doc__,
        "data",
        "prepared",
        "output",
        classifier="run of the classifier",
        pointer="run of the end-to-end model that points",
        writer="run of the end-to-end model that knows WebNLG",
        sentence="run of the classifier of sentences",
        offsets="what `offsets` wrote",
    )
    given = parser.parse_args()
    made: dict[str, Files] = {}
    if given.classifier:
        settings = calibrate(given.classifier, given.prepared)
        offsets = json.loads(given.offsets.read_text(encoding="utf-8")) if given.offsets else {}
        made["classifier"] = classifier(given.classifier, given.prepared, names(given.data), offsets, **settings)
    if given.sentence:
        made["sentence"] = sentence(given.sentence, given.prepared, names(given.data))
    if given.pointer:
        made["end-to-end"] = pointer(given.pointer)
    if given.writer:
        made["webnlg"] = writer(given.writer, given.prepared)
    for folder, files in made.items():
        (given.output / folder).mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (given.output / folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
