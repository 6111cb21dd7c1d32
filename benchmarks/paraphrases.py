"""What the paraphraser `syntactic` makes of one half of CaRB's development sentences.

    python -m benchmarks.paraphrases [--data ../shared/data] [--half measure] [--rows ROWS.tsv] [--draw N] [--set ...]
    python -m benchmarks.paraphrases --gold FILE --format oie2016 [--skip 300] [--sentences 600] [--rows ROWS.tsv]

A hash of the sentence puts it into one of two halves. Rules, words and thresholds were made with `develop` in view;
figures are of `measure`. With `--gold`, sentences of another file are taken in random order. ROWS has a paraphrase a
line with its original and both lists of tuples, `--draw` of them at random; they are what readers judge.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from hashlib import sha256
from pathlib import Path
from statistics import mean
from typing import Any

import tupelo
from tupelo.api.robustness import build as build_cliques
from tupelo.core import Extraction, Record
from tupelo.core.spec import read_pairs
from tupelo.io.tuples import read_records
from tupelo.robustness.candidates import TextTuple
from tupelo.robustness.cliques import CliqueBuild, originals
from tupelo.robustness.diversity import bleu_matrix

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
HALVES = ("develop", "measure")
_CLEFTS = ("it is", "it was", "what", "the one", "the person")


def half_of(sentence: str) -> str:
    return HALVES[int(sha256(sentence.encode()).hexdigest(), 16) % 2]


def gold(data: Path, half: str) -> list[Record]:
    found = originals(read_records(data / "carb/gold/dev.tsv", "carb"))
    return [
        Extraction.of(text, relation, arguments)
        for text, tuples in found.items()
        if half_of(text) == half
        for relation, *arguments in tuples
    ]


def shuffled(path: Path, form: str, skip: int, count: int | None) -> list[Record]:
    """The tuples of `count` sentences of a file in one random order, behind the first `skip`."""
    found = list(originals(read_records(path, form)).items())
    random.Random(7).shuffle(found)
    taken = found[skip:] if count is None else found[skip : skip + count]
    return [Extraction.of(text, relation, rest) for text, tuples in taken for relation, *rest in tuples]


def figures(made: CliqueBuild, sentences: int) -> dict[str, Any]:
    """Shares of sentences and of paraphrases, and how much words and syntax changed."""
    rows = made.rows()
    each = Counter(row["original"] for row in rows)
    rules = [{name for name in row["origin"].split("+") if not name.startswith("words:")} for row in rows]
    new = [set(row["paraphrase"].lower().split()) - set(row["original"].lower().split()) for row in rows]
    bleu = [bleu_matrix([row["original"], row["paraphrase"]])[1][0] for row in rows]
    groups = [[c.candidate.text for c in clique.chosen] for clique in made.built if len(clique.chosen) > 1]
    own = [score for texts in groups for a, line in enumerate(bleu_matrix(texts)) for score in line[:a]]
    return {
        "sentences": sentences,
        "with a paraphrase": len(each) / sentences,
        "with two or more": sum(count > 1 for count in each.values()) / sentences,
        "paraphrases": len(rows),
        "clefts": mean(row["paraphrase"].lower().startswith(_CLEFTS) for row in rows),
        "with other syntax": mean(map(bool, rules)),
        "with a new word form": mean(map(bool, new)),
        "new word forms each": mean(map(len, new)),
        "BLEU with the original": mean(bleu),
        "BLEU between paraphrases of a sentence": mean(own) if own else None,
        "rules": Counter(name for names in rules for name in names).most_common(),
    }


def _line(tuples: tuple[TextTuple, ...]) -> str:
    return " ".join(f"({'; '.join((first, relation, *others))})" for relation, first, *others in tuples)


def write_rows(made: CliqueBuild, path: Path, draw: int | None, seed: int) -> None:
    """One paraphrase a line: the original, its tuples, the paraphrase, its tuples, how it was made."""
    lines = [
        "\t".join(
            (
                clique.original.analysis.text,
                _line(clique.original.tuples),
                each.candidate.text,
                _line(each.candidate.tuples),
                each.candidate.origin,
            )
        )
        for clique in made.built
        for each in clique.chosen
    ]
    if draw is not None:
        lines = random.Random(seed).sample(lines, min(draw, len(lines)))
    path.write_text("".join(line + "\n" for line in lines), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--half", choices=HALVES, default="measure")
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--format", default="auto")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--sentences", type=int)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--draw", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    if options.gold is None:
        records = gold(options.data, options.half)
    else:
        records = shuffled(options.gold, options.format, options.skip, options.sentences)
    made = build_cliques(
        records,
        tupelo.robustness.CliqueOptions(every=True),
        paraphraser="syntactic",
        settings=dict(read_pairs(options.set)),
        check_with=None,
    )
    for name, value in figures(made, len(originals(records))).items():
        print(f"{name}: {value:.3f}" if isinstance(value, float) else f"{name}: {value}")
    if options.rows is not None:
        write_rows(made, options.rows, options.draw, options.seed)


if __name__ == "__main__":
    main()
