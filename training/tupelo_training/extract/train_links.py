"""Trains the judge of links: would readers of a link alone call it right and useful?

    python -m tupelo_training.extract.train_links --output src/tupelo/models/en-extract --data ../shared/data

Reads `training/judged/links.tsv` (document, number of the sentence, subject, relation, object, label) and links its
documents again; links that are no longer made are left out. Five folds by document give the figures that are printed,
and the scale that turns outputs into probabilities.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch.nn import functional

import tupelo
from tupelo.core import Analysis
from tupelo.core.numeric import sigmoid
from tupelo.extract.judge.network import WIDEST, vectors_of
from tupelo.extract.links.judge import NAMES, WEIGHTS, features_of
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.stages import linked_passage
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.calibration import calibration_bins, calibration_error
from tupelo_training.extract.network import MEMBERS, Array, JudgeNetwork, logits_of
from tupelo_training.extract.train import platt
from tupelo_training.judged.stored import FOLDER, read_judged
from tupelo_training.options import option_parser, write_checksums, write_json

LINKS = "links.tsv"
FOLDS = 5
HIDDEN = 32
BATCH = 64
EPOCHS = 40
LEARNING_RATE = 2e-3
DECAY = 0.3
# Kept are links that are more likely right and useful than not: between two names, and all others. Names connect a
# graph, so that a few more faults are worth it.
LEAST = (0.55, 0.65)
# Characters of a document that were read.
LONGEST = {"judged": 6000, "factcg": 5000}


@dataclass(frozen=True, slots=True)
class Rows:
    """Judged links as arrays."""

    features: Array
    vectors: Array
    good: Array
    documents: NDArray[np.str_]


def texts(data: Path, wanted: set[str]) -> Iterator[tuple[str, str]]:
    """Documents by the names they have in the file of judged links."""
    for document in read_judged().documents:
        if (name := f"judged/{document.id}") in wanted and document.text is not None:
            yield name, document.text[: LONGEST["judged"]]
    from benchmarks.graph_redocred import read_articles

    for article in read_articles(data, "develop"):
        if (name := f"redocred/{article.title}") in wanted:
            yield name, article.text
    seen = set()
    with gzip.open(data / "claims/factcg.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["document"]
            name = f"factcg/{sha256(text.encode()).hexdigest()[:12]}"
            if name in wanted and name not in seen:
                seen.add(name)
                yield name, text[: LONGEST["factcg"]]


def judged_links(file: Path) -> dict[tuple[str, int, str, str, str], bool]:
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {
        (row["document"], int(row["sentence"]), *(row[name] for name in ("subject", "relation", "object"))): (
            row["label"] == "good"
        )
        for row in rows
    }


def read_rows(data: Path, known: Mapping[tuple[str, int, str, str, str], bool]) -> Rows:
    """The features of judged links, as they are made now."""
    nlp = tupelo.load()
    features, vectors, good, documents = [], [], [], []
    for name, text in texts(data, {key[0] for key in known}):
        analyses: list[Analysis] = list(nlp.analyze(text, constituents=False, vectors=True, coreference=True))
        trees = [DependencyTree(analysis) for analysis in analyses]
        linked, referents = linked_passage(nlp.pipeline, analyses, ExtractionOptions(), trees)
        names = {referent.number: referent.name for referent in referents}
        for number, (tree, sentence) in enumerate(zip(trees, linked, strict=True)):
            if not sentence.links:
                continue
            rows, words = features_of(sentence, tree, referents)
            for row, read, link in zip(rows, vectors_of(tree, words), sentence.links, strict=True):
                ends = [sentence.anchors[place] for place in (link.subject, link.object)]
                subject, target = (names.get(-1 if end.referent is None else end.referent, end.text) for end in ends)
                label = known.get((name, number, subject, link.relation, target))
                if label is not None:
                    features.append(row)
                    vectors.append(read)
                    good.append(label)
                    documents.append(name)
    return Rows(np.stack(features), np.stack(vectors), np.array(good, dtype=np.float32), np.array(documents))


def fit(rows: Rows, chosen: NDArray[np.bool_], seed: int = 1) -> dict[str, Array]:
    """The weights of a judge that has learned from some links."""
    torch.manual_seed(seed)
    own, good = rows.features[chosen], torch.from_numpy(rows.good[chosen])
    mean, spread = own.mean(0), own.std(0) + 0.05
    features = torch.from_numpy(((own - mean) / spread).clip(-WIDEST, WIDEST))
    vectors = torch.from_numpy(rows.vectors[chosen])
    network = JudgeNetwork(features.shape[1], *vectors.shape[1:], HIDDEN, outputs=1)
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=DECAY)
    steps = EPOCHS * len(features) // BATCH
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * (1 - step / steps)
        drawn = torch.randint(0, len(features), (BATCH,), generator=generator)
        logits = network(features[drawn], vectors[drawn])[..., 0]
        loss = functional.binary_cross_entropy_with_logits(logits, good[drawn].expand(MEMBERS, -1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = {name: value.detach().numpy() for name, value in network.named_parameters()}
    return {"mean": mean, "spread": spread, **weights}


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=Path, help="keep the features here")
    given = parser.parse_args()
    rows = read_rows(given.data, judged_links(FOLDER / LINKS))
    if given.rows:
        np.savez(given.rows, **{name: getattr(rows, name) for name in rows.__slots__})
    names = np.unique(rows.documents)
    mixed = sorted(names, key=lambda name: sha256(str(name).encode()).digest())
    folds = {name: place % FOLDS for place, name in enumerate(mixed)}
    fold = np.array([folds[name] for name in rows.documents])
    logits = np.zeros(len(fold), dtype=np.float32)
    for number in range(FOLDS):
        own = fold == number
        logits[own] = logits_of(fit(rows, ~own), rows.features[own], rows.vectors[own])[:, 0]
    slope, intercept = platt(logits, rows.good, ridge=0.0)
    chances = sigmoid(logits * slope + intercept)
    print(f"{len(chances)} links, {rows.good.mean():.3f} good")
    named = rows.features[:, NAMES.index("both-named")] > 0
    for between_names, others in (LEAST, (0.5, 0.5), (0.5, 0.7), (0.55, 0.65), (0.6, 0.6), (0.6, 0.7), (0.7, 0.7)):
        kept = np.where(named, chances >= between_names, chances >= others)
        good = rows.good[kept]
        print(
            f"at {between_names} and {others}: {kept.mean():.3f} kept, {good.mean():.3f} good, "
            f"{good.sum() / rows.good.sum():.3f} of the good ones"
        )
    print("calibration error", calibration_error(calibration_bins(chances.tolist(), (rows.good > 0).tolist())))
    weights = fit(rows, np.ones(len(fold), dtype=bool))
    weights["scale"] = np.array([slope, intercept], dtype=np.float32)
    stored = {name: np.ascontiguousarray(value, dtype=np.float32) for name, value in weights.items()}
    save_file(stored, given.output / WEIGHTS)
    config = json.loads((given.output / "config.json").read_text("utf-8"))
    write_json(given.output / "config.json", config | {"least_link": list(LEAST), "link_features": list(NAMES)})
    write_checksums(given.output)


if __name__ == "__main__":
    main()
