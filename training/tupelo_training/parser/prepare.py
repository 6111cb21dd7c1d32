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
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

import tupelo
from tupelo.nlp.mentions import Mentions
from tupelo.nlp.pipeline import Pipeline
from tupelo.nlp.subwords import NORMALIZE, SHAPES, Subwords
from tupelo_training.encoder.published import read_minilm
from tupelo_training.options import option_parser
from tupelo_training.parser.chains import Chains, gap_chains, gum_chains, litbank_chains
from tupelo_training.parser.entities import (
    FROM_ONTONOTES,
    KINDS,
    Entity,
    from_teacher,
    joined,
    labels_of,
    mention_kinds,
    named_entities,
    names_something,
    plain_name,
    silver,
)
from tupelo_training.parser.entities import LABELS as ENTITY_LABELS
from tupelo_training.parser.name_sets import SETS, agreed, read_set, read_uner
from tupelo_training.parser.names import NO_NAME, UNSURE, key_of, read_names
from tupelo_training.parser.raw import read_raw
from tupelo_training.parser.treebanks import Example, is_open, read_conllu, read_tree_file, spans_of, with_trees

SOURCES = (
    "ewt-train", "ewt-dev", "ewt-test", "gum-train", "gum-dev", "gum-test", "gentle", "raw", "names",
    "wikigold", "crossner", "wnut", "twitter", "litbank", "gap", "uner-dev",
)  # fmt: skip
MODEL = Path(tupelo.__file__).with_name("models") / "en"
CHAIN_SOURCES = ("gum-train", "gum-dev", "gum-test", "gentle", "litbank", "gap-development", "gap-validation")
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
    for source in ("gum-train", "gum-dev", "gum-test", "gentle"):
        bare = list(read_conllu(data / f"gum/{source}.conllu.gz", source))
        whole = with_trees(bare, read_tree_file(data / f"gum/{source}.ptb.gz"))
        examples += [example for example in whole if source != "gum-train" or is_open(example)]
    return examples


def label_lists(examples: Iterable[Example]) -> Labels:
    """Labels of the training parts only, most frequent first; a label of a test part that is not here is lost."""
    upos, xpos, feats, deprel, chains = Counter[str](), Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for example in examples:
        if not example.source.endswith(("train", "dev")) or not is_open(example):
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


def entities_of(example: Example, teaching: tuple[Entity, ...]) -> tuple[tuple[Entity, ...], Set[int]]:
    """The entities of a sentence from the best source there is, and the words to leave out of the loss."""
    if example.source.startswith("gum") or example.source == "gentle":
        tags = example.upos or (), example.xpos or (), example.heads or ()
        return joined(named_entities(example.mentions or (), example.words, *tags), teaching), set()
    if example.names is not None:
        entities = joined(example.names, teaching)
        covered = {word for entity in entities for word in range(entity.first, entity.last + 1)}
        return entities, example.unsure - covered
    if example.source == "ewt-train" and example.upos is not None and example.heads is not None:
        return silver(teaching, example.upos, example.heads)
    return (), set(range(len(example.words)))


def with_names(examples: Iterable[Example], data: Path) -> Iterator[Example]:
    """Sentences with the names that were annotated for them; EWT's development part is kept for measuring."""
    answers, uner = read_names(), read_uner(data, "train")
    for example in examples:
        found, others = answers.get(key_of(example.words)), uner.get(example.words)
        if example.source in ("ewt-train", "names") and (found is not None or others is not None):
            yield with_answers(example, found or (), others)
        else:
            yield example


def with_answers(example: Example, found: Iterable[Entity], uner: tuple[Entity, ...] | None) -> Example:
    """A sentence with our answers and, where there are any, UNER's names."""
    found = tuple(found)
    ours = tuple(our_name(name, example.words) for name in found if name.kind != NO_NAME)
    if uner is None:
        given = tuple(name for name in ours if name.kind != UNSURE)
        asked = {word for name in found for word in range(name.first, name.last + 1)}
        unsure = {word for word, tag in enumerate(example.upos or ()) if tag == "PROPN"} - asked
    else:
        given, unsure = agreed(uner, ours, UNSURE)
    unsure |= {word for name in ours if name.kind == UNSURE for word in range(name.first, name.last + 1)}
    return replace(example, names=given, unsure=frozenset(unsure))


