"""A file that is no graph, or no longer one, is told apart from one that somebody else is writing."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.runner import run
from tests.graph.small import write_graph
from tupelo.core import InputError
from tupelo.graph.store.file import open_graph

duckdb = pytest.importorskip("duckdb")

NO_GRAPH = "is not a graph, expected a file that `tupelo graph build` wrote"
DAMAGED = "is damaged, expected a whole graph. Restore it from a copy, or build it again."


def flipped(data: bytes, *places: int) -> bytes:
    changed = bytearray(data)
    for place in places:
        changed[place] ^= 0xFF
    return bytes(changed)


FAULTS = {
    "empty": (lambda data: b"", NO_GRAPH),
    "text": (lambda data: b"Ann left Oslo.\n", NO_GRAPH),
    "zeros": (lambda data: bytes(len(data)), NO_GRAPH),
    "no-magic": (lambda data: flipped(data, 8), NO_GRAPH),
    "only-a-header": (lambda data: data[:12_288], DAMAGED),
    "first-bytes": (lambda data: data[:100], DAMAGED),
    "half": (lambda data: data[: len(data) // 2], DAMAGED),
    "header": (lambda data: flipped(data, 40), DAMAGED),
    "both-roots": (lambda data: flipped(data, 5_000, 9_000), DAMAGED),
    "catalogue": (lambda data: flipped(data, *range(12_300, len(data), 262_144)), DAMAGED),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_file_is_called_damaged(fault, harbour, tmp_path, capsys):
    change, message = FAULTS[fault]
    file = tmp_path / "kg.duckdb"
    file.write_bytes(change(harbour.read_bytes()))
    outcome = run(capsys, "graph", "query", file, "? founded ?")
    assert outcome == (2, "", f"tupelo: {file}: {message}\n")


@pytest.mark.slow
def test_damage_that_only_a_query_meets_is_reported_as_such(tmp_path):
    whole = tmp_path / "whole.duckdb"
    with duckdb.connect(str(write_graph(whole))) as connection:
        connection.execute("CREATE TABLE more AS SELECT md5(range::VARCHAR) AS text FROM range(99999)")
    data = whole.read_bytes()
    met = set()
    for place in range(12_288 + 4096, len(data), 262_144):
        file = tmp_path / f"{place}.duckdb"
        file.write_bytes(flipped(data, place))
        try:
            store = open_graph(file)
        except InputError:
            continue
        with store:
            try:
                store.rows("SELECT max(text) FROM more")
            except InputError as error:
                met.add(str(error).removeprefix(f"{file}: "))
    assert met == {DAMAGED}


def test_a_database_of_somebody_else_is_no_graph(tmp_path, capsys):
    file = tmp_path / "other.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1")
    assert run(capsys, "graph", "query", file, "? founded ?").err == f"tupelo: {file}: {NO_GRAPH}\n"


def test_a_file_of_a_newer_duckdb_says_what_to_update(harbour, tmp_path, capsys):
    file = tmp_path / "newer.duckdb"
    data = bytearray(harbour.read_bytes())
    data[12:20] = struct.pack("<Q", 1_000_000)
    file.write_bytes(data)
    with pytest.raises(duckdb.Error) as caught:
        duckdb.connect(str(file), read_only=True)
    # DuckDB itself says which checksum the changed header should have.
    checksum = re.search(r"computed checksum (\d+)", str(caught.value))
    assert checksum is not None
    data[:8] = struct.pack("<Q", int(checksum[1]))
    file.write_bytes(data)
    outcome = run(capsys, "graph", "stats", file)
    assert outcome.status == 2
    assert outcome.err == (
        f"tupelo: {file}: written by a newer DuckDB, expected a version that this one reads. "
        "Run: pip install --upgrade duckdb\n"
    )


HOLDER = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.process
def test_a_file_that_another_process_writes_is_called_busy(tmp_path, capsys):
    file = write_graph(tmp_path / "kg.duckdb")
    command = [sys.executable, "-c", HOLDER, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        outcome = run(capsys, "graph", "query", file, "? founded ?")
        holder.communicate()
    assert outcome.status == 2
    busy = "another process is writing to it, expected one that is not being written. Try again later."
    assert outcome.err == f"tupelo: {file}: {busy}\n"


def test_a_folder_is_no_graph(tmp_path: Path, capsys):
    outcome = run(capsys, "graph", "query", tmp_path, "? founded ?")
    assert outcome.status == 2
    assert outcome.err == f"tupelo: {tmp_path}: is a directory, expected a graph\n"
