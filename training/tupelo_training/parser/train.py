"""Trains one analyser, from gold trees alone or also from the agreement of earlier analysers (teachers).

    python -m tupelo_training.parser.train --prepared prepared/ --output run1/ --seed 1 --members 5
    python -m tupelo_training.parser.train --prepared prepared/ --output final/ --seed 7 \
        --teachers run1/0 run1/1 run1/2

Needs numpy and torch only. The same seed on the same machine gives the same weights up to the order of atomic sums on
the GPU; on a CPU exactly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn import functional

from tupelo_training.encoder.large import SHAPE, load_large
from tupelo_training.loop import Clock, Optimization, cosine, grouped, training_device
from tupelo_training.options import described, option_parser
from tupelo_training.parser.batches import MASK_PIECE, Batch, Corpus
from tupelo_training.parser.documents import BUCKET, ChainBatch, Document, DocumentTables, answers, read_documents
from tupelo_training.parser.model import Analyser, Sizes, load_pretrained
from tupelo_training.parser.trees import best_bracketing, log_partition, marginals
from tupelo_training.weights import read_arrays, read_weights, tensors, write_parts

LARGEST = 14 << 20  # of one file of weights
WEIGHTS = {
    "arc": 1.0,
    "rel": 1.0,
    "upos": 0.5,
    "xpos": 0.5,
    "feats": 0.3,
    "entity": 1.0,
    "span": 1.0,
    "label": 1.0,
    "kind": 0.3,
}


@dataclass(frozen=True, slots=True)
class Scores:
    """What a network says about a batch, in single precision."""

    upos: Tensor
    xpos: Tensor
    feats: Tensor
    arc: Tensor
    rel: Tensor
    entity: Tensor
    span: Tensor
    label: Tensor
    kind: Tensor


class Members:
    """Several networks of one shape that run as one: every operation is batched over the members.

    A batch of this size does not fill a GPU, so training five members takes hardly longer than training one.
    """

    def __init__(self, models: list[Analyser]) -> None:
        self.base = models[0]
        self.count = len(models)
        names = [name for name, _ in models[0].named_parameters()]
        columns = zip(
            *([parameter.detach() for _, parameter in model.named_parameters()] for model in models), strict=True
        )
        self.parameters = {name: torch.stack(column) for name, column in zip(names, columns, strict=True)}

    def learn(self) -> None:
        self.base.train()
        for parameter in self.parameters.values():
            parameter.requires_grad_()

    def freeze(self) -> None:
        self.base.eval()
        for parameter in self.parameters.values():
            parameter.requires_grad_(False)

    def member(self, number: int) -> dict[str, Tensor]:
        return {name: value[number].detach() for name, value in self.parameters.items()}

    def _outputs(self, batch: Batch, mentions: tuple[Tensor, ...] | None = None) -> list[Tensor]:
        inputs = (batch.subwords, batch.shapes, batch.mask, batch.first, batch.last, mentions)

        def one(parameters: dict[str, Tensor]) -> tuple[Tensor, ...]:
            return functional_call(self.base, parameters, inputs)  # type: ignore[no-any-return]

        with torch.autocast(batch.subwords.device.type, torch.bfloat16, enabled=batch.subwords.is_cuda):
            if self.count == 1:
                outputs = one({name: value.squeeze(0) for name, value in self.parameters.items()})
            else:
                outputs = tuple(o.flatten(0, 1) for o in vmap(one, randomness="different")(self.parameters))
        return [output.float() for output in outputs]

    def refer(self, batch: Batch, mentions: tuple[Tensor, ...]) -> Tensor:
        """Scores of the candidates of every mention, of all members, one after the other."""
        return self._outputs(batch, mentions)[0]

    def score(self, batch: Batch) -> Scores:
        """Scores of all members, one after the other on the batch axis."""
        upos, xpos, feats, arc, rel, entity, span, label, kind = self._outputs(batch)
        # A word never heads itself, and padding heads nothing; row 0 and padding rows are left out of the loss.
        places = torch.arange(arc.shape[1], device=arc.device)
        itself = places[None, :, None] == places[None, None, :]
        forbidden = (itself | (places[None, None, :] > batch.length[:, None, None])).repeat(self.count, 1, 1)
        return Scores(upos, xpos, feats, arc.masked_fill(forbidden, -1e4), rel, entity, span, label, kind)


def repeated(batch: Batch, times: int) -> Batch:
    """The labels of a batch once for every member."""
    if times == 1:
        return batch
    tensors = {field.name: getattr(batch, field.name) for field in fields(batch)}
    return Batch(**{name: value.repeat(times, *[1] * (value.ndim - 1)) for name, value in tensors.items()})


def chosen_relations(rel: Tensor, heads: Tensor) -> Tensor:
    """`[b, d, :]` of the given heads out of `[b, d, :, h]`."""
    return rel.gather(3, heads[:, :, None, None].expand(-1, -1, rel.shape[2], 1)).squeeze(3)


def bracket_loss(spans: Tensor, lengths: Tensor, wanted: Tensor, exact: bool) -> Tensor:
    """How far span scores are from wanted span probabilities, for each sentence.

    Exact: the negative log-likelihood of the tree (or the cross-entropy to a distribution over trees). Otherwise
    every span is judged by itself, which costs a few operations instead of several per word, and serves until late
    in training.
    """
    if exact:
        return log_partition(spans, lengths) - (wanted * spans).sum((1, 2))
    places = torch.arange(spans.shape[1], device=spans.device)
    real = (places[None, :, None] < places[None, None, :]) & (places[None, None, :] < lengths[:, None, None])
    return (functional.binary_cross_entropy_with_logits(spans, wanted, reduction="none") * real).sum((1, 2))


def gold_losses(scores: Scores, batch: Batch, exact: bool) -> dict[str, Tensor]:
    words = batch.length.sum()

    def tags(logits: Tensor, gold: Tensor) -> Tensor:
        return functional.cross_entropy(
            logits.flatten(0, 1), gold.flatten(), ignore_index=-100, reduction="sum", label_smoothing=0.03
        )

    arcs = functional.cross_entropy(
        scores.arc.flatten(0, 1), batch.head.flatten(), ignore_index=-100, reduction="sum"
    )
    losses = {
        "arc": arcs,
        "rel": tags(chosen_relations(scores.rel, batch.head.clamp(min=0)), batch.deprel),
        "upos": tags(scores.upos, batch.upos),
        "xpos": tags(scores.xpos, batch.xpos),
        "feats": tags(scores.feats, batch.feats),
        "entity": tags(scores.entity, batch.entity),
        "kind": tags(scores.kind, batch.kind),
    }
    losses = {name: loss / words for name, loss in losses.items()}
    first, last = batch.span_first, batch.span_last
    spans = scores.span[:, 1:, 1:]
    n = spans.shape[1]
    tree_words = (batch.length * batch.has_tree).sum().clamp(min=1)
    # One-word spans are in every tree and have no score of their own.
    wide = ((batch.span_label != -100) & (last > first)).to(spans.dtype)
    wanted = torch.zeros_like(spans).flatten(1).scatter_add(1, first * n + last, wide).unflatten(1, (n, n))
    losses["span"] = (bracket_loss(spans, batch.length, wanted, exact) * batch.has_tree).sum() / tree_words
    cells = scores.label[:, 1:, :, 1:].transpose(2, 3).flatten(1, 2)
    logits = cells.gather(1, (first * n + last)[:, :, None].expand(-1, -1, cells.shape[2]))
    losses["label"] = (
        functional.cross_entropy(logits.flatten(0, 1), batch.span_label.flatten(), ignore_index=-100, reduction="sum")
        / tree_words
        / 2
    )
    return losses


def referents(scores: Tensor, counted: Tensor, alone: Tensor) -> Tensor:
    """Log-probabilities of nothing and of every candidate."""
    nothing = torch.zeros_like(scores[..., :1]).masked_fill(alone[..., None] == 0, -1e4)
    return torch.cat((nothing, scores.masked_fill(~counted, -1e4)), -1).log_softmax(-1)


def chain_loss(scores: Tensor, batch: ChainBatch) -> Tensor:
    """The negative log-likelihood of all right answers together."""
    times = len(scores) // len(batch.learnt)
    counted, right = batch.open.repeat(times, 1, 1), batch.right.repeat(times, 1, 1)
    learnt, alone = batch.learnt.repeat(times, 1), batch.alone.repeat(times, 1)
    likely = referents(scores, counted, alone)
    accepted = torch.cat((~right.any(-1, keepdim=True), right), -1)
    found = likely.masked_fill(~accepted, -1e4).logsumexp(-1)
    return -(found * learnt).sum() / learnt.sum().clamp(min=1)


def taught_chain_loss(scores: Tensor, wanted: Tensor, batch: ChainBatch) -> Tensor:
    """The cross-entropy to the teachers' probabilities."""
    times = len(scores) // len(batch.learnt)
    likely = referents(scores, batch.open.repeat(times, 1, 1), batch.alone.repeat(times, 1))
    real = (batch.document >= 0).float().repeat(times, 1)
    return -((wanted.repeat(times, 1, 1) * likely).sum(-1) * real).sum() / real.sum()


