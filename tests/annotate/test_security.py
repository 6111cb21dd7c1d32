"""What somebody who means harm would try, over real HTTP."""

from __future__ import annotations

import json
import socket
from urllib.parse import quote

import pytest
from sqlalchemy import select

from tests.annotate.serving import OPEN, PASSWORD, live, make_setting, pairs, sentences
from tupelo.annotate.app import LARGEST_IMPORT
from tupelo.annotate.credentials import hash_password, is_password, token_hash
from tupelo.annotate.people import GUESSES, make_link
from tupelo.annotate.schema import items, people, sessions
from tupelo.web.guard import LARGEST_BODY, POLICY

SCRIPT = '<script>alert(1)</script><img src=x onerror="alert(2)">'
INJECTION = "x'; drop table records; --"


@pytest.fixture
def server(tmp_path):
    with live(make_setting(tmp_path, "overlap = 2\n", rows=pairs(6))) as running:
        yield running


@pytest.fixture(scope="module")
def steady(tmp_path_factory):
    """One server with an admin for many requests, none of which may change anything."""
    with live(make_setting(tmp_path_factory.mktemp("steady"), "overlap = 2\n", rows=pairs(6))) as running:
        # It outlives the test.
        OPEN.remove(running.setting.desk.database)
        yield running, running.enter("Root", "admin")


# Sessions


def test_a_session_planted_before_login_is_worth_nothing(server):
    server.enter("Ann")
    victim = server.visitor()
    victim.cookies["tupelo"] = "planted-by-somebody-else"
    assert victim.login("Ann").status == 200
    assert victim.cookies["tupelo"] != "planted-by-somebody-else"
    thief = server.visitor()
    thief.cookies["tupelo"] = "planted-by-somebody-else"
    assert thief.get("/api/session").body["person"] is None


def test_login_ends_the_session_before_and_changes_both_tokens(server):
    ann = server.enter("Ann")
    old = (ann.cookies["tupelo"], ann.csrf)
    ann.login("Ann")
    assert ann.cookies["tupelo"] != old[0]
    assert ann.csrf != old[1]
    stale = server.visitor()
    stale.cookies["tupelo"] = old[0]
    assert stale.get("/api/progress").status == 401


def test_logout_ends_the_session_on_the_server(server):
    ann = server.enter("Ann")
    token = ann.cookies["tupelo"]
    assert ann.post("/api/logout").status == 200
    ann.cookies["tupelo"] = token
    assert ann.get("/api/progress").status == 401


def test_a_new_password_ends_all_other_sessions(server):
    here, elsewhere = server.enter("Ann"), server.visitor()
    elsewhere.login("Ann")
    assert here.post("/api/password", {"old": "wrong password", "new": "another long one"}).status == 401
    changed = here.post("/api/password", {"old": PASSWORD, "new": "another long one"})
    assert changed.status == 200
    assert here.get("/api/progress").status == 200
    assert elsewhere.get("/api/progress").status == 401
    assert server.visitor().login("Ann").status == 401
    assert server.visitor().login("Ann", "another long one").status == 200


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(server):
    _, token = make_link(server.setting.desk, "annotator")
    visitor = server.visitor()
    cookie = visitor.join(token, "Ann").headers["set-cookie"].lower()
    for part in ("httponly", "samesite=strict", "path=/"):
        assert part in cookie


def test_behind_https_the_cookie_is_secure(tmp_path):
    toml = '[server]\nurl = "https://annotate.example.org"\n'
    with live(make_setting(tmp_path, toml, rows=pairs(1))) as server:
        _, token = make_link(server.setting.desk, "annotator")
        reply = server.visitor().join(token, "Ann")
        assert reply.headers["set-cookie"].startswith("__Host-tupelo=")
        assert "secure" in reply.headers["set-cookie"].lower()
        assert reply.headers["strict-transport-security"] == "max-age=31536000"


def test_a_session_runs_out(server):
    ann = server.enter("Ann")
    server.setting.clock.forward(7 * 24 * 60 + 1)
    assert ann.get("/api/progress").status == 401


def test_the_database_holds_neither_tokens_nor_passwords(server):
    ann = server.enter("Ann")
    stored = server.setting.rows(select(sessions.c.token_hash))[0].token_hash
    assert stored == token_hash(ann.cookies["tupelo"])
    password = server.setting.rows(select(people.c.password))[0].password
    assert password.startswith("scrypt$")
    assert PASSWORD not in password


