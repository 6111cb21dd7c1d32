"""The database: versions, records that only grow, and addresses that cannot be used."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import DatabaseError

from tests.annotate.serving import make_setting, pairs
from tupelo.annotate import schema
from tupelo.annotate.database import open_database
from tupelo.core import InputError
from tupelo.web.guard import Refusal


def test_records_are_never_changed_or_deleted(tmp_path, address):
    setting = make_setting(tmp_path, rows=pairs(1), address=address)
    assert len(setting.rows(select(schema.records))) == 1
    for statement in (update(schema.records).values(kind="other"), delete(schema.records)):
        with pytest.raises(DatabaseError, match="never"):
            setting.desk.database.write(lambda connection, it=statement: connection.execute(it))
    assert setting.rows(select(schema.records))[0].kind == "import"


def test_the_database_itself_refuses_a_place_too_many(tmp_path, address):
    setting = make_setting(tmp_path, rows=pairs(1), address=address)
    with pytest.raises(DatabaseError):
        setting.desk.database.write(lambda connection: connection.execute(update(schema.items).values(open=-1)))


def test_a_refusal_undoes_what_was_written_unless_it_says_keep(tmp_path):
    setting = make_setting(tmp_path)

    def work(keep):
        def act(connection):
            connection.execute(insert(schema.meta).values(key=f"kept {keep}", value="1"))
            raise Refusal("conflict", "no", keep=keep)

        return act

    for keep in (True, False):
        with pytest.raises(Refusal):
            setting.desk.database.write(work(keep))
    assert [row.key for row in setting.rows(select(schema.meta.c.key).where(schema.meta.c.key.like("kept%")))] == [
        "kept True"
    ]


@pytest.mark.parametrize(("version", "which"), [(schema.VERSION + 1, "a newer"), (schema.VERSION - 1, "an older")])
def test_tables_of_another_version_are_refused_and_stay_as_they_are(tmp_path, address, version, which):
    where = address or f"sqlite:///{tmp_path / 'other.sqlite'}"
    opened = open_database(where, create=True)
    key = schema.meta.c.key == "version"
    opened.write(lambda connection: connection.execute(update(schema.meta).where(key).values(value=str(version))))
    with pytest.raises(InputError, match=f"made by {which} Tupelo"):
        open_database(where)
    found = opened.read(lambda connection: connection.execute(select(schema.meta.c.value).where(key)).scalar_one())
    opened.close()
    assert found == str(version)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("mysql://somewhere/x", "expected sqlite or postgresql"),
        ("no address", "cannot be read"),
        ("sqlite:////nowhere/at/all/x.sqlite", "can be written"),
        ("postgresql://user:secret@127.0.0.1:1/x", "can be opened"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_line_without_the_password(where, message):
    with pytest.raises(InputError, match=message) as error:
        open_database(where, create=True)
    assert "secret" not in str(error.value)


def test_a_database_without_a_project_is_not_made_by_accident(tmp_path):
    with pytest.raises(InputError, match="no project"):
        open_database(f"sqlite:///{tmp_path / 'new.sqlite'}")
    (tmp_path / "text.sqlite").write_text("this is no database at all, but long enough to be looked at")
    with pytest.raises(InputError, match="can be opened"):
        open_database(f"sqlite:///{tmp_path / 'text.sqlite'}", create=True)
