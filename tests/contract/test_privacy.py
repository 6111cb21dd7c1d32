"""Nothing leaves the machine, and nothing is written but the named outputs, temporary files and our own cache.

Commands run under strace with an empty home folder; `docs/privacy.md` describes what these tests enforce.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.tracing import Trace, trace

ROOT = Path(__file__).resolve().parents[2]
# Semaphores between the processes of a pool, which exist in memory only, and the device that swallows everything.
MEMORY = ("/dev/shm", "/dev/null")
# What a browser fetches by itself when it shows a page.
FROM_ELSEWHERE = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\bhttps?:|url\([\"' ]*https?:|@import", re.IGNORECASE)
TEXT = """\
Marie Curie, a physicist, won the Nobel Prize in 1903. She was born in Warsaw.
The Nobel Prize was founded by Alfred Nobel.
"""
PAGE = "<html><title>Ferry</title><p>The ferry reached Lindvik on Monday. Lindvik is a harbour.</p></html>"
TRIPLES = """\
Marie Curie\twon\tthe Nobel Prize\tMarie Curie won the Nobel Prize.
Curie\treceived\tthe Nobel Prize\tCurie received the Nobel Prize.
Alfred Nobel\tfounded\tthe prize\tAlfred Nobel founded the prize.
"""

# What is run in a folder with `in/` to read and `out/` to write.
COMMANDS = {
    "extract": ["extract", "in/docs/a.txt", "-o", "out/a.jsonl", "--html", "out/a.html"],
    "extract in two processes": ["extract", "in/docs/a.txt", "-o", "out/b.jsonl", "--workers", "2"],
    "canonicalize": ["canonicalize", "in/triples.tsv", "-o", "out/clusters.jsonl", "--review", "out/review.html"],
    "check": ["check", "in/summary.txt", "--source", "in/docs/a.txt", "--html", "out/checked.html"],
    "infer": ["infer", "aspirin, relieves, pain", "pain, is treated with, aspirin"],
    "score": ["score", "carb", "in/gold.tsv", "in/gold.tsv", "--format", "tab"],
    # Draws pictures where it can: matplotlib's list of fonts is in our cache.
    "demo": ["demo", "-o", "out/demo"],
}
# What is run on a graph.
QUESTIONS = {
    "sql": ["graph", "query", "out/kg.duckdb", "--sql", "SELECT name FROM entities WHERE name ILIKE '%curie%'"],
    "export": ["graph", "export", "out/kg.duckdb", "-o", "out/kg.graphml"],
    "show": ["graph", "show", "out/kg.duckdb", "-o", "out/kg.html"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with documents, and empty folders for outputs, temporary files and the user's home."""
    folder = tmp_path_factory.mktemp("private")
    for name in ("in/docs", "out", "tmp", "home"):
        (folder / name).mkdir(parents=True)
    (folder / "in/docs/a.txt").write_text(TEXT)
    (folder / "in/docs/b.html").write_text(PAGE)
    (folder / "in/summary.txt").write_text("Marie Curie was born in Paris.\n")
    (folder / "in/triples.tsv").write_text(TRIPLES)
    (folder / "in/gold.tsv").write_text("Ann moved to Oslo.\t0.9\tmoved to\tAnn\tOslo\n")
    return folder


def run(place: Path, *arguments: str, **environment: str) -> Trace:
    """Trace Python in that folder. Nothing of this process's environment is passed on, least of all what we set."""
    shutil.rmtree(place / "home")
    (place / "home").mkdir()
    given = {
        "PATH": os.environ["PATH"],
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "tmp"),
        # As in an installation, where pip has compiled the modules.
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }
    return trace([sys.executable, *arguments], place, given | environment)


def assert_private(place: Path, found: Trace) -> None:
    assert found.conversations() == []
    home = place / "home"
    ours = (home / ".cache/tupelo", place / "out", place / "tmp", *MEMORY)
    assert [path for path in found.changed_outside(*ours) if path != str(home / ".cache")] == []
    assert os.listdir(place / "tmp") == []
    assert [page.name for page in (place / "out").rglob("*.html") if FROM_ELSEWHERE.search(page.read_text())] == []


@pytest.fixture(scope="module")
def built(place) -> Trace:
    """The making of a graph, in two processes."""
    return run(place, "-m", "tupelo", "graph", "build", "in/docs", "-o", "out/kg.duckdb", "--workers", "2")


@pytest.mark.process
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_talks_to_nobody_and_writes_only_what_was_named(place, name):
    found = run(place, "-m", "tupelo", *COMMANDS[name])
    assert found.status == 0, found.err
    assert_private(place, found)


@pytest.mark.process
def test_a_graph_is_built_in_private(place, built):
    assert built.status == 0, built.err
    assert_private(place, built)
    assert {path.name for path in (place / "out").glob("*kg.duckdb*")} == {"kg.duckdb"}


@pytest.mark.process
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_graph_is_read_in_private(place, built, name):
    found = run(place, "-m", "tupelo", *QUESTIONS[name])
    assert found.status == 0, found.err
    assert_private(place, found)


@pytest.mark.process
@pytest.mark.parametrize(
    "sql", ["INSTALL httpfs", "SELECT * FROM 'https://example.org/a.parquet'", "FROM 'in/gold.tsv'"]
)
def test_sql_of_a_user_reaches_no_network_and_no_other_file(place, built, sql):
    found = run(place, "-m", "tupelo", "graph", "query", "out/kg.duckdb", "--sql", sql)
    assert found.status == 2, found.err
    assert_private(place, found)


@pytest.mark.process
@pytest.mark.parametrize("value", ["0", ""])
def test_telemetry_stays_off_whatever_the_environment_says(place, value):
    code = "import tupelo; print(*tupelo.load().extract('Ann moved to Oslo.'))"
    found = run(place, "-c", code, ORT_DISABLE_TELEMETRY=value)
    assert "moved to" in found.out, found.err
    assert_private(place, found)


@pytest.mark.process
def test_a_program_that_talks_and_writes_elsewhere_is_found(place):
    code = (
        "import socket, pathlib; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('127.0.0.1', 9));"
        "pathlib.Path.home().joinpath('id').write_text('x')"
    )
    found = run(place, "-c", code)
    assert [call.partition("(")[0] for call in found.conversations()][:2] == ["socket", "connect"]
    assert found.changed_outside(*MEMORY) == [str(place / "home/id")]


def test_only_one_module_imports_onnxruntime():
    """The package turns telemetry off when it is imported; a module that imports onnxruntime by itself might not."""
    found = {
        str(path.relative_to(ROOT))
        for folder in ("src", "training", "benchmarks", "docs")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^ *(import|from) onnxruntime\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found == {"src/tupelo/nlp/folder.py"}