def test_passwords_are_salted_and_checked():
    one, other = hash_password("a long password", log_n=2), hash_password("a long password", log_n=2)
    assert one != other
    assert is_password("a long password", one)
    assert not is_password("a long passwore", one)
    assert not is_password("", "no hash")


# Invitations


def test_an_invitation_works_once_and_not_for_ever(server):
    _, token = make_link(server.setting.desk, "annotator")
    server.visitor().join(token, "Ann")
    again = server.visitor().post(f"/api/invitations/{token}", {"name": "Bob", "password": PASSWORD})
    assert (again.status, again.code) == (410, "gone")
    _, late = make_link(server.setting.desk, "annotator", days=1)
    server.setting.clock.forward(24 * 60 + 1)
    assert server.visitor().get(f"/api/invitations/{late}").code == "gone"
    assert server.visitor().get("/api/invitations/guessed").code == "not-found"


def test_a_withdrawn_invitation_lets_nobody_in(server):
    admin = server.enter("Root", "admin")
    made = admin.post("/api/invitations", {"role": "reviewer"}).body
    assert admin.send("DELETE", f"/api/invitations/{made['id']}").status == 200
    token = made["url"].rpartition("/")[2]
    assert server.visitor().get(f"/api/invitations/{token}").code == "gone"


def test_a_sign_in_link_is_no_invitation_and_works_once(server):
    admin = server.enter("Root", "admin")
    server.enter("Ann")
    number = next(one["id"] for one in admin.get("/api/people").body["people"] if one["name"] == "Ann")
    token = admin.post(f"/api/people/{number}/link").body["url"].rpartition("/")[2]
    joined = server.visitor().post(f"/api/invitations/{token}", {"name": "Eve", "password": PASSWORD})
    assert joined.code == "not-found"
    assert server.visitor().post(f"/api/enter/{token}").body["person"]["name"] == "Ann"
    assert server.visitor().post(f"/api/enter/{token}").code == "gone"


def test_names_that_look_alike_are_one_name(server):
    server.enter("Ann")
    _, token = make_link(server.setting.desk, "annotator")
    for name in ("ann", "  ANN ", "Ａnn"):
        reply = server.visitor().post(f"/api/invitations/{token}", {"name": name, "password": PASSWORD})
        assert reply.code == "conflict"


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa", "Annabel Lee Smith"])
def test_an_easy_password_is_refused(server, password):
    _, token = make_link(server.setting.desk, "annotator")
    reply = server.visitor().post(f"/api/invitations/{token}", {"name": "Annabel Lee Smith", "password": password})
    assert (reply.code, reply.body["error"]["field"]) == ("invalid", "password")


# Guessing


def test_guessing_a_password_is_stopped_and_the_right_one_must_wait_too(server):
    server.enter("Ann")
    visitor = server.visitor()
    for _ in range(GUESSES):
        assert visitor.login("Ann", "wrong password").status == 401
    stopped = visitor.login("Ann")
    assert (stopped.status, stopped.code) == (429, "too-many")
    assert int(stopped.headers["retry-after"]) > 0
    server.setting.clock.forward(16)
    assert visitor.login("Ann").status == 200


def test_unknown_names_are_limited_and_answered_alike(server):
    server.enter("Ann")
    known, unknown = (
        server.visitor().login("Ann", "wrong password"),
        server.visitor().login("Nobody", "wrong password"),
    )
    assert (known.status, known.body) == (unknown.status, unknown.body)


def test_guessing_many_names_from_one_address_is_stopped(server):
    statuses = [server.visitor().login(f"Name {n}", "wrong password").status for n in range(55)]
    assert 429 in statuses


# Other people's pages


def test_a_write_without_the_csrf_token_is_refused(server):
    ann = server.enter("Ann")
    token, ann.csrf = ann.csrf, None
    assert ann.post("/api/assignments").code == "csrf"
    ann.csrf = "wrong"
    assert ann.post("/api/assignments").code == "csrf"
    ann.csrf = token
    assert ann.post("/api/assignments").status == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_write_from_another_site_is_refused_even_before_login(server, headers):
    server.enter("Ann")
    body = {"name": "Ann", "password": PASSWORD}
    assert server.visitor().send("POST", "/api/login", body, headers).code == "csrf"
    same = {"Origin": f"http://127.0.0.1:{server.port}", "Sec-Fetch-Site": "same-origin"}
    assert server.visitor().send("POST", "/api/login", body, same).status == 200


