"""Trains the document-level classifier: mentions, entities and the relations of every pair.

    python -m tupelo_training.facts.train_pairs --prepared prepared/ --large large/ --output teacher-1/ --seconds 270
    python -m tupelo_training.facts.label --prepared prepared/ --large large/ --teachers teacher-*/ --output labels.pt
    python -m tupelo_training.facts.train_pairs --prepared prepared/ --encoder gte.npz --labels labels.pt \
        --output student/ --seconds 500

A teacher (`--large`) learns from FewRel and KnowledgeNet first, then from Re-DocRED. The network that is shipped
(`--encoder`) learns from Re-DocRED and from what the teachers say about it and about raw text (`--labels`). Settings
are compared on the 80 documents `choose` (`--parts train`); the final network learns from all 400 (`--parts train
choose`). The 100 documents that are held out are scored at the end and never chosen by. Needs numpy and torch only.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tupelo_training.facts.corpus import (
    FEWREL,
    KNOWLEDGENET,
    MASK_PIECE,
    NO_TAG,
    REDOCRED,
    SILVER,
    Batch,
    Documents,
    Embeddings,
)
from tupelo_training.facts.large import SHAPE, LargeEmbeddings, LargeReader
from tupelo_training.facts.layers import bert_layer, rated_by_part, rounded
from tupelo_training.facts.pair_network import Outputs, PairReader, PairSizes, adaptive_loss
from tupelo_training.loop import Optimization, training_device
from tupelo_training.options import described, option_parser, write_json
from tupelo_training.weights import write_parts

PARTS = ("train", "choose", "held-out")
# Pairs whose best relation is below this are not written out.
WRITTEN_ABOVE = -6.0
WARM = 0.06
# Of one file of weights.
LARGEST = 15 << 20
cross_entropy = functional.binary_cross_entropy_with_logits


class Trainer:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.device = training_device()
        torch.manual_seed(options.seed)
        self.random = np.random.default_rng(options.seed)
        self.documents = Documents(options.prepared, self.device)
        self.sizes = PairSizes(
            relations=len(self.documents.tables["relations"]), block=options.block, layers=options.layers
        )
        self.embeddings: Embeddings | LargeEmbeddings
        if options.large:
            self.embeddings = LargeEmbeddings(options.large, self.device)
            self.sizes = replace(self.sizes, **{**SHAPE, "layers": options.layers})
            self.model: PairReader = LargeReader(self.sizes, options.dropout, options.head_dropout)
            self.embeddings.fill(self.model)
        else:
            self.embeddings = Embeddings(options.encoder, self.device)
            self.model = PairReader(self.sizes, options.dropout, options.head_dropout)
            for number, layer in enumerate(self.model.layers):
                bert_layer(layer, self.embeddings.weights, number)
        self.model.to(self.device)
        self.average = copy.deepcopy(self.model).eval()
        self.labels: dict[int, dict[str, Any]] = {}
        for path in options.labels or ():
            self.labels |= torch.load(path, map_location="cpu")
        for row, label in self.labels.items():
            if self.documents.source[row] == SILVER:
                self.documents.replace(row, label["mentions"], label["kinds"])
        self.began = time.monotonic()

    def spent(self) -> float:
        return time.monotonic() - self.began

    def read(self, model: PairReader, batch: Batch) -> Outputs:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            found = model(*batch.inputs(self.embeddings))
        return Outputs(*(value.float() for value in found))

    def disturb(self, batch: Batch) -> None:
        """Hides some pieces and some types, so that the network does not learn documents by heart."""
        if self.options.hide:
            hidden = torch.rand(batch.pieces.shape, device=self.device) < self.options.hide
            batch.pieces = torch.where(hidden & (batch.pieces > 105), MASK_PIECE, batch.pieces)
        if self.options.hide_types:
            kept = torch.rand(batch.types.shape, device=self.device) >= self.options.hide_types
            batch.types = torch.where(kept | (batch.types == 0), batch.types, 1)
            if self.random.random() < self.options.hide_types:
                # Marks keep where a mention begins.
                batch.marks = torch.where(batch.marks > 0, 2 - batch.marks % 2, 0)

    def losses(self, batch: Batch) -> Tensor:
        found = self.read(self.model, batch)
        total = torch.zeros((), device=self.device)
        source = self.documents.source[batch.rows[0]]
        scores = (found.scores[..., 1:] - found.scores[..., :1])[batch.known]
        related = found.related[batch.known]
        if source != SILVER:
            gold = batch.gold(self.sizes.relations)[batch.known]
            total = total + adaptive_loss(found.scores[batch.known], gold).mean()
            total = total + self.options.related * cross_entropy(related, gold.amax(-1))
        if source == REDOCRED:
            total = total + functional.cross_entropy(
                found.tags.flatten(0, 1), batch.tags.flatten(), ignore_index=NO_TAG
            )
            pairs = batch.linkable
            same = (batch.entity[:, :, None] == batch.entity[:, None])[pairs].float()
            total = total + cross_entropy(found.linked[pairs], same)
        if self.labels and source in (REDOCRED, SILVER):
            total = total + self.distance(batch, found, scores, related)
        return total

    def distance(self, batch: Batch, found: Outputs, scores: Tensor, related: Tensor) -> Tensor:
        """The distance from what the teachers say about every word, mention and pair."""
        own = [self.labels[row] for row in batch.rows.tolist()]

        def joined(name: str) -> Tensor:
            # Documents of a batch stand one after the other, and so do the pairs of each.
            return torch.cat([label[name] for label in own]).to(self.device, non_blocking=True).float()

        said = joined("related")
        total = cross_entropy(scores, said[:, 1:], reduction="none").sum(-1).mean()
        total = total + self.options.related * cross_entropy(related, said[:, 0])
        words = self.begins(batch)
        total = total - (joined("tags") * functional.log_softmax(found.tags[words], -1)).sum(-1).mean()
        pairs = batch.linkable
        if self.documents.source[batch.rows[0]] == SILVER and pairs.any():
            total = total + cross_entropy(found.linked[pairs], joined("linked"))
        return total

    def begins(self, batch: Batch) -> Tensor:
        """[batch, pieces]: the first piece of every word."""
        table = torch.zeros(batch.pieces.shape, dtype=torch.bool)
        for number, row in enumerate(batch.rows.tolist()):
            table[number, self.documents.item(row).begins + 1] = True
        return table.to(self.device)

    def step(self, batch: Batch, optimization: Optimization, share: float) -> None:
        self.disturb(batch)
        loss = self.losses(batch)
        optimization.backward(loss)
        optimization.step(max(min(share / WARM, (1 - share) / (1 - WARM)), 0.0), None)
        self.last_loss = loss.detach()

    def follow(self, rate: float) -> None:
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.parameters()), list(self.model.parameters()), 1 - rate)

    def stream(self, sources: tuple[int, ...], size: int) -> Iterator[Batch]:
        """Batches of some sources without end, each of one source."""
        found: Iterator[Batch] = iter(())
        while True:
            batch = next(found, None)
            if batch is None:
                rows = self.documents.of(int(self.random.choice(sources)))
                if self.options.few:
                    rows = rows[: self.options.few * 4]
                if self.labels:
                    # A text needs two entities to say anything about a pair.
                    rows = np.array([row for row in rows.tolist() if len(self.labels[row]["kinds"]) > 1])
                found = self.documents.batches(rows, size, self.random)
                continue
            yield batch

    def optimization(self) -> Optimization:
        return rated_by_part(self.model, self.options.encoder_rate, self.options.head_rate)

    def elsewhere(self) -> None:
        """Some steps on the other sources."""
        optimization = self.optimization()
        self.model.train()
        began, done = self.spent(), 0
        for batch in self.stream((FEWREL, FEWREL, KNOWLEDGENET), 64):
            passed = (self.spent() - began) / self.options.elsewhere_seconds
            share = max(passed, done / self.options.elsewhere_steps)
            if share >= 1:
                break
            self.step(batch, optimization, share)
            done += 1
        print(f"elsewhere {done} {self.spent():.0f}s loss {self.last_loss.item():.3f}", flush=True)

    def train(self) -> dict[str, Any]:
        options = self.options
        if options.elsewhere_steps:
            self.elsewhere()
        rows = np.concatenate([self.documents.of(REDOCRED, PARTS.index(part)) for part in options.parts])
        rows = rows[: options.few] if options.few else rows
        self.average.load_state_dict(self.model.state_dict())
        optimization = self.optimization()
        self.model.train()
        raw = self.stream((SILVER,), options.raw_batch)
        began, steps = self.spent(), 0
        total = options.epochs * -(-len(rows) // options.batch)
        for epoch in range(options.epochs):
            for batch in self.documents.batches(rows, options.batch, self.random):
                share = max(steps / total, (self.spent() - began) / max(options.seconds - began, 1))
                if share >= 1:
                    break
                self.step(batch, optimization, share)
                steps += 1
                self.follow(min(options.average, (1 + steps) / (10 + steps)))
                if self.labels:
                    for _ in range(options.raw):
                        self.step(next(raw), optimization, share)
                        self.follow(min(options.average, (1 + steps) / (10 + steps)))
            if epoch % 5 == 4:
                print(f"epoch {epoch + 1} {self.spent():.0f}s loss {self.last_loss.item():.3f}", flush=True)
            if share >= 1:
                break
        return {"steps": steps, "seconds": self.spent()}

    @torch.no_grad()
    def scores(self, part: str) -> dict[str, NDArray[Any]]:
        """Row, head, tail, relation and score of everything that is not hopeless; the same for any relation."""
        where, values = [], []
        rows = self.documents.of(REDOCRED, PARTS.index(part))
        rows = rows[: self.options.few] if self.options.few else rows
        right = words = 0
        for batch in self.documents.batches(rows, 8, None):
            found = self.read(self.average, batch)
            score = torch.cat([found.related[..., None], found.scores[..., 1:] - found.scores[..., :1]], dim=-1)
            score = score.masked_fill(~batch.known[..., None], -100.0)
            places = (score > WRITTEN_ABOVE).nonzero()
            values.append(score[tuple(places.T)].cpu().numpy().astype(np.float16))
            here = places.cpu().numpy()
            here[:, 0] = batch.rows[here[:, 0]]
            where.append(here.astype(np.int16))
            asked = batch.tags != NO_TAG
            right += int((found.tags.argmax(-1) == batch.tags)[asked].sum())
            words += int(asked.sum())
        print(f"{part}: tags right {right / max(words, 1):.4f}", flush=True)
        return {"where": np.concatenate(where), "score": np.concatenate(values), "rows": rows.astype(np.int32)}


def gold_facts(documents: Documents, rows: np.ndarray[Any, Any]) -> set[tuple[int, int, int, int]]:
    """Row, head, tail, relation; relations counted from 1, as 0 is any relation."""
    found = set()
    for row in rows.tolist():
        a, b = documents.first["facts"][row : row + 2]
        columns = [documents.flat[name][a:b].tolist() for name in ("head", "tail", "relation")]
        found |= {(row, head, tail, relation + 1) for head, tail, relation in zip(*columns, strict=True)}
    return found


def best_offset(scored: dict[str, np.ndarray[Any, Any]], gold: set[tuple[int, int, int, int]]) -> tuple[float, float]:
    """The score above which facts are kept for the best F1, and this F1."""
    real = scored["where"][:, 3] > 0
    where, score = scored["where"][real], scored["score"][real].astype(np.float32)
    order = np.argsort(-score, kind="stable")
    right = np.cumsum([tuple(row) in gold for row in where[order].tolist()])
    if not len(order):
        return 0.0, 0.0
    f1 = 2 * right / (np.arange(1, len(order) + 1) + len(gold))
    best = int(f1.argmax())
    return float(score[order[best]]), float(f1[best])


def measure(
    scored: dict[str, np.ndarray[Any, Any]], gold: set[tuple[int, int, int, int]], offset: float
) -> dict[str, float]:
    kept = (scored["where"][:, 3] > 0) & (scored["score"].astype(np.float32) >= offset)
    right = sum(tuple(row) in gold for row in scored["where"][kept].tolist())
    precision, recall = right / max(int(kept.sum()), 1), right / max(len(gold), 1)
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / max(precision + recall, 1e-9)}


def arguments() -> argparse.Namespace:
    parser = option_parser(__doc__, "prepared", "output", encoder="arrays of gte-small")
    parser.add_argument("--large", type=Path, nargs="*", help="folders with the arrays of the larger encoder")
    parser.add_argument("--labels", type=Path, nargs="*", help="what `label` wrote")
    parser.add_argument("--parts", nargs="+", default=["train"], choices=PARTS[:2])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=270)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--raw", type=int, default=1, help="steps on raw text for each on Re-DocRED, with labels")
    parser.add_argument("--raw-batch", type=int, default=12)
    parser.add_argument("--elsewhere-steps", type=int, default=0)
    parser.add_argument("--elsewhere-seconds", type=float, default=60)
    parser.add_argument("--encoder-rate", type=float, default=1e-4)
    parser.add_argument("--head-rate", type=float, default=5e-4)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--head-dropout", type=float, default=0.2)
    parser.add_argument("--hide", type=float, default=0.08)
    parser.add_argument("--hide-types", type=float, default=0.1)
    parser.add_argument("--average", type=float, default=0.99)
    parser.add_argument("--related", type=float, default=0.5)
    parser.add_argument("--block", type=int, default=32)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--few", type=int, default=0, help="for a trial: the first documents of each part")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    trainer = Trainer(options)
    report: dict[str, Any] = trainer.train()
    options.output.mkdir(parents=True, exist_ok=True)
    if options.large:
        torch.save(trainer.average.state_dict(), options.output / "weights.pt")
    else:
        write_parts(rounded(trainer.average.state_dict()).items(), options.output, "weights", LARGEST)
    chosen = None
    for part in PARTS[1:]:
        scored = trainer.scores(part)
        gold = gold_facts(trainer.documents, scored["rows"])
        if chosen is None:
            chosen, _ = best_offset(scored, gold)
        report[part] = {"at 0": measure(scored, gold, 0.0), "at chosen": measure(scored, gold, chosen)}
        report["offset"] = chosen
        np.savez_compressed(options.output / f"scores-{part}.npz", **scored)
    report["sizes"], report["options"] = asdict(trainer.sizes), described(options)
    write_json(options.output / "report.json", report)
    print(json.dumps({k: report[k] for k in ("steps", "seconds", "choose", "held-out")}), flush=True)


if __name__ == "__main__":
    main()