@torch.no_grad()
def chain_agreement(teachers: Members, batch: ChainBatch) -> Tensor:
    scores = teachers.refer(batch.sentences, batch.inputs)
    counted, alone = batch.open.repeat(teachers.count, 1, 1), batch.alone.repeat(teachers.count, 1)
    return referents(scores, counted, alone).exp().unflatten(0, (teachers.count, -1)).mean(0)


@torch.no_grad()
def agreement(teachers: Members, batch: Batch) -> Scores:
    """Mean probabilities of the members; for spans, mean scores."""
    one = teachers.score(batch)

    def mean(value: Tensor) -> Tensor:
        return value.unflatten(0, (teachers.count, -1)).mean(0)

    return Scores(
        mean(one.upos.softmax(-1)),
        mean(one.xpos.softmax(-1)),
        mean(one.feats.softmax(-1)),
        mean(one.arc.softmax(-1)),
        mean(one.rel.softmax(2)),
        mean(one.entity.softmax(-1)),
        mean(one.span),
        mean(one.label.softmax(2)),
        mean(one.kind.softmax(-1)),
    )


def taught_losses(
    scores: Scores, wanted: Scores, batch: Batch, weights: dict[str, float], exact: bool
) -> dict[str, Tensor]:
    """Cross-entropies to the teachers' distributions, of what has a weight; for trees, to that over bracketings."""
    places = torch.arange(scores.arc.shape[1], device=scores.arc.device)
    real = ((places[None] >= 1) & (places[None] <= batch.length[:, None])).float()
    words = batch.length.sum()

    def soft(logits: Tensor, target: Tensor) -> Tensor:
        return -(real[..., None] * target * logits.log_softmax(-1)).sum() / words

    # Relations are compared on the arcs that the teachers choose.
    heads = wanted.arc.argmax(-1)
    losses = {
        "arc": soft(scores.arc, wanted.arc),
        "rel": soft(chosen_relations(scores.rel, heads), chosen_relations(wanted.rel, heads)),
        "upos": soft(scores.upos, wanted.upos),
        "xpos": soft(scores.xpos, wanted.xpos),
        "feats": soft(scores.feats, wanted.feats),
        "entity": soft(scores.entity, wanted.entity),
        "kind": soft(scores.kind, wanted.kind),
    }
    losses = {name: loss for name, loss in losses.items() if weights[name]}
    if not weights["span"]:
        return losses
    likely = marginals(wanted.span[:, 1:, 1:], batch.length) if exact else wanted.span[:, 1:, 1:].sigmoid()
    losses["span"] = bracket_loss(scores.span[:, 1:, 1:], batch.length, likely, exact).sum() / words
    # Labels count as much as the teachers believe in the span; one-word spans are in every tree.
    inside = places[None, 1:] <= batch.length[:, None]
    weight = likely.triu(1) * (inside[:, :, None] & inside[:, None]) + torch.diag_embed(inside.to(likely.dtype))
    cost = -(wanted.label[:, 1:, :, 1:] * scores.label[:, 1:, :, 1:].log_softmax(2)).sum(2)
    losses["label"] = (weight * cost).sum() / words / 2
    return losses


