"""Fits the reader: a network that marks the answer to a question in a passage.

    python -m tupelo_training.reader.train --table reader.npz --base large-*.npz --own 12 --output teacher/
    python -m tupelo_training.reader.train --table reader.npz --base base.npz --own 12 --output twelve/ \\
        --teacher teacher/ --teacher-base large-*.npz

The first command trains a larger network, which needs 80 GB of a GPU (`tupelo_training.encoder.large` writes what it
begins with); the second learns from the answers and from what the first one says, or without a teacher from the
answers alone. With fewer layers of its own (`--own`) only the last ones are trained, to try something out. A reader
that was exported is trained further if `--base` is what `base --reader` writes: then the mean of its weights and the
new ones (`--shares`) forgets less than the new ones alone. Needs torch and numpy only; runs on a GPU where there is
one. What is saved is the mean of the last weights.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tupelo_training.loop import Clock, Optimization, grouped, straight, training_device
from tupelo_training.options import described, option_parser, write_json
from tupelo_training.reader.network import ReaderModel
from tupelo_training.reader.table import NONE, OPEN, SPAN, WRITTEN, Batch, Questions, one_pass, read_table
from tupelo_training.weights import read_weights, tensors, write_parts

LARGEST = 12 << 20
# Subwords of the longest answer.
LONGEST = 40
# How much the loss of subwords inside of answers counts beside the others.
INSIDE = 10.0
_FAR = -1e4


@dataclass(frozen=True, slots=True)
class Rows:
    """A batch on the device."""

    pieces: Tensor
    first: Tensor
    last: Tensor
    outcome: Tensor
    marks: Tensor

    @classmethod
    def of(cls, batch: Batch, device: torch.device) -> Rows:
        names = ("pieces", "first", "last", "outcome", "marks")
        return cls(*(torch.from_numpy(getattr(batch, name)).to(device, non_blocking=True) for name in names))

    @property
    def passage(self) -> Tensor:
        """Which subwords are the passage's."""
        places = torch.arange(self.pieces.shape[1], device=self.pieces.device)
        return (places > 0) & (places < self.first[:, None] - 1)

    def logits(self, model: ReaderModel) -> tuple[Tensor, Tensor]:
        """Of the outcomes, and of the passage's subwords: very low elsewhere."""
        places = torch.arange(self.pieces.shape[1], device=self.pieces.device)
        segments = ((places >= self.first[:, None]) & (places <= self.last[:, None])).long()
        with torch.autocast(self.pieces.device.type, torch.bfloat16, enabled=self.pieces.is_cuda):
            outcome, marks = model(self.pieces.long(), segments, self.last + 1)
        return outcome.float(), marks.float().masked_fill(~self.passage[..., None], _FAR)


def loss_of(rows: Rows, outcome: Tensor, marks: Tensor, taught: tuple[Tensor, Tensor] | None, trust: float) -> Tensor:
    has = rows.outcome == SPAN
    ends = marks[..., :2].log_softmax(1)
    held = rows.marks[..., :2] == 1
    # All places of an answer are right: their probabilities add up.
    spans = -ends.masked_fill(~held, _FAR).logsumexp(1).sum(1)[has]
    inside = rows.passage & (rows.marks[..., 2] != OPEN)
    told = functional.binary_cross_entropy_with_logits(
        marks[..., 2][inside], (rows.marks[..., 2] == 1)[inside].float(), reduction="sum"
    )
    label = functional.cross_entropy(outcome, rows.outcome.long(), label_smoothing=0.02)
    loss = label + spans.sum() / len(has) + INSIDE * told / inside.sum()
    if taught is None:
        return loss
    said, seen = taught
    agree = _divergence(outcome, said, 1).mean()
    places = _divergence(marks[..., :2], seen[..., :2], 1).sum(1)[has].sum() / len(has)
    within = functional.binary_cross_entropy_with_logits(
        marks[..., 2][rows.passage], seen[..., 2][rows.passage].sigmoid()
    )
    return (1 - trust) * loss + trust * (agree + places + INSIDE * within)


