"""Trains the end-to-end model on WebNLG.

    python -m tupelo_training.facts.train_writer --prepared prepared-facts/ --encoder encoder.npz --output run/ \
        --seconds 170

Every text is learned with all its facts and, in a share of the steps, with one of its subjects in front and the facts
of this subject alone. In another share, names of the text are exchanged for others, in the text and in the facts, so
that the decoder learns to copy names and not only to remember them. Needs numpy and torch only.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tupelo_training.facts.corpus import END_PIECE, START_PIECE, Embeddings
from tupelo_training.facts.layers import bert_layer, rated_by_part, rounded
from tupelo_training.facts.writer_network import FactWriter, WriterSizes
from tupelo_training.facts.written import BETWEEN, END, MARKS, NEXT, START
from tupelo_training.loop import training_device
from tupelo_training.options import described, option_parser

Triple = tuple[tuple[int, ...], int, tuple[int, ...]]
PIECES = 30_522


@dataclass(frozen=True, slots=True)
class Example:
    pieces: tuple[int, ...]
    triples: tuple[Triple, ...]


def read(folder: Path) -> tuple[list[Example], list[Example], dict[str, Any]]:
    stored = np.load(folder / "writing.npz")
    flat = {name: stored[name].astype(np.int64) for name in stored.files}
    tables = json.loads((folder / "writing.json").read_text(encoding="utf-8"))
    parts: tuple[list[Example], list[Example]] = ([], [])
    pieces, names = flat["pieces"].tolist(), flat["names"].tolist()
    at = name_at = triple_at = 0
    for part, length, count in zip(
        flat["part"].tolist(), flat["length"].tolist(), flat["triples"].tolist(), strict=True
    ):
        triples = []
        for number in range(triple_at, triple_at + count):
            middle = name_at + int(flat["subject_length"][number])
            end = middle + int(flat["object_length"][number])
            triples.append((tuple(names[name_at:middle]), int(flat["relation"][number]), tuple(names[middle:end])))
            name_at = end
        triple_at += count
        parts[part].append(Example(tuple(pieces[at : at + length]), tuple(triples)))
        at += length
    return *parts, tables


def find(part: tuple[int, ...], whole: tuple[int, ...]) -> int:
    for place in range(len(whole) - len(part) + 1):
        if whole[place : place + len(part)] == part:
            return place
    return -1


def exchange(example: Example, names: list[tuple[int, ...]], random: np.random.Generator) -> Example:
    """One name of the text becomes another one, in the text and in the facts."""
    own = [name for name in dict.fromkeys(n for s, _, o in example.triples for n in (s, o)) if len(name) > 1]
    if not own:
        return example
    old = own[int(random.integers(len(own)))]
    new = names[int(random.integers(len(names)))]
    place = find(old, example.pieces)
    if place < 0 or any(old != name and find(old, name) >= 0 for s, _, o in example.triples for name in (s, o)):
        return example
    pieces = example.pieces
    while place >= 0:
        pieces = (*pieces[:place], *new, *pieces[place + len(old) :])
        after = find(old, pieces[place + len(new) :])
        place = after if after < 0 else place + len(new) + after
    triples = tuple((new if s == old else s, r, new if o == old else o) for s, r, o in example.triples)
    return Example(pieces, triples) if len(pieces) < 200 else example


def source_of(pieces: tuple[int, ...], subject: tuple[int, ...] = ()) -> list[int]:
    """`subject; text` as the encoder reads it."""
    return [START_PIECE, *subject, *([END_PIECE] if subject else []), *pieces, END_PIECE]


def target_of(triples: tuple[Triple, ...] | list[Triple]) -> list[int]:
    """Tokens with the marks at the start and the end."""
    tokens = [PIECES + START]
    for number, (subject, relation, object_) in enumerate(triples):
        tokens += [PIECES + NEXT] if number else []
        tokens += [*subject, PIECES + BETWEEN, PIECES + MARKS + relation, PIECES + BETWEEN, *object_]
    return [*tokens, PIECES + END]


def triples_of(tokens: list[int]) -> set[Triple]:
    """The facts that a sequence of tokens spells; what is not well formed is left out."""
    found: set[Triple] = set()
    parts: list[list[int]] = [[]]
    for token in [*tokens, PIECES + END]:
        mark = token - PIECES
        if mark in (NEXT, END):
            if len(parts) == 3 and len(parts[1]) == 1 and parts[1][0] >= PIECES + MARKS and parts[0] and parts[2]:
                found.add((tuple(parts[0]), parts[1][0] - PIECES - MARKS, tuple(parts[2])))
            parts = [[]]
            if mark == END:
                break
        elif mark == BETWEEN:
            parts.append([])
        elif mark != START:
            parts[-1].append(token)
    return found


class Trainer:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.device = training_device()
        torch.manual_seed(options.seed)
        self.random = np.random.default_rng(options.seed)
        self.train_part, self.dev_part, self.tables = read(options.prepared)
        if options.few:
            self.train_part, self.dev_part = self.train_part[: options.few], self.dev_part[: options.few]
        self.names = sorted({n for e in self.train_part for s, _, o in e.triples for n in (s, o)})
        self.generated = sorted({piece for name in self.names for piece in name})
        self.embeddings = Embeddings(options.encoder, self.device)
        self.looks = self.embeddings.at_start()
        self.sizes = WriterSizes(
            relations=len(self.tables["relations"]),
            generated=len(self.generated),
            layers=options.layers,
            decoder_layers=options.decoder_layers,
        )
        self.model = FactWriter(self.sizes, self.generated, options.dropout)
        for number, layer in enumerate(self.model.layers):
            bert_layer(layer, self.embeddings.weights, number)
        self.model.to(self.device)
        with torch.no_grad():
            rows = torch.tensor(self.generated, device=self.device)
            self.model.write.weight[MARKS + self.sizes.relations :] = self.looks[rows] * 0.1
        self.average = {name: value.detach().clone() for name, value in self.model.named_parameters()}
        self.began = time.monotonic()

    def spent(self) -> float:
        return time.monotonic() - self.began

    def padded(self, rows: list[list[int]], filler: int) -> Tensor:
        table = np.full((len(rows), max(map(len, rows))), filler, np.int64)
        for number, row in enumerate(rows):
            table[number, : len(row)] = row
        return torch.from_numpy(table).to(self.device, non_blocking=True)

    def seen(self, example: Example) -> tuple[list[int], list[int]]:
        """An example as it is learned this time."""
        if self.random.random() < self.options.exchange:
            for _ in range(1 + int(self.random.integers(3))):
                example = exchange(example, self.names, self.random)
        if self.random.random() < self.options.with_subject:
            subjects = list(dict.fromkeys(s for s, _, _ in example.triples))
            subject = subjects[int(self.random.integers(len(subjects)))]
            return source_of(example.pieces, subject), target_of([t for t in example.triples if t[0] == subject])
        return source_of(example.pieces), target_of(example.triples)

    def loss(self, rows: list[Example]) -> Tensor:
        sources, targets = zip(*(self.seen(example) for example in rows), strict=True)
        source = self.padded(list(sources), 0)
        tokens = self.padded(list(targets), -1)
        mask = (source > 0).float()
        pieces = source
        if self.options.hide:
            hidden = (torch.rand(source.shape, device=self.device) < self.options.hide) & (source > 105)
            pieces = torch.where(hidden, 103, source)
        memory = self.model.encode(self.embeddings(pieces), mask)
        before, after = tokens[:, :-1].clamp(min=0), tokens[:, 1:]
        looks = self.looks[before.clamp(max=PIECES - 1)]
        written, copied, gate = self.model.decode(before, looks, memory, mask)
        real = (after >= 0).float()
        found = self.model.log_probability(after.clamp(min=0), written, copied, gate, source)
        smooth = self.options.smoothing
        even = -written.mean(-1) * smooth if smooth else 0.0
        return ((-found * (1 - smooth) + even) * real).sum() / real.sum()

    def train(self) -> dict[str, Any]:
        options = self.options
        optimization = rated_by_part(self.model, options.encoder_rate, options.decoder_rate)
        self.model.train()
        lengths = np.array([len(example.pieces) + 8 * len(example.triples) for example in self.train_part])
        total = options.epochs * -(-len(lengths) // options.batch)
        steps = 0
        for epoch in range(options.epochs):
            order = self.random.permutation(len(lengths))
            groups = []
            for start in range(0, len(order), options.batch * 20):
                near = order[start : start + options.batch * 20]
                near = near[np.argsort(lengths[near], kind="stable")]
                groups += [near[i : i + options.batch] for i in range(0, len(near), options.batch)]
            for index in self.random.permutation(len(groups)):
                share = max(steps / total, self.spent() / options.seconds)
                if share >= 1:
                    return {"steps": steps, "seconds": self.spent(), "epochs": epoch}
                with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                    loss = self.loss([self.train_part[i] for i in groups[index]])
                optimization.backward(loss)
                steps += 1
                factor = min(share / 0.05, (1 - share) / 0.95)
                optimization.step(factor, min(options.average, (1 + steps) / (10 + steps)))
                self.average = optimization.mean.named(dict(self.model.named_parameters()))
            print(f"epoch {epoch + 1} {self.spent():.0f}s {steps} loss {loss.item():.4f}", flush=True)
        return {"steps": steps, "seconds": self.spent(), "epochs": options.epochs}

    def greedy(self, rows: list[Example], most: int) -> list[list[int]]:
        """The most probable token, step by step."""
        source = self.padded([source_of(example.pieces) for example in rows], 0)
        mask = (source > 0).float()
        memory = self.model.encode(self.embeddings(source), mask)
        tokens = torch.full((len(rows), 1), PIECES + START, device=self.device)
        done = torch.zeros(len(rows), dtype=torch.bool, device=self.device)
        size = PIECES + MARKS + self.sizes.relations
        spot = torch.tensor(
            [*(PIECES + i for i in range(MARKS + self.sizes.relations)), *self.generated], device=self.device
        )
        for _ in range(most):
            looks = self.looks[tokens.clamp(max=PIECES - 1)]
            written, copied, gate = self.model.decode(tokens, looks, memory, mask)
            chance = torch.zeros(len(rows), size, device=self.device)
            hand = gate[:, -1:].sigmoid()
            chance[:, spot] = written[:, -1].exp() * hand
            chance.scatter_add_(1, source, copied[:, -1].exp() * (1 - hand))
            chance[:, 0] = 0
            best = torch.where(done, PIECES + END, chance.argmax(-1))
            tokens = torch.cat([tokens, best[:, None]], dim=1)
            done |= best == PIECES + END
            if bool(done.all()):
                break
        return tokens[:, 1:].tolist()

    def evaluate(self) -> tuple[dict[str, float], list[list[int]]]:
        self.model.load_state_dict(self.average, strict=False)
        self.model.eval()
        order = np.argsort([len(example.pieces) for example in self.dev_part], kind="stable").tolist()
        written: list[list[int]] = [[] for _ in order]
        with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            for start in range(0, len(order), 256):
                rows = order[start : start + 256]
                found = self.greedy([self.dev_part[i] for i in rows], self.options.most_steps)
                for i, tokens in zip(rows, found, strict=True):
                    written[i] = tokens
        right = said = true = 0
        for example, tokens in zip(self.dev_part, written, strict=True):
            found_triples, gold = triples_of(tokens), set(example.triples)
            right, said, true = right + len(found_triples & gold), said + len(found_triples), true + len(gold)
        precision, recall = right / max(said, 1), right / max(true, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        return {"precision": precision, "recall": recall, "f1": f1}, written


def arguments() -> argparse.Namespace:
    parser = option_parser(__doc__, "prepared", "encoder", "output")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=170)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--encoder-rate", type=float, default=1.5e-4)
    parser.add_argument("--decoder-rate", type=float, default=7e-4)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--hide", type=float, default=0.05)
    parser.add_argument("--exchange", type=float, default=0.3)
    parser.add_argument("--with-subject", type=float, default=0.15)
    parser.add_argument("--smoothing", type=float, default=0.0)
    parser.add_argument("--average", type=float, default=0.998)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--decoder-layers", type=int, default=3)
    parser.add_argument("--most-steps", type=int, default=200)
    parser.add_argument("--few", type=int, default=0)
    parser.add_argument("--save", action="store_true")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    trainer = Trainer(options)
    report: dict[str, Any] = trainer.train()
    options.output.mkdir(parents=True, exist_ok=True)
    report["dev"], written = trainer.evaluate()
    report["sizes"], report["options"] = asdict(trainer.sizes), described(options)
    report["generated"] = trainer.generated
    (options.output / "written.json").write_text(json.dumps(written) + "\n", encoding="utf-8")
    if options.save:
        np.savez_compressed(options.output / "weights.npz", **rounded(trainer.model.state_dict()))
    (options.output / "report.json").write_text(json.dumps(report) + "\n", encoding="utf-8")
    print(json.dumps({k: report[k] for k in ("steps", "seconds", "dev")}), flush=True)


if __name__ == "__main__":
    main()