def augmented(batch: Batch, words: float) -> Batch:
    """Hides some words, and writes some sentences in lower case, capitals or headline style."""
    device = batch.subwords.device
    hidden = torch.rand(batch.first.shape, device=device) < words
    subwords = batch.subwords.masked_fill(hidden.gather(1, batch.word_of) & (batch.word_of > 0), MASK_PIECE)
    draw = torch.rand((len(batch.length), 1), device=device)
    shapes = batch.shapes
    cased = (shapes >= 1) & (shapes <= 5)  # lower, title, one-capital, upper, mixed
    shapes = shapes.masked_fill(cased & (draw < 0.12), 1)
    shapes = shapes.masked_fill(cased & (draw >= 0.12) & (draw < 0.14), 4)
    shapes = shapes.masked_fill((shapes == 1) & (draw >= 0.14) & (draw < 0.16), 2)
    return batch.replaced(subwords, shapes)


@torch.no_grad()
def evaluate(members: Members, corpus: Corpus, source: str, trees: int = 400) -> dict[str, float]:
    """Quick figures: best head per word without tree constraint; bracketing F1 with labels on the first trees.

    Of several members, the mean of their probabilities is judged.
    """
    members.freeze()
    right = dict.fromkeys(("upos", "xpos", "feats", "uas", "las"), 0)
    words = same = found = wanted = 0
    entity_right = entity_found = entity_wanted = 0
    judged = NAMES[:3] if source == "uner-dev" else NAMES
    for bucket, rows in corpus.batches([source], 4000, None):
        batch = corpus.cut(bucket, rows)
        scores = agreement(members, batch)
        real = batch.upos >= 0
        words += int(real.sum())
        heads = scores.arc.argmax(-1)
        good = (heads == batch.head) & real
        labels = chosen_relations(scores.rel, heads).argmax(-1)
        coarse = corpus.coarse_deprel
        right["uas"] += int(good.sum())
        right["las"] += int(
            (good & (coarse[labels] == coarse[batch.deprel.clamp(min=0)]) & (batch.deprel >= 0)).sum()
        )
        for name in ("upos", "xpos", "feats"):
            right[name] += int(((getattr(scores, name).argmax(-1) == getattr(batch, name)) & real).sum())
        # Exact entities: a start at the same word with the same type, and the same extent of I- after it.
        tags, gold = scores.entity.argmax(-1).cpu().numpy(), batch.entity.cpu().numpy()
        for row, length in enumerate(batch.length.tolist()):
            a, b = (
                {name for name in _entities(labels[row, 1 : length + 1]) if name[2] in judged}
                for labels in (tags, gold)
            )
            entity_right, entity_found, entity_wanted = (
                entity_right + len(a & b),
                entity_found + len(a),
                entity_wanted + len(b),
            )
        names_of_spans = scores.label.argmax(2).cpu().numpy()
        for row in range(len(rows)):
            if trees <= 0 or not batch.has_tree[row]:
                break
            trees -= 1
            n = int(batch.length[row])
            names = names_of_spans[row]
            chosen = best_bracketing(scores.span[row, 1 : n + 1, 1 : n + 1].cpu().numpy())
            predicted = {
                (i, j, int(names[i + 1, j + 1])) for i, j in chosen if names[i + 1, j + 1] != corpus.no_label
            }
            keep = (batch.span_label[row] != -100) & (batch.span_label[row] != corpus.no_label)
            gold_spans = {
                tuple(item)
                for item in torch.stack((batch.span_first[row], batch.span_last[row], batch.span_label[row]), 1)[
                    keep
                ].tolist()
            }
            same, found, wanted = same + len(predicted & gold_spans), found + len(predicted), wanted + len(gold_spans)
    result = {name: round(100 * count / max(words, 1), 2) for name, count in right.items()}
    if wanted:
        result["f1"] = round(200 * same / (found + wanted), 2)
    result["entity"] = round(200 * entity_right / max(entity_found + entity_wanted, 1), 2)
    return result


