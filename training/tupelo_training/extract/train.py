"""Trains the extractor: one network per fold of CaRB dev, and one on all of it, at once.

    python -m tupelo_training.extract.train --prepared prepared-extract/ --encoder encoder.npz --output run/ \
        --rewrites 0.4

All networks see the same batches; a network's loss leaves out the CaRB sentences of its own fold, in any words. In
the end each fold network extracts from the sentences that it has not seen and from their rewrites (`held-out.npz`,
what selection and every reported figure are made of), and the network of all folds is saved. Needs numpy and torch
only.

`--rewrites` is the share of CaRB's part of a batch for which a rewrite is drawn; without it rewrites are never
learned from, only extracted from. Embeddings of pieces stay as they are: they are the half of the weights that needs
no storing.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn import functional

from tupelo_training.extract.model import Extractor, ExtractorSizes, load_encoder
from tupelo_training.extract.stored import below_best
from tupelo_training.loop import Clock, Optimization, grouped, straight, training_device
from tupelo_training.options import described, option_parser
from tupelo_training.weights import read_weights, tensors

MASK_PIECE = 103
START_PIECE, END_PIECE = 101, 102
CARB = 0
# The table that stays as it is.
FROZEN = "reader.words.weight"
# Anchors of which held-out scores are kept: a little more than those that are ever read again.
LEAST_LOGIT = -1.4
# Shares of the other sources while they are in use.
SILVER = {1: 0.4, 2: 0.2, 3: 0.2, 4: 0.2}


class Corpus:
    """Everything in padded arrays on the device; a batch is a selection of rows, cut to its longest."""

    def __init__(self, folder: Path, device: torch.device, slots: int) -> None:
        stored = np.load(folder / "tuples.npz")
        flat = {name: stored[name] for name in stored.files}
        self.table: dict[str, Any] = json.loads((folder / "tuples.json").read_text(encoding="utf-8"))
        self.length = flat["length"].astype(np.int64)
        self.source, self.fold = flat["source"].astype(np.int64), flat["fold"].astype(np.int64)
        self.rewrite = flat["rewrite"].astype(bool)
        count = flat["count"].astype(np.int64)
        first_word = np.concatenate(([0], np.cumsum(self.length)))
        first_piece = np.concatenate(([0], np.cumsum(count)))
        self.pieces = np.array([count[first_word[i] : first_word[i + 1]].sum() for i in range(len(self.length))]) + 2
        size, width, words = len(self.length), int(self.pieces.max()), int(self.length.max())
        subwords, shapes = np.zeros((size, width), np.int64), np.zeros((size, width), np.int64)
        first, last = np.zeros((size, words), np.int64), np.zeros((size, words), np.int64)
        self.content = np.zeros((size, words), bool)
        for i in range(size):
            a, b = first_word[i], first_word[i + 1]
            counts = count[a:b]
            ends = np.cumsum(counts)
            subwords[i, : ends[-1] + 2] = [START_PIECE, *flat["piece"][first_piece[a] : first_piece[b]], END_PIECE]
            shapes[i, 1 : ends[-1] + 1] = np.repeat(flat["shape"][a:b], counts)
            first[i, : b - a], last[i, : b - a] = ends - counts + 1, ends
            self.content[i, : b - a] = flat["content"][a:b]
        self.tensors = [torch.from_numpy(value).to(device) for value in (subwords, shapes, first, last)]
        # Tuples: labels padded, and per anchor up to `slots` of them.
        sentence = flat["tuple_sentence"].astype(np.int64)
        first_label = np.concatenate(([0], np.cumsum(self.length[sentence])))
        labels = np.full((len(sentence) + 1, words), -100, np.int64)
        for t in range(len(sentence)):
            labels[t, : self.length[sentence[t]]] = flat["label"][first_label[t] : first_label[t + 1]]
        self.labels = torch.from_numpy(labels).to(device)
        self.leads = torch.from_numpy(np.append(flat["tuple_lead"].astype(np.int64), 0)).to(device)
        self.anchors: list[dict[int, list[int]]] = [{} for _ in range(size)]
        for t, anchor in enumerate(flat["tuple_anchor"].tolist()):
            self.anchors[sentence[t]].setdefault(anchor, []).append(t)
        self.slots, self.device = slots, device

    def inputs(self, rows: np.ndarray, anchor_rows: list[int], anchors: list[int]) -> tuple[Tensor, ...]:
        width, words = int(self.pieces[rows].max()), int(self.length[rows].max())
        index = torch.from_numpy(rows).to(self.device)
        subwords, shapes = (value[index, :width] for value in self.tensors[:2])
        first, last = (value[index, :words] for value in self.tensors[2:])
        mask = (subwords > 0).float()
        row = torch.tensor(anchor_rows, device=self.device)
        anchor = torch.tensor(anchors, device=self.device)[:, None]
        places = torch.arange(width, device=self.device)
        marked = ((places >= first[row].gather(1, anchor)) & (places <= last[row].gather(1, anchor))).float()
        source = torch.from_numpy(self.source[rows]).to(self.device)
        return subwords, shapes, mask, first, last, source, row, marked, anchor

    def batch(
        self, rows: np.ndarray, random: np.random.Generator, negatives: int
    ) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
        """Inputs, the tuples of each anchor ([A, slots], -1 for none), and which words are anchors."""
        anchor_rows: list[int] = []
        anchors: list[int] = []
        tuples: list[list[int]] = []
        wanted = np.zeros((len(rows), int(self.length[rows].max())), np.float32)
        for place, sentence in enumerate(rows.tolist()):
            own = self.anchors[sentence]
            for anchor, items in own.items():
                wanted[place, anchor] = 1
                chosen = (
                    items if len(items) <= self.slots else random.choice(items, self.slots, replace=False).tolist()
                )
                tuples.append(chosen + [-1] * (self.slots - len(chosen)))
                anchor_rows.append(place)
                anchors.append(anchor)
            free = [w for w in np.flatnonzero(self.content[sentence]).tolist() if w not in own]
            for anchor in random.permutation(free)[:negatives].tolist():
                tuples.append([-1] * self.slots)
                anchor_rows.append(place)
                anchors.append(anchor)
        return (
            self.inputs(rows, anchor_rows, anchors),
            torch.tensor(tuples, device=self.device),
            torch.from_numpy(wanted).to(self.device),
        )


class Members:
    """Several networks of one shape that run as one; they share the table that stays as it is."""

    def __init__(self, models: list[Extractor]) -> None:
        self.base, self.count = models[0], len(models)
        own = [dict(model.named_parameters()) for model in models]
        names = [name for name in own[0] if name != FROZEN]
        self.parameters = {name: torch.stack([each[name].detach() for each in own]) for name in names}
        self.shared = own[0][FROZEN].requires_grad_(False)

    def score(self, inputs: tuple[Tensor, ...], parameters: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Scores with the member as the first axis."""
        with torch.autocast(inputs[0].device.type, torch.bfloat16, enabled=inputs[0].is_cuda):
            outputs = vmap(lambda own: functional_call(self.base, own, inputs), randomness="different")(parameters)
        return tuple(output.float() for output in outputs)  # type: ignore[return-value]


