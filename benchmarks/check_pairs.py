"""Does `tupelo check` see the difference between two claims in almost the same words?

    python -m benchmarks.check_pairs [PART] [--network FOLDER] [--failures] [--save]

`check_contrasts/*.tsv` have pairs of claims about a short source, one supported, the other refuted, unverifiable or
overstated; they were written before anything was run on them. Rules were written with `develop` in view;
`independent`, `further` and `last` are by others, who had seen neither rules nor training data; later rules were
written with `further` and `reports` in view, and `reports-held` is the half of the latter that nobody looked at. In
sources, ¶ separates documents. A claim is right two-way if it is supported or not as labelled; a pair is right if
both of its claims are; a true claim that is refuted is the worst mistake of a gate.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from benchmarks.results import add_save_option, save
from tupelo.api.checking import Checker

HEADER = ("kind", "claims", "supported or not: right", "both of a pair right", "verdict right", "true ones refuted")
FOLDER = Path(__file__).with_name("check_contrasts")


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim of the set with its label and its verdict."""

    kind: str
    label: str
    claim: str
    verdict: str
    shown: str

    @property
    def is_right(self) -> bool:
        return (self.label == "supported") == (self.verdict == "supported")


def worst(verdicts: Sequence[str]) -> str:
    order = ("refuted", "overstated", "unverifiable", "abstained", "supported")
    return next((verdict for verdict in order if verdict in verdicts), "none")


def judge(part: str, checker: Checker) -> Iterator[Judged]:
    with (FOLDER / f"{part}.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            source = row["source"].replace("¶", "\n\n")
            checked = checker(row["claim"], source)
            verdict = worst([claim.verdict.value for claim in checked.claims])
            yield Judged(row["kind"], row["label"], row["claim"], verdict, f"{source}\n{checked}")


def table(found: Sequence[Judged]) -> list[list[str]]:
    rows = []
    by_kind = [(kind, list(some)) for kind, some in groupby(found, key=lambda one: one.kind)]
    for kind, some in [*by_kind, ("all", list(found))]:
        true = [one for one in some if one.label == "supported"]
        rows.append(
            [
                kind,
                str(len(some)),
                share(sum(one.is_right for one in some), len(some)),
                share(
                    sum(all(one.is_right for one in pair) for pair in zip(some[::2], some[1::2], strict=True)),
                    len(some) // 2,
                ),
                share(sum(one.verdict == one.label for one in some), len(some)),
                share(sum(one.verdict == "refuted" for one in true), len(true)),
            ]
        )
    return rows


def share(count: int, total: int) -> str:
    return f"{100 * count / total:.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = sorted(path.stem for path in FOLDER.glob("*.tsv"))
    parser.add_argument("part", nargs="?", choices=parts, default="develop")
    parser.add_argument("--network", help="folder of another support model")
    parser.add_argument("--failures", action="store_true", help="print what is not right")
    add_save_option(parser)
    options = parser.parse_args()
    started = time.process_time()
    found = list(judge(options.part, Checker(network=options.network)))
    if options.failures:
        for one in found:
            if one.verdict != one.label:
                print(f"{one.kind}: {one.label}, found {one.verdict}{'' if one.is_right else '  !!'}\n{one.shown}\n")
    rows = table(found)
    print("\n".join("  ".join(row) for row in rows))
    if options.save:
        save(f"checking-matched-pairs-{options.part}", HEADER, rows)
    print(f"{len(found) / (time.process_time() - started):.1f} claims a CPU second, models included")


if __name__ == "__main__":
    main()