def test_a_form_cannot_be_mistaken_for_json(server):
    ann = server.enter("Ann")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        reply = ann.send("POST", "/api/assignments", raw=b"{}", headers={"Content-Type": kind})
        assert (reply.status, reply.code) == (415, "wrong-type")


def test_a_name_that_was_made_to_lead_here_gets_nothing(server):
    visitor = server.visitor()
    visitor.host = "evil.example"
    assert (visitor.get("/api/session").status, visitor.get("/").status) == (421, 421)


@pytest.mark.parametrize("path", ["/", "/api/session", "/static/js/app.js", "/nowhere", "/api/people"])
def test_every_reply_carries_the_security_headers(steady, path):
    headers = steady[0].visitor().get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in headers or "uvicorn" in headers["server"]
    if path.startswith("/api"):
        assert headers["cache-control"] == "no-store"


# Roles

ADMIN_READS = ["people", "invitations", "items", "items/p0", "export", "formats", "agreement"]
REVIEWER_READS = ["dashboard", "batches", "adjudications", "adjudications/p0"]


def test_an_annotator_reaches_nothing_of_admins_and_reviewers(server):
    ann = server.enter("Ann")
    for path in (*ADMIN_READS, *REVIEWER_READS):
        assert ann.get(f"/api/{path}").code == "forbidden", path
    writes = {
        "/api/invitations": {"role": "admin"},
        "/api/people/1/link": {},
        "/api/reviews": {},
        "/api/reviews/1": {"client_id": "review-1", "right": True},
        "/api/adjudications/p0": {"client_id": "decide-1", "version": 0, "answer": {"score": 1}},
    }
    for path, body in writes.items():
        assert ann.post(path, body).code == "forbidden", path
    assert ann.send("PATCH", "/api/people/1", {"role": "admin"}).code == "forbidden"
    assert ann.send("DELETE", "/api/invitations/1").code == "forbidden"
    imported = ann.send("POST", "/api/import", raw=b"{}", headers={"Content-Type": "application/octet-stream"})
    assert imported.code == "forbidden"
    for page in ("/dashboard", "/people", "/items", "/items/p0", "/export", "/review", "/adjudicate"):
        assert ann.get(page).status == 403, page


def test_a_reviewer_reaches_nothing_of_admins_and_sees_no_names(server):
    rea = server.enter("Rea", "reviewer")
    server.enter("Ann")
    for path in ADMIN_READS:
        assert rea.get(f"/api/{path}").code == "forbidden", path
    for path in ("dashboard", "batches", "adjudications", "adjudications/p0"):
        reply = rea.get(f"/api/{path}")
        assert reply.status == 200, path
        assert b"Ann" not in reply.data


def test_nobody_gets_anything_without_signing_in(server):
    visitor = server.visitor()
    for path in (*ADMIN_READS, *REVIEWER_READS, "tutorial", "qualification", "assignments", "progress"):
        assert visitor.get(f"/api/{path}").code == "not-signed-in", path
    assert visitor.post("/api/assignments").code == "not-signed-in"
    for page in ("/dashboard", "/people", "/export"):
        reply = visitor.get(page)
        assert (reply.status, reply.headers["location"]) == (303, f"/login?to={page}")
    session = visitor.get("/api/session").body
    assert session["project"]["guidelines"] == ""
    assert session["csrf"] is None


def test_assignments_of_others_do_not_exist(server):
    ann, bob = server.enter("Ann"), server.enter("Bob")
    mine = ann.post("/api/assignments").body["assignment"]
    path = f"/api/assignments/{mine['id']}"
    assert bob.get(path).code == "not-found"
    assert bob.hand_in(mine, {"score": 1}).code == "not-found"
    draft = {"client_id": "draft-0001", "number": 1, "answer": {}}
    assert bob.send("PUT", f"{path}/draft", draft).code == "not-found"
    for act in ("skip", "undo"):
        body = {"client_id": "act-00001", "version": 0} | ({"reason": ""} if act == "skip" else {})
        assert bob.post(f"{path}/{act}", body).code == "not-found"
    assert [one["item"] for one in bob.get("/api/assignments").body["assignments"]] == []


