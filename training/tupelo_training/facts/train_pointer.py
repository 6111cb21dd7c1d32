"""Train the pointing network on what `pointer_data` stored; a CPU is enough (four minutes of one core).

    python -m tupelo_training.facts.train_pointer --pointed pointed/ --output pointer/ [--epochs 5] [--seed 1]

The documents of Re-DocRED and of invented news have known facts. Those of raw text have what the classifier finds
likely: in every epoch a fact is there with its probability, so that the network learns the probabilities too. The
first layer is that of the shipped classifier's pairs. The last documents of some sources (`TRIED`) are left for
choosing settings.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor
from torch.nn import functional

from tupelo.factmodels.pairs import PairModel
from tupelo_training.facts.export import logistic
from tupelo_training.facts.pointed import Walk, overlaps
from tupelo_training.facts.pointer_network import FactPointer, PointerSizes
from tupelo_training.loop import Optimization, cosine
from tupelo_training.options import described, option_parser, write_json

# Sources whose facts are all known; others have what the classifier finds likely.
KNOWN = ("redocred", "news")
# The last documents of each, for choosing settings: the classifier has learned from the first source.
TRIED = {"redocred": 40, "qamr": 60, "hotpotqa": 60, "news": 30}


# Something is written at a pair where that is at least this likely: the best for raw text, by `TRIED`.
EAGER = 0.4
# The first layer is the classifier's.
FROZEN = ("subject", "object", "types", "near", "often", "order")


@dataclass(slots=True)
class Item:
    """A document: arrays by entity and by pair, and facts (subject, object, property) with probabilities."""

    source: str
    arrays: dict[str, NDArray[Any]]
    facts: NDArray[np.int64]
    probability: NDArray[np.float32]
    gold: NDArray[np.int64]

    # [entities, entities, 2, states]: subject and object of every pair, which do not change in training.
    ends: Tensor | None = None

    @property
    def count(self) -> int:
        return len(self.arrays["types"])

    @torch.no_grad()
    def keep(self, network: FactPointer) -> None:
        """Compute what does not change, and forget what it is made of."""
        self.ends = torch.stack(network.ends(*self.inputs()), dim=2).half()
        self.arrays = {"types": self.arrays["types"]}

    def pairs(self, network: FactPointer) -> Tensor:
        assert self.ends is not None
        return network.pairs(*self.ends.float().unbind(2))

    def inputs(self) -> tuple[Tensor, ...]:
        own, count = self.arrays, self.count
        near, order = torch.from_numpy(own["pairs"].astype(np.int64)).view(count, count, 2).unbind(-1)
        return (
            torch.from_numpy(own["vectors"].astype(np.float32)),
            torch.from_numpy(own["contexts"].astype(np.float32)).view(count, count, -1),
            *(torch.from_numpy(own[name].astype(np.int64)) for name in ("types", "often")),
            near,
            order,
        )

    def target(self, random: np.random.Generator | None) -> list[tuple[int, int, int]]:
        """The facts in the order of writing; those of raw text are drawn by their probabilities."""
        known = set(map(tuple, self.gold.tolist()))
        if self.source not in KNOWN:
            drawn = self.probability >= (0.5 if random is None else random.random(len(self.probability)))
            known |= set(map(tuple, self.facts[drawn].tolist()))
        return sorted(known)


def read(folder: Path, places: NDArray[np.int64]) -> Iterator[Item]:
    """The documents; `places` has the number of every property in the order of writing."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as stored:
            flat = {name: stored[name] for name in stored.files}
        by_entity = np.concatenate(([0], np.cumsum(flat["count"])))
        by_pair = np.concatenate(([0], np.cumsum(flat["count"] ** 2)))
        for name in ("facts", "gold"):
            flat[name][:, 3] = places[flat[name][:, 3]]
        rows = np.arange(len(flat["count"]) + 1)
        facts, gold = (np.searchsorted(flat[name][:, 0], rows) for name in ("facts", "gold"))
        for row in rows[:-1].tolist():
            own = {name: flat[name][by_entity[row] : by_entity[row + 1]] for name in ("vectors", "types", "often")}
            own |= {name: flat[name][by_pair[row] : by_pair[row + 1]] for name in ("contexts", "pairs")}
            said = slice(facts[row], facts[row + 1])
            known = flat["gold"][gold[row] : gold[row + 1], 1:]
            yield Item(path.stem, own, flat["facts"][said, 1:], flat["probability"][said], known)


