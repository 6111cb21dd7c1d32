"""The default engine: a pool of processes for stages, DuckDB for SQL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import active_children, get_context
from typing import TYPE_CHECKING

from tupelo.core.errors import InputError
from tupelo.core.protocols import Partition, Stage, Workspace
from tupelo.core.stages import FinishedPart, Step, StepError, Table
from tupelo.engine.partition import (
    ParquetRows,
    PartitionTask,
    done_before,
    finished_table,
    give_up,
    is_shared,
    perform,
    step_names,
    tasks_of,
)

if TYPE_CHECKING:
    import duckdb

# Partitions submitted per process, so that the second is ready when the first is done.
_AHEAD = 2
# DuckDB would otherwise download an extension that a statement seems to need.
_NOTHING_FETCHED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_KILLED = "the process that worked on it was killed, twice (out of memory?)"


class LocalEngine:
    """Stages in `workers` processes (in this one when there is a single worker), steps in DuckDB.

    Processes are spawned, not forked, so a script that uses more than one worker needs `if __name__ == "__main__":`.
    `memory` bounds DuckDB (`"2GB"`); what does not fit goes to the workspace's scratch folder.
    """

    name = "local"

    def __init__(self, workspace: Workspace, *, workers: int = 1, memory: str = "2GB") -> None:
        if workers < 1:
            raise InputError(f"{workers} workers, expected 1 or more")
        self._workspace, self._workers, self._memory = workspace, workers, memory
        self._processes: ProcessPoolExecutor | None = None

    def run(
        self, stage: Stage, partitions: Sequence[Partition], advance: Callable[[int], None] | None = None
    ) -> Table:
        advance = advance or (lambda steps: None)
        tasks = tasks_of(stage, partitions)
        parts = {name: done_before(task, self._workspace) for name, task in tasks.items()}
        missing = [task for name, task in tasks.items() if parts[name] is None]
        advance(len(tasks) - len(missing))
        for name, part in self._perform(missing):
            parts[name] = part
            advance(1)
        return Table(stage.output, tuple(part for part in parts.values() if part is not None))

    def _perform(self, tasks: list[PartitionTask]) -> Iterator[tuple[str, FinishedPart]]:
        if self._workers == 1:
            yield from ((task.name, perform(task, self._workspace)) for task in tasks)
            return
        waiting = iter(tasks)
        suspects: list[PartitionTask] = []
        while True:
            yield from self._in_pool(waiting, suspects)
            if not suspects:
                return
            # A process died, and with it the pool. Its tasks are retried once, each in a pool of its own, so
            # that a single record that exhausts memory is found and does not fail the run.
            while suspects:
                task = suspects.pop()
                yield task.name, self._alone(task)

    def _in_pool(
        self, waiting: Iterator[PartitionTask], suspects: list[PartitionTask]
    ) -> Iterator[tuple[str, FinishedPart]]:
        under_way: dict[Future[FinishedPart], PartitionTask] = {}
        pool = self._processes = self._processes or _pool(self._workers)
        try:
            while True:
                while len(under_way) < self._workers * _AHEAD and (task := next(waiting, None)) is not None:
                    under_way[pool.submit(perform, task, self._workspace)] = task
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    part = future.result()
                    yield under_way.pop(future).name, part
        except BrokenProcessPool:
            suspects.extend(under_way.values())
            self.close()
        except (KeyboardInterrupt, SystemExit):
            # An interrupt must stop now, not after the running partitions.
            for process in active_children():
                process.terminate()
            raise
        finally:
            for future in under_way:
                future.cancel()

    def _alone(self, task: PartitionTask) -> FinishedPart:
        with _pool(1) as pool:
            try:
                return pool.submit(perform, task, self._workspace).result()
            except BrokenProcessPool:
                return give_up(task, self._workspace, _KILLED)

    def rows(self, key: str, pieces: Sequence[tuple[str, int, int | None]]) -> ParquetRows:
        return ParquetRows(key, tuple(pieces))

    def query(self, steps: Sequence[Step], tables: Mapping[str, Table], keep: Sequence[str]) -> dict[str, Table]:
        names = step_names(self.name, steps, tables, keep)
        if any(self._workspace.find("steps", names[name]) is None for name in keep):
            self.close()  # the memory of idle processes is of more use to DuckDB
            with self._connection() as connection:
                for name, table in tables.items():
                    _view(connection, name, table)
                for step in steps:
                    self._run_step(connection, step, names.get(step.name), steps)
        return {name: finished_table(self._workspace, names[name]) for name in keep}

    def _run_step(
        self, connection: duckdb.DuckDBPyConnection, step: Step, kept_as: str | None, steps: Sequence[Step]
    ) -> None:
        """Make a step as a file, or in memory where several steps read it; else as a view for its only reader."""
        import duckdb

        try:
            if kept_as is not None:
                if self._workspace.find("steps", kept_as) is None:
                    self._write(connection, step, kept_as)
                _view(connection, step.name, finished_table(self._workspace, kept_as))
            elif step.parameters or is_shared(step, steps):
                # Fetch all rows: until then the connection accepts nothing else.
                connection.execute(f'create temp table "{step.name}" as {step.sql}', dict(step.parameters)).fetchall()
            else:
                connection.execute(f'create temp view "{step.name}" as {step.sql}').fetchall()
        except duckdb.Error as error:
            raise StepError(step, "DuckDB", " ".join(str(error).split())) from error

    def _connection(self) -> duckdb.DuckDBPyConnection:
        import duckdb

        connection = duckdb.connect(config=_NOTHING_FETCHED)
        settings = {
            "memory_limit": self._memory,
            "temp_directory": self._workspace.scratch(),
            "threads": self._workers,
        }
        for name, value in settings.items():
            connection.execute(f"set {name} = $1", [value]).fetchall()
        # A notebook without ipywidgets cannot draw the bar, and even turning it off raises an error.
        with suppress(duckdb.InvalidInputException):
            connection.execute("set enable_progress_bar = false").fetchall()
        return connection

    def _write(self, connection: duckdb.DuckDBPyConnection, step: Step, kept_as: str) -> None:
        import duckdb
        import pyarrow.parquet as pq

        with self._workspace.draft("steps", kept_as) as draft:
            try:
                connection.sql(step.sql, params=dict(step.parameters)).write_parquet(draft.path, compression="zstd")
            except duckdb.IOException as error:
                raise OSError(None, str(error).splitlines()[0]) from error
            draft.about |= {"step": step.name, "rows": pq.read_metadata(draft.path).num_rows}

    def close(self) -> None:
        """End the processes, which one stage leaves to the next with the models they have loaded."""
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)
            self._processes = None


def _view(connection: duckdb.DuckDBPyConnection, name: str, table: Table) -> None:
    if table.files:
        connection.read_parquet(table.patterns).create_view(name)
    else:
        connection.register(name, table.schema.empty_table())


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_follow_parent)


def _follow_parent() -> None:
    """End this process together with its parent, even if the parent is killed, and leave Ctrl-C to the parent."""
    import signal
    import threading
    from multiprocessing import connection, parent_process

    parent = parent_process()
    assert parent is not None
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
