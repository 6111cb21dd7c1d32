"""The audit log: every event that it promises, in order, without secrets, for admins alone."""

from __future__ import annotations

import pytest

from tests.annotate import filled
from tests.annotate.serving import PASSWORD, START, live, make_setting, pairs
from tupelo.annotate.export import EVENTS, audit_log, milliseconds_of
from tupelo.annotate.people import make_link
from tupelo.core import InputError


def kinds(setting, since=None):
    return [event["kind"] for event in setting.read(audit_log, since).events]


def test_whoever_comes_in_goes_out_or_fails_to_is_recorded(tmp_path):
    with live(make_setting(tmp_path)) as server:
        ann = server.enter("Ann")
        ann.post("/api/logout")
        assert server.visitor().login("Ann", "a wrong password").status == 401
        assert server.visitor().login("my secret password", "Ann").status == 401
        ann.login("Ann")
        ann.post("/api/password", {"old": PASSWORD, "new": "another long one"})
        _, token = make_link(server.setting.desk, "annotator", person=1)
        assert [server.visitor().post(f"/api/enter/{token}").status for _ in range(3)] == [200, 410, 410]
        assert server.visitor().post("/api/enter/made-up").status == 404
        found = server.setting.read(audit_log)
    assert [(event["kind"], event["person"], event["about"]) for event in found.events] == [
        ("link", None, None),
        ("joined", "Ann", None),
        ("logout", "Ann", None),
        ("login-failed", None, "Ann"),
        ("login-failed", None, None),
        ("login", "Ann", None),
        ("login", "Ann", None),
        ("password", "Ann", None),
        ("link", None, "Ann"),
        ("entered", "Ann", None),
        # Once a minute, however often it is tried.
        ("entered-failed", None, "Ann"),
    ]
    for secret in (PASSWORD, "another long one", "secret", token, "127.0.0.1"):
        assert secret not in str(found)
        assert secret not in str(found.to_dict())


def test_what_is_changed_decided_and_taken_out_is_recorded(tmp_path):
    setting = make_setting(tmp_path, filled.TOML, rows=pairs(3))
    filled.fill(setting)
    with live(setting) as server:
        ada = server.visitor()
        ada.login("Ada")
        ada.get("/api/export?what=answers&names=true")
        ada.get("/api/people/1/data")
        ada.send("PATCH", "/api/people/2", {"state": "failed"})
        number = ada.post("/api/invitations", {"role": "annotator", "label": "for Zoe"}).body["id"]
        ada.send("DELETE", f"/api/invitations/{number}")
        octets = {"Content-Type": "application/octet-stream"}
        row = b'{"id": "new", "source": "x", "generated": "y"}\n'
        assert ada.send("POST", "/api/import", raw=row, headers=octets).status == 200
        ada.post("/api/people/1/erase", {"name": "Ann Berg"})
        events = ada.get("/api/audit").body["events"]
    shown = [(event["kind"], event["person"], event["about"] or event["item"], event["detail"]) for event in events]
    erased, imported, withdrawn, invited, changed, data, exported, login = shown[:8]
    assert erased == ("erased", "Ada", "erased-1", {"records": 6})
    assert imported == ("import", "Ada", None, {"new": 1, "known": 0})
    assert withdrawn == ("link", "Ada", None, {"link": number, "withdrawn": True})
    assert invited == ("link", "Ada", None, {"link": number, "role": "annotator"})
    assert changed == ("person", "Ada", "Bo", {"state": "failed"})
    assert data == ("data", "Ada", "erased-1", {})
    assert exported == ("export", "Ada", None, {"what": "answers", "format": "jsonl", "names": True, "rows": 2})
    assert login == ("login", "Ada", None, {})
    assert ("adjudication", "Rita", "p0", {}) in shown
    assert ("review", "Rita", "p0", {"batch": 1, "right": False}) in shown
    assert ("batch", "erased-1", None, {"batch": 1, "accepted": False}) in shown
    # No remark, no name that was removed.
    assert "look again" not in str(events)
    assert "Berg" not in str(events)


def test_pages_of_the_log_follow_each_other(tmp_path):
    with live(make_setting(tmp_path)) as server:
        ada = server.enter("Ada", "admin")
        for _ in range(120):
            make_link(server.setting.desk, "annotator")
        first = ada.get("/api/audit").body
        second = ada.get(f"/api/audit?before={first['next']}").body
        assert (len(first["events"]), len(second["events"]), second["next"]) == (100, 22, None)
        assert [event["id"] for event in (*first["events"], *second["events"])] == list(range(122, 0, -1))


def test_the_log_is_for_admins(tmp_path):
    with live(make_setting(tmp_path)) as server:
        for role in ("annotator", "reviewer"):
            visitor = server.enter(f"a {role}", role)
            assert visitor.get("/api/audit").code == "forbidden"
            assert visitor.get("/audit").status == 403
        assert server.visitor().get("/api/audit").code == "not-signed-in"


def test_since_a_time(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(1))
    setting.clock.forward(60)
    make_link(setting.desk, "annotator")
    assert kinds(setting) == ["import", "link"]
    assert kinds(setting, "2027-01-15T08:30") == ["link"]
    assert kinds(setting, "2027-01-16") == []
    assert str(setting.read(audit_log, "2027-01-16")) == "no events"
    assert milliseconds_of("2027-01-15T09:00+01:00") == START
    with pytest.raises(InputError, match="expected one such as"):
        milliseconds_of("yesterday")


def test_every_kind_fits_its_column():
    assert max(map(len, EVENTS)) <= 20
