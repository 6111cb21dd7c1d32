"""`tupelo graph build` as people type it, with the shipped model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from tests.cli.runner import run
from tupelo.graph.store.file import open_graph

TEXT = (
    "Ann Lee founded Acme Corporation in Oslo in 1998. She sold it to Globex. Bob did not leave Acme Corporation.\n"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text(TEXT)
    (docs / "b.md").write_text("# News\n\n**Globex** bought Acme Corporation in 2005.\n")
    (docs / "broken.txt").write_bytes(b"\xff")
    (docs / "photo.png").write_bytes(b"x")
    command = ["graph", "build", str(docs), "-o", str(folder / "kg.duckdb"), "--json", "--workers", "1"]
    done = subprocess.run([sys.executable, "-m", "tupelo", *command], capture_output=True, text=True, check=False)
    return folder, done


def edges(path):
    with open_graph(path) as store:
        assert store.problems() == []
        return store.rows(
            "SELECT s.name, relations.lemma, o.name, negated FROM edges "
            "JOIN entities AS s ON subject_id = s.node_id JOIN entities AS o ON object_id = o.node_id "
            "JOIN relations USING (relation_id) ORDER BY ALL"
        )


@pytest.mark.process
def test_a_folder_becomes_a_graph(built):
    folder, result = built
    assert result.returncode == 1
    figures = json.loads(result.stdout)
    assert (figures["added"], figures["failed"]) == (2, 1)
    (group,) = figures["passed_over"]
    assert (group["reason"], group["count"]) == ("not a known kind of document", 1)
    assert figures["failures"][0]["record"] == "docs/broken.txt"
    assert result.stderr == (
        "failed: docs/broken.txt:1: byte 0xff at position 0 is not UTF-8, expected UTF-8 text. "
        "Name its encoding, for example --encoding cp1252.\n"
    )
    found = edges(folder / "kg.duckdb")
    assert ("Ann Lee", "found", "Acme Corporation", False) in found
    assert ("Globex", "buy", "Acme Corporation", False) in found
    assert ("Bob", "leave", "Acme Corporation", True) in found
    assert sorted(os.listdir(folder)) == ["docs", "kg.duckdb"], "nothing else is left behind"


@pytest.mark.model
@pytest.mark.process
def test_building_again_changes_nothing_and_tries_failures_again(built, capsys):
    folder, _ = built
    graph = folder / "kg.duckdb"
    before = graph.read_bytes()
    result = run(capsys, "graph", "build", str(folder / "docs"), "-o", str(graph), "--workers", "1")
    assert result.status == 1
    assert "documents: 0 added, 0 changed, 0 removed, 2 unchanged, 1 failed" in result.out
    assert graph.read_bytes() == before


@pytest.mark.model
@pytest.mark.process
def test_a_killed_build_goes_on_where_it_stopped(tmp_path, capsys):
    docs, graph = tmp_path / "docs", tmp_path / "kg.duckdb"
    docs.mkdir()
    for number in range(6):
        (docs / f"{number}.txt").write_text(TEXT.replace("Oslo", f"Oslo{number}"))
    arguments = ["graph", "build", str(docs), "-o", str(graph), "--workers", "1", "--partition-size", "50"]
    process = subprocess.Popen([sys.executable, "-m", "tupelo", *arguments])
    work = tmp_path / ".kg.duckdb.work"
    while process.poll() is None and len(list(work.glob("statements-*/*.json"))) < 2:
        time.sleep(0.01)
    process.kill()
    process.wait()
    finished = {path: path.stat().st_mtime_ns for path in work.glob("statements-*/[!.]*.json")}
    assert finished
    assert not graph.exists()
    assert run(capsys, *arguments, "--keep-work").status == 0
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in finished.items()), (
        "finished work is not done again"
    )
    other = tmp_path / "other.duckdb"
    assert run(capsys, "graph", "build", str(docs), "-o", str(other), "--workers", "1").status == 0
    assert edges(graph) == edges(other)


@pytest.mark.model
@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}/none", "-o", "{folder}/x.duckdb"], "none: No such file or directory, expected"),
        (["{folder}/docs", "-o", "{folder}/docs"], "docs: is a directory, expected the name of a file"),
        (["{folder}/docs", "-o", "{folder}/docs/a.txt"], "is not a graph, expected a file that"),
        (["{folder}/docs", "-o", "{folder}/none/kg.duckdb"], "expected a place that can be written"),
        (["{folder}/docs", "-o", "{folder}/x.duckdb", "--engine", "lokal"], "no engine named 'lokal'"),
        (["{folder}/docs", "-o", "{folder}/x.duckdb", "--extractor", "rulez"], "Did you mean 'rules'?"),
        (["{folder}/docs", "-o", "{folder}/x.duckdb", "--parser", "none"], "no parser named 'none'"),
        (["{folder}/docs", "-o", "{folder}/x.duckdb", "--extractor", "llm:x"], "cannot run in several processes"),
        (["{folder}/docs", "-o", "{folder}/x.duckdb", "--canonicalizer", "tokns"], "Did you mean 'tokens'?"),
        (["{folder}/docs/photo.png", "-o", "{folder}/x.duckdb"], "not a known kind of document"),
    ],
)
def test_bad_input_is_one_clear_line(built, arguments, message, capsys):
    folder, _ = built
    result = run(capsys, "graph", "build", *(part.format(folder=folder) for part in arguments))
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err
    assert not (folder / "x.duckdb").exists()


@pytest.mark.model
@pytest.mark.process
def test_two_builds_cannot_write_one_graph(built, tmp_path, capsys):
    from tupelo.io.workspace import alone

    folder, _ = built
    graph = tmp_path / "kg.duckdb"
    with alone(graph):
        result = run(capsys, "graph", "build", str(folder / "docs"), "-o", str(graph), "--workers", "1")
    assert result.status == 2
    assert "kg.duckdb: another process is building it, expected to be alone." in result.err
    assert os.listdir(tmp_path) == []


@pytest.mark.model
def test_what_is_passed_over_is_said_and_nothing_at_all_is_exit_status_1(tmp_path, capsys):
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("README", "a.png", "b.png"):
        (docs / name).write_bytes(b"x")
    (docs / "latin.txt").write_bytes("Zoë Lee founded Acme.".encode("latin-1"))
    graph = str(tmp_path / "kg.duckdb")
    command = ("graph", "build", str(docs), "-o", graph, "--workers", "1")
    result = run(capsys, *command)
    assert result.status == 1
    assert "3 passed over, not a known kind of document: docs/README, docs/a.png, docs/b.png" in result.out
    assert "failed: docs/latin.txt:1: byte 0xeb at position 2 is not UTF-8" in result.err
    assert "nothing could be read" in result.err
    # With the encoding it is read; the graph keeps it when the folder becomes empty by mistake.
    result = run(capsys, *command, "--encoding", "latin-1", "--json")
    figures = json.loads(result.out)
    assert (result.status, figures["added"], figures["failed"]) == (0, 1, 0)
    assert figures["passed_over"] == [
        {
            "reason": "not a known kind of document",
            "count": 3,
            "examples": ["docs/README", "docs/a.png", "docs/b.png"],
        }
    ]
    (docs / "latin.txt").unlink()
    result = run(capsys, *command, "--encoding", "latin-1")
    assert result.status == 1
    assert "1 documents" in result.out


@pytest.mark.model
def test_a_limit_of_the_command_line_is_kept_and_told(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("Ann Lee founded Acme in Oslo.")
    command = ("graph", "build", str(tmp_path / "a.txt"), "-o", str(tmp_path / "kg.duckdb"), "--workers", "1")
    result = run(capsys, *command, "--max", "document=10")
    assert result.status == 1
    assert "failed: a.txt: a larger document, expected at most 10 (limit document)" in result.err
    result = run(capsys, *command, "--max", "documents=10")
    assert result.status == 2
    assert "no limit named 'documents'. Did you mean 'document'?" in result.err
    assert run(capsys, *command, "--max", "document=1KB").status == 0
