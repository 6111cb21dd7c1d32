"""Every entailment method on Levy/Holt dev, the directional part apart.

    python -m benchmarks.infer --data levyholt [--assertions FILE] [--vectors FILE] [--held-out FILE] [--json]

`--data` is the folder of Levy/Holt with `dev/` and `dev_dir/`. Methods that need assertions or vectors are left out
without them. The shipped weights of `learned` were trained on these very pairs; what `--held-out` gives are scores of
weights that had not seen the pair's fold (`tupelo_training.entail`), and only these say how good the method is. The
method `support`, which never saw Levy/Holt, needs no folds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tupelo.checking.network import load_network
from tupelo.core.entailment import EntailmentPair
from tupelo.inference.methods import METHODS, InferenceResources
from tupelo.inference.methods.learned import SHIPPED, EntailmentWeights
from tupelo.io.files import InputFile
from tupelo.io.levyholt import read_pairs, read_scores
from tupelo.nlp.folder import find_model
from tupelo.scorers.inference import Inference


def load(path: Path) -> list[EntailmentPair]:
    with InputFile(path) as file:
        return list(read_pairs(file.lines(), judged=True))


def resources_of(assertions: Path | None, vectors: Path | None) -> InferenceResources:
    from tupelo.io.assertions import read_assertions
    from tupelo.io.vectors import read_vectors

    return InferenceResources(
        vectors=None if vectors is None else read_vectors(vectors),
        assertions=None if assertions is None else read_assertions(str(assertions)),
        support=load_network,
    )


def measure(
    name: str, pairs: Sequence[EntailmentPair], scores: Sequence[float], directional: Sequence[EntailmentPair]
) -> dict[str, Any]:
    """Figures of all pairs, and of the couples of `dev_dir` alone."""
    score = Inference().evaluate(pairs, scores).score()
    known = {pair.key(): value for pair, value in zip(pairs, scores, strict=True)}
    part = Inference().evaluate(directional, [known[pair.key()] for pair in directional]).score().details
    return {
        "method": name,
        "f1": score.f1,
        "precision": score.precision,
        "recall": score.recall,
        "auc": score.auc,
        "auc_p50": score.details["auc_p50"],
        "directional_accuracy": part["directional_accuracy"],
        "directional_auc": part["directional_auc"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--assertions", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--held-out", type=Path, action="append", default=[], help="scores, one a line; repeat")
    parser.add_argument("--methods", nargs="*", default=list(METHODS), help="[default: all]")
    parser.add_argument("--file", default="dev_s.txt", help="or dev.txt, where an argument may be a type")
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    pairs = load(options.data / "dev" / options.file)
    directional = load(options.data / "dev_dir" / options.file.replace("dev", "dev_dir"))
    resources = resources_of(options.assertions, options.vectors)
    given = {"assertions": options.assertions, "vectors": options.vectors}
    rows = []
    for name in options.methods:
        part = METHODS.get(name)
        if any(given[need] is None for need in getattr(part, "needs", ())):
            continue
        method = part(resources)
        method.scores(pairs[:1])
        began = time.process_time()
        scores = method.scores(pairs)
        seconds = time.process_time() - began
        rows.append({**measure(name, pairs, scores, directional), "pairs_per_cpu_second": len(pairs) / seconds})
    support = load_network()
    for path in options.held_out:
        with InputFile(path) as file:
            held_out = np.array(list(read_scores(file.lines())))
        rows.append(measure(f"learned without it, {path.stem}", pairs, held_out.tolist(), directional))
        logits = np.log(np.maximum(held_out, 1e-4)) - np.log(np.maximum(1 - held_out, 1e-4))
        together = EntailmentWeights(find_model(SHIPPED)).with_support(pairs, logits, support)
        rows.append(measure(f"learned, {path.stem}", pairs, together.tolist(), directional))
    if options.as_json:
        print(json.dumps(rows, indent=2))
        return
    print("| method | F1 | AUC | AUC, P >= 0.5 | direction | its AUC | pairs / CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        figures = [
            f"{100 * row[key]:.1f}" for key in ("f1", "auc", "auc_p50", "directional_accuracy", "directional_auc")
        ]
        speed = f"{row['pairs_per_cpu_second']:,.0f}" if "pairs_per_cpu_second" in row else ""
        print(f"| {row['method']} | {' | '.join(figures)} | {speed} |")


if __name__ == "__main__":
    main()
