"""Fits how likely a claim is supported, on judged texts that the network was not trained on.

    python -m tupelo_training.support.calibrate --data DATA --contrasts check_contrasts.tsv --network FOLDER

Texts are claims written for this and documents of BUMP and CG2C that were held out, sentences spliced from parts of
GUM's documents, and the development sets of WiCE, BEGIN, FM2 and symmetric FEVER (`SETS`). Every set weighs the same,
and within it texts that are supported and those that are not: how often a set's texts are true says nothing about
those of other people. The label is one of the whole text, and a text is as good as its least likely claim, so the
curve is fitted to that claim of each; which one that is depends on the curve, so this is repeated. Claims that a
calculation contradicts are left out: the curve does not decide there.

Writes `calibration.json` into the folder of the network, and prints figures of ten-fold cross-validation over
documents: area under the curve, share that is told right (both outcomes weigh the same), Brier score and expected
calibration error.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

import tupelo
from tupelo.api.checking import Checker
from tupelo.checking.checked import FEATURES
from tupelo_training.calibration import calibration_bins, calibration_error
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.support.documents import Runs, gum, json_lines, passages_of, reported_runs, runs
from tupelo_training.support.given import LABELS, MATCHED, PAIRS, pairs, spliced_claims, written_passages
from tupelo_training.support.measure import auc
from tupelo_training.support.prepare import ASIDE, number_of, part_of
from tupelo_training.support.table import SUPPORTED

FOLDS, ROUNDS = 10, 10
# Of a set, so that none takes long.
MOST = 300
# Weights that are not fitted; NaN for those that are.
Kept: TypeAlias = np.ndarray | None
# Where every curve begins: at what the network says.
NETWORK_ALONE = {name: float(name == "supported") for name in FEATURES}


@dataclass(frozen=True, slots=True)
class Judged:
    """A text about a source, with its label."""

    source: str
    text: str
    good: bool
    question: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """The features of a text's claims, one row each; `kind` is the set that it is from."""

    kind: str
    document: str
    features: np.ndarray
    good: bool


def written(path: Path) -> Callable[[Path], Iterator[Judged]]:
    """Claims about the passages that were held out."""

    def read(data: Path) -> Iterator[Judged]:
        public = {document.id: document.text for document in passages_of(data)}
        for passage in written_passages(path):
            source = passage.text or public.get(passage.id)
            if source and part_of(passage.id).aside:
                for given in passage.claims:
                    yield Judged(source, given.claim, given.label == SUPPORTED)

    return read


def spliced(data: Path) -> Iterator[Judged]:
    """Sentences as summarizers make them that copy, about whole documents."""
    texts = {f"gum:{name}": " ".join(sentences) for name, sentences in gum(data)}
    for name, claim, good in spliced_claims(texts):
        yield Judged(texts[name], claim, good)


def documents(name: str, one_in: int = 1) -> Callable[[Path], Iterator[Judged]]:
    """A set of `claims/`, or the part of its documents that was held out."""

    def read(data: Path) -> Iterator[Judged]:
        for item in json_lines(data / f"claims/{name}.jsonl.gz"):
            if part_of(item["document"], one_in).aside:
                good = LABELS[item["label"]] == SUPPORTED
                yield Judged(item["document"], item["claim"], good, item.get("message", ""))

    return read


def sentences(name: str) -> Callable[[Path], Iterator[Judged]]:
    """A set of `nli/`."""
    return lambda data: (
        Judged(premise, given.claim, given.label == SUPPORTED) for premise, given in pairs(data, name)
    )


SETS: dict[str, Callable[[Path], Iterable[Judged]]] = {
    "written": written(PAIRS),
    "matched": written(MATCHED),
    "spliced": spliced,
    "bump": documents("bump", 2),
    "factcg": documents("factcg", ASIDE),
    "wice_dev": documents("wice_dev"),
    "begin_dev": documents("begin_dev"),
    "dev_fm2": sentences("dev_fm2"),
    "dev_fever_symmetric": sentences("dev_fever_symmetric"),
}


def drawn(found: Iterable[Judged], forbidden: Runs, most: int) -> list[Judged]:
    """At most so many texts, always the same ones; none of those that are only measured on."""
    free = [one for one in found if not (runs(one.source) | runs(one.text)) & forbidden]
    return sorted(free, key=lambda one: number_of(one.text))[:most]


def examples(kind: str, texts: Iterable[Judged], checker: Checker) -> Iterator[Example]:
    for one in texts:
        found = [claim.findings for claim in checker(one.text, one.source, question=one.question).claims]
        undecided = (item for item in found if item is not None and not item.contradicted)
        rows = [findings.features for findings in undecided]
        if rows:
            yield Example(kind, one.source, np.array(rows), one.good)


