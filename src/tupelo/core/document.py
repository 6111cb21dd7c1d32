"""Documents as they were read, and their passages: what is extracted from and repeated after a failure as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tupelo.core.analysis import Passage
from tupelo.core.blocks import Block, LeftOut, blocks_between
from tupelo.core.results import values_of
from tupelo.core.stages import fingerprint

if TYPE_CHECKING:
    import pyarrow as pa

# Characters of a passage, about 750 sentences. What is named in one passage is not known in the next.
PASSAGE = 100_000
# Places at which a passage may end, best first, and the share of its length that a better end may cost.
_BREAKS = ("\n\n", "\n", ". ", " ")
_LEAST = PASSAGE // 2
# Patterns that match many names.
_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a document. `source` says where it comes from and makes its id.

    `published` is the day that the document gives for itself, as `YYYY-MM-DD`. `blocks` are the parts of its text in
    order; without any, all of it is running text. `left_out` is not in the text: menus, notices, footers.
    """

    source: str
    text: str
    media_type: str = "text/plain"
    title: str | None = None
    published: str | None = None
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    left_out: tuple[LeftOut, ...] = field(default=(), repr=False)

    @property
    def id(self) -> str:
        """The same as long as the source is, whatever becomes of the text."""
        return fingerprint("document", self.source)[:24]

    def passages(self) -> Iterator[Passage]:
        """The text in passages of bounded size, each with its blocks."""
        for start, text in cut(self.text):
            blocks = blocks_between(self.blocks, start, start + len(text))
            yield Passage(text, start, self.source, tuple(blocks), self.published)

    def in_order(self) -> Iterator[tuple[str, str, tuple[str, ...], str | None]]:
        """Kind, text and path of all blocks, and with its reason what was left out, in the order of the document."""
        outs = iter((*self.left_out, None))
        out = next(outs)
        for block in self.blocks:
            while out is not None and out.at <= block.start:
                yield out.kind, out.text, (), out.reason
                out = next(outs)
            speaker = f"{block.speaker}: " if block.kind in ("turn", "quote") and block.speaker else ""
            yield block.kind, f"{speaker}{block.of(self.text)}", block.path, None
        while out is not None:
            yield out.kind, out.text, (), out.reason
            out = next(outs)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as `tupelo read --format json` writes them."""
        return {
            **values_of(self, "source", "media_type", "title", "published"),
            "blocks": [{**block.to_dict(), "text": block.of(self.text)} for block in self.blocks],
            "left_out": [values_of(out, "kind", "reason", "text") for out in self.left_out],
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Files that were not read, all for one reason, with the names of the first of them."""

    reason: str
    count: int
    examples: tuple[str, ...]

    @classmethod
    def by_reason(cls, files: Iterable[tuple[str, str]]) -> tuple[PassedOver, ...]:
        """Groups of files that are given with their reasons, the largest first."""
        names: dict[str, list[str]] = {}
        for name, reason in files:
            names.setdefault(reason, []).append(name)
        groups = sorted(names.items(), key=lambda item: (-len(item[1]), item[0]))
        return tuple(cls(reason, len(found), tuple(found[:_EXAMPLES])) for reason, found in groups)

    def to_dict(self) -> dict[str, Any]:
        return {"reason": self.reason, "count": self.count, "examples": list(self.examples)}

    def __str__(self) -> str:
        more = ", …" if self.count > len(self.examples) else ""
        return f"{self.count:,} passed over, {self.reason}: {', '.join(self.examples)}{more}"


def passage_schema() -> pa.Schema:
    """One row per passage, with everything that is known about its document."""
    import pyarrow as pa

    text, maybe, whole = (pa.string(), False), (pa.string(), True), (pa.int64(), False)
    columns = {"document_id": text, "source": text, "title": maybe, "media_type": text, "checksum": text}
    columns |= {"characters": whole, "published": maybe, "number": whole, "start_at": whole, "text": text}
    columns |= {"blocks": maybe}
    return pa.schema([pa.field(name, kind, nullable) for name, (kind, nullable) in columns.items()])


def cut(text: str, size: int = PASSAGE) -> Iterator[tuple[int, str]]:
    """Pieces of at most `size` characters with their positions; together they are the text. An empty text is one.

    >>> list(cut("One. Two. Three.", 8))
    [(0, 'One. '), (5, 'Two. '), (10, 'Three.')]
    """
    start = 0
    while len(text) - start > size:
        end = start + size
        for mark in _BREAKS:
            found = text.rfind(mark, start + min(_LEAST, size // 2), end)
            if found >= 0:
                end = found + len(mark)
                break
        yield start, text[start:end]
        start = end
    yield start, text[start:]