NAMES = (1, 3, 5, 11, 13, 15)  # labels that begin a person, organization, place, event, work or other name


def _entities(tags: np.ndarray) -> set[tuple[int, int, int]]:
    """Label ids are O, then B and I of each type in turn."""
    found, start, kind = set(), -1, 0
    for place, tag in enumerate([*tags.tolist(), 0]):
        if start >= 0 and tag != kind + 1:
            found.add((start, place - 1, kind))
            start = -1
        if tag > 0 and tag % 2 == 1:
            start, kind = place, tag
    return found


@torch.no_grad()
def evaluate_chains(
    members: Members, corpus: Corpus, documents: list[Document], device: torch.device
) -> dict[str, float]:
    """MUC and B³ over given heads of mentions, without entities of one mention; GAP's share of right answers."""
    members.freeze()
    links = [0.0] * 4
    cubed = [0.0] * 4
    answered = asked = 0
    for document in documents:
        found = answers(document)
        if not len(found.pairs):
            continue
        batch = corpus.cut(BUCKET, torch.from_numpy(document.rows).to(device))
        words = batch.first.shape[1]

        def put(values: np.ndarray) -> Tensor:
            return torch.from_numpy(values).to(device)[None]

        mentions = (
            put(document.mentions.sentence * words + document.mentions.head + 1),
            put(document.mentions.kind),
            put(np.zeros(len(document.entity), np.int64)),
            put(np.maximum(found.pairs, 0)),
            put(found.features),
        )
        scores = members.refer(batch, mentions)
        counted = put(found.open).repeat(members.count, 1, 1)
        alone = put(found.alone.astype(np.float32)).repeat(members.count, 1)
        best = referents(scores, counted, alone).exp().mean(0).argmax(-1).cpu().numpy()
        if document.source.startswith("gap"):
            for place in np.flatnonzero(found.alone == 0):
                if found.right[place].any():
                    asked += 1
                    answered += bool(best[place] and found.right[place, best[place] - 1])
            continue
        cluster = np.arange(len(best))
        for place, choice in enumerate(best.tolist()):
            if choice:
                cluster[place] = cluster[found.pairs[place, choice - 1]]
        for total, part in zip((links, cubed), compared(document.entity, cluster), strict=True):
            for index, value in enumerate(part):
                total[index] += value

    def f1(right_a: float, a: float, right_b: float, b: float) -> float:
        precision, recall = right_a / max(a, 1), right_b / max(b, 1)
        return round(200 * precision * recall / max(precision + recall, 1e-9), 2)

    return {"muc": f1(*links), "b3": f1(*cubed), "gap": round(100 * answered / max(asked, 1), 2)}


