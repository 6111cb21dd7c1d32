"""Trains the entailment network, cross-validated or on all pairs.

    python -m training.entail.train --encoder all-MiniLM-L6-v2/ --data levyholt/dev --folds relations --output run/
    python -m training.entail.train --encoder all-MiniLM-L6-v2/ --data levyholt/dev --folds none --output run/

`--encoder` is the published folder of all-MiniLM-L6-v2. With folds, `held-out.npz` gets the logits of every pair,
both directions, from a network that has not seen its fold. Without, the weights of one network of all pairs are
saved. `--start` begins with the weights of an earlier run, such as one on other data.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training.entail.data import FOLDS, argument_folds, load_pairs, relation_folds
from training.entail.model import Entailer
from tupelo.core.entailment import EntailmentPair
from tupelo.core.triple import Triple
from tupelo.nlp.subwords import Subwords

LONGEST = 96


@dataclass(frozen=True)
class Example:
    """The forms that a pair can be shown in (equal in meaning), its label and its weight."""

    forms: tuple[EntailmentPair, ...]
    label: float
    weight: float = 1.0


class Reader:
    """Pairs to padded arrays."""

    def __init__(self, vocabulary: Path) -> None:
        self.cut = Subwords(vocabulary.read_text("utf-8").splitlines(), normalize={})

    def pieces(self, pair: EntailmentPair) -> tuple[list[int], list[int]]:
        sides = []
        for triple in (pair.premise, pair.hypothesis):
            words = f"{triple.subject} {triple.relation} {triple.object}".split()
            sides.append([piece for word in words for piece in self.cut.cut(word)[0]][: LONGEST // 2 - 2])
        premise = [self.cut.start, *sides[0], self.cut.end]
        hypothesis = [*sides[1], self.cut.end]
        return premise + hypothesis, [0] * len(premise) + [1] * len(hypothesis)

    def batch(self, pairs: Sequence[EntailmentPair]) -> tuple[Tensor, Tensor, Tensor]:
        rows = [self.pieces(pair) for pair in pairs]
        width = max(len(row[0]) for row in rows)
        arrays = np.zeros((3, len(rows), width), np.int64)
        for number, (pieces, sides) in enumerate(rows):
            arrays[0, number, : len(pieces)] = pieces
            arrays[1, number, : len(pieces)] = sides
            arrays[2, number, : len(pieces)] = 1
        return torch.from_numpy(arrays[0]), torch.from_numpy(arrays[1]), torch.from_numpy(arrays[2])


def batches(sizes: Sequence[int], size: int, chance: random.Random) -> Iterator[list[int]]:
    """Batches of nearly equal length, in random order."""
    order = sorted(range(len(sizes)), key=lambda number: (sizes[number], chance.random()))
    cuts = [order[start : start + size] for start in range(0, len(order), size)]
    chance.shuffle(cuts)
    yield from cuts


# Variables instead of arguments, as people write patterns.
VARIABLES = (("x", "y"), ("a", "b"), ("someone", "something"), ("something", "something else"))


def with_variables(pair: EntailmentPair, chance: random.Random) -> EntailmentPair:
    """The same pair about nobody in particular."""
    first, second = chance.choice(VARIABLES)
    premise, hypothesis = pair.key()
    swapped = hypothesis.subject.split()[-1:] == premise.object.split()[-1:]
    return EntailmentPair(
        Triple(first, premise.relation, second),
        Triple(*((second, hypothesis.relation, first) if swapped else (first, hypothesis.relation, second))),
    )


def examples_of(data: Path) -> tuple[list[EntailmentPair], list[Example], list[EntailmentPair]]:
    """The readable pairs, the examples of training, and the pairs in their original form."""
    readable, original = load_pairs(data / "dev_s.txt"), load_pairs(data / "dev.txt")
    labels = {pair.key(): pair.entailed for pair in readable}
    examples = []
    for pair, other in zip(readable, original, strict=True):
        opposite = labels.get(pair.reversed().key())
        # A pair that holds one way only says most about direction, and there are few.
        weight = 2.0 if opposite is not None and opposite != pair.entailed else 1.0
        examples.append(Example((pair, other), float(bool(pair.entailed)), weight))
    return readable, examples, original


def train(
    reader: Reader, model: Entailer, examples: Sequence[Example], *, seed: int, epochs: int, rate: float, size: int
) -> None:
    chance = random.Random(seed)
    torch.manual_seed(seed)
    model.train()
    head = [*model.hidden.parameters(), *model.output.parameters()]
    body = [parameter for parameter in model.encoder.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW([{"params": body, "lr": rate}, {"params": head, "lr": 5 * rate}], weight_decay=0.01)
    steps = epochs * -(-len(examples) // size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (0.1 * steps)) * max(0.0, 1 - step / steps)
    )
    loss_of = nn.BCEWithLogitsLoss(reduction="none")
    for epoch in range(epochs):
        began, total = time.process_time(), 0.0
        shown = []
        for example in examples:
            pair = example.forms[0] if chance.random() < 0.6 else example.forms[-1]
            shown.append(with_variables(pair, chance) if chance.random() < 0.15 else pair)
        for rows in batches([len(reader.pieces(pair)[0]) for pair in shown], size, chance):
            logits = model(*reader.batch([shown[row] for row in rows]))
            labels = torch.tensor([examples[row].label for row in rows])
            weights = torch.tensor([examples[row].weight for row in rows])
            loss = (weights * loss_of(logits, labels)).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss) * len(rows)
        print(f"epoch {epoch + 1}: loss {total / len(examples):.4f}, {time.process_time() - began:.0f} s", flush=True)


@torch.no_grad()
def logits_of(reader: Reader, model: Entailer, pairs: Sequence[EntailmentPair], size: int = 64) -> np.ndarray:
    model.eval()
    found = np.zeros(len(pairs), np.float32)
    order = sorted(range(len(pairs)), key=lambda number: len(reader.pieces(pairs[number])[0]))
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        found[rows] = model(*reader.batch([pairs[row] for row in rows])).numpy()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder with dev.txt and dev_s.txt")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--folds", choices=["relations", "arguments", "none"], default="relations")
    parser.add_argument("--only", type=int, nargs="*", help="these folds only")
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    reader = Reader(options.encoder / "vocab.txt")
    readable, examples, original = examples_of(options.data)

    def fresh() -> Entailer:
        torch.manual_seed(options.seed)
        model = Entailer(options.encoder)
        if options.start:
            model.load_state_dict(torch.load(options.start, weights_only=True))
        return model

    settings = {"seed": options.seed, "epochs": options.epochs, "rate": options.rate, "size": options.size}
    if options.folds == "none":
        model = fresh()
        train(reader, model, examples, **settings)
        torch.save(model.state_dict(), options.output / "weights.pt")
    else:
        folds = (relation_folds if options.folds == "relations" else argument_folds)(readable)
        found = {name: np.full(len(readable), np.nan, np.float32) for name in ("forward", "backward", "original")}
        for fold in options.only or range(FOLDS):
            inside = np.flatnonzero(folds == fold)
            model = fresh()
            train(reader, model, [examples[number] for number in np.flatnonzero(folds != fold)], **settings)
            found["forward"][inside] = logits_of(reader, model, [readable[number] for number in inside])
            found["backward"][inside] = logits_of(reader, model, [readable[number].reversed() for number in inside])
            found["original"][inside] = logits_of(reader, model, [original[number] for number in inside])
            np.savez(options.output / "held-out.npz", folds=folds, **found)
            print(f"fold {fold} done", flush=True)
    (options.output / "settings.json").write_text(json.dumps({**settings, "folds": options.folds}) + "\n", "utf-8")


if __name__ == "__main__":
    main()
