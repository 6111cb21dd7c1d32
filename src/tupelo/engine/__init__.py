"""Engines run stages and SQL steps: on this machine, or on a Spark cluster.

from tupelo.engine import open_engine

engine = open_engine("local", FolderWorkspace("work"), workers=2)
words = engine.run(SplitWords(), partitions)
counts = engine.query([Step("counts", "select word, count(*) as n from words group by word order by word")],
                      {"words": words}, keep=["counts"])["counts"]
"""

from __future__ import annotations

from tupelo.core.errors import InputError
from tupelo.core.protocols import Engine, Workspace

SPARK_MASTERS = ("spark://", "local[", "k8s://", "yarn")


def open_engine(name: str, workspace: Workspace, *, workers: int = 1, memory: str = "2GB") -> Engine:
    """Open an engine: `local` (processes and DuckDB), or a Spark master: `spark://HOST:PORT`, `local[2]`, `yarn`."""
    if name == "local":
        from tupelo.engine.local import LocalEngine

        return LocalEngine(workspace, workers=workers, memory=memory)
    if name.startswith(SPARK_MASTERS):
        from tupelo.engine.spark import SparkEngine

        return SparkEngine(name, workspace)
    raise InputError(f"no engine named '{name}', expected local, spark://HOST:PORT, local[CORES] or yarn")
