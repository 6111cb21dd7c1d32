"""What a project holds on a person, and that it is gone after an erasure: from the tables and from the files."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import DatabaseError

from tests.annotate import filled
from tests.annotate.serving import live, make_setting, pairs
from tupelo.annotate import schema
from tupelo.annotate.erasure import erase_person, find_person, person_data
from tupelo.annotate.export import audit_log, export
from tupelo.annotate.figures import agreement_report
from tupelo.annotate.people import make_link
from tupelo.annotate.tokens import make_token
from tupelo.core import InputError, UnknownNameError

NAME = "Ann Berg"


@pytest.fixture
def setting(tmp_path, address):
    """Ann has answered and skipped, is named in remarks, and holds a session, a link and a token."""
    made = make_setting(tmp_path, filled.TOML, rows=pairs(3), address=address)
    filled.fill(made)
    make_token(made.desk, made.read(find_person, NAME), f"program of {NAME}", ["read"])
    make_link(made.desk, "annotator", label="for ann  BERG again")
    return made


def everything(setting):
    """All that the tables hold, as text."""
    rows = {name: setting.rows(select(table)) for name, table in schema.metadata.tables.items()}
    return {name: "\n".join(map(repr, found)) for name, found in rows.items()}


def test_a_person_gets_everything_that_is_held_on_them_and_no_secret(setting):
    number = setting.read(find_person, "ann berg")
    data = setting.write(person_data, number)
    assert data["person"]["name"] == NAME
    assert data["person"]["participant"] == "crowd-0"
    assert [len(data[part]) for part in ("sessions", "links", "tokens", "assignments", "batches")] == [1, 2, 1, 3, 2]
    assert [one["answer"]["score"] for one in data["assignments"] if one["answer"]] == [5, 1]
    assert {one["comment"] for one in data["checks_of"]} == {"Ann Berg, look again"}
    kinds = [one["kind"] for one in data["records"]]
    assert kinds == ["joined", "answer", "answer", "skip", "batch", "link", "login-failed", "token"]
    secrets = [row.password for row in setting.rows(select(schema.people.c.password))]
    for table in (schema.sessions, schema.links, schema.tokens):
        secrets += [row.token_hash for row in setting.rows(select(table.c.token_hash))]
    secrets += [row.csrf for row in setting.rows(select(schema.sessions.c.csrf))]
    text = json.dumps(data)
    assert not [secret for secret in secrets if secret in text]
    # And it is known that somebody took it.
    assert setting.read(audit_log).events[-1]["kind"] == "data"


def test_nobody_learns_from_their_own_data_which_items_are_controls(tmp_path):
    rows = [*pairs(1), {"id": "c", "source": "x", "generated": "y", "control": True, "answer": {"score": 5}}]
    with live(make_setting(tmp_path, "[controls]\nshare = 1.0\n", rows=rows)) as server:
        ann, ada = server.enter("Ann"), server.enter("Ada", "admin")
        given = ann.post("/api/assignments").body["assignment"]
        assert given["item"] == "c"
        ann.hand_in(given, {"score": 1})
        own = ann.get("/api/account/data")
        assert own.headers["content-disposition"] == 'attachment; filename="person-1.json"'
        assert "control" not in {one["kind"] for one in own.body["records"]}
        assert "control" in {one["kind"] for one in ada.get("/api/people/1/data").body["records"]}


def test_an_erased_person_is_in_no_table(setting):
    number = setting.read(find_person, NAME)
    hashed = setting.rows(select(schema.people.c.password).where(schema.people.c.id == number))[0].password
    done = erase_person(setting.desk, number)
    assert done.to_dict() == {"label": "erased-1", "records": 6, "answers_with_name": 0}
    for table, text in everything(setting).items():
        for trace in (NAME, NAME.lower(), "ann  BERG", "crowd-0", hashed):
            assert trace not in text, table
    for table in (schema.sessions, schema.tokens):
        assert not [row for row in setting.rows(select(table)) if row.person == number]
    with pytest.raises(UnknownNameError):
        setting.read(find_person, NAME)
    # Others are as they were, also the remarks that name them.
    assert "as Bo sees it" in everything(setting)["records"]


def test_answers_and_figures_stay_and_files_show_the_label(setting):
    before = {what: setting.read(export, what=what, names=True).data.decode() for what in ("answers", "gold")}
    unnamed = setting.read(export, what="answers").data
    agreed = setting.read(agreement_report).to_dict()
    number = setting.read(find_person, NAME)
    erase_person(setting.desk, number)
    for what, text in before.items():
        assert setting.read(export, what=what, names=True).data.decode() == text.replace(NAME, "erased-1")
    assert setting.read(export, what="answers").data == unnamed.replace(NAME.encode(), b"erased-1")
    assert setting.read(agreement_report).to_dict() == agreed
    assert setting.read(agreement_report, names=True).to_dict()["pairs"] == agreed["pairs"]
    kinds = [json.loads(line)["kind"] for line in setting.read(export, what="records").data.splitlines()]
    assert kinds.count("answer") == 4
    assert kinds[-1] == "erased"


def test_the_log_stays_closed_and_an_erasure_changes_nothing_but_remarks(setting):
    columns = [column for column in schema.records.c if column.name != "body_json"]
    before = setting.rows(select(*columns).order_by(schema.records.c.id))
    number = setting.read(find_person, NAME)
    erase_person(setting.desk, number)
    assert setting.rows(select(*columns).order_by(schema.records.c.id))[:-1] == before
    for values in ({"body_json": "{}"}, {"person": None}, {"time": 0}):
        with pytest.raises(DatabaseError, match="never"):
            setting.write(lambda tx, values=values: tx.execute(update(schema.records).values(**values)))

    def within(tx):
        tx.execute(schema.meta.insert().values(key=schema.ERASING, value="1"))
        tx.execute(update(schema.records).values(time=0))

    with pytest.raises(DatabaseError, match="never"):
        setting.write(within)


def traces(folder, *texts):
    """Files below a folder that hold one of the texts, in any form that the database writes."""
    forms = {form for text in texts for form in (text.encode(), json.dumps(text)[1:-1].encode())}
    return [path.name for path in sorted(folder.rglob("*")) if any(form in path.read_bytes() for form in forms)]


def test_no_byte_of_the_files_still_has_the_name(tmp_path):
    name, participant = "Zoë Quarrington-Öst", "participant-77413"
    made = make_setting(tmp_path, filled.TOML, rows=pairs(3))
    filled.fill(made, name)
    # From the log into the file itself; what comes later is in the log.
    made.desk.database.purge()
    with live(made) as server:
        zoe, ada = server.visitor(), server.visitor()
        assert zoe.login(name).status == 200
        assert ada.login("Ada").status == 200
        given = zoe.post("/api/assignments").body["assignment"]
        zoe.hand_in(given, {"score": 2, "note": f"I, {name}, and {participant}"})
        hashed = server.setting.rows(select(schema.people.c.password).where(schema.people.c.id == 1))[0].password
        assert len(traces(tmp_path, name)) > 1
        refused = ada.post("/api/people/1/erase", {"name": "Bo"})
        assert (refused.status, refused.body["error"]["field"]) == (422, "name")
        reply = ada.post("/api/people/1/erase", {"name": name})
        assert reply.status == 200, reply.body
        # While the server runs, and after it.
        assert traces(tmp_path, name, hashed) == []
        assert zoe.get("/api/progress").status == 401
        assert zoe.login(name).status == 401
    assert traces(tmp_path, name, hashed) == []


def test_a_project_keeps_its_last_admin_and_an_erased_person_stays_erased(tmp_path):
    with live(make_setting(tmp_path, rows=pairs(2))) as server:
        ada, ann = server.enter("Ada", "admin"), server.enter("Ann")
        held = ann.post("/api/assignments").body["assignment"]["item"]
        assert ada.post("/api/people/1/erase", {"name": "Ada"}).code == "conflict"
        assert ada.post("/api/people/2/erase", {"name": "Ann"}).body["label"] == "erased-2"
        # The item is free again.
        assert server.enter("Bob").post("/api/assignments").body["assignment"]["item"] == held
        assert ada.send("PATCH", "/api/people/2", {"active": True}).code == "conflict"
        assert ada.post("/api/people/2/link").code == "not-found"
        assert ada.post("/api/people/9/erase", {"name": "Ann"}).code == "not-found"
        shown = ada.get("/api/people").body["people"][1]
        assert (shown["name"], shown["erased"], shown["active"]) == ("erased-2", True, False)
        # The name is free for somebody else, who has nothing to do with the old answers.
        assert server.enter("Ann").get("/api/assignments").body["assignments"] == []
        # Again: only the files are cleaned.
        assert ada.post("/api/people/2/erase", {"name": "erased-2"}).body["records"] == 0


def test_only_admins_erase_and_see_the_data_of_others(tmp_path):
    with live(make_setting(tmp_path)) as server:
        server.enter("Ada", "admin")
        for role in ("annotator", "reviewer"):
            visitor = server.enter(f"a {role}", role)
            assert visitor.get("/api/people/1/data").code == "forbidden"
            assert visitor.post("/api/people/1/erase", {"name": "Ada"}).code == "forbidden"
            assert visitor.get("/api/account/data").status == 200
        assert server.visitor().get("/api/account/data").code == "not-signed-in"


def test_a_name_in_an_answer_itself_is_reported_and_left(tmp_path):
    setting = make_setting(tmp_path, task="paraphrase", rows=[{"id": "a", "original": "x y z", "paraphrase": "x y"}])
    with live(setting) as server:
        mark = server.enter("Mark")
        given = mark.post("/api/assignments").body["assignment"]
        answer = {"verdict": "corrected", "text": "x y z mark", "kinds": ["grammar"], "kept": True}
        assert mark.hand_in(given, answer).status == 200
        done = erase_person(setting.desk, 1)
        assert (done.records, done.answers_with_name) == (0, 1)
        assert b"x y z mark" in setting.read(export).data


def test_a_file_that_somebody_reads_is_reported(tmp_path, monkeypatch):
    import sqlite3

    from tupelo.annotate import database

    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.05)
    setting = make_setting(tmp_path, rows=pairs(1))
    setting.person("Ann")
    with sqlite3.connect(tmp_path / "annotations.sqlite", isolation_level=None) as reader:
        reader.execute("begin")
        reader.execute("select * from people").fetchall()
        with pytest.raises(InputError, match=r"in use|locked"):
            erase_person(setting.desk, 1)
        reader.execute("rollback")
    reader.close()
    assert erase_person(setting.desk, 1).label == "erased-1"
