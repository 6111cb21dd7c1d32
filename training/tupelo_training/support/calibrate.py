"""Fits how likely a claim is supported, on judged claims of held-out texts.

    python -m tupelo_training.support.calibrate --data DATA [--network FOLDER]

Claims are those that `tupelo check` finds in XSum summaries (Maynez et al. 2020) and in claims written about news
(`written.txt.gz`). One is false when it has a word that people marked as wrong, and true when all of its words are
right. Prints the constants of `calibration.json` in the folder of the model, and figures of ten-fold
cross-validation over documents: Brier score and expected calibration error (ten bins of equal width).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tupelo
from tupelo.api.checking import Checker
from tupelo.api.text import Toolkit
from tupelo.facts.calibration import Findings, fitted_constants
from tupelo.facts.checked import Verdict
from tupelo.score.calibration import calibration_bins, calibration_error
from tupelo_training.options import option_parser
from tupelo_training.support.documents import aside, judged_runs, shown, texts_of
from tupelo_training.support.given import WRITTEN, judged_summaries, written_claims
from tupelo_training.support.table import NO, YES

FOLDS = 10
Marks = Sequence[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Example:
    """A claim; `kind` says where its text is from, `document` what it is about."""

    kind: str
    document: str
    findings: Findings
    verdict: Verdict
    label: bool


def judged_texts(data: Path) -> Iterator[tuple[str, str, str, str, Marks]]:
    """Kind, document, source, text, and which of its words are right and wrong."""
    texts = {document.id: document for document in aside(texts_of(data, judged_runs(data)))}
    for name, summary, marks, _ in judged_summaries(data, texts, judged_runs(data)):
        yield "judged", name, texts[name].text, summary, marks
    for name, claim, marks, _ in written_claims(WRITTEN):
        if name in texts:
            yield "written", name, shown(texts[name]), claim, marks


def label_of(starts: Sequence[int], marks: Marks) -> bool | None:
    """Of the words that begin at some characters; `None` where people did not agree."""
    labels = {next((value for low, high, value in marks if low <= start < high), None) for start in starts}
    return False if NO in labels else True if labels == {YES} else None


def examples(data: Path, toolkit: Toolkit, checker: Checker) -> Iterator[Example]:
    for kind, document, source, text, marks in judged_texts(data):
        analyses = toolkit.analyze(text, constituents=False)
        for analysis, sentence in zip(analyses, checker(text, source).sentences, strict=True):
            for claim in sentence.claims:
                label = label_of([analysis.words[word].start for word in claim.words], marks)
                if label is not None:
                    yield Example(kind, document, claim.findings, claim.verdict, label)


def equal_parts(kinds: Sequence[str]) -> np.ndarray:
    """Weights with which all claims of one kind count as much as all of another, and all together as they are."""
    counts = Counter(kinds)
    return np.array([len(kinds) / len(counts) / counts[kind] for kind in kinds])


def fitted(features: np.ndarray, labels: np.ndarray, parts: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Weighted logistic regression by Newton's method; the constant is free, the others are held back a little."""
    weights = np.zeros(features.shape[1])
    held = ridge * np.diag([0.0] + [1.0] * (features.shape[1] - 1))
    for _ in range(30):
        chances = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (parts * (labels - chances)) - held @ weights
        curve = (features * (parts * chances * (1 - chances))[:, None]).T @ features + held
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def held_out(features: np.ndarray, labels: np.ndarray, parts: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """Every claim's probability from a curve that was fitted on the other folds."""
    chances = np.zeros(len(labels))
    for fold in range(FOLDS):
        known = folds != fold
        weights = fitted(features[known], labels[known], parts[known])
        chances[~known] = 1 / (1 + np.exp(-features[~known] @ weights))
    return chances


def report(name: str, features: np.ndarray, labels: np.ndarray, parts: np.ndarray, folds: np.ndarray) -> None:
    chances = held_out(features, labels, parts, folds)
    constants = ", ".join(f"{value:.2f}" for value in fitted(features, labels, parts))
    always = np.full(len(labels), labels.mean())
    print(f"{name}: ({constants})")
    print(f"  {len(labels)} claims, {labels.mean():.3f} of them true, {right(chances, labels):.3f} told right")
    print(f"  {figures(chances, labels)} (the mean alone: {figures(always, labels)})")


def right(chances: np.ndarray, labels: np.ndarray) -> float:
    return float(((chances >= 0.5) == labels).mean())


def figures(chances: np.ndarray, labels: np.ndarray) -> str:
    brier = ((chances - labels) ** 2).mean()
    error = calibration_error(calibration_bins(chances.tolist(), labels.astype(bool).tolist()))
    return f"Brier {brier:.3f}, calibration error {error:.3f}"


def supported(name: str, found: Sequence[Example], chosen: Sequence[Example]) -> None:
    right, true = sum(example.label for example in chosen), sum(example.label for example in found)
    print(f"{name}: {len(chosen)} claims, precision {right / len(chosen):.3f}, recall {right / true:.3f}")


def main() -> None:
    parser = option_parser(__doc__, "data")
    parser.add_argument("--network", help="folder of another support model")
    options = parser.parse_args()
    toolkit = tupelo.load(threads=1)
    found = list(examples(options.data, toolkit, Checker(network=options.network or True, toolkit=toolkit)))
    features = np.array([example.findings.features for example in found])
    labels = np.array([example.label for example in found], float)
    documents = sorted({example.document for example in found})
    places = {document: number % FOLDS for number, document in enumerate(documents)}
    folds = np.array([places[example.document] for example in found])
    told = np.array([example.findings.probability for example in found])
    print(f"as it is: {figures(told, labels)}, {right(told, labels):.3f} told right")
    parts = equal_parts([example.kind for example in found])
    report("WITH_NETWORK", features, labels, parts, folds)
    report("WITHOUT_NETWORK", features[:, :3], labels, parts, folds)
    supported("called supported", found, [example for example in found if example.verdict is Verdict.SUPPORTED])
    chances = held_out(features, labels, parts, folds)
    open_claims = [example.verdict is not Verdict.REFUTED for example in found]
    for least in (0.5, fitted_constants().least_probability, 0.9):
        chosen = [found[number] for number in np.flatnonzero((chances >= least) & open_claims)]
        supported(f"from {least} on, held out", found, chosen)


if __name__ == "__main__":
    main()