PERMUTATIONS: dict[int, Tensor] = {}


def permutations(slots: int, device: torch.device) -> Tensor:
    if slots not in PERMUTATIONS:
        PERMUTATIONS[slots] = torch.tensor(list(itertools.permutations(range(slots))), device=device)
    return PERMUTATIONS[slots]


def losses(
    scores: tuple[Tensor, Tensor, Tensor],
    tuples: Tensor,
    wanted: Tensor,
    corpus: Corpus,
    inputs: tuple[Tensor, ...],
    weight: Tensor,
) -> dict[str, Tensor]:
    """`weight` [members, sentences]. Slots take the tuples of their anchor in the cheapest order."""
    anchors, labels, slots = scores
    lengths = (inputs[3] > 0).sum(1)
    words = anchors.shape[-1]
    real = (torch.arange(words, device=anchors.device)[None] < lengths[:, None]).float()
    anchor = functional.binary_cross_entropy_with_logits(anchors, wanted.expand_as(anchors), reduction="none")
    anchor = (anchor * real * weight[:, :, None]).sum() / (real * weight[:, :, None]).sum()

    row = inputs[6]
    own = weight[:, row]  # [M, A]
    exists = (tuples >= 0).float()  # [A, G]
    gold = corpus.labels[tuples][:, :, :words]  # [A, G, N]; the last row, all -100, for none
    log = labels.log_softmax(-1).permute(0, 1, 3, 2, 4)  # [M, A, K, N, L]
    target = gold.clamp(min=0)[None, :, None, :, :, None].expand(log.shape[0], -1, log.shape[2], -1, -1, 1)
    cost = -log[:, :, :, None].expand(-1, -1, -1, gold.shape[1], -1, -1).gather(-1, target)[..., 0]
    cost = (cost * (gold >= 0)[None, :, None]).sum(-1)  # [M, A, K, G]
    leads = corpus.leads[tuples]  # [A, G]
    lead = -slots[..., 1:].log_softmax(-1).gather(-1, leads[None, :, None, :].expand(*slots.shape[:3], -1))
    lead = lead * exists[None, :, None]
    present = functional.softplus(-slots[..., :1]) * exists[None, :, None] + functional.softplus(slots[..., :1]) * (
        1 - exists[None, :, None]
    )
    total = cost + lead + present  # [M, A, K, G]
    orders = permutations(corpus.slots, total.device)  # [P, K]: the tuple of each slot
    slot = torch.arange(corpus.slots, device=total.device)
    sums = total.detach()[:, :, slot, orders].sum(-1)  # [M, A, P]
    best = orders[sums.argmin(-1)]  # [M, A, K]

    def chosen(table: Tensor) -> Tensor:
        return (table.gather(-1, best[..., None])[..., 0] * own[..., None]).sum()

    token_count = ((gold >= 0).sum((1, 2))[None] * own).sum().clamp(min=1)
    tuple_count = (exists.sum(1)[None] * own).sum().clamp(min=1)
    return {
        "anchor": anchor,
        "label": chosen(cost) / token_count,
        "lead": chosen(lead) / tuple_count,
        "slot": chosen(present) / (own.sum() * corpus.slots),
    }


