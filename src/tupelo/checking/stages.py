"""Checking as a stage over Arrow batches, so that a collection is checked in several processes and resumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tupelo.checking.check import ClaimChecker
from tupelo.checking.checked import Checked, CheckedPair
from tupelo.checking.network import load_network
from tupelo.core.judgement import FactAccuracy, JudgedText
from tupelo.core.stages import fingerprint
from tupelo.extract.pipeline import ExtractionPipeline, PipelineRecipe

if TYPE_CHECKING:
    import pyarrow as pa

# Texts of a partition: little is lost when a run is killed.
_PARTITION = 32
# From a text and its source to Equation 1.
Metric: TypeAlias = Callable[[str, str], FactAccuracy]


class MetricsRecipe(Protocol):
    """Metrics by name, which every process opens for itself; it can be pickled and hashed.

    `methods` are the names, each with the folder of its model, `None` for the shipped one.
    """

    @property
    def methods(self) -> tuple[tuple[str, str | None], ...]: ...

    def of(self, pipeline: ExtractionPipeline) -> Mapping[str, Metric]: ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class PairsPartition:
    """Some texts with their sources, as rows of `CheckPairs.input`."""

    rows: tuple[tuple[str, str, tuple[str, ...] | None, str], ...]

    @property
    def key(self) -> str:
        return fingerprint(*self.rows)

    def read(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        names = ("id", "text", "passages", "question")
        yield pa.RecordBatch.from_pylist(
            [dict(zip(names, row, strict=True)) for row in self.rows], schema=_input_schema()
        )


def partition_pairs(texts: Iterable[JudgedText]) -> list[PairsPartition]:
    """Texts in small groups, in order."""
    rows = [(text.id, words_of(text), passages_of(text), text.question) for text in texts]
    return [PairsPartition(tuple(rows[place : place + _PARTITION])) for place in range(0, len(rows), _PARTITION)]


def words_of(text: JudgedText) -> str:
    return " ".join(text.sentences) or text.generated


def passages_of(text: JudgedText) -> tuple[str, ...] | None:
    return text.passages or (None if text.source is None else (text.source,))


@dataclass(frozen=True, slots=True)
class CheckPairs:
    """A stage over texts with their sources; a row is the JSON line of a checked text.

    `network` is a folder or a name, empty for the shipped one.
    """

    network: str = ""
    extractor: str = "default"
    metrics: MetricsRecipe | None = None
    undecided: tuple[float, float] | None = None
    name: str = "check"
    version: str = "3"
    key: str = "id"

    @property
    def options(self) -> Mapping[str, Any]:
        from tupelo.core.version import __version__

        return {
            "tupelo": __version__,
            "network": load_network(self.network or None).fingerprint,
            "extractor": self.extractor,
            "methods": [list(method) for method in (self.metrics.methods if self.metrics else ())],
            "undecided": self.undecided,
        }

    @property
    def input(self) -> pa.Schema:
        return _input_schema()

    @property
    def output(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema([pa.field("id", pa.string(), nullable=False), pa.field("line", pa.string(), nullable=False)])

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        checker = _open_checker(self.network, self.extractor, self.metrics, self.undecided)
        for batch in batches:
            rows = [
                {"id": row["id"], "line": json.dumps(checker(row), ensure_ascii=False)} for row in batch.to_pylist()
            ]
            yield pa.RecordBatch.from_pylist(rows, schema=self.output)


@dataclass(frozen=True, slots=True)
class _RowChecker:
    check: ClaimChecker
    metrics: Mapping[str, Metric]

    def __call__(self, row: Mapping[str, Any]) -> dict[str, Any]:
        if row["passages"] is None:
            return CheckedPair(row["id"], None).to_dict()
        checked = self.check(row["text"], row["passages"], row["question"])
        return CheckedPair(row["id"], with_facts(checked, self.metrics)).to_dict()


def with_facts(checked: Checked, metrics: Mapping[str, Metric]) -> Checked:
    """The same with Equation 1 for every metric, over all passages of the source as one."""
    source = "\n\n".join(checked.passages)
    return replace(checked, fact_accuracy={name: metric(checked.text, source) for name, metric in metrics.items()})


@lru_cache(maxsize=2)
def _open_checker(
    network: str, extractor: str, metrics: MetricsRecipe | None, undecided: tuple[float, float] | None
) -> _RowChecker:
    """One per process."""
    pipeline = PipelineRecipe(extractor=extractor).pipeline()
    checker = ClaimChecker(pipeline, load_network(network or None), undecided=undecided)
    return _RowChecker(checker, metrics.of(pipeline) if metrics else {})


def _input_schema() -> pa.Schema:
    import pyarrow as pa

    text = pa.string()
    return pa.schema([("id", text), ("text", text), ("passages", pa.list_(text)), ("question", text)])
