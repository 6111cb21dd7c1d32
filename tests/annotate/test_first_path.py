"""From invitation to export, over real HTTP."""

from __future__ import annotations

import json

import pytest

from tests.annotate.serving import live, make_setting, pairs, sentences


def test_from_invitation_to_export(tmp_path, address):
    setting = make_setting(tmp_path, "overlap = 2\nbatch_size = 2\n", rows=pairs(3), trained=True, address=address)
    with live(setting) as server:
        ann = server.enter("Ann")
        assert ann.get("/api/session").body["person"]["state"] == "training"
        assert ann.post("/api/assignments").code == "forbidden"
        steps = ann.get("/api/tutorial").body["steps"]
        assert [step["practice"] for step in steps] == [False, True]
        assert "answer" not in json.dumps(steps)
        tried = ann.post("/api/tutorial/1", {"answer": {"score": 5}}).body
        assert tried["right"]
        assert tried["explanation"] == "Nothing is wrong."
        assert ann.post("/api/tutorial", {"done": True}).body["person"]["state"] == "qualification"
        test = ann.get("/api/qualification").body
        assert [item["id"] for item in test["items"]] == ["t1", "t2"]
        answers = {"t1": {"score": 5}, "t2": {"score": 1}}
        passed = ann.post("/api/qualification", {"client_id": "test-0001", "answers": answers}).body
        assert passed["passed"]
        assert passed["person"]["state"] == "working"
        assignment = ann.post("/api/assignments").body["assignment"]
        done = []
        while assignment is not None:
            done.append(assignment["item"])
            assignment = ann.hand_in(assignment, {"score": 4}, seconds=2.5).body["next"]
        assert done == ["p0", "p1", "p2"]
        admin = server.enter("Root", "admin")
        lines = [json.loads(line) for line in admin.get("/api/export").data.splitlines()]
        assert [(line["id"], line["rating"]) for line in lines] == [("p0", 4), ("p1", 4), ("p2", 4)]
        assert {line["annotator"] for line in lines} <= {"annotator-1", "annotator-2"}
        named = admin.get("/api/export?names=true").data
        assert json.loads(named.splitlines()[0])["annotator"] == "Ann"


def test_tuples_go_to_every_format(tmp_path):
    setting = make_setting(tmp_path, task="tuples", rows=sentences(2))
    with live(setting) as server:
        ann = server.enter("Ann")
        assignment = ann.post("/api/assignments").body["assignment"]
        while assignment is not None:
            answer = {"tuples": [{"rel": [1], "args": [[0], [2]]}], "none": False}
            assignment = ann.hand_in(assignment, answer).body["next"]
        admin = server.enter("Root", "admin")
        formats = admin.get("/api/formats").body["formats"]
        assert len(formats) > 20
        for entry in formats:
            reply = admin.get(f"/api/export?format={entry['name']}&what=gold")
            assert reply.status == 200, entry
            assert reply.data
        tab = admin.get("/api/export?format=tab&what=gold").data.decode()
        assert tab.splitlines()[0].split("\t")[2:] == ["met", "Ann", "Bob"]


@pytest.mark.parametrize(
    "query", ["format=nothing", "format=../../etc/passwd", "what=all", "format=tab&what=records"]
)
def test_an_export_of_something_else_is_refused(tmp_path, query):
    with live(make_setting(tmp_path, task="tuples")) as server:
        reply = server.enter("Root", "admin").get(f"/api/export?{query}")
        assert reply.status in (400, 422)
        assert reply.code in ("bad-request", "invalid")
