"""Networks with their examples: examples packed into arrays, the loss of a batch, the files of the finished model."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo.core import FormatError, InputError, TupeloError
from tupelo.factmodels.folder import Relation
from tupelo.factmodels.pairs import PairModel
from tupelo.nlp.encoder import load_encoder
from tupelo.nlp.subwords import Subwords
from tupelo_training.facts.model_files import Files, sentence_files, writer_files
from tupelo_training.facts.sentence_network import SentenceReader, SentenceSizes
from tupelo_training.facts.texts import MarkedExample, marked_examples
from tupelo_training.facts.writer_network import FactWriter, WriterSizes
from tupelo_training.facts.written import BETWEEN, END, MARKS, NEXT, START

RELATED = "related"
# The paper's networks: 6 layers of 512 with 8 heads, embeddings of their own.
PAPER = {"width": 512, "inner": 2048, "attention_heads": 8, "layers": 6, "own_embeddings": True}
# From the shipped encoder, whose embeddings stay as they are.
SHARED = {"width": 384, "inner": 1536, "attention_heads": 12, "layers": 6, "own_embeddings": False}
TINY = {"width": 32, "inner": 64, "attention_heads": 2, "layers": 1, "own_embeddings": True}
SIZES = {"paper": PAPER, "encoder": SHARED, "tiny": TINY}
DECODER_LAYERS = {"paper": 6, "encoder": 3, "tiny": 1}
MOST_PIECES = 512
# What a writer may write by itself, and which names it knows the spelling of; copying needs neither.
_MOST_GENERATED = 12_000
_MOST_NAMES = 20_000

# Subwords [batch, subwords] to vectors: the shared embeddings.
Embed = Callable[[Any], Any]


class Packed:
    """Rows of small numbers, end to end; millions of examples need room for their pieces alone."""

    def __init__(self) -> None:
        self._numbers, self._ends = array("I"), [0]

    def append(self, row: Iterable[int]) -> None:
        self._numbers.extend(row)
        self._ends.append(len(self._numbers))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> list[int]:
        return self._numbers[self._ends[number] : self._ends[number + 1]].tolist()


def padded(rows: Sequence[Sequence[int]], filler: int = 0) -> Tensor:
    table = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return torch.from_numpy(table)


@dataclass(frozen=True, slots=True)
class TextExample:
    """A text, the subject that its facts are about, and the facts."""

    subject: str
    text: str
    facts: tuple[tuple[str, str, str], ...]


def text_examples(items: Iterable[tuple[int, Any]], source: str) -> Iterator[TextExample]:
    """From numbered JSON objects with `subject`, `text` and `facts`."""
    expected = 'an object with "subject", "text" and "facts", a list of [subject, property, object]'
    for line, item in items:
        if (
            not isinstance(item, dict)
            or not isinstance(item.get("text"), str)
            or not isinstance(item.get("facts"), list)
        ):
            raise FormatError(source, line, "no text with its facts", expected)
        subject = item.get("subject") or ""
        facts = item["facts"]
        whole = isinstance(subject, str) and all(
            isinstance(fact, list) and len(fact) == 3 and all(isinstance(part, str) and part.strip() for part in fact)
            for fact in facts
        )
        if not whole:
            raise FormatError(source, line, "a subject or a fact that is no text", expected)
        yield TextExample(subject, item["text"], tuple((fact[0], fact[1], fact[2]) for fact in facts))


class TrainingTask(Protocol):
    """A network with its examples."""

    @property
    def network(self) -> nn.Module: ...

    def __len__(self) -> int: ...

    def loss(self, rows: Sequence[int], device: torch.device) -> Tensor: ...

    def files(self, name: str, version: str) -> Files: ...


class MarkedTask:
    """The relation classifier, or with `binary` the classifier of any relation at all."""

    network: SentenceReader

    def __init__(
        self,
        examples: Iterable[MarkedExample],
        subwords: Subwords,
        sizes: dict[str, Any],
        *,
        binary: bool,
        embed: Embed | None,
        names: dict[str, str],
    ) -> None:
        found: dict[str, int] = {}
        self._rows, self._labels = Packed(), []
        self._embed = embed
        seen: dict[str, int] = {}
        for example in examples:
            # One sentence may hold several relations of the pair, a line for each.
            number = seen.setdefault(example.marked, len(seen))
            if number == len(self._rows):
                pieces = [piece for piece, _, _ in subwords.cut_text(example.marked)][: MOST_PIECES - 2]
                self._rows.append([subwords.start, *pieces, subwords.end])
                self._labels.append(set[int]())
            if example.property is not None:
                key = RELATED if binary else example.property
                self._labels[number].add(found.setdefault(key, len(found)))
        if not found:
            raise InputError("no example has a property, expected at least one relation to learn")
        order = sorted(found)
        place = {found[key]: number for number, key in enumerate(order)}
        self._labels = [{place[one] for one in labels} for labels in self._labels]
        self._relations = [_relation(key, names) for key in order]
        self.network = SentenceReader(SentenceSizes(relations=len(order), **sizes))

    def __len__(self) -> int:
        return len(self._rows)

    def loss(self, rows: Sequence[int], device: torch.device) -> Tensor:
        pieces = padded([self._rows[row] for row in rows])
        gold = torch.zeros(len(rows), len(self._relations))
        for number, row in enumerate(rows):
            gold[number, list(self._labels[row])] = 1.0
        mask = (pieces > 0).float()
        given = pieces if self._embed is None else torch.from_numpy(self._embed(pieces.numpy()))
        scores = self.network(given.to(device), mask.to(device))
        return functional.binary_cross_entropy_with_logits(scores.float(), gold.to(device), reduction="sum") / len(
            rows
        )

    def files(self, name: str, version: str) -> Files:
        return sentence_files(self.network, self._relations, name=name, version=version)


class WritingTask:
    """The end-to-end model; every example with its subject in front."""

    network: FactWriter

    def __init__(
        self,
        examples: Iterable[TextExample],
        subwords: Subwords,
        sizes: dict[str, Any],
        *,
        pieces: int,
        embed: Embed | None,
        reduced: bool,
        names: dict[str, str],
    ) -> None:
        self._sources, targets = Packed(), []
        self._embed, self._reduced, self._pieces = embed, reduced, pieces
        spelled: Counter[str] = Counter()
        relations: dict[str, int] = {}
        longest_source = 0

        def cut(text: str) -> list[int]:
            return [piece for piece, _, _ in subwords.cut_text(text)]

        for example in examples:
            about = cut(example.subject)[: MOST_PIECES // 4]
            front = [subwords.start, *about, *([subwords.end] if about else [])]
            source = [*front, *cut(example.text)[: MOST_PIECES - len(front) - 1], subwords.end]
            longest_source = max(longest_source, len(source))
            self._sources.append(source)
            target = []
            for subject, relation, object_ in example.facts:
                spelled.update((subject, object_))
                target.append((cut(subject), relations.setdefault(relation, len(relations)), cut(object_)))
            targets.append(target)
        if not relations:
            raise InputError("no example has a fact, expected at least one relation to learn")
        order = sorted(relations)
        place = {relations[key]: number for number, key in enumerate(order)}
        self._relations = [_relation(key, names) for key in order]
        self._targets = Packed()
        for target in targets:
            tokens = [pieces + START]
            for number, (first, kind, second) in enumerate(target):
                tokens += [pieces + NEXT] if number else []
                tokens += [*first, pieces + BETWEEN, pieces + MARKS + place[kind], pieces + BETWEEN, *second]
            self._targets.append([*tokens, pieces + END][:MOST_PIECES])
        common: Counter[int] = Counter()
        for name, count in spelled.items():
            common.update(dict.fromkeys(cut(name), count))
        self._generated = sorted(piece for piece, _ in common.most_common(_MOST_GENERATED))
        self._names = [
            name for name, _ in sorted(spelled.items(), key=lambda item: (-item[1], item[0]))[:_MOST_NAMES]
        ]
        self._window = min(longest_source, MOST_PIECES - 16)
        longest = min(MOST_PIECES, 16 + max(len(self._targets[row]) for row in range(len(self._targets))) * 5 // 4)
        self.network = FactWriter(
            WriterSizes(
                relations=len(order), generated=len(self._generated), pieces=pieces, longest=longest, **sizes
            ),
            self._generated,
        )

    def __len__(self) -> int:
        return len(self._sources)

    def loss(self, rows: Sequence[int], device: torch.device) -> Tensor:
        source = padded([self._sources[row] for row in rows])
        tokens = padded([self._targets[row] for row in rows], -1).to(device)
        mask = (source > 0).float().to(device)
        before, after = tokens[:, :-1].clamp(min=0), tokens[:, 1:]
        if self._embed is None:
            given, looks = source, torch.zeros(())
        else:
            given = torch.from_numpy(self._embed(source.numpy()))
            flat = before.clamp(max=self._pieces - 1).reshape(-1, 1).cpu().numpy()
            looks = torch.from_numpy(self._embed(flat)[:, 0]).view(*before.shape, -1).to(device)
        memory = self.network.encode(given.to(device), mask)
        written, copied, gate = self.network.decode(before, looks, memory, mask)
        real = (after >= 0).float()
        found = self.network.log_probability(after.clamp(min=0), written, copied, gate, source.to(device))
        return -(found * real).sum() / real.sum()

    def files(self, name: str, version: str) -> Files:
        return writer_files(
            self.network,
            self._relations,
            self._generated,
            self._names,
            name=name,
            version=version,
            window=self._window,
            reduced=self._reduced,
        )


def _relation(key: str, names: dict[str, str]) -> Relation:
    """A property such as P19 is shown by its name where one is known."""
    if key[:1] == "P" and key[1:].isdigit():
        return Relation(names.get(key, key), key)
    return Relation(key)


def make_task(
    kind: str, size: str, items: Iterable[tuple[int, Any]], source: str, *, reduced: bool, seed: int
) -> MarkedTask | WritingTask:
    """A network of `kind` (`classifier`, `binary`, `end-to-end`) with examples from numbered JSON objects."""
    torch.manual_seed(seed)
    encoder = load_encoder()
    vocabulary = encoder.folder.vocabulary()
    subwords = Subwords(vocabulary, normalize={})
    embed = encoder.embed if size == "encoder" else None
    names = _property_names()
    task: MarkedTask | WritingTask
    if kind == "end-to-end":
        sizes = {**SIZES[size], "decoder_layers": DECODER_LAYERS[size]}
        examples = text_examples(items, source)
        task = WritingTask(
            examples, subwords, sizes, pieces=len(vocabulary), embed=embed, reduced=reduced, names=names
        )
    else:
        marked = marked_examples(items, source)
        task = MarkedTask(marked, subwords, SIZES[size], binary=kind == "binary", embed=embed, names=names)
    if size == "encoder":
        start_from_encoder(task.network, encoder.folder.read("layers.onnx"))
    return task


def _property_names() -> dict[str, str]:
    """Names of the Wikidata properties that the shipped classifier knows."""
    try:
        return {one.wikidata: one.name for one in PairModel().relations if one.wikidata}
    except TupeloError:
        return {}


def start_from_encoder(network: Any, graph: bytes) -> None:
    """Copy the layers of the shipped encoder, as many as the network has. `graph` is its `layers.onnx`."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load_from_string(graph)
    constants = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    makers = {output: node for node in model.graph.node for output in node.output}
    users: dict[str, Any] = {node.input[0]: node for node in model.graph.node if node.op_type == "Add"}
    linears, norms = [], []
    for node in model.graph.node:
        if node.op_type == "MatMul":
            product = makers.get(node.input[1])
            if product is None:
                weight = constants[node.input[1]]
            else:
                whole = constants[makers[product.input[0]].input[0]]
                weight = whole.astype(np.float32) * constants[product.input[1]]
            linears.append((weight.T, constants[users[node.output[0]].input[1]]))
        elif node.op_type == "LayerNormalization":
            norms.append((constants[node.input[1]], constants[node.input[2]]))
    names = ("attention.query", "attention.key", "attention.value", "attention.output", "up", "down")
    with torch.no_grad():
        for number, layer in enumerate(network.layers):
            own = dict(layer.named_parameters())
            pairs = [*zip(names, linears[number * 6 :], strict=False)]
            pairs += [*zip(("attention_norm", "norm"), norms[number * 2 :], strict=False)]
            for name, (weight, bias) in pairs:
                own[f"{name}.weight"].copy_(torch.tensor(weight))
                own[f"{name}.bias"].copy_(torch.tensor(bias))