def our_name(name: Entity, words: Sequence[str]) -> Entity:
    """A name by today's definition; in *Governor of Virginia*, annotated as a person, something else may be named."""
    return plain_name(name, words) if names_something(name, words) else replace(name, kind=UNSURE)


def named_sets(data: Path) -> Iterator[Example]:
    """The sentences of the public sets of names, and UNER's development part."""
    for source in SETS:
        for words, names, unsure in read_set(data, source):
            yield Example(source=source, words=words, names=names, unsure=frozenset(unsure))
    for words, names in read_uner(data, "dev").items():
        yield Example(source="uner-dev", words=words, names=names)


def read_documents(data: Path, treebanks: Iterable[Example]) -> Iterator[Chains]:
    yield from gum_chains(example for example in treebanks if example.mentions is not None)
    with Pipeline(MODEL) as parser:
        yield from litbank_chains(data, parser)
        for part in ("development", "validation"):
            yield from gap_chains(data / f"coref/gap-{part}.tsv.gz", parser, f"gap-{part}")


def flat_documents(documents: Sequence[Chains], rows: Mapping[int, int]) -> dict[str, np.ndarray]:
    """Sentences and mentions of all documents as columns."""
    mentions = [document.mentions for document in documents]
    columns = {
        field.name: np.concatenate([getattr(one, field.name) for one in mentions]).astype(np.int64)
        for field in fields(Mentions)
    }
    return columns | {
        "source": np.array([CHAIN_SOURCES.index(document.source) for document in documents], np.uint8),
        "sentences": np.array([len(document.sentences) for document in documents], np.int32),
        "mentions": np.array([len(one) for one in mentions], np.int32),
        "rows": np.array([rows[id(example)] for document in documents for example in document.sentences], np.int32),
        "entity": np.concatenate([document.entity for document in documents]).astype(np.int32),
        "purpose": np.concatenate([document.purpose for document in documents]).astype(np.uint8),
    }


def flatten(
    examples: Sequence[Example],
    labels: Labels,
    teacher: Sequence[tuple[Entity, ...]],
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
        entities, doubtful = entities_of(example, teaching)
        if example.mentions is not None:
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
    treebanks = list(with_names(read_treebanks(options.data), options.data))
    raw = list(read_raw(options.data))
    answers = read_names()
    asked = (replace(example, source="names") for example in raw if key_of(example.words) in answers)
    named = [*with_names(asked, options.data), *named_sets(options.data)]
    documents = list(read_documents(options.data, treebanks))
    parsed = [
        example
        for document in documents
        if document.source.startswith(("litbank", "gap"))
        for example in document.sentences
    ]
    examples = [*treebanks, *named, *parsed, *raw]
    labels = label_lists(treebanks)
    # Raw text is labelled later, by the analysers that were trained first.
    taught = [*teacher_entities([*treebanks, *named], options.teacher), *([()] * (len(parsed) + len(raw)))]
    arrays = flatten(examples, labels, taught, Subwords(vocabulary))
    np.savez_compressed(options.output / "data.npz", allow_pickle=False, **arrays)
    rows = {id(example): row for row, example in enumerate(examples)}
    np.savez_compressed(options.output / "chains.npz", allow_pickle=False, **flat_documents(documents, rows))
    lists = {name: getattr(labels, name) for name in labels.__slots__}
    table = {"sources": SOURCES, "shapes": SHAPES, "normalize": NORMALIZE, **lists}
    (options.output / "labels.json").write_text(json.dumps(table, ensure_ascii=False, indent=1), encoding="utf-8")
    encoder = {name: value.astype(np.float16) for name, value in read_minilm(options.encoder).items()}
    np.savez_compressed(options.output / "encoder.npz", allow_pickle=False, **encoder)
    counts = Counter(example.source for example in examples)
    print(json.dumps({"sentences": counts, **{name: len(values) for name, values in lists.items()}}))


if __name__ == "__main__":
    main()
