"""Partitions, and running a stage on one of them: shared by all engines, in any process."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tupelo.core.errors import TupeloError, reason_of
from tupelo.core.protocols import Partition, Stage, Workspace
from tupelo.core.stages import ERROR_COLUMN, NOTE_COLUMN, Failure, FinishedPart, Step, Table, fingerprint

if TYPE_CHECKING:
    import pyarrow as pa

# Rows of small batches are merged into row groups of about this size, or this many bytes: a row may be a long text.
_ROW_GROUP = 50_000
_ROW_GROUP_BYTES = 64 << 20
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ParquetRows:
    """Rows `[start, end)` of Parquet files, in order, as a partition; all rows if there is no end."""

    key: str
    pieces: tuple[tuple[str, int, int | None], ...]
    rows_per_batch: int = 1000

    def read(self) -> Iterator[pa.RecordBatch]:
        import pyarrow.parquet as pq

        for name, start, end in self.pieces:
            with pq.ParquetFile(name) as file:
                first = 0
                for group in range(file.num_row_groups):
                    rows = file.metadata.row_group(group).num_rows
                    begin, stop = max(start - first, 0), rows if end is None else min(end - first, rows)
                    if begin < stop:
                        table = file.read_row_group(group).slice(begin, stop - begin)
                        yield from table.combine_chunks().to_batches(self.rows_per_batch)
                    first += rows


@dataclass(frozen=True, slots=True)
class PartitionTask:
    """A stage, one partition of its input and the name of its output."""

    stage: Stage
    partition: Partition
    folder: str
    name: str

    @classmethod
    def of(cls, stage: Stage, partition: Partition) -> PartitionTask:
        folder = f"{stage.name}-{stage.version}"
        return cls(stage, partition, folder, fingerprint(stage.name, stage.version, stage.options, partition.key))


def tasks_of(stage: Stage, partitions: Sequence[Partition]) -> dict[str, PartitionTask]:
    """A task per partition, by the name of its output."""
    return {task.name: task for task in (PartitionTask.of(stage, partition) for partition in partitions)}


def step_names(
    engine: str, steps: Sequence[Step], tables: Mapping[str, Table], keep: Sequence[str]
) -> dict[str, str]:
    """Names for the tables that steps produce; the same work gets the same names."""
    inputs = {name: [part.name for part in table.parts] for name, table in sorted(tables.items())}
    sql = [(step.name, step.sql, dict(step.parameters)) for step in steps]
    return {name: fingerprint(engine, sql, inputs, name) for name in keep}


def is_shared(step: Step, steps: Sequence[Step]) -> bool:
    """Whether more than one of the steps reads the table of this one."""
    return sum(step.name in _WORD.findall(other.sql) for other in steps) > 1


def finished_table(workspace: Workspace, name: str) -> Table:
    """The table that a step has produced."""
    import pyarrow.parquet as pq

    part = workspace.finished("steps", name)
    return Table(pq.read_schema(part.files[0]).remove_metadata(), (part,))


def done_before(task: PartitionTask, workspace: Workspace) -> FinishedPart | None:
    """The output of a task that was finished earlier; one with failures is tried again."""
    part = workspace.find(task.folder, task.name)
    return None if part is None or part.failures else part


def perform(task: PartitionTask, workspace: Workspace) -> FinishedPart:
    """Run a task, unless it was finished before."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    part = done_before(task, workspace)
    if part is not None:
        return part
    complaints = _Complaints(task.stage)
    rows = 0
    with workspace.draft(task.folder, task.name) as draft:
        with pq.ParquetWriter(draft.path, task.stage.output, compression="zstd") as writer:
            for batches in _gathered(_results(task, complaints)):
                table = pa.Table.from_batches(batches, schema=task.stage.output)
                writer.write_table(table)
                rows += table.num_rows
        draft.about |= _about(task, rows, complaints)
    return workspace.finished(task.folder, task.name)


def give_up(task: PartitionTask, workspace: Workspace, reason: str) -> FinishedPart:
    """Record an empty result for a partition that kills every process."""
    import pyarrow.parquet as pq

    complaints = _Complaints(task.stage)
    complaints.fail(task.partition.key, reason)
    with workspace.draft(task.folder, task.name) as draft:
        pq.ParquetWriter(draft.path, task.stage.output).close()
        draft.about |= _about(task, 0, complaints)
    return workspace.finished(task.folder, task.name)


def _about(task: PartitionTask, rows: int, complaints: _Complaints) -> dict[str, Any]:
    stage = task.stage
    return {
        "stage": stage.name,
        "version": stage.version,
        "options": dict(stage.options),
        "input": task.partition.key,
        "rows": rows,
        "failures": complaints.failures,
        "notes": complaints.notes,
    }


def _results(task: PartitionTask, complaints: _Complaints) -> Iterator[pa.RecordBatch]:
    batches = task.partition.read()
    while True:
        try:
            batch = next(batches, None)
        except TupeloError as error:
            # Rows before the point where an input is corrupt count; the rest is reported.
            complaints.fail(task.partition.key, str(error))
            return
        if batch is None:
            return
        if batch.num_rows:
            yield from _guarded(task.stage, batch, complaints)


def _guarded(stage: Stage, batch: pa.RecordBatch, complaints: _Complaints) -> Iterator[pa.RecordBatch]:
    """The stage's results for a batch. The rows of a batch that fails are run again one by one, and never more."""
    if batch.num_rows == 1:
        # As they come: one row may be a file of any size. What came before a fault counts.
        try:
            for result in stage(iter([batch])):
                yield complaints.sorted_out(result)
        except Exception as error:  # one bad record must not affect the rest
            complaints.fail(str(batch.column(stage.key)[0].as_py()), reason_of(error))
        return
    try:
        made = list(stage(iter([batch])))
    except Exception:  # the same
        for row in range(batch.num_rows):
            yield from _guarded(stage, batch.slice(row, 1), complaints)
        return
    yield from map(complaints.sorted_out, made)


class _Complaints:
    """Faults and skipped inputs of a stage, collected while its results go by."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.failures: list[Failure] = []
        self.notes: list[Failure] = []

    def fail(self, record: str, reason: str) -> None:
        self.failures.append(Failure(self._stage.name, record, reason))

    def sorted_out(self, result: pa.RecordBatch) -> pa.RecordBatch:
        """The rows that are results."""
        import pyarrow.compute as pc

        key = self._stage.key
        for name, collected in ((ERROR_COLUMN, self.failures), (NOTE_COLUMN, self.notes)):
            if name not in result.schema.names:
                continue
            column = result.column(name)
            if column.null_count < len(column):
                rows = result.filter(column.is_valid()).select([key, name]).to_pylist()
                collected += [Failure(self._stage.name, str(row[key]), row[name]) for row in rows]
                result = result.filter(pc.is_null(column))
        return result.select(self._stage.output.names)


def _gathered(batches: Iterator[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    pending: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        pending.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= _ROW_GROUP or size >= _ROW_GROUP_BYTES:
            yield pending
            pending, rows, size = [], 0, 0
    if pending:
        yield pending
