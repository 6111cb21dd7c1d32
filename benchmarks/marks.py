"""Are tuples marked as the sentence means them? Denials, modality, reports, beliefs, conditions, questions.

    python -m benchmarks.marks [--data ../shared/data] [--cases FILE] [--errors] [--json] [--save]

A case names a word of a sentence, its predicate, and what has to be marked: any of `denied`, `modal`, `reported`,
`believed`, `conditional` and `asked`, or `-` where the sentence simply asserts it; `|` separates sets that are both
right, `word#2` is the second such word. It is right when every tuple of the rules whose relation ends in that
predicate has exactly one of these sets of marks; where there is no such tuple, the marks of the word itself are
judged. The sentences of treebanks are read from `--data`; without them only our own are judged.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import tupelo
from benchmarks import results
from benchmarks.nlp import DATA
from tupelo.core import Analysis, Extraction
from tupelo.extract.marks import Marks, marks_of
from tupelo.extract.marks.predicates import predicates_of
from tupelo.extract.rules import RuleExtractor
from tupelo.io.analyses import read_analyses
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.calibration import wilson_interval

CASES = Path(__file__).with_name("marks.tsv")
TREEBANKS = {"gum": "gum/gum-*.conllu.gz", "ewt": "ud_ewt/en_ewt-*.conllu.gz"}
OWN = "own"
_LABELS = {
    "belief": "believed",
    "condition": "conditional",
    "hypothesis": "conditional",
    "question": "asked",
}


class Case(NamedTuple):
    """A predicate in a sentence, and the sets of marks that are right for it."""

    source: str
    kind: str
    predicate: str
    expected: frozenset[frozenset[str]]
    sentence: str

    @property
    def origin(self) -> str:
        return OWN if self.source == OWN else "real"


def read_cases(lines: Iterable[str]) -> Iterator[Case]:
    """The cases of a file with a header: source, kind, predicate, expected marks, sentence, separated by tabs."""
    for line in list(lines)[1:]:
        source, kind, predicate, expected, sentence = line.rstrip("\n").split("\t")
        sets = frozenset(frozenset(marks.split(",")) - {"-"} for marks in expected.split("|"))
        yield Case(source, kind, predicate, sets, sentence)


def with_sentences(cases: Iterable[Case], data: Path) -> Iterator[Case]:
    """The cases whose sentences are known, those of treebanks by their ids."""
    cases = list(cases)
    known = treebank_sentences({case.source for case in cases if not case.sentence}, data)
    for case in cases:
        if case.sentence or case.source in known:
            yield case._replace(sentence=case.sentence or known[case.source])


def treebank_sentences(sources: Collection[str], data: Path) -> dict[str, str]:
    """The sentences of the treebanks that some sources name, by name and id."""
    known: dict[str, str] = {}
    for name, pattern in TREEBANKS.items():
        if any(source.startswith(f"{name}:") for source in sources):
            for path in sorted(data.glob(pattern)):
                known |= {f"{name}:{found.id}": found.text for found in read_analyses(path)}
    return known


def labels(marks: Marks | Extraction) -> frozenset[str]:
    found = {
        "denied": bool(marks.negated),
        "modal": marks.modality is not None,
        "reported": marks.attribution is not None,
    }
    role = marks.context.role if marks.context is not None else None
    return frozenset(name for name, holds in found.items() if holds) | ({_LABELS[role]} if role else set())


def found_labels(case: Case, analysis: Analysis, extractions: Iterable[Extraction]) -> list[frozenset[str]]:
    """The marks of the tuples of the predicate, or of the word itself; empty where the word is not found."""
    word, _, number = case.predicate.partition("#")
    places = [index for index, found in enumerate(analysis.words) if found.text.lower() == word.lower()]
    if len(places) < int(number or 1):
        return []
    place = places[int(number or 1) - 1]
    tree = DependencyTree(analysis)
    tuples = [
        extraction
        for extraction in extractions
        if extraction.rel.tokens and predicates_of(tree, extraction.rel.tokens)[-1:] == [place]
    ]
    return [labels(extraction) for extraction in tuples] or [labels(marks_of(tree, (place,), ()))]


def is_right(case: Case, found: list[frozenset[str]]) -> bool:
    return bool(found) and all(marks in case.expected for marks in found)


def judge(cases: Iterable[Case], analyses: Iterable[Analysis]) -> Iterator[tuple[Case, list[frozenset[str]]]]:
    """Each case with the marks that were found for it."""
    kept = list(analyses)
    for case, analysis, extractions in zip(cases, kept, RuleExtractor().extract(kept), strict=True):
        yield case, found_labels(case, analysis, extractions)


def figures(judged: Iterable[bool]) -> Mapping[str, float]:
    listed = list(judged)
    low, high = wilson_interval(sum(listed), len(listed))
    return {
        "right": sum(listed),
        "of": len(listed),
        "share": round(100 * sum(listed) / len(listed), 1),
        "low": round(100 * low, 1),
        "high": round(100 * high, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--errors", action="store_true", help="also print the cases that are wrong")
    parser.add_argument("--json", action="store_true")
    results.add_save_option(parser)
    options = parser.parse_args()

    with options.cases.open(encoding="utf-8") as file:
        every = list(read_cases(file))
    cases = list(with_sentences(every, options.data))
    judged = list(
        judge(cases, tupelo.load().analyze([case.sentence for case in cases], lines=True, constituents=False))
    )
    table = {"all": figures(is_right(case, found) for case, found in judged)}
    for group in sorted({case.origin for case in cases}):
        table[group] = figures(is_right(case, found) for case, found in judged if case.origin == group)
    for kind in sorted({case.kind for case in cases}):
        table[kind] = figures(is_right(case, found) for case, found in judged if case.kind == kind)
    skipped = len(every) - len(cases)
    if options.save:
        titles = {"all": "all {of}", "real": "{of} of treebanks", OWN: "{of} written for the test"}
        rows = [
            [title.format(of=row["of"]), f"{row['share']:.1f} % [{row['low']:.1f}, {row['high']:.1f}]"]
            for name, title in titles.items()
            if (row := table.get(name))
        ]
        results.save("extraction-marks", ["sentences", "right"], rows)
    if options.json:
        print(json.dumps({"figures": table, "skipped": skipped}, indent=1))
        return
    for name, row in table.items():
        interval = f"[{row['low']:.1f}, {row['high']:.1f}]"
        print(f"{name:18} {row['right']:3} of {row['of']:3}  {row['share']:5.1f} %  {interval}")
    if skipped:
        print(f"{skipped} cases left out: their treebanks are not in {options.data}")
    if options.errors:
        for case, found in judged:
            if not is_right(case, found):
                marks = " ".join(",".join(sorted(each)) or "-" for each in found) or "word not found"
                expected = "|".join(",".join(sorted(each)) or "-" for each in case.expected)
                print(f"\n{case.kind}  {case.predicate}: {marks}  expected {expected}\n  {case.sentence}")


if __name__ == "__main__":
    main()
