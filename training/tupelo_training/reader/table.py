"""The table of questions as batches for training: numpy only.

Input of the network: mark, passage, mark, question, mark. A passage is made anew every time that a question is
drawn: a run of sentences of its text, often among sentences of other texts. Sometimes it lacks the sentences with the
answer, or is about something else: then there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

START, END = 101, 102
SPAN, NONE, YES, NO = range(4)
# Subwords of the passage.
ROOM = 384
STEP = 32
# Whether a subword is inside an answer, if not said.
OPEN = 2
# How often a question comes in one pass, on average.
DRAWN = {"qamr": 0.2, "fewrel": 0.2, "claims": 0.3, "redocred": 0.4, "knowledgenet": 0.3}
WRITTEN = {"written": 2.0, "everyday": 16.0}
# Shares of the questions with an answer whose passage lacks it: without its sentences, or another text altogether.
_LACKING, _FOREIGN = 0.1, 0.08
_WITHOUT_TITLE = 0.4
# Shares of passages that are among sentences of other texts: texts of one sentence, and longer ones.
_AMONG_IF_SHORT, _AMONG = 0.8, 0.35


@dataclass(slots=True)
class Batch:
    """Rows of one width. `marks` [rows, width, 3]: first, last and inside of answers; the last may be `OPEN`."""

    pieces: np.ndarray
    first: np.ndarray
    last: np.ndarray
    outcome: np.ndarray
    marks: np.ndarray
    number: np.ndarray


@dataclass(frozen=True, slots=True)
class Questions:
    units: list[np.ndarray]
    first_unit: np.ndarray
    titled: np.ndarray
    aside: np.ndarray
    questions: list[np.ndarray]
    text: np.ndarray
    outcome: np.ndarray
    source: list[str]
    spots: list[np.ndarray]
    fellows: dict[str, np.ndarray] = field(default_factory=dict)

    def is_aside(self) -> np.ndarray:
        return self.aside[self.text]

    def drawn(self) -> np.ndarray:
        """How often each question comes in a pass."""
        drawn = {**DRAWN, **WRITTEN}
        return np.array([drawn[one.partition("-")[0]] for one in self.source], np.float32)

    def length(self, number: int) -> int:
        low, high = self.first_unit[self.text[number] : self.text[number] + 2]
        size = sum(len(unit) for unit in self.units[low:high])
        return min(ROOM, size) + len(self.questions[number]) + 3

    def row(self, number: int, chance: np.random.Generator | None) -> tuple[np.ndarray, int, int, np.ndarray]:
        """Pieces, where the question begins, the outcome, and the spots: first, last, and whether it is the only one.

        Without `chance`, the passage is the text as it is.
        """
        text, outcome = int(self.text[number]), int(self.outcome[number])
        spots = [tuple(spot) for spot in self.spots[number].tolist()]
        units = list(range(self.first_unit[text], self.first_unit[text + 1]))
        origin = units[0]
        if chance is not None:
            if self.titled[text] and chance.random() < _WITHOUT_TITLE:
                units = units[1:]
            if outcome == SPAN:
                lot = chance.random()
                if lot < _FOREIGN:
                    units, outcome = self._foreign(number, ROOM, chance), NONE
                elif lot < _FOREIGN + _LACKING and len(units) > 1:
                    holding = {origin + spot[1] for spot in spots}
                    units, outcome = [unit for unit in units if unit not in holding], NONE
        units = self._window(units, [origin + spot[1] for spot in spots] if outcome == SPAN else [], chance)
        if chance is not None and chance.random() < (_AMONG_IF_SHORT if len(units) < 3 else _AMONG):
            free = ROOM - sum(len(self.units[unit]) for unit in units)
            others = self._foreign(number, int(chance.integers(0, max(1, free))), chance)
            at = int(chance.integers(0, len(others) + 1))
            units = [*others[:at], *units, *others[at:]]
        pieces = [np.array([START])]
        places, size = {}, 1
        for unit in units:
            places[unit] = size
            pieces.append(self.units[unit])
            size += len(self.units[unit])
        passage = np.concatenate(pieces)[: ROOM + 1]
        found = []
        groups = [spot[0] for spot in spots]
        if outcome == SPAN:
            for group, unit, start, end in spots:
                low = places.get(origin + unit, ROOM + 1)
                if low + end <= len(passage):
                    found.append((low + start, low + end - 1, groups.count(group) == 1))
            if not found:
                outcome = NONE
        question = self.questions[number]
        row = np.concatenate([passage, [END], question, [END]])
        return row, len(passage) + 1, outcome, np.array(found, np.int64).reshape(-1, 3)

    def _foreign(self, number: int, room: int, chance: np.random.Generator) -> list[int]:
        """Sentences of other texts that questions from the same source are about, as many as there is room for."""
        units: list[int] = []
        fellows = self.fellows[self.source[number].partition("-")[0]]
        while room > 0:
            text = int(fellows[chance.integers(len(fellows))])
            if self.aside[text] or text == self.text[number]:
                continue
            low, high = self.first_unit[text], self.first_unit[text + 1]
            start = int(chance.integers(low, high))
            for unit in range(start, min(high, start + 1 + int(chance.integers(0, 6)))):
                room -= len(self.units[unit])
                if room < 0:
                    break
                units.append(unit)
        return units

    def _window(self, units: list[int], holding: list[int], chance: np.random.Generator | None) -> list[int]:
        """As many sentences in a row as there is room for, with an answer if there is any."""
        sizes = [len(self.units[unit]) for unit in units]
        if sum(sizes) <= ROOM or not holding:
            return units
        inside = [at for at, unit in enumerate(units) if unit in holding]
        middle = inside[0] if chance is None else inside[int(chance.integers(len(inside)))]
        low, high, size = middle, middle + 1, sizes[middle]
        while low > 0 or high < len(units):
            back = low > 0 and (high == len(units) or chance is None or chance.random() < 0.5)
            at = low - 1 if back else high
            if size + sizes[at] > ROOM:
                break
            size += sizes[at]
            low, high = (at, high) if back else (low, at + 1)
        return units[low:high]

    def batch(self, numbers: np.ndarray, chance: np.random.Generator | None) -> Batch:
        rows = [self.row(int(number), chance) for number in numbers]
        width = -(-max(len(row[0]) for row in rows) // STEP) * STEP
        pieces = np.zeros((len(rows), width), np.int32)
        marks = np.zeros((len(rows), width, 3), np.uint8)
        for at, (row, _, outcome, spots) in enumerate(rows):
            pieces[at, : len(row)] = row
            if outcome in (YES, NO):
                marks[at, :, 2] = OPEN
            for low, high, sole in spots:
                marks[at, low, 0] = marks[at, high, 1] = 1
                marks[at, low : high + 1, 2] = 1 if sole else OPEN
        first, outcome = (np.array([row[at] for row in rows], np.int64) for at in (1, 2))
        last = np.array([len(row[0]) - 1 for row in rows])
        return Batch(pieces, first, last, outcome, marks, numbers)


def read_table(path: Path, limit: int = 0) -> Questions:
    """All questions of a table, or about `limit` of them spread over it."""
    with np.load(path) as file:
        archive = {name: file[name] for name in file.files}

    def rows(name: str) -> list[np.ndarray]:
        return np.split(archive[f"{name}.values"], np.cumsum(archive[f"{name}.lengths"].astype(np.int64))[:-1])

    chosen = np.arange(len(archive["text"]))
    if limit:
        chosen = chosen[:: max(1, len(chosen) // limit)]
    names = archive["names"].tolist()
    questions, spots = rows("questions"), rows("spots")
    found = Questions(
        rows("units"),
        archive["first_unit"],
        archive["titled"],
        archive["aside"],
        [questions[at] for at in chosen],
        archive["text"][chosen],
        archive["outcome"][chosen],
        [names[one] for one in archive["source"][chosen]],
        [spots[at] for at in chosen],
    )
    texts: dict[str, set[int]] = {}
    for source, text in zip(found.source, found.text.tolist(), strict=True):
        texts.setdefault(source.partition("-")[0], set()).add(text)
    found.fellows.update({source: np.array(sorted(own)) for source, own in texts.items()})
    return found


def one_pass(
    table: Questions, lengths: np.ndarray, most_pieces: int, chance: np.random.Generator
) -> Iterator[np.ndarray]:
    """Numbers of the questions of each batch of a pass, those of similar length together."""
    times = np.floor(table.drawn() + chance.random(len(table.text))).astype(np.int64)
    times[table.is_aside()] = 0
    numbers = chance.permutation(np.repeat(np.arange(len(table.text)), times))
    numbers = numbers[np.argsort(lengths[numbers] // STEP, kind="stable")]
    batches, start = [], 0
    while start < len(numbers):
        # Sentences of other texts make passages longer.
        size = max(1, most_pieces // min(ROOM + 32, int(lengths[numbers[start]] * 1.3) + STEP))
        batches.append(numbers[start : start + size])
        start += size
    for at in chance.permutation(len(batches)):
        yield batches[at]
