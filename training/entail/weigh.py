"""Weighs the network's answers and the features of words, and measures the whole on held-out folds.

    python -m training.entail.weigh --data levyholt --run run/ --output run/weights.json

The weights of fold k come from the other folds, so every pair is scored by a network and by weights that saw neither
it nor its fold. (The other folds' network answers come from networks that saw fold k; with thirty weights this
changes nothing that could be measured.) What ships is fitted on all folds. Needs numpy only.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from training.entail.data import FOLDS, load_pairs
from tupelo.core.entailment import EntailmentPair
from tupelo.infer.methods.learned import ALL_NAMES, input_table
from tupelo.nlp.encoder import load_encoder
from tupelo.score.inference import Inference

PENALTY = 3.0


def fit(table: np.ndarray, labels: np.ndarray, weights: np.ndarray, penalty: float = PENALTY) -> dict[str, Any]:
    """Logistic regression with a penalty on standardised inputs, by Newton's method."""
    means, scales = table.mean(axis=0), table.std(axis=0)
    scales[scales == 0] = 1.0
    x = np.column_stack([(table - means) / scales, np.ones(len(table))])
    ridge = np.diag([penalty] * table.shape[1] + [0.0])
    found = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-(x @ found)))
        gradient = x.T @ (weights * (p - labels)) + ridge @ found
        step = np.linalg.solve(x.T @ (x * (weights * p * (1 - p))[:, None]) + ridge, gradient)
        found -= step
        if np.abs(step).max() < 1e-9:
            break
    return {
        "means": means.tolist(),
        "scales": scales.tolist(),
        "weights": found[:-1].tolist(),
        "bias": float(found[-1]),
    }


def apply(fitted: dict[str, Any], table: np.ndarray) -> np.ndarray:
    x = (table - np.array(fitted["means"])) / np.array(fitted["scales"])
    return 1 / (1 + np.exp(-(x @ np.array(fitted["weights"]) + fitted["bias"])))


def held_out(table: np.ndarray, labels: np.ndarray, weights: np.ndarray, folds: np.ndarray) -> np.ndarray:
    scores = np.full(len(table), np.nan)
    for fold in range(FOLDS):
        outside = folds != fold
        fitted = fit(table[outside], labels[outside], weights[outside])
        scores[~outside] = apply(fitted, table[~outside])
    return scores


def report(name: str, pairs: list[EntailmentPair], scores: np.ndarray, directional: list[EntailmentPair]) -> None:
    """Figures of all pairs; direction on the couples of `dev_dir`."""
    score = Inference().evaluate(pairs, scores.tolist()).score()
    by_pair = {pair.key(): value for pair, value in zip(pairs, scores.tolist(), strict=True)}
    part = Inference().evaluate(directional, [by_pair[pair.key()] for pair in directional]).score().details
    print(
        f"{name:28} F1 {100 * score.f1:.1f}  AUC {100 * (score.auc or 0):.1f}  "
        f"AUC(P>=0.5) {100 * score.details['auc_p50']:.1f}  direction {100 * part['directional_accuracy']:.1f}  "
        f"its AUC {100 * part['directional_auc']:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of Levy/Holt")
    parser.add_argument("--run", type=Path, required=True, help="what training.entail.train wrote, with folds")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--directional", type=float, default=2.0, help="weight of pairs that hold one way only")
    options = parser.parse_args()
    from training.entail.train import weights_of

    pairs = load_pairs(options.data / "dev" / "dev_s.txt")
    directional = load_pairs(options.data / "dev_dir" / "dev_dir_s.txt")
    stored = np.load(options.run / "held-out.npz")
    labels = np.array([pair.entailed for pair in pairs], dtype=np.float64)
    weights = weights_of(pairs, options.directional).astype(np.float64)
    table = input_table(pairs, stored["forward"].astype(float), stored["backward"].astype(float), load_encoder())
    folds = stored["folds"]
    if np.isnan(table).any():
        raise SystemExit("not all folds are trained yet")
    report("network alone", pairs, table[:, 0], directional)
    report("network, reverse subtracted", pairs, table[:, 0] - 0.3 * table[:, 1], directional)
    words_only = table[:, 2:]
    report("without the network", pairs, held_out(words_only, labels, weights, folds), directional)
    scores = held_out(table, labels, weights, folds)
    report("all", pairs, scores, directional)
    fitted = fit(table, labels, weights)
    for name, weight in sorted(zip(ALL_NAMES, fitted["weights"], strict=True), key=lambda item: -abs(item[1])):
        print(f"  {name:24} {weight:+.3f}")
    np.save(options.run / "held-out-scores.npy", scores)
    if options.output:
        options.output.write_text(json.dumps({"inputs": list(ALL_NAMES), **fitted}) + "\n", "utf-8")


if __name__ == "__main__":
    main()