WEIGHTS = {"anchor": 2.0, "label": 1.5, "lead": 0.2, "slot": 0.5}


def carb_share(progress: float, start: float, full: float) -> float:
    return 1.0 if progress >= full else start + (1 - start) * progress / full * 0.5


def rated(
    parameters: dict[str, Tensor], sizes: ExtractorSizes, options: argparse.Namespace
) -> Iterator[tuple[str, Tensor, float]]:
    """Parameters with their learning rates: lower layers learn more slowly."""
    depth = sizes.lower + sizes.upper
    for name, parameter in parameters.items():
        rate = options.head_rate
        if ".layers." in name:
            number = int(name.split(".layers.")[1].split(".")[0]) + (sizes.lower if name.startswith("filler") else 0)
            rate = options.rate * options.layer_decay ** (depth - 1 - number)
        elif name.startswith("reader.") and "anchor" not in name and "sources" not in name:
            rate = options.rate * options.layer_decay**depth
        yield name, parameter, rate


class Draws:
    """Which sentences make a batch: CaRB's share grows, the other sources keep their proportions."""

    def __init__(self, corpus: Corpus, options: argparse.Namespace, random: np.random.Generator) -> None:
        self._options, self._random = options, random
        short = corpus.pieces <= 110
        self._by_source = [
            np.flatnonzero((corpus.source == source) & short & ~corpus.rewrite)
            for source in range(len(corpus.table["sources"]))
        ]
        self._rewrites = np.flatnonzero(corpus.rewrite & short)
        if options.rewrites and not len(self._rewrites):
            raise SystemExit(f"--rewrites: {options.prepared} has none")
        # Apart from the other draws, which are thus the same with and without rewrites.
        self._reworded = np.random.default_rng(options.seed + 1)
        count = len(self._by_source)
        there = {kind: share for kind, share in SILVER.items() if kind < count and len(self._by_source[kind])}
        self._shares = {kind: share / sum(there.values()) for kind, share in there.items()}

    def rows(self, progress: float) -> np.ndarray:
        options, random = self._options, self._random
        share = carb_share(progress, options.carb_start, options.carb_full)
        draw = random.random(options.sentences)
        silver = random.choice(list(self._shares), options.sentences, p=list(self._shares.values()))
        kinds = np.where(draw < share, CARB, silver)
        rows = np.array([random.choice(self._by_source[kind]) for kind in kinds])
        if options.rewrites:
            others = (kinds == CARB) & (self._reworded.random(options.sentences) < options.rewrites)
            rows = np.where(others, self._reworded.choice(self._rewrites, options.sentences), rows)
        return rows


