"""Public data to arrays for the document-level classifier and the writer of facts.

python -m tupelo_training.facts.prepare --data DATA --vocabulary vocab.txt --output prepared-facts/
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tupelo.nlp.subwords import Subwords
from tupelo_training.facts.silver import read_silver
from tupelo_training.facts.sources import (
    SOURCES,
    TYPES,
    Document,
    fewrel,
    knowledgenet,
    part_of,
    redocred,
    webnlg,
    webnlg_pairs,
)
from tupelo_training.options import option_parser

MOST_PIECES = 510


def documents_to_arrays(documents: Iterable[Document], subwords: Subwords) -> tuple[dict[str, Any], dict[str, Any]]:
    """Flat arrays, and tables of names. Mentions beyond the longest input are left out with their facts."""
    columns: dict[str, list[int]] = {
        name: []
        for name in (
            "length",
            "pieces",
            "shapes",
            "sentence",
            "source",
            "part",
            "entities",
            "type",
            "mentions",
            "start",
            "end",
            "entity",
            "facts",
            "head",
            "tail",
            "relation",
            "other",
        )
    }
    relations: dict[str, int] = {}
    others: dict[str, int] = {}
    titles = []
    for document in documents:
        first, last, shapes, sentence = [], [], [], []
        pieces: list[int] = []
        for number, words in enumerate(document.sentences):
            for word in words:
                ids, shape = subwords.cut(word)
                first.append(len(pieces))
                pieces += ids
                last.append(len(pieces))
                shapes += [shape] * len(ids)
                sentence += [min(number, 120)] * len(ids)
        kept = min(len(pieces), MOST_PIECES)
        titles.append(document.title)
        columns["source"].append(SOURCES.index(document.source))
        parts = ("train", "choose", "held-out")
        columns["part"].append(parts.index(part_of(document.title)) if document.source == "redocred" else 0)
        columns["length"].append(kept)
        columns["pieces"] += pieces[:kept]
        columns["shapes"] += shapes[:kept]
        columns["sentence"] += sentence[:kept]
        columns["entities"].append(len(document.types))
        columns["type"] += [TYPES.index(kind) for kind in document.types]
        placed = [(first[a], last[b - 1], e) for a, b, e in document.mentions if last[b - 1] <= kept]
        columns["mentions"].append(len(placed))
        for a, b, e in placed:
            columns["start"].append(a)
            columns["end"].append(b)
            columns["entity"].append(e)
        columns["facts"].append(len(document.facts))
        for head, tail, relation in document.facts:
            table = others if document.source == "webnlg" else relations
            columns["head"].append(head)
            columns["tail"].append(tail)
            columns["relation"].append(table.setdefault(relation, len(table)))
            columns["other"].append(int(document.source == "webnlg"))
    wide = {"length", "pieces", "start", "end", "facts", "relation"}
    arrays = {name: np.array(values, np.int16 if name in wide else np.uint8) for name, values in columns.items()}
    return arrays, {"relations": list(relations), "others": list(others), "titles": titles}


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
    given = option_parser(
        __doc__, "data", "vocabulary", "output", silver="output of tupelo_training.facts.silver"
    ).parse_args()
    vocabulary = given.vocabulary.read_text(encoding="utf-8").splitlines()
    documents = [
        *redocred(given.data),
        *fewrel(given.data),
        *knowledgenet(given.data),
        *webnlg(given.data),
        *(read_silver(given.silver) if given.silver else ()),
    ]
    write(given.output, "pairs", *documents_to_arrays(documents, Subwords(vocabulary)))
    write(given.output, "writing", *writing_arrays(given.data, Subwords(vocabulary, normalize={})))


if __name__ == "__main__":
    main()
