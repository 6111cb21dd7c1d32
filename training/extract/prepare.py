"""Reads tuples of several sources and writes what training needs as one compact file.

    python -m training.extract.prepare --data ../shared/data --parser en --output prepared-extract/

Sources differ in style (what counts as a relation, how long arguments are). Each sentence keeps the number of its
source, and the network learns an embedding for it: the encoder learns from all of them, the style of CaRB is asked
for when extracting. The parser gives tokens and says which token of a relation is its head, the *anchor* of the
tuple; nothing of the parse is an input of the network.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tupelo
from training.extract.align import FURTHER, LABELS, LEADS, OBJECT, RELATION, SUBJECT, Laid, lay
from tupelo.core import Analysis
from tupelo.nlp.subwords import Subwords

SOURCES = ("carb", "openie4", "clausie", "oie2016", "lsoie", "wire57")
FOLDS = 5
MOST_WORDS = 120
# Silver tuples below these confidences are left out. ClausIE's are rescaled log values, which say little.
LEAST_CONFIDENCE = {"openie4": 0.4, "clausie": 0.0}
# Tuples with more words than this that are not in the sentence teach nothing about its words.
MOST_MISSING = 3


@dataclass(frozen=True, slots=True)
class Plain:
    """One tuple as strings."""

    relation: str
    arguments: tuple[str, ...]


TuplesBySentence = dict[str, list[Plain]]


def read_rows(path: Path) -> Iterator[list[str]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    for line in text.split("\n"):
        if line.strip():
            yield [field.strip() for field in line.strip().split("\t")]


def read_plain(path: Path) -> TuplesBySentence:
    """`sentence, relation, arg1, arg2 …`"""
    found: TuplesBySentence = defaultdict(list)
    for sentence, relation, *arguments in read_rows(path):
        if len(arguments) >= 2:
            found[sentence].append(Plain(relation, tuple(arguments)))
    return found


def read_tabbed(path: Path, least: float) -> TuplesBySentence:
    """`sentence, confidence, relation, arg1, arg2 …`"""
    found: TuplesBySentence = defaultdict(list)
    for sentence, confidence, relation, *arguments in read_rows(path):
        if len(arguments) >= 2 and float(confidence) >= least:
            found[sentence].append(Plain(relation, tuple(arguments)))
    return found


def read_sources(data: Path) -> dict[str, TuplesBySentence]:
    systems = data / "oie2016/systems_output/train"
    return {
        "carb": read_plain(data / "carb/gold/dev.tsv"),
        "openie4": read_tabbed(systems / "openie4_tabbed.txt.gz", LEAST_CONFIDENCE["openie4"]),
        "clausie": read_tabbed(systems / "clausie_tabbed.txt.gz", LEAST_CONFIDENCE["clausie"]),
        "oie2016": read_plain(data / "oie2016/train.oie.orig"),
        "lsoie": read_plain(data / "lsoie/lsoie_wiki_eval.oie"),
    }


def wire57_sentences(data: Path) -> list[str]:
    documents = json.loads((data / "wire57/WiRe57_343-manual-oie.json").read_text(encoding="utf-8"))
    return [sentence["sent"] for document in documents.values() for sentence in document]


def depths(analysis: Analysis) -> list[int]:
    found = []
    for index in range(len(analysis.words)):
        depth, head = 0, analysis.words[index].head
        while head is not None and depth < 200:
            depth, head = depth + 1, analysis.words[head].head
        found.append(depth)
    return found


def anchor_of(laid: Laid, analysis: Analysis, depth: Sequence[int]) -> int | None:
    """The head of the relation; of the object where the relation is wholly implied."""
    tokens = laid.tokens(RELATION) or laid.tokens(OBJECT) or laid.tokens(FURTHER)
    content = [t for t in tokens if analysis.words[t].upos not in ("ADP", "PART", "DET", "PUNCT", "CCONJ", "SCONJ")]
    chosen = content or tokens
    return min(chosen, key=lambda token: (depth[token], token)) if chosen else None


def on_tokens(text: str, words_laid: Laid, analysis: Analysis) -> Laid:
    """Labels of words between spaces, handed to the tokens inside of them."""
    label_at: list[int] = []
    position = 0
    for word, label in zip(text.split(), words_laid.labels, strict=True):
        begin = text.index(word, position)
        label_at += [0] * (begin - len(label_at)) + [label] * len(word)
        position = begin + len(word)
    labels = tuple(label_at[word.start - analysis.start] for word in analysis.words)
    return Laid(labels, words_laid.lead, words_laid.missing)


def folds_of(sentences: Sequence[str], seed: int = 20) -> dict[str, int]:
    """Five equal parts of the sentences, at random."""
    order = sorted(sentences)
    random.Random(seed).shuffle(order)
    return {sentence: number % FOLDS for number, sentence in enumerate(order)}


def flatten(
    sources: dict[str, TuplesBySentence], analyses: dict[str, Analysis], subwords: Subwords, plain: Iterable[str]
) -> dict[str, np.ndarray]:
    flat: dict[str, list[int]] = {name: [] for name in _KINDS}
    folds = folds_of(list(sources["carb"]))
    counts: Counter[str] = Counter()

    def add_sentence(source: str, fold: int, analysis: Analysis) -> None:
        flat["length"].append(len(analysis.words))
        flat["source"].append(SOURCES.index(source))
        flat["fold"].append(fold)
        for word in analysis.words:
            pieces, shape = subwords.cut(word.text)
            flat["piece"] += pieces
            flat["count"].append(len(pieces))
            flat["shape"].append(shape)
            flat["content"].append(word.upos in ("VERB", "AUX", "NOUN", "PROPN", "ADJ", "NUM", "ADV"))

    for source, tuples in sources.items():
        for sentence, items in tuples.items():
            analysis = analyses[sentence]
            if not 1 < len(analysis.words) <= MOST_WORDS:
                continue
            depth = depths(analysis)
            seen = set()
            rows = []
            for item in items:
                words = lay(sentence.split(), item.relation.split(), [part.split() for part in item.arguments])
                laid = on_tokens(sentence, words, analysis)
                anchor = anchor_of(laid, analysis, depth)
                whole = laid.tokens(SUBJECT) and (laid.tokens(RELATION) or laid.lead) and anchor is not None
                if not whole or laid.missing > MOST_MISSING:
                    counts[f"{source} left out"] += 1
                    continue
                if (laid.labels, laid.lead) not in seen:
                    seen.add((laid.labels, laid.lead))
                    rows.append((anchor, laid))
            if not rows:
                continue
            number = len(flat["length"])
            add_sentence(source, folds.get(sentence, FOLDS) if source == "carb" else FOLDS, analysis)
            for anchor, laid in rows:
                counts[source] += 1
                flat["tuple_sentence"].append(number)
                flat["tuple_anchor"].append(anchor)
                flat["tuple_lead"].append(laid.lead)
                flat["label"] += laid.labels
    known = {sentence for sentence, fold in folds.items()}
    for sentence in plain:
        # Sentences without a tuple: asked for their extractions only.
        if sentence not in known and analyses[sentence].words:
            add_sentence("wire57", FOLDS, analyses[sentence])
    print(json.dumps({"tuples": counts, "sentences": dict(Counter(SOURCES[s] for s in flat["source"]))}))
    return {name: np.array(values, _KINDS[name]) for name, values in flat.items()}


_KINDS = {
    "length": np.uint16,
    "source": np.uint8,
    "fold": np.uint8,
    "piece": np.uint16,
    "count": np.uint8,
    "shape": np.uint8,
    "content": np.uint8,
    "tuple_sentence": np.uint32,
    "tuple_anchor": np.uint16,
    "tuple_lead": np.uint8,
    "label": np.uint8,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with carb/, oie2016/, lsoie/ and wire57/")
    parser.add_argument("--vocabulary", type=Path, required=True, help="vocab.txt of the encoder")
    parser.add_argument("--parser", default="en", help="the parser that gives tokens and heads")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    sources = read_sources(options.data)
    plain = wire57_sentences(options.data)
    sentences = list(dict.fromkeys([*(s for tuples in sources.values() for s in tuples), *plain]))
    nlp = tupelo.load(options.parser)
    analyses = dict(zip(sentences, nlp.analyze(sentences, lines=True, constituents=False), strict=True))
    subwords = Subwords(options.vocabulary.read_text(encoding="utf-8").splitlines())
    arrays = flatten(sources, analyses, subwords, plain)
    np.savez_compressed(options.output / "tuples.npz", **arrays)
    table = {"sources": SOURCES, "labels": LABELS, "leads": LEADS, "folds": FOLDS}
    table["order"] = {"carb": list(sources["carb"]), "wire57": plain}
    (options.output / "tuples.json").write_text(json.dumps(table, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
