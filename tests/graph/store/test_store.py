"""The file: sound, versioned, closed to everything outside it, open to several readers."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.runner import run
from tests.graph.small import HARBOUR, fill, write_graph
from tupelo.core import InputError
from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import create, open_for_update, open_graph
from tupelo.graph.store.schema import SCHEMA_VERSION, stable_id
from tupelo.graph.store.values import asked_days, days_of

duckdb = pytest.importorskip("duckdb")


def test_a_graph_written_through_the_store_is_sound(harbour):
    with open_graph(harbour) as store:
        assert store.problems() == []
        assert store.count("edges") == 14
        assert store.count("neighbours") == 28


def test_duckdb_draws_no_bar_into_the_answers(harbour):
    for opened in (open_graph, open_for_update):
        with opened(harbour) as store:
            assert store.rows("SELECT current_setting('enable_progress_bar')") == [(False,)]


def test_problems_are_found(tmp_path):
    with create(tmp_path / "g.duckdb") as store:
        fill(store, HARBOUR)
        with store.transaction():
            derive(store)
        store.connection.execute("DELETE FROM relations WHERE name = 'paints'")
        store.connection.execute("INSERT INTO types SELECT * FROM types WHERE name = 'place'")
        found = store.problems()
    assert found == [
        "types: 1 value(s) of (type_id) occur twice",
        "statements: 1 row(s) whose relation_id is not in relations",
        "provenance: 1 row(s) whose relation_id is not in relations",
    ]


@pytest.mark.parametrize(
    ("version", "advice"),
    [(99, "A newer Tupelo wrote it; update this one."), (3, "Build it again from its documents.")],
)
def test_a_file_of_another_version_is_refused(tmp_path, capsys, version, advice):
    path = write_graph(tmp_path / "g.duckdb")
    with duckdb.connect(str(path)) as plain:
        plain.execute(f"UPDATE graph_format SET version = {version}")
    outcome = run(capsys, "graph", "stats", path)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert f"g.duckdb: graph of version {version}, expected {SCHEMA_VERSION}. {advice}" in outcome.err
    with pytest.raises(InputError, match=f"graph of version {version}, expected {SCHEMA_VERSION}"):
        open_for_update(path)


@pytest.mark.parametrize("fault", ["text", "empty", "sqlite", "duckdb", "missing", "folder", "cut"])
def test_a_foreign_file_is_named_in_one_line(tmp_path, capsys, fault):
    path = tmp_path / "x.duckdb"
    if fault == "text":
        path.write_text("not a database\n" * 1000)
    elif fault == "sqlite":
        path.write_bytes(b"SQLite format 3\0" + bytes(5000))
    elif fault == "duckdb":
        with duckdb.connect(str(path)) as plain:
            plain.execute("CREATE TABLE t (i INTEGER)")
    elif fault == "folder":
        path.mkdir()
    elif fault == "empty":
        path.touch()
    elif fault == "cut":
        write_graph(path)
        path.write_bytes(path.read_bytes()[:5000])
    outcome = run(capsys, "graph", "stats", path)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "x.duckdb: " in outcome.err
    assert "expected a " in outcome.err
    with pytest.raises(InputError, match=r"x\.duckdb: .*expected a "):
        open_graph(path)


@pytest.mark.process
def test_several_processes_read_at_once_and_a_writer_is_told_to_wait(harbour):
    reader = (
        "import sys; from tupelo.graph.store.file import open_graph; s = open_graph(sys.argv[1]); "
        "print(s.count('edges'), flush=True); sys.stdin.read()"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", reader, str(harbour)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "14\n"
        with open_graph(harbour) as store:
            assert store.count("edges") == 14
        with pytest.raises(InputError, match="another process"):
            open_for_update(harbour)
    finally:
        for process in processes:
            process.communicate()


def test_an_existing_file_is_not_overwritten(harbour):
    with pytest.raises(InputError, match="exists already"):
        create(harbour)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "COPY edges TO '/tmp/edges.csv'",
        "ATTACH '/tmp/other.duckdb'",
        "EXPORT DATABASE '/tmp/all'",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "INSTALL httpfs",
        "LOAD httpfs",
        "DELETE FROM edges",
        "CREATE TABLE mine (i INTEGER)",
        "UPDATE graph_format SET version = 1",
    ],
)
def test_a_graph_open_for_reading_reaches_nothing_else(harbour, statement):
    with open_graph(harbour) as store, pytest.raises(duckdb.Error):
        store.rows(statement)


def test_what_fails_inside_a_transaction_is_undone(tmp_path):
    with create(tmp_path / "g.duckdb") as store:
        with suppress(RuntimeError), store.transaction():
            store.insert("types", [{"type_id": "t", "name": "place"}])
            raise RuntimeError
        assert store.count("types") == 0


@given(st.lists(st.text(), min_size=1), st.lists(st.text(), min_size=1))
def test_ids_depend_on_the_parts_alone(first, second):
    assert stable_id(*first) == stable_id(*first)
    if first != second and not any("\x1f" in part for part in first + second):
        assert stable_id(*first) != stable_id(*second)


def test_ids_are_the_same_in_sql():
    [(found,)] = duckdb.sql("SELECT substr(sha256(concat_ws(chr(31), 'entity', 'Zoë')), 1, 24)").fetchall()
    assert found == stable_id("entity", "Zoë")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in 1998", date(1998, 1, 1), date(1998, 12, 31)),
        ("in November 1998", date(1998, 11, 1), date(1998, 11, 30)),
        ("On Sept. 3rd, 2004", date(2004, 9, 3), date(2004, 9, 3)),
        ("29 February 2000", date(2000, 2, 29), date(2000, 2, 29)),
        ("from 1914 to 1918", date(1914, 1, 1), date(1918, 12, 31)),
        ("1914–1918", date(1914, 1, 1), date(1918, 12, 31)),
        ("(1914-1918)", date(1914, 1, 1), date(1918, 12, 31)),
        ("the 1990-1991 season", date(1990, 1, 1), date(1991, 12, 31)),
        ("the 1920s", date(1920, 1, 1), date(1929, 12, 31)),
        ("in the 10th century", date(901, 1, 1), date(1000, 12, 31)),
        ("in the 19th century", date(1801, 1, 1), date(1900, 12, 31)),
        ("2026-11-15", date(2026, 11, 15), date(2026, 11, 15)),
        ("last week (2024-02-26 to 2024-03-03)", date(2024, 2, 26), date(2024, 3, 3)),
    ],
)
def test_times_with_a_year_have_days(text, first, last):
    assert days_of(text) == (first, last)


@pytest.mark.parametrize("text", ["", "yesterday", "for 12 years", "1,998 ships", "A1998", "1918 to 1914"])
def test_other_times_have_none(text):
    assert days_of(text) is None


@pytest.mark.parametrize("text", ["30 February 2001", "31 June 1999", "June 31, 1999", "2001-02-30"])
def test_impossible_dates_are_no_other_dates(text):
    assert days_of(text) is None
    assert days_of(f"3 May 2001 to {text}") == (date(2001, 5, 3), date(2001, 5, 3))


@pytest.mark.parametrize(("text", "first"), [("2004-5", date(2004, 5, 1)), ("2004-05-3", date(2004, 5, 3))])
def test_months_of_queries_need_no_zero(text, first):
    assert asked_days(text)[0] == first


@given(st.text())
def test_any_wording_of_time_is_survived(text):
    days = days_of(text)
    assert days is None or days[0] <= days[1]
