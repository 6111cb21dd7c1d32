"""Facts by the end-to-end model: whole sentences in, as many at a time as the model learned to read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tupelo.core import Analysis
from tupelo.facts.extract import Fact, Options, evidence_of
from tupelo.facts.models.writer import WriterModel, WrittenFact


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some sentences as one text. `starts` says where each begins in it."""

    text: str
    starts: tuple[int, ...]
    numbers: tuple[int, ...]

    def sentence(self, place: int) -> int:
        """The number of the sentence at a character of the text."""
        return self.numbers[bisect_right(self.starts, place) - 1]

    def place(self, sentences: Sequence[Analysis], span: tuple[int, int]) -> tuple[int, int]:
        """Characters of the document for characters of the text."""
        row = bisect_right(self.starts, span[0]) - 1
        shift = sentences[self.numbers[row]].start - self.starts[row]
        return span[0] + shift, span[1] + shift


def reduced(sentences: Sequence[Analysis]) -> list[int]:
    """Numbers of the sentences in which an entity was found: the paper's reduced input."""
    return [number for number, sentence in enumerate(sentences) if sentence.entities]


def chunks(sentences: Sequence[Analysis], numbers: Sequence[int], sizes: Sequence[int], room: int) -> Iterator[Chunk]:
    """Neighbouring sentences together, up to so many pieces; a longer sentence is a chunk by itself."""
    pending: list[int] = []
    for number in numbers:
        if pending and sum(sizes[one] for one in pending) + sizes[number] > room:
            yield _chunk(sentences, pending)
            pending = []
        pending.append(number)
    if pending:
        yield _chunk(sentences, pending)


def _chunk(sentences: Sequence[Analysis], numbers: Sequence[int]) -> Chunk:
    texts = [sentences[number].text for number in numbers]
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    return Chunk(" ".join(texts), tuple(starts[:-1]), tuple(numbers))


class WrittenMethod:
    name = "end-to-end"

    def __init__(self, model: str | Path | None, options: Options) -> None:
        self.model = WriterModel(model, threads=options.threads)
        self.version = f"{self.model.name} {self.model.version}"
        self._options = options
        self._room = int(self.model.config["window"])

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        return self.about(sentences, self._options.subject)

    def about(self, sentences: Sequence[Analysis], subject: str) -> list[Fact]:
        """Facts of one subject; of all that the text speaks of where it is empty."""
        options = self._options
        # A model that was trained on reduced input gets reduced input.
        less = options.reduced or bool(self.model.config.get("reduced", False))
        numbers = reduced(sentences) if less else range(len(sentences))
        sizes = [len(self.model.subwords.cut_text(sentence.text)) for sentence in sentences]
        parts = list(chunks(sentences, list(numbers), sizes, self._room))
        written = self.model.write(
            [part.text for part in parts], [subject] * len(parts), beam=options.beam, alpha=options.alpha
        )
        best: dict[tuple[str, str, str], Fact] = {}
        for part, found in zip(parts, written, strict=True):
            for one in found:
                fact = _fact(sentences, part, one)
                key = (fact.subject, fact.property, fact.object)
                if fact.confidence >= (options.least_confidence or 0.0) and (
                    key not in best or fact.confidence > best[key].confidence
                ):
                    best[key] = fact
        return list(best.values())


def _fact(sentences: Sequence[Analysis], part: Chunk, one: WrittenFact) -> Fact:
    places = [span for span in (one.subject_span, one.object_span) if span is not None]
    numbers = {part.sentence(span[0]) for span in places} or set(part.numbers)
    spans = [None if span is None else part.place(sentences, span) for span in (one.subject_span, one.object_span)]
    return Fact(
        one.subject,
        one.relation.id,
        one.relation.name,
        one.object,
        one.probability,
        subject_span=spans[0],
        object_span=spans[1],
        evidence=evidence_of(sentences, numbers),
    )
