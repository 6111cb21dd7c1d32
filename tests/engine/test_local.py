from __future__ import annotations

import json
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pyarrow.parquet as pq  # noqa: TID253
import pytest

from tests.engine.parts import Rows, SplitWords, partitions
from tupelo.core import InputError
from tupelo.core.stages import Step, StepError
from tupelo.engine import open_engine
from tupelo.engine.local import LocalEngine
from tupelo.io.workspace import FolderWorkspace

COUNT = Step("counts", "select word, count(*) as n from words group by word order by word")


@pytest.fixture
def workspace(tmp_path):
    return FolderWorkspace(str(tmp_path / "work"))


def rows_of(table):
    return [row for file in table.files for row in pq.read_table(file).to_pylist()]


def content(workspace):
    root = Path(workspace.root)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_stage_runs_over_partitions_in_their_order(workspace):
    done = []
    table = LocalEngine(workspace).run(SplitWords(), partitions(), done.append)
    assert [row["id"] for row in rows_of(table)][:8] == ["0.0"] * 4 + ["0.1"] * 4
    assert (table.rows, table.failures, sum(done)) == (4 * 7 * 4, [], 4)


@pytest.mark.process
def test_a_pool_gives_the_same_bytes_as_one_process(workspace, tmp_path):
    other = FolderWorkspace(str(tmp_path / "other"))
    LocalEngine(workspace).run(SplitWords(), partitions())
    LocalEngine(other, workers=2).run(SplitWords(), partitions())
    assert content(workspace) == content(other) != {}


def test_finished_partitions_are_found_again_and_unfinished_ones_made(workspace):
    engine = LocalEngine(workspace)
    engine.run(SplitWords(), partitions())
    before = content(workspace)
    data = sorted(Path(workspace.root).rglob("*.parquet"))
    stamp = data[0].stat().st_mtime_ns
    data[1].with_suffix(".json").unlink()  # killed between data and manifest
    data[2].write_bytes(b"half")  # a disk that lost its end
    (data[3].parent / f".{data[3].name}.x.parquet").write_bytes(b"litter")
    engine.run(SplitWords(), partitions())
    workspace.sweep()
    assert content(workspace) == before
    assert data[0].stat().st_mtime_ns == stamp


def test_another_version_option_or_content_is_other_work(workspace):
    engine = LocalEngine(workspace)
    names = set()
    for stage in (SplitWords(), SplitWords(version="2"), SplitWords(options={"case": "fold"})):
        names |= {part.name for part in engine.run(stage, [Rows("a", ()), Rows("b", ())]).parts}
    assert len(names) == 6


def test_failing_records_are_reported_and_the_others_kept(workspace):
    lines = tuple((str(number), "crash" if number in (2, 3, 9) else "fine") for number in range(10))
    table = LocalEngine(workspace).run(
        SplitWords(), [Rows("a", lines), Rows("b", (("x", "complain"), ("y", "good")))]
    )
    assert [row["id"] for row in rows_of(table)] == ["0", "1", "4", "5", "6", "7", "8", "y"]
    assert [str(failure) for failure in table.failures] == [
        "2: ZeroDivisionError: no such word",
        "3: ZeroDivisionError: no such word",
        "9: ZeroDivisionError: no such word",
        "x: not a word",
    ]
    again = LocalEngine(workspace).run(SplitWords(), [Rows("a", lines)])
    assert len(again.failures) == 3, "failures are kept with the finished partition"


def test_an_input_that_breaks_is_reported_and_what_came_before_kept(workspace):
    table = LocalEngine(workspace).run(
        SplitWords(), [Rows("a.gz", (("1", "one"),), fault="a.gz:2: broken gzip data")]
    )
    assert [row["word"] for row in rows_of(table)] == ["one"]
    assert [str(failure) for failure in table.failures] == ["a.gz:2: broken gzip data"]


@pytest.mark.process
def test_a_record_that_kills_its_process_does_not_sink_the_run(workspace):
    deadly = Rows("deadly", (("1", "kill"),))
    table = LocalEngine(workspace, workers=2).run(SplitWords(), [*partitions(3), deadly, *partitions(5)[3:]])
    assert table.rows == 5 * 7 * 4
    assert [failure.record for failure in table.failures] == ["deadly"]
    assert "killed" in table.failures[0].reason