def equal_parts(groups: Sequence[tuple[str, bool]]) -> np.ndarray:
    """Weights with which all sets, and both outcomes within each, count the same; their mean is 1."""
    counts = Counter(groups)
    return np.array([len(groups) / len(counts) / counts[group] for group in groups])


def fitted(
    features: np.ndarray, labels: np.ndarray, parts: np.ndarray, ridge: float = 1.0, *, kept: Kept = None
) -> np.ndarray:
    """Weighted logistic regression by Newton's method; the constant is free, the others are held back a little.

    Weights that are `kept` stay as given.
    """
    weights = np.zeros(features.shape[1])
    free = np.arange(len(weights))
    if kept is not None:
        weights, free = np.nan_to_num(kept), np.flatnonzero(np.isnan(kept))
    held = ridge * np.diag([0.0] + [1.0] * (features.shape[1] - 1))
    for _ in range(30):
        chances = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (parts * (labels - chances)) - held @ weights
        curve = (features * (parts * chances * (1 - chances))[:, None]).T @ features + held
        weights[free] += np.linalg.solve(curve[np.ix_(free, free)], slope[free])
    return weights


def curve_of(found: Sequence[Example], kept: Kept = None) -> np.ndarray:
    """The curve of the least likely claim of each text."""
    labels = np.array([one.good for one in found], float)
    parts = equal_parts([(one.kind, one.good) for one in found])
    weights = np.array(list(NETWORK_ALONE.values()))
    for _ in range(ROUNDS):
        weights = fitted(np.stack([least(one, weights) for one in found]), labels, parts, kept=kept)
    return weights


def least(example: Example, weights: np.ndarray) -> np.ndarray:
    """The features of a text's least likely claim."""
    features: np.ndarray = example.features[(example.features @ weights).argmin()]
    return features


def chance(example: Example, weights: np.ndarray) -> float:
    return float(1 / (1 + np.exp(-least(example, weights) @ weights)))


def held_out(found: Sequence[Example], kept: Kept = None) -> np.ndarray:
    """Every text's probability from a curve that was fitted to other documents."""
    folds = np.array([number_of(one.document) // 7 % FOLDS for one in found])
    chances = np.zeros(len(found))
    for fold in np.unique(folds):
        weights = curve_of([one for one, own in zip(found, folds, strict=True) if own != fold], kept)
        for place in np.flatnonzero(folds == fold):
            chances[place] = chance(found[place], weights)
    return chances


def figures(chances: np.ndarray, good: np.ndarray) -> str:
    told = (chances >= 0.5) == good
    right = (told[good].mean() + told[~good].mean()) / 2
    brier = ((chances - good) ** 2).mean()
    error = calibration_error(calibration_bins(chances.tolist(), good.tolist()))
    area = auc(chances, good)
    return f"AUC {area:.3f}, told right {100 * right:.1f}, Brier {brier:.3f}, calibration error {error:.3f}"


def main() -> None:
    parser = option_parser(__doc__, "data", "contrasts", "network")
    parser.add_argument("--most", type=int, default=MOST, help="texts of a set")
    parser.add_argument("--only", nargs="+", choices=FEATURES, help="fit these weights, the others stay as they are")
    options = parser.parse_args()
    checker = Checker(network=options.network, nlp=tupelo.load(threads=1))
    forbidden = reported_runs(options.data, options.contrasts)
    found: list[Example] = []
    for kind, read in SETS.items():
        found += examples(kind, drawn(read(options.data), forbidden, options.most), checker)
    stored = json.loads((options.network / "calibration.json").read_text("utf-8"))["weights"]
    only = options.only or FEATURES
    kept = np.array([np.nan if name in only else stored[name] for name in FEATURES])
    chances, good = held_out(found, kept), np.array([one.good for one in found])
    for kind in SETS:
        own = np.array([one.kind == kind for one in found])
        print(f"{kind}: {own.sum()} texts, {good[own].sum()} supported: {figures(chances[own], good[own])}")
    weights = {name: round(float(weight), 3) for name, weight in zip(FEATURES, curve_of(found, kept), strict=True)}
    print(weights)
    fitted_on = (
        f"the least likely claim of {len(found)} texts of {', '.join(SETS)}: tupelo_training.support.calibrate"
        + (f" --only {' '.join(options.only)}" if options.only else "")
    )
    write_json(options.network / "calibration.json", {"weights": weights, "fitted_on": fitted_on})
    write_checksums(options.network)


if __name__ == "__main__":
    main()