@torch.no_grad()
def extract(
    members: Members, parameters: dict[str, Tensor], number: int, corpus: Corpus, rows: np.ndarray
) -> dict[str, np.ndarray]:
    """All scores of one member for every likely anchor of the given sentences, flat."""
    own = {name: value[number] for name, value in parameters.items()}
    members.base.eval()
    names = ("row", "anchors", "sentence", "anchor", "labels", "slots", "leads")
    out: dict[str, list[np.ndarray]] = {name: [] for name in names}
    kinds = len(corpus.table["labels"])
    for start in range(0, len(rows), 16):
        part = rows[start : start + 16]
        pairs = [
            (place, w) for place, s in enumerate(part.tolist()) for w in np.flatnonzero(corpus.content[s]).tolist()
        ]
        pairs = pairs or [(0, 0)]
        inputs = list(corpus.inputs(part, [p for p, _ in pairs], [w for _, w in pairs]))
        inputs[5] = torch.zeros_like(inputs[5])  # in the style of CaRB
        anchors, labels, slots = (
            each.float().cpu().numpy() for each in functional_call(members.base, own, tuple(inputs))
        )
        lengths = corpus.length[part]
        likely = [i for i, (p, w) in enumerate(pairs) if anchors[p, w] >= LEAST_LOGIT]
        out["row"].append(part)
        out["anchors"].append(np.concatenate([anchors[i, :n] for i, n in enumerate(lengths)]).astype(np.float16))
        out["sentence"].append(part[[pairs[i][0] for i in likely]].astype(np.int64))
        out["anchor"].append(np.array([pairs[i][1] for i in likely], np.int64))
        out["slots"].append(slots[likely, :, 0].astype(np.float16))
        out["leads"].append(below_best(slots[likely, :, 1:].reshape(len(likely), -1), slots.shape[-1] - 1))
        flat = labels.reshape(*labels.shape[:2], -1)
        out["labels"] += [below_best(flat[i, : lengths[pairs[i][0]]], kinds) for i in likely]
    out["labels"].append(np.zeros((0, corpus.slots * kinds), np.uint8))
    joined = {name: np.concatenate(values) for name, values in out.items()}
    return {name: value.astype(np.int32) if value.dtype == np.int64 else value for name, value in joined.items()}


def fresh_models(
    options: argparse.Namespace, sizes: ExtractorSizes, count: int, device: torch.device
) -> list[Extractor]:
    models = [Extractor(sizes, options.dropout).to(device) for _ in range(count)]
    if options.encoder:
        weights = tensors(read_weights(options.encoder))
        for model in models:
            load_encoder(model, weights, sizes.lower)
    return models


def sizes_for(options: argparse.Namespace, corpus: Corpus) -> ExtractorSizes:
    tiny = {"width": 24, "inner": 32, "attention_heads": 2, "anchor": 8, "label": 16} if options.tiny else {}
    counts = {name: len(corpus.table[name]) for name in ("sources", "labels", "leads")}
    layers = {"lower": options.lower, "upper": options.upper}
    return ExtractorSizes(**counts, shapes=12, slots=corpus.slots, **layers, **tiny)