@pytest.mark.process
def test_processes_serve_the_next_stage_and_end_before_steps(workspace):
    others = set(active_children())
    engine = LocalEngine(workspace, workers=2)
    words = engine.run(SplitWords(), partitions(1))
    first = set(active_children()) - others
    engine.run(SplitWords(version="2"), partitions(1))
    assert set(active_children()) - others == first
    assert len(first) == 1
    engine.query([COUNT], {"words": words}, ["counts"])
    assert not first & set(active_children())


def test_steps_build_on_tables_and_on_each_other(workspace):
    engine = LocalEngine(workspace)
    words = engine.run(SplitWords(), partitions())
    long = Step("long", "select word, n from counts where length(word) >= $least order by word", {"least": 4})
    found = engine.query([COUNT, long], {"words": words}, ["counts", "long"])
    assert rows_of(found["long"]) == [{"word": "line", "n": 28}]
    assert found["counts"].rows == 9
    before = content(workspace)
    engine.query([COUNT, long], {"words": words}, ["counts", "long"])
    assert content(workspace) == before
    assert engine.query([COUNT, replace(long, parameters={"least": 9})], {"words": words}, ["long"])["long"].rows == 0


def test_a_folder_whose_name_is_a_pattern_is_not_taken_for_others(tmp_path):
    found = []
    for name, text in (("work1", "one"), ("work*", "two three"), ("work[1]", "four five six")):
        engine = LocalEngine(FolderWorkspace(str(tmp_path / name)))
        words = engine.run(SplitWords(), [Rows("a", (("a", text),))])
        count = Step("counts", "select count(*) as n from words")
        found += rows_of(engine.query([count], {"words": words}, ["counts"])["counts"])
    assert found == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_a_step_over_no_partitions_sees_an_empty_table(workspace):
    engine = LocalEngine(workspace)
    assert engine.query([COUNT], {"words": engine.run(SplitWords(), [])}, ["counts"])["counts"].rows == 0


def test_a_failing_step_says_which_one_and_what_it_was(workspace):
    with pytest.raises(StepError, match=r"step 'counts' failed in DuckDB: .*no_such.* Its SQL: select no_such"):
        LocalEngine(workspace).query([Step("counts", "select no_such")], {}, ["counts"])


def test_a_step_that_is_finished_stays_when_a_later_one_fails(workspace):
    engine = LocalEngine(workspace)
    words = engine.run(SplitWords(), partitions())
    lengths = Step("lengths", "select word, length from words")
    bad = Step("bad", "select word::integer as n from lengths")
    with pytest.raises(StepError, match=r"step 'bad' failed in DuckDB: .*line"):
        engine.query([COUNT, lengths, bad], {"words": words}, ["counts", "bad"])
    made = [json.loads(path.read_text("utf-8"))["step"] for path in Path(workspace.root, "steps").glob("*.json")]
    assert made == ["counts"]


def test_a_manifest_says_what_was_made_from_what(workspace):
    LocalEngine(workspace).run(SplitWords(options={"a": 1}), [Rows("key", (("1", "crash"),))])
    manifest = json.loads(next(Path(workspace.root).rglob("*.json")).read_text("utf-8"))
    assert manifest.pop("sizes")
    assert manifest == {
        "stage": "words",
        "version": "1",
        "options": {"a": 1},
        "input": "key",
        "rows": 0,
        "failures": [{"stage": "words", "record": "1", "reason": "ZeroDivisionError: no such word"}],
        "notes": [],
    }


@pytest.mark.parametrize("name", ["", "locale", "http://x", "spark:"])
def test_an_unknown_engine_is_named(name, workspace):
    with pytest.raises(InputError, match="no engine named"):
        open_engine(name, workspace)


def test_a_workspace_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file/work: Not a directory"):
        LocalEngine(FolderWorkspace(str(tmp_path / "file" / "work"))).run(SplitWords(), partitions(1))
