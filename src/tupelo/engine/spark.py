"""The engine for more than one machine: the same stages under Spark's `mapInArrow`, the same SQL translated.

Every task writes its partition into the workspace itself, exactly as a local process does, so the next run finds what
a killed one has finished, on whichever engine that runs; Spark only hands out the work and repeats what a lost worker
was doing. The workspace must therefore be a folder that the driver and all workers see under one name, and Tupelo
must be installed on the workers.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tupelo.core.errors import InputError, needs_extra
from tupelo.core.protocols import Partition, Stage, Workspace
from tupelo.core.stages import Step, StepError, Table
from tupelo.engine.partition import ParquetRows, done_before, finished_table, is_shared, perform, step_names, tasks_of

if TYPE_CHECKING:
    import pyarrow as pa

_LOOPBACK = re.compile(r"local\[|spark://(127\.|localhost)")
# Matches one of our errors at the end of a worker's traceback, as Spark reports it.
_OURS = re.compile(r"^tupelo\.core\.[\w.]+Error: (.+)$", re.MULTILINE)
_SECONDS_BETWEEN_LOOKS = 0.5
# Characters that Hadoop interprets as part of a pattern.
_MEANS_MORE, _ESCAPED = re.compile(r"([\\*?\[\]{}])"), r"\\\1"


class SparkEngine:
    """Runs on the cluster at `master`, a Spark master URL. Other settings come from Spark's own configuration."""

    def __init__(self, master: str, workspace: Workspace, *, settings: Mapping[str, str] | None = None) -> None:
        self.name = master
        self._workspace = workspace
        self._settings = dict(settings or {})

    @cached_property
    def _session(self) -> Any:
        """The Spark session; untyped, as pyspark is an extra."""
        with needs_extra("the Spark engine", "spark"):
            import pandas  # noqa: F401  # mapInArrow asks for it though it makes no frame
            from pyspark.sql import SparkSession
        # Otherwise the workers run whatever `python3` they find.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings = {
            "spark.app.name": "tupelo",
            "spark.log.level": "FATAL",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.session.timeZone": "UTC",
            # The driver's import path for this package, for workers that share its disk.
            "spark.executorEnv.PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        }
        if _LOOPBACK.match(self.name):
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            settings |= {"spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "4"}
        builder = SparkSession.builder.master(self.name)
        for name, value in (settings | self._settings).items():
            builder = builder.config(name, value)
        try:
            return builder.getOrCreate()
        except Exception as error:  # no Java, no such master: Spark raises many types, with long tracebacks
            raise InputError(
                f"{self.name}: Spark does not start ({_first_line(error)}), expected Java 17 and a Spark master"
            ) from error

    def run(
        self, stage: Stage, partitions: Sequence[Partition], advance: Callable[[int], None] | None = None
    ) -> Table:
        advance = advance or (lambda steps: None)
        tasks = tasks_of(stage, partitions)
        missing = [task for task in tasks.values() if done_before(task, self._workspace) is None]
        advance(len(tasks) - len(missing))
        if missing:
            context = self._session.sparkContext
            work = _worker(context.broadcast(missing), self._workspace)
            rows = self._session.range(0, len(missing), 1, len(missing)).mapInArrow(work, "id bigint")
            with _reporting(context, len(missing), advance):
                try:
                    rows.collect()
                except Exception as error:  # errors of a worker arrive as Spark's own types
                    raise InputError(f"stage '{stage.name}' stopped on {self.name}: {_first_line(error)}") from error
        return Table(stage.output, tuple(self._workspace.finished(task.folder, task.name) for task in tasks.values()))

    def rows(self, key: str, pieces: Sequence[tuple[str, int, int | None]]) -> ParquetRows:
        return ParquetRows(key, tuple(pieces))

    def query(self, steps: Sequence[Step], tables: Mapping[str, Table], keep: Sequence[str]) -> dict[str, Table]:
        names = step_names("spark", steps, tables, keep)
        if any(self._workspace.find("steps", names[name]) is None for name in keep):
            for name, table in tables.items():
                self._frame(table).createOrReplaceTempView(name)
            for step in steps:
                self._run_step(step, names.get(step.name), steps)
            self._session.catalog.clearCache()
        return {name: finished_table(self._workspace, names[name]) for name in keep}

    def _frame(self, table: Table) -> Any:
        if table.files:
            return self._session.read.parquet(*(_address(file, pattern=True) for file in table.files))
        return self._session.createDataFrame(table.schema.empty_table())

    def _run_step(self, step: Step, kept_as: str | None, steps: Sequence[Step]) -> None:
        text = spark_sql(step)
        try:
            frame = self._session.sql(text, args=dict(step.parameters))
            if kept_as is not None:
                if self._workspace.find("steps", kept_as) is None:
                    self._write(step.name, kept_as, frame)
                frame = self._frame(finished_table(self._workspace, kept_as))
            elif is_shared(step, steps):
                frame = frame.persist()
        except InputError:
            raise
        except Exception as error:  # analysis and execution errors, of Spark and of the JVM
            raise StepError(step, f"Spark as {text}", _first_line(error)) from error
        frame.createOrReplaceTempView(step.name)

    def _write(self, name: str, kept_as: str, frame: Any) -> None:
        import pyarrow.parquet as pq

        with self._workspace.draft("steps", kept_as) as draft:
            frame.write.parquet(_address(draft.path), compression="zstd")
            rows = sum(pq.read_metadata(file).num_rows for file in Path(draft.path).glob("*.parquet"))
            draft.about |= {"step": name, "rows": rows}

    def close(self) -> None:
        """Stop the session, and with it the work of the driver's JVM; the next call starts a new one."""
        if "_session" in self.__dict__:
            self._session.stop()
            del self.__dict__["_session"]


def spark_sql(step: Step) -> str:
    """The text of a step for Spark; parameters keep their names (`$name` becomes `:name`).

    >>> spark_sql(Step("long", "select word from words where len(word) > $least"))
    'SELECT word FROM words WHERE LENGTH(word) > :least'
    """
    import sqlglot
    from sqlglot.errors import ErrorLevel, SqlglotError

    try:
        statements = sqlglot.transpile(
            step.sql, read="duckdb", write="spark", unsupported_level=ErrorLevel.RAISE, identify=False
        )
    except SqlglotError as error:
        raise StepError(step, "the translation to Spark SQL", " ".join(str(error).split())) from error
    if len(statements) != 1:
        raise StepError(step, "the translation to Spark SQL", f"{len(statements)} statements, expected one")
    return statements[0]


def _address(file: str, *, pattern: bool = False) -> str:
    """A file path as Spark expects it: not percent-encoded, and with special characters escaped in a pattern."""
    path = str(Path(file).resolve())
    return f"file://{_MEANS_MORE.sub(_ESCAPED, path) if pattern else path}"


def _worker(tasks: Any, workspace: Workspace) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that runs on a worker: it reads task numbers and yields each when the task is done."""

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                perform(tasks.value[number], workspace)
            yield batch

    return work


@contextmanager
def _reporting(context: Any, total: int, advance: Callable[[int], None]) -> Iterator[None]:
    """Poll Spark's progress counters while the block runs."""
    done, reported = threading.Event(), 0

    def look() -> None:
        nonlocal reported
        tracker = context.statusTracker()
        while not done.wait(_SECONDS_BETWEEN_LOOKS):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            finished = sum(stage.numCompletedTasks for stage in stages if stage is not None)
            if reported < finished <= total:
                advance(finished - reported)
                reported = finished

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
        done.set()
        watcher.join()
        advance(total - reported)
    finally:
        done.set()


def _first_line(error: Exception) -> str:
    """The readable part of a Spark error: our own message if there is one, else its first line."""
    text = str(error)
    ours = _OURS.findall(text)
    return ours[-1] if ours else text.strip().split("\n")[0]
