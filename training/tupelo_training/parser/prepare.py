"""Reads the public files and writes everything that training needs as two compact files.

    python -m tupelo_training.parser.prepare --data ../shared/data --encoder model.safetensors \
        --vocabulary vocab.txt --teacher en_core_web_md --output prepared/

`data.npz` holds flat arrays (one entry per word, per subword or per span) and `labels.json` the label lists;
`encoder.npz` the pretrained weights in half precision. Training then needs numpy and torch only, so it can run on a
bare GPU machine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tupelo.nlp.subwords import NORMALIZE, SHAPES, Subwords
from tupelo_training.encoder.published import read_minilm
from tupelo_training.options import option_parser
from tupelo_training.parser.entities import (
    FROM_ONTONOTES,
    KINDS,
    Entity,
    from_teacher,
    joined,
    labels_of,
    mention_kinds,
    named_entities,
    silver,
)
from tupelo_training.parser.entities import LABELS as ENTITY_LABELS
from tupelo_training.parser.names import UNSURE, key_of, read_names
from tupelo_training.parser.raw import read_raw
from tupelo_training.parser.treebanks import Example, read_conllu, read_tree_file, spans_of, with_trees

SOURCES = ("ewt-train", "ewt-dev", "ewt-test", "gum-train", "gum-dev", "gum-test", "gentle", "raw", "names")
NOTHING = 255  # "the source does not say" for the narrow label arrays
RARE_CHAIN = 3  # unary chains seen less often are reduced to their outer label


@dataclass(frozen=True, slots=True)
class Labels:
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    deprel: list[str]
    constituent: list[str]
    entity: list[str]


def read_treebanks(data: Path) -> list[Example]:
    examples: list[Example] = []
    for part in ("train", "dev", "test"):
        examples += read_conllu(data / f"ud_ewt/en_ewt-{part}.conllu.gz", f"ewt-{part}")
    for source, stem in (
        ("gum-train", "gum-train"),
        ("gum-dev", "gum-dev"),
        ("gum-test", "gum-test"),
        ("gentle", "gentle"),
    ):
        examples += with_trees(
            list(read_conllu(data / f"gum/{stem}.conllu.gz", source)), read_tree_file(data / f"gum/{stem}.ptb.gz")
        )
    return examples


def label_lists(examples: Iterable[Example]) -> Labels:
    """Labels of the training parts only, most frequent first; a label of a test part that is not here is lost."""
    upos, xpos, feats, deprel, chains = Counter[str](), Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for example in examples:
        if not example.source.endswith(("train", "dev")):
            continue
        upos.update(example.upos or ())
        xpos.update(example.xpos or ())
        feats.update(example.feats or ())
        deprel.update(example.deprels or ())
        if example.tree is not None:
            chains.update(label for _, _, label in spans_of(example.tree))

    def ranked(counts: Counter[str], least: int = 1) -> list[str]:
        return [
            label for label, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= least
        ]

    return Labels(
        ranked(upos), ranked(xpos), ranked(feats, 2), ranked(deprel), ranked(chains, RARE_CHAIN), [*ENTITY_LABELS]
    )


def teacher_entities(examples: Sequence[Example], teacher: Path | None) -> list[tuple[Entity, ...]]:
    """Entities of a spaCy pipeline on the given words; nothing without a teacher."""
    if teacher is None:
        return [()] * len(examples)
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load(teacher, exclude=["parser", "lemmatizer", "attribute_ruler", "tagger"])
    documents = nlp.pipe((Doc(nlp.vocab, words=list(example.words)) for example in examples), batch_size=256)
    return [
        from_teacher(
            ((e.start, e.end - 1, e.label_) for e in document.ents if e.label_ in FROM_ONTONOTES),
            example.words,
            example.upos,
        )
        for example, document in zip(examples, documents, strict=True)
    ]


def entities_of(
    example: Example, teaching: tuple[Entity, ...], names: Mapping[str, tuple[Entity, ...]]
) -> tuple[tuple[Entity, ...], set[int]]:
    """The entities of a sentence from the best source there is, and the words to leave out of the loss."""
    everything = set(range(len(example.words)))
    answered = None if example.source == "raw" else names.get(key_of(example.words))
    if example.source.startswith("g"):
        tags = example.upos or (), example.xpos or (), example.heads or ()
        return joined(named_entities(example.mentions or (), example.words, *tags), teaching), set()
    if answered is not None:
        entities = joined((name for name in answered if name.kind != UNSURE), teaching)
        doubtful = {word for name in answered if name.kind == UNSURE for word in range(name.first, name.last + 1)}
        doubtful |= {word for word, tag in enumerate(example.upos or ()) if tag == "PROPN"}
        return entities, doubtful - {word for entity in entities for word in range(entity.first, entity.last + 1)}
    if example.upos is not None and example.heads is not None:
        return silver(teaching, example.upos, example.heads)
    return (), everything


def flatten(
    examples: Sequence[Example],
    labels: Labels,
    teacher: Sequence[tuple[Entity, ...]],
    names: Mapping[str, tuple[Entity, ...]],
    subwords: Subwords,
) -> dict[str, np.ndarray]:
    def indexes(values: list[str]) -> dict[str, int]:
        return {value: index for index, value in enumerate(values)}

    upos, xpos, feats = indexes(labels.upos), indexes(labels.xpos), indexes(labels.feats)
    deprel, chains, entity = indexes(labels.deprel), indexes(labels.constituent), indexes(labels.entity)
    flat: dict[str, list[int]] = {
        name: []
        for name in (
            "length",
            "source",
            "shape",
            "count",
            "piece",
            "upos",
            "xpos",
            "feats",
            "head",
            "deprel",
            "entity",
            "kind",
            "spans",
            "span_first",
            "span_last",
            "span_label",
        )
    }
    for example, teaching in zip(examples, teacher, strict=True):
        length = len(example.words)
        flat["length"].append(length)
        flat["source"].append(SOURCES.index(example.source))
        for word in example.words:
            pieces, shape = subwords.cut(word)
            flat["piece"] += pieces
            flat["count"].append(len(pieces))
            flat["shape"].append(shape)
        flat["upos"] += [upos.get(tag, NOTHING) for tag in example.upos or [""] * length]
        flat["xpos"] += [xpos.get(tag, NOTHING) for tag in example.xpos or [""] * length]
        flat["feats"] += [feats.get(value, 65535) for value in example.feats or [""] * length]
        flat["head"] += example.heads or [65535] * length
        flat["deprel"] += [deprel.get(label, NOTHING) for label in example.deprels or [""] * length]
        entities, doubtful = entities_of(example, teaching, names)
        if example.source.startswith("g"):
            flat["kind"] += [KINDS.index(kind) for kind in mention_kinds(example.mentions or (), example.heads or ())]
        else:
            flat["kind"] += [NOTHING] * length
        marks = labels_of(entities, length)
        flat["entity"] += [NOTHING if word in doubtful else entity[mark] for word, mark in enumerate(marks)]
        spans = spans_of(example.tree) if example.tree is not None else []
        flat["spans"].append(len(spans))
        for first, last, label in spans:
            flat["span_first"].append(first)
            flat["span_last"].append(last)
            flat["span_label"].append(chains.get(label, chains.get(label.split("+")[0], 0)))
    kinds = {
        "length": np.uint16,
        "piece": np.uint16,
        "feats": np.uint16,
        "head": np.uint16,
        "spans": np.uint16,
        "span_first": np.uint16,
        "span_last": np.uint16,
    }
    return {name: np.array(values, kinds.get(name, np.uint8)) for name, values in flat.items()}


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument("--data", type=Path, required=True, help="folder with ud_ewt/, gum/ and the raw text")
    parser.add_argument("--encoder", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--vocabulary", type=Path, required=True, help="its vocab.txt")
    parser.add_argument(
        "--teacher", type=Path, help="a spaCy pipeline that labels entities; without it GUM's alone are used"
    )
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)

    vocabulary = options.vocabulary.read_text(encoding="utf-8").splitlines()
    treebanks = read_treebanks(options.data)
    raw = list(read_raw(options.data))
    names = read_names()
    answered = [replace(example, source="names") for example in raw if key_of(example.words) in names]
    examples = [*treebanks, *answered, *raw]
    labels = label_lists(treebanks)
    # Raw text is labelled later, by the analysers that were trained first.
    taught = [*teacher_entities([*treebanks, *answered], options.teacher), *([()] * len(raw))]
    arrays = flatten(examples, labels, taught, names, Subwords(vocabulary))
    np.savez_compressed(options.output / "data.npz", allow_pickle=False, **arrays)
    lists = {name: getattr(labels, name) for name in labels.__slots__}
    table = {"sources": SOURCES, "shapes": SHAPES, "normalize": NORMALIZE, **lists}
    (options.output / "labels.json").write_text(json.dumps(table, ensure_ascii=False, indent=1), encoding="utf-8")
    encoder = {name: value.astype(np.float16) for name, value in read_minilm(options.encoder).items()}
    np.savez_compressed(options.output / "encoder.npz", allow_pickle=False, **encoder)
    counts = Counter(example.source for example in examples)
    print(json.dumps({"sentences": counts, **{name: len(values) for name, values in lists.items()}}))


if __name__ == "__main__":
    main()