def test_whoever_is_shut_out_is_out_at_once_and_their_items_go_on(server):
    admin, ann, bob = server.enter("Root", "admin"), server.enter("Ann"), server.enter("Bob")
    held = ann.post("/api/assignments").body["assignment"]["item"]
    number = next(one["id"] for one in admin.get("/api/people").body["people"] if one["name"] == "Ann")
    assert admin.send("PATCH", f"/api/people/{number}", {"active": False}).body["active"] is False
    assert ann.get("/api/progress").status == 401
    assert ann.login("Ann").status == 401
    opened = server.setting.rows(select(items.c.open).where(items.c.name == held))[0].open
    assert opened == 2
    assert bob.post("/api/assignments").body["assignment"]["item"] == held


def test_the_file_of_the_database_is_for_its_owner_alone(server):
    for name in ("annotations.sqlite", "annotations.sqlite-wal"):
        assert (server.setting.folder / name).stat().st_mode & 0o077 == 0


def test_items_may_be_called_anything_visible(tmp_path):
    rows = [{"id": name, "source": "x", "generated": "y"} for name in ("doc/1", "ü?#&=%2F", "a b/../c")]
    with live(make_setting(tmp_path, rows=rows)) as server:
        admin = server.enter("Root", "admin")
        for row in rows:
            assert admin.get(f"/api/items/{quote(row['id'], safe='')}").body["id"] == row["id"]
            assert admin.get(f"/api/adjudications/{quote(row['id'], safe='')}").body["item"] == row["id"]


def test_the_last_admin_stays(server):
    admin = server.enter("Root", "admin")
    assert admin.send("PATCH", "/api/people/1", {"role": "annotator"}).code == "conflict"
    assert admin.send("PATCH", "/api/people/1", {"active": False}).code == "conflict"


# What people type


@pytest.mark.parametrize("text", [SCRIPT, INJECTION, "%s %(x)s :name ?", "\u202etxt", "' or '1'='1"])
def test_whatever_is_typed_comes_back_as_typed_and_as_data(tmp_path, text):
    rows = [{"id": text, "source": text, "generated": text}]
    if text == "\u202etxt":
        rows[0]["id"] = "plain"
    with live(make_setting(tmp_path, rows=rows)) as server:
        admin = server.enter("Root", "admin")
        visitor = server.visitor()
        _, token = make_link(server.setting.desk, "annotator", label=text)
        assert visitor.get(f"/api/invitations/{token}").body["label"] == text
        if text.isprintable():
            visitor.join(token, text)
            visitor.login(text)
        else:
            visitor.join(token, "Ann")
        assignment = visitor.post("/api/assignments").body["assignment"]
        assert assignment["content"] == {"source": text, "generated": text}
        assert visitor.hand_in(assignment, {"score": 3, "note": text}).status == 200
        exported = admin.get("/api/export?names=true")
        assert exported.headers["content-type"] == "application/octet-stream"
        assert exported.headers["content-disposition"] == 'attachment; filename="answers.jsonl"'
        assert json.loads(exported.data)["note"] == text
        for path in ("dashboard", "people", "items", "invitations"):
            reply = admin.get(f"/api/{path}")
            assert reply.headers["content-type"] == "application/json"
        assert len(server.setting.rows(select(items))) == 1


def test_a_login_is_no_place_for_sql(server):
    server.enter("Ann")
    for name in ("Ann' --", "' or 1=1 --", 'Ann"; drop table people; --'):
        assert server.visitor().login(name).status == 401
    assert len(server.setting.rows(select(people))) == 1


def test_an_import_brings_no_script_to_life(tmp_path):
    with live(make_setting(tmp_path, task="tuples")) as server:
        admin = server.enter("Root", "admin")
        octets = {"Content-Type": "application/octet-stream"}
        reply = admin.send("POST", "/api/import?format=lines", raw=SCRIPT.encode(), headers=octets)
        assert reply.body == {"items": 1, "known": 0}
        shown = admin.post("/api/assignments")
        assert shown.headers["content-type"] == "application/json"
        assert shown.body["assignment"]["content"]["text"] == SCRIPT


