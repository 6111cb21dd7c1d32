"""The reader: marks the answer to a question in a passage, or says that the passage has none.

It shares the embeddings of the support model, whose file it reads; its layers are its own
(`training/tupelo_training/reader`). For a passage and a question it predicts four outcomes, which are an answer in
the passage, none, yes and no; and for each subword of the passage whether an answer begins there, ends there, and
goes over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tupelo.core import InputError
from tupelo.core.numeric import sigmoid
from tupelo.nlp.encoder import EMBEDDINGS, CrossEncoder, EncodedText, TextPair, load_encoder
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model, model_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 2
SHIPPED = "en-reader"
# Subwords of the longest answer, and the most answers of a passage that are returned.
_LONGEST, _MOST_ANSWERS = 24, 8
# Probability from which a subword is inside one of several answers.
_INSIDE = 0.5


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """Characters `[start, end)` of a passage, and the probability that they are the answer."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class PassageReading:
    """Probabilities that the passage has an answer, has none, says yes, says no; they sum to 1.

    `spans` are the best answers, if it has one: most probable first, none overlapping a better one. `parts` are all
    runs of words that are likely to be answers, in order: the parts of a list.
    """

    answered: float
    none: float
    yes: float
    no: float
    spans: tuple[MarkedAnswer, ...] = ()
    parts: tuple[MarkedAnswer, ...] = ()


class ReaderNetwork:
    """The network in a folder; graphs are loaded on first use."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._folder = ModelFolder(path, "a reader")
        self._threads = threads
        config = self._folder.settings(FORMAT)
        with self._folder.reading(CONFIG):
            self.name = str(config["name"])
            self.version = str(config["version"])
            self.room = int(config["room"])
            self._longest_question = int(config["longest_question"])
            self._below = ModelFolder(find_model(config["below"]), "a support model")
            self._checksum = str(config["embeddings_sha256"])

    def confidence(self, probability: float, *, closed: bool = False) -> float:
        """The share of answers with that probability that are right, as fitted on held-out questions.

        `closed` for yes and no.
        """
        slope, bias = self._curves[closed]
        low = min(max(probability, 1e-6), 1 - 1e-6)
        return float(sigmoid(np.float64(slope * np.log(low / (1 - low)) + bias)))

    @cached_property
    def _curves(self) -> dict[bool, tuple[float, float]]:
        """Slope and bias of the log odds, for yes and no (`True`) and for other answers."""
        stored = self._folder.json("calibration.json")
        with self._folder.reading("calibration.json"):
            curves = {False: stored["marked"], True: stored["closed"]}
            return {closed: (float(curve["slope"]), float(curve["bias"])) for closed, curve in curves.items()}

    @cached_property
    def _network(self) -> CrossEncoder:
        if self._below.checksum(EMBEDDINGS) != self._checksum:
            path, wanted = self._below.path / EMBEDDINGS, f"the file with the SHA-256 {self._checksum}"
            raise InputError(f"{self._folder.path / CONFIG}: not made for {path}, expected {wanted}")
        encoder = load_encoder(threads=self._threads)
        return CrossEncoder(encoder, self._folder, {"outcome": 4, "marks": 3}, self._below)

    def length(self, text: str) -> int:
        """The number of subwords of a text."""
        return len(self._network.cut(text).ids) - 2

    def read(self, question: str, passages: Sequence[str]) -> list[PassageReading]:
        """One reading per passage, in order. What does not fit into `room` subwords is not read."""
        asked = self._network.cut(question).ids[1:-1][: self._longest_question]
        rows = [self._network.cut(passage, self.room + 2) for passage in passages]
        pairs = [TextPair((*row.ids, *asked, row.ids[-1]), len(row.ids)) for row in rows]
        found: dict[int, PassageReading] = {}
        for places, (outcomes, marks) in self._network.read(pairs):
            for number, place in enumerate(places):
                found[place] = _reading(rows[place], outcomes[number], marks[number])
        return [found[place] for place in range(len(rows))]


def _reading(row: EncodedText, outcomes: NDArray[np.floating], marks: NDArray[np.floating]) -> PassageReading:
    answered, none, yes, no = np.exp(_log_softmax(outcomes)).tolist()
    own = marks[1 : len(row.ids) - 1].astype(np.float64)
    offsets = row.offsets[1:-1]
    spans = tuple(_best_spans(own, offsets)) if offsets else ()
    return PassageReading(answered, none, yes, no, spans, tuple(_runs(sigmoid(own[:, 2]), offsets)))


def _log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    shifted = logits.astype(np.float64) - logits.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()))


def _best_spans(marks: NDArray[np.float64], offsets: Sequence[tuple[int, int]]) -> Iterator[MarkedAnswer]:
    """The most probable spans, none of which overlaps a better one; those that overlap it add to its probability."""
    size = len(marks)
    both = np.exp(_log_softmax(marks[:, 0])[:, None] + _log_softmax(marks[:, 1])[None, :])
    apart = np.arange(size)[None, :] - np.arange(size)[:, None]
    both[(apart < 0) | (apart >= _LONGEST)] = 0
    for _ in range(_MOST_ANSWERS):
        start, end = divmod(int(both.argmax()), size)
        if not both[start, end]:
            return
        yield MarkedAnswer(offsets[start][0], offsets[end][1], float(both[: end + 1, start:].sum()))
        both[: end + 1, start:] = 0


def _runs(inside: NDArray[np.float64], offsets: Sequence[tuple[int, int]]) -> Iterator[MarkedAnswer]:
    """Runs of subwords that are inside of an answer."""
    start = None
    for at in range(len(offsets) + 1):
        held = at < len(offsets) and inside[at] >= _INSIDE
        if held and start is None:
            start = at
        elif not held and start is not None:
            yield MarkedAnswer(offsets[start][0], offsets[at - 1][1], float(inside[start:at].max()))
            start = None


def load_reader(folder: str | Path | None = None, *, threads: int = 1) -> ReaderNetwork:
    """The shipped reader, or one that `tupelo_training.reader.export` wrote to a folder."""
    return ReaderNetwork(find_model(SHIPPED) if folder is None else model_path(folder), threads=threads)
