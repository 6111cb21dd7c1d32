"""Count the words of some lines, in two processes."""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tupelo.core.stages import Step
from tupelo.engine import open_engine
from tupelo.io.workspace import FolderWorkspace

LINES = pa.schema([("line", pa.string())])
WORDS = pa.schema([("word", pa.string())])


@dataclass(frozen=True)
class Lines:
    """A partition: small, and read where the work is done."""

    key: str
    lines: tuple[str, ...]

    def read(self) -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_pydict({"line": list(self.lines)}, schema=LINES)


@dataclass(frozen=True)
class SplitWords:
    """A stage: batches of lines in, batches of words out."""

    name: str = "split-words"
    version: str = "1"
    options: Mapping[str, Any] = field(default_factory=dict)
    key: str = "line"
    input: pa.Schema = LINES
    output: pa.Schema = WORDS

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            words = [word for line in batch["line"].to_pylist() for word in line.lower().split()]
            yield pa.RecordBatch.from_pydict({"word": words}, schema=WORDS)


COUNTS = Step(
    "counts",
    "select word, count(*) as n from words group by word having count(*) >= $least order by word",
    {"least": 2},
)

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine("local", FolderWorkspace(folder), workers=2)  # or "local[2]", "spark://HOST:PORT"
        words = engine.run(SplitWords(), [Lines("a", ("a dog and a cat",)), Lines("b", ("a bird and a dog",))])
        counts = engine.query([COUNTS], {"words": words}, keep=["counts"])["counts"]
        print(words.rows, "words,", counts.rows, "of them twice or more")
        for row in pq.read_table(counts.files).to_pylist():
            print(row["word"], row["n"])
