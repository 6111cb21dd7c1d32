"""Trains the paper's classifier of marked sentences on Re-DocRED, after FewRel and KnowledgeNet.

    python -m tupelo_training.facts.train_sentences --prepared prepared/ --encoder gte.npz --output sentence/

Every second layer of a published encoder is the start (Goodrich et al. 2019, 4.1, train from scratch on far more
examples). A first network, without the 80 documents `choose`, gives the threshold; the second learns from all 400.
Needs numpy and torch only.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tupelo_training.facts.corpus import END_PIECE, REDOCRED, START_PIECE, Embeddings
from tupelo_training.facts.layers import bert_layer, rated_by_part, rounded
from tupelo_training.facts.sentence_network import SentenceReader, SentenceSizes
from tupelo_training.loop import training_device
from tupelo_training.options import described, option_parser, write_json

PARTS = ("train", "choose", "held-out")
WARM = 0.06


class Marked:
    """Marked sentences on the device."""

    def __init__(self, options: argparse.Namespace, device: torch.device) -> None:
        stored = np.load(options.prepared / "marked.npz")
        self.flat = {name: stored[name].astype(np.int64) for name in stored.files}
        self.device = device
        self.first = {
            name: np.concatenate(([0], np.cumsum(self.flat[name]))) for name in ("length", "holds", "doubts")
        }
        self.relations = len(json.loads((options.prepared / "marked.json").read_text(encoding="utf-8"))["relations"])

    def of(self, sources: NDArray[Any], parts: list[int]) -> NDArray[Any]:
        return np.flatnonzero(np.isin(self.flat["source"], sources) & np.isin(self.flat["part"], parts))

    def batches(self, rows: NDArray[Any], size: int, random: np.random.Generator | None) -> Iterator[NDArray[Any]]:
        order = rows if random is None else random.permutation(rows)
        for start in range(0, len(order), size * 8):
            near = order[start : start + size * 8]
            near = near[np.argsort(self.flat["length"][near], kind="stable")]
            groups = [near[i : i + size] for i in range(0, len(near), size)]
            for index in range(len(groups)) if random is None else random.permutation(len(groups)):
                yield groups[index]

    def batch(self, rows: NDArray[Any]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Subwords, mask, relations that hold, and relations that are known."""
        length = -(-(int(self.flat["length"][rows].max()) + 2) // 8) * 8
        pieces, mask = np.zeros((len(rows), length), np.int64), np.zeros((len(rows), length), np.float32)
        holds = np.zeros((len(rows), self.relations), np.float32)
        known = np.ones((len(rows), self.relations), np.float32)
        for i, row in enumerate(rows.tolist()):
            a, b = self.first["length"][row : row + 2]
            pieces[i, : b - a + 2] = [START_PIECE, *self.flat["pieces"][a:b], END_PIECE]
            mask[i, : b - a + 2] = 1
            a, b = self.first["holds"][row : row + 2]
            holds[i, self.flat["relation"][a:b]] = 1
            a, b = self.first["doubts"][row : row + 2]
            known[i, self.flat["doubt"][a:b]] = 0
        pieces_, mask_, holds_, known_ = (torch.from_numpy(x).to(self.device) for x in (pieces, mask, holds, known))
        return pieces_, mask_, holds_, known_


class Trainer:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.device = training_device()
        torch.manual_seed(options.seed)
        self.random = np.random.default_rng(options.seed)
        self.marked = Marked(options, self.device)
        self.embeddings = Embeddings(options.encoder, self.device)
        self.sizes = SentenceSizes(
            self.marked.relations,
            width=384,
            inner=1536,
            attention_heads=12,
            layers=options.layers,
            own_embeddings=False,
        )

    def scores(self, model: SentenceReader, pieces: Tensor, mask: Tensor) -> Tensor:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            found: Tensor = model(self.embeddings(pieces), mask)
        return found.float()

    def train(self, parts: list[int], seconds: float) -> SentenceReader:
        model = SentenceReader(self.sizes)
        for number, layer in enumerate(model.layers):
            bert_layer(layer, self.embeddings.weights, 2 * number + 1)
        model.to(self.device).train()
        average = copy.deepcopy(model).eval()
        began = time.monotonic()
        elsewhere = self.marked.of(np.array([1, 2]), [0])
        own = self.marked.of(np.array([REDOCRED]), parts)
        few = self.options.few or None
        for rows, epochs, share_of_time in ((elsewhere[:few], 3, 0.25), (own[:few], self.options.epochs, 1.0)):
            optimization = rated_by_part(model, self.options.encoder_rate, self.options.head_rate)
            since, until = time.monotonic() - began, seconds * share_of_time
            total, steps, share = epochs * -(-len(rows) // self.options.batch), 0, 0.0
            for _ in range(epochs):
                for group in self.marked.batches(rows, self.options.batch, self.random):
                    share = max(steps / total, (time.monotonic() - began - since) / max(until - since, 1))
                    if share >= 1:
                        break
                    pieces, mask, holds, known = self.marked.batch(group)
                    hidden = torch.rand(pieces.shape, device=self.device) < self.options.hide
                    pieces = torch.where(hidden & (pieces > 2000), 103, pieces)
                    loss = functional.binary_cross_entropy_with_logits(
                        self.scores(model, pieces, mask), holds, reduction="none"
                    )
                    optimization.backward((loss * known).sum(-1).mean())
                    optimization.step(max(min(share / WARM, (1 - share) / (1 - WARM)), 0.0), None)
                    steps += 1
                    keep = min(0.995, (1 + steps) / (10 + steps))
                    with torch.no_grad():
                        torch._foreach_lerp_(list(average.parameters()), list(model.parameters()), 1 - keep)
            print(f"{parts} {steps} steps {time.monotonic() - began:.0f}s", flush=True)
        return average

    @torch.no_grad()
    def probabilities(self, model: SentenceReader, part: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Of every marked pair of a part of Re-DocRED: its row, and the probability and truth of every relation."""
        rows = self.marked.of(np.array([REDOCRED]), [part])[: self.options.few or None]
        numbers, found, gold = [], [], []
        for group in self.marked.batches(rows, 256, None):
            pieces, mask, holds, _ = self.marked.batch(group)
            numbers.append(group)
            found.append(self.scores(model, pieces, mask).sigmoid().cpu().numpy())
            gold.append(holds.cpu().numpy())
        return np.concatenate(numbers), np.concatenate(found), np.concatenate(gold)


def best_threshold(found: NDArray[Any], gold: NDArray[Any]) -> tuple[float, float]:
    """The probability above which relations are kept for the best F1 of marked pairs, and this F1."""
    order = np.argsort(-found.ravel(), kind="stable")
    right = np.cumsum(gold.ravel()[order])
    f1 = 2 * right / (np.arange(1, len(order) + 1) + gold.sum())
    best = int(f1.argmax())
    return float(found.ravel()[order[best]]), float(f1[best])


def figures(found: NDArray[Any], gold: NDArray[Any], threshold: float) -> dict[str, float]:
    kept = found >= threshold
    right = float((kept * gold).sum())
    precision, recall = right / max(float(kept.sum()), 1), right / max(float(gold.sum()), 1)
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / max(precision + recall, 1e-9)}


def main() -> None:
    parser = option_parser(__doc__, "prepared", "encoder", "output")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=180, help="for the two networks together")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--encoder-rate", type=float, default=1e-4)
    parser.add_argument("--head-rate", type=float, default=5e-4)
    parser.add_argument("--hide", type=float, default=0.05)
    parser.add_argument("--few", type=int, default=0, help="for a trial: the first sentences of each part")
    options = parser.parse_args()
    trainer = Trainer(options)
    first = trainer.train([0], options.seconds / 2)
    _, found, gold = trainer.probabilities(first, 1)
    threshold, chosen = best_threshold(found, gold)
    report: dict[str, Any] = {"threshold": threshold, "choose": chosen}
    model = trainer.train([0, 1], options.seconds / 2)
    _, found, gold = trainer.probabilities(model, 2)
    report["held-out"] = figures(found, gold, threshold)
    report["sizes"], report["options"] = asdict(trainer.sizes), described(options)
    options.output.mkdir(parents=True, exist_ok=True)
    np.savez(options.output / "weights.npz", allow_pickle=False, **rounded(model.state_dict()))
    write_json(options.output / "report.json", report)
    print(json.dumps({name: report[name] for name in ("threshold", "choose", "held-out")}), flush=True)


if __name__ == "__main__":
    main()