def compared(gold: np.ndarray, found: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(right, all) of what was found and of gold: links for MUC, mentions for B³, no entities of one mention."""

    def groups(labels: np.ndarray) -> list[set[int]]:
        sets: dict[int, set[int]] = {}
        for place, label in enumerate(labels.tolist()):
            sets.setdefault(label, set()).add(place)
        return [group for group in sets.values() if len(group) > 1]

    def one_way(keys: list[set[int]], others: list[set[int]]) -> tuple[float, float, float, float]:
        owner = {place: number for number, group in enumerate(others) for place in group}
        links = total = shares = size = 0.0
        for key in keys:
            counts: dict[int, int] = {}
            loose = 0
            for place in key:
                if place in owner:
                    counts[owner[place]] = counts.get(owner[place], 0) + 1
                else:
                    loose += 1
            links += len(key) - len(counts) - loose
            total += len(key) - 1
            shares += sum(count * count for count in counts.values()) / len(key)
            size += len(key)
        return links, total, shares, size

    gold_groups, found_groups = groups(gold), groups(found)
    precision, recall = one_way(found_groups, gold_groups), one_way(gold_groups, found_groups)
    return (*precision[:2], *recall[:2]), (*precision[2:], *recall[2:])


def rated(
    parameters: dict[str, Tensor], depth: int, options: argparse.Namespace
) -> Iterator[tuple[str, Tensor, float]]:
    """Parameters with their learning rates: lower layers learn more slowly."""
    for name, parameter in parameters.items():
        if not name.startswith("encoder.") or name in ("encoder.mix", "encoder.scale", "encoder.shapes.weight"):
            rate = options.head_rate
        elif name.startswith("encoder.layers."):
            rate = options.encoder_rate * options.layer_decay ** (depth - 1 - int(name.split(".")[2]))
        else:
            rate = options.encoder_rate * options.layer_decay**depth
        yield name, parameter, rate


def endless(corpus: Corpus, sources: list[str], words: int, seed: int) -> Iterator[tuple[int, Tensor]]:
    epoch = 0
    while True:
        yield from corpus.batches(sources, words, seed * 1000 + epoch)
        epoch += 1


def endless_parts(tables: DocumentTables, size: int, seed: int) -> Iterator[tuple[int, Tensor]]:
    epoch = 0
    while True:
        yield from tables.batches(size, seed * 1000 + epoch)
        epoch += 1


class Recorder:
    """Runs a subword of work; on a GPU, records it once per kind and shape and then replays the record.

    The work is thousands of small operations, and starting each from Python takes longer than doing it.
    """

    def __init__(self, work: Callable[[str, int, bool, Tensor], None], device: torch.device) -> None:
        self._work = work
        self._records: dict[tuple[str, int, bool], tuple[torch.cuda.CUDAGraph, Tensor]] = {}
        self._stream = torch.cuda.Stream() if device.type == "cuda" else None
        self._pool = torch.cuda.graph_pool_handle() if device.type == "cuda" else None

    def run(self, kind: str, batch: tuple[int, Tensor], exact: bool) -> bool:
        """True when the work was done; False when it was only recorded and left gradients that mean nothing."""
        bucket, rows = batch
        if self._stream is None:
            self._work(kind, bucket, exact, rows)
            return True
        record = self._records.get((kind, bucket, exact))
        if record is not None:
            record[1].copy_(rows)
            record[0].replay()
            return True
        kept = rows.clone()
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            for _ in range(2):
                self._work(kind, bucket, exact, kept)
        torch.cuda.current_stream().wait_stream(self._stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, stream=self._stream):
            self._work(kind, bucket, exact, kept)
        self._records[kind, bucket, exact] = (graph, kept)
        return False


class ParserTraining:
    """Members, their teachers, and the loop over batches of gold and of raw text."""

    def __init__(self, options: argparse.Namespace, corpus: Corpus, device: torch.device) -> None:
        self.options, self.corpus, self.device = options, corpus, device
        given = (pair.partition("=") for pair in options.weights)
        self.weights = WEIGHTS | {task: float(weight) for task, _, weight in given}
        self.taught_weights = {name: self.weights[name] if name in options.taught else 0.0 for name in self.weights}
        seeds = range(options.seed, options.seed + options.members)
        self.members = Members([fresh(options, corpus, seed, device) for seed in seeds])
        self.teachers = None
        if options.teachers:
            self.teachers = Members([load(path, corpus, device, options.tiny) for path in options.teachers])
            self.teachers.freeze()
        self.members.learn()
        parameters = self.members.parameters
        groups = grouped(rated(parameters, len(self.members.base.encoder.layers), options))
        everything = list(parameters.values())
        self.optimization = Optimization(groups, everything, clip=5.0 * self.members.count**0.5)
        for parameter in everything:
            parameter.grad = torch.zeros_like(parameter)
        # Kept, not made anew in every step: recorded work adds to these tensors.
        self.gradients = [parameter.grad for parameter in everything]
        self.sums = torch.zeros(len(WEIGHTS), device=device)
        self.log: list[dict[str, object]] = []
        documents = list(read_documents(options.prepared, corpus)) if options.chain_parts else []
        self.documents = {name: [d for d in documents if d.source == name] for name in options.evaluate_chains}
        learnt = [document for document in documents if document.source in options.chain_sources]
        self.tables = DocumentTables(corpus, learnt, device) if learnt else None
        self.chain_sum = torch.zeros((), device=device)
        torch.manual_seed(options.seed)

    def add_gradients(self, kind: str, bucket: int, exact: bool, rows: Tensor) -> None:
        """Adds the gradients of one batch; `kind` is gold, raw or chains."""
        if kind == "chains":
            self.add_chain_gradients(rows)
            return
        batch = self.corpus.cut(bucket, rows)
        scores = self.members.score(augmented(batch, self.options.hide))
        if kind == "gold":
            losses = gold_losses(scores, repeated(batch, self.members.count), exact)
            self.sums.add_(torch.stack([losses[name].detach() for name in WEIGHTS]))
            loss = weighted(losses, self.weights)
            if self.teachers is not None:
                share = self.options.gold_weight
                loss = share * loss + (1 - share) * self.taught_loss(scores, batch, exact)
        else:
            loss = self.options.raw_weight * self.taught_loss(scores, batch, exact)
        # Members share nothing, so the mean over the batch axis must be undone for each to get its own gradient.
        (loss * self.members.count).backward()

    def add_chain_gradients(self, rows: Tensor) -> None:
        assert self.tables is not None
        batch = self.tables.cut(rows)
        scores = self.members.refer(augmented(batch.sentences, self.options.hide), batch.inputs)
        loss = chain_loss(scores, batch)
        self.chain_sum.add_(loss.detach())
        if self.teachers is not None:
            share = self.options.gold_weight
            taught = taught_chain_loss(scores, chain_agreement(self.teachers, batch), batch)
            loss = share * loss + (1 - share) * taught
        (self.options.chain_weight * loss * self.members.count).backward()

    def taught_loss(self, scores: Scores, batch: Batch, exact: bool) -> Tensor:
        assert self.teachers is not None
        wanted = agreement(self.teachers, batch)
        return weighted(taught_losses(scores, wanted, batch, self.taught_weights, exact), self.weights)

    def run(self) -> Clock:
        options = self.options
        recorder = Recorder(self.add_gradients, self.device)
        gold_batches = endless(self.corpus, options.sources, options.words, options.seed)
        raw_batches = endless(self.corpus, ["raw"], options.raw_words, options.seed + 500)
        chain_batches = endless_parts(self.tables, options.chain_parts, options.seed) if self.tables else None
        clock = Clock(options.steps, options.seconds)
        keep_early, progress = options.keep_early and self.members.count == 1, 0.0
        while progress < 1.0:
            progress = min(1.0, clock.progress)
            exact = progress >= options.exact_from
            torch._foreach_zero_(self.gradients)
            done = recorder.run("gold", next(gold_batches), exact)
            if self.teachers is not None:
                done = recorder.run("raw", next(raw_batches), exact) and done
            if chain_batches is not None:
                done = recorder.run("chains", next(chain_batches), False) and done
            if not done:
                continue
            clock.step += 1
            # Early averages would remember the random heads: the decay grows with the steps.
            keep = min(options.average, (1 + clock.step) / (10 + clock.step))
            self.optimization.step(cosine(progress), keep)
            if clock.step % 100 == 0 and self.device.type == "cuda":
                torch.cuda.synchronize()  # so that the clock is true
            if keep_early and progress >= 0.7:
                keep_early = False
                averaged = self.optimization.mean.named(self.members.parameters)
                save({name: value[0] for name, value in averaged.items()}, options.output)
            if clock.step % 500 == 0:
                self.report_losses(clock)
        return clock

    def report_losses(self, clock: Clock) -> None:
        means = dict(zip(WEIGHTS, (self.sums / 500).tolist(), strict=True))
        self.sums.zero_()
        line = {"step": clock.step, "seconds": round(clock.seconds)}
        line |= {name: round(value, 4) for name, value in means.items()}
        line["chain"] = round(float(self.chain_sum) / 500, 4)
        self.chain_sum.zero_()
        print(self.options.output.name, json.dumps(line), flush=True)
        self.log.append(line)

    def finish(self, clock: Clock) -> None:
        """Writes the averaged weights of every member, and a report with figures on the evaluation sources."""
        options, members = self.options, self.members
        members.freeze()
        self.optimization.mean.swap()
        for number in range(members.count):
            save(members.member(number), options.output if members.count == 1 else options.output / str(number))
        figures = {source: evaluate(members, self.corpus, source) for source in options.evaluate}
        for source, documents in self.documents.items():
            figures[f"{source} chains"] = evaluate_chains(members, self.corpus, documents, self.device)
        seconds = round(clock.seconds)
        report = {"figures": figures, "steps": clock.step, "seconds": seconds}
        report |= {"settings": described(options), "log": self.log}
        (options.output / "report.json").write_text(json.dumps(report, indent=1, default=str))
        print(options.output.name, clock.step, seconds, json.dumps(figures), flush=True)


def parsed_options() -> argparse.Namespace:
    parser = option_parser(__doc__, "prepared", "output")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=1e9, help="the schedule is stretched to end by then")
    parser.add_argument("--words", type=int, default=3000, help="words in a batch, about")
    parser.add_argument("--encoder-rate", type=float, default=2.5e-4)
    parser.add_argument("--head-rate", type=float, default=1e-3)
    parser.add_argument("--layer-decay", type=float, default=0.9)
    parser.add_argument("--hide", type=float, default=0.08, help="share of hidden words")
    parser.add_argument("--average", type=float, default=0.999, help="decay of the averaged weights")
    parser.add_argument("--encoder-dropout", type=float, default=0.1)
    parser.add_argument("--head-dropout", type=float, default=0.33)
    parser.add_argument("--sources", nargs="+", default=["ewt-train", "gum-train"])
    parser.add_argument("--raw-words", type=int, default=2000, help="words of raw text in a batch, with teachers")
    parser.add_argument("--teachers", type=Path, nargs="*", default=[])
    parser.add_argument("--gold-weight", type=float, default=0.6, help="against the teachers' on gold sentences")
    parser.add_argument("--keep-early", action="store_true", help="also write the weights before the end, in case")
    parser.add_argument("--start", type=Path, help="go on from this checkpoint instead of the published encoder")
    parser.add_argument("--taught", nargs="+", default=[*WEIGHTS], help="what the teachers teach")
    parser.add_argument("--weights", nargs="*", default=[], metavar="TASK=WEIGHT", help="weights of single losses")
    parser.add_argument("--raw-weight", type=float, default=1.0)
    parser.add_argument("--members", type=int, default=1, help="networks to train at once, with seeds from --seed on")
    parser.add_argument(
        "--exact-from", type=float, default=0.7, help="share of training after which trees are scored as a whole"
    )
    parser.add_argument("--large", action="store_true", help="teachers on the larger encoder")
    parser.add_argument("--tiny", action="store_true", help="a random little network: for tests on a CPU")
    parser.add_argument("--evaluate", nargs="*", default=["ewt-dev", "gum-dev"])
    parser.add_argument("--chain-parts", type=int, default=0, help="parts of documents in a batch, for coreference")
    parser.add_argument("--chain-weight", type=float, default=0.5)
    parser.add_argument("--chain-sources", nargs="*", default=["gum-train", "litbank", "gap-development"])
    parser.add_argument("--evaluate-chains", nargs="*", default=["gum-dev", "gap-validation"])
    return parser.parse_args()


def main() -> None:
    options = parsed_options()
    device = training_device()
    torch.set_float32_matmul_precision("high")
    training = ParserTraining(options, Corpus.load(options.prepared, device), device)
    training.finish(training.run())


def weighted(losses: dict[str, Tensor], weights: dict[str, float]) -> Tensor:
    return torch.stack([weights[name] * value for name, value in losses.items()]).sum()


def fresh(options: argparse.Namespace, corpus: Corpus, seed: int, device: torch.device) -> Analyser:
    """A network with the published encoder and random heads, or one that has been trained already."""
    torch.manual_seed(seed)
    if options.start is not None:
        model = load(options.start, corpus, device, options.tiny)
        set_dropout(model, options.encoder_dropout, options.head_dropout)
        return model
    sizes = sizes_for(corpus, options.tiny, options.large)
    model = Analyser(sizes, options.encoder_dropout, options.head_dropout).to(device)
    if options.large and not options.tiny:
        load_large(model.encoder, options.prepared)
    elif not options.tiny:
        weights = tensors(read_weights(options.prepared / "encoder.npz"))
        load_pretrained(model.encoder, {name: value.to(device) for name, value in weights.items()})
    return model


def set_dropout(model: Analyser, encoder: float, heads: float) -> None:
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = encoder if name.startswith("encoder.") else heads


def sizes_for(corpus: Corpus, tiny: bool, large: bool = False) -> Sizes:
    counts = {
        name: len(corpus.labels[name])
        for name in ("upos", "xpos", "feats", "deprel", "entity", "constituent", "shapes")
    }
    if tiny:
        little = Sizes(**counts, inner=32, layers=1, attention_heads=2, arc=16, rel=8, tag=16, span=16, span_label=8)
        return replace(little, width=48, distances=8) if large else little
    return Sizes(**counts, **SHAPE) if large else Sizes(**counts)


def save(parameters: dict[str, Tensor], folder: Path) -> None:
    """Half precision, plain arrays; split so that no file is large."""

    def parts() -> Iterator[tuple[str, np.ndarray]]:
        for name in sorted(parameters):
            array = parameters[name].cpu().to(torch.float16).numpy()
            if array.nbytes <= LARGEST:
                yield name, array
            else:
                yield from ((f"{name}@{number}", part) for number, part in enumerate(np.array_split(array, 2)))

    write_parts(parts(), folder, "weights", LARGEST)


def load(folder: Path, corpus: Corpus, device: torch.device, tiny: bool = False) -> Analyser:
    arrays = read_arrays(*sorted(folder.glob("weights-*.npz")))
    for name in sorted(name for name in arrays if name.endswith("@0")):
        arrays[name[:-2]] = np.concatenate([arrays.pop(name), arrays.pop(f"{name[:-2]}@1")])
    model = Analyser(sizes_for(corpus, tiny, large="encoder.distances.weight" in arrays))
    model.load_state_dict({name: torch.from_numpy(value.astype(np.float32)) for name, value in arrays.items()})
    return model.to(device).eval()


if __name__ == "__main__":
    main()
