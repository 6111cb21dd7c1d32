"""A small project with something in every table, and its database as text: one dump for each version and system.

`python -m tests.annotate.versions` writes the dumps of the present version. Those of older versions are never made
again: they are what people have on their disks.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from tests.annotate import postgres
from tests.annotate.serving import PASSWORD, Setting, make_setting, pairs
from tupelo.annotate import adjudication, batches, people, work
from tupelo.annotate.items import stock_up
from tupelo.annotate.schema import VERSION

FOLDER = Path(__file__).parent
TOML = """overlap = 2
batch_size = 2
[review]
sample = 1.0
reviewers = 1
[controls]
share = 0.0
"""
PEOPLE = {"Ann Berg": "annotator", "Bo": "annotator", "Rita": "reviewer", "Ada": "admin"}


def dump_of(version: int, kind: str) -> str:
    """The database of a version, as statements; `kind` is sqlite or postgresql."""
    return (FOLDER / f"v{version}-{kind}.sql").read_text("utf-8")


def restore(text: str, address: str) -> None:
    """Fill an empty database with a dump."""
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        with sqlite3.connect(str(url.database)) as connection:
            connection.executescript(text)
        connection.close()
        return
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(text.encode())


def fill(setting: Setting) -> None:
    """Two people rate three items, a reviewer returns a batch with a remark and decides, an admin changes a role."""
    desk = setting.desk
    stock_up(desk)
    for number, (name, role) in enumerate(PEOPLE.items()):
        _, token = people.make_link(desk, role, label=f"for {name}")
        people.accept_invitation(desk, token, name, PASSWORD, f"crowd-{number}")
        setting.clock.forward(1)
    ann, bo, rita, ada = (_person(setting, name) for name in PEOPLE)
    for person, scores in ((ann, (5, 1)), (bo, (4, 2))):
        given = setting.write(work.next_for, person)["assignment"]
        for turn, score in enumerate(scores):
            setting.clock.forward(1)
            answer = {"score": score, "note": f"as {person.name} sees it"}
            arguments = (given["id"], f"{person.id}-answer-{turn}", given["version"], answer, 12.5)
            given = setting.write(work.hand_in, person, *arguments)["next"]
        if person is ann and given is not None:
            setting.write(work.save_draft, person, given["id"], 1, {"score": 3})
            setting.write(work.skip, person, given["id"], "ann-skips-this", 0, "Ann Berg does not understand it")
    check = setting.write(batches.next_review, rita)
    for turn, right in enumerate((False, True)):
        decision = {"right": right, "comment": "Ann Berg, look again", "answer": None}
        check = setting.write(batches.review, rita, check["id"], f"review-{turn}", decision)["review"]
    arguments = ("p0", "decision-1", 0, {"score": 4}, "Ann Berg was too kind")
    setting.write(adjudication.decide, rita, *arguments)
    people.change_person(desk, ada, bo.id, {"role": "reviewer"})
    people.make_link(desk, "annotator", person=ann.id, by=ada.id)
    with suppress(people.Refusal):
        people.login(desk, "Ann Berg", "a wrong password", "127.0.0.1", None)


def _person(setting: Setting, name: str) -> Any:
    from sqlalchemy import select

    from tupelo.annotate.schema import people as table

    return people.person_of(setting.rows(select(table).where(table.c.name == name))[0])


def _sqlite(folder: Path) -> str:
    setting = make_setting(folder, TOML, rows=pairs(3))
    fill(setting)
    setting.desk.database.close()
    connection = sqlite3.connect(folder / "annotations.sqlite")
    text = "\n".join(connection.iterdump()) + "\n"
    connection.close()
    return text


def _postgresql(folder: Path) -> str:
    with postgres.cluster() as server:
        address = postgres.new_database(server)
        setting = make_setting(folder, TOML, rows=pairs(3), address=address)
        fill(setting)
        setting.desk.database.close()
        program = postgres.programs()
        assert program is not None
        command = [f"{program}/pg_dump", "--inserts", "--no-owner", "--no-privileges", address]
        dumped = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Comments, settings of the session and commands of the client are not part of the database.
    kept = [
        line
        for line in dumped.splitlines()
        if line and not line.startswith(("--", "\\", "SET ", "SELECT pg_catalog.set_config"))
    ]
    return "\n".join(kept) + "\n"


def main() -> None:
    for kind, make in (("sqlite", _sqlite), ("postgresql", _postgresql)):
        folder = Path(tempfile.mkdtemp())
        try:
            (FOLDER / f"v{VERSION}-{kind}.sql").write_text(make(folder), "utf-8")
        finally:
            shutil.rmtree(folder)
