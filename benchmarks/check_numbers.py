"""Does `tupelo check` see that a source gives another number of the same things, and only then?

    python -m benchmarks.check_numbers [--data DATA]

`check_numbers.tsv` has claims about how many there are of something: some have another number than their source, the
others an approximation, a sum, a difference, a part, a rank, or a number of something else. The rules were written
with the part `seen` in view. With `--data`, sentences with numbers are also checked against the rest of their own
article, which should contradict none of them.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.check_sets import CHOSEN
from tupelo.api.checking import Checker
from tupelo.nlp.pipeline import split_text
from tupelo.nlp.values import Number, values_in, words_of

CASES = Path(__file__).with_name("check_numbers.tsv")
SETS = ("bump", "factcg", "wice")
ARTICLES, PER_ARTICLE = 60, 5
LONGEST_ARTICLE, SHORTEST, LONGEST = 9000, 5, 35


def is_contradicted(checker: Checker, claim: str, source: str) -> bool:
    return any(one.findings is not None and one.findings.contradicted for one in checker(claim, source).claims)


def has_number(sentence: str) -> bool:
    words = words_of(sentence)
    values = (found.value for found in values_in(words))
    return SHORTEST < len(words) < LONGEST and any(isinstance(v, Number) and v.unit != "ordinal" for v in values)


def left_out(data: Path) -> Iterator[tuple[str, str]]:
    """Sentences with numbers, each with the rest of its article."""
    for name in SETS:
        sources = dict.fromkeys(text.source or "" for text in CHOSEN[name](data))
        for source in [one for one in sources if len(one) < LONGEST_ARTICLE][:ARTICLES]:
            sentences = [one.text for one in split_text(source)]
            chosen = [one for one in sentences if has_number(one) and sentences.count(one) == 1]
            for sentence in chosen[:PER_ARTICLE]:
                yield sentence, " ".join(other for other in sentences if other != sentence)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    checker, found, totals = Checker(), Counter[str](), Counter[str]()
    with CASES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            kind = f"{row['part']}, {row['expected']}"
            totals[kind] += 1
            found[kind] += is_contradicted(checker, row["claim"], row["source"])
    for claim, source in left_out(options.data) if options.data else ():
        totals["left out of its article"] += 1
        found["left out of its article"] += is_contradicted(checker, claim, source)
    for kind, total in totals.items():
        print(f"{kind}: {found[kind]} of {total} contradicted")


if __name__ == "__main__":
    main()
