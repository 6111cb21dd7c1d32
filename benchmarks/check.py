"""How well does `tupelo check` judge? Agreement with people.

    python -m benchmarks.check [--data ../shared/data]

The first halves of QAGS (the second halves are kept for others), beside simple baselines: the share of the summary's
trigrams that are in the article, and ROUGE-1 precision. No weight was fitted on them, but they were looked at while
the score was put together: which parts it has, and the round numbers that join them; the two constants of the
probability, which do not change correlations, were fitted there. Texts made false on purpose are measured by
`tupelo reproduce facts --texts`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path

import tupelo
from tupelo.facts.checker import Checker
from tupelo.io.judgements import read_judgements
from tupelo.score.factuality import agreement
from tupelo.score.rouge import ngram_overlap, words_of

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"


def trigram_precision(generated: str, source: str) -> float:
    own, other = words_of(generated), words_of(source)
    known = set(zip(other, other[1:], other[2:], strict=False))
    found = [gram in known for gram in zip(own, own[1:], own[2:], strict=False)]
    return sum(found) / len(found) if found else 1.0


def people(data: Path, checker: Checker, plain: Checker) -> None:
    for part in ("cnndm", "xsum"):
        texts, _ = read_judgements(str(data / f"qags/mturk_{part}.first_half.jsonl"), "qags")
        started = time.process_time()
        scores = {text.id: checker(text.generated, text.source or "").score for text in texts}
        seconds = time.process_time() - started
        rows: dict[str, Mapping[str, float | None]] = {
            "tupelo check": scores,
            "without the network": {text.id: plain(text.generated, text.source or "").score for text in texts},
            "trigram precision": {text.id: trigram_precision(text.generated, text.source or "") for text in texts},
            "ROUGE-1 precision": {
                text.id: ngram_overlap(words_of(text.generated), words_of(text.source or ""), 1).precision
                for text in texts
            },
        }
        print(f"QAGS {part}, first half: {len(texts)} texts, {len(texts) / seconds:.1f} a CPU second")
        for name, given in rows.items():
            found = agreement(texts, given)
            low, high = found.pearson.low or 0.0, found.pearson.high or 0.0
            print(
                f"  {name:20} Pearson {found.pearson.value or 0.0:.3f} [{low:.3f}, {high:.3f}]"
                f"  Spearman {found.spearman.value or 0.0:.3f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    toolkit = tupelo.load(threads=1)
    people(options.data, Checker(toolkit), Checker(toolkit, None))


if __name__ == "__main__":
    main()