def loss(network: FactPointer, item: Item, target: list[tuple[int, int, int]]) -> Tensor:
    """The log-loss of writing exactly this: of every property, and of moving on from every pair."""
    count = item.count
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    place = {pair: number for number, pair in enumerate(pairs)}
    at = np.array([place[a, b] for a, b, _ in target], dtype=np.int64)
    kinds = np.array([relation for *_, relation in target], dtype=np.int64)
    # One visit for every fact, in order, and one for moving on from every pair, after its facts.
    numbers = np.concatenate([at, np.arange(len(pairs))])
    before = np.concatenate([np.arange(len(at)), np.searchsorted(at, np.arange(len(pairs)), side="right")])
    wanted = np.concatenate([kinds + 1, np.zeros(len(pairs), np.int64)])
    last = np.full(len(numbers), -1, np.int64)
    same = (before > 0) & (np.concatenate([[-1], at])[before] == numbers)
    last[same] = kinds[before[same] - 1]
    made = item.pairs(network)
    by_pair = np.array(pairs)
    shared = torch.from_numpy(overlaps(by_pair[numbers], np.concatenate([[(-1, -1)], by_pair[at]])))
    vectors = made[by_pair[:, 0], by_pair[:, 1]]
    facts = torch.cat([torch.zeros(1, made.shape[-1]), vectors[torch.from_numpy(at)]])
    relations = torch.cat([torch.zeros(1, dtype=torch.int64), torch.from_numpy(kinds) + 1])
    rows = torch.from_numpy(numbers)
    hidden = torch.arange(len(facts))[None] > torch.from_numpy(before)[:, None]
    logits = network(vectors[rows], facts, relations, shared, hidden)
    gone = torch.arange(network.sizes.relations)[None] <= torch.from_numpy(last)[:, None]
    logits = torch.cat([logits[:, :1], logits[:, 1:].masked_fill(gone, -1e4)], dim=1)
    return functional.cross_entropy(logits, torch.from_numpy(wanted), reduction="sum")


@torch.no_grad()
def written(network: FactPointer, item: Item, eager: float) -> list[tuple[int, int, int, float]]:
    """Facts with probabilities as the network writes them by itself."""
    count = item.count
    pairs = np.array([(a, b) for a in range(count) for b in range(count) if a != b])
    vectors = item.pairs(network)[pairs[:, 0], pairs[:, 1]]

    def scores(start: int, facts: list[tuple[int, int]]) -> NDArray[Any]:
        chosen = [place for place, _ in facts]
        given = torch.cat([torch.zeros(1, vectors.shape[1]), vectors[chosen]])
        relations = torch.tensor([0, *(relation + 1 for _, relation in facts)])
        shared = torch.from_numpy(overlaps(pairs[start:], np.concatenate([[(-1, -1)], pairs[chosen]])))
        hidden = torch.zeros(shared.shape, dtype=torch.bool)
        found: NDArray[Any] = network(vectors[start:], given, relations, shared, hidden).numpy()
        return found

    found = Walk(eager)(len(pairs), scores)
    return [(*pairs[place].tolist(), relation, probability) for place, relation, probability in found]


def measured(network: FactPointer, items: list[Item], eager: float) -> dict[str, float]:
    """Expected precision and recall: by the known facts, or by the classifier's probabilities."""
    stated = right = there = other = 0.0
    for item in items:
        known = {tuple(fact): 1.0 for fact in item.gold.tolist()}
        said = dict(zip(map(tuple, item.facts.tolist()), item.probability.tolist(), strict=True))
        truth = known if item.source in KNOWN else said
        found = [fact[:3] for fact in written(network, item, eager)]
        stated += len(found)
        right += sum(truth.get(fact, 0.0) for fact in found)
        there += sum(truth.values())
        other += sum(truth.get(fact, 0.0) for fact, share in said.items() if share >= 0.4)
    precision, recall = right / max(stated, 1), right / max(there, 1e-9)
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / max(precision + recall, 1e-9), 4),
        "stated": stated,
    }


def start_from_classifier(network: FactPointer, graph: bytes, count: int) -> None:
    """Copy the first layer of the shipped classifier's pairs and its tables of features."""
    model = onnx.load_from_string(graph)
    constants = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    makers = {output: node for node in model.graph.node for output in node.output}
    users = {node.input[0]: node for node in model.graph.node if node.op_type == "Add"}
    linears = []
    for node in model.graph.node:
        if (
            node.op_type == "MatMul"
            and (product := makers.get(node.input[1])) is not None
            and product.op_type == "Mul"
        ):
            whole = constants[makers[product.input[0]].input[0]].astype(np.float32) * constants[product.input[1]]
            if node.output[0] in users and users[node.output[0]].input[1] in constants:
                linears.append((whole.T, constants[users[node.output[0]].input[1]]))
    tables = [
        constants[node.input[0]]
        for node in model.graph.node
        if node.op_type == "Gather" and node.input[0] in constants
    ]
    names = ("subject_context", "subject", "object_context", "object")
    own = dict(network.named_parameters())
    with torch.no_grad():
        for name, (weight, bias) in zip(names, linears, strict=False):
            own[f"{name}.weight"].copy_(torch.tensor(weight))
            own[f"{name}.bias"].copy_(torch.tensor(bias))
        for name, table in zip(("types", "often", "near", "order"), tables[-4:], strict=True):
            own[f"{name}.weight"].copy_(torch.tensor(table))