def _divergence(logits: Tensor, teacher: Tensor, axis: int) -> Tensor:
    log = logits.log_softmax(axis)
    other = teacher.log_softmax(axis)
    return (other.exp() * (other - log)).sum(axis)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the network says of a question: probabilities of the outcomes, and the best span with its probability."""

    outcome: np.ndarray
    start: int
    end: int
    span: float


def read(model: ReaderModel, rows: Rows) -> list[Reading]:
    with torch.no_grad():
        outcome, marks = rows.logits(model)
    ends = marks[..., :2].log_softmax(1)
    size = ends.shape[1]
    both = ends[:, :, None, 0] + ends[:, None, :, 1]
    places = torch.arange(size, device=both.device)
    apart = places[None] - places[:, None]
    both = both.masked_fill((apart < 0) | (apart >= LONGEST), _FAR).flatten(1)
    best, at = both.max(1)
    return [
        Reading(chances, index // size, index % size, value)
        for chances, index, value in zip(
            outcome.softmax(1).cpu().numpy(), at.tolist(), best.exp().tolist(), strict=True
        )
    ]


def overlap(one: tuple[int, int], others: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Whether a span is one of several, and its best F1 with them, by subwords."""
    best = 0.0
    for low, high in others:
        both = max(0, min(one[1], high) - max(one[0], low) + 1)
        best = max(best, 2 * both / (one[1] - one[0] + 1 + high - low + 1))
    return float(one in others), best


def area(positive: Sequence[float], negative: Sequence[float]) -> float:
    if not len(positive) or not len(negative):
        return float("nan")
    values = np.concatenate([positive, negative])
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable") + 1
    share = ranks[: len(positive)].sum() - len(positive) * (len(positive) + 1) / 2
    return float(share / (len(positive) * len(negative)))


def measure(model: ReaderModel, table: Questions, numbers: np.ndarray, device: torch.device) -> dict[str, Any]:
    """Exact match and F1 of spans, the area of no answer, and right and wrong at several thresholds."""
    model.eval()
    lines = []
    order = sorted(numbers.tolist(), key=table.length)
    for start in range(0, len(order), 64):
        batch = table.batch(np.array(order[start : start + 64]), None)
        for at, reading in enumerate(read(model, Rows.of(batch, device))):
            spots = [(low, high) for low, high, _ in table.row(int(batch.number[at]), None)[3].tolist()]
            exact, close = overlap((reading.start, reading.end), spots) if spots else (0.0, 0.0)
            lines.append((int(batch.outcome[at]), exact, close, reading))
    model.train()
    spans = [line for line in lines if line[0] == SPAN]
    empty = [line for line in lines if line[0] == NONE]
    closed = [line for line in lines if line[0] > NONE]
    report: dict[str, Any] = {
        "questions": len(lines),
        "exact": float(np.mean([line[1] for line in spans])) if spans else None,
        "f1": float(np.mean([line[2] for line in spans])) if spans else None,
        "outcome": float(np.mean([line[3].outcome.argmax() == line[0] for line in lines])),
        "right": float(np.mean([line[3].outcome.argmax() == line[0] != SPAN or _is_found(line) for line in lines])),
        "no answer": area([line[3].outcome[NONE] for line in empty], [line[3].outcome[NONE] for line in spans]),
        "yes or no": float(np.mean([line[3].outcome.argmax() == line[0] for line in closed])) if closed else None,
    }
    for least in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
        given = [(line[3].outcome[SPAN] * line[3].span >= least, line) for line in (*spans, *empty)]
        right = sum(said and line[2] >= 0.6 for said, line in given if line[0] == SPAN)
        wrong = sum(said and (line[0] == NONE or line[2] < 0.6) for said, line in given)
        report[f"at {least}"] = f"{right / max(1, len(spans)):.3f} right, {wrong / max(1, len(given)):.3f} wrong"
    # What there was, what was said, and how good the span is: for the curve of `calibrate`.
    report["lines"] = [
        [outcome, *(round(float(one), 5) for one in (*reading.outcome, reading.span, close))]
        for outcome, _, close, reading in lines
    ]
    return report


def _is_found(line: tuple[int, float, float, Reading]) -> bool:
    return line[0] == SPAN == line[3].outcome.argmax() and line[2] >= 0.6


class Composed(torch.utils.data.IterableDataset):  # type: ignore[type-arg]
    """Batches without end; every worker has its own."""

    def __init__(self, table: Questions, lengths: np.ndarray, most_pieces: int, seed: int) -> None:
        self._table, self._lengths, self._most, self._seed = table, lengths, most_pieces, seed

    def __iter__(self) -> Iterator[Batch]:
        worker = torch.utils.data.get_worker_info()
        chance = np.random.default_rng([self._seed, worker.id if worker else 0])
        while True:
            for numbers in one_pass(self._table, self._lengths, self._most, chance):
                yield self._table.batch(numbers, chance)


