"""Public data to arrays for the document-level classifier and the writer of facts.

python -m tupelo_training.facts.prepare --data DATA --vocabulary vocab.txt --output prepared-facts/
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tupelo.factmodels.pairs import TAGS
from tupelo.nlp.subwords import Subwords
from tupelo_training.facts.passages import Measured, passages
from tupelo_training.facts.sentences import mark_pair
from tupelo_training.facts.sources import (
    SOURCES,
    TYPES,
    Document,
    fewrel,
    knowledgenet,
    part_of,
    redocred,
    webnlg_pairs,
)
from tupelo_training.options import option_parser

MOST_PIECES = 510
# Re-DocRED's come first in the table; the others were only learned with, and Re-DocRED says nothing about them.
SHIPPED_RELATIONS = 95


COLUMNS = (
    *("length", "pieces", "shapes", "sentence", "begins", "tag", "source", "part", "entities", "type"),
    *("mentions", "start", "end", "entity", "facts", "head", "tail", "relation"),
)


def documents_to_arrays(documents: Iterable[Document], subwords: Subwords) -> tuple[dict[str, Any], dict[str, Any]]:
    """Flat arrays, and tables of names. Mentions beyond the longest input are left out with their facts.

    `begins` marks the first subword of every word, `tag` has the tag of its word.
    """
    columns: dict[str, list[int]] = {name: [] for name in COLUMNS}
    relations: dict[str, int] = {}
    texts = []
    for document in documents:
        first, last, shapes, sentence, begins = [], [], [], [], []
        pieces: list[int] = []
        for number, words in enumerate(document.sentences):
            for word in words:
                ids, shape = subwords.cut(word)
                first.append(len(pieces))
                pieces += ids
                last.append(len(pieces))
                shapes += [shape] * len(ids)
                sentence += [min(number, 120)] * len(ids)
                begins += [1, *(0 for _ in ids[1:])]
        kept = min(len(pieces), MOST_PIECES)
        texts.append([words for sentence in document.sentences for words in sentence])
        columns["source"].append(SOURCES.index(document.source))
        parts = ("train", "choose", "held-out")
        columns["part"].append(parts.index(part_of(document.title)) if document.source == "redocred" else 0)
        columns["length"].append(kept)
        columns["pieces"] += pieces[:kept]
        columns["shapes"] += shapes[:kept]
        columns["sentence"] += sentence[:kept]
        columns["begins"] += begins[:kept]
        columns["entities"].append(len(document.types))
        columns["type"] += [TYPES.index(kind) for kind in document.types]
        placed = [(first[a], last[b - 1], e) for a, b, e in document.mentions if last[b - 1] <= kept]
        tags = [0] * kept
        for a, b, e in placed:
            kind = document.types[e]
            if kind in TYPES[1:]:
                tags[a:b] = [TAGS.index(f"I-{kind}")] * (b - a)
                tags[a] = TAGS.index(f"B-{kind}")
        columns["tag"] += tags
        columns["mentions"].append(len(placed))
        for a, b, e in placed:
            columns["start"].append(a)
            columns["end"].append(b)
            columns["entity"].append(e)
        columns["facts"].append(len(document.facts))
        for head, tail, relation in document.facts:
            columns["head"].append(head)
            columns["tail"].append(tail)
            columns["relation"].append(relations.setdefault(relation, len(relations)))
    wide = {"length", "pieces", "start", "end", "facts", "relation"}
    arrays = {name: np.array(values, np.int16 if name in wide else np.uint8) for name, values in columns.items()}
    return arrays, {"relations": list(relations), "words": texts}


def marked_pairs(document: Document) -> Iterator[tuple[str, int, int, int]]:
    """Sentences with two entities marked as the paper's classifier reads them, sentence number, head and tail.

    Of several mentions of one entity in a sentence the first is marked.
    """
    first = 0
    for number, words in enumerate(document.sentences):
        starts = np.cumsum([0, *(len(word) + 1 for word in words)]).tolist()
        here: dict[int, tuple[int, int]] = {}
        for a, b, entity in sorted(document.mentions):
            if first <= a and b <= first + len(words):
                here.setdefault(entity, (starts[a - first], starts[b - first] - 1))
        text = " ".join(words)
        for head, one in here.items():
            for tail, two in here.items():
                if one[1] <= two[0] or two[1] <= one[0]:
                    yield mark_pair(text, one, two), number, head, tail
        first += len(words)


def marked_arrays(
    documents: Iterable[Document], subwords: Subwords, relations: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Marked sentences as subwords, their relations, and those about which the sentence leaves doubt.

    A pair of Re-DocRED has a relation in a sentence if that is evidence, or if none is named; if others are, it is in
    doubt. Of the other sources, only pairs with a relation are known.
    """
    names = ("source", "part", "document", "head", "tail", "length", "pieces", "holds", "relation", "doubts", "doubt")
    columns: dict[str, list[int]] = {name: [] for name in names}
    for row, document in enumerate(documents):
        facts: dict[tuple[int, int], list[str]] = {}
        for head, tail, relation in document.facts:
            if relation in relations:
                facts.setdefault((head, tail), []).append(relation)
        is_complete = document.source == "redocred"
        parts = ("train", "choose", "held-out")
        for text, number, head, tail in marked_pairs(document):
            found = facts.get((head, tail), [])
            if not is_complete and not found:
                continue
            doubtful = [one for one in found if number not in document.evidence.get((head, tail, one), [number])]
            stated = [one for one in found if one not in doubtful]
            pieces = [piece for piece, _, _ in subwords.cut_text(text)][:MOST_PIECES]
            values = (SOURCES.index(document.source), parts.index(part_of(document.title)) if is_complete else 0)
            for name, value in zip(names, (*values, row, head, tail, len(pieces)), strict=False):
                columns[name].append(value)
            columns["pieces"] += pieces
            columns["holds"].append(len(stated))
            columns["relation"] += map(relations.index, stated)
            columns["doubts"].append(len(doubtful))
            columns["doubt"] += map(relations.index, doubtful)
    wide = {"document", "length", "pieces"}
    arrays = {name: np.array(values, np.int16 if name in wide else np.uint8) for name, values in columns.items()}
    return arrays, {"relations": list(relations)}


