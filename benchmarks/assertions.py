"""Speed and memory of `tupelo assertions extract` on generated n-grams.

    python -m benchmarks.assertions --lines 1000000
    python -m benchmarks.assertions --lines 1000000 --gzip --spark "local[2]"

Prints one JSON document: lines a second of processor time for extraction and for extraction with aggregation, the
most memory that was used, and how many times quicker it is than the steps taken line by line. With `--spark` the
same files go through Spark as well, and the tables are compared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.ngram_files import generate_lines
from tupelo.core.protocols import Engine
from tupelo.core.stages import Table
from tupelo.engine import open_engine
from tupelo.io.assertions import read_batches, read_rows
from tupelo.io.workspace import FolderWorkspace
from tupelo_training.assertions.files import partition_files
from tupelo_training.assertions.lines import line_fault, parse_line
from tupelo_training.assertions.stage import EXTRACT_ASSERTIONS
from tupelo_training.assertions.steps import aggregate_assertions, find_parts

Result = TypeVar("Result")


def main() -> None:
    arguments = argparse.ArgumentParser(description="Speed of assertions from generated n-grams.")
    arguments.add_argument("--lines", type=int, default=1_000_000)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--gzip", action="store_true", help="compress the generated file, as Google's are")
    arguments.add_argument("--spark", metavar="MASTER", help="also run on Spark, for example local[2], and compare")
    arguments.add_argument("--folder", metavar="DIR", help="where the file is generated, and found again")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(chosen.folder or temporary)
        file = generated(folder, chosen.lines, chosen.seed, chosen.gzip)
        report = measured(file, chosen.lines, Path(temporary), chosen.spark)
    print(json.dumps(report, indent=2))
    if report.get("spark_identical") is False:
        sys.exit(1)


def generated(folder: Path, lines: int, seed: int, compressed: bool) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"ngrams-{lines}-{seed}.tsv{'.gz' if compressed else ''}"
    if not file.exists():
        partial = file.with_suffix(".partial")
        with gzip.open(partial, "wt", compresslevel=6) if compressed else partial.open("w") as stream:
            stream.writelines(generate_lines(lines, seed))
        partial.rename(file)
    return file


def measured(file: Path, lines: int, temporary: Path, spark: str | None) -> dict[str, Any]:
    engine = open_engine("local", FolderWorkspace(str(temporary / "local")))
    extraction, found = clocked(lambda: engine.run(EXTRACT_ASSERTIONS, partition_files([str(file)])))
    aggregation, (kept, figures) = clocked(lambda: aggregate_assertions(engine, found))
    literal, sample = clocked(lambda: literally(file, min(lines, 50_000)))
    report: dict[str, Any] = {
        "lines": lines,
        "bytes": file.stat().st_size,
        "assertions_before_aggregation": found.rows,
        **read_rows(figures)[0],
        "extraction_cpu_s": round(extraction, 2),
        "aggregation_cpu_s": round(aggregation, 2),
        "lines_per_cpu_s_extraction": round(lines / extraction),
        "lines_per_cpu_s_all": round(lines / (extraction + aggregation)),
        "times_as_quick_as_line_by_line": round((literal / sample) / (extraction / lines), 1),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    if spark is not None:
        other = open_engine(spark, FolderWorkspace(str(temporary / "spark")))
        report["spark_identical"] = same_on(other, file, all_rows(kept))
        other.close()
    return report


def literally(file: Path, lines: int) -> int:
    """Every line parsed and put to the steps one by one; returns how many lines there were."""
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as stream:
        read = list(islice(stream, lines))
    for line in read:
        if line_fault(line) is None:
            ngram = parse_line(line)
            find_parts(ngram.tokens)
    return len(read)


def same_on(engine: Engine, file: Path, expected: list[tuple[Any, ...]]) -> bool:
    found = engine.run(EXTRACT_ASSERTIONS, partition_files([str(file)]))
    kept, _ = aggregate_assertions(engine, found)
    return all_rows(kept) == expected


def all_rows(table: Table) -> list[tuple[Any, ...]]:
    """All rows in their order."""
    return [tuple(row.values()) for batch in read_batches(table) for row in batch.to_pylist()]


def clocked(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


if __name__ == "__main__":
    main()
