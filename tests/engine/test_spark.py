"""The same stages and steps under Spark, in one session."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from tests.cli.runner import run
from tests.cli.test_graph_build import edges
from tests.engine.parts import Rows, SplitWords, partitions
from tests.engine.test_local import content, rows_of
from tupelo.core import InputError
from tupelo.core.stages import Step, StepError
from tupelo.engine import open_engine
from tupelo.engine.local import LocalEngine
from tupelo.engine.spark import spark_sql
from tupelo.io.workspace import FolderWorkspace


def has_java() -> bool:
    places = [Path(os.environ.get("JAVA_HOME", "/nowhere"), "bin"), *map(Path, os.environ["PATH"].split(os.pathsep))]
    return any((place / "java").exists() for place in places)


needs_spark = pytest.mark.skipif(
    importlib.util.find_spec("pyspark") is None or not has_java(), reason="needs the extra 'spark' and Java"
)

STEPS = [
    Step("counts", "select word, count(*) as n, sum(length)::bigint as letters from words group by word"),
    Step(
        "ranked",
        """
        select word, n, letters, substr(sha256(concat_ws(chr(31), 'word', word)), 1, 24) as id
        from counts where len(word) >= $least
        qualify row_number() over (partition by n order by word) = 1
        order by word
        """,
        {"least": 1},
    ),
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    # Everything in this name means something to Spark or to Hadoop, unless it is told otherwise.
    return FolderWorkspace(str(tmp_path_factory.mktemp("spark") / "work [1] {a,b} %20 * \\"))


@pytest.fixture(scope="module")
def engine(workspace, spark_settings):
    engine = open_engine("local[2]", workspace)
    yield engine
    engine.close()


@pytest.mark.process
@pytest.mark.spark
@pytest.mark.filterwarnings("ignore")  # pyspark's own
@needs_spark
def test_spark_gives_what_the_local_engine_gives(engine, workspace, tmp_path):
    local_workspace = FolderWorkspace(str(tmp_path / "local"))
    local = LocalEngine(local_workspace)
    work = [*partitions(), Rows("bad", (("a", "crash"), ("b", "complain"), ("c", "fine"))), Rows("none", ())]
    done: list[int] = []
    words, same_words = engine.run(SplitWords(), work, done.append), local.run(SplitWords(), work)
    assert sum(done) == len(work)
    assert content(workspace) == content(local_workspace) != {}
    assert words.failures == same_words.failures != []

    found = engine.query(STEPS, {"words": words}, ["counts", "ranked"])
    expected = local.query(STEPS, {"words": same_words}, ["counts", "ranked"])
    assert rows_of(found["ranked"]) == rows_of(expected["ranked"]) != []

    def as_set(table):
        return {tuple(row.items()) for row in rows_of(table)}

    assert as_set(found["counts"]) == as_set(expected["counts"])
    empty = engine.run(SplitWords(), [])
    assert engine.query(STEPS[:1], {"words": empty}, ["counts"])["counts"].rows == 0

    before = content(workspace)
    engine.run(SplitWords(), work)
    engine.query(STEPS, {"words": words}, ["counts", "ranked"])
    assert content(workspace) == before, "finished work is not done again"

    with pytest.raises(StepError, match="step 'counts' failed in Spark as SELECT no_such"):
        engine.query([Step("counts", "select no_such")], {}, ["counts"])
    lost = open_engine("local[2]", FolderWorkspace("/proc/tupelo"))
    with pytest.raises(InputError, match="/proc/tupelo: No such file or directory"):
        lost.run(SplitWords(), partitions(1))


def test_a_step_is_translated_with_its_parameters():
    assert spark_sql(STEPS[1]).count(":least") == 1


@pytest.mark.parametrize("sql", ["select from where", "select 1; select 2"])
def test_sql_that_cannot_be_translated_is_named(sql):
    with pytest.raises(StepError, match="step 'x' failed in the translation to Spark SQL"):
        spark_sql(Step("x", sql))


@pytest.mark.process
@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.model
@pytest.mark.filterwarnings("ignore")  # pyspark's own
@needs_spark
@pytest.mark.usefixtures("engine")
def test_the_command_builds_the_same_graph_lists_what_failed_and_exits_with_1(tmp_path, capsys):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.html").write_bytes(b"<p>Ann \x00 left Oslo.</p>")
    (docs / "b.txt").write_text("Ann Lee founded Acme in Oslo. She sold it to Globex.")
    made = []
    for name, *options in (("spark", "--engine", "local[2]"), ("local", "--workers", "1")):
        graph = str(tmp_path / f"{name}.duckdb")
        result = run(capsys, "graph", "build", str(docs), "-o", graph, *options)
        assert result.status == 1
        assert "1 added" in result.out
        assert "1 failed" in result.out
        assert "docs/a.html" in result.err
        assert "docs/a.html" in run(capsys, "graph", "stats", graph).out
        made.append(edges(graph))
    assert made[0] == made[1] != []
