"""API tokens over real HTTP: what they open, and everything that they do not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.annotate.serving import Visitor, live, make_setting, pairs
from tupelo.annotate.export import audit_log
from tupelo.annotate.people import GUESSES_PER_ADDRESS
from tupelo.annotate.schema import tokens

OCTETS = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def server(tmp_path):
    with live(make_setting(tmp_path, "overlap = 2\n", rows=pairs(6))) as running:
        yield running


class Program(Visitor):
    """Sends a token, and neither cookie nor CSRF token."""

    def __init__(self, port: int, token: str) -> None:
        super().__init__(port)
        self.token = token

    def send(self, method, path, body=None, headers=None, raw=None):
        return super().send(method, path, body, {"Authorization": f"Bearer {self.token}", **(headers or {})}, raw)


def program(server, admin, *scopes, **more):
    reply = admin.post("/api/tokens", {"label": "nightly", "scopes": scopes, **more})
    assert reply.status == 200, reply.body
    return Program(server.port, reply.body["token"])


def test_a_program_reads_imports_exports_and_answers_without_a_session(server):
    admin = server.enter("Ada", "admin")
    robot = program(server, admin, "read", "answer", "export", "import")
    assert robot.get("/api/session").body["person"]["name"] == "Ada"
    assert robot.get("/api/session").body["csrf"] is None
    for path in ("dashboard", "items", "items/p0", "agreement", "formats", "progress", "assignments", "batches"):
        assert robot.get(f"/api/{path}").status == 200, path
    row = b'{"id": "new", "source": "x", "generated": "y"}\n'
    assert robot.send("POST", "/api/import", raw=row, headers=OCTETS).body == {"items": 1, "known": 0}
    given = robot.post("/api/assignments").body["assignment"]
    assert robot.hand_in(given, {"score": 3}).status == 200
    assert json.loads(robot.get("/api/export?names=true").data)["annotator"] == "Ada"
    assert robot.cookies == {}
    events = [(event["kind"], event["person"], event["detail"]) for event in server.setting.read(audit_log).events]
    assert ("token", "Ada", {"token": 1, "scopes": ["read", "answer", "export", "import"]}) in events
    assert ("import", "Ada", {"new": 1, "known": 0, "token": 1}) in events
    # A day's use is one event.
    assert [event for event in events if event[0] == "token-used"] == [("token-used", "Ada", {"token": 1})]
    assert events[-1][0] == "export"
    assert events[-1][2]["token"] == 1


def test_a_scope_opens_its_own_routes_only(server):
    admin = server.enter("Ada", "admin")
    reader, writer = program(server, admin, "read"), program(server, admin, "answer")
    assert reader.get("/api/items").status == 200
    for reply in (
        reader.get("/api/export"),
        reader.send("POST", "/api/import", raw=b"{}", headers=OCTETS),
        reader.post("/api/assignments"),
        writer.get("/api/items"),
    ):
        assert (reply.status, reply.code) == (403, "forbidden")
    # People, links, tokens, passwords, reviews, the audit log and erasure need a person.
    everything = program(server, admin, "read", "answer", "export", "import")
    for path in ("people", "invitations", "tokens", "audit", "account/data", "people/1/data"):
        assert everything.get(f"/api/{path}").code == "forbidden", path
    for path, body in {
        "invitations": {"role": "admin"},
        "tokens": {"label": "x", "scopes": ["read"]},
        "people/1/link": {},
        "people/1/erase": {"name": "Ada"},
        "logout": {},
        "password": {"old": "x", "new": "y"},
        "reviews": {},
    }.items():
        assert everything.post(f"/api/{path}", body).code == "forbidden", path


def test_a_token_has_the_role_of_its_person_and_no_more(server):
    admin = server.enter("Ada", "admin")
    server.enter("Ann")
    refused = admin.post("/api/tokens", {"label": "x", "scopes": ["export"], "person": 2})
    assert (refused.status, refused.code) == (403, "forbidden")
    robot = program(server, admin, "read", "answer", person=2)
    assert robot.get("/api/session").body["person"]["name"] == "Ann"
    assert robot.get("/api/dashboard").code == "forbidden"
    assert robot.post("/api/assignments").status == 200
    # Who is no admin any more exports nothing, and whose person is locked out gets in nowhere.
    server.enter("Eve", "admin")
    eves = program(server, admin, "export", person=3)
    assert eves.get("/api/export").status == 200
    assert admin.send("PATCH", "/api/people/3", {"role": "reviewer"}).status == 200
    assert eves.get("/api/export").code == "forbidden"
    admin.send("PATCH", "/api/people/2", {"active": False})
    assert robot.get("/api/progress").code == "not-signed-in"


def test_a_token_ends_when_it_is_revoked_or_expires_and_its_use_is_recorded(server):
    admin = server.enter("Ada", "admin")
    one, two = program(server, admin, "read"), program(server, admin, "read", days=1)
    assert admin.send("DELETE", "/api/tokens/1").status == 200
    assert admin.send("DELETE", "/api/tokens/9").code == "not-found"
    assert [one.get("/api/items").code for _ in range(3)] == ["not-signed-in"] * 3
    assert two.get("/api/items").status == 200
    server.setting.clock.forward(60 * 24)
    assert two.get("/api/items").code == "not-signed-in"
    refused = [event for event in server.setting.read(audit_log).events if event["kind"] == "token-refused"]
    assert [(event["about"], event["detail"]) for event in refused] == [
        ("Ada", {"token": 1, "why": "revoked"}),
        ("Ada", {"token": 2, "why": "expired"}),
    ]


def test_only_hashes_are_stored_and_only_the_beginning_is_shown(server):
    admin = server.enter("Ada", "admin")
    token = admin.post("/api/tokens", {"label": "nightly", "scopes": ["read"]}).body["token"]
    assert token.startswith("tup_")
    assert len(token) > 40
    row = server.setting.rows(select(tokens))[0]
    assert token not in str(tuple(row))
    (shown,) = admin.get("/api/tokens").body["tokens"]
    assert (shown["prefix"], shown["label"], shown["scopes"], shown["person"]) == (
        token[:10],
        "nightly",
        ["read"],
        "Ada",
    )
    assert token not in json.dumps(shown)
    assert token not in str(server.setting.read(audit_log).to_dict())
    files = [path for path in server.setting.folder.iterdir() if path.is_file()]
    assert not [path for path in files if token.encode() in path.read_bytes()]


def test_guessing_tokens_is_limited_as_guessing_passwords_is(server):
    admin = server.enter("Ada", "admin")
    good = program(server, admin, "read")
    bad = Program(server.port, "tup_guess")
    statuses = [bad.get("/api/items").status for _ in range(GUESSES_PER_ADDRESS + 2)]
    assert statuses == [401] * GUESSES_PER_ADDRESS + [429] * 2
    assert int(bad.get("/api/items").headers["retry-after"]) > 0
    # Good tokens and people go on.
    assert good.get("/api/items").status == 200
    assert server.visitor().login("Ada").status == 200


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer \x80\xff", "Bearer " + "x" * 5000])
def test_a_header_that_holds_no_token_opens_nothing(server, header):
    reply = server.visitor().send("GET", "/api/items", headers={"Authorization": header})
    assert (reply.status, reply.code) == (401, "not-signed-in")


def test_a_cookie_does_not_help_a_bad_token_nor_another_kind_of_authorization(server):
    admin = server.enter("Ada", "admin")
    assert admin.send("GET", "/api/items", headers={"Authorization": "Bearer wrong"}).code == "not-signed-in"
    # A proxy may ask for a password of its own.
    assert admin.send("GET", "/api/items", headers={"Authorization": "Basic eDp5"}).status == 200


def test_the_description_says_which_routes_are_for_programs(server):
    described = server.visitor().get("/api/openapi.json").body
    schemes = described["components"]["securitySchemes"]
    assert schemes["token"] == {"type": "http", "scheme": "bearer", "description": schemes["token"]["description"]}
    scopes = {
        f"{method} {path}": one["token"][0]
        for path, methods in described["paths"].items()
        for method, about in methods.items()
        for one in about.get("security", ())
        if "token" in one
    }
    assert scopes["get /api/export"] == "export"
    assert scopes["post /api/import"] == "import"
    assert scopes["post /api/assignments/{number}/answer"] == "answer"
    assert "post /api/tokens" not in scopes
    assert "get /api/people" not in scopes
    assert len(scopes) == 19


@pytest.mark.parametrize(
    "body",
    [
        {"label": "", "scopes": ["read"]},
        {"label": "x", "scopes": []},
        {"label": "x", "scopes": ["everything"]},
        {"label": "x", "scopes": ["read"], "days": 0},
        {"label": "x", "scopes": ["read"], "days": 400},
        {"label": "x", "scopes": ["read"], "person": 77},
    ],
)
def test_a_token_that_makes_no_sense_is_refused(server, body):
    admin = server.enter("Ada", "admin")
    assert admin.post("/api/tokens", body).status in (404, 422)
    assert server.setting.rows(select(tokens)) == []


DOCS = Path(__file__).parents[2] / "docs" / "annotate-server.md"


def documented(name: str, server) -> str:
    """An example of the documentation, for this server."""
    found = re.search(rf"<!-- example: {name} -->\n\n```\w+\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found.group(1).replace("127.0.0.1:8770", f"127.0.0.1:{server.port}")


@pytest.mark.process
def test_the_example_for_curl_works(server, tmp_path):
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    admin = server.enter("Ada", "admin")
    robot = program(server, admin, "export")
    admin.hand_in(admin.post("/api/assignments").body["assignment"], {"score": 4})
    environment = {**os.environ, "TOKEN": robot.token, "NO_PROXY": "*"}
    subprocess.run(["sh", "-ec", documented("curl", server)], cwd=tmp_path, env=environment, check=True, timeout=60)
    assert json.loads((tmp_path / "gold.jsonl").read_text())["score"] == 0.75


@pytest.mark.process
def test_the_example_for_python_works(server):
    pytest.importorskip("httpx2")
    robot = program(server, server.enter("Ada", "admin"), "read")
    environment = {**os.environ, "TOKEN": robot.token, "NO_PROXY": "*"}
    command = [sys.executable, "-c", documented("python", server)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == [f"p{number} 0" for number in range(6)]
