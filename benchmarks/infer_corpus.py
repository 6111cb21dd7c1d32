"""Text of many kinds out of the data folder, for assertions of our own parses.

    python -m benchmarks.infer_corpus --data FOLDER --output corpus/

Writes `sentences.txt` (a sentence a line, words separated by spaces: Brown, the sample of the Wall Street Journal in
NLTK, QAMR, OIE2016, LSOIE, FewRel, Re-DocRED), `texts.txt` (WebNLG, KnowledgeNet, the articles of AggreFact and QAGS)
and `triples.tsv` (ReVerb's triples in the CESI data, as assertions seen once for every time they are there).
Nothing is there twice, whatever it came from; sentences of more than 30 words are left out of the first file.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

# Pieces of words of the Penn Treebank that stand for brackets.
_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}
# Longer sentences take most of the time and are parsed worst.
MOST_WORDS = 30
_LEAF = re.compile(r"\((\S+) ([^\s()]+)\)")


def lines_of(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield line.rstrip("\n")


def document(path: Path) -> Any:
    return json.loads("\n".join(lines_of(path)))


def brown(data: Path) -> Iterator[str]:
    with zipfile.ZipFile(data / "nltk" / "brown.zip") as archive:
        for name in sorted(archive.namelist()):
            if re.search(r"/c[a-r]\d\d\Z", name):
                for line in archive.read(name).decode("utf-8").splitlines():
                    yield " ".join(token.rpartition("/")[0] for token in line.split())


def journal(data: Path) -> Iterator[str]:
    with zipfile.ZipFile(data / "nltk" / "treebank.zip") as archive:
        for name in sorted(archive.namelist()):
            if re.search(r"/combined/wsj_\d+\.mrg\Z", name):
                # A tree begins where a line begins with a bracket.
                for tree in re.split(r"\n(?=\()", archive.read(name).decode("utf-8")):
                    yield " ".join(word for tag, word in _LEAF.findall(tree) if tag != "-NONE-")


def judged_sentences(data: Path) -> Iterator[str]:
    yield from (line.split("\t")[1] for line in lines_of(data / "qamr" / "wiki-sentences.tsv.gz"))
    for part in ("train", "dev"):
        yield from lines_of(data / "oie2016" / "raw_sentences" / f"{part}.txt")
    for part in ("wiki", "science"):
        yield from (line.split("\t")[0] for line in lines_of(data / "lsoie" / f"lsoie_{part}_eval.oie"))


def related_sentences(data: Path) -> Iterator[str]:
    for part in ("wiki", "nyt", "semeval"):
        for examples in document(data / "fewrel" / f"val_{part}.json.gz").values():
            yield from (" ".join(example["tokens"]) for example in examples)
    for article in document(data / "redocred" / "dev_revised.json.gz"):
        yield from map(" ".join, article["sents"])


def texts(data: Path) -> Iterator[str]:
    for part in ("train", "dev"):
        for line in lines_of(data / "webnlg" / f"webnlg-v1.6-en-{part}.jsonl.gz"):
            yield from json.loads(line)["texts"]
    for line in lines_of(data / "knowledgenet" / "train_folds1-4.jsonl.gz"):
        yield json.loads(line)["passageText"]
    with gzip.open(data / "aggrefact" / "AggreFact-Unified-val.csv.gz", "rt", encoding="utf-8", newline="") as file:
        csv.field_size_limit(sys.maxsize)
        yield from (row["doc"] for row in csv.DictReader(io.StringIO(file.read())))
    for part in ("cnndm", "xsum"):
        for line in lines_of(data / "qags" / f"mturk_{part}.first_half.jsonl"):
            yield json.loads(line)["article"]


def triples(data: Path) -> Counter[tuple[str, ...]]:
    counts: Counter[tuple[str, ...]] = Counter()
    for path in sorted((data / "cesi").glob("*.jsonl.gz")):
        for line in lines_of(path):
            counts[tuple(" ".join(part.lower().split()) for part in json.loads(line)["triple"])] += 1
    return counts


def write(path: Path, items: Iterable[str], seen: set[str]) -> None:
    count = 0
    with path.open("w", encoding="utf-8") as stream:
        for item in items:
            text = " ".join(_BRACKETS.get(word, word) for word in item.split())
            key = re.sub(r"\W", "", text.lower())
            if len(key) > 10 and key not in seen:
                seen.add(key)
                stream.write(text + "\n")
                count += 1
    print(f"{path}: {count:,} lines")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    sources = (brown, journal, judged_sentences, related_sentences)
    sentences = (line for source in sources for line in source(options.data) if len(line.split()) <= MOST_WORDS)
    write(options.output / "sentences.txt", sentences, seen)
    write(options.output / "texts.txt", texts(options.data), seen)
    with (options.output / "triples.tsv").open("w", encoding="utf-8") as stream:
        for triple, count in sorted(triples(options.data).items()):
            if all(triple):
                stream.write("\t".join((*triple, str(count))) + "\n")


if __name__ == "__main__":
    main()
