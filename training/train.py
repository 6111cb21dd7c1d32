"""Trains one analyser, from gold trees alone or also from the agreement of earlier analysers (teachers).

    python -m training.train --prepared prepared/ --output run1/ --seed 1
    python -m training.train --prepared prepared/ --output final/ --seed 7 --teachers run1 run2 run3 --with-dev

Needs numpy and torch only. The same seed on the same machine gives the same weights up to the order of atomic sums on
the GPU; on a CPU exactly.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from training.batches import MASK_PIECE, Batch, Corpus
from training.model import Analyser, Sizes, load_pretrained
from training.trees import best_bracketing, log_partition, marginals

WEIGHTS = {"arc": 1.0, "rel": 1.0, "upos": 0.5, "xpos": 0.5, "feats": 0.3, "entity": 0.6, "span": 1.0, "label": 1.0}


@dataclass(frozen=True, slots=True)
class Scores:
    """What the network says about a batch, in single precision."""

    upos: Tensor
    xpos: Tensor
    feats: Tensor
    arc: Tensor
    rel: Tensor
    entity: Tensor
    span: Tensor
    label: Tensor


def score(model: Analyser, batch: Batch, autocast: bool) -> Scores:
    with torch.autocast(batch.subwords.device.type, torch.bfloat16, enabled=autocast):
        vectors = model.encoder(batch.subwords, batch.shapes, batch.mask, batch.first, batch.last)
        upos, xpos, feats, arc, rel, entity = model.heads(vectors)
        span, label = model.constituents(vectors)
    # A word never heads itself, and padding heads nothing; row 0 and padding rows are left out of the loss.
    places = torch.arange(arc.shape[1], device=arc.device)
    forbidden = (places[None, :, None] == places[None, None, :]) | (places[None, None, :] > batch.length[:, None, None])
    return Scores(upos.float(), xpos.float(), feats.float(), arc.float().masked_fill(forbidden, -1e4), rel.float(), entity.float(), span.float(), label.float())


def chosen_relations(rel: Tensor, heads: Tensor) -> Tensor:
    """`[b, d, :]` of the given heads out of `[b, d, :, h]`."""
    return rel.gather(3, heads[:, :, None, None].expand(-1, -1, rel.shape[2], 1)).squeeze(3)


def gold_losses(scores: Scores, batch: Batch) -> dict[str, Tensor]:
    def tags(logits: Tensor, gold: Tensor) -> Tensor:
        return functional.cross_entropy(logits.flatten(0, 1), gold.flatten(), ignore_index=-100, reduction="sum", label_smoothing=0.03)

    words = batch.length.sum()
    heads = batch.head.clamp(min=0)
    arcs = functional.cross_entropy(scores.arc.flatten(0, 1), batch.head.flatten(), ignore_index=-100, reduction="sum")
    losses = {
        "arc": arcs,
        "rel": tags(chosen_relations(scores.rel, heads), batch.deprel),
        "upos": tags(scores.upos, batch.upos),
        "xpos": tags(scores.xpos, batch.xpos),
        "feats": tags(scores.feats, batch.feats),
        "entity": tags(scores.entity, batch.entity),
    }
    losses = {name: loss / words for name, loss in losses.items()}
    rows = batch.tree_rows
    if len(rows):
        lengths = batch.length[rows]
        spans = scores.span[rows, 1:, 1:]
        which = batch.span_label >= 0
        # One-word spans are in every tree and have no score of their own.
        wide = which & (batch.span_last > batch.span_first)
        row = torch.arange(len(rows), device=rows.device)[:, None].expand_as(which)
        gold = spans[row[wide], batch.span_first[wide], batch.span_last[wide]].sum()
        tree_words = lengths.sum()
        losses["span"] = (log_partition(spans, lengths).sum() - gold) / tree_words
        logits = scores.label[rows[row[which]], batch.span_first[which] + 1, :, batch.span_last[which] + 1]
        losses["label"] = functional.cross_entropy(logits, batch.span_label[which], reduction="sum") / tree_words / 2
    return losses


@torch.no_grad()
def agreement(teachers: list[Analyser], batch: Batch) -> Scores:
    """Mean probabilities of the teachers (as they would be used: without dropout); for spans, mean scores."""
    total: list[Tensor] = []
    for teacher in teachers:
        one = score(teacher, batch, True)
        values = [
            one.upos.softmax(-1),
            one.xpos.softmax(-1),
            one.feats.softmax(-1),
            one.arc.softmax(-1),
            one.rel.softmax(2),
            one.entity.softmax(-1),
            one.span,
            one.label.softmax(2),
        ]
        total = [a + b for a, b in zip(total, values, strict=True)] if total else values
    return Scores(*(value / len(teachers) for value in total))


def taught_losses(scores: Scores, wanted: Scores, batch: Batch) -> dict[str, Tensor]:
    """Cross-entropies to the teachers' distributions; for trees, to their distribution over bracketings."""
    places = torch.arange(scores.arc.shape[1], device=scores.arc.device)
    real = (places[None] >= 1) & (places[None] <= batch.length[:, None])
    words = batch.length.sum()

    def soft(logits: Tensor, target: Tensor) -> Tensor:
        return -(target[real] * logits[real].log_softmax(-1)).sum() / words

    # Labels are compared on the arcs and spans that the teachers find likely.
    heads = wanted.arc.argmax(-1)
    losses = {
        "arc": soft(scores.arc, wanted.arc),
        "rel": soft(chosen_relations(scores.rel, heads), chosen_relations(wanted.rel, heads)),
        "upos": soft(scores.upos, wanted.upos),
        "xpos": soft(scores.xpos, wanted.xpos),
        "feats": soft(scores.feats, wanted.feats),
        "entity": soft(scores.entity, wanted.entity),
    }
    spans = scores.span[:, 1:, 1:]
    likely = marginals(wanted.span[:, 1:, 1:], batch.length)
    losses["span"] = (log_partition(spans, batch.length).sum() - (likely * spans).sum()) / words
    n = likely.shape[1]
    one_word = torch.diag_embed((torch.arange(n, device=likely.device)[None] < batch.length[:, None]).to(likely.dtype))
    weight = likely + one_word
    places_at = (weight > 0.05).nonzero(as_tuple=True)
    b, i, j = places_at
    logits, target = scores.label[b, i + 1, :, j + 1], wanted.label[b, i + 1, :, j + 1]
    losses["label"] = -(weight[places_at][:, None] * target * logits.log_softmax(-1)).sum() / words / 2
    return losses


