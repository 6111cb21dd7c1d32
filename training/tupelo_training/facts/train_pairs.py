"""Trains the document-level classifier of relations.

    python -m tupelo_training.facts.train_pairs --prepared prepared-facts/ --encoder encoder.npz --output run/ \
        --seconds 170

First on FewRel and KnowledgeNet (with `--webnlg` also on WebNLG), then on Re-DocRED; with `--large` a larger
network is trained first, and the one that is saved learns from it too, on Re-DocRED and on raw text. Settings are
compared on the 80 documents `choose` (`--parts train`); the final network learns from all 400 (`--parts train
choose`). The 100 documents that are held out are scored at the end and never chosen by. Needs numpy and torch only.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tupelo_training.facts.corpus import (
    FEWREL,
    KNOWLEDGENET,
    MASK_PIECE,
    REDOCRED,
    SILVER,
    WEBNLG,
    Batch,
    Documents,
    Embeddings,
)
from tupelo_training.facts.large import SHAPE, LargeEmbeddings, LargeReader
from tupelo_training.facts.layers import bert_layer, rated_by_part, rounded
from tupelo_training.facts.pair_network import PairReader, PairSizes, adaptive_loss, sigmoid_loss
from tupelo_training.loop import Optimization, training_device
from tupelo_training.options import described, option_parser, write_json

PARTS = ("train", "choose", "held-out")
LOSSES = {"adaptive": adaptive_loss, "sigmoid": sigmoid_loss}
# Pairs whose best relation is below this are not written out.
WRITTEN_ABOVE = -6.0


class Trainer:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.device = training_device()
        torch.manual_seed(options.seed)
        self.random = np.random.default_rng(options.seed)
        self.documents = Documents(options.prepared, self.device)
        self.shared = Embeddings(options.encoder, self.device)
        tables = self.documents.tables
        self.sizes = PairSizes(
            relations=len(tables["relations"]),
            others=len(tables["others"]),
            block=options.block,
            pair=options.pair,
            rounds=options.rounds,
            layers=options.layers,
        )
        self.teacher: tuple[PairReader, Callable[[Tensor], Tensor]] | None = None
        if options.large:
            large = LargeEmbeddings(options.large, self.device)
            shape = {**SHAPE, "layers": min(options.layers * 2, SHAPE["layers"])}
            self.start(LargeReader(replace(self.sizes, **shape), options.dropout, options.head_dropout), large)
            large.fill(self.model)
        else:
            self.start(PairReader(self.sizes, options.dropout, options.head_dropout), self.shared)
            for number, layer in enumerate(self.model.layers):
                bert_layer(layer, self.shared.weights, number)
        self.loss = LOSSES[options.loss]
        self.began = time.monotonic()

    def start(self, model: PairReader, embeddings: Callable[[Tensor], Tensor]) -> None:
        """Trains this network from now on."""
        self.model, self.embeddings = model.to(self.device), embeddings
        self.average = copy.deepcopy(self.model).eval()

    def taught(self) -> None:
        """What was trained so far becomes the teacher of a network of the shipped size."""
        self.teacher = (self.average, self.embeddings)
        self.said: dict[int, Tensor] = {}
        self.ask_teacher(self.rows())
        self.ask_teacher(self.documents.of(SILVER))
        if self.options.webnlg:
            self.ask_teacher(self.documents.of(WEBNLG))
        print(f"asked {self.spent():.0f}s", flush=True)
        self.start(PairReader(self.sizes, self.options.dropout, self.options.head_dropout), self.shared)
        for number, layer in enumerate(self.model.layers):
            bert_layer(layer, self.shared.weights, number)
        self.model.to(self.device)

    def spent(self) -> float:
        return time.monotonic() - self.began

    def optimization(self) -> Optimization:
        options = self.options
        return rated_by_part(self.model, options.encoder_rate, options.head_rate, options.decay)

    def disturb(self, batch: Batch) -> None:
        """Hides some pieces and some types, so that the network does not learn documents by heart."""
        if self.options.hide:
            hidden = torch.rand(batch.pieces.shape, device=self.device) < self.options.hide
            batch.pieces = torch.where(hidden & (batch.pieces > 105), MASK_PIECE, batch.pieces)
        if self.options.hide_types:
            kept = torch.rand(batch.types.shape, device=self.device) >= self.options.hide_types
            batch.types = torch.where(kept | (batch.types == 0), batch.types, 1)
            if torch.rand(()) < self.options.hide_types:
                # Marks keep where a mention begins.
                batch.marks = torch.where(batch.marks > 0, 2 - batch.marks % 2, 0)

    def losses(self, batch: Batch, *, other: bool) -> Tensor:
        logits, related, others = self.model(*batch.inputs(self.embeddings))
        known = batch.known
        if other:
            gold = batch.gold(self.sizes.others)[known]
            return (
                functional.binary_cross_entropy_with_logits(others[known].float(), gold, reduction="none")
                .sum(-1)
                .mean()
            )
        gold = batch.gold(self.sizes.relations)[known]
        total = self.loss(logits[known].float(), gold).mean()
        whether = functional.binary_cross_entropy_with_logits(related[known].float(), gold.amax(-1))
        return total + self.options.related * whether

    def ask_teacher(self, rows: np.ndarray[Any, Any]) -> None:
        """Keep the teacher's predictions for every pair of some documents: any relation, then each of them."""
        assert self.teacher is not None
        teacher, embeddings = self.teacher
        with torch.no_grad():
            for batch in self.documents.batches(rows, 8, None):
                with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                    logits, related, _ = teacher(*batch.inputs(embeddings))
                said = torch.cat([related[..., None], logits[..., 1:] - logits[..., :1]], dim=-1).float().sigmoid()
                for number, row in enumerate(batch.rows.tolist()):
                    self.said[row] = said[number][batch.known[number]].half()

    def learn_from_teacher(self, batch: Batch) -> Tensor:
        """The distance from the teacher's predictions for every pair and relation."""
        # Documents of a batch stand one after the other, and so do the pairs of each.
        said = torch.cat([self.said[row] for row in batch.rows.tolist()]).float()
        logits, related, _ = self.model(*batch.inputs(self.embeddings))
        scores = (logits[..., 1:] - logits[..., :1])[batch.known].float()
        cross = functional.binary_cross_entropy_with_logits
        total = cross(scores, said[:, 1:], reduction="none").sum(-1).mean() + self.options.related * cross(
            related[batch.known].float(), said[:, 0]
        )
        if batch.gold_known:
            gold = batch.gold(self.sizes.relations)[batch.known]
            total = total + self.loss(logits[batch.known].float(), gold).mean()
        return total

    def step(self, batch: Batch, optimization: Optimization, share: float, *, other: bool, weight: float = 1) -> None:
        self.disturb(batch)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            if self.teacher is not None:
                loss = self.learn_from_teacher(batch)
            else:
                loss = self.losses(batch, other=other) * weight
        optimization.backward(loss)
        warm = 0.06
        optimization.step(max(min(share / warm, (1 - share) / (1 - warm)), 0.0), None)
        self.last_loss = loss.detach()

    def follow(self, rate: float) -> None:
        with torch.no_grad():
            for mean, now in zip(self.average.parameters(), self.model.parameters(), strict=True):
                mean.lerp_(now, 1 - rate)

    def elsewhere(self) -> None:
        """Some steps on the other sources."""
        optimization = self.optimization()
        self.model.train()
        sources = [(FEWREL, 0.35), (KNOWLEDGENET, 0.2), (WEBNLG, 0.45)]
        if not self.options.webnlg:
            sources = [(FEWREL, 0.6), (KNOWLEDGENET, 0.4)]
        streams = {source: iter(()) for source, _ in sources}
        done, limit = 0, self.options.elsewhere_seconds
        began = self.spent()
        while done < self.options.elsewhere_steps and (share := (self.spent() - began) / limit) < 1:
            source = int(self.random.choice([source for source, _ in sources], p=[share for _, share in sources]))
            batch = next(streams[source], None)
            if batch is None:
                streams[source] = self.documents.batches(self.documents.of(source), 64, self.random)
                batch = next(streams[source])
            self.step(batch, optimization, max(share, done / self.options.elsewhere_steps), other=source == WEBNLG)
            done += 1
            if done % 200 == 0:
                print(f"elsewhere {done} {self.spent():.0f}s loss {self.last_loss.item():.3f}", flush=True)

    def rows(self) -> np.ndarray[Any, Any]:
        """The documents of Re-DocRED that are learned from."""
        rows = np.concatenate([self.documents.of(REDOCRED, PARTS.index(part)) for part in self.options.parts])
        return rows[: self.options.few] if self.options.few else rows

    def raw_batch(self) -> Batch:
        """Some texts without labels; all their pairs are for the teacher to judge."""
        batch = next(self.raw, None)
        if batch is None:
            source = int(self.random.choice([SILVER, SILVER, WEBNLG] if self.options.webnlg else [SILVER]))
            self.raw = self.documents.batches(self.documents.of(source), 8 if source == SILVER else 24, self.random)
            batch = next(self.raw)
        batch.gold_known = False
        return batch

    def train(self, seconds: float, epochs: int) -> dict[str, Any]:
        options = self.options
        self.raw: Iterator[Batch] = iter(())
        if options.elsewhere_steps and self.teacher is None:
            self.elsewhere()
        rows = self.rows()
        self.average.load_state_dict(self.model.state_dict())
        optimization = self.optimization()
        self.model.train()
        began, steps = self.spent(), 0
        total = epochs * -(-len(rows) // options.batch)
        others = iter(())
        for epoch in range(epochs):
            if self.spent() > seconds:
                break
            for batch in self.documents.batches(rows, options.batch, self.random):
                share = max(steps / total, (self.spent() - began) / max(seconds - began, 1))
                if share >= 1:
                    break
                self.step(batch, optimization, share, other=False)
                steps += 1
                if options.mix and self.random.random() < options.mix:
                    extra = next(others, None)
                    if extra is None:
                        source = int(self.random.choice([FEWREL, KNOWLEDGENET]))
                        others = self.documents.batches(self.documents.of(source), 32, self.random)
                        extra = next(others)
                    self.step(extra, optimization, share, other=False, weight=0.3)
                self.follow(min(options.average, (1 + steps) / (10 + steps)))
                if self.teacher is not None:
                    for _ in range(options.raw):
                        self.step(self.raw_batch(), optimization, share, other=False)
                        self.follow(options.average)
            if epoch % 10 == 9:
                print(f"epoch {epoch + 1} {self.spent():.0f}s loss {self.last_loss.item():.3f}", flush=True)
        return {"steps": steps, "seconds": self.spent()}

    def scores(self, part: str) -> dict[str, np.ndarray[Any, Any]]:
        """Row, head, tail, relation and score of everything that is not hopeless; the same for any relation."""
        found: list[np.ndarray[Any, Any]] = []
        values: list[np.ndarray[Any, Any]] = []
        model = self.average
        rows = self.documents.of(REDOCRED, PARTS.index(part))
        if self.options.few:
            rows = rows[: self.options.few]
        with torch.no_grad():
            for batch in self.documents.batches(rows, 8, None):
                with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                    logits, related, _ = model(*batch.inputs(self.embeddings))
                score = torch.cat([related[..., None].float(), (logits[..., 1:] - logits[..., :1]).float()], dim=-1)
                score = score.masked_fill(~batch.known[..., None], -100.0)
                places = (score > WRITTEN_ABOVE).nonzero()
                values.append(score[tuple(places.T)].cpu().numpy().astype(np.float16))
                where = places.cpu().numpy()
                where[:, 0] = batch.rows[where[:, 0]]
                found.append(where.astype(np.int16))
        return {"where": np.concatenate(found), "score": np.concatenate(values), "rows": rows.astype(np.int32)}


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
    parser = option_parser(__doc__, "prepared", "encoder", "output")
    parser.add_argument("--parts", nargs="+", default=["train"], choices=PARTS[:2])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=170)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--elsewhere-steps", type=int, default=0)
    parser.add_argument("--elsewhere-seconds", type=float, default=60)
    parser.add_argument(
        "--mix", type=float, default=0.0, help="steps on the other sources between those on Re-DocRED"
    )
    parser.add_argument("--encoder-rate", type=float, default=1e-4)
    parser.add_argument("--head-rate", type=float, default=5e-4)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--head-dropout", type=float, default=0.2)
    parser.add_argument("--hide", type=float, default=0.08)
    parser.add_argument("--hide-types", type=float, default=0.05)
    parser.add_argument("--average", type=float, default=0.99)
    parser.add_argument("--related", type=float, default=0.5)
    parser.add_argument("--loss", choices=sorted(LOSSES), default="adaptive")
    parser.add_argument("--block", type=int, default=64)
    parser.add_argument("--pair", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--few", type=int, default=0, help="for a trial: the first documents of each part")
    parser.add_argument("--save", action="store_true")
    parser.add_argument(
        "--large", type=Path, nargs="*", help="folders with the arrays of the larger encoder: a teacher first"
    )
    parser.add_argument("--teacher-seconds", type=float, default=120)
    parser.add_argument("--teacher-epochs", type=int, default=25)
    parser.add_argument("--teacher-rate", type=float, default=5e-5)
    parser.add_argument(
        "--webnlg", action="store_true", help="also learn from WebNLG, which is not for commercial use"
    )
    parser.add_argument("--raw", type=int, default=1, help="steps on raw text for each on Re-DocRED, with a teacher")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    trainer = Trainer(options)
    if options.large:
        own_rate, options.encoder_rate = options.encoder_rate, options.teacher_rate
        trainer.train(options.teacher_seconds, options.teacher_epochs)
        for part in PARTS[1:]:
            scored = trainer.scores(part)
            gold = gold_facts(trainer.documents, scored["rows"])
            print("teacher", part, best_offset(scored, gold), measure(scored, gold, 0.0), flush=True)
        options.encoder_rate = own_rate
        trainer.taught()
    report: dict[str, Any] = trainer.train(options.seconds, options.epochs)
    options.output.mkdir(parents=True, exist_ok=True)
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
    if options.save:
        np.savez_compressed(options.output / "weights.npz", **rounded(trainer.average.state_dict()))
    write_json(options.output / "report.json", report)
    print(json.dumps({k: report[k] for k in ("steps", "seconds", "choose", "held-out")}), flush=True)


if __name__ == "__main__":
    main()
