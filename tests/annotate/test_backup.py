"""Copies of a project's database, the way back, and databases of other programs."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys

import pytest
from sqlalchemy import select

from tests.annotate.postgres import new_database, programs
from tests.annotate.serving import live, make_setting, pairs
from tests.cli.runner import run
from tupelo.annotate.database import APPLICATION, open_database
from tupelo.annotate.schema import items, people
from tupelo.api.annotation import AnnotationProject
from tupelo.core import InputError

PROJECT = '[project]\nname = "Trial"\ntask = "accuracy"\n'


@pytest.fixture
def project(tmp_path):
    """A folder with a project file and a database of three items."""
    folder = tmp_path / "trial"
    folder.mkdir()
    (folder / "project.toml").write_text(PROJECT)
    make_setting(folder, rows=pairs(3)).desk.database.close()
    return folder


def content(file):
    connection = sqlite3.connect(file)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def test_a_backup_is_the_database_for_its_owner_alone(project, tmp_path, capsys):
    copy = tmp_path / "copy.sqlite"
    copy.write_text("an older backup")
    copy.chmod(0o644)
    assert run(capsys, "annotate", "backup", project, "-o", copy) == (0, "", "")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert content(copy) == content(project / "annotations.sqlite")
    other = tmp_path / "by-library.sqlite"
    AnnotationProject(project).backup(other)
    assert content(other) == content(copy)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["by-library.sqlite", "copy.sqlite", "trial"]


def test_a_backup_of_a_running_server_and_the_way_back(project, tmp_path, capsys):
    copy, new = tmp_path / "copy.sqlite", tmp_path / "new"
    with live(make_setting(project, rows=pairs(3))) as server:
        server.enter("Ann").post("/api/assignments")
        assert run(capsys, "annotate", "backup", project, "-o", copy).status == 0
        assert {path.suffix for path in project.iterdir()} >= {".sqlite-wal", ".sqlite-shm"}
        for path in project.glob("annotations.sqlite*"):
            assert path.stat().st_mode & 0o077 == 0
        server.enter("Bob")
    new.mkdir()
    (new / "project.toml").write_text(PROJECT)
    assert run(capsys, "annotate", "restore", new, copy) == (0, "", "")
    assert stat.S_IMODE((new / "annotations.sqlite").stat().st_mode) == 0o600
    restored = make_setting(new)
    assert [row.name for row in restored.rows(select(people.c.name))] == ["Ann"]
    assert len(restored.rows(select(items))) == 3
    with live(restored) as server:
        assert server.visitor().login("Ann").status == 200


def test_an_existing_database_is_never_replaced(project, tmp_path, capsys):
    copy = tmp_path / "copy.sqlite"
    AnnotationProject(project).backup(copy)
    before = content(project / "annotations.sqlite")
    refused = run(capsys, "annotate", "restore", project, copy)
    assert refused.status == 2
    assert "there is a database already" in refused.err
    assert content(project / "annotations.sqlite") == before
    # A log that an old database left behind would be taken for a part of the new one.
    (project / "annotations.sqlite").unlink()
    (project / "annotations.sqlite-wal").write_bytes(b"left behind")
    refused = run(capsys, "annotate", "restore", project, copy)
    assert refused.status == 2
    assert "annotations.sqlite-wal" in refused.err
    assert not (project / "annotations.sqlite").exists()


def test_what_cannot_be_backed_up_is_one_line_and_leaves_nothing(project, tmp_path, capsys):
    file = project / "annotations.sqlite"
    for output, message in [(file, "is the database itself"), (tmp_path, "directory"), ("/nowhere/x", "/nowhere/x")]:
        refused = run(capsys, "annotate", "backup", project, "-o", output)
        assert (refused.status, len(refused.err.splitlines())) == (2, 1)
        assert message in refused.err
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4096] = b"\xff" * 4096
    file.write_bytes(data)
    refused = run(capsys, "annotate", "backup", project, "-o", tmp_path / "copy.sqlite")
    assert (refused.status, len(refused.err.splitlines())) == (2, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["trial"]


def test_a_backup_that_is_none_is_refused(tmp_path, capsys):
    (tmp_path / "project.toml").write_text(PROJECT)
    (tmp_path / "text").write_text("no database, but long enough to be looked at as one")
    sqlite3.connect(tmp_path / "other.sqlite").execute("create table birds (name)").connection.close()
    for name in ("text", "other.sqlite", "missing"):
        refused = run(capsys, "annotate", "restore", tmp_path, tmp_path / name)
        assert (refused.status, len(refused.err.splitlines())) == (2, 1)
        assert name in refused.err
    assert not (tmp_path / "annotations.sqlite").exists()
    assert run(capsys, "annotate", "backup", tmp_path, "-o", tmp_path / "copy").status == 2
    assert not (tmp_path / "annotations.sqlite").exists()


@pytest.mark.process
def test_postgresql_has_a_program_of_its_own(tmp_path, capsys, postgres_server):
    """The commands that the messages name are run here, and bring everything back."""
    first, second = new_database(postgres_server), new_database(postgres_server)
    (tmp_path / "project.toml").write_text(PROJECT)
    make_setting(tmp_path, rows=pairs(2), address=first).desk.database.close()
    refused = run(capsys, "annotate", "backup", tmp_path, "-o", tmp_path / "x", "--database", first)
    assert refused.status == 2
    assert "pg_dump --format=custom --file=FILE DATABASE" in refused.err
    refused = run(capsys, "annotate", "restore", tmp_path, tmp_path / "x", "--database", second)
    assert "pg_restore --dbname=DATABASE FILE" in refused.err
    file = str(tmp_path / "x")
    subprocess.run([programs() / "pg_dump", "--format=custom", f"--file={file}", first], check=True)
    subprocess.run([programs() / "pg_restore", f"--dbname={second}", file], check=True)
    restored = make_setting(tmp_path, address=second)
    assert len(restored.rows(select(items))) == 2


@pytest.mark.process
@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize(
    "statements",
    [
        ["create table birds (name)", "insert into birds values ('owl')"],
        ["create table meta (key, value)", "create table people (id)"],
        ["pragma application_id = 7", "create table x (y)"],
        ["pragma application_id = 7", "create table x (y)", "drop table x"],
    ],
)
def test_a_database_of_another_program_is_refused_and_stays_as_it_is(tmp_path, capsys, mode, statements):
    (tmp_path / "project.toml").write_text(PROJECT)
    file = tmp_path / "annotations.sqlite"
    other = sqlite3.connect(file)
    for statement in [f"pragma journal_mode = {mode}", *statements]:
        other.execute(statement)
    other.commit()
    other.close()
    file.chmod(0o644)
    before = (file.read_bytes(), file.stat().st_mode, sorted(tmp_path.iterdir()))
    command = [sys.executable, "-m", "tupelo", "annotate", "serve", tmp_path, "--port", "0"]
    if statements[0].startswith("create table birds") and mode == "wal":
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (2, "")
        assert "another program" in done.stderr
    with pytest.raises(InputError, match="another program"):
        open_database(f"sqlite:///{file}", create=True)
    assert run(capsys, "annotate", "export", tmp_path).status == 2
    assert (file.read_bytes(), file.stat().st_mode, sorted(tmp_path.iterdir())) == before


@pytest.mark.process
def test_a_postgresql_database_of_another_program_is_refused(postgres_server):
    import psycopg

    address = new_database(postgres_server)
    with psycopg.connect(address) as connection:
        connection.execute("create table birds (name text)")
    with pytest.raises(InputError, match="another program"):
        open_database(address, create=True)
    with psycopg.connect(address) as connection:
        found = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
    assert found == [("birds",)]


def test_an_empty_file_is_taken_and_a_project_without_the_mark_gets_it(project):
    file = project / "annotations.sqlite"
    unmarked = sqlite3.connect(file)
    assert unmarked.execute("pragma application_id").fetchone() == (APPLICATION,)
    unmarked.execute("pragma application_id = 0")
    unmarked.close()
    assert len(make_setting(project).rows(select(items))) == 3
    marked = sqlite3.connect(file)
    assert marked.execute("pragma application_id").fetchone() == (APPLICATION,)
    marked.close()
    (project / "empty.sqlite").touch()
    open_database(f"sqlite:///{project / 'empty.sqlite'}", create=True).close()
