"""Fits the support model: a network that reads sentences of a source and a claim.

    python -m tupelo_training.support.train --table support.npz --large FOLDER --fold 0 --output teacher-0/ \
        --seconds 300
    python -m tupelo_training.support.train --table support.npz --encoder minilm.npz --taught teacher-*/logits.npz \
        --output student/ --seconds 450
    python -m tupelo_training.support.train --table support.npz --start start.npz --trust 0.3 --output next/ \
        --seconds 450

The first command fits a larger network on all texts but a third and writes what it says of the claims of that third;
with two more the teachers have judged every claim without having seen its text. The second command fits a network
that is shipped, from the labels and from what the larger ones say. The third trains a shipped network further: what
it said before of claims that it knows takes the place of the teachers. Needs torch and numpy only; runs on a GPU
where there is one. What is saved is the mean of the last weights, not the last ones.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tupelo_training.layers import Shape
from tupelo_training.loop import Optimization, training_device
from tupelo_training.options import option_parser, write_json
from tupelo_training.support.measure import Logits, report_of
from tupelo_training.support.network import (
    DEEP,
    EMBEDDINGS,
    LARGE,
    SMALL,
    SupportModel,
    load_large,
    load_small,
    load_trained,
)
from tupelo_training.support.table import (
    FOLDS,
    NO,
    OPEN,
    OUTCOMES,
    SUPPORTED,
    UNKNOWN,
    UNLABELLED,
    UNSUPPORTED,
    WEIGHTS,
    Bucket,
    Claims,
    one_pass,
    read_table,
)
from tupelo_training.weights import write_parts

LOGIT_STEP = 0.1  # of what a teacher says, to keep it in a byte
WARM = 200
LARGEST = 12 << 20  # of one file of weights
KEPT_EVERY = 120.0  # seconds between files of weights, if training is interrupted


@dataclass(frozen=True, slots=True)
class Batch:
    """Claims of one width on the device, with what the teacher predicts of them.

    `trust` is the share of the teacher's predictions in the loss, 0 where it made none.
    """

    pieces: Tensor
    tokens: Tensor
    first: Tensor
    last: Tensor
    labels: Tensor
    weights: Tensor
    trust: Tensor
    taught_whole: Tensor | None = None
    taught_pieces: Tensor | None = None

    def __getitem__(self, places: Tensor) -> Batch:
        values = (getattr(self, name) for name in self.__slots__)
        return Batch(*(None if value is None else value[places] for value in values))

    @property
    def inside(self) -> Tensor:
        """Which subwords are the claim's."""
        places = torch.arange(self.pieces.shape[1], device=self.pieces.device)
        return (places >= self.first[:, None]) & (places < self.last[:, None])

    def logits(self, model: SupportModel) -> tuple[Tensor, Tensor]:
        places = torch.arange(self.pieces.shape[1], device=self.pieces.device)
        segments = ((places >= self.first[:, None]) & (places <= self.last[:, None])).long()
        with torch.autocast(self.pieces.device.type, torch.bfloat16, enabled=self.pieces.is_cuda):
            whole, pieces = model(self.pieces, segments, self.last + 1)
        return whole.float(), pieces.float()


def on_device(
    bucket: Bucket,
    weights: np.ndarray,
    device: torch.device,
    taught: dict[str, np.ndarray] | None,
    trust: float | np.ndarray = 0.5,
) -> Batch:
    """A bucket with what teachers predict of it; `trust` is one share, or one for each kind of claims."""
    trusted = np.broadcast_to(np.float32(trust), weights.shape)[bucket.kinds] * np.float32(taught is not None)
    arrays = [bucket.pieces, bucket.tokens, bucket.first, bucket.last, bucket.labels, weights[bucket.kinds], trusted]
    if taught is not None:
        learned = ~bucket.aside & (trusted > 0)
        known = np.zeros(1 + max(int(bucket.rows.max()), len(taught["starts"]) - 1), np.int64) - 1
        known[: len(taught["starts"])] = taught["starts"]
        starts = known[bucket.rows]
        missing = int((starts[learned] < 0).sum())
        if missing:
            raise SystemExit(f"no teacher judged {missing} claims: give the logits of the teachers of all folds")
        whole, pieces = np.zeros((len(bucket.rows), OUTCOMES), np.int8), np.zeros(bucket.pieces.shape, np.int8)
        for place in np.flatnonzero(learned):
            begin, first, last = starts[place], bucket.first[place], bucket.last[place]
            whole[place] = taught["whole"][bucket.rows[place]]
            pieces[place, first:last] = taught["pieces"][begin : begin + last - first]
        arrays += [whole, pieces]
    return Batch(*(torch.from_numpy(np.ascontiguousarray(array)).to(device) for array in arrays))


