"""Trains the selector: how much will the scorer reward a candidate, given the better ones that are chosen already?

    python -m tupelo_training.extract.select --data ../shared/data --parser en --held-out run/held-out.npz \
        --prepared prepared-extract/ --rewrites rewrites.json --cliques cliques.json --output run/selector.safetensors

Candidates are those of the rules and of the network. The reward of a candidate is the mean of what it adds to CaRB's
precision and recall sums when the better candidates of its sentence are in already. Three small networks: the first
judges a candidate alone and gives the order, the second judges it in this order and gives the confidence, the third
says whether it is a complete fact of BenchIE. Scores of the network on CaRB's sentences come from the fold that has
not seen them, and the selector is judged on the same folds. With `--rewrites` it also learns from the sentences in
other words, each in the fold of its original; with `--cliques` the drop on them is measured, by the same folds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional

import tupelo
from tupelo.core import Analysis, Extraction, Record, Sentence, Triple
from tupelo.extract import EXTRACTORS
from tupelo.extract.neural.extractor import LEAST_CONFIDENCE, LEAST_FACT
from tupelo.extract.neural.scores import Scores
from tupelo.extract.neural.selector import Selector, in_order, order_features
from tupelo.io.files import InputFile
from tupelo.io.formats.benchie import BENCHIE_GOLD
from tupelo.io.tuples import read_records
from tupelo.score.benchie import Benchie, equal_by_slot, expand, first_cluster, parse_slot, slots_of
from tupelo.score.carb import Carb
from tupelo_training.extract.drop import drop, held_out_tuples, told
from tupelo_training.extract.items import (
    Item,
    Known,
    alone_targets,
    build_items,
    held_out_scores,
    ordered_targets,
)
from tupelo_training.extract.prepare import folds_of, read_plain, read_rewrites
from tupelo_training.options import option_parser

MEMBERS = 6
HIDDEN = 32
PARTS = 3
MOST_STEPS = 600
# How much a rewrite counts beside an original; cliques have about two of them for each.
REWRITE = 0.75


class Judge(nn.Module):
    """Several small networks as one; their mean is the answer."""

    def __init__(self, inputs: int, members: int = MEMBERS, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.randn(members, inputs, hidden) * inputs**-0.5)
        self.first_bias = nn.Parameter(torch.zeros(members, 1, hidden))
        self.second = nn.Parameter(torch.randn(members, hidden, hidden) * hidden**-0.5)
        self.second_bias = nn.Parameter(torch.zeros(members, 1, hidden))
        self.last = nn.Parameter(torch.randn(members, hidden, 1) * hidden**-0.5)
        self.last_bias = nn.Parameter(torch.zeros(members, 1, 1))
        self.dropout = nn.Dropout(0.25)

    def forward(self, x: Tensor) -> Tensor:
        h = self.dropout(torch.relu(x @ self.first + self.first_bias))
        h = self.dropout(torch.relu(h @ self.second + self.second_bias))
        return (h @ self.last + self.last_bias)[..., 0]


def train_judge(
    x: np.ndarray, y: np.ndarray, seed: int, epochs: int = 20, weight: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """`weight` is how often a row is drawn, against the others."""
    torch.manual_seed(seed)
    odds = np.ones(len(x)) if weight is None else weight
    mean, spread = x.mean(0), x.std(0) + 1e-3
    inputs, targets = torch.from_numpy(((x - mean) / spread).clip(-6, 6)), torch.from_numpy(y)
    judge = Judge(x.shape[1])
    optimizer = torch.optim.AdamW(judge.parameters(), lr=3e-3, weight_decay=0.05, fused=True)
    steps = min(epochs * (int(odds.sum()) // 256 + 1), MOST_STEPS)
    # Every member draws its own samples.
    drawn = np.random.default_rng(seed).choice(len(x), (steps, MEMBERS, 256), p=odds / odds.sum())
    for step, rows in enumerate(torch.from_numpy(drawn)):
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * (1 - step / steps)
        loss = functional.binary_cross_entropy_with_logits(judge(inputs[rows]), targets[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = {name: value.detach().numpy() for name, value in judge.named_parameters()}
    return {"mean": mean.astype(np.float32), "spread": spread.astype(np.float32), **weights}


def fact_labels(items: Sequence[Item], data: Path) -> dict[int, np.ndarray]:
    """For the sentences that BenchIE has: which candidates are among its triples."""
    path = data / "benchie/en/gold_annotations_en.dev.txt"
    with InputFile(path) as opened:
        gold = list(BENCHIE_GOLD.read(opened.lines()))
    clusters: dict[str, list[Triple]] = {}
    for record in gold:
        if isinstance(record, Extraction):
            clusters.setdefault(record.sentence.text, []).append(record.triple())
    labels = {}
    for number, item in enumerate(items):
        triples = clusters.get(item.analysis.text)
        if triples is None:
            continue
        forms = {slot: expand(parse_slot(slot)) for triple in triples for slot in slots_of(triple)}
        labels[number] = np.array(
            [
                first_cluster([triples], equal_by_slot, forms, (text[1], text[0], " ".join(text[2:]))) is not None
                for text in item.texts
            ],
            dtype=np.float32,
        )
    return labels


def fit_fact(
    items: Sequence[Item], confidences: Sequence[np.ndarray], labels: dict[int, np.ndarray], without: int, seed: int
) -> dict[str, np.ndarray]:
    """The judge of facts, from the sentences outside of one fold."""
    chosen = [number for number in labels if items[number].fold != without]
    rows = [np.concatenate([items[n].features, confidences[n][:, None]], axis=1) for n in chosen]
    return train_judge(
        np.concatenate(rows).astype(np.float32), np.concatenate([labels[n] for n in chosen]), seed + 30, 30
    )


def fit(items: Sequence[Item], seed: int) -> dict[str, np.ndarray]:
    """A selector from the given sentences; inside, order comes from parts that have not seen the sentence."""
    x = np.concatenate([item.features for item in items])
    y = np.concatenate([alone_targets(item) for item in items])
    weight = np.concatenate([np.full(len(item.found), item.weight) for item in items])
    parts = np.concatenate([np.full(len(item.found), number % PARTS) for number, item in enumerate(items)])
    alone = np.zeros(len(x), np.float32)
    for part in range(PARTS):
        judge = train_judge(x[parts != part], y[parts != part], seed + part, weight=weight[parts != part])
        alone[parts == part] = Selector.judge(judge, x[parts == part])
    rows, targets, start = [], [], 0
    for item in items:
        own = alone[start : start + len(item.found)]
        start += len(item.found)
        order = in_order(own)
        rows.append(np.concatenate([item.features, order_features(item.found, item.masks, own, order)], axis=1))
        targets.append(ordered_targets(item, order))
    first = train_judge(x, y, seed + 10, weight=weight)
    second = train_judge(np.concatenate(rows), np.concatenate(targets), seed + 20, weight=weight)
    return {**{f"alone.{k}": v for k, v in first.items()}, **{f"ordered.{k}": v for k, v in second.items()}}


def with_gold(items: Sequence[Item], without: int = -1) -> list[Item]:
    """The sentences outside of one fold that have tuples and candidates."""
    return [item for item in items if item.fold != without and item.precision.shape[1] and item.found]


def records(items: Sequence[Item], confidences: Sequence[np.ndarray], least: float = 0.0) -> list[Extraction]:
    return [
        Extraction.of(item.analysis.text, text[0], text[1:], confidence=round(float(confidence), 5))
        for item, own in zip(items, confidences, strict=True)
        for text, confidence in zip(item.texts, own, strict=True)
        if confidence >= least
    ]


def carb_figures(
    items: Sequence[Item], confidences: Sequence[np.ndarray], gold: list[Extraction], folds: int
) -> dict[str, Any]:
    predicted = records(items, confidences)
    whole = Carb().evaluate(gold, predicted).score()
    fold_of = {item.analysis.text: item.fold for item in items}
    parts = []
    for fold in range(folds):
        g = [e for e in gold if fold_of.get(e.sentence.text) == fold]
        p = [e for e in predicted if fold_of.get(e.sentence.text) == fold]
        parts.append(Carb().evaluate(g, p).score())
    f1, auc = [s.f1 for s in parts], [s.auc for s in parts]
    return {
        "f1": whole.f1,
        "auc": whole.auc,
        "precision": whole.precision,
        "recall": whole.recall,
        "threshold": whole.threshold,
        "fold_f1": [round(value, 4) for value in f1],
        "fold_auc": [round(value, 4) for value in auc],
        "f1_mean": float(np.mean(f1)),
        "f1_spread": float(np.std(f1)),
        "auc_mean": float(np.mean(auc)),
        "auc_spread": float(np.std(auc)),
    }


def calibration(items: Sequence[Item], confidences: Sequence[np.ndarray], bins: int = 10) -> list[dict[str, float]]:
    """Mean confidence against mean reward, in equal bins of confidence."""
    given, got = [], []
    for item, own in zip(items, confidences, strict=True):
        if item.precision.shape[1]:
            given.append(own)
            got.append(ordered_targets(item, in_order(own)))
    g, r = np.concatenate(given), np.concatenate(got)
    table = []
    for low in np.linspace(0, 1, bins, endpoint=False):
        chosen = (g >= low) & (g < low + 1 / bins)
        if chosen.any():
            table.append(
                {
                    "from": round(float(low), 2),
                    "tuples": int(chosen.sum()),
                    "confidence": round(float(g[chosen].mean()), 3),
                    "reward": round(float(r[chosen].mean()), 3),
                }
            )
    return table


@dataclass(frozen=True, slots=True)
class Cliques:
    """The cliques to measure the drop on: their records, and the parses of their sentences."""

    records: list[Record]
    analyses: list[Analysis]
    fold_of: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Scene:
    """What all kinds of extractors share."""

    data: Path
    seed: int
    folds: int
    leads: Sequence[str]
    scores: Mapping[str, Scores]
    gold: list[Extraction]
    cliques: Cliques | None


def select_one(kind: str, items: list[Item], rewrites: list[Item], scene: Scene) -> dict[str, np.ndarray]:
    """Cross-validated figures of one kind of extractor, and its selector from all sentences."""
    both = [*items, *rewrites]
    fitted = [fit(with_gold(both, fold), scene.seed) for fold in range(scene.folds)]
    selectors = [Selector(weights) for weights in fitted]
    confidences = [selectors[item.fold].confidences(item.features, item.found, item.masks) for item in items]
    labels = fact_labels(items, scene.data)
    judges = [fit_fact(items, confidences, labels, fold, scene.seed) for fold in range(scene.folds)]
    told_of: list[np.ndarray] = []
    for item, own in zip(items, confidences, strict=True):
        rows = np.concatenate([item.features, own[:, None]], axis=1)
        facts = Selector.judge(judges[item.fold], rows) if len(own) else own
        told_of.append((own >= LEAST_CONFIDENCE) | (facts >= LEAST_FACT))
    kept = [np.where(mask, own, -1.0) for mask, own in zip(told_of, confidences, strict=True)]
    with InputFile(scene.data / "benchie/en/gold_annotations_en.dev.txt") as opened:
        gold = list(BENCHIE_GOLD.read(opened.lines()))
    facts_score = Benchie().evaluate(gold, records(items, kept)).score()
    figures: dict[str, Any] = {
        "kind": kind,
        "candidates": float(np.mean([len(item.found) for item in items])),
        "told": float(np.mean([mask.sum() for mask in told_of])),
        "carb": carb_figures(items, kept, scene.gold, scene.folds),
        "carb_all_candidates": carb_figures(items, confidences, scene.gold, scene.folds),
        "benchie": {"precision": facts_score.precision, "recall": facts_score.recall, "f1": facts_score.f1},
        "calibration": calibration(items, confidences),
    }
    if scene.cliques is not None:
        whole = [
            {**weights, **{f"fact.{name}": value for name, value in judge.items()}}
            for weights, judge in zip(fitted, judges, strict=True)
        ]
        predicted = held_out_tuples(
            scene.cliques.analyses,
            scene.cliques.fold_of,
            scene.scores,
            scene.leads,
            whole,
            with_rules=kind == "default",
        )
        figures["cliques"] = drop(scene.cliques.records, predicted, scene.cliques.fold_of, scene.folds)
    print(json.dumps(figures), flush=True)
    weights = fit(with_gold(both), scene.seed)
    fact = fit_fact(items, confidences, labels, -1, scene.seed)
    weights |= {f"fact.{name}": value for name, value in fact.items()}
    return {f"{kind}.{name}": value.astype(np.float32) for name, value in weights.items()}


def parsed_options() -> argparse.Namespace:
    parser = option_parser(__doc__, "data", "prepared", "held-out", "output")
    parser.add_argument("--parser", default="en")
    parser.add_argument("--rewrites", type=Path, help="sentences in other words, to learn from as well")
    parser.add_argument("--weight", type=float, default=REWRITE, help="how much a rewrite counts beside an original")
    parser.add_argument("--cliques", type=Path, help="what `tupelo cliques build` wrote, to measure the drop on")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", default=["default", "neural"])
    return parser.parse_args()


def usable_scores(options: argparse.Namespace, analyses: Mapping[str, Analysis]) -> dict[str, Scores]:
    """Held-out scores of analysed sentences. Sentences left out in training have none, and those that this parser
    splits into other words need new ones."""
    found = held_out_scores(options.held_out, options.prepared)
    return {
        text: own for text, own in found.items() if text in analyses and len(own.anchors) == len(analyses[text].words)
    }


def report_rules(cliques: Cliques, folds: int) -> None:
    """Prints the drop of the rules on the cliques, to compare with."""
    by_rules = told(EXTRACTORS.get("rules")("", {}, None), cliques.analyses)
    figures = drop(cliques.records, by_rules, cliques.fold_of, folds)
    print(json.dumps({"kind": "rules", "cliques": figures}), flush=True)


def main() -> None:
    options = parsed_options()
    torch.set_num_threads(1)
    table = json.loads((options.prepared / "tuples.json").read_text(encoding="utf-8"))
    gold = read_plain(options.data / "carb/gold/dev.tsv")
    folds = folds_of(list(gold))
    known = {sentence: Known(tuples, folds[sentence]) for sentence, tuples in gold.items()}
    rewrites = read_rewrites(options.rewrites, gold) if options.rewrites else {}
    known |= {
        text: Known(reworded.tuples, folds[reworded.original], options.weight) for text, reworded in rewrites.items()
    }
    cliques = read_cliques(options.cliques, folds) if options.cliques else ([], {})
    nlp = tupelo.load(options.parser)
    texts = list(dict.fromkeys([*known, *cliques[1]]))
    analyses = dict(zip(texts, nlp.analyze(texts, lines=True, constituents=False), strict=True))
    scores = usable_scores(options, analyses)
    print(json.dumps({"sentences": len(texts), "without scores": sum(text not in scores for text in texts)}))
    scene = Scene(
        data=options.data,
        seed=options.seed,
        folds=table["folds"],
        leads=table["leads"],
        scores=scores,
        gold=[Extraction.of(s, g.relation, g.arguments) for s, own in gold.items() for g in own],
        cliques=Cliques(cliques[0], [analyses[text] for text in cliques[1]], cliques[1]) if options.cliques else None,
    )
    if scene.cliques is not None:
        report_rules(scene.cliques, scene.folds)
    weights: dict[str, np.ndarray] = {}
    for kind in options.kinds:
        own, others = (
            build_items([analyses[t] for t in some], scores, known, table["leads"], with_rules=kind == "default")
            for some in (gold, rewrites)
        )
        weights |= select_one(kind, own, others, scene)
    save_file({name: np.ascontiguousarray(value) for name, value in weights.items()}, options.output)


def read_cliques(path: Path, folds: Mapping[str, int]) -> tuple[list[Record], dict[str, int]]:
    """The records of cliques whose original is known, and the fold of every sentence: that of its original."""
    kept: list[Record] = []
    fold_of: dict[str, int] = {}
    for record in read_records(path, "robust"):
        text = record.text if isinstance(record, Sentence) else record.sentence.text
        original = record.document_id if isinstance(record, Sentence) else record.group
        if original in folds:
            kept.append(record)
            fold_of.setdefault(text, folds[original])
    return kept, fold_of


if __name__ == "__main__":
    main()
