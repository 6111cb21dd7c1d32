"""Judged texts for `benchmarks.check`, by name; each says what it is for.

Nothing was fitted to or chosen on those that are `reported`. Forms of evidence, the curve and thresholds were chosen
on those that are `chosen`.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tupelo.core.judgement import JudgedText
from tupelo.io.judgements import completed, read_by_id, read_judgements

CONTRASTS = Path(__file__).with_name("check_contrasts.tsv")
Texts = Callable[[Path], Iterable[JudgedText]]


def qags(part: str) -> Texts:
    return lambda data: read_judgements(str(data / f"qags/mturk_{part}.first_half.jsonl"), "qags")[0]


def frank(data: Path) -> list[JudgedText]:
    """The BBC summaries of FRANK's validation part: the others come without their texts."""
    texts, _ = read_judgements(str(data / "frank/human_annotations.json.gz"), "frank")
    sources = read_by_id(str(data / "aggrefact/AggreFact-Unified-val.csv.gz"), "source")
    summaries = read_by_id(
        str(data / "xsum_hallucination/hallucination_annotations_xsum_summaries.csv.gz"), "generated"
    )
    return completed([text for text in texts if text.split == "valid"], sources, summaries)[0]


def claims(name: str) -> Texts:
    def read(data: Path) -> Iterator[JudgedText]:
        with gzip.open(data / f"claims/{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for number, item in enumerate(map(json.loads, lines)):
                good = item["label"] == "supported"
                errors = item.get("error") or ()
                yield JudgedText(
                    str(number),
                    item["claim"],
                    item["document"],
                    question=item.get("message", ""),
                    score=float(good),
                    label=good,
                    system=item["source"],
                    error_types=(errors,) if isinstance(errors, str) else tuple(errors),
                )

    return read


def contrasts(data: Path) -> Iterator[JudgedText]:
    """Pairs of a true and a false claim in almost the same words, written for this; `system` is the kind."""
    with CONTRASTS.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            good = row["label"] == "supported"
            yield JudgedText(
                row["id"], row["claim"], row["source"], score=float(good), label=good, system=row["kind"]
            )


REPORTED: dict[str, Texts] = {
    "qags-cnndm": qags("cnndm"),
    "qags-xsum": qags("xsum"),
    "frank": frank,
    "summedits": claims("summedits"),
    "q2": claims("q2"),
    "contrasts": contrasts,
}
CHOSEN: dict[str, Texts] = {
    "begin": claims("begin_dev"),
    "wice": claims("wice_dev"),
    "bump": claims("bump"),
    "factcg": claims("factcg"),
}