def augmented(batch: Batch, generator: torch.Generator, words: float) -> Batch:
    """Hides some words, and writes some sentences in lower case, capitals or headline style."""
    device = batch.subwords.device
    hidden = torch.rand(batch.first.shape, generator=generator, device=device) < words
    hidden[:, 0] = False
    subwords = torch.where(hidden.gather(1, batch.word_of) & (batch.word_of > 0), MASK_PIECE, batch.subwords)
    draw = torch.rand((len(batch.length), 1), generator=generator, device=device)
    shapes = batch.shapes
    cased = (shapes >= 1) & (shapes <= 5)  # lower, title, one-capital, upper, mixed
    shapes = torch.where(cased & (draw < 0.05), 1, shapes)
    shapes = torch.where(cased & (draw >= 0.05) & (draw < 0.07), 4, shapes)
    shapes = torch.where((shapes == 1) & (draw >= 0.07) & (draw < 0.09), 2, shapes)
    return batch.replaced(subwords, shapes)


@torch.no_grad()
def evaluate(model: Analyser, corpus: Corpus, source: str, device: torch.device, trees: int = 500) -> dict[str, float]:
    """Quick figures: best head per word without tree constraint; bracketing F1 with labels on the first trees."""
    model.eval()
    right = dict.fromkeys(("upos", "xpos", "feats", "uas", "las"), 0)
    words = same = found = wanted = 0
    entity_right = entity_found = entity_wanted = 0
    for batch in corpus.batches([source], 4000, None, device):
        scores = score(model, batch, device.type == "cuda")
        real = batch.upos >= 0
        words += int(real.sum())
        heads = scores.arc.argmax(-1)
        good = (heads == batch.head) & real
        labels = chosen_relations(scores.rel, heads).argmax(-1)
        coarse = corpus.coarse_deprel.to(device)
        right["uas"] += int(good.sum())
        right["las"] += int((good & (coarse[labels] == coarse[batch.deprel.clamp(min=0)]) & (batch.deprel >= 0)).sum())
        for name in ("upos", "xpos", "feats"):
            right[name] += int(((getattr(scores, name).argmax(-1) == getattr(batch, name)) & real).sum())
        # Exact entities: a start at the same word with the same type, and the same extent of I- after it.
        tags, gold = scores.entity.argmax(-1).cpu().numpy(), batch.entity.cpu().numpy()
        for row, length in enumerate(batch.length.tolist()):
            a, b = _entities(tags[row, 1 : length + 1]), _entities(gold[row, 1 : length + 1])
            entity_right, entity_found, entity_wanted = entity_right + len(a & b), entity_found + len(a), entity_wanted + len(b)
        for index, row in enumerate(batch.tree_rows.tolist()):
            if trees <= 0:
                break
            trees -= 1
            n = int(batch.length[row])
            names = scores.label[row].argmax(1).cpu().numpy()
            chosen = best_bracketing(scores.span[row, 1 : n + 1, 1 : n + 1].cpu().numpy())
            predicted = {(i, j, int(names[i + 1, j + 1])) for i, j in chosen if names[i + 1, j + 1] != corpus.no_label}
            keep = (batch.span_label[index] >= 0) & (batch.span_label[index] != corpus.no_label)
            gold_spans = {tuple(item) for item in torch.stack((batch.span_first[index], batch.span_last[index], batch.span_label[index]), 1)[keep].tolist()}
            same, found, wanted = same + len(predicted & gold_spans), found + len(predicted), wanted + len(gold_spans)
    result = {name: round(100 * count / max(words, 1), 2) for name, count in right.items()}
    if wanted:
        result["f1"] = round(200 * same / (found + wanted), 2)
    result["entity"] = round(200 * entity_right / max(entity_found + entity_wanted, 1), 2)
    return result


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


