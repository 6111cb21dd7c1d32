"""The two graphs of the extractor: sentences in, scores out.

Sentences with the same number of subwords share a batch, so there is no padding and the scores of a sentence do not
depend on the rest of the batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Analysis
from tupelo.extract.neural.scores import LABELS, Array, Scores, choose_anchors, log_softmax
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.onnx import Graph
from tupelo.nlp.subwords import NORMALIZE, Subwords

FORMAT = 1
SHIPPED = "en-extract"
_KIND = "an extractor"
# The network reads only the beginning of a longer sentence; the rules see all of it.
_MOST_WORDS = 200
_MOST_SENTENCES = 32
_MOST_ANCHORS = 48
_NEVER = -30.0


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence as subwords: its index, subword ids, shapes, and the first and last subword of each word."""

    place: int
    words: int
    subword_ids: list[int]
    shapes: list[int]
    first: list[int]
    last: list[int]


class ExtractionNetwork:
    """A folder of weights. Graphs are opened when they are first needed."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._folder = ModelFolder(path, _KIND)
        self._threads = threads
        config = self._folder.settings(FORMAT)
        with self._folder.reading(CONFIG):
            if tuple(config["labels"]) != LABELS:
                raise ValueError("other labels than those of this version")
            self.version = str(config["version"])
            self.leads = [str(lead) for lead in config["leads"]]
            self._slots = int(config["slots"])
            self._most_subwords = int(config["max_subwords"]) - 2
            longest_word = int(config["max_pieces_per_word"])
        words = self._folder.vocabulary()
        self._subwords = Subwords(words, normalize=NORMALIZE, max_pieces_per_word=longest_word)

    @cached_property
    def selector_weights(self) -> dict[str, NDArray[np.float32]]:
        """The arrays of the selector."""
        return self._folder.tensors("selector.safetensors")

    @cached_property
    def _reader(self) -> Graph:
        return self._folder.graph("reader.onnx", self._threads)

    @cached_property
    def _filler(self) -> Graph:
        return self._folder.graph(
            "filler.onnx",
            self._threads,
            labels=self._slots * len(LABELS),
            slots=self._slots * (1 + len(self.leads)),
        )

    def read(self, analyses: Sequence[Analysis]) -> list[Scores]:
        """The scores of every sentence, in order."""
        results: list[Scores | None] = [None] * len(analyses)
        ready = (self._cut(place, analysis) for place, analysis in enumerate(analyses) if analysis.words)
        for batch in _batches(ready):
            for read, scores in zip(batch, self._score(batch), strict=True):
                results[read.place] = _widened(scores, len(analyses[read.place].words))
        return [scores if scores is not None else self._nothing() for scores in results]

    def _nothing(self) -> Scores:
        empty = np.zeros(0, dtype=np.float32)
        return Scores(empty, (), *(empty.reshape(0, 0, 0, 0), empty.reshape(0, 0), empty.reshape(0, 0, 0)))

    def _cut(self, place: int, analysis: Analysis) -> _Read:
        subword_ids, shapes, first, last = [self._subwords.start], [0], [], []
        for word in analysis.words[:_MOST_WORDS]:
            ids, shape = self._subwords.cut(word.text)
            if len(subword_ids) + len(ids) > self._most_subwords:
                break
            first.append(len(subword_ids))
            subword_ids.extend(ids)
            shapes.extend([shape] * len(ids))
            last.append(len(subword_ids) - 1)
        subword_ids.append(self._subwords.end)
        shapes.append(0)
        return _Read(place, len(first), subword_ids, shapes, first, last)

    def _score(self, batch: Sequence[_Read]) -> list[Scores]:
        width = max(read.words for read in batch)
        first = np.array([read.first + [0] * (width - read.words) for read in batch], dtype=np.int64)
        last = np.array([read.last + [0] * (width - read.words) for read in batch], dtype=np.int64)
        states, anchors = self._reader.run(
            ["states", "anchors"],
            {
                "subwords": np.array([read.subword_ids for read in batch], dtype=np.int64),
                "shapes": np.array([read.shapes for read in batch], dtype=np.int64),
                "first": first,
                "last": last,
            },
        )
        chosen = [choose_anchors(anchors[row, : read.words]) for row, read in enumerate(batch)]
        pairs = [(row, anchor) for row, words in enumerate(chosen) for anchor in words]
        labels, slots = self._fill(states, first, last, pairs)
        found: list[Scores] = []
        start = 0
        for row, read in enumerate(batch):
            end = start + len(chosen[row])
            own = slots[start:end].reshape(end - start, self._slots, -1 if end > start else 1)
            cut = labels[start:end, : read.words].reshape(end - start, read.words, self._slots, len(LABELS))
            found.append(
                Scores(
                    anchors[row, : read.words], chosen[row], log_softmax(cut), own[..., 0], log_softmax(own[..., 1:])
                )
                if end > start
                else Scores(anchors[row, : read.words], (), cut, own[..., 0], own)
            )
            start = end
        return found

    def _fill(
        self, states: Array, first: NDArray[Any], last: NDArray[Any], pairs: Sequence[tuple[int, int]]
    ) -> tuple[Array, Array]:
        """Labels and slots of every pair of sentence and anchor."""
        labels: list[Array] = [np.zeros((0, first.shape[1], self._slots * len(LABELS)), dtype=np.float32)]
        slots: list[Array] = []
        places = np.arange(states.shape[1])
        for start in range(0, len(pairs), _MOST_ANCHORS):
            part = pairs[start : start + _MOST_ANCHORS]
            rows = np.array([row for row, _ in part], dtype=np.int64)
            anchor = np.array([word for _, word in part], dtype=np.int64)
            begin, end = first[rows, anchor], last[rows, anchor]
            marked = ((places >= begin[:, None]) & (places <= end[:, None])).astype(np.float32)
            own = self._filler.run(
                ["labels", "slots"],
                {
                    "states": states,
                    "rows": rows,
                    "marked": marked,
                    "first": first[rows],
                    "last": last[rows],
                    "anchor": anchor,
                },
            )
            labels.append(own[0])
            slots.append(own[1])
        return np.concatenate(labels), np.concatenate(slots) if slots else np.zeros((0, 0), dtype=np.float32)


def shipped_network(threads: int) -> ExtractionNetwork:
    """The English extractor inside the package."""
    return ExtractionNetwork(find_model(SHIPPED), threads=threads)


def shipped_thresholds() -> dict[str, float]:
    """The thresholds fitted for the shipped extractor: `least_confidence` and `least_fact`."""
    folder = ModelFolder(find_model(SHIPPED), _KIND)
    stored = folder.json("thresholds.json")
    with folder.reading("thresholds.json"):
        return {name: float(stored[name]) for name in ("least_confidence", "least_fact")}


def _batches(reads: Iterator[_Read]) -> Iterator[list[_Read]]:
    batch: list[_Read] = []
    for read in sorted(reads, key=lambda item: (len(item.subword_ids), item.words, item.place)):
        if batch and (len(read.subword_ids) != len(batch[0].subword_ids) or len(batch) == _MOST_SENTENCES):
            yield batch
            batch = []
        batch.append(read)
    if batch:
        yield batch


def _widened(scores: Scores, words: int) -> Scores:
    """Extend the scores of a truncated sentence to all its words: the rest is labelled as outside."""
    missing = words - len(scores.anchors)
    if not missing:
        return scores
    anchors = np.concatenate([scores.anchors, np.full(missing, _NEVER, dtype=np.float32)])
    rest = np.full((len(scores.chosen), missing, *scores.labels.shape[2:]), _NEVER, dtype=np.float32)
    rest[..., 0] = 0
    return Scores(anchors, scores.chosen, np.concatenate([scores.labels, rest], axis=1), scores.slots, scores.leads)
