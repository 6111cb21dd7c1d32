"""How well does `tupelo check` judge? Agreement with people, and texts that were made false on purpose.

    python -m benchmarks.check [--data ../shared/data] [--texts 1000] [--no-people | --no-corruption]

People: the first halves of QAGS (the second halves are kept for others), beside simple baselines: the share of the
summary's trigrams that are in the article, and ROUGE-1 precision. Nothing of the score was fitted on them, but they
were looked at while it was written; the two constants of the probability, which do not change correlations, were
fitted there.

Corruption: passages of KnowledgeNet, joined per document, in which dates, places and people are swapped. The
*expected* accuracy is the share of claims that no swap touched; the gap to the predicted accuracy is what counts.
ROUGE and exact matches of Open IE tuples (Equation 1) stand beside it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

import tupelo
from tupelo.core import Extraction, Triple
from tupelo.facts.accuracy import fact_accuracy
from tupelo.facts.check import CheckedSentence
from tupelo.facts.checker import Checker
from tupelo.facts.corrupt import Change, corrupt
from tupelo.io.files import InputFile
from tupelo.io.judgements import read_judgements
from tupelo.load import Toolkit
from tupelo.score.factuality import agreement
from tupelo.score.rouge import ngram_overlap, rouge, words_of

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
PASSAGES = "knowledgenet/train_folds1-4.jsonl.gz"
SHARE = 0.5


def trigram_precision(generated: str, source: str) -> float:
    own, other = words_of(generated), words_of(source)
    known = set(zip(other, other[1:], other[2:], strict=False))
    found = [gram in known for gram in zip(own, own[1:], own[2:], strict=False)]
    return sum(found) / len(found) if found else 1.0


def people(data: Path, checker: Checker) -> None:
    for part in ("cnndm", "xsum"):
        texts, _ = read_judgements(str(data / f"qags/mturk_{part}.first_half.jsonl"), "qags")
        started = time.perf_counter()
        scores = {text.id: checker(text.generated, text.source or "").score for text in texts}
        seconds = time.perf_counter() - started
        rows: dict[str, Mapping[str, float | None]] = {
            "tupelo check": scores,
            "trigram precision": {text.id: trigram_precision(text.generated, text.source or "") for text in texts},
            "ROUGE-1 precision": {
                text.id: ngram_overlap(words_of(text.generated), words_of(text.source or ""), 1).precision
                for text in texts
            },
        }
        print(f"QAGS {part}, first half: {len(texts)} texts, {len(texts) / seconds:.1f} a second")
        for name, given in rows.items():
            found = agreement(texts, given)
            low, high = found.pearson.low or 0.0, found.pearson.high or 0.0
            print(
                f"  {name:20} Pearson {found.pearson.value or 0.0:.3f} [{low:.3f}, {high:.3f}]"
                f"  Spearman {found.spearman.value or 0.0:.3f}"
            )


def documents(data: Path) -> Iterator[str]:
    """The annotated passages of each document, in order, each once."""
    passages: dict[str, dict[int, str]] = {}
    with InputFile(data / PASSAGES) as file:
        for _, line in file.lines():
            item = json.loads(line)
            passages.setdefault(item["documentId"], {})[item["passageStart"]] = item["passageText"]
    for found in passages.values():
        yield " ".join(text for _, text in sorted(found.items()))


def triples(tuples: list[list[Extraction]]) -> list[Triple]:
    return [
        Triple(item.arg1.text, item.rel.text, " ".join(argument.text for argument in item.args))
        for found in tuples
        for item in found
        if item.arg1 is not None
    ]


def _is_in(change: Change, sentence: CheckedSentence) -> bool:
    return sentence.start <= change.span.start < sentence.start + len(sentence.text)


def corruption(data: Path, checker: Checker, toolkit: Toolkit, count: int) -> None:
    expected: list[float] = []
    columns: dict[str, list[float]] = {
        name: [] for name in ("tupelo check", "Open IE, exact", "rouge1", "rouge2", "rougeL")
    }
    texts = 0
    for text in documents(data):
        analyses = list(toolkit.analyze(text, constituents=False))
        changed = corrupt(text, analyses, share=SHARE)
        if not changed.changes:
            continue
        texts += 1
        checked = checker(changed.text, text)
        claims = [
            any(change.new in claim.text for change in changed.changes if _is_in(change, sentence))
            for sentence in checked.sentences
            for claim in sentence.claims
        ]
        if claims and checked.accuracy is not None:
            expected.append(1 - sum(claims) / len(claims))
            columns["tupelo check"].append(checked.accuracy)
        new = triples(list(toolkit.extractor.extract(list(toolkit.analyze(changed.text, constituents=False)))))
        exact = fact_accuracy(new, triples(list(toolkit.extractor.extract(analyses)))).value
        if exact is not None:
            columns["Open IE, exact"].append(exact)
        for name, overlap in rouge(changed.text, text).items():
            columns[name].append(overlap.f1)
        if texts == count:
            break
    aim = float(np.mean(expected))
    print(f"corruption: {texts} texts; expected accuracy {100 * aim:.1f}")
    for name, values in columns.items():
        mean = float(np.mean(values))
        print(f"  {name:20} {100 * mean:5.1f}  gap {100 * (mean - aim):+5.1f}   ({len(values)} texts)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--no-people", action="store_true")
    parser.add_argument("--no-corruption", action="store_true")
    options = parser.parse_args()
    toolkit = tupelo.load(threads=1)
    checker = Checker(toolkit)
    if not options.no_people:
        people(options.data, checker)
    if not options.no_corruption:
        corruption(options.data, checker, toolkit, options.texts)


if __name__ == "__main__":
    main()
