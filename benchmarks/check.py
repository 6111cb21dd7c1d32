"""How well does `tupelo check` judge? Agreement with people and with labels, calibration, and speed.

    python -m benchmarks.check [--data DATA] [--network FOLDER] [--sets NAME…] [--every N] [--json] [--save]

Sets are those of `benchmarks.check_sets`. The score of a text is correlated with what people said. For labels, a text
is called faithful if all of its claims are supported, which is the fixed threshold of 0.5 for its least likely claim;
balanced accuracy is the mean over the parts of a set (domains of SummEdits), as its authors do. AUC and calibration
error are those of the same probability. Texts without a score count as unfaithful. Beside it are two baselines: the
share of the text's words, and of its runs of three words, that the source has.

Speed is given in pairs per CPU second, and as a ratio to the shipped parser, which analyses the same texts with their
sources in the same run.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import tupelo
from benchmarks.check_sets import CHOSEN, REPORTED
from benchmarks.results import add_save_option, save
from tupelo.api.checking import Checked, Checker
from tupelo.checking.stages import words_of as text_of
from tupelo.core.judgement import JudgedText
from tupelo.scorers.factuality import Array, balanced_accuracy, correlation, label_agreement
from tupelo.scorers.rouge import ngram_overlap, words_of
from tupelo_training.calibration import calibration_bins, calibration_error

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
SAMPLES = 1000
TIMED = "qags-cnndm"
# Large sets, of which one text in so many is enough.
EVERY = {"summedits": 4, "q2": 4}
TITLES = {
    "qags-cnndm": "QAGS CNN/DM, first half",
    "qags-xsum": "QAGS XSum, first half",
    "frank": "FRANK valid, BBC",
    "summedits": "SummEdits, four domains",
    "q2": "Q² answers",
    "contrasts": "contrast pairs",
}
CORRELATED = ("qags-cnndm", "qags-xsum", "frank")
LABELLED = ("summedits", "q2", "contrasts", "qags-cnndm", "qags-xsum")


def trigram_precision(generated: str, source: str) -> float:
    own, other = words_of(generated), words_of(source)
    known = set(zip(other, other[1:], other[2:], strict=False))
    found = [gram in known for gram in zip(own, own[1:], own[2:], strict=False)]
    return sum(found) / len(found) if found else 1.0


def rouge_precision(generated: str, source: str) -> float:
    return ngram_overlap(words_of(generated), words_of(source), 1).precision


BASELINES: dict[str, Callable[[str, str], float]] = {
    "ROUGE-1 precision": rouge_precision,
    "trigram overlap": trigram_precision,
}


@dataclass(frozen=True, slots=True)
class Measured:
    """The texts of a set with their results."""

    texts: Sequence[JudgedText]
    checked: Sequence[Checked]
    seconds: float

    @property
    def human(self) -> Array:
        return np.array([text.score for text in self.texts], np.float64)

    @property
    def labels(self) -> list[bool]:
        return [bool(text.label) for text in self.texts]

    @property
    def least(self) -> list[float]:
        return [one.least or 0.0 for one in self.checked]

    def parts(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, text in enumerate(self.texts):
            found.setdefault(text.system or "", []).append(place)
        return found

    def figures(self, scores: Sequence[float], probabilities: Sequence[float] | None) -> dict[str, Any]:
        """Correlation, and what depends on probabilities: without them there is no threshold."""
        ranked = scores if probabilities is None else probabilities
        _, auc = label_agreement(ranked, self.labels)
        found: dict[str, Any] = {"pearson": interval(np.array(scores), self.human), "auc": auc}
        if probabilities is not None:
            bins = calibration_bins(list(probabilities), self.labels)
            by_part = {name: self._balanced(probabilities, places) for name, places in self.parts().items()}
            known = [value for value in by_part.values() if value is not None]
            found |= {
                "balanced_accuracy": sum(known) / len(known) if known else None,
                "by_part": by_part,
                "calibration_error": calibration_error(bins),
            }
        return found

    def _balanced(self, probabilities: Sequence[float], places: Sequence[int]) -> float | None:
        scores = np.array([probabilities[place] for place in places], np.float64)
        return balanced_accuracy(scores, np.array([self.labels[place] for place in places]), 0.5)[0]

    def sentences(self) -> float | None:
        """The calibration error of sentences that people judged one by one."""
        chances, labels = [], []
        for text, checked in zip(self.texts, self.checked, strict=True):
            judged = [one for one in checked.sentences if one.score is not None]
            if len(judged) == len(text.answers):
                chances += [one.score or 0.0 for one in judged]
                labels += [2 * answers.count("yes") > len(answers) for answers in text.answers]
        return calibration_error(calibration_bins(chances, labels)) if labels else None


def interval(left: Array, right: Array) -> tuple[float, float, float] | None:
    """Pearson's correlation with the middle 95 % of resampled texts."""
    value = correlation(left, right)
    if value is None:
        return None
    random = np.random.default_rng(12345)
    drawn = [
        correlation(left[rows], right[rows]) or 0.0 for rows in random.integers(len(left), size=(SAMPLES, len(left)))
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return value, float(low), float(high)


def measure(texts: Sequence[JudgedText], checker: Checker) -> Measured:
    started = time.process_time()
    checked = [checker(text_of(text), text.source or "", question=text.question) for text in texts]
    return Measured(texts, checked, time.process_time() - started)


def report(found: Measured) -> dict[str, Any]:
    rows = {"check": found.figures([one.score or 0.0 for one in found.checked], found.least)}
    for name, metric in BASELINES.items():
        scores = [metric(text_of(text), text.source or "") for text in found.texts]
        rows[name] = found.figures(scores, None)
    unscored = sum(one.score is None for one in found.checked)
    return {
        "texts": len(found.texts),
        "unscored": unscored,
        "pairs_per_cpu_second": len(found.texts) / found.seconds,
        "sentence_calibration_error": found.sentences(),
        "rows": rows,
    }


def parser_seconds(texts: Sequence[JudgedText], nlp: Any) -> float:
    """CPU seconds of the peer: the shipped parser on texts and sources."""
    started = time.process_time()
    for text in texts:
        for part in (text_of(text), text.source or ""):
            list(nlp.analyze(part, constituents=False))
    return time.process_time() - started


def shown(name: str, figures: dict[str, Any]) -> list[str]:
    lines = [
        f"\n{name}: {figures['texts']} texts, {figures['unscored']} without a score, "
        f"{figures['pairs_per_cpu_second']:.1f} a CPU second"
    ]
    if "times_the_parser" in figures:
        lines.append(f"  {figures['times_the_parser']:.2f} times as quick as the parser on the same texts")
    if figures["sentence_calibration_error"] is not None:
        lines.append(f"  calibration error of sentences {figures['sentence_calibration_error']:.3f}")
    for row, values in figures["rows"].items():
        pearson = "–" if values["pearson"] is None else "{:.3f} [{:.3f}, {:.3f}]".format(*values["pearson"])
        auc = "–" if values["auc"] is None else f"{values['auc']:.3f}"
        line = f"  {row:20} Pearson {pearson}  AUC {auc}"
        if values.get("balanced_accuracy") is not None:
            line += f"  balanced accuracy {100 * values['balanced_accuracy']:.1f}"
            line += f"  calibration error {values['calibration_error']:.3f}"
        lines.append(line)
        parts = {part: value for part, value in values.get("by_part", {}).items() if value is not None}
        if len(parts) > 1:
            lines += [f"    {part:24} {100 * value:.1f}" for part, value in sorted(parts.items())]
    return lines


def decimals(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def save_tables(found: dict[str, Any]) -> None:
    """Write the tables of the page; all of the reported sets were measured."""
    titles = {name: f"{title}, {found[name]['texts']}" for name, title in TITLES.items()}
    correlations = [
        [row, *("{:.3f} [{:.3f}, {:.3f}]".format(*found[name]["rows"][own]["pearson"]) for name in CORRELATED)]
        for row, own in (
            ("**`tupelo check`**", "check"),
            ("share of the summary's trigrams in the article", "trigram overlap"),
            ("ROUGE-1 precision", "ROUGE-1 precision"),
        )
    ]
    save("checking-agreement-with-people", ["", *(titles[name] for name in CORRELATED)], correlations)
    own = {name: found[name]["rows"]["check"] for name in LABELLED}
    faithful = [
        [
            titles[name],
            f"{100 * own[name]['balanced_accuracy']:.1f}",
            decimals(own[name]["auc"]),
            decimals(found[name]["rows"]["trigram overlap"]["auc"]),
        ]
        for name in LABELLED
    ]
    save("checking-faithful-or-not", ["", "balanced accuracy", "AUC", "AUC of trigram overlap"], faithful)
    errors = [
        [titles[name], decimals(own[name]["calibration_error"]), decimals(found[name]["sentence_calibration_error"])]
        for name in LABELLED
    ]
    save("checking-calibration", ["", "texts", "sentences"], errors)
    kinds = sorted(own["contrasts"]["by_part"].items(), key=lambda item: -item[1])
    total = 100 * own["contrasts"]["balanced_accuracy"]
    by_kind = [[kind, f"{100 * value:.0f} %"] for kind, value in kinds]
    save("checking-contrast-pairs-by-kind", ["kind", "right"], [*by_kind, ["all", f"{total:.1f} %"]])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--network", help="folder of another support model")
    parser.add_argument("--sets", nargs="+", choices=[*REPORTED, *CHOSEN], default=list(REPORTED))
    parser.add_argument("--every", type=int, metavar="N", help="every Nth text of each set only; 4 of large ones")
    parser.add_argument("--json", action="store_true")
    add_save_option(parser)
    options = parser.parse_args()
    nlp = tupelo.load(threads=1)
    checker = Checker(network=options.network, nlp=nlp)
    checker("Rain fell.", "Rain fell.")
    found: dict[str, Any] = {}
    for name in options.sets:
        texts = list(islice((REPORTED | CHOSEN)[name](options.data), 0, None, options.every or EVERY.get(name, 1)))
        measured = measure(texts, checker)
        found[name] = report(measured)
        if name == TIMED:
            found[name]["times_the_parser"] = parser_seconds(texts, nlp) / measured.seconds
        if not options.json:
            print("\n".join(shown(name, found[name])), flush=True)
    if options.json:
        print(json.dumps(found, indent=1))
    if options.save:
        save_tables(found)


if __name__ == "__main__":
    main()
