"""How well is text split into sentences? Hand-written hard cases, and the raw text of treebanks.

    python -m benchmarks.splitting [--data ../shared/data] [--cases FILE] [--model FOLDER] [--part dev] [--errors]

A hard case is right when all its boundaries are, and no other is drawn. Treebanks are scored as in the CoNLL 2018
shared task: a sentence or a word is right when its first and last characters are. Nothing is parsed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.conll18 import score_conll18
from benchmarks.nlp import DATA, conllu_lines, percent
from tupelo.core import Analysis, Passage, Word
from tupelo.io.analyses import read_analyses
from tupelo.nlp.folder import find_model
from tupelo.nlp.model import Model
from tupelo.nlp.prepare import Splitter, cut_passages, split_sentences
from tupelo_training.parser.paragraphs import paragraphs

CASES = Path(__file__).with_name("hard_splits.tsv")
BOUNDARY = "¦"


class Case(NamedTuple):
    """A text of a kind of trouble, and its sentences."""

    kind: str
    text: str
    sentences: tuple[str, ...]


def read_cases(lines: Iterable[str]) -> Iterator[Case]:
    """The cases of a file: kind, tab, text with a mark before every sentence but the first; `\\n` is a line break."""
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        kind, _, marked = line.rstrip("\n").partition("\t")
        marked = marked.replace("\\n", "\n")
        yield Case(kind, marked.replace(BOUNDARY, ""), tuple(map(_plain, marked.split(BOUNDARY))))


def sentences_of(text: str, splitter: Splitter) -> list[str]:
    passages = cut_passages(Passage(text))
    return [found.text for passage in passages for found in split_sentences(passage, splitter)]


def is_right(case: Case, splitter: Splitter) -> bool:
    return tuple(map(_plain, sentences_of(case.text, splitter))) == case.sentences


def _plain(sentence: str) -> str:
    """A sentence without white space, so that only its ends count."""
    return "".join(sentence.split())


def treebank_figures(path: Path, splitter: Splitter) -> dict[str, float]:
    texts = [text for text, _ in paragraphs(conllu_lines(path))]
    predicted = (
        Analysis(
            found.text,
            tuple(
                Word(form, start, end, head=None if index == 0 else 0, deprel="dep")
                for index, (form, (start, end)) in enumerate(zip(found.forms, found.spans, strict=True))
            ),
            found.start,
            contractions=found.contractions,
        )
        for text in texts
        for passage in cut_passages(Passage(text))
        for found in split_sentences(passage, splitter)
    )
    counts = score_conll18(read_analyses(path), predicted)
    return {name: percent(counts[name].f1) for name in ("Sentences", "Words")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument(
        "--model", type=Path, default=find_model("en"), help="a folder of the same form as the shipped one"
    )
    parser.add_argument("--part", default="test", choices=("dev", "test"), help="of the treebanks")
    parser.add_argument("--errors", action="store_true", help="also print the cases that are wrong")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    splitter = Model(options.model).splitter
    by_kind: dict[str, list[bool]] = {}
    wrong: list[Case] = []
    with options.cases.open(encoding="utf-8") as file:
        for case in read_cases(file):
            right = is_right(case, splitter)
            by_kind.setdefault(case.kind, []).append(right)
            wrong += [] if right else [case]
    kinds = {kind: (sum(found), len(found)) for kind, found in sorted(by_kind.items())}
    kinds["all"] = (sum(pair[0] for pair in kinds.values()), sum(pair[1] for pair in kinds.values()))
    treebanks: dict[str, dict[str, float]] = {}
    for name, path in (("EWT", "ud_ewt/en_ewt"), ("GUM", "gum/gum")):
        treebank = options.data / f"{path}-{options.part}.conllu.gz"
        if treebank.is_file():
            treebanks[f"{name} {options.part}"] = treebank_figures(treebank, splitter)
    if options.json:
        print(json.dumps({"cases": kinds, "treebanks": treebanks}, indent=1))
        return
    for name, figures in treebanks.items():
        print(f"{name:14}", "  ".join(f"{column} {value:5.2f}" for column, value in figures.items()))
    for kind, (correct, size) in kinds.items():
        print(f"{kind:14} {correct:3} of {size:3}")
    if options.errors:
        for case in wrong:
            print(f"\n{case.kind}\n" + "\n".join(f"  {sentence!r}" for sentence in sentences_of(case.text, splitter)))


if __name__ == "__main__":
    main()
