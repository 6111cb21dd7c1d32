"""How fast is `tupelo score carb`? Ratios to the plain algorithm, measured in the same run.

    python -m benchmarks.score_carb [--json]

Sizes: CaRB's (634 sentences, 2,700 tuples), 50,000 sentences with 250,000
tuples of distinct confidence, and 200,000 sentences with a million tuples
through the command line. The plain algorithm is too slow for large sizes: its
time is measured at three small ones with as many tuples per sentence, and its
growth (thresholds times sentences) is extrapolated.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.plain_carb import Item
from benchmarks.plain_carb import score as plain_score

Corpus = list[tuple[str, list[Item], list[Item]]]


def make_corpus(sentences: int, tuples: int, seed: int = 1) -> Corpus:
    """Sentences of about 25 words with 4 gold tuples each; predictions are gold tuples with words changed."""
    draw = random.Random(seed)
    words = [f"w{number}" for number in range(4000)] + ["is", "be", "said", "of", "the", "in"] * 40
    corpus: Corpus = []
    per_sentence = [tuples // sentences + (number < tuples % sentences) for number in range(sentences)]
    for number, count in enumerate(per_sentence):
        text = [draw.choice(words) for _ in range(25)]
        gold: list[Item] = []
        for _ in range(4):
            start = draw.randrange(3, 12)
            relation = " ".join(text[start : start + draw.randrange(1, 4)])
            gold.append((relation, (" ".join(text[:start]), " ".join(text[start + 3 : start + 12])), 1.0))
        predicted: list[Item] = []
        for _ in range(count):
            relation, (first, second), _ = draw.choice(gold)
            shortened = second.split()[: draw.randrange(2, 9)]
            if draw.random() < 0.3:
                relation = draw.choice(text)
            predicted.append((relation, (first, " ".join(shortened)), draw.random()))
        corpus.append((f"{number} {' '.join(text)}", gold, predicted))
    return corpus


def plain_seconds(corpus: Corpus) -> float:
    started = time.process_time()
    plain_score([(gold, predicted) for _, gold, predicted in corpus])
    return time.process_time() - started


def our_seconds(corpus: Corpus) -> float:
    from tupelo.core import Extraction
    from tupelo.scorers.carb import Carb

    gold = [Extraction.of(text, r, a) for text, items, _ in corpus for r, a, _ in items]
    predicted = [Extraction.of(text, r, a, confidence=c) for text, _, items in corpus for r, a, c in items]
    started = time.process_time()
    Carb().evaluate(gold, predicted).score()
    return time.process_time() - started


# A small process in between: the memory of a new process is counted from what its parent had.
_MEASURE = """
import resource, subprocess, sys
subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def command_line_run(sentences: int, tuples: int) -> dict[str, float]:
    """`tupelo score carb` on files, reading included: CPU time and highest memory of that one process."""
    with tempfile.TemporaryDirectory() as folder:
        gold, predicted = Path(folder, "gold.tsv"), Path(folder, "predicted.tsv")
        with gold.open("w") as gold_lines, predicted.open("w") as predicted_lines:
            for text, gold_items, predicted_items in make_corpus(sentences, tuples):
                gold_lines.writelines("\t".join([text, r, *a]) + "\n" for r, a, _ in gold_items)
                predicted_lines.writelines("\t".join([text, repr(c), r, *a]) + "\n" for r, a, c in predicted_items)
        command = ["-m", "tupelo", "score", "carb", str(gold), str(predicted), "--format", "tab"]
        found = subprocess.run([sys.executable, "-c", _MEASURE, *command], stdout=subprocess.PIPE, check=True)
    seconds, kilobytes = map(float, found.stdout.split())
    return {"CPU seconds": seconds, "peak MiB": kilobytes / 1024}


def best_of(repeats: int, measure: Callable[[Corpus], float], corpus: Corpus) -> float:
    return min(measure(corpus) for _ in range(repeats))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")
    as_json = parser.parse_args().json
    results: dict[str, Any] = {}

    carb_size = make_corpus(634, 2700)
    plain, ours = best_of(2, plain_seconds, carb_size), best_of(5, our_seconds, carb_size)
    results["carb size: 634 sentences, 2,700 tuples"] = {"plain": plain, "tupelo": ours, "ratio": plain / ours}

    # Work of the plain algorithm: thresholds x sentences, plus the match table, which is linear.
    small = [(sentences, plain_seconds(make_corpus(sentences, 5 * sentences))) for sentences in (100, 200, 400)]
    per_step = small[-1][1] / (5 * small[-1][0] * small[-1][0])
    growth = small[-1][1] / small[-2][1]
    extrapolated = per_step * 250_000 * 50_000
    ours = our_seconds(make_corpus(50_000, 250_000))
    results["50,000 sentences, 250,000 tuples"] = {
        "plain measured at (sentences, seconds)": small,
        "plain growth when doubled": growth,
        "plain (extrapolated)": extrapolated,
        "tupelo": ours,
        "ratio": extrapolated / ours,
    }

    for sentences in (50_000, 100_000, 200_000):
        run = command_line_run(sentences, 5 * sentences)
        results[f"command line, {sentences:,} sentences, {5 * sentences:,} tuples"] = run

    if as_json:
        print(json.dumps(results, indent=1))
        return
    for title, figures in results.items():
        print(title)
        for name, value in figures.items():
            print(f"  {name}: {value:,.3f}" if isinstance(value, float) else f"  {name}: {value}")


if __name__ == "__main__":
    main()