# Paths and uploads


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/project.toml",
        "/static//etc/passwd",
        "/static/js/../../project.py",
        "/static/%00",
        "/static/",
        "/items/..%2f..%2fetc",
        "/export/../project.toml",
    ],
)
def test_no_path_leads_to_another_file(steady, path):
    reply = steady[1].get(path)
    assert reply.status in (200, 400, 404)
    assert reply.status != 200 or reply.data.startswith(b"<!doctype html>")


def import_reply(admin, data, query="", headers=None):
    sent = {"Content-Type": "application/octet-stream", **(headers or {})}
    return admin.send("POST", f"/api/import{query}", raw=data, headers=sent)


BAD_FILES = {
    "not-utf8": b"\xff\xfe\x00bad",
    "broken-json": b'{"id": "a", "source": "x"',
    "json-list": b'["a"]\n',
    "number": b"7\n",
    "no-text": b'{"id": "a"}\n',
    "wrong-types": b'{"id": {"a": 1}, "source": 3, "generated": null}\n',
    "gzip": b"\x1f\x8b\x08\x00" + bytes(40),
    "deep": b"[" * 100_000,
    "nul-id": b'{"id": "a\\u0000b", "source": "x", "generated": "y"}\n',
    "long-id": b'{"id": "' + b"a" * 5000 + b'", "source": "x", "generated": "y"}\n',
    "twice": b'{"id": "a", "source": "x", "generated": "y"}\n' * 2,
    "bare-control": b'{"id": "a", "source": "x", "generated": "y", "control": true}\n',
    "bad-answer": b'{"id": "a", "source": "x", "generated": "y", "answer": {"score": 77}}\n',
    "other-content": b'{"id": "p0", "source": "x", "generated": "y"}\n',
    "half-character": b'{"id": "a", "source": "\\ud800", "generated": "y"}\n',
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_malformed_upload_is_refused_whole(steady, name):
    server, admin = steady
    reply = import_reply(admin, BAD_FILES[name])
    assert reply.status in (400, 422), reply.body
    assert "Traceback" not in reply.body["error"]["message"]
    assert len(server.setting.rows(select(items))) == 6


@pytest.mark.parametrize("name", ["parquet", "../x", "nothing", "LINES"])
def test_an_upload_in_a_format_that_is_none_is_refused(tmp_path, name):
    with live(make_setting(tmp_path, task="tuples", rows=sentences(1))) as server:
        assert import_reply(server.enter("Root", "admin"), b"PAR1" + bytes(100), f"?format={name}").status in (
            400,
            422,
        )


def test_an_upload_that_is_too_large_is_refused_before_it_is_read(steady):
    reply = import_reply(steady[1], b"", headers={"Content-Length": str(LARGEST_IMPORT + 1)})
    assert (reply.status, reply.code) == (413, "too-large")


def test_a_body_without_a_length_is_partial_off_at_the_limit(server):
    ann = server.enter("Ann")
    with socket.create_connection(("127.0.0.1", server.port), 30) as stream:
        head = (
            f"POST /api/assignments HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: tupelo={ann.cookies['tupelo']}\r\n"
            f"X-CSRF-Token: {ann.csrf}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        stream.sendall(head.encode())
        piece = b'{"a": "' + b"x" * 65_000
        try:
            for _ in range(LARGEST_BODY // 65_000 + 3):
                stream.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        except OSError:
            pass  # the server has closed its side already
        assert b" 413 " in stream.recv(200)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": "\\ud800"}',
        b'{"a": "\\u0000"}',
        b"\xff",
        b'{"a": ' * 100 + b"1" + b"}" * 100,
        b"[" * 50_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_json_that_is_none_is_refused(steady, body):
    reply = steady[1].send("POST", "/api/assignments", raw=body, headers={"Content-Type": "application/json"})
    assert (reply.status, reply.code) == (400, "bad-request")


def test_every_error_has_the_same_form(server):
    ann = server.enter("Ann")
    replies = [
        ann.get("/api/nowhere"),
        ann.get("/api/assignments/99"),
        ann.get("/api/assignments/x"),
        ann.send("PUT", "/api/session", {}),
        ann.post("/api/login", {"name": "Ann"}),
        ann.get("/nowhere"),
        ann.get("/api/assignments/99999999999999999999"),
        ann.post("/api/login", {"name": 1, "password": []}),
    ]
    for reply in replies:
        assert 400 <= reply.status < 500
        assert set(reply.body) == {"error"}
        assert set(reply.body["error"]) == {"code", "message", "field", "detail"}
