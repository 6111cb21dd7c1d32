"""What the teachers say about documents: tags, links and, for raw text, entities; the relations of every pair.

    python -m tupelo_training.facts.label --prepared prepared/ --large large/ --teachers teacher-1/ teacher-2/ \
        --output labels.pt

The probabilities of all teachers are averaged. Raw text has no mentions: they come from the teachers' tags and links,
as at inference.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tupelo.factmodels.pairs import KINDS, TAGGED, entities_of
from tupelo_training.facts.corpus import REDOCRED, SILVER, Batch, Documents
from tupelo_training.facts.large import LargeEmbeddings, LargeReader
from tupelo_training.facts.pair_network import PairReader, PairSizes
from tupelo_training.loop import training_device
from tupelo_training.options import option_parser


class Teachers:
    def __init__(self, prepared: Path, large: list[Path], folders: list[Path]) -> None:
        self.device = training_device()
        self.documents = Documents(prepared, self.device)
        self.embeddings = LargeEmbeddings(large, self.device)
        self.models: list[PairReader] = []
        for folder in folders:
            report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
            model = LargeReader(PairSizes(**report["sizes"]), 0.0, 0.0).to(self.device).eval()
            model.load_state_dict(torch.load(folder / "weights.pt", map_location=self.device))
            self.models.append(model)

    @torch.no_grad()
    def label(self, batch: Batch) -> dict[int, dict[str, Any]]:
        """Everything about the documents of a batch, by row."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            vectors = self.embeddings(batch.pieces)
            bare = [
                model.encode(vectors, torch.zeros_like(batch.marks), batch.shapes, batch.mask)[0]
                for model in self.models
            ]
            tags = mean([model.tags(x).float().softmax(-1) for model, x in zip(self.models, bare, strict=True)])
            rows = batch.rows.tolist()
            by_word = [
                tags[number, torch.from_numpy(self.documents.item(row).begins + 1).to(self.device)].cpu()
                for number, row in enumerate(rows)
            ]
            if self.documents.source[rows[0]] == SILVER:
                batch = self.with_entities(batch, by_word, bare)
            linked = self.linked(batch, bare)
            said = []
            for model in self.models:
                x, weights = model.encode(vectors, batch.marks, batch.shapes, batch.mask)
                scores, related = model.relate(
                    x, weights, batch.pool, batch.members, batch.types, batch.near, batch.often, batch.order
                )
                said.append(torch.cat([related[..., None], scores[..., 1:] - scores[..., :1]], -1).float().sigmoid())
        by_pair = mean(said)
        pairs = batch.linkable
        found = {}
        for number, row in enumerate(rows):
            item = self.documents.item(row)
            found[row] = {
                "tags": by_word[number].half(),
                "linked": linked[number][pairs[number]].half().cpu(),
                "related": by_pair[number][batch.known[number]].half().cpu(),
                "mentions": item.mentions.tolist(),
                "kinds": [KINDS[kind - 1] for kind in item.kinds.tolist()],
            }
        return found

    def linked(self, batch: Batch, bare: list[Tensor]) -> Tensor:
        return mean(
            [
                model.link(x, batch.pool, batch.alike).float().sigmoid()
                for model, x in zip(self.models, bare, strict=True)
            ]
        )

    def with_entities(self, batch: Batch, by_word: list[Tensor], bare: list[Tensor]) -> Batch:
        """The same documents with the mentions and entities that the teachers find."""
        mentions = []
        for row, scores in zip(batch.rows.tolist(), by_word, strict=True):
            found = self.mentions(row, scores)
            mentions.append(found)
            # Every mention an entity of its own, until they are linked.
            self.documents.replace(
                row, [(a, b, e) for e, (a, b, _, _) in enumerate(found)], [kind for *_, kind in found]
            )
        linked = self.linked(self.documents.batch(batch.rows), bare).tolist()
        for number, (row, found) in enumerate(zip(batch.rows.tolist(), mentions, strict=True)):
            named = [(words, kind) for _, _, words, kind in found]
            pairs = ((a, b, linked[number][a][b]) for a in range(len(found)) for b in range(a))
            entity, kinds = entities_of(named, pairs)
            self.documents.replace(row, [(a, b, e) for (a, b, _, _), e in zip(found, entity, strict=True)], kinds)
        return self.documents.batch(batch.rows)

    def mentions(self, row: int, scores: Tensor) -> list[tuple[int, int, list[str], str]]:
        """First piece, last piece + 1, words and type."""
        item = self.documents.item(row)
        ends = [*item.begins[1:].tolist(), len(item.pieces)]
        logs = scores.clamp(min=1e-6).log().numpy()
        lines = item.sentence[item.begins]
        found = []
        for line in np.unique(lines):
            places = np.flatnonzero(lines == line)
            for kind, start, end in TAGGED.spans(logs[places]):
                a, b = int(places[start]), int(places[end - 1])
                found.append((int(item.begins[a]), ends[b], self.documents.words[row][a : b + 1], kind))
        return found


def mean(values: list[Tensor]) -> Tensor:
    return torch.stack(values).mean(0)


def main() -> None:
    parser = option_parser(__doc__, "prepared", "output")
    parser.add_argument("--large", type=Path, nargs="+", required=True)
    parser.add_argument("--teachers", type=Path, nargs="+", required=True)
    parser.add_argument("--shard", type=int, nargs=2, default=[0, 1], metavar=("NUMBER", "OF"))
    parser.add_argument("--few", type=int, default=0)
    given = parser.parse_args()
    began = time.monotonic()
    teachers = Teachers(given.prepared, given.large, given.teachers)
    labels: dict[int, dict[str, Any]] = {}
    documents = teachers.documents
    learned = [documents.of(REDOCRED, part) for part in (0, 1)]
    for rows, size in ((np.concatenate(learned), 8), (documents.of(SILVER), 16)):
        own = rows[given.shard[0] :: given.shard[1]]
        for batch in documents.batches(own[: given.few or None], size, None, window=64):
            labels |= teachers.label(batch)
    torch.save(labels, given.output)
    entities = sum(len(label["kinds"]) for label in labels.values())
    print(f"{len(labels)} documents, {entities} entities, {time.monotonic() - began:.0f}s", flush=True)


if __name__ == "__main__":
    main()
