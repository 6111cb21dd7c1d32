"""Fits the support model: six layers of MiniLM that read sentences of a source and a claim.

    python -m training.support.train --table support.npz --encoder encoder.npz --output FOLDER [--seconds 180]

Input: mark, sentences of the source, mark, claim, mark; two segments. Two outputs: whether the claim is supported
(from the first mark) and, for every piece of the claim, whether it is. The embeddings stay as they are, so that the
package needs to ship them once. Needs torch and numpy only; runs on a GPU where there is one.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

START, END = 101, 102
OPEN = 2
# The judged summaries are few and the only ones with the mistakes of real systems.
WEIGHTS = {"judged": 5.0, "rte": 2.0, "levyholt": 0.5}
KINDS = (
    "short", "synonym", "rewrite", "joined", "same-subject", "name", "digit", "word", "denied", "roles", "crossed",
    "added", "stranger", "judged", "rte", "webnlg", "levyholt",
)  # fmt: skip


class Layer(nn.Module):
    def __init__(self, width: int = 384, inner: int = 1536, heads: int = 12, dropout: float = 0.1) -> None:
        super().__init__()
        self.heads, self.rate = heads, dropout
        self.query_key_value = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.query_key_value(x).unflatten(-1, (3 * self.heads, -1)).transpose(1, 2).chunk(3, dim=1)
        rate = self.rate if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(q, k, v, dropout_p=rate)
        x = self.attention_norm(x + self.dropout(self.output(mixed.transpose(1, 2).flatten(2))))
        return self.norm(x + self.dropout(self.down(functional.gelu(self.up(x)))))


class SupportModel(nn.Module):
    def __init__(self, layers: int = 6, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(30522, 384)
        self.positions = nn.Embedding(512, 384)
        self.segments = nn.Embedding(2, 384)
        self.norm = nn.LayerNorm(384, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout=dropout) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.whole = nn.Linear(384, 1)
        self.piece = nn.Linear(384, 1)
        for part in (self.words, self.positions, self.segments, self.norm):
            part.requires_grad_(False)

    def forward(self, pieces: Tensor, segments: Tensor) -> tuple[Tensor, Tensor]:
        places = torch.arange(pieces.shape[1], device=pieces.device)
        x = self.dropout(self.norm(self.words(pieces) + self.positions(places) + self.segments(segments)))
        for layer in self.layers:
            x = layer(x)
        return self.whole(self.dropout(x[:, 0])).squeeze(-1), self.piece(self.dropout(x)).squeeze(-1)


def load_pretrained(model: SupportModel, path: Path) -> None:
    weights = {name: torch.tensor(array.astype(np.float32)) for name, array in np.load(path).items()}
    own = dict(model.named_parameters())
    names = {
        "words.weight": "embeddings.word_embeddings.weight",
        "positions.weight": "embeddings.position_embeddings.weight",
        "segments.weight": "embeddings.token_type_embeddings.weight",
        "norm.weight": "embeddings.LayerNorm.weight",
        "norm.bias": "embeddings.LayerNorm.bias",
    }
    parts = {
        "output": "attention.output.dense", "attention_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense", "down": "output.dense", "norm": "output.LayerNorm",
    }  # fmt: skip
    for number in range(len(model.layers)):
        for ours, theirs in parts.items():
            for kind in ("weight", "bias"):
                names[f"layers.{number}.{ours}.{kind}"] = f"encoder.layer.{number}.{theirs}.{kind}"
    with torch.no_grad():
        for ours, theirs in names.items():
            own[ours].copy_(weights[theirs])
        for number in range(len(model.layers)):
            for kind in ("weight", "bias"):
                three = [
                    weights[f"encoder.layer.{number}.attention.self.{part}.{kind}"]
                    for part in ("query", "key", "value")
                ]
                own[f"layers.{number}.query_key_value.{kind}"].copy_(torch.cat(three))


@dataclass(frozen=True, slots=True)
class Batch:
    pieces: Tensor
    segments: Tensor
    tokens: Tensor
    labels: Tensor
    weights: Tensor
    kinds: np.ndarray


def rows_of(archive: np.lib.npyio.NpzFile, name: str) -> list[np.ndarray]:
    return np.split(archive[f"{name}.values"], np.cumsum(archive[f"{name}.lengths"].astype(np.int64))[:-1])


def batches_of(path: Path, aside: bool, most_pieces: int, seed: int, device: torch.device, limit: int) -> list[Batch]:
    """All batches, on the device; examples of equal length share one, so that nothing is padded."""
    archive = np.load(path)
    sentences = [row.astype(np.int64) for row in rows_of(archive, "pieces")]
    claims, tokens, premises = (rows_of(archive, name) for name in ("claims", "tokens", "premises"))
    labels, kinds = archive["labels"].astype(np.float32), archive["kinds"]
    chosen = np.flatnonzero(archive["aside"] == aside)
    random = np.random.default_rng(seed)
    chosen = random.permutation(chosen)[: limit or None]
    lengths = {i: 3 + len(claims[i]) + sum(len(sentences[s]) for s in premises[i]) for i in chosen}
    order = sorted(chosen, key=lambda i: lengths[i])
    batches: list[Batch] = []
    group: list[int] = []

    def close() -> None:
        shape = (len(group), lengths[group[0]])
        pieces, segments = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        marks = np.full(shape, OPEN, np.int64)
        for row, i in enumerate(group):
            premise = np.concatenate([sentences[s] for s in premises[i]])
            text = np.concatenate([[START], premise, [END], claims[i], [END]])
            pieces[row, : len(text)] = text
            first = len(premise) + 2
            segments[row, first : len(text)] = 1
            marks[row, first : len(text) - 1] = tokens[i]
        weights = np.array([WEIGHTS.get(KINDS[kinds[i]], 1.0) for i in group], np.float32)
        batches.append(
            Batch(
                *(torch.tensor(array).to(device) for array in (pieces, segments, marks, labels[group], weights)),
                kinds[group],
            )
        )

    for i in order:
        if group and (lengths[i] != lengths[group[0]] or (len(group) + 1) * lengths[i] > most_pieces):
            close()
            group = []
        group.append(int(i))
    if group:
        close()
    return batches


def losses(whole: Tensor, pieces: Tensor, batch: Batch, nominal: float) -> Tensor:
    """Of a batch that counts as `nominal` examples: small ones weigh less."""
    total = functional.binary_cross_entropy_with_logits(whole, batch.labels, batch.weights)
    known = batch.tokens != OPEN
    weights = batch.weights[:, None].expand_as(pieces)[known]
    if weights.numel():
        # Wrong pieces are few: together they weigh as much as a third of the right ones.
        wrong = 1.0 + 3.0 * (batch.tokens[known] == 0)
        single = functional.binary_cross_entropy_with_logits(
            pieces[known], batch.tokens[known].float(), weights * wrong, reduction="sum"
        )
        total = total + single / (weights * wrong).sum()
    return total * min(1.0, len(batch.labels) / nominal)


def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    good = labels > 0.5
    if good.all() or not good.any():
        return float("nan")
    return float((ranks[good].sum() - good.sum() * (good.sum() + 1) / 2) / (good.sum() * (~good).sum()))


@torch.no_grad()
def measure(model: SupportModel, batches: list[Batch], device: torch.device) -> dict[str, object]:
    model.eval()
    whole, least, mean, labels, kinds = [], [], [], [], []
    for batch in batches:
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            logits, pieces = model(batch.pieces, batch.segments)
        inside = (batch.segments == 1) & (batch.pieces != END)
        chances = pieces.float().sigmoid()
        whole.append(logits.float().cpu().numpy())
        least.append(chances.masked_fill(~inside, 2.0).amin(1).cpu().numpy())
        mean.append(((chances * inside).sum(1) / inside.sum(1).clamp(min=1)).cpu().numpy())
        labels.append(batch.labels.cpu().numpy())
        kinds.append(batch.kinds)
    model.train()
    w, low, m, y, k = (np.concatenate(part) for part in (whole, least, mean, labels, kinds))
    report: dict[str, object] = {"all": {"auc": auc(w, y)}}
    for number, name in enumerate(KINDS):
        rows = k == number
        if not rows.any():
            continue
        if name in ("judged", "rte", "webnlg", "levyholt"):
            figures = {
                "auc": auc(w[rows], y[rows]),
                "auc least": auc(low[rows], y[rows]),
                "auc mean": auc(m[rows], y[rows]),
            }
            if name == "judged":
                figures["pearson"] = float(np.corrcoef(1 / (1 + np.exp(-w[rows])), y[rows])[0, 1])
                figures["pearson mean"] = float(np.corrcoef(m[rows], y[rows])[0, 1])
        else:
            figures = {"right": float(((w[rows] > 0) == (y[rows] > 0.5)).mean()), "n": int(rows.sum())}
        report[name] = {key: round(value, 4) for key, value in figures.items()}
    return report


def save(model: SupportModel, folder: Path) -> None:
    frozen = ("words.", "positions.", "segments.", "norm.")
    arrays = {
        name: value.detach().float().cpu().numpy().astype(np.float16)
        for name, value in model.state_dict().items()
        if not name.startswith(frozen)
    }
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "support.npz", **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=180.0, help="of training, at most")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--pieces", type=int, default=16384, help="of a batch")
    parser.add_argument("--limit", type=int, default=0, help="of examples, for a trial")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = SupportModel()
    load_pretrained(model, options.encoder)
    model.to(device).train()
    own = batches_of(options.table, False, options.pieces, options.seed, device, options.limit)
    aside = batches_of(options.table, True, options.pieces, options.seed, device, options.limit)
    print(f"{sum(len(b.labels) for b in own)} examples in {len(own)} batches on {device}", flush=True)
    trained = [value for value in model.parameters() if value.requires_grad]
    groups = [
        {"params": [value for value in trained if value.ndim > 1], "weight_decay": 0.01},
        {"params": [value for value in trained if value.ndim == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=device.type == "cuda")
    random = np.random.default_rng(options.seed)
    nominal = sum(len(batch.labels) for batch in own) / len(own)
    started, step, most = time.perf_counter(), 0, options.epochs * len(own)
    total = most
    log: list[float] = []
    while step < total:
        for number in random.permutation(len(own)):
            batch = own[number]
            rate = min((step + 1) / 200, max(0.0, 1 - step / total)) * options.rate
            for group in optimizer.param_groups:
                group["lr"] = rate
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                whole, pieces = model(batch.pieces, batch.segments)
            loss = losses(whole.float(), pieces.float(), batch, nominal)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            step += 1
            if step % 200 == 0:
                log.append(loss.item())
                elapsed = time.perf_counter() - started
                # How many steps the time allows; others on the machine make them slower and quicker again.
                total = min(most, max(step + 1, int(step * options.seconds / elapsed)))
                if step % 1000 == 0:
                    print(f"step {step} of {total} loss {log[-1]:.3f} {elapsed:.0f} s", flush=True)
            if step >= total:
                break
        print(f"step {step}", json.dumps(measure(model, aside[:200], device)), flush=True)
    report = measure(model, aside, device)
    save(model, options.output)
    (options.output / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report), f"{time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