def parameter_groups(model: Analyser, encoder_rate: float, head_rate: float, decay: float) -> list[dict[str, object]]:
    """Lower layers learn more slowly; biases and norms are not decayed."""
    groups = []
    depth = len(model.encoder.layers)
    for name, parameter in model.named_parameters():
        if not name.startswith("encoder.") or name in ("encoder.mix", "encoder.scale", "encoder.shapes.weight"):
            rate = head_rate
        elif name.startswith("encoder.layers."):
            rate = encoder_rate * decay ** (depth - 1 - int(name.split(".")[2]))
        else:
            rate = encoder_rate * decay**depth
        groups.append({"params": [parameter], "lr": rate, "weight_decay": 0.01 if parameter.ndim > 1 else 0.0})
    return groups


def schedule(progress: float) -> float:
    """Warm-up over a twentieth of the steps, then a cosine down to a hundredth."""
    if progress < 0.05:
        return progress / 0.05
    return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (progress - 0.05) / 0.95))


def endless(corpus: Corpus, sources: list[str], words: int, seed: int, device: torch.device) -> Iterator[Batch]:
    epoch = 0
    while True:
        yield from corpus.batches(sources, words, seed * 1000 + epoch, device)
        epoch += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seconds", type=float, default=1e9, help="the schedule is stretched to end by then")
    parser.add_argument("--words", type=int, default=2000, help="words in a batch, about")
    parser.add_argument("--encoder-rate", type=float, default=1.5e-4)
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
    parser.add_argument("--tiny", action="store_true", help="a random little network: for tests on a CPU")
    parser.add_argument("--evaluate", nargs="*", default=["ewt-dev", "gum-dev"])
    options = parser.parse_args()

    options.output.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    corpus = Corpus.load(options.prepared)
    model = Analyser(sizes_for(corpus, options.tiny), options.encoder_dropout, options.head_dropout).to(device)
    if not options.tiny:
        published = np.load(options.prepared / "encoder.npz")
        load_pretrained(model.encoder, {name: torch.from_numpy(published[name].astype(np.float32)).to(device) for name in published.files})
    teachers = [load(path, corpus, device, options.tiny) for path in options.teachers]
    optimizer = torch.optim.AdamW(parameter_groups(model, options.encoder_rate, options.head_rate, options.layer_decay), betas=(0.9, 0.98), fused=device.type == "cuda")
    rates = [group["lr"] for group in optimizer.param_groups]
    averaged = [parameter.detach().clone() for parameter in model.parameters()]
    generator = torch.Generator(device).manual_seed(options.seed)

    gold_batches = endless(corpus, options.sources, options.words, options.seed, device)
    raw_batches = endless(corpus, ["raw"], options.raw_words, options.seed + 500, device) if teachers else None
    started = time.monotonic()
    log: list[dict[str, object]] = []
    progress, step = 0.0, 0
    sums: dict[str, Tensor] = {}
    while progress < 1.0:
        progress = min(1.0, max(step / options.steps, (time.monotonic() - started) / options.seconds))
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * schedule(progress)
        model.train()
        batch = next(gold_batches)
        scores = score(model, augmented(batch, generator, options.hide), device.type == "cuda")
        losses = gold_losses(scores, batch)
        loss = sum((WEIGHTS[name] * value for name, value in losses.items()), torch.zeros((), device=device))
        if teachers and raw_batches is not None:
            taught = taught_losses(scores, agreement(teachers, batch), batch)
            loss = options.gold_weight * loss + (1 - options.gold_weight) * sum(WEIGHTS[name] * value for name, value in taught.items())
            raw = next(raw_batches)
            taught = taught_losses(score(model, augmented(raw, generator, options.hide), True), agreement(teachers, raw), raw)
            loss = loss + sum(WEIGHTS[name] * value for name, value in taught.items())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        step += 1
        # Early averages would remember the random heads: the decay grows with the steps.
        decay = min(options.average, (1 + step) / (10 + step))
        torch._foreach_lerp_(averaged, list(model.parameters()), 1 - decay)
        for name, value in losses.items():
            sums[name] = sums.get(name, torch.zeros((), device=device)) + value.detach()
        if step % 500 == 0:
            line = {"step": step, "seconds": round(time.monotonic() - started), **{name: round(float(value) / 500, 4) for name, value in sums.items()}}
            sums = {}
            print(options.output.name, json.dumps(line), flush=True)
            log.append(line)
    with torch.no_grad():
        for parameter, value in zip(model.parameters(), averaged, strict=True):
            parameter.copy_(value)
    save(model, options.output)
    figures = {source: evaluate(model, corpus, source, device) for source in options.evaluate}
    settings = {name: str(value) if isinstance(value, Path) else [str(v) for v in value] if isinstance(value, list) else value for name, value in vars(options).items()}
    report = {"figures": figures, "steps": step, "seconds": round(time.monotonic() - started), "settings": settings, "log": log}
    (options.output / "report.json").write_text(json.dumps(report, indent=1))
    print(options.output.name, step, round(time.monotonic() - started), json.dumps(figures), flush=True)


