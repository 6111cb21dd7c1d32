"""Are sentences of hard structures read as they mean? Contrasts, paired lists, alternatives, control, titles.

    python -m benchmarks.structures [--data ../shared/data] [--cases FILE ...] [--extractor NAME] [--errors] [--json]
                                    [--save]

A case is a sentence, our own or a real one that is read from `--data`, with the tuples that a reader wants and those
that the sentence does not say, as `subject | relation | rest | {mark}`, separated by `;;`. All words of a part have
to be in that part of one shown tuple, those of the rest in the rest or in the relation; `^` and `$` are the start and
the end of a part. A wanted tuple has the mark that is
named; an unwanted one counts if it is asserted, that is without negation, modality, speaker or context. A case is
right when every wanted tuple and no unwanted one is found. Write choices on `develop.tsv`; run `held.tsv` once, when
all are made.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import tupelo
from benchmarks import results
from benchmarks.marks import OWN, figures, treebank_sentences
from benchmarks.nlp import DATA
from tupelo.core import Extraction

HERE = Path(__file__).with_name("structures")
# Passages: a case names the number of one and the characters in it. Those of the treebanks are named by their ids.
PASSAGES = ("hotpotqa", "musique")


class Pattern(NamedTuple):
    """The words of each part of a tuple, and the marks that it must have."""

    subject: str
    relation: str
    rest: str
    marks: frozenset[str] = frozenset()

    def fits(self, extraction: Extraction) -> bool:
        subject, relation = extraction.arg1.text if extraction.arg1 else "", extraction.rel.text
        rest = " ".join(argument.text for argument in extraction.args)
        # Where the relation ends is a convention; a word that is tied to the start or the end of the rest is in it.
        tied = " ".join(word for word in self.rest.split() if "^" in word or "$" in word)
        found = zip((subject, relation, rest), (self.subject, self.relation, tied), strict=True)
        loose = contains(
            f"{relation} {rest}", " ".join(word for word in self.rest.split() if word not in tied.split())
        )
        return loose and all(contains(*pair) for pair in found) and self.marks <= marks_of(extraction)


class Case(NamedTuple):
    kind: str
    source: str
    sentence: str
    wanted: tuple[Pattern, ...]
    unwanted: tuple[Pattern, ...]

    def faults(self, extractions: Iterable[Extraction]) -> list[str]:
        """The wanted tuples that are missing, and the unwanted ones that are asserted."""
        found = list(extractions)
        asserted = [extraction for extraction in found if not marks_of(extraction)]
        missing = [f"- {shown(pattern)}" for pattern in self.wanted if not any(map(pattern.fits, found))]
        return missing + [f"+ {shown(pattern)}" for pattern in self.unwanted if any(map(pattern.fits, asserted))]


def contains(text: str, wanted: str) -> bool:
    """Whether all words are in a text, in any order; `^` and `$` tie a word to its start and end."""
    for word in wanted.split():
        before, after = r"\A" if word[0] == "^" else r"(?<!\w)", r"\Z" if word[-1] == "$" else r"(?!\w)"
        if not re.search(before + re.escape(word.strip("^$")) + after, text, re.IGNORECASE):
            return False
    return True


def marks_of(extraction: Extraction) -> set[str]:
    """The marks of a tuple by name; `not` for a negation."""
    marks = {extraction.modality} if extraction.modality else set()
    marks |= {"not"} if extraction.negated else set()
    marks |= {"reported"} if extraction.attribution is not None else set()
    return marks | ({extraction.context.role or "context"} if extraction.context is not None else set())


def shown(pattern: Pattern) -> str:
    return " | ".join((*pattern[:3], *sorted(pattern.marks)))


def read_cases(lines: Iterable[str]) -> Iterator[Case]:
    """The cases of a file with a header: kind, source, sentence, wanted, unwanted, separated by tabs."""
    for line in list(lines)[1:]:
        kind, source, sentence, wanted, unwanted = line.rstrip("\n").split("\t")
        yield Case(kind, source, sentence, patterns(wanted), patterns(unwanted))


def with_sentences(cases: Iterable[Case], data: Path) -> Iterator[Case]:
    """The cases whose sentences are known: our own, those of treebanks, and parts of passages."""
    cases = list(cases)
    sources = {case.source for case in cases if not case.sentence}
    known = treebank_sentences(sources, data)
    for name in PASSAGES:
        path = data / "retrieval" / name / "passages.jsonl.gz"
        if any(source.startswith(f"{name}:") for source in sources) and path.is_file():
            with gzip.open(path, "rt", encoding="utf-8") as file:
                texts = {f"{name}:{item['id']}": item["text"] for item in map(json.loads, file)}
            for source in sources:
                passage, _, span = source.rpartition(":")
                if passage in texts:
                    start, _, end = span.partition("-")
                    known[source] = texts[passage][int(start) : int(end)]
    for case in cases:
        if case.sentence or case.source in known:
            yield case._replace(sentence=case.sentence or known[case.source])


def patterns(field: str) -> tuple[Pattern, ...]:
    found = []
    for text in filter(str.strip, field.split(";;")):
        subject, relation, rest, marks = (*(part.strip() for part in text.split("|")), "", "")[:4]
        found.append(Pattern(subject, relation, rest, frozenset(mark.strip("{}") for mark in marks.split())))
    return tuple(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--cases", type=Path, nargs="+", default=[HERE / "develop.tsv"])
    parser.add_argument("--extractor", default="default")
    parser.add_argument("--errors", action="store_true", help="also print the cases that are wrong")
    parser.add_argument("--json", action="store_true")
    results.add_save_option(parser)
    options = parser.parse_args()

    nlp = tupelo.load(extractor=options.extractor)
    tables, wrong = {}, []
    for path in options.cases:
        written = read_cases(path.read_text(encoding="utf-8").splitlines())
        cases = list(with_sentences(written, options.data))
        judged = []
        for case in cases:
            found = list(nlp.extract(case.sentence))
            faults = case.faults(found)
            judged.append((case.kind, "own" if case.source == OWN else "real", not faults))
            if faults:
                wrong.append((case, faults, found))
        groups = list(dict.fromkeys([*(origin for _, origin, _ in judged), *(kind for kind, _, _ in judged)]))
        by_group = {group: figures(right for *of, right in judged if group in of) for group in groups}
        tables[path.stem] = {"all": figures(right for *_, right in judged), **by_group}
    if options.save:
        kinds = list(dict.fromkeys(kind for table in tables.values() for kind in table))
        rows = [[kind, *(cell(table.get(kind)) for table in tables.values())] for kind in kinds]
        results.save("extraction-structures", ["structure", *tables], rows)
    if options.json:
        print(json.dumps(tables, indent=1))
        return
    for name, table in tables.items():
        for kind, row in table.items():
            print(f"{name:10} {kind:12} {row['right']:3} of {row['of']:3}  {row['share']:5.1f} %")
    if options.errors:
        for case, faults, found in wrong:
            print(f"\n{case.kind}  {case.sentence}", *(f"  {fault}" for fault in faults), sep="\n")
            for extraction in found:
                print(f"      {extraction}  {sorted(marks_of(extraction))} {extraction.confidence} {extraction.rule}")


def cell(row: Mapping[str, float] | None) -> str:
    return "" if row is None else f"{row['right']} of {row['of']}"


if __name__ == "__main__":
    main()