def load(base: dict[str, np.ndarray], folder: Path, device: torch.device) -> ReaderModel:
    """A reader that was trained before."""
    own = int(json.loads((folder / "report.json").read_text(encoding="utf-8"))["options"]["own"])
    model = ReaderModel(base, own)
    trained = tensors(read_weights(*sorted(folder.glob("reader-*.npz"))))
    _, unknown = model.load_state_dict(trained, strict=False)
    if unknown or set(trained) != set(model.own_names()):
        raise SystemExit(f"{folder}: not the weights of a reader with {own} layers of its own")
    return model.to(device).eval()


def main() -> None:
    parser = option_parser(__doc__, "table", "output", teacher="the output of another run, to learn from")
    parser.add_argument("--base", type=Path, nargs="+", required=True, help="what it begins with")
    parser.add_argument("--teacher-base", type=Path, nargs="+", help="what the teacher began with")
    parser.add_argument("--own", type=int, default=3, help="layers that are trained")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--pieces", type=int, default=24_576, help="subwords of a batch")
    parser.add_argument("--trust", type=float, default=0.5, help="how much the teacher counts")
    parser.add_argument("--shares", type=float, nargs="+", default=[1.0], help="of the new weights; saved: the last")
    parser.add_argument("--average", type=float, default=0.999)
    parser.add_argument("--everyday", type=float, default=WRITTEN["everyday"], help="draws of an everyday question")
    parser.add_argument("--workers", type=int, default=5)
    parser.add_argument("--limit", type=int, default=0, help="questions, to try it out")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = training_device()
    WRITTEN["everyday"] = options.everyday
    table = read_table(options.table, options.limit)
    lengths = np.array([table.length(number) for number in range(len(table.text))])
    model = ReaderModel(read_weights(*options.base), options.own).to(device)
    started = {name: value.detach().clone() for name, value in model.state_dict().items()}
    teacher = load(read_weights(*options.teacher_base), options.teacher, device) if options.teacher else None
    names = model.own_names()
    named = [(name, part) for name, part in model.named_parameters() if name in set(names)]
    rated = [(name, part, options.rate * (1 if name.startswith("layers") else 3)) for name, part in named]
    optimization = Optimization(grouped(rated), [part for _, part in named], 1.0)
    source = Composed(table, lengths, options.pieces, options.seed)
    loader = torch.utils.data.DataLoader(
        source, batch_size=None, num_workers=options.workers, prefetch_factor=8 if options.workers else None
    )
    clock = Clock(options.steps, options.seconds)
    log, seen, total = [], 0, 0.0
    model.train()
    for batch in loader:
        progress = clock.progress
        if progress >= 1:
            break
        rows = Rows.of(batch, device)
        taught = None
        if teacher is not None:
            with torch.no_grad():
                taught = rows.logits(teacher)
        loss = loss_of(rows, *rows.logits(model), taught, options.trust)
        optimization.backward(loss)
        optimization.step(straight(progress), min(options.average, 1 - 1 / (10 + clock.step)))
        clock.step += 1
        seen += len(rows.first)
        if clock.step % 100 == 0 or clock.step <= 2:
            total = float(loss.detach())
            log.append((clock.step, round(clock.seconds, 1), seen, round(total, 4)))
            print(*log[-1], flush=True)
    optimization.mean.swap()
    options.output.mkdir(parents=True, exist_ok=True)
    trained = {name: value.detach().clone() for name, value in model.state_dict().items()}
    report: dict[str, Any] = {"options": described(options), "steps": clock.step, "questions": seen, "log": log}
    for share in options.shares:
        state = {name: torch.lerp(started[name], value, share) for name, value in trained.items()}
        model.load_state_dict(state)
        arrays = ((name, state[name].float().cpu().numpy().astype(np.float16)) for name in names)
        write_parts(arrays, options.output, "reader", LARGEST)
        found = measured(model, table, device, f"share {share}")
        report |= {**found, f"share {share}": found}
    write_json(options.output / "report.json", report)


def measured(model: ReaderModel, table: Questions, device: torch.device, title: str) -> dict[str, Any]:
    """What `measure` finds for each source of questions that were held out."""
    aside = table.is_aside()
    kinds = np.array([one.partition("-")[0] for one in table.source])
    chance = np.random.default_rng(0)
    report = {}
    for kind in sorted(set(kinds)):
        numbers = np.flatnonzero(aside & (kinds == kind))
        if len(numbers):
            report[kind] = measure(model, table, chance.permutation(numbers)[:1500], device)
            summary = {name: value for name, value in report[kind].items() if name != "lines"}
            print(title, kind, json.dumps(summary), flush=True)
    return report


if __name__ == "__main__":
    main()