def read_taught(paths: Sequence[Path]) -> dict[str, np.ndarray]:
    """Predictions of several teachers, each for other claims, as `joined_logits` has them."""
    return joined_logits([dict(np.load(path)) for path in paths])


def joined_logits(files: Sequence[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Predictions by claim; `starts` is where its subwords begin, below zero where no teacher judged it."""
    count = 1 + max(int(file["rows"].max()) for file in files)
    whole, starts = np.zeros((count, OUTCOMES), np.int8), np.full(count, -1, np.int64)
    begin = 0
    for file in files:
        lengths = file["lengths"].astype(np.int64)
        whole[file["rows"]] = file["whole"]
        starts[file["rows"]] = begin + np.cumsum(lengths) - lengths
        begin += int(lengths.sum())
    return {"whole": whole, "starts": starts, "pieces": np.concatenate([file["pieces"] for file in files])}


def mean(values: Tensor, weights: Tensor) -> Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def outcome_loss(whole: Tensor, labels: Tensor) -> Tensor:
    """What each label costs; where it is only known that a claim is not supported, refuted and unknown count as one.
    Claims without a label cost nothing."""
    chances = whole.log_softmax(-1)
    unsupported = chances[:, SUPPORTED + 1 :].logsumexp(-1)
    exact = chances.gather(1, labels.long().clamp(max=UNKNOWN)[:, None])[:, 0]
    return -torch.where(labels == UNSUPPORTED, unsupported, exact) * (labels != UNLABELLED)


def loss_of(whole: Tensor, pieces: Tensor, batch: Batch) -> Tensor:
    """Cross-entropy of claims and of subwords, with labels and with what the teacher predicts."""
    entropy = functional.binary_cross_entropy_with_logits
    known = batch.tokens != OPEN
    # Wrong subwords are few: each weighs as four right ones.
    weights = batch.weights[:, None] * known * (1.0 + 3.0 * (batch.tokens == NO))
    own = 1 - batch.trust
    gold = mean(own * outcome_loss(whole, batch.labels), batch.weights * (batch.labels != UNLABELLED))
    gold = gold + mean(own[:, None] * entropy(pieces, known * batch.tokens.float(), reduction="none"), weights)
    if batch.taught_whole is None or batch.taught_pieces is None:
        return gold
    soft_whole = (batch.taught_whole * LOGIT_STEP).softmax(-1)
    soft_pieces = (batch.taught_pieces * LOGIT_STEP).sigmoid()
    soft_weights = batch.weights[:, None] * batch.inside * (1.0 + 3.0 * (1.0 - soft_pieces))
    soft = mean(-batch.trust * (soft_whole * whole.log_softmax(-1)).sum(-1), batch.weights)
    return gold + soft + mean(batch.trust[:, None] * entropy(pieces, soft_pieces, reduction="none"), soft_weights)


@torch.no_grad()
def predict(
    model: SupportModel,
    claims: Claims,
    held: Sequence[Batch],
    most_pieces: int,
    chosen_of: Callable[[Bucket], np.ndarray],
) -> dict[int, Logits]:
    """Logits of the chosen claims and of their subwords, by the claim's number in the table."""
    model.eval()
    found = {}
    for bucket, batch in zip(claims.buckets, held, strict=True):
        chosen = np.flatnonzero(chosen_of(bucket))
        size = max(1, most_pieces // bucket.width)
        for start in range(0, len(chosen), size):
            places = chosen[start : start + size]
            whole, pieces = batch[torch.from_numpy(places).to(batch.labels.device)].logits(model)
            several = whole.cpu().numpy(), pieces.cpu().numpy()
            for place, one, each in zip(places, *several, strict=True):
                found[int(bucket.rows[place])] = Logits(one, each[bucket.first[place] : bucket.last[place]])
    model.train()
    return found


def measured(model: SupportModel, claims: Claims, held: Sequence[Batch], most_pieces: int) -> dict[str, object]:
    """Figures on held-out claims, by kind."""

    def known(bucket: Bucket) -> np.ndarray:
        return bucket.aside & (bucket.labels != UNLABELLED)

    found = predict(model, claims, held, most_pieces, known)
    places = [(bucket, place) for bucket in claims.buckets for place in np.flatnonzero(known(bucket))]
    return report_of(
        [found[int(bucket.rows[place])] for bucket, place in places],
        np.array([bucket.labels[place] for bucket, place in places]),
        np.array([bucket.kinds[place] for bucket, place in places]),
        claims.kinds,
    )


def save_weights(weights: dict[str, Tensor], folder: Path, name: str) -> None:
    """What was trained, in files of half precision `NAME-N.npz` that stay below `LARGEST`."""
    arrays = (
        (key, value.detach().float().cpu().numpy().astype(np.float16))
        for key, value in weights.items()
        if not key.startswith(EMBEDDINGS)
    )
    write_parts(arrays, folder, name, LARGEST)


def packed_logits(found: dict[int, Logits]) -> dict[str, np.ndarray]:
    def rounded(values: np.ndarray) -> np.ndarray:
        return np.clip(np.rint(values / LOGIT_STEP), -127, 127).astype(np.int8)

    rows = sorted(found)
    return {
        "rows": np.array(rows, np.int32),
        "whole": rounded(np.stack([found[row].whole for row in rows])),
        "lengths": np.array([len(found[row].pieces) for row in rows], np.uint8),
        "pieces": rounded(np.concatenate([found[row].pieces for row in rows])),
    }


def save_logits(found: dict[int, Logits], path: Path) -> None:
    np.savez_compressed(path, allow_pickle=False, **packed_logits(found))


def parameter_groups(model: SupportModel) -> list[dict[str, object]]:
    trained = [value for value in model.parameters() if value.requires_grad]
    return [
        {"params": [value for value in trained if value.ndim > 1], "weight_decay": 0.01},
        {"params": [value for value in trained if value.ndim == 1], "weight_decay": 0.0},
    ]


def parsed_options() -> argparse.Namespace:
    parser = option_parser(__doc__, "table", "output")
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--encoder", type=Path, help="arrays of MiniLM or gte-small: a network that is shipped")
    start.add_argument("--start", type=Path, help="what `start --shipped` wrote: a network that is trained further")
    start.add_argument("--large", type=Path, nargs="+", help="folders with arrays of MPNet: one that teaches")
    parser.add_argument("--fold", type=int, choices=range(FOLDS), help="part that is not learned from, but judged")
    parser.add_argument("--taught", type=Path, nargs="+", help="what larger networks predict for every claim")
    parser.add_argument("--trust", type=float, default=0.5, help="share of the teacher's predictions in the loss")
    parser.add_argument(
        "--new", nargs="*", default=["frames", "made-more"], help="kinds of claims that --start did not learn from"
    )
    parser.add_argument("--seconds", type=float, default=0.0, help="of training, at most; the rate falls accordingly")
    parser.add_argument("--steps", type=int, default=100_000, help="at most")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--pieces", type=int, default=32768, help="of a batch")
    parser.add_argument("--layers", type=int, choices=(SMALL.layers, DEEP.layers), default=SMALL.layers)
    parser.add_argument("--average", type=float, default=0.998)
    parser.add_argument("--limit", type=int, default=0, help="of claims, for a trial")
    parser.add_argument("--tiny", action="store_true", help="one layer, for a trial")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def started(options: argparse.Namespace) -> SupportModel:
    layers = DEEP.layers if options.start else options.layers
    shape = LARGE if options.large else Shape(layers=layers)
    if options.tiny:
        shape = Shape(shape.width, shape.inner, 1, shape.epsilon, shape.distances)
    model = SupportModel(shape)
    if options.large:
        load_large(model, *options.large)
    elif options.start:
        load_trained(model, options.start)
    else:
        load_small(model, options.encoder)
    return model


class SupportTraining:
    """A network, the claims on the device, and the loop over them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.device = options, training_device()
        torch.manual_seed(options.seed)
        self.model = started(options).to(self.device).train()
        self.claims = read_table(options.table, options.limit)
        weights = self.claims.by_kind(WEIGHTS)
        self.held = [on_device(bucket, weights, self.device, None) for bucket in self.claims.buckets]
        new = np.array([name.startswith(tuple(options.new)) for name in self.claims.kinds], bool)
        taught = self.taught_by(new)
        self.taught = bool(taught)
        trust = np.where(new & bool(options.start), 0.0, options.trust)
        if taught:
            self.held = [on_device(bucket, weights, self.device, taught, trust) for bucket in self.claims.buckets]
        self.random = np.random.default_rng(options.seed)
        groups = parameter_groups(self.model)
        trained = [value for value in self.model.parameters() if value.requires_grad]
        self.optimization = Optimization(groups, trained, clip=1.0, lr=options.rate)
        self.begun, self.step, self.passes, self.total = time.perf_counter(), 0, 0, options.steps
        self.saved = 0.0

    def taught_by(self, new: np.ndarray) -> dict[str, np.ndarray] | None:
        """Predictions of larger networks, or of the network that is trained further on claims that are not new."""
        if self.options.taught:
            return read_taught(self.options.taught)
        if not self.options.start:
            return None

        def chosen(bucket: Bucket) -> np.ndarray:
            return ~bucket.aside & ~new[bucket.kinds]

        print(json.dumps(measured(self.model, self.claims, self.held, self.options.pieces)), "before", flush=True)
        found = predict(self.model, self.claims, self.held, 2 * self.options.pieces, chosen)
        return joined_logits([packed_logits(found)])

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.begun

    def run(self) -> None:
        while self.step < self.total:
            self.one_pass()
            self.passes += 1

    def one_pass(self) -> None:
        options = self.options
        batches = list(one_pass(self.claims, options.pieces, self.random, options.fold, taught=self.taught))
        nominal = np.median([len(places) for _, places in batches])
        for number, places in batches:
            batch = self.held[number][torch.from_numpy(places).to(self.device, non_blocking=True)]
            # A batch that is smaller than most weighs less.
            loss = loss_of(*batch.logits(self.model), batch) * min(1.0, len(places) / nominal)
            self.optimization.backward(loss)
            factor = min((self.step + 1) / WARM, max(0.0, 1 - self.step / self.total))
            self.optimization.step(factor, min(options.average, (self.step + 1) / (self.step + 10)))
            self.step += 1
            if self.step % 50 == 0:
                self.look_at_the_clock(loss.item())
            if self.step >= self.total:
                return

    def look_at_the_clock(self, loss: float) -> None:
        """Adapts the number of steps to the time, and reports."""
        options, elapsed = self.options, self.elapsed
        if options.seconds:
            # How many steps the time allows; others on the machine make them slower and quicker again.
            self.total = min(options.steps, max(self.step + 1, int(self.step * options.seconds / elapsed)))
        if self.step % 500 == 0:
            print(f"step {self.step} of {self.total}, loss {loss:.3f}, {elapsed:.0f} s", flush=True)
        if elapsed > self.saved + KEPT_EVERY:
            self.saved = elapsed
            self.optimization.mean.swap()
            save_weights(self.model.state_dict(), options.output, "support")
            self.optimization.mean.swap()

    def save(self) -> None:
        """Writes the averaged weights and what they achieve."""
        self.optimization.mean.swap()
        report = measured(self.model, self.claims, self.held, self.options.pieces)
        spent = f"step {self.step}, {self.passes} passes, {self.elapsed:.0f} s"
        print(json.dumps(report), spent, flush=True)
        if not self.options.large:
            save_weights(self.model.state_dict(), self.options.output, "support")
        write_json(self.options.output / "support.json", {"spent": spent, "held out": report})
        self.optimization.mean.swap()

    def judge_fold(self) -> None:
        """Writes what the averaged weights predict for the claims of the fold that was left out."""
        self.optimization.mean.swap()
        chosen = self.options.fold
        judged = predict(
            self.model,
            self.claims,
            self.held,
            2 * self.options.pieces,
            lambda bucket: (bucket.folds == chosen) & ~bucket.aside,
        )
        save_logits(judged, self.options.output / "logits.npz")
        print(f"logits written, {self.elapsed:.0f} s", flush=True)


def main() -> None:
    options = parsed_options()
    options.output.mkdir(parents=True, exist_ok=True)
    training = SupportTraining(options)
    training.run()
    training.save()
    if options.fold is not None:
        training.judge_fold()


if __name__ == "__main__":
    main()
