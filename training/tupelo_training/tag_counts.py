"""Counts which part-of-speech tags follow which, for the fluency of rewrites (`tupelo.robustness.verify`).

    python -m tupelo_training.tag_counts --data ../shared/data --output src/tupelo/cliques/tag_counts.txt

Tags only, from the training parts of UD English EWT and GUM (CC BY-SA 4.0 and CC BY 4.0). Three tags in a row that
occur fewer than `--least` times are left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from tupelo.io.files import InputFile

TREEBANKS = ("ud_ewt/en_ewt-train.conllu.gz", "gum/gum-train.conllu.gz")
EDGE = "<s>"
HEADER = """\
# How often one part-of-speech tag follows two others in the training parts of UD English EWT and GUM.
# Two tags, a bar, then each following tag with its count; <s> is the edge of a sentence.
# Source: tupelo_training.tag_counts (CC BY-SA 4.0 and CC BY 4.0); rows seen fewer than {least} times are left out.
"""


def sentences(path: Path) -> list[list[str]]:
    found: list[list[str]] = [[]]
    with InputFile(path) as opened:
        for _, line in opened.lines():
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 10 and fields[0].isdigit():
                found[-1].append(fields[4])
            elif not line.strip() and found[-1]:
                found.append([])
    return [tags for tags in found if tags]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--output", type=Path, required=True)
    arguments.add_argument("--least", type=int, default=4)
    options = arguments.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()
    for name in TREEBANKS:
        for tags in sentences(options.data / name):
            padded = [EDGE, EDGE, *tags, EDGE]
            counts.update(zip(padded, padded[1:], padded[2:], strict=False))
    rows: dict[tuple[str, str], list[str]] = {}
    for (first, second, third), number in sorted(counts.items()):
        if number >= options.least:
            rows.setdefault((first, second), []).extend((third, str(number)))
    lines = [f"{first} {second} | {' '.join(row)}\n" for (first, second), row in rows.items()]
    options.output.write_text(HEADER.format(least=options.least) + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
