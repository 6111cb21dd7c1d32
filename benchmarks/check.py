"""How well does `tupelo check` judge? Agreement with people, and how the form of its score was chosen.

    python -m benchmarks.check --data DATA [--network FOLDER]

Measured on the first halves of QAGS (the second halves are kept for others), beside simple baselines, and on judged
texts that the network was kept from: XSum summaries (Maynez et al. 2020), and claims that were written and sentences
that were spliced for its training.

A form says how the findings about a sentence (`tupelo.facts.calibration.SentenceFindings`) become one number. There
are few, and each is measured everywhere. What choosing among them is worth is measured by cross-validation over the
halves of QAGS: on four fifths of both the form is chosen that has the best mean of the two Pearson correlations, the
rest gets its scores (less their mean on the four fifths, in units of their deviation there), and the scores of all
five rests are correlated together; twenty times over.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tupelo
from benchmarks.check_forms import FORMS, SHIPPED, Sentence
from tupelo.api.checking import Checker
from tupelo.core.judgement import JudgedText
from tupelo.facts.calibration import Findings
from tupelo.io.judgements import read_judgements
from tupelo.score.factuality import Array, correlation, ranks
from tupelo.score.rouge import ngram_overlap, words_of
from tupelo_training.support.calibrate import figures
from tupelo_training.support.cuts import spliced_claims
from tupelo_training.support.documents import aside, judged_runs, runs, shown, texts_of, xsum_articles
from tupelo_training.support.given import SPLICED, WRITTEN, written_claims

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
FOLDS, TIMES, SAMPLES = 5, 20, 1000
QAGS = ("cnndm", "xsum")
Form = Callable[[Sentence], float]


@dataclass(frozen=True, slots=True)
class Set:
    """Judged texts with what is known of their sentences; `human` is what people said."""

    name: str
    texts: Sequence[JudgedText]
    sentences: Sequence[Sequence[Sentence]]
    seconds: float

    @property
    def human(self) -> Array:
        return np.array([text.score for text in self.texts], np.float64)

    def scores(self, form: Form) -> Array:
        return np.array([np.mean([form(one) for one in sentences]) for sentences in self.sentences], np.float64)


def read_set(name: str, texts: Sequence[JudgedText], checker: Checker) -> Set:
    started = time.process_time()
    kept, found = [], []
    for text in texts:
        source = text.source or ""
        checked = checker(" ".join(text.sentences) or text.generated, source)
        sentences = [
            Sentence(one.findings, trigram_precision(one.text, source))
            for one in checked.sentences
            if one.findings is not None
        ]
        if sentences:
            kept.append(text)
            found.append(sentences)
    return Set(name, kept, found, time.process_time() - started)


def qags(data: Path, part: str) -> list[JudgedText]:
    return read_judgements(str(data / f"qags/mturk_{part}.first_half.jsonl"), "qags")[0]


def xsum_summaries(data: Path) -> Iterator[JudgedText]:
    """Judged summaries of articles that the network was kept from."""
    forbidden = judged_runs(data)
    articles = {item.id.partition(":")[2]: item.text for item in aside(xsum_articles(data, forbidden))}
    path = data / "xsum_hallucination/hallucination_annotations_xsum_summaries.csv.gz"
    for text in read_judgements(str(path), "xsum-faithful")[0]:
        article = articles.get(text.id.partition(":")[0])
        if article is not None and not runs(text.generated) & forbidden:
            yield JudgedText(text.id, text.generated, article, score=text.score)


def written(data: Path, kind: str) -> Iterator[JudgedText]:
    """Claims that were written or spliced, about texts that the network was kept from."""
    documents = {item.id: item for item in aside(texts_of(data, judged_runs(data)))}
    texts = {name: item.text for name, item in documents.items()}
    claims = written_claims(WRITTEN) if kind == "written" else spliced_claims(SPLICED, texts)
    for number, (document, claim, _, label) in enumerate(claims):
        if document in documents:
            yield JudgedText(str(number), claim, shown(documents[document]), score=float(label))


def interval(left: Array, right: Array) -> str:
    value = correlation(left, right) or 0.0
    random = np.random.default_rng(12345)
    drawn = [
        correlation(left[rows], right[rows]) or 0.0 for rows in random.integers(len(left), size=(SAMPLES, len(left)))
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


def choose(sets: Sequence[Set], rows: Sequence[NDArray[np.intp]], scores: Mapping[str, Sequence[Array]]) -> str:
    """The form with the best mean correlation on some rows of each set."""

    def mean(name: str) -> float:
        return sum(
            correlation(found[chosen], item.human[chosen]) or 0.0
            for item, chosen, found in zip(sets, rows, scores[name], strict=True)
        )

    return max(scores, key=mean)


def cross_validated(sets: Sequence[Set], times: int = TIMES) -> tuple[list[list[Array]], dict[str, int]]:
    """For each set and time the scores that forms gave to what they were not chosen on; and how often each was."""
    scores = {name: [item.scores(form) for item in sets] for name, form in FORMS.items()}
    random = np.random.default_rng(0)
    pooled: list[list[Array]] = [[] for _ in sets]
    chosen = dict.fromkeys(FORMS, 0)
    for _ in range(times):
        folds = [random.permutation(len(item.texts)) % FOLDS for item in sets]
        given = [np.zeros(len(item.texts)) for item in sets]
        for fold in range(FOLDS):
            best = choose(sets, [np.flatnonzero(part != fold) for part in folds], scores)
            chosen[best] += 1
            known = np.concatenate([found[part != fold] for found, part in zip(scores[best], folds, strict=True)])
            for values, found, part in zip(given, scores[best], folds, strict=True):
                values[part == fold] = (found[part == fold] - known.mean()) / known.std()
        for place, values in enumerate(given):
            pooled[place].append(values)
    return pooled, chosen


def pooled_interval(runs_: Sequence[Array], human: Array) -> str:
    """The mean over repetitions, and the middle 95 % over resampled texts of all repetitions."""
    random = np.random.default_rng(12345)
    values = [correlation(run, human) or 0.0 for run in runs_]
    drawn = [
        correlation(run[rows], human[rows]) or 0.0
        for run in runs_
        for rows in random.integers(len(human), size=(SAMPLES // len(runs_), len(human)))
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f"{np.mean(values):.3f} [{low:.3f}, {high:.3f}]"


def trigram_precision(generated: str, source: str) -> float:
    own, other = words_of(generated), words_of(source)
    known = set(zip(other, other[1:], other[2:], strict=False))
    found = [gram in known for gram in zip(own, own[1:], own[2:], strict=False)]
    return sum(found) / len(found) if found else 1.0


def rouge_precision(generated: str, source: str) -> float:
    return ngram_overlap(words_of(generated), words_of(source), 1).precision


def report(sets: Sequence[Set]) -> None:
    for item in sets:
        human = item.human
        print(f"\n{item.name}: {len(item.texts)} texts, {len(item.texts) / item.seconds:.1f} a CPU second")
        for name, form in FORMS.items():
            found = item.scores(form)
            spearman = correlation(ranks(found), ranks(human)) or 0.0
            mark = " (shipped)" if name == SHIPPED else ""
            print(f"  {name + mark:36} Pearson {interval(found, human)}  Spearman {spearman:.3f}")
        for name, metric in (("trigram precision", trigram_precision), ("ROUGE-1 precision", rouge_precision)):
            found = np.array([metric(text.generated, text.source or "") for text in item.texts])
            print(f"  {name:36} Pearson {interval(found, human)}")


def told(item: Set) -> None:
    """How well the probability is calibrated on sentences that people judged."""
    chances, labels = [], []
    for text, sentences in zip(item.texts, item.sentences, strict=True):
        if len(sentences) == len(text.answers):
            for one, answers in zip(sentences, text.answers, strict=True):
                read = one.judgement
                known = Findings(one.findings.support, one.findings.refuted > 0, read.probability, read.least)
                chances.append(known.probability)
                labels.append(2 * answers.count("yes") > len(answers))
    print(f"  {item.name}: {len(labels)} sentences, {figures(np.array(chances), np.array(labels))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--network", help="folder of another support model")
    options = parser.parse_args()
    started = time.process_time()
    checker = Checker(network=options.network or True, toolkit=tupelo.load(threads=1))
    halves = [read_set(f"QAGS {part}, first half", qags(options.data, part), checker) for part in QAGS[:1]]
    print(f"QAGS cnndm with loading: {time.process_time() - started:.0f} s of CPU")
    halves += [read_set(f"QAGS {part}, first half", qags(options.data, part), checker) for part in QAGS[1:]]
    others = [
        read_set("XSum summaries, kept aside", list(xsum_summaries(options.data)), checker),
        read_set("written claims, kept aside", list(written(options.data, "written")), checker),
        read_set("spliced sentences, kept aside", list(written(options.data, "spliced")), checker),
    ]
    report([*halves, *others])
    print("\nprobability")
    for item in halves:
        told(item)
    pooled, chosen = cross_validated(halves)
    print("\ncross-validated choice of the form:", {name: count for name, count in chosen.items() if count})
    for item, found in zip(halves, pooled, strict=True):
        print(f"  {item.name}: Pearson {pooled_interval(found, item.human)}")


if __name__ == "__main__":
    main()