def sizes_for(corpus: Corpus, tiny: bool) -> Sizes:
    counts = {name: len(corpus.labels[name]) for name in ("upos", "xpos", "feats", "deprel", "entity", "constituent", "shapes")}
    if tiny:
        return Sizes(**counts, inner=32, layers=1, attention_heads=2, arc=16, rel=8, tag=16, span=16, span_label=8)
    return Sizes(**counts)


def save(model: Analyser, folder: Path) -> None:
    """Half precision, plain arrays; split so that no file is large."""
    arrays = {name: value.detach().cpu().to(torch.float16).numpy() for name, value in model.state_dict().items()}
    names = sorted(arrays)
    parts: list[dict[str, np.ndarray]] = [{}]
    size = 0
    for name in names:
        pieces = np.array_split(arrays[name], 2) if arrays[name].nbytes > 14 << 20 else [arrays[name]]
        for number, piece in enumerate(pieces):
            if size + piece.nbytes > 14 << 20:
                parts.append({})
                size = 0
            parts[-1][name if len(pieces) == 1 else f"{name}@{number}"] = piece
            size += piece.nbytes
    for number, part in enumerate(parts):
        np.savez(folder / f"weights-{number}.npz", **part)


def load(folder: Path, corpus: Corpus, device: torch.device, tiny: bool = False) -> Analyser:
    arrays: dict[str, np.ndarray] = {}
    for path in sorted(folder.glob("weights-*.npz")):
        with np.load(path) as file:
            arrays.update({name: file[name] for name in file.files})
    for name in sorted(name for name in arrays if name.endswith("@0")):
        arrays[name[:-2]] = np.concatenate([arrays.pop(name), arrays.pop(f"{name[:-2]}@1")])
    model = Analyser(sizes_for(corpus, tiny))
    model.load_state_dict({name: torch.from_numpy(value.astype(np.float32)) for name, value in arrays.items()})
    return model.to(device).eval()


if __name__ == "__main__":
    main()
