"""Documents as the pointing network learns from them: what the shipped classifier's encoder makes of their entities.

    python -m tupelo_training.facts.pointer_data --data DATA --output pointed/

The encoder reads a document once and is not trained further, so that everything it makes is computed once: a vector
for every entity and one for what every two entities both attend to. Raw text gets the probabilities of the
classifier for facts; sources that know facts add those between entities that the network found.
"""

from __future__ import annotations

import gzip
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.factmodels.pairs import Marked, MarkedMention, PairModel
from tupelo.nlp.pipeline import split_text
from tupelo_training.facts.news import news
from tupelo_training.facts.passages import LONGEST, Measured
from tupelo_training.facts.sources import Document, _json_lines, part_of, redocred
from tupelo_training.options import option_parser

# Facts that the classifier finds less likely than this are not stored.
LEAST = 0.02
# Documents of each source, at most.
SOURCES = {"redocred": 400, "news": 400, "hotpotqa": 700, "qamr": 160}
# Words of raw text, at most, in whole sentences.
_LONGEST = 300


def spoken(text: str) -> Document:
    return Document("raw", "", [[word.text for word in one.words] for one in split_text(text)])


def passages(folder: Path) -> Iterator[Document]:
    for item in _json_lines(folder / "retrieval/hotpotqa/passages.jsonl.gz"):
        yield spoken(item["text"][:LONGEST])


def paragraphs(folder: Path) -> Iterator[Document]:
    """Neighbouring sentences of Wikipedia and Wikinews, as QAMR has them."""
    brackets = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
    known: dict[tuple[str, ...], list[list[str]]] = {}
    with gzip.open(folder / "qamr" / "wiki-sentences.tsv.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            name, words = line.rstrip("\n").split("\t")
            place = tuple(name.split(":")[1:4])
            known.setdefault(place, []).append([brackets.get(word, word) for word in words.split(" ")])
    for sentences in known.values():
        yield Document("raw", "", sentences)


def documents(folder: Path, source: str) -> Iterable[Document]:
    """Those of a source; what shares eight words in a row with a document that is measured on is left out."""
    if source == "redocred":
        return (one for one in redocred(folder) if part_of(one.title) != "held-out")
    if source == "news":
        return news(SOURCES[source])
    measured = Measured(folder)
    return (one for one in (passages if source == "hotpotqa" else paragraphs)(folder) if one not in measured)


def seen(inputs: Mapping[str, NDArray[Any]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The vector of every entity, and of what every two of them attend to."""
    mentions = np.concatenate(
        [np.zeros((1, inputs["states"].shape[1]), np.float32), inputs["pool"] @ inputs["states"]]
    )
    there = inputs["members"] > 0
    chosen = np.where(there[:, :, None], mentions[inputs["members"]], -1e4)
    best = chosen.max(axis=1)
    entities = best + np.log(np.exp(chosen - best[:, None]).sum(axis=1))
    padded = np.concatenate([np.zeros((1, inputs["pool"].shape[1]), np.float32), inputs["pool"]])
    shares = (padded[inputs["members"]] * there[:, :, None]).sum(axis=1) / there.sum(axis=1, keepdims=True)
    looks = (shares @ inputs["attention"]).transpose(2, 1, 0)
    both = (looks @ looks.transpose(0, 2, 1)).transpose(1, 2, 0)
    both = both / (both.sum(axis=2, keepdims=True) + 1e-5)
    return entities.astype(np.float32), (both @ inputs["states"]).astype(np.float32)


def arrays(model: PairModel, found: Iterable[Document], most: int) -> dict[str, NDArray[Any]]:
    """Flat arrays of the first windows of documents with two entities or more."""
    columns: dict[str, list[Any]] = {name: [] for name in ("count", "vectors", "contexts", "pairs", "types", "often")}
    facts: list[tuple[int, int, int, int, float]] = []
    gold: list[tuple[int, int, int, int]] = []
    numbers = {relation.id: number for number, relation in enumerate(model.relations)}
    began = time.process_time()
    for document in found:
        row = len(columns["count"])
        if row == most:
            break
        kept: list[list[str]] = []
        total = 0
        for sentence in document.sentences:
            total += len(sentence)
            if total > _LONGEST and kept and document.source == "raw":
                break
            kept.append(sentence)
        ours = model.mark(kept)
        window = next(iter(model.inputs(ours)), None)
        if window is None:
            continue
        here, inputs = window
        vectors, contexts = seen(inputs)
        scores = model.scores(inputs).relations
        columns["count"].append(len(here))
        columns["vectors"].append(vectors.astype(np.float16))
        columns["contexts"].append(contexts.reshape(-1, contexts.shape[-1]).astype(np.float16))
        columns["pairs"].append(np.stack([inputs["near"], inputs["order"]], axis=2).reshape(-1, 2).astype(np.int8))
        columns["types"].append(inputs["types"].astype(np.int8))
        columns["often"].append(inputs["often"].astype(np.int8))
        for a, b, relation in np.argwhere(scores >= model.calibration.odds(LEAST)).tolist():
            facts.append((row, a, b, relation, model.calibration.probability(float(scores[a, b, relation]))))
        if document.facts:
            place = {entity: number for number, entity in enumerate(here)}
            meant, _ = meanings(document, ours)
            own = {theirs: place[entity] for entity, theirs in meant.items() if entity in place}
            gold += [
                (row, own[head], own[tail], numbers[relation])
                for head, tail, relation in document.facts
                if head in own and tail in own and relation in numbers
            ]
        if row % 200 == 0:
            print(row, f"{time.process_time() - began:.0f}s", flush=True)
    flat = {name: np.concatenate(values) if name != "count" else np.array(values) for name, values in columns.items()}
    return {
        **flat,
        "facts": np.array([fact[:4] for fact in facts], np.int64).reshape(-1, 4),
        "probability": np.array([fact[4] for fact in facts], np.float32),
        "gold": np.array(gold, np.int64).reshape(-1, 4),
    }


def meanings(document: Document, ours: Marked) -> tuple[dict[int, Any], dict[int, Any]]:
    """The gold entity of each of ours: one to one, and several to one. The most mentions in common decide."""
    words = [word.lower() for sentence in document.sentences for word in sentence]

    def bare(start: int, end: int) -> tuple[int, int]:
        return start + (end - start > 1 and words[start] in ("the", "a", "an")), end

    theirs = {bare(start, end): entity for start, end, entity in document.mentions}
    common = Counter(
        (mention.entity, theirs[place])
        for mention in ours.mentions
        if (place := bare(mention.start, mention.end)) in theirs
    )
    strict: dict[int, Any] = {}
    loose: dict[int, Any] = {}
    for (entity, gold), _ in sorted(common.items(), key=lambda item: (-item[1], item[0])):
        if entity not in strict and gold not in strict.values():
            strict[entity] = gold
        loose.setdefault(entity, gold)
    return strict, loose


def marked(document: Document) -> Marked:
    """A document with its own entities."""
    return Marked(
        tuple(tuple(words) for words in document.sentences),
        tuple(document.types),
        tuple(MarkedMention(*mention) for mention in document.mentions),
    )


def main() -> None:
    parser = option_parser(__doc__, "data", "output")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    model = PairModel()
    for source, most in SOURCES.items():
        found = arrays(model, documents(given.data, source), most)
        np.savez(given.output / f"{source}.npz", allow_pickle=False, **found)
        print(source, len(found["count"]), "documents", len(found["gold"]), "known facts", flush=True)


if __name__ == "__main__":
    main()
