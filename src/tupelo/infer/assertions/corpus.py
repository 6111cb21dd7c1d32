"""N-grams of whole corpora on an engine: passages of documents in, counted n-grams out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tupelo.core import Passage
from tupelo.core.protocols import Engine, Parser
from tupelo.core.stages import Step, Table
from tupelo.infer.assertions.fragments import ARCS, fragments, root_word
from tupelo.infer.assertions.stanford import to_stanford
from tupelo.nlp import PARSERS

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class CountNgrams:
    """A stage over passages; equal n-grams of a batch are counted together."""

    parser: str = "en"
    arcs: tuple[int, ...] = ARCS
    verbs_only: bool = False

    name = "ngrams"
    version = "1"
    key = "source"

    @property
    def options(self) -> Mapping[str, Any]:
        from tupelo.core.version import __version__

        return {
            "tupelo": __version__,
            "parser": self.parser,
            "arcs": list(self.arcs),
            "verbs_only": self.verbs_only,
        }

    @property
    def input(self) -> pa.Schema:
        from tupelo.core.document import passage_schema

        return passage_schema()

    @property
    def output(self) -> pa.Schema:
        return ngram_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            counts: Counter[str] = Counter()
            passages = [Passage(row["text"], row["start_at"]) for row in batch.to_pylist()]
            for analysis in _open_parser(self.parser).analyze(passages, constituents=False):
                tokens = to_stanford(analysis)
                if tokens is not None:
                    counts.update(fragments(tokens, self.arcs, verbs_only=self.verbs_only))
            heads = [root_word(text) for text in counts]
            yield pa.record_batch([heads, list(counts), list(counts.values())], schema=ngram_schema())


def ngram_schema() -> pa.Schema:
    """Head word, tokens as in the second field of a line, and count."""
    import pyarrow as pa

    words = [pa.field(name, pa.string(), nullable=False) for name in ("head", "tokens")]
    return pa.schema([*words, pa.field("count", pa.int64(), nullable=False)])


@lru_cache(maxsize=1)
def _open_parser(name: str) -> Parser:
    """One per process and with one thread: an engine has a process per core."""
    kind, _, argument = name.partition(":")
    return PARSERS.get(kind)(argument, processes=1, batch_size=32, threads=1)


def summed() -> Step:
    """Every n-gram once, in order."""
    return Step(
        "summed",
        """select head, tokens, cast(sum(count) as bigint) as count
           from ngrams group by head, tokens order by head, tokens""",
    )


def sum_ngrams(engine: Engine, ngrams: Table) -> Table:
    """The n-grams of all batches together."""
    return engine.query([summed()], {"ngrams": ngrams}, keep=["summed"])["summed"]
