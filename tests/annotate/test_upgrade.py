"""A database of an older version becomes one of ours: the tables of a new one, with everything that was in it."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest
from sqlalchemy import Engine, inspect, text

from tests.annotate import versions
from tests.annotate.serving import OPEN, PASSWORD, START, Clock, Setting, live
from tupelo.annotate.database import open_database
from tupelo.annotate.desk import make_desk
from tupelo.annotate.export import export
from tupelo.annotate.project import read_project
from tupelo.annotate.schema import TRIGGERS, VERSION, metadata

OLD = range(1, VERSION)
TOML = f'[project]\nname = "Trial"\ntask = "accuracy"\n{versions.TOML}'


@pytest.fixture(params=OLD)
def old(request, tmp_path, address):
    """The address of a database as an older Tupelo left it."""
    where = address or f"sqlite:///{tmp_path / 'annotations.sqlite'}"
    versions.restore(versions.dump_of(request.param, "sqlite" if address is None else "postgresql"), where)
    return where


def shape(engine: Engine) -> dict[str, Any]:
    """Everything that a database says about its tables, in an order of its own."""
    found: dict[str, Any] = {}
    looked = inspect(engine)
    for table in looked.get_table_names():
        columns = [(c["name"], str(c["type"]), c["nullable"], c["default"]) for c in looked.get_columns(table)]
        checks = looked.get_check_constraints(table)
        found[table] = {
            "columns": columns,
            "key": looked.get_pk_constraint(table)["constrained_columns"],
            "foreign": sorted(
                (f["constrained_columns"], f["referred_table"]) for f in looked.get_foreign_keys(table)
            ),
            "unique": sorted(u["column_names"] for u in looked.get_unique_constraints(table)),
            # PostgreSQL words a condition anew when it is restored; the values in it stay.
            "checks": sorted((c["name"], re.findall(r"'\w+'|\d+", c["sqltext"])) for c in checks),
            "indexes": sorted((i["name"], i["column_names"], i["unique"]) for i in looked.get_indexes(table)),
        }
    if engine.dialect.name == "sqlite":
        triggers = "select name, sql from sqlite_master where type = 'trigger' order by name"
    else:
        triggers = (
            "select pg_get_triggerdef(t.oid), pg_get_functiondef(t.tgfoid) from pg_trigger t "
            "where not tgisinternal order by tgname"
        )
    with engine.connect() as connection:
        found["triggers"] = [tuple(row) for row in connection.execute(text(triggers))]
    return found


def rows(engine: Engine, table: str) -> list[tuple[Any, ...]]:
    """The rows of a table, without columns that version 1 did not have."""
    names = ", ".join(
        f'"{c.name}"' for c in metadata.tables[table].columns if (table, c.name) != ("people", "erased")
    )
    with engine.connect() as connection:
        return sorted((tuple(row) for row in connection.execute(text(f"select {names} from {table}"))), key=repr)


def test_an_old_database_becomes_what_a_new_one_is(old, tmp_path, request):
    from tests.annotate.postgres import new_database

    fresh_address = (
        f"sqlite:///{tmp_path / 'fresh.sqlite'}"
        if old.startswith("sqlite")
        else new_database(request.getfixturevalue("postgres_server"))
    )
    opened, fresh = open_database(old), open_database(fresh_address, create=True)
    OPEN.extend((opened, fresh))
    ours, theirs = shape(opened._engine), shape(fresh._engine)
    assert len(ours["triggers"]) == (3 if old.startswith("sqlite") else 2)
    assert ours == theirs
    assert set(ours) >= set(metadata.tables)


def test_nothing_is_lost_on_the_way(old):
    from sqlalchemy import create_engine

    plain = create_engine(old.replace("postgresql://", "postgresql+psycopg://"))
    tables = [name for name in metadata.tables if name not in ("tokens", "meta")]
    before = {table: rows(plain, table) for table in tables}
    assert all(before.values())
    OPEN.append(open_database(old))
    assert {table: rows(plain, table) for table in tables} == before
    plain.dispose()


def test_everything_works_on_an_old_database(old, tmp_path):
    clock = Clock()
    clock.time = START + 600_000
    database = open_database(old)
    OPEN.append(database)
    desk = make_desk(read_project(tmp_path, TOML), database, now=clock, password_cost=2)
    with live(Setting(desk, clock, tmp_path)) as server:
        ann, ada = server.visitor(), server.visitor()
        assert ann.login("ann berg").status == 200
        assert ada.login("Ada", PASSWORD).status == 200
        # The returned batch is there with its remark; a new answer to it counts.
        given = ann.post("/api/assignments").body["assignment"]
        assert (given["state"], given["comment"]) == ("returned", "Ann Berg, look again")
        assert ann.hand_in(given, {"score": 2}).status == 200
        for path in ("dashboard", "people", "items", "items/p0", "agreement", "adjudications", "invitations"):
            assert ada.get(f"/api/{path}").status == 200, path
        assert ada.get("/api/export?what=records").data.count(b"\n") > 20
        assert server.enter("New").get("/api/progress").status == 200
    made = desk.read(export, names=True, what="answers")
    assert b'"Ann Berg"' in made.data


def test_a_file_is_copied_before_it_is_changed(tmp_path):
    file = tmp_path / "annotations.sqlite"
    versions.restore(versions.dump_of(1, "sqlite"), f"sqlite:///{file}")
    OPEN.append(open_database(f"sqlite:///{file}"))
    copy = tmp_path / f"annotations.sqlite.before-v{VERSION}"
    assert copy.stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(copy) as connection:
        assert connection.execute("select value from meta where key = 'version'").fetchone() == ("1",)
        assert connection.execute("select count(*) from people").fetchone() == (4,)
    connection.close()
    # Not again, for a file that is up to date.
    copy.unlink()
    OPEN.append(open_database(f"sqlite:///{file}"))
    assert sorted(path.name for path in tmp_path.iterdir() if "before" in path.name) == []


def test_every_older_version_has_its_fixture():
    for version in OLD:
        for kind in TRIGGERS:
            assert versions.dump_of(version, kind)
