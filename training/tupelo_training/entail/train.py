"""Fits the weights of the entailment model and measures them on held-out folds.

    python -m tupelo_training.entail.train --data levyholt --network FOLDER --output src/tupelo/models/en-entail \
        [--held-out FOLDER]

`--network` is what `tupelo_training.entail.network` wrote: its layers, trained on all pairs, and the logits of layers
that had not seen a pair's fold. The judgement is the mean of the network's logit and that of the features; nothing is
fitted between the two, so the figures of the folds are those of the mean.

The features: logistic regression with a penalty for each block of inputs (`infer.methods.learned`), by Newton's
method; numpy only, and a minute of one core, most of it for the vectors. Blocks of many dimensions are reduced to
their principal components before fitting; the weights that ship are those of the dimensions.

Two divisions of the pairs into folds measure different things: `relations` (no relation that occurs often is in two
folds) how the model does on relations that it never saw, `arguments` (no pair of arguments is in two folds) how it
does on new statements with relations some of which it saw. `--held-out` writes the scores of both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tupelo.core.entailment import EntailmentPair
from tupelo.inference.methods.learned import BLOCKS, FORMAT, NAMES, input_blocks
from tupelo.nlp.encoder import LAYERS, load_encoder
from tupelo.scorers.inference import Inference
from tupelo_training.encoder.export import layers_graph
from tupelo_training.entail.data import FOLDS, argument_folds, load_pairs, relation_folds
from tupelo_training.options import option_parser, write_checksums

VERSION = "2.1.0"
HEADS = 12
# How many principal components of a block are used, and how strongly their weights are held back. Chosen on the
# folds by relations: weaker penalties fit the relations of training better and new ones worse.
COMPONENTS = {"statements": 80, "relations": 80, "premise": 60, "hypothesis": 60}
PENALTIES = {
    "statements": 600.0,
    "relations": 600.0,
    "premise": 250.0,
    "hypothesis": 250.0,
    "cosines": 5.0,
    "words": 5.0,
    "words_if_near": 60.0,
}
# A pair that holds one way only says most about direction, and there are few.
DIRECTIONAL = 1.5
# Of the network's logit in the sum, the rest being that of the features. A plain mean; not tuned.
SHARE = 0.5
# Mean length of a row of components: brings blocks of many small numbers to the scale of the others.
LENGTH = 4.0

Blocks = dict[str, np.ndarray]


class Scaling:
    """From inputs to columns of comparable size, and from weights of columns back to weights of inputs."""

    def __init__(self, blocks: Blocks) -> None:
        self.means, self.maps = {}, {}
        for name in BLOCKS:
            block = blocks[name]
            self.means[name] = block.mean(axis=0)
            if name in COMPONENTS:
                centred = block - self.means[name]
                _, axes = np.linalg.eigh(centred.T @ centred)
                kept = axes[:, -COMPONENTS[name] :]
                # The sign of an axis is arbitrary; fixed, so that every machine gives the same weights.
                kept = kept * np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(kept.shape[1])])
                self.maps[name] = kept * (LENGTH / np.sqrt(((centred @ kept) ** 2).sum(axis=1).mean()))
            else:
                spread = block.std(axis=0)
                self.maps[name] = np.diag(1 / np.where(spread > 0, spread, 1.0))

    def columns(self, blocks: Blocks) -> np.ndarray:
        return np.concatenate([(blocks[name] - self.means[name]) @ self.maps[name] for name in BLOCKS], axis=1)

    def penalties(self) -> np.ndarray:
        return np.concatenate([np.full(self.maps[name].shape[1], PENALTIES[name]) for name in BLOCKS])

    def weights(self, found: np.ndarray) -> Blocks:
        """Weights of the inputs themselves."""
        parts = np.split(found, np.cumsum([self.maps[name].shape[1] for name in BLOCKS])[:-1])
        return {name: self.maps[name] @ part for name, part in zip(BLOCKS, parts, strict=True)}


def fit(
    columns: np.ndarray, labels: np.ndarray, weights: np.ndarray, penalties: np.ndarray
) -> tuple[np.ndarray, float]:
    """Weights of the columns and the bias, where the penalised likelihood is largest."""
    x = np.column_stack([columns, np.ones(len(columns))])
    ridge = np.append(penalties, 0.0)
    found = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-(x @ found)))
        gradient = x.T @ (weights * (p - labels)) + ridge * found
        step = np.linalg.solve((x * (weights * p * (1 - p))[:, None]).T @ x + np.diag(ridge), gradient)
        found -= step
        if np.abs(step).max() < 1e-8:
            break
    return found[:-1], float(found[-1])


def part_of(blocks: Blocks, rows: np.ndarray) -> Blocks:
    return {name: block[rows] for name, block in blocks.items()}


def held_out(blocks: Blocks, labels: np.ndarray, weights: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """Logits of every pair from weights that have not seen its fold."""
    logits = np.full(len(labels), np.nan)
    for fold in range(FOLDS):
        inside, outside = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        scaling = Scaling(part_of(blocks, outside))
        found, bias = fit(
            scaling.columns(part_of(blocks, outside)), labels[outside], weights[outside], scaling.penalties()
        )
        logits[inside] = scaling.columns(part_of(blocks, inside)) @ found + bias
    return logits


def weights_of(pairs: Sequence[EntailmentPair]) -> np.ndarray:
    labels = {pair.key(): pair.entailed for pair in pairs}
    reverses = [labels.get(pair.reversed().key()) for pair in pairs]
    return np.array(
        [1.0 if other in (None, pair.entailed) else DIRECTIONAL for pair, other in zip(pairs, reverses, strict=True)]
    )


def report(name: str, pairs: list[EntailmentPair], scores: np.ndarray, directional: list[EntailmentPair]) -> None:
    """Figures of all pairs; direction on the couples of `dev_dir`."""
    score = Inference().evaluate(pairs, scores.tolist()).score()
    known = {pair.key(): value for pair, value in zip(pairs, scores.tolist(), strict=True)}
    part = Inference().evaluate(directional, [known[pair.key()] for pair in directional]).score().details
    print(
        f"{name:24} F1 {100 * score.f1:.1f}  AUC {100 * (score.auc or 0):.1f}  "
        f"AUC(P>=0.5) {100 * score.details['auc_p50']:.1f}  direction {100 * part['directional_accuracy']:.1f}",
        flush=True,
    )


class Trained:
    """What `tupelo_training.entail.network` left in a folder."""

    def __init__(self, folder: Path) -> None:
        self.final = dict(np.load(folder / "final.npz"))
        self.setting = json.loads(str(self.final.pop("setting")))
        self._held_out = dict(np.load(folder / f"{self.setting['name']}.npz"))

    def held_out(self, division: str) -> np.ndarray:
        """Logits of every pair from mean weights that had not seen its fold."""
        return self._held_out[f"{division}_as_is_soup"].astype(np.float64)

    def layers(self) -> dict[str, np.ndarray]:
        """Floats under the published names, matrices as [out, in]."""
        found = {}
        for name, array in self.final.items():
            if f"{name}.steps" in self.final:
                found[name] = np.ascontiguousarray((array.astype(np.float32) * self.final[f"{name}.steps"]).T)
            elif name.startswith("encoder.") and not name.endswith(".steps"):
                found[name] = array.astype(np.float32)
        return found

    def described(self) -> dict[str, object]:
        unit = self.final["head.weight"][:, 0].tolist()
        bias = float(self.final["head.bias"][0])
        return {"share": SHARE, "unit": [round(value, 6) for value in unit], "bias": round(bias, 6)}


def write(folder: Path, scaling: Scaling, found: np.ndarray, bias: float, network: dict[str, object]) -> None:
    weights = scaling.weights(found)
    document = {
        "format": FORMAT,
        "name": "tupelo-en-entail",
        "version": VERSION,
        "features": list(NAMES),
        "network": network,
        # The weight of the support model and the rest were chosen on folds by relation of Levy/Holt dev and on the
        # seen part of `benchmarks/relation_contrasts.tsv`.
        "support": {"share": 0.25, "bias": -0.75, "least": 0.05},
        "bias": round(bias, 6),
        "means": {name: round(float(scaling.means[name] @ weights[name]), 6) for name in BLOCKS},
        "weights": {name: [round(value, 5) for value in weights[name].tolist()] for name in BLOCKS},
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "weights.json").write_text(json.dumps(document) + "\n", encoding="utf-8")
    write_checksums(folder)


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument("--data", type=Path, required=True, help="folder of Levy/Holt")
    parser.add_argument("--network", type=Path, required=True, help="output of training.entail.network")
    parser.add_argument("--held-out", type=Path, help="folder for the scores of both divisions")
    options = parser.parse_args()
    pairs = load_pairs(options.data / "dev" / "dev_s.txt")
    directional = load_pairs(options.data / "dev_dir" / "dev_dir_s.txt")
    labels = np.array([float(bool(pair.entailed)) for pair in pairs])
    weights = weights_of(pairs)
    blocks = input_blocks(pairs, load_encoder())
    divisions: dict[str, Callable[[Sequence[EntailmentPair]], np.ndarray]] = {
        "relations": relation_folds,
        "arguments": argument_folds,
    }
    network = Trained(options.network)
    for name, divide in divisions.items():
        features, read = held_out(blocks, labels, weights, divide(pairs)), network.held_out(name)
        logits = SHARE * read + (1 - SHARE) * features
        report(f"{name}: features", pairs, features, directional)
        report(f"{name}: network", pairs, read, directional)
        report(f"{name}: both", pairs, logits, directional)
        if options.held_out:
            options.held_out.mkdir(parents=True, exist_ok=True)
            scores = "".join(f"{value:.4f}\n" for value in 1 / (1 + np.exp(-logits)))
            (options.held_out / f"{name}.txt").write_text(scores, encoding="utf-8")
    scaling = Scaling(blocks)
    found, bias = fit(scaling.columns(blocks), labels, weights, scaling.penalties())
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / LAYERS).write_bytes(layers_graph(network.layers(), HEADS))
    write(options.output, scaling, found, bias, network.described())


if __name__ == "__main__":
    main()