class ExtractorTraining:
    """One member per fold and one for all folds; a member's loss leaves out the sentences of its own fold."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.device = options, training_device()
        torch.manual_seed(options.seed)
        self.random = np.random.default_rng(options.seed)
        self.corpus = Corpus(options.prepared, self.device, 4)
        self.folds: int = self.corpus.table["folds"]
        self.sizes = sizes_for(options, self.corpus)
        self.members = Members(fresh_models(options, self.sizes, self.folds + 1, self.device))
        parameters = self.members.parameters
        for parameter in parameters.values():
            parameter.requires_grad_()
        self.members.base.train()
        groups = grouped(rated(parameters, self.sizes, options))
        clip = 2.0 * math.sqrt(self.members.count)
        self.optimization = Optimization(groups, list(parameters.values()), clip)

    def run(self) -> Clock:
        draws = Draws(self.corpus, self.options, self.random)
        clock, progress = Clock(self.options.steps, self.options.seconds), 0.0
        while progress < 1:
            parts = self.losses(draws.rows(progress))
            # The loss is a mean over members whose gradients are apart: the sum is what each would have alone.
            self.optimization.backward(sum(WEIGHTS[name] * part for name, part in parts.items()) * self.members.count)
            clock.step += 1
            keep = min(self.options.average, clock.step / (clock.step + 10))
            self.optimization.step(straight(progress), keep)
            progress = clock.progress
            if clock.step % 100 == 0 or progress >= 1:
                values = {name: round(float(part.detach()), 4) for name, part in parts.items()}
                print(clock.step, round(clock.seconds), values, flush=True)
        return clock

    def losses(self, rows: np.ndarray) -> dict[str, Tensor]:
        inputs, tuples, wanted = self.corpus.batch(rows, self.random, self.options.negatives)
        hidden = (torch.rand(inputs[0].shape, device=self.device) < self.options.hide) & (inputs[1] > 0)
        inputs = (torch.where(hidden, MASK_PIECE, inputs[0]), *inputs[1:])
        weight = np.ones((self.members.count, len(rows)), np.float32)
        for fold in range(self.folds):
            weight[fold, self.corpus.fold[rows] == fold] = 0
        scores = self.members.score(inputs, self.members.parameters)
        return losses(scores, tuples, wanted, self.corpus, inputs, torch.from_numpy(weight).to(self.device))

    def finish(self, clock: Clock) -> None:
        """Writes the held-out scores of every fold, the weights of the member of all folds, and a report."""
        options, members = self.options, self.members
        members.base.eval()
        averaged = self.optimization.mean.named(members.parameters)
        options.output.mkdir(parents=True, exist_ok=True)
        outputs = [extract(members, averaged, fold, self.corpus, self.unseen(fold)) for fold in range(self.folds + 1)]
        joined = {name: np.concatenate([output[name] for output in outputs]) for name in outputs[0]}
        np.savez_compressed(options.output / "held-out.npz", **joined)
        final = {name: value[self.folds].half().cpu().numpy() for name, value in averaged.items()}
        if not options.encoder:
            final[FROZEN] = members.shared.half().cpu().numpy()
        np.savez_compressed(options.output / "weights.npz", **final)
        report = {"settings": described(options), "sizes": asdict(self.sizes)}
        report |= {"steps": clock.step, "seconds": round(clock.seconds)}
        (options.output / "report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")

    def unseen(self, fold: int) -> np.ndarray:
        """CaRB's sentences of a fold; for the member of all folds, those of the last source."""
        corpus = self.corpus
        if fold < self.folds:
            return np.flatnonzero((corpus.source == CARB) & (corpus.fold == fold))
        return np.flatnonzero(corpus.source == len(corpus.table["sources"]) - 1)


def parsed_options() -> argparse.Namespace:
    parser = option_parser(__doc__, "prepared", "output")
    parser.add_argument(
        "--encoder", type=Path, help="weights of the analysis model, or of its encoder alone, as .npz"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--seconds", type=float, default=1e9, help="the schedule is shortened to end by then")
    parser.add_argument("--sentences", type=int, default=32)
    parser.add_argument("--negatives", type=int, default=3)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--head-rate", type=float, default=6e-4)
    parser.add_argument("--layer-decay", type=float, default=0.9)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--hide", type=float, default=0.05)
    parser.add_argument("--average", type=float, default=0.995)
    parser.add_argument("--rewrites", type=float, default=0.0, help="share of CaRB's part that are rewrites")
    parser.add_argument("--carb-start", type=float, default=0.25)
    parser.add_argument("--carb-full", type=float, default=0.65)
    parser.add_argument("--lower", type=int, default=4)
    parser.add_argument("--upper", type=int, default=2)
    parser.add_argument("--tiny", action="store_true", help="a random little network: for tests on a CPU")
    return parser.parse_args()


def main() -> None:
    training = ExtractorTraining(parsed_options())
    training.finish(training.run())


if __name__ == "__main__":
    main()
