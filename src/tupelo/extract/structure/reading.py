"""Prose and structure of documents as one stream of sentences in reading order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from tupelo.core import Passage, SentenceTuples
from tupelo.core.blocks import Block
from tupelo.extract.structure import divide
from tupelo.extract.structure.voices import Voices, with_voice
from tupelo.nlp.prepare import documents

# The document of a sentence by number, and its place there.
_Order = tuple[int, int]


class StructuredReading:
    """The prose of passages goes to a parser as it is asked for; what is structured waits for its turn."""

    def __init__(
        self,
        text: str | Iterable[str | Passage],
        least: float | None,
        layout: Callable[[str], Sequence[Block]] | None = None,
    ) -> None:
        self._passages = documents(text, whole=False)
        self._layout = layout
        self._least = least or 0.0
        self._waiting: deque[tuple[_Order, SentenceTuples]] = deque()
        self._voices: deque[tuple[_Order, Voices]] = deque()
        self._numbers: dict[str | None, int] = {}

    def prose(self) -> Iterator[Passage]:
        """The passages without what is structured."""
        for passage in self._passages:
            passage = self._with_blocks(passage)
            number = self._numbers.setdefault(passage.document_id, len(self._numbers))
            if not (passage.blocks or passage.published):
                yield passage
                continue
            if voices := Voices(passage):
                self._voices.append(((number, passage.start), voices))
            prose, found = divide(passage)
            for sentence in found:
                kept = [one for one in sentence.extractions if (one.confidence or 1.0) >= self._least]
                item = SentenceTuples(sentence.sentence, tuple(kept), sentence.start)
                self._waiting.append(((number, sentence.start), item))
            yield from prose

    def _with_blocks(self, passage: Passage) -> Passage:
        if passage.blocks or self._layout is None:
            return passage
        shift = passage.start
        blocks = [replace(one, start=one.start + shift, end=one.end + shift) for one in self._layout(passage.text)]
        return replace(passage, blocks=tuple(blocks))

    def merged(self, found: Iterable[SentenceTuples]) -> Iterator[SentenceTuples]:
        """The sentences of the prose, with those that are structured between them."""
        for sentence in found:
            number = self._numbers.get(sentence.sentence.document_id)
            if number is None:
                # A parser of somebody else that does not name documents.
                yield sentence
                continue
            order = number, sentence.start
            while self._waiting and self._waiting[0][0] < order:
                yield self._spoken(*self._waiting.popleft())
            yield self._spoken(order, sentence)
        while self._waiting:
            yield self._spoken(*self._waiting.popleft())

    def _spoken(self, order: _Order, sentence: SentenceTuples) -> SentenceTuples:
        while len(self._voices) > 1 and self._voices[1][0] <= order:
            self._voices.popleft()
        if not self._voices or self._voices[0][0] > order or self._voices[0][0][0] != order[0]:
            return sentence
        return with_voice(sentence, self._voices[0][1].at(order[1]))
