"""Trains the network that reads both statements at once, and measures it on held-out folds.

    python -m tupelo_training.entail.network --pairs pairs.npz --encoder encoder.npz --output FOLDER [--seconds N]

Six layers that start as those of all-MiniLM-L6-v2 read premise and hypothesis together; the table of embeddings is
left alone, so that the trained network can share the one that ships. One linear unit judges three states: that of the
first mark and the means over the pieces of each relation. A first stage (WordNet, PPDB, RTE; `tupelo_training.entail
.auxiliary`) is the same for all folds and trained once.

With `--large` a larger network, MPNet, is trained the same way first, one for each fold, and teaches: what it says
about pairs that it was trained on and about pairs that nobody judged is what the smaller one is trained to say.

All folds and seeds are trained at once: a weight is a stack, one sheet for each member, and every step multiplies
stacks. The pairs are few and the layers small, so this is what keeps an accelerator busy. Needs torch and numpy, not
this package. Writes the held-out scores of every setting, and of the best the layers trained on all pairs, as int8:
the mean weights of all seeds, which is also what is measured.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tupelo_training.encoder.large import read_large
from tupelo_training.encoder.published import layer_count, published_arrays
from tupelo_training.layers import distance_buckets
from tupelo_training.loop import training_device
from tupelo_training.options import option_parser
from tupelo_training.weights import as_int8

HEADS, EPSILON = 12, 1e-12
MOST_PIECES = 32
DIVISIONS = ("relations", "arguments")
FOLDS = 5
EVERYTHING = "everything"
# What members are trained for: every fold of both divisions left out in turn, and nothing left out.
PARTS = [*((division, fold) for division in DIVISIONS for fold in range(FOLDS)), (EVERYTHING, 0)]
DENSE = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
NORMS = ("attention.output.LayerNorm", "output.LayerNorm")

Stack = dict[str, Tensor]


@dataclass(frozen=True)
class Setting:
    """How the network is trained.

    `as_is` and `letters` are the shares of pairs that are read in these forms, the rest is read with drawn arguments.
    """

    name: str
    first_stage: tuple[str, ...] = ()
    first_steps: int = 800
    first_rate: float = 5e-5
    epochs: float = 5.0
    rate: float = 5e-5
    batch: int = 64
    as_is: float = 0.6
    letters: float = 0.1
    ranking: float = 0.0  # weight of the loss that compares the two directions of a couple
    directional: float = 1.5  # weight of pairs whose reverse is judged otherwise
    smoothing: float = 0.0
    dropout: float = 0.1
    decay: float = 0.01
    frozen: int = 0  # layers at the bottom that stay as they are
    drawn: int = 0  # unjudged pairs in a batch, with a teacher only
    trust: float = 0.0  # how much of a judged pair's target is the teacher's opinion


_ALL = ("wordnet", "ppdb", "rte")
SETTINGS = (
    Setting("forms-rank", ranking=1.0),
    Setting("all-rank", first_stage=_ALL, first_steps=1200, ranking=1.0),
    Setting("all-rank-fast", first_stage=_ALL, first_steps=1200, ranking=1.0, rate=1e-4),
    Setting("all-rank-smooth", first_stage=_ALL, first_steps=1200, ranking=1.0, smoothing=0.1),
    Setting("all-rank-short", first_stage=_ALL, first_steps=1200, ranking=1.0, epochs=3.0),
    Setting("all-rank-long", first_stage=_ALL, first_steps=1200, ranking=1.0, epochs=9.0),
    Setting("all-rank-frozen", first_stage=_ALL, first_steps=1200, ranking=1.0, frozen=2),
    Setting("all", first_stage=_ALL, first_steps=1200),
    Setting("plain", as_is=1.0, letters=0.0),
    Setting("forms"),
    Setting("wordnet-rte-rank", first_stage=("wordnet", "rte"), first_steps=1000, ranking=1.0),
    Setting("wordnet-rank", first_stage=("wordnet",), ranking=1.0),
    Setting("rte-rank", first_stage=("rte",), first_steps=300, ranking=1.0),
    Setting("ppdb-rank", first_stage=("ppdb",), first_steps=400, ranking=1.0),
    Setting("letters-rank", ranking=1.0, as_is=0.3, letters=0.4),
    Setting("drop-rank", ranking=1.0, dropout=0.2, epochs=8.0),
    Setting("forms-fast", rate=1e-4),
    Setting("forms-slow", rate=2.5e-5, epochs=8.0),
    Setting("small-batch-rank", ranking=1.0, batch=32),
    Setting("forms-long", epochs=10.0),
)
TEACHER = Setting("teacher", first_stage=_ALL, first_steps=800, first_rate=2e-5, epochs=4.0, rate=2e-5, ranking=1.0)
_TAUGHT = Setting("", first_stage=_ALL, first_steps=1200, epochs=8.0, rate=1e-4, ranking=0.5, drawn=32, trust=0.7)
STUDENTS = (
    replace(_TAUGHT, name="taught"),
    replace(_TAUGHT, name="taught-trust", trust=0.9, ranking=0.0),
    replace(_TAUGHT, name="taught-slow", rate=6e-5),
    replace(_TAUGHT, name="taught-more", drawn=64, epochs=10.0),
    replace(_TAUGHT, name="taught-long", epochs=14.0),
)


class Network:
    """Stacked weights; the embeddings are shared and fixed."""

    def __init__(self, encoder: dict[str, Tensor], device: torch.device) -> None:
        self.device = device
        table = encoder["embeddings.word_embeddings.weight"].float()
        # As the shipped table has it: int8, one scale for each row.
        steps = (table.abs().amax(1, keepdim=True) / 127).clamp(min=1e-12)
        self.words = ((table / steps).round() * steps).to(device)
        self.positions = encoder["embeddings.position_embeddings.weight"].float().to(device)
        kinds = encoder.get("embeddings.token_type_embeddings.weight", torch.zeros(2, table.shape[1]))
        self.kinds = kinds.float().to(device)
        far = encoder.get("distances")
        self.distances = None if far is None else far.float().to(device)
        self.layers = layer_count(encoder)
        self.norm = [encoder[f"embeddings.LayerNorm.{kind}"].float().to(device) for kind in ("weight", "bias")]
        self.width = table.shape[1]
        self.start: Stack = {}
        for layer in range(self.layers):
            for part in DENSE:
                name = f"encoder.layer.{layer}.{part}"
                self.start[f"{name}.weight"] = encoder[f"{name}.weight"].float().T.contiguous()
                self.start[f"{name}.bias"] = encoder[f"{name}.bias"].float()
            for part in NORMS:
                for kind in ("weight", "bias"):
                    name = f"encoder.layer.{layer}.{part}.{kind}"
                    self.start[name] = encoder[name].float()
        self.start["head.weight"] = torch.zeros(3 * self.width, 1)
        self.start["head.bias"] = torch.zeros(1)

    def stack(self, members: int) -> Stack:
        return {
            name: weight.to(self.device).expand(members, *weight.shape).clone() for name, weight in self.start.items()
        }

    def embed(self, ids: Tensor, middle: Tensor) -> Tensor:
        places = torch.arange(ids.shape[-1], device=self.device)
        kinds = self.kinds[(places >= middle[..., None]).long()]
        return functional.layer_norm(
            self.words[ids] + self.positions[: ids.shape[-1]] + kinds, (self.width,), *self.norm, EPSILON
        )

    def logits(self, stack: Stack, batch: Batch, dropout: float) -> Tensor:
        """[members, rows] from a batch of the same shape."""
        members, rows, pieces = batch.ids.shape
        places = torch.arange(pieces, device=self.device)
        seen = places < batch.lengths[..., None]
        mask = seen.view(members * rows, 1, 1, pieces)
        if self.distances is not None:
            near = self.distances[distance_buckets(places, len(self.distances))].permute(2, 0, 1)
            mask = near.masked_fill(~mask, -1e4)
            if torch.is_autocast_enabled(self.device.type):
                mask = mask.bfloat16()

        def dense(name: str, x: Tensor) -> Tensor:
            return torch.baddbmm(stack[f"{name}.bias"][:, None], x, stack[f"{name}.weight"])

        def norm(name: str, x: Tensor) -> Tensor:
            plain = functional.layer_norm(x.float(), (self.width,), eps=EPSILON)
            return plain * stack[f"{name}.weight"][:, None] + stack[f"{name}.bias"][:, None]

        def heads(x: Tensor) -> Tensor:
            return x.view(members * rows, pieces, HEADS, -1).transpose(1, 2)

        def drop(x: Tensor) -> Tensor:
            return functional.dropout(x, dropout, training=dropout > 0)

        with torch.no_grad():
            x = self.embed(batch.ids, batch.middle)
        x = drop(x).view(members, rows * pieces, -1)
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}"
            parts = [heads(dense(f"{name}.attention.self.{part}", x)) for part in ("query", "key", "value")]
            mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask, dropout_p=dropout)
            mixed = mixed.transpose(1, 2).reshape(members, rows * pieces, -1)
            y = drop(dense(f"{name}.attention.output.dense", mixed))
            x = norm(f"{name}.attention.output.LayerNorm", x + y)
            y = dense(f"{name}.output.dense", functional.gelu(dense(f"{name}.intermediate.dense", x)))
            x = norm(f"{name}.output.LayerNorm", x + drop(y))
        states = x.view(members, rows, pieces, -1)
        read = [states[:, :, 0]]
        for start in (0, 2):
            inside = (places >= batch.spans[..., start, None]) & (places < batch.spans[..., start + 1, None])
            share = inside.float() / inside.sum(-1, keepdim=True).clamp(min=1)
            read.append((states * share[..., None]).sum(2))
        judged = dense("head", drop(torch.cat(read, -1)))
        return judged[..., 0].float()


@dataclass(frozen=True)
class Batch:
    ids: Tensor
    lengths: Tensor
    middle: Tensor
    spans: Tensor


class Table:
    """Pairs in subwords, on the device; those of several names one after the other."""

    def __init__(self, arrays: dict[str, np.ndarray], names: Sequence[str], device: torch.device) -> None:
        width = max(arrays[f"{name}_ids"].shape[1] for name in names)

        def load(key: str) -> Tensor:
            parts = [arrays[f"{name}_{key}"].astype(np.int64) for name in names]
            if key == "ids":
                parts = [np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts]
            return torch.from_numpy(np.concatenate(parts)).to(device)

        self.ids, self.lengths, self.middle, self.spans = map(load, ("ids", "lengths", "middle", "spans"))
        self.sizes = self.lengths.cpu().numpy()

    def batch(self, rows: np.ndarray) -> Batch:
        """`rows`: [members, rows]; padded to the longest."""
        at = torch.from_numpy(rows).to(self.ids.device)
        longest = int(-(-self.sizes[rows].max() // 8) * 8)
        return Batch(
            self.ids[at, : min(longest, self.ids.shape[1])], self.lengths[at], self.middle[at], self.spans[at]
        )


class Trainer:
    """One optimiser for a whole stack; every member's gradient is clipped by itself."""

    def __init__(self, network: Network, stack: Stack, rate: float, setting: Setting, steps: int) -> None:
        self.network, self.stack, self.setting, self.steps = network, stack, setting, steps
        fixed = tuple(f"encoder.layer.{layer}." for layer in range(setting.frozen))
        self.trained = {name: weight.requires_grad_() for name, weight in stack.items() if not name.startswith(fixed)}
        matrices = [weight for name, weight in self.trained.items() if weight.dim() == 3 and "head" not in name]
        others = [weight for name, weight in self.trained.items() if weight.dim() == 2]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": matrices, "weight_decay": setting.decay},
                {"params": others, "weight_decay": 0.0},
                {"params": [stack["head.weight"]], "weight_decay": 0.0, "lr": 10 * rate},
            ],
            lr=rate,
            betas=(0.9, 0.98),
            fused=network.device.type == "cuda",
        )
        warm = max(1, steps // 10)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda step: min((step + 1) / warm, max(steps - step, 0) / max(steps - warm, 1))
        )

    def step(self, batch: Batch, wanted: Tensor, weights: Tensor, better: Tensor | None = None) -> None:
        """`better`: 1 where a row should score higher than the next one, -1 where lower, 0 for no couple."""
        with torch.autocast(self.network.device.type, torch.bfloat16, enabled=self.network.device.type == "cuda"):
            logits = self.network.logits(self.stack, batch, self.setting.dropout)
        loss = functional.binary_cross_entropy_with_logits(logits, wanted, weights, reduction="none").mean(1)
        if better is not None and self.setting.ranking:
            apart = functional.softplus(-better * (logits[:, :-1] - logits[:, 1:])) * better.abs()
            loss = loss + self.setting.ranking * apart.sum(1) / wanted.shape[1]
        loss.sum().backward()
        gradients = [weight.grad for weight in self.trained.values()]
        lengths = sum(gradient.flatten(1).pow(2).sum(1) for gradient in gradients).sqrt()
        shrink = (1.0 / lengths.clamp(min=1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(shrink.view(-1, *[1] * (gradient.dim() - 1)))
        self.optimiser.step()
        self.schedule.step()
        self.optimiser.zero_grad(set_to_none=True)


class Job:
    """The data, a network, and what it learned from pairs from elsewhere."""

    def __init__(self, arrays: dict[str, np.ndarray], network: Network) -> None:
        self.arrays, self.network, self.device = arrays, network, network.device
        self.table = Table(arrays, ["judged", "drawn"], network.device)
        self.labels = arrays["labels"].astype(np.float32)
        self.reverse = arrays["reverse"].astype(np.int64)
        self.count = len(self.labels)
        self.forms = len(arrays["judged_lengths"]) // self.count
        self.judged = self.forms * self.count
        self.short = self.judged + np.flatnonzero(arrays["drawn_lengths"] <= MOST_PIECES)
        self._first: dict[tuple[object, ...], Stack] = {}

    def first_stage(self, setting: Setting, seeds: Sequence[int]) -> Stack:
        """Trained on pairs from elsewhere, a member for each seed."""
        key = (setting.first_stage, setting.first_steps, setting.first_rate, tuple(seeds))
        if key in self._first:
            return self._first[key]
        stack = self.network.stack(len(seeds))
        if setting.first_stage:
            plain = replace(setting, ranking=0.0, frozen=0)
            trainer = Trainer(self.network, stack, setting.first_rate, plain, setting.first_steps)
            tables = {name: Table(self.arrays, [name], self.device) for name in setting.first_stage}
            sizes = np.array([len(table.sizes) for table in tables.values()], float)
            draws = [np.random.default_rng([seed, 1]) for seed in seeds]
            chosen = np.random.default_rng([setting.first_steps]).choice(
                len(sizes), setting.first_steps, p=sizes / sizes.sum()
            )
            for number in chosen:
                name = list(tables)[number]
                rows = np.stack([draw.integers(0, int(sizes[number]), setting.batch) for draw in draws])
                labels = torch.from_numpy(self.arrays[f"{name}_labels"].astype(np.float32)[rows]).to(self.device)
                trainer.step(tables[name].batch(rows), labels, torch.ones_like(labels))
            stack = {name: weight.detach() for name, weight in stack.items()}
        self._first = {key: stack}
        return stack

    def rows_of(self, part: tuple[str, int]) -> np.ndarray:
        """The pairs that the member of a part learns from."""
        division, fold = part
        if division == EVERYTHING:
            return np.arange(self.count)
        return np.flatnonzero(self.arrays[f"folds_{division}"] != fold)

    def train(self, setting: Setting, seeds: Sequence[int], taught: np.ndarray | None = None) -> Stack:
        """Members for all parts, for each part one for each seed; `taught`: what teachers say, [parts, rows]."""
        members = [(part, number) for part in range(len(PARTS)) for number in range(len(seeds))]
        start = self.first_stage(setting, seeds)
        at = torch.tensor([number for _, number in members], device=self.device)
        stack = {name: weight[at].clone() for name, weight in start.items()}
        inside = [self.rows_of(part) for part in PARTS]
        per_epoch = -(-int(np.mean([len(rows) for rows in inside])) // setting.batch)
        steps = max(1, round(setting.epochs * per_epoch))
        trainer = Trainer(self.network, stack, setting.rate, setting, steps)
        streams = [
            self.stream(inside[part], np.random.default_rng([seeds[number], 2, part]), setting)
            for part, number in members
        ]
        teachers = None if taught is None else torch.from_numpy(taught.astype(np.float32)).to(self.device)
        teacher = torch.tensor([part for part, _ in members], device=self.device)[:, None]
        other = self.labels[self.reverse] != self.labels
        directional = np.where((self.reverse >= 0) & other, setting.directional, 1.0).astype(np.float32)
        size = setting.batch
        for _ in range(steps):
            drawn = [next(stream) for stream in streams]
            rows, places = (np.stack(part) for part in zip(*drawn, strict=True))
            labels = self.labels[rows]
            better = np.zeros((len(members), places.shape[1] - 1), np.float32)
            couples = self.reverse[rows[:, :-1]] == rows[:, 1:]
            better[:, : size - 1] = (labels[:, :-1] - labels[:, 1:]) * couples
            wanted = torch.from_numpy(labels * (1 - setting.smoothing) + setting.smoothing / 2).to(self.device)
            weights = torch.ones(places.shape, device=self.device)
            weights[:, :size] = torch.from_numpy(directional[rows]).to(self.device)
            if teachers is not None:
                said = teachers[teacher, torch.from_numpy(places).to(self.device)]
                judged = (1 - setting.trust) * wanted + setting.trust * said[:, :size]
                wanted = torch.cat([judged, said[:, size:]], 1)
            trainer.step(self.table.batch(places), wanted, weights, torch.from_numpy(better).to(self.device))
        return {name: weight.detach() for name, weight in stack.items()}

    def stream(
        self, rows: np.ndarray, draw: np.random.Generator, setting: Setting
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Batches without end: judged pairs, each next to its reverse, and the places of all that is read."""
        known = set(rows.tolist())
        units = [
            [row, int(self.reverse[row])] if self.reverse[row] in known else [row]
            for row in rows.tolist()
            if self.reverse[row] not in known or row < self.reverse[row]
        ]
        left: list[int] = []
        others = self.forms - 2
        shares = [setting.as_is, setting.letters, *[(1 - setting.as_is - setting.letters) / others] * others]
        while True:
            while len(left) < setting.batch:
                left += [row for number in draw.permutation(len(units)) for row in units[number]]
            batch, left = np.array(left[: setting.batch]), left[setting.batch :]
            places = draw.choice(self.forms, setting.batch, p=shares) * self.count + batch
            # One long argument would make the whole step wait; with letters for arguments a pair is short.
            places = np.where(self.table.sizes[places] > MOST_PIECES, self.count + batch, places)
            unjudged = draw.choice(self.short, setting.drawn)
            yield batch, np.concatenate([places, unjudged])

    @torch.no_grad()
    def scores(self, stack: Stack, rows: np.ndarray, size: int = 256) -> np.ndarray:
        """Logits of rows of the table from every member, [members, rows]."""
        members = len(stack["head.bias"])
        order = np.argsort(self.table.sizes[rows], kind="stable")
        found = np.zeros((members, len(rows)), np.float32)
        for start in range(0, len(rows), size):
            part = order[start : start + size]
            batch = self.table.batch(np.broadcast_to(rows[part], (members, len(part))).copy())
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                logits = self.network.logits(stack, batch, 0.0)
            found[:, part] = logits.cpu().numpy()
        return found

    def held_out(self, stack: Stack, seeds: Sequence[int]) -> dict[str, np.ndarray]:
        """Logits of every pair from members that had not seen its fold: of every seed, and of their mean weights."""
        averaged = {name: mean_of_seeds(weight, len(seeds)) for name, weight in stack.items()}
        found = {}
        for form, kind in enumerate(("as_is", "letters")):
            rows = np.arange(self.count) + form * self.count
            single = self.scores(stack, rows).reshape(len(PARTS), len(seeds), -1)
            soup = self.scores(averaged, rows)
            for division in DIVISIONS:
                folds = self.arrays[f"folds_{division}"]
                members = [PARTS.index((division, fold)) for fold in range(FOLDS)]
                for number, seed in enumerate(seeds):
                    found[f"{division}_{kind}_seed{seed}"] = np.choose(folds, single[members, number])
                found[f"{division}_{kind}_soup"] = np.choose(folds, soup[members])
        return found


def mean_of_seeds(weight: Tensor, seeds: int) -> Tensor:
    return weight.view(-1, seeds, *weight.shape[1:]).mean(1)


def area(labels: np.ndarray, scores: np.ndarray, least: float) -> float:
    """Area under precision over recall where precision is at least `least`, trapezoids; for choosing only."""
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(labels[order])
    precision, recall = right / np.arange(1, len(labels) + 1), right / labels.sum()
    keep = precision >= least
    precision, recall = precision[keep], recall[keep]
    return float((np.diff(recall) * (precision[1:] + precision[:-1]) / 2).sum())


def figures(job: Job, logits: np.ndarray) -> dict[str, float]:
    labels, rows = job.labels, np.flatnonzero(job.arrays["directional"])
    right = np.cumsum(labels[np.argsort(-logits, kind="stable")])
    f1 = 2 * right / (np.arange(1, len(labels) + 1) + labels.sum())
    rows = rows[(labels[rows] == 1) & (job.reverse[rows] >= 0)]
    return {
        "f1": 100 * float(f1.max()),
        "auc_p50": 100 * area(labels, logits, 0.5),
        "direction": 100 * float((logits[rows] > logits[job.reverse[rows]]).mean()),
    }


def judge(job: Job, found: dict[str, np.ndarray]) -> dict[str, dict[str, float]]:
    """Figures of one seed and of the mean weights, alone and halved with the logits of the features."""
    rows = {}
    for division in DIVISIONS:
        features = job.arrays[f"logits_{division}"]
        for which in ("seed0", "soup"):
            logits, letters = (found[f"{division}_{kind}_{which}"] for kind in ("as_is", "letters"))
            rows[f"{division} {which}"] = figures(job, logits)
            rows[f"{division} {which} + features"] = figures(job, (logits + features) / 2)
            rows[f"{division} {which} both forms + features"] = figures(job, (logits + letters + 2 * features) / 4)
    return rows


def report(name: str, rows: dict[str, dict[str, float]], seconds: float) -> None:
    print(f"{name}  merit {merit(rows):.2f}  at {seconds:.0f} s", flush=True)
    for key, row in rows.items():
        print(f"    {key:45}" + "  ".join(f"{figure} {value:.1f}" for figure, value in row.items()), flush=True)


def merit(rows: dict[str, dict[str, float]]) -> float:
    """What settings are ordered by: how the mean weights do together with the features."""
    one, other = (rows[f"{division} soup + features"] for division in DIVISIONS)
    return (one["auc_p50"] + one["f1"] + 0.5 * one["direction"]) + 0.3 * (other["auc_p50"] + other["f1"])


def final_weights(stack: Stack, seeds: int) -> dict[str, np.ndarray]:
    """The mean of the members that saw all pairs, matrices as [in, out] int8 with `.steps`."""
    arrays: dict[str, np.ndarray] = {}
    for name, weight in stack.items():
        mean = mean_of_seeds(weight, seeds)[PARTS.index((EVERYTHING, 0))].float().cpu().numpy()
        if mean.ndim == 2 and not name.startswith("head"):
            arrays[name], arrays[f"{name}.steps"] = as_int8(mean, axis=0)
        else:
            arrays[name] = mean.astype(np.float32)
    return arrays


def load_large(folders: Sequence[Path]) -> dict[str, Tensor]:
    """MPNet as `tupelo_training.encoder.large` packs it, under the names of BERT."""
    whole = read_large(*folders)
    return published_arrays(whole) | {"distances": whole["distances.weight"]}


def teach(job: Job, setting: Setting, seeds: Sequence[int], began: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """What larger networks say about every row of the table, a teacher for each part; and their held-out logits."""
    logits: np.ndarray = np.zeros((len(PARTS), len(job.table.sizes)), np.float32)
    for seed in seeds:
        stack = job.train(setting, [seed])
        logits += job.scores(stack, np.arange(len(job.table.sizes))) / len(seeds)
        print(f"teacher {seed} at {time.monotonic() - began:.0f} s", flush=True)
    found = {}
    for division in DIVISIONS:
        members = [PARTS.index((division, fold)) for fold in range(FOLDS)]
        for form, kind in enumerate(("as_is", "letters")):
            part = logits[members, form * job.count : (form + 1) * job.count]
            for which in ("seed0", "soup"):
                found[f"{division}_{kind}_{which}"] = np.choose(job.arrays[f"folds_{division}"], part)
    return 1 / (1 + np.exp(-logits)), found


def write_scores(path: Path, found: dict[str, np.ndarray]) -> None:
    np.savez_compressed(path, **{name: scores.astype(np.float16) for name, scores in found.items()})


def train_teachers(options: argparse.Namespace, arrays: dict[str, np.ndarray], began: float) -> np.ndarray:
    """What larger networks say about every row; their held-out scores are written."""
    job = Job(arrays, Network(load_large(options.large), training_device()))
    taught, found = teach(job, TEACHER, range(options.teachers), began)
    report("teachers", judge(job, found), time.monotonic() - began)
    write_scores(options.output / "teachers.npz", found)
    return taught


def try_settings(options: argparse.Namespace, job: Job, taught: np.ndarray | None, began: float) -> None:
    """Trains and measures one setting after the other while there is time; keeps the weights of the best."""
    seeds, best = list(range(options.seeds)), -1.0
    for setting in SETTINGS if taught is None else STUDENTS:
        if options.settings and setting.name not in options.settings:
            continue
        if time.monotonic() - began > 0.8 * options.seconds:
            print("out of time before", setting.name, flush=True)
            return
        stack = job.train(setting, seeds, taught)
        found = job.held_out(stack, seeds)
        rows = judge(job, found)
        report(setting.name, rows, time.monotonic() - began)
        write_scores(options.output / f"{setting.name}.npz", found)
        if merit(rows) > best:
            best = merit(rows)
            described = np.array(json.dumps({**asdict(setting), "seeds": len(seeds)}))
            np.savez_compressed(options.output / "final.npz", setting=described, **final_weights(stack, len(seeds)))


def parsed_options() -> argparse.Namespace:
    parser = option_parser(__doc__, "pairs", "output")
    parser.add_argument("--encoder", type=Path, required=True, help="published weights of all-MiniLM-L6-v2 as npz")
    parser.add_argument("--large", type=Path, nargs="*", help="folders with all-mpnet-base-v2, for teachers")
    parser.add_argument("--seconds", type=float, default=300.0, help="no setting is begun after four fifths of it")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--teachers", type=int, default=2)
    parser.add_argument("--settings", nargs="*", help="names; default: all")
    return parser.parse_args()


def main() -> None:
    options, began = parsed_options(), time.monotonic()
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.manual_seed(0)
    options.output.mkdir(parents=True, exist_ok=True)
    arrays = dict(np.load(options.pairs))
    taught = train_teachers(options, arrays, began) if options.large else None
    encoder = {name: torch.from_numpy(array) for name, array in np.load(options.encoder).items() if array.ndim}
    try_settings(options, Job(arrays, Network(encoder, training_device())), taught, began)


if __name__ == "__main__":
    main()