def frequent(folder: Path, relations: int) -> NDArray[np.int64]:
    """The place of every property in the order of writing: the most frequent of Re-DocRED first."""
    with np.load(folder / "redocred.npz") as stored:
        counts = Counter(stored["gold"][:, 3].tolist())
    order = sorted(range(relations), key=lambda number: (-counts[number], number))
    places = np.zeros(relations, np.int64)
    places[order] = np.arange(relations)
    return places


class Trainer:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        torch.manual_seed(options.seed)
        self.random = np.random.default_rng(options.seed)
        classifier = PairModel()
        self.sizes = PointerSizes(relations=len(classifier.relations))
        self.network = FactPointer(self.sizes)
        start_from_classifier(self.network, classifier._folder.read("pairs.onnx"), len(classifier.relations))
        self.places = frequent(options.pointed, len(classifier.relations))
        items = list(read(options.pointed, self.places))
        self.network.eval()
        for item in items:
            item.keep(self.network)
        self.tried: dict[str, list[Item]] = {}
        self.items: list[Item] = []
        for source in sorted({item.source for item in items}):
            own = [item for item in items if item.source == source]
            most = TRIED.get(source, 0)
            self.tried[source] = own[len(own) - most :]
            self.items += own[: len(own) - most]
        print(Counter(item.source for item in self.items), flush=True)

    def run(self) -> None:
        options, network = self.options, self.network
        for name, value in network.named_parameters():
            value.requires_grad_(not name.startswith(FROZEN))
        learned = [value for value in network.parameters() if value.requires_grad]
        optimization = Optimization([{"params": learned, "lr": options.rate}], learned, clip=1.0, weight_decay=0.01)
        batches = -(-len(self.items) // options.batch)
        began, step, total = time.process_time(), 0, options.epochs * batches
        for epoch in range(options.epochs):
            network.train()
            order = self.random.permutation(len(self.items))
            losses = []
            for batch in range(batches):
                rows = order[batch * options.batch : (batch + 1) * options.batch]
                # Documents count by the root of their size: long ones have most of the facts.
                whole = torch.zeros(())
                for row in rows.tolist():
                    item = self.items[row]
                    whole = whole + loss(network, item, item.target(self.random)) / item.count
                optimization.backward(whole / len(rows))
                step += 1
                optimization.step(cosine(step / total), min(0.995, step / (step + 10)))
                losses.append(whole.item() / len(rows))
                if step % 25 == 0:
                    print(epoch, step, f"{np.mean(losses[-50:]):.3f} {time.process_time() - began:.0f}s", flush=True)
            self.evaluate(f"{epoch} {np.mean(losses):.3f} {time.process_time() - began:.0f}s", (0.4,))
        self.save(time.process_time() - began)

    def evaluate(self, name: str, eager: tuple[float, ...]) -> None:
        self.network.eval()
        for share in eager:
            for source, items in self.tried.items():
                if items:
                    print(
                        name, share, source, measured(self.network, items[:: self.options.every], share), flush=True
                    )

    def calibration(self) -> tuple[float, float]:
        """Fitted on what the classifier's probabilities are of facts that were written about raw text."""
        odds, right = [], []
        for item in self.raw:
            said = dict(zip(map(tuple, item.facts.tolist()), item.probability.tolist(), strict=True))
            for *fact, share in written(self.network, item, 0.15):
                odds.append(np.log(share / max(1 - share, 1e-9)))
                right.append(said.get(tuple(fact), 0.0))
        return logistic(np.array(odds), np.array(right))

    @property
    def raw(self) -> list[Item]:
        return [item for source, items in self.tried.items() if source not in KNOWN for item in items]

    def save(self, seconds: float) -> None:
        output = self.options.output
        output.mkdir(parents=True, exist_ok=True)
        np.savez(output / "weights.npz", **{name: value.numpy() for name, value in self.network.state_dict().items()})
        report = {"options": described(self.options), "sizes": asdict(self.sizes), "seconds": seconds}
        report |= {"places": self.places.tolist(), "eager": EAGER, "calibration": self.calibration()}
        write_json(output / "report.json", report)


def main() -> None:
    parser = option_parser(__doc__, "pointed", "output")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="measure on every so many-th document")
    trainer = Trainer(parser.parse_args())
    trainer.run()


if __name__ == "__main__":
    main()
