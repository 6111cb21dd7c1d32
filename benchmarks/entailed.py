"""Does CaRB's matcher `entail` agree with readers better than word overlap does?

    python -m benchmarks.entailed [--data ../shared/data] [--sentences N] [--save]

CaRB dev, seven systems. `entailed_tuples.tsv` holds the labels of 126 tuples, 18 drawn from each system's output: the
number of the tuple in the file, from 1, and what a reader who saw the sentence and the tuple, and neither system,
confidence, gold tuples nor any matcher, said of it by `training/judged/GUIDELINE.md`: good, empty or wrong. Good and
empty ones are right. Three rules were added: what somebody in the sentence says or thinks may stand without the
speaker; what only will be, may be or is meant to be must show; words between the parts that a system leaves out
(PropS drops prepositions) are no fault where the tuple can be understood only in the right sense. The reader was a
language model, like those of the judged set.

- *Tuples*: the fit of a labelled tuple is the F1 of its best pair with a gold tuple of the sentence. The area under
  the ROC curve (ties count half) says how well it separates right ones from wrong ones; the interval is a bootstrap
  over tuples, as is that of the difference from `entail`. *kept*: tuples with a fit of at least one half, the
  share of them that are right, and the share of right ones that are kept.
- *Systems*: precision and F1 of all tuples, confidence ignored, on N random sentences, by default
  all. Spearman's correlation of these figures with the share of right tuples by the
  readers, over seven systems; the bootstrap draws sentences and labels.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

import tupelo
from benchmarks import results
from tupelo.api.resources import open_support
from tupelo.core import Extraction
from tupelo.scorers.carb import Carb, CarbEvaluation, sentence_key
from tupelo.scorers.carb_entail import ENTAIL, Entailments, statement
from tupelo.scorers.carb_matchers import MATCHERS, Matcher, PlainTuple, build_matcher
from tupelo.scorers.factuality import correlation, ranks
from tupelo.scorers.result import harmonic_mean
from tupelo_training.support.measure import auc

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
LABELS = Path(__file__).with_name("entailed_tuples.tsv")
SYSTEMS = ("clausie", "ollie", "openie4", "openie5", "props", "reverb", "stanford")
SEED = 43
SAMPLES = 1000
SUPPORTED = "supported by the sentence"

Interval = tuple[float, float, float]
# System -> its tuples.
Systems = dict[str, list[Extraction]]


def tuples_of(path: Path, format: str) -> list[Extraction]:
    """All tuples of a file, all of them certain."""
    records = tupelo.read(path, format=format).records
    return [replace(record, confidence=None) for record in records if isinstance(record, Extraction)]


def read_systems(data: Path) -> Systems:
    places = {name: data / "oie2016" / "systems_output" / "dev" / f"{name}_tabbed.txt.gz" for name in SYSTEMS}
    places["openie5"] = data / "carb" / "system_outputs" / "dev" / "openie5_output.txt"
    return {name: tuples_of(path, "openie5" if name == "openie5" else "tab") for name, path in places.items()}


def read_labels() -> list[tuple[str, int, str]]:
    """System, number of the tuple, label."""
    with LABELS.open(encoding="utf-8") as lines:
        return [(row["system"], int(row["tuple"]), row["label"]) for row in csv.DictReader(lines, delimiter="\t")]


def best_fit(gold: Sequence[PlainTuple], item: PlainTuple, matcher: Matcher) -> float:
    """F1 of the best pair."""
    prepared = matcher.prepare(item.rel, item.args)
    return max(
        (harmonic_mean(*matcher.match(matcher.prepare(one.rel, one.args), prepared)) for one in gold), default=0.0
    )


def interval(value: float, samples: Iterable[float]) -> Interval:
    found = [sample for sample in samples if not np.isnan(sample)]
    low, high = np.percentile(found, [2.5, 97.5])
    return value, float(low), float(high)


def shown(values: Interval, scale: float = 100, digits: int = 0) -> str:
    value, low, high = (f"{scale * one:.{digits}f}".replace("-", "−") for one in values)
    return f"{value} ({low} to {high})"


def tuple_rows(fits: dict[str, np.ndarray], right: np.ndarray) -> list[list[str]]:
    """A row per matcher: how well its fits separate right tuples from wrong ones."""
    generator = np.random.default_rng(SEED)
    draws = generator.integers(len(right), size=(SAMPLES, len(right)))
    areas = {name: [auc(fit[draw], right[draw]) for draw in draws] for name, fit in fits.items()}
    rows = []
    for name, fit in fits.items():
        kept = fit >= 0.5
        gaps = [one - other for one, other in zip(areas[name], areas[ENTAIL], strict=True)]
        gap = auc(fit, right) - auc(fits[ENTAIL], right)
        rows.append(
            [
                f"`{name}`" if name != SUPPORTED else name,
                shown(interval(auc(fit, right), areas[name])),
                "" if name == ENTAIL else shown(interval(gap, gaps)),
                str(int(kept.sum())),
                f"{100 * right[kept].mean():.0f} %" if kept.any() else "",
                f"{100 * kept[right].mean():.0f} %",
            ]
        )
    return rows


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    found = correlation(ranks(np.array(left)), ranks(np.array(right)))
    return float("nan") if found is None else found


def system_rows(
    evaluations: dict[str, dict[str, CarbEvaluation]], labels: dict[str, np.ndarray]
) -> tuple[list[list[str]], list[list[str]]]:
    """Figures by system, and by matcher how their order agrees with that of the readers."""
    share = {name: float(right.mean()) for name, right in labels.items()}
    scores = {
        matcher: {name: one.score() for name, one in by_system.items()} for matcher, by_system in evaluations.items()
    }
    order = sorted(share, key=lambda name: -share[name])
    figures = [
        [name, f"{100 * share[name]:.0f}"]
        + [
            f"{100 * getattr(scores[matcher][name], figure):.1f}"
            for matcher in (ENTAIL, "binary-lenient")
            for figure in ("precision", "recall", "f1")
        ]
        for name in order
    ]
    generator = np.random.default_rng(SEED)
    size = len(evaluations[ENTAIL][order[0]].units)
    agreement: dict[str, dict[str, list[float]]] = {name: {"precision": [], "f1": []} for name in evaluations}
    for _ in range(SAMPLES):
        weights = np.bincount(generator.integers(size, size=size), minlength=size).astype(np.float64)
        drawn = [float(generator.choice(labels[name], len(labels[name])).mean()) for name in order]
        for matcher, by_system in evaluations.items():
            sampled = [by_system[name].score(weights) for name in order]
            for figure, values in agreement[matcher].items():
                values.append(spearman(drawn, [getattr(score, figure) for score in sampled]))
    ranked = [
        [
            f"`{matcher}`",
            *(
                shown(
                    interval(
                        spearman(
                            [share[name] for name in order],
                            [getattr(scores[matcher][name], figure) for name in order],
                        ),
                        values,
                    ),
                    1,
                    2,
                )
                for figure, values in by_figure.items()
            ),
        ]
        for matcher, by_figure in agreement.items()
    ]
    return figures, ranked


def labelled_fits(gold: list[Extraction], systems: Systems, reader: Entailments) -> dict[str, np.ndarray]:
    """By matcher the fit of every labelled tuple with the gold tuples of its sentence."""
    by_sentence: dict[str, list[PlainTuple]] = {}
    for item in gold:
        by_sentence.setdefault(sentence_key(item.sentence.text), []).append(PlainTuple.of(item))
    items = [systems[name][number - 1] for name, number, _ in read_labels()]
    units = [(one.sentence.text, by_sentence[sentence_key(one.sentence.text)], [PlainTuple.of(one)]) for one in items]
    fits = {ENTAIL: reader.matchers(units)}
    fits |= {name: partial(_always, build_matcher(name, frozenset())) for name in MATCHERS}
    found = {
        name: np.array([best_fit(wanted, given, matcher_of(text)) for text, wanted, (given,) in units])
        for name, matcher_of in fits.items()
    }
    claims = [(text, statement(given.rel, given.args)) for text, _, (given,) in units]
    return found | {SUPPORTED: np.array([supported for supported, _, _ in reader.support.outcomes(claims)])}


def _always(matcher: Matcher, sentence: str) -> Matcher:
    """The matcher of any sentence."""
    return matcher


def evaluate(
    gold: list[Extraction], systems: Systems, reader: Entailments, sentences: int | None
) -> dict[str, dict[str, CarbEvaluation]]:
    """By matcher and system the evaluation on that many sentences."""
    keys = sorted({sentence_key(item.sentence.text) for item in gold})
    random.Random(SEED).shuffle(keys)
    chosen = set(keys[:sentences])

    def part(items: list[Extraction]) -> list[Extraction]:
        return [item for item in items if sentence_key(item.sentence.text) in chosen]

    found: dict[str, dict[str, CarbEvaluation]] = {ENTAIL: {}, **{name: {} for name in MATCHERS}}
    for name in SYSTEMS:
        started, items = process_time(), part(systems[name])
        found[ENTAIL][name] = Carb(matcher=ENTAIL, entailments=reader).evaluate(part(gold), items)
        print(f"{name}: {len(items):,} tuples, {process_time() - started:.0f} CPU s", file=sys.stderr)
        for matcher in MATCHERS:
            found[matcher][name] = Carb(matcher=matcher).evaluate(part(gold), items)
    return found


def progress(what: str, done: int, total: int | None) -> None:
    if sys.stderr.isatty():
        print(f"\r{what}: {done:,} of {total:,}", end="\n" if done == total else "", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sentences", type=int, help="number of sentences for the systems; 0: labelled tuples only")
    results.add_save_option(parser)
    options = parser.parse_args()
    systems, labels = read_systems(options.data), read_labels()
    gold = tuples_of(options.data / "carb" / "gold" / "dev.tsv", "carb")
    network = open_support()
    reader = Entailments(network, f"{network.name}@{network.version}", progress)

    def show(name: str, header: Sequence[str], rows: list[list[str]]) -> None:
        print(name, *("\t".join(row) for row in (header, *rows)), sep="\n", end="\n\n", flush=True)
        if options.save:
            results.save(name, header, rows)

    right = np.array([label != "wrong" for *_, label in labels])
    header = [f"fit ({reader.network})", "ROC area", "less `entail`", "kept", "right of these", "of the right ones"]
    show("scorers-entailment-tuples", header, tuple_rows(labelled_fits(gold, systems, reader), right))
    right_of = {name: right[[system == name for system, _, _ in labels]].astype(np.float64) for name in SYSTEMS}
    if options.sentences == 0:
        return
    evaluations = evaluate(gold, systems, reader, options.sentences)
    figures, ranked = system_rows(evaluations, right_of)
    count = len(evaluations[ENTAIL][SYSTEMS[0]].units)
    header = ["system", "readers", *("`entail` P", "R", "F1"), *("`binary-lenient` P", "R", "F1")]
    show("scorers-entailment-systems", [f"{count} sentences, {reader.network}", *header[1:]], figures)
    show("scorers-entailment-order", [f"{count} sentences, {reader.network}", "with P", "with F1"], ranked)


if __name__ == "__main__":
    main()
