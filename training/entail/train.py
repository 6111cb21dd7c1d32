"""Trains the entailment network, cross-validated or on all pairs.

    python -m training.entail.train --prepared prepared-entail/ --weights model.safetensors --data levyholt/dev \
        --folds relations --output run/

`--weights` are those of all-MiniLM-L6-v2. With folds, `held-out.npz` gets the logits of every pair, both directions,
from a network that has not seen its fold. With `--folds none` the weights of one network of all pairs are saved.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training.entail.data import FOLDS, argument_folds, load_pairs, relation_folds
from training.entail.model import ALL_LAYERS, WIDTH, Entailer
from tupelo.core.entailment import EntailmentPair

# How often each form is shown.
SHARES = {"readable": 0.55, "original": 0.3, "variables": 0.15}


class Prepared:
    """Pairs in one form, ready to be batched."""

    def __init__(self, folder: Path, form: str) -> None:
        self.lengths = np.load(folder / f"{form}-lengths.npy")
        self.premises = np.load(folder / f"{form}-premises.npy")
        self.states = np.load(folder / f"{form}-states.npy", mmap_mode="r")
        self.starts = np.concatenate(([0], np.cumsum(self.lengths)))


def batch_of(chosen: Sequence[tuple[Prepared, int]]) -> tuple[Tensor, Tensor, Tensor]:
    width = max(int(form.lengths[number]) for form, number in chosen)
    states = np.zeros((len(chosen), width, WIDTH), np.float32)
    sides, mask = np.zeros((len(chosen), width), np.int64), np.zeros((len(chosen), width), bool)
    for row, (form, number) in enumerate(chosen):
        length = int(form.lengths[number])
        states[row, :length] = form.states[form.starts[number] : form.starts[number + 1]]
        sides[row, form.premises[number] :] = 1
        mask[row, :length] = True
    return torch.from_numpy(states), torch.from_numpy(sides), torch.from_numpy(mask)


def batches(sizes: Sequence[int], size: int, chance: random.Random) -> Iterator[list[int]]:
    """Batches of nearly equal length, in random order."""
    order = sorted(range(len(sizes)), key=lambda number: (sizes[number], chance.random()))
    cuts = [order[start : start + size] for start in range(0, len(order), size)]
    chance.shuffle(cuts)
    yield from cuts


def weights_of(pairs: Sequence[EntailmentPair], more: float) -> np.ndarray:
    """A pair that holds one way only says most about direction, and there are few: `more` for these, 1 for others."""
    labels = {pair.key(): pair.entailed for pair in pairs}
    reverses = [labels.get(pair.reversed().key()) for pair in pairs]
    return np.array(
        [
            1.0 if other is None or other == pair.entailed else more
            for pair, other in zip(pairs, reverses, strict=True)
        ],
        dtype=np.float32,
    )


def train(
    model: Entailer,
    forms: dict[str, Prepared],
    rows: Sequence[int],
    labels: np.ndarray,
    weights: np.ndarray,
    *,
    seed: int,
    epochs: int,
    rate: float,
    size: int,
) -> None:
    chance = random.Random(seed)
    torch.manual_seed(seed)
    model.train()
    head = [*model.hidden.parameters(), *model.answer.parameters()]
    optimizer = torch.optim.AdamW(
        [{"params": model.layers.parameters(), "lr": rate}, {"params": head, "lr": 5 * rate}], weight_decay=0.01
    )
    steps = epochs * -(-len(rows) // size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (0.1 * steps)) * max(0.0, 1 - step / steps)
    )
    loss_of = nn.BCEWithLogitsLoss(reduction="none")
    for epoch in range(epochs):
        began, total = time.process_time(), 0.0
        shown = [(forms[chance.choices(list(SHARES), list(SHARES.values()))[0]], row) for row in rows]
        for cut in batches([int(form.lengths[row]) for form, row in shown], size, chance):
            inside = [shown[place][1] for place in cut]
            logits = model(*batch_of([shown[place] for place in cut]))
            losses = loss_of(logits, torch.from_numpy(labels[inside]))
            loss = (torch.from_numpy(weights[inside]) * losses).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(cut)
        print(f"epoch {epoch + 1}: loss {total / len(rows):.4f}, {time.process_time() - began:.0f} s", flush=True)


@torch.no_grad()
def logits_of(model: Entailer, form: Prepared, rows: Sequence[int], size: int = 64) -> np.ndarray:
    model.eval()
    found = np.zeros(len(rows), np.float32)
    order = sorted(range(len(rows)), key=lambda place: int(form.lengths[rows[place]]))
    for start in range(0, len(order), size):
        cut = order[start : start + size]
        found[cut] = model(*batch_of([(form, rows[place]) for place in cut])).numpy()
    return found


def main() -> None:
    from safetensors.numpy import load_file

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--data", type=Path, required=True, help="folder with dev_s.txt")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--folds", choices=["relations", "arguments", "none"], default="relations")
    parser.add_argument("--only", type=int, nargs="*", help="these folds only")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--directional", type=float, default=2.0, help="weight of pairs that hold one way only")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    published = load_file(options.weights)
    frozen = json.loads((options.prepared / "prepared.json").read_text("utf-8"))["frozen"]
    pairs = load_pairs(options.data / "dev_s.txt")
    labels = np.array([pair.entailed for pair in pairs], dtype=np.float32)
    weights = weights_of(pairs, options.directional)
    forms = {name: Prepared(options.prepared, name) for name in (*SHARES, "reversed")}
    settings = {"seed": options.seed, "epochs": options.epochs, "rate": options.rate, "size": options.size}

    def trained(rows: np.ndarray) -> Entailer:
        torch.manual_seed(options.seed)
        model = Entailer(ALL_LAYERS - frozen)
        model.start_from(published)
        train(model, forms, rows.tolist(), labels, weights, **settings)
        return model

    if options.folds == "none":
        model = trained(np.arange(len(pairs)))
        np.savez(
            options.output / "weights.npz", **{name: value.numpy() for name, value in model.state_dict().items()}
        )
    else:
        folds = (relation_folds if options.folds == "relations" else argument_folds)(pairs)
        kinds = {"forward": "readable", "backward": "reversed", "original": "original"}
        found = {name: np.full(len(pairs), np.nan, np.float32) for name in kinds}
        for fold in options.only or range(FOLDS):
            inside = np.flatnonzero(folds == fold)
            model = trained(np.flatnonzero(folds != fold))
            for name, form in kinds.items():
                found[name][inside] = logits_of(model, forms[form], inside.tolist())
            np.savez(options.output / "held-out.npz", folds=folds, **found)
            print(f"fold {fold} done", flush=True)
    report = {**settings, "folds": options.folds, "frozen": frozen, "directional": options.directional}
    (options.output / "settings.json").write_text(json.dumps(report) + "\n", "utf-8")


if __name__ == "__main__":
    main()
