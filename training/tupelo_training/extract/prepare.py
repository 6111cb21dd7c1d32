"""Reads tuples of several sources and writes what training needs as one compact file.

    tupelo cliques build ../shared/data/carb/gold/dev.tsv --format carb --all -o rewrites.json
    python -m tupelo_training.extract.prepare --data ../shared/data --parser en --rewrites rewrites.json \
        --output prepared-extract/

Sources differ in style (what counts as a relation, how long arguments are). Each sentence keeps the number of its
source, and the network learns an embedding for it: the encoder learns from all of them, the style of CaRB is asked
for when extracting. The parser gives tokens and says which token of a relation is its head, the *anchor* of the
tuple; nothing of the parse is an input of the network.

With `--rewrites`, CaRB's sentences in other words are further sentences of CaRB, with the tuples that the rewriter
carried over. A rewrite is in the fold of its original, so that a network never sees a held-out sentence in any words.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tupelo
from tupelo.core import Analysis
from tupelo.core.clique import gather_cliques
from tupelo.io.tuples import read_records
from tupelo.nlp.subwords import Subwords
from tupelo_training.extract.align import FURTHER, LABELS, LEADS, OBJECT, RELATION, SUBJECT, Laid, lay
from tupelo_training.options import option_parser

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


@dataclass(frozen=True, slots=True)
class Reworded:
    """A sentence of CaRB in other words."""

    original: str
    tuples: list[Plain]


def read_rewrites(path: Path, known: Iterable[str]) -> dict[str, Reworded]:
    """What `tupelo cliques build` wrote, of the known sentences; a rewrite that is one of them itself is left out."""
    own, found = set(known), dict[str, Reworded]()
    for clique in gather_cliques(read_records(path, "robust")):
        original = clique.sentences[0].text
        if original not in own:
            continue
        for sentence, told in zip(clique.sentences[1:], clique.extractions[1:], strict=True):
            made = [Plain(each.rel.text, tuple(part.text for part in each.arguments)) for each in told]
            tuples = [each for each in made if len(each.arguments) >= 2]
            if sentence.text not in own:
                found.setdefault(sentence.text, Reworded(original, tuples))
    return found


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


def laid_tuples(sentence: str, items: Iterable[Plain], analysis: Analysis) -> Iterator[tuple[int, Laid] | None]:
    """The different tuples of a sentence with their anchors; `None` for each that cannot be laid onto it."""
    depth = depths(analysis)
    seen = set()
    for item in items:
        words = lay(sentence.split(), item.relation.split(), [part.split() for part in item.arguments])
        laid = on_tokens(sentence, words, analysis)
        anchor = anchor_of(laid, analysis, depth)
        whole = laid.tokens(SUBJECT) and (laid.tokens(RELATION) or laid.lead)
        if not whole or anchor is None or laid.missing > MOST_MISSING:
            yield None
        elif (laid.labels, laid.lead) not in seen:
            seen.add((laid.labels, laid.lead))
            yield anchor, laid


class Flat:
    """Sentences and tuples as long lists of numbers."""

    def __init__(self, analyses: dict[str, Analysis], subwords: Subwords) -> None:
        self.flat: dict[str, list[int]] = {name: [] for name in _KINDS}
        self.counts: Counter[str] = Counter()
        self.rows: dict[str, int] = {}
        self._analyses, self._subwords = analyses, subwords

    def add(self, source: str, fold: int, sentence: str, *, rewrite: bool = False) -> None:
        flat, analysis = self.flat, self._analyses[sentence]
        if source in ("carb", "wire57"):
            self.rows[sentence] = len(flat["length"])
        flat["length"].append(len(analysis.words))
        flat["source"].append(SOURCES.index(source))
        flat["fold"].append(fold)
        flat["rewrite"].append(rewrite)
        for word in analysis.words:
            pieces, shape = self._subwords.cut(word.text)
            flat["piece"] += pieces
            flat["count"].append(len(pieces))
            flat["shape"].append(shape)
            flat["content"].append(word.upos in ("VERB", "AUX", "NOUN", "PROPN", "ADJ", "NUM", "ADV"))

    def add_with(
        self, source: str, fold: int, sentence: str, items: Iterable[Plain], *, rewrite: bool = False
    ) -> None:
        """A sentence and those of its tuples that can be laid onto it; nothing when there are none."""
        analysis = self._analyses[sentence]
        if not 1 < len(analysis.words) <= MOST_WORDS:
            return
        name = "rewrites" if rewrite else source
        made = list(laid_tuples(sentence, items, analysis))
        self.counts[f"{name} left out"] += made.count(None)
        kept = [each for each in made if each is not None]
        if not kept:
            return
        number = len(self.flat["length"])
        self.add(source, fold, sentence, rewrite=rewrite)
        self.counts[name] += len(kept)
        for anchor, laid in kept:
            self.flat["tuple_sentence"].append(number)
            self.flat["tuple_anchor"].append(anchor)
            self.flat["tuple_lead"].append(laid.lead)
            self.flat["label"] += laid.labels

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: np.array(values, _KINDS[name]) for name, values in self.flat.items()}


def flatten(
    sources: dict[str, TuplesBySentence],
    rewrites: dict[str, Reworded],
    analyses: dict[str, Analysis],
    subwords: Subwords,
    plain: Iterable[str],
) -> Flat:
    flat = Flat(analyses, subwords)
    folds = folds_of(list(sources["carb"]))
    for source, tuples in sources.items():
        for sentence, items in tuples.items():
            flat.add_with(source, folds[sentence] if source == "carb" else FOLDS, sentence, items)
    for sentence, reworded in rewrites.items():
        flat.add_with("carb", folds[reworded.original], sentence, reworded.tuples, rewrite=True)
    for sentence in plain:
        # Sentences without a tuple: asked for their extractions only.
        if sentence not in folds and analyses[sentence].words:
            flat.add("wire57", FOLDS, sentence)
    sentences = Counter(SOURCES[s] for s in flat.flat["source"])
    print(json.dumps({"tuples": flat.counts, "sentences": sentences, "rewrites": sum(flat.flat["rewrite"])}))
    return flat


_KINDS = {
    "length": np.uint16,
    "source": np.uint8,
    "fold": np.uint8,
    "rewrite": np.uint8,
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
    parser = option_parser(__doc__, "output")
    parser.add_argument("--data", type=Path, required=True, help="folder with carb/, oie2016/, lsoie/ and wire57/")
    parser.add_argument("--vocabulary", type=Path, required=True, help="vocab.txt of the encoder")
    parser.add_argument("--rewrites", type=Path, help="what `tupelo cliques build --all` wrote")
    parser.add_argument("--parser", default="en", help="the parser that gives tokens and heads")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    sources = read_sources(options.data)
    plain = wire57_sentences(options.data)
    rewrites = read_rewrites(options.rewrites, sources["carb"]) if options.rewrites else {}
    sentences = list(dict.fromkeys([*(s for tuples in sources.values() for s in tuples), *rewrites, *plain]))
    nlp = tupelo.load(options.parser)
    analyses = dict(zip(sentences, nlp.analyze(sentences, lines=True, constituents=False), strict=True))
    subwords = Subwords(options.vocabulary.read_text(encoding="utf-8").splitlines())
    flat = flatten(sources, rewrites, analyses, subwords, plain)
    np.savez_compressed(options.output / "tuples.npz", **flat.arrays())
    table = {"sources": SOURCES, "labels": LABELS, "leads": LEADS, "folds": FOLDS}
    # Which row a sentence is, for those whose held-out scores are wanted.
    table["rows"] = flat.rows
    (options.output / "tuples.json").write_text(json.dumps(table, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
