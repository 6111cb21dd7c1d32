from __future__ import annotations

import os
from pathlib import Path

import pytest

from tupelo.core import InputError
from tupelo.io.workspace import FolderWorkspace, alone, replacement


def test_a_replacement_takes_the_place_of_the_file_in_one_step(tmp_path):
    target = tmp_path / "a.db"
    target.write_text("old")
    with replacement(target) as draft:
        assert (draft.exists, Path(draft.path).read_text()) == (True, "old")
        Path(draft.path).write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.db"]


def write_and_fail(target, fault):
    with replacement(target) as draft:
        Path(draft.path).write_text("half")
        raise fault


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file(tmp_path, fault):
    target = tmp_path / "a.db"
    target.write_text("old")
    with pytest.raises(fault):
        write_and_fail(target, fault)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.db"]


def test_what_is_not_wanted_changes_nothing(tmp_path):
    with replacement(tmp_path / "a.db") as draft:
        draft.wanted = False
    assert os.listdir(tmp_path) == []


def test_a_log_that_was_not_written_back_means_that_something_is_missing(tmp_path):
    target = tmp_path / "a.db"
    target.write_text("old")
    with pytest.raises(InputError, match="what was written is not complete"), replacement(target) as draft:
        Path(f"{draft.path}.wal").write_text("log")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.db"]


def test_litter_of_a_killed_run_is_not_taken_for_work(tmp_path):
    (tmp_path / ".a.db.new").write_text("half")
    (tmp_path / ".a.db.new.wal").write_text("half")
    with replacement(tmp_path / "a.db") as draft:
        assert not draft.exists
        assert not os.path.exists(draft.path)
        Path(draft.path).write_text("new")
    assert os.listdir(tmp_path) == ["a.db"]


def test_only_one_can_be_alone(tmp_path):
    with (
        alone(tmp_path / "a"),
        pytest.raises(InputError, match="another process is building it"),
        alone(tmp_path / "a"),
    ):
        pass
    with alone(tmp_path / "a"):
        pass


def test_a_draft_that_fails_leaves_no_partition(tmp_path):
    workspace = FolderWorkspace(str(tmp_path))

    def write_half():
        with workspace.draft("stage", "part") as draft:
            Path(draft.path).write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert workspace.find("stage", "part") is None
    assert list(tmp_path.rglob("*.parquet")) == []
    with pytest.raises(InputError, match="a finished partition is gone"):
        workspace.finished("stage", "part")
