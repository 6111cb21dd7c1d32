"""Trains the selector: how much will the scorer reward a candidate, given the better ones that are chosen already?

    python -m training.extract.select --data ../shared/data --parser en --held-out run/held-out.npz \
        --prepared prepared-extract/ --output run/selector.safetensors

Candidates are those of the rules and of the network. The reward of a candidate is the mean of what it adds to CaRB's
precision and recall sums when the better candidates of its sentence are in already. Three small networks: the first
judges a candidate alone and gives the order, the second judges it in this order and gives the confidence, the third
says whether it is a complete fact of BenchIE. Scores of the network on CaRB's sentences come from the fold that has
not seen them, and the selector is judged on the same folds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional

import tupelo
from training.extract.prepare import folds_of, read_plain
from tupelo.core import Analysis, Extraction, Triple
from tupelo.extract.neural.extractor import LEAST_CONFIDENCE, LEAST_FACT, gather
from tupelo.extract.neural.features import features_of
from tupelo.extract.neural.masks import Masks, masks_of
from tupelo.extract.neural.scores import Scores, choose_anchors, log_softmax
from tupelo.extract.neural.selector import Selector, in_order, order_features
from tupelo.extract.parts import make_part
from tupelo.extract.rules import Candidate
from tupelo.extract.tree import Tree
from tupelo.io.files import InputFile
from tupelo.io.formats import benchie_gold
from tupelo.score.benchie import Benchie, equal_by_slot, expand, first_cluster, parse_slot, slots_of
from tupelo.score.carb import Carb, Pairing
from tupelo.score.carb_matchers import build_matcher

MEMBERS = 6
HIDDEN = 32
PARTS = 3


@dataclass(slots=True)
class Item:
    """A sentence with its candidates, their features, and their values against every gold tuple."""

    analysis: Analysis
    fold: int
    found: list[Candidate]
    masks: list[Masks]
    texts: list[tuple[str, ...]]
    features: np.ndarray
    precision: np.ndarray
    recall: np.ndarray


def held_out_scores(path: Path, prepared: Path, slots: int = 4) -> list[Scores]:
    """The scores in the file, one per sentence in its order."""
    stored = np.load(path)
    data = {name: stored[name] for name in stored.files}
    flat = np.load(prepared / "tuples.npz")
    length = flat["length"].astype(np.int64)
    places = np.concatenate(([0], np.cumsum(length[data["row"]])))
    starts = np.concatenate(([0], np.cumsum(length[data["sentence"]])))
    of_sentence: dict[int, list[int]] = {}
    for number, sentence in enumerate(data["sentence"].tolist()):
        of_sentence.setdefault(sentence, []).append(number)
    found: dict[int, Scores] = {}
    for place, row in enumerate(data["row"].tolist()):
        anchors = data["anchors"][places[place] : places[place + 1]].astype(np.float32)
        known = {int(data["anchor"][n]): n for n in of_sentence.get(row, [])}
        chosen = tuple(word for word in choose_anchors(anchors) if word in known)
        labels = [data["labels"][starts[known[w]] : starts[known[w] + 1]].astype(np.float32) for w in chosen]
        size = int(length[row])
        stacked = np.stack(labels) if labels else np.zeros((0, size, slots * 5), np.float32)
        rest = (
            np.stack([data["slots"][known[w]].astype(np.float32) for w in chosen])
            if chosen
            else np.zeros((0, data["slots"].shape[1]), np.float32)
        )
        rest = rest.reshape(len(chosen), slots, data["slots"].shape[1] // slots)
        found[row] = Scores(
            anchors,
            chosen,
            log_softmax(stacked.reshape(len(chosen), size, slots, 5)),
            rest[..., 0],
            log_softmax(rest[..., 1:]),
        )
    return [found[row] for row in sorted(found)]


def texts_of(analysis: Analysis, candidate: Candidate) -> tuple[str, ...]:
    """Relation and arguments."""
    parts = (candidate.relation, candidate.subject, *candidate.complements)
    return tuple(make_part(analysis, part).text for part in parts)


def build_items(
    analyses: Sequence[Analysis],
    scores: Sequence[Scores | None],
    gold: dict[str, list[Any]],
    folds: dict[str, int],
    leads: Sequence[str],
    with_rules: bool = True,
) -> list[Item]:
    matcher = build_matcher("binary-lenient", frozenset())
    items = []
    for analysis, own in zip(analyses, scores, strict=True):
        tree = Tree(analysis)
        found, _ = gather(analysis, tree, own, leads, with_rules)
        masks = masks_of(found, len(analysis.words))
        rows = features_of(analysis, tree, found, masks, own, leads)
        # Of candidates that read alike the first one stays.
        texts: dict[tuple[str, ...], int] = {}
        for number, candidate in enumerate(found):
            texts.setdefault(texts_of(analysis, candidate), number)
        keep = list(texts.values())
        wanted = [matcher.prepare(g.relation, g.arguments) for g in gold.get(analysis.text, [])]
        fits = np.zeros((len(keep), len(wanted), 2))
        for i, text in enumerate(texts):
            prepared = matcher.prepare(text[0], text[1:])
            for j, other in enumerate(wanted):
                fits[i, j] = matcher.match(other, prepared)
        items.append(
            Item(
                analysis=analysis,
                fold=folds.get(analysis.text, -1),
                found=[found[number] for number in keep],
                masks=[masks[number] for number in keep],
                texts=list(texts),
                features=rows[keep],
                precision=fits[..., 0],
                recall=fits[..., 1],
            )
        )
    return items


def alone_targets(item: Item) -> np.ndarray:
    if not item.precision.shape[1]:
        return np.zeros(len(item.found), np.float32)
    return ((np.minimum(item.precision, 1) + np.minimum(item.recall, 1)) / 2).max(axis=1).astype(np.float32)


def ordered_targets(item: Item, order: Sequence[int]) -> np.ndarray:
    """What each candidate adds when it comes after those before it in `order`."""
    targets = np.zeros(len(item.found), np.float32)
    pairing = Pairing(item.precision.shape[1])
    best = np.zeros(item.precision.shape[1])
    for column in order:
        before, recall_before = pairing.total(), best.sum()
        values = [(float(p), row) for row, p in enumerate(item.precision[column]) if p > 0]
        pairing.add(column, values)
        best = np.maximum(best, np.minimum(item.recall[column], 1))
        targets[column] = (pairing.total() - before + best.sum() - recall_before) / 2
    return np.clip(targets, 0, 1)


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


def train_judge(x: np.ndarray, y: np.ndarray, seed: int, epochs: int = 20) -> dict[str, np.ndarray]:
    torch.manual_seed(seed)
    mean, spread = x.mean(0), x.std(0) + 1e-3
    inputs, targets = torch.from_numpy(((x - mean) / spread).clip(-6, 6)), torch.from_numpy(y)
    judge = Judge(x.shape[1])
    optimizer = torch.optim.AdamW(judge.parameters(), lr=3e-3, weight_decay=0.05)
    steps = epochs * (len(x) // 256 + 1)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * (1 - step / steps)
        # Every member draws its own sample.
        rows = torch.randint(len(x), (MEMBERS, 256))
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
        gold = list(benchie_gold.FORMAT.read(opened.lines()))
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


def fit(items: Sequence[Item], seed: int) -> tuple[Selector, dict[str, np.ndarray]]:
    """A selector from the given sentences; inside, order comes from parts that have not seen the sentence."""
    x = np.concatenate([item.features for item in items])
    y = np.concatenate([alone_targets(item) for item in items])
    parts = np.concatenate([np.full(len(item.found), number % PARTS) for number, item in enumerate(items)])
    alone = np.zeros(len(x), np.float32)
    for part in range(PARTS):
        judge = train_judge(x[parts != part], y[parts != part], seed + part)
        alone[parts == part] = Selector.judge(judge, x[parts == part])
    rows, targets, start = [], [], 0
    for item in items:
        own = alone[start : start + len(item.found)]
        start += len(item.found)
        order = in_order(own)
        rows.append(np.concatenate([item.features, order_features(item.found, item.masks, own, order)], axis=1))
        targets.append(ordered_targets(item, order))
    first = train_judge(x, y, seed + 10)
    second = train_judge(np.concatenate(rows), np.concatenate(targets), seed + 20)
    weights = {**{f"alone.{k}": v for k, v in first.items()}, **{f"ordered.{k}": v for k, v in second.items()}}
    return Selector(weights), weights


def cross_validated(items: Sequence[Item], folds: int, seed: int) -> list[np.ndarray]:
    """Confidences of all candidates, each by a selector that has not seen the sentence."""
    results: list[np.ndarray] = [np.zeros(0)] * len(items)
    for fold in range(folds):
        selector, _ = fit([item for item in items if item.fold != fold and item.precision.shape[1]], seed)
        for number, item in enumerate(items):
            if item.fold == fold or (item.fold < 0 and fold == 0):
                results[number] = selector.confidences(item.features, item.found, item.masks)
    return results


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


def select_one(
    kind: str, items: list[Item], options: argparse.Namespace, folds: int, plain: list[Extraction]
) -> dict[str, np.ndarray]:
    """Cross-validated figures of one kind of extractor, and its selector from all sentences."""
    confidences = cross_validated(items, folds, options.seed)
    labels = fact_labels(items, options.data)
    told: list[np.ndarray] = []
    judges = [fit_fact(items, confidences, labels, fold, options.seed) for fold in range(folds)]
    for item, own in zip(items, confidences, strict=True):
        rows = np.concatenate([item.features, own[:, None]], axis=1)
        facts = Selector.judge(judges[max(item.fold, 0)], rows) if len(own) else own
        told.append((own >= LEAST_CONFIDENCE) | (facts >= LEAST_FACT))
    kept = [np.where(mask, own, -1.0) for mask, own in zip(told, confidences, strict=True)]
    figures = carb_figures(items, kept, plain, folds)
    with InputFile(options.data / "benchie/en/gold_annotations_en.dev.txt") as opened:
        gold = list(benchie_gold.FORMAT.read(opened.lines()))
    facts_score = Benchie().evaluate(gold, records(items, kept)).score()
    print(
        json.dumps(
            {
                "kind": kind, "candidates": float(np.mean([len(item.found) for item in items])),
                "told": float(np.mean([mask.sum() for mask in told])), "carb": figures,
                "carb_all_candidates": carb_figures(items, confidences, plain, folds),
                "benchie": {"precision": facts_score.precision, "recall": facts_score.recall, "f1": facts_score.f1},
                "calibration": calibration(items, confidences),
            }
        ),
        flush=True,
    )  # fmt: skip
    _, weights = fit([item for item in items if item.precision.shape[1]], options.seed)
    fact = fit_fact(items, confidences, labels, -1, options.seed)
    weights |= {f"fact.{name}": value for name, value in fact.items()}
    return {f"{kind}.{name}": value.astype(np.float32) for name, value in weights.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--parser", default="en")
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--held-out", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", default=["default", "neural"])
    options = parser.parse_args()
    torch.set_num_threads(1)
    table = json.loads((options.prepared / "tuples.json").read_text(encoding="utf-8"))
    gold = read_plain(options.data / "carb/gold/dev.tsv")
    folds = folds_of(list(gold))
    nlp = tupelo.load(options.parser)
    analyses = list(nlp.analyze(list(gold), lines=True, constituents=False))
    source = np.load(options.prepared / "tuples.npz")["source"]
    rows = sorted(np.load(options.held_out)["row"].tolist())
    stored = held_out_scores(options.held_out, options.prepared)
    scores = matched(analyses, [own for own, row in zip(stored, rows, strict=True) if source[row] == 0])
    plain = [Extraction.of(s, g.relation, g.arguments) for s, own in gold.items() for g in own]
    weights: dict[str, np.ndarray] = {}
    for kind in options.kinds:
        items = build_items(analyses, scores, gold, folds, table["leads"], with_rules=kind == "default")
        weights |= select_one(kind, items, options, table["folds"], plain)
    save_file({name: np.ascontiguousarray(value) for name, value in weights.items()}, options.output)


def matched(analyses: Sequence[Analysis], stored: Sequence[Scores]) -> list[Scores | None]:
    """Scores of the sentences that training kept; they are in the same order, the others have none."""
    result: list[Scores | None] = []
    rest = list(stored)
    for analysis in analyses:
        result.append(rest.pop(0) if rest and len(rest[0].anchors) == len(analysis.words) else None)
    return result


if __name__ == "__main__":
    main()
