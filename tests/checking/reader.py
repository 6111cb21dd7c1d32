"""A reader of claims that needs no network: it believes what it is told, else what the evidence has all words of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tupelo.checking.checked import FEATURES, Curve
from tupelo.checking.network import ClaimReading, Judgement
from tupelo.nlp.values import words_of

CURVE = Curve(dict.fromkeys(FEATURES, 0.0) | {"supported": 1.0, "least": 0.5, "lacking": -5.0})


class WordReader:
    """Word by word; `told` are outcomes (supported, refuted, unknown) of claims that contain a text.

    `read` are the readings that were asked for, in the order of the calls.
    """

    def __init__(self, told: Mapping[str, tuple[float, float, float]] | None = None, *, room: int = 60) -> None:
        self.room = room
        self.curve = CURVE
        self.read: list[Sequence[ClaimReading]] = []
        self._told = dict(told or {})
        self._ids: dict[str, int] = {}

    def cut(self, text: str) -> tuple[int, ...]:
        return tuple(map(self._id, words_of(text)))

    def _id(self, word: str) -> int:
        return self._ids.setdefault(word.lower(), len(self._ids))

    def judge(self, readings: Sequence[ClaimReading]) -> list[Judgement]:
        self.read.append(readings)
        return [self._judge(reading) for reading in readings]

    def _judge(self, reading: ClaimReading) -> Judgement:
        subwords, place = [], 0
        for word in words_of(reading.claim):
            place = reading.claim.index(word, place)
            known = not word[:1].isalnum() or self._id(word) in reading.evidence
            subwords.append((place, place + len(word), 0.95 if known else 0.05))
            place += len(word)
        share = sum(chance > 0.5 for _, _, chance in subwords) / len(subwords) if subwords else 0.0
        outcomes = next((found for text, found in self._told.items() if text in reading.claim), None)
        supported, refuted, unknown = outcomes or ((0.95, 0.01, 0.04) if share == 1 else (0.05, 0.05, 0.9))
        return Judgement(supported, refuted, unknown, tuple(subwords))
