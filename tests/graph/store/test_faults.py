"""Faults of disks, files and questions: one clear line, and nothing hangs."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run
from tests.graph.build.test_build import Graph as StandIn
from tests.graph.store.test_damaged import DAMAGED, flipped
from tupelo.api.graph import Graph
from tupelo.core import InputError, UnknownNameError
from tupelo.graph.query import lookup
from tupelo.graph.query.pattern import MOST_WORDS
from tupelo.graph.store.file import open_for_update, open_graph, writing_faults
from tupelo.graph.store.schema import TABLES
from tupelo.io.workspace import replacement

pq = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")
NO_TEXT = "bytes that are not UTF-8, or half a surrogate pair, expected text"


@pytest.mark.parametrize("form", ["parquet", "neo4j"])
def test_an_export_onto_a_full_disk_ends_and_the_graph_can_be_used(form, harbour, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_batch", full)
    monkeypatch.setattr("tupelo.graph.export.tables._csv", lambda columns, rows: (full() for _ in rows))
    with Graph.open(harbour) as graph:
        with pytest.raises(InputError, match="No space left on device"):
            graph.export(tmp_path / "out", form)
        assert graph.stats().sizes["edges"]


def test_a_stream_of_a_graph_that_is_closed_ends_with_an_error(harbour):
    store = open_graph(harbour)
    stream = store.batches("SELECT * FROM sentences", 1)
    next(stream)
    store.close()
    with pytest.raises(InputError, match="the graph is closed"):
        list(stream)
    with open_graph(harbour) as again:
        assert again.count("sentences")


def test_a_lack_of_memory_is_no_lack_of_room():
    with pytest.raises(InputError, match=r"kg: .*, expected more memory"), writing_faults("kg"):
        duckdb.connect(config={"memory_limit": "5MB", "max_temp_directory_size": "0B"}).execute(
            "SELECT list(hash(i)) FROM range(3_000_000) AS numbers(i)"
        )


@pytest.mark.slow
def test_a_change_never_builds_on_damage_and_names_the_file_that_the_user_named(tmp_path):
    stand_in = StandIn(tmp_path / "docs")
    stand_in.build({f"d{number}": f"Brava{number} left Oslo. Vestas founded Acme{number}." for number in range(20)})
    data = stand_in.path.read_bytes()
    file, refused = tmp_path / "kg.duckdb", []
    for place in range(12_288 + 4096, len(data), 131_072):
        file.write_bytes(flipped(data, place))
        try:
            with replacement(file) as draft:
                draft.wanted = False
                with open_for_update(draft.path) as store:
                    # Whatever is left in order can be read, all of it.
                    for table in TABLES:
                        store.rows(f"SELECT * FROM {table.name}")
        except InputError as error:
            refused.append(str(error))
    assert len(refused) > 5
    assert set(refused) == {f"{file}: {DAMAGED}"}


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A graph in which nothing is stated."""
    graph = StandIn(tmp_path_factory.mktemp("empty"))
    graph.build({"a": "Hello."})
    return graph.path


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["query", "? ? ?", "--stance", "all"], 0),
        (["query", "?who ?does ?what", "--infer"], 0),
        (["query", "?who founded ?what"], 2),
        (["query", "--neighbours", "Ann"], 2),
        (["query", "--search", "hello"], 0),
        (["stats", "--communities", "--check"], 0),
        (["report"], 0),
        (["export", "--format", "turtle"], 0),
    ],
)
def test_a_graph_without_statements_answers(empty, arguments, status, capsys):
    command, *rest = arguments
    outcome = run(capsys, "graph", command, str(empty), *rest)
    assert outcome.status == status
    assert "Traceback" not in outcome.err


def test_a_month_is_a_number_in_plain_digits(harbour, capsys):
    outcome = run(capsys, "graph", "query", str(harbour), "? ? ?", "--since", "2005-²")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "'2005-²' is no time, expected a year, month or day" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [["?who founded \udcff"], ["--search", "\udcff"], ["--neighbours", "\udcff"], ["--sql", "SELECT '\udcff'"]],
)
def test_bytes_that_are_no_text_are_refused(harbour, arguments, capsys):
    outcome = run(capsys, "graph", "query", str(harbour), *arguments)
    assert (outcome.status, outcome.err) == (2, f"tupelo: {'SQL: ' * ('--sql' in arguments)}{NO_TEXT}\n")


def test_json_has_every_column_and_only_numbers_that_json_has(harbour, capsys):
    sql = "SELECT 'nan'::DOUBLE AS a, ['inf'::DOUBLE, 1.5] AS b, 1 AS x, 2 AS x"
    outcome = run(capsys, "graph", "query", str(harbour), "--sql", sql, "--json")

    def refuse(constant):
        raise AssertionError(constant)

    found = json.loads(outcome.out, parse_constant=refuse)
    assert found["columns"] == ["a", "b", "x", "x_1"]
    assert found["answers"] == [{"a": None, "b": [None, 1.5], "x": 1, "x_1": 2}]


def test_formats_are_listed_without_a_graph(capsys):
    outcome = run(capsys, "graph", "export", "--list")
    assert outcome.status == 0
    assert "parquet" in outcome.out


def test_the_look_ups_of_a_pattern_grow_with_its_words_not_with_its_readings(harbour, monkeypatch):
    asked: list[str] = []
    whole = lookup.find_entities
    monkeypatch.setattr(lookup, "find_entities", lambda store, text: asked.append(text) or whole(store, text))
    monkeypatch.setattr(lookup, "find_relations", lambda *_: pytest.fail("a relation between unknown entities"))
    words = ["nobody"] * MOST_WORDS
    with Graph.open(harbour) as graph:
        with pytest.raises(UnknownNameError):
            graph.query(" ".join(words))
        assert len(asked) <= 2 * MOST_WORDS
        with pytest.raises(InputError, match="a pattern of 40 words, expected at most 24"):
            graph.query(" ".join(["nobody"] * 40))