def ordered(text: str, triples: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Triples in the order in which the text speaks of them, as far as their names are found in it."""
    lower = text.lower()

    def place(triple: tuple[str, str, str]) -> int:
        found = [lower.find(name.lower()) for name in (triple[0], triple[2])]
        return max(found) if min(found) >= 0 else found[1] if found[1] >= 0 else len(lower)

    return sorted(triples, key=place)


def writing_arrays(folder: Path, subwords: Subwords) -> tuple[dict[str, Any], dict[str, Any]]:
    """Texts and triples of WebNLG as pieces: for each triple the pieces of subject and object, and the relation."""
    columns: dict[str, list[int]] = {
        name: []
        for name in (
            "part",
            "length",
            "pieces",
            "triples",
            "subject_length",
            "relation",
            "object_length",
            "names",
        )
    }
    relations: dict[str, int] = {}
    names: dict[str, None] = {}
    for number, part in enumerate(("train", "dev")):
        for text, triples in webnlg_pairs(folder, part):
            pieces = [piece for piece, _, _ in subwords.cut_text(text)][:MOST_PIECES]
            columns["part"].append(number)
            columns["length"].append(len(pieces))
            columns["pieces"] += pieces
            columns["triples"].append(len(triples))
            for subject, relation, object_ in ordered(text, triples):
                if part == "train":
                    names[subject] = names[object_] = None
                for name, key in ((subject, "subject_length"), (object_, "object_length")):
                    cut = [piece for piece, _, _ in subwords.cut_text(name)]
                    columns["names"] += cut
                    columns[key].append(len(cut))
                columns["relation"].append(relations.setdefault(relation, len(relations)))
    arrays = {name: np.array(values, np.int16) for name, values in columns.items()}
    return arrays, {"relations": list(relations), "names": list(names)}


def write(folder: Path, name: str, arrays: dict[str, Any], tables: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / f"{name}.npz", **arrays)
    (folder / f"{name}.json").write_text(json.dumps(tables, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    parser = option_parser(__doc__, "data", "vocabulary", "output")
    parser.add_argument("--single", type=int, default=3000, help="single sentences among the raw text")
    given = parser.parse_args()
    vocabulary = given.vocabulary.read_text(encoding="utf-8").splitlines()
    measured = Measured(given.data)
    others = (*fewrel(given.data), *knowledgenet(given.data), *passages(given.data, given.single))
    documents = [*redocred(given.data), *(document for document in others if document not in measured)]
    arrays, tables = documents_to_arrays(documents, Subwords(vocabulary))
    write(given.output, "pairs", arrays, tables)
    labelled = [document for document in documents if document.facts]
    cut = Subwords(vocabulary, normalize={})
    write(given.output, "marked", *marked_arrays(labelled, cut, tables["relations"][:SHIPPED_RELATIONS]))
    write(given.output, "writing", *writing_arrays(given.data, cut))


if __name__ == "__main__":
    main()
