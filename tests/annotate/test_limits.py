"""Slow, greedy and ambiguous clients of the annotation server, over real sockets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.annotate.serving import PASSWORD, SHELL, live, make_setting, pairs
from tests.sockets import SHORT, dial, replies, trickle, until_answered, until_closed
from tupelo.web import guard
from tupelo.web.guard import Bodies, Refusal
from tupelo.web.limits import ServerLimits

LARGE = {**SHELL, "large.js": bytes(64 << 20)}


@pytest.fixture
def setting(tmp_path):
    return make_setting(tmp_path, "overlap = 2\n", rows=pairs(6))


def head(line: str, *headers: str) -> bytes:
    return "\r\n".join([line, "Host: 127.0.0.1", *headers]).encode() + b"\r\n"


LOGIN = head("POST /api/login HTTP/1.1", "Content-Type: application/json", "Content-Length: 60")


def works(server):
    """An honest person signs in and is given work."""
    ann = server.visitor()
    assert until_answered(lambda: ann.login("Ann").status) == 200
    assert ann.post("/api/assignments").status == 200


# Time


def test_200_stalled_bodies_are_closed_and_honest_people_are_served(setting):
    with live(setting, limits=SHORT) as server:
        server.enter("Ann")
        stalled = [dial(server.port, LOGIN + b'\r\n{"name": ') for _ in range(200)]
        for client in stalled:
            assert replies(until_closed(client)) == [b"408"]
        works(server)


@pytest.mark.parametrize("sent", [b"", b"GET /a", head("GET / HTTP/1.1"), head("GET / HTTP/1.1") + b"X: "])
def test_headers_that_trickle_in_are_cut_off(setting, sent):
    with live(setting, limits=SHORT) as server:
        server.enter("Ann")
        assert replies(trickle(dial(server.port, sent), b"a" if sent else b"\r\n")) == [b"408"]
        works(server)


def test_a_body_that_trickles_in_is_cut_off(setting):
    with live(setting, limits=SHORT) as server:
        server.enter("Ann")
        sent = LOGIN.replace(b": 60", b": 100000") + b"\r\n"
        assert replies(trickle(dial(server.port, sent), b"a")) == [b"408"]
        chunked = LOGIN.replace(b"Content-Length: 60", b"Transfer-Encoding: chunked") + b"\r\n"
        assert replies(trickle(dial(server.port, chunked), b"1\r\na\r\n")) == [b"408"]
        works(server)


def test_idle_connections_are_closed_also_when_line_ends_trickle_in(setting):
    with live(setting, limits=SHORT) as server:
        client = dial(server.port, head("GET /api/session HTTP/1.1") + b"\r\n")
        assert replies(trickle(client, b"\r\n")) == [b"200"]
        client = dial(server.port, 2 * (head("GET /api/session HTTP/1.1") + b"\r\n"))
        assert replies(until_closed(client)) == [b"200", b"200"]


def test_a_client_that_never_reads_loses_its_connection(setting):
    # It holds the only place.
    limits = replace(SHORT, least_rate=1 << 30, connections_per_client=1)
    with live(setting, LARGE, limits) as server:
        client = dial(server.port, head("GET /static/large.js HTTP/1.1") + b"\r\n", receive_buffer=4096)
        assert until_answered(lambda: server.visitor().get("/api/session").status) == 200
        client.close()


def test_a_client_that_reads_gets_everything(setting):
    with live(setting, LARGE) as server:
        assert len(server.visitor().get("/static/large.js").data) == 64 << 20


@pytest.mark.parametrize(
    "limits", [ServerLimits(connections=10, head_seconds=2), ServerLimits(connections_per_client=10, head_seconds=2)]
)
def test_a_flood_of_connections_takes_no_more_places_than_there_are(setting, limits):
    with live(setting, limits=limits) as server:
        flood = [dial(server.port, b"GET / HTTP/1.1\r\n") for _ in range(200)]
        for client in flood[10:]:
            assert replies(until_closed(client)) in ([b"503"], [])
        for client in flood[:10]:
            assert replies(until_closed(client)) == [b"408"]
        assert until_answered(lambda: server.visitor().get("/api/session").status) == 200


# Size


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"a" * 400_000,
        head("GET / HTTP/1.1") + b"X: " + b"a" * 400_000,
        head("GET / HTTP/1.1") + b"X: a\r\n" * 60_000,
        head("GET / HTTP/1.1") + b"X: a\r\n" * 200 + b"\r\n",
        head("GET / HTTP/1.1") + b"X: " + b"a" * 40_000 + b"\r\n\r\n",
        LOGIN.replace(b"Content-Length: 60", b"Transfer-Encoding: chunked") + b"\r\n0\r\nX: " + b"a" * 400_000,
    ],
)
def test_headers_that_do_not_end_are_refused(setting, sent):
    with live(setting) as server:
        assert replies(until_closed(dial(server.port, sent))) in ([b"431"], [])
        assert server.visitor().get("/api/session").status == 200


def test_bodies_of_a_client_and_of_all_are_bounded(monkeypatch):
    monkeypatch.setattr(guard, "MOST_OF_A_CLIENT", 30)
    monkeypatch.setattr(guard, "MOST_OF_ALL", 50)
    bodies = Bodies()
    with bodies.of("ann") as take:
        take(30)
        for client, fits, too_much in [("ann", 0, 1), ("bob", 20, 21)]:
            with bodies.of(client) as more, pytest.raises(Refusal, match="busy"):
                more(too_much)
            with bodies.of(client) as more:
                more(fits)
    with bodies.of("bob") as take:
        take(30)


def test_a_body_too_many_is_refused_for_now(setting, monkeypatch):
    with live(setting) as server:
        server.enter("Ann")
        monkeypatch.setattr(guard, "MOST_OF_ALL", 20)
        reply = server.visitor().login("Ann")
        assert (reply.status, reply.code, reply.headers["retry-after"]) == (503, "busy", "5")
        monkeypatch.undo()
        works(server)


# Where a request ends

SECOND = head("GET /api/session HTTP/1.1") + b"\r\n"
BODY = f'{{"name": "Ann", "password": "{PASSWORD}"}}'


@pytest.mark.parametrize(
    ("line", "headers", "status"),
    [
        ("GET /api/session HTTP/1.1", ["Content-Length: {}"], b"400"),
        ("GET /api/session HTTP/1.1", ["Transfer-Encoding: chunked"], b"400"),
        ("HEAD /api/session HTTP/1.1", ["Content-Length: {}"], b"400"),
        ("POST /api/login HTTP/1.1", ["Transfer-Encoding: chunked", "Content-Length: {}"], b"400"),
        ("POST /api/login HTTP/1.1", ["Content-Length: {}", "Transfer-Encoding: chunked"], b"400"),
        ("POST /api/login HTTP/1.1", ["Content-Length: 1", "Content-Length: {}"], b"400"),
        ("POST /api/login HTTP/1.1", ["Content-Length: {}", "Content-Length: {}"], b"400"),
        ("POST /api/login HTTP/1.1", ["Content-Length : {}"], b"400"),
        ("POST /api/login HTTP/1.1", ["Content-Length: +{}"], b"400"),
        ("POST /api/login HTTP/1.1", ["Transfer-Encoding: xchunked"], b"400"),
        ("POST /api/login HTTP/1.1", ["Host: evil.example", "Content-Length: {}"], b"400"),
        ("POST /api/login HTTP/1.1", ["Origin: http://evil.example", "Content-Length: {}"], b"403"),
        ("POST /api/login HTTP/1.1", ["Content-Length: 99999999999"], b"413"),
        ("BREW / HTTP/1.1", ["Content-Length: {}"], b"400"),
        ("GET / HTTP/9.9", ["Content-Length: {}"], b"400"),
        ("\0\1\2", [], b"400"),
    ],
)
def test_what_follows_a_doubtful_request_is_not_taken_for_another(setting, line, headers, status):
    with live(setting) as server:
        sent = head(line, *(text.format(len(SECOND)) for text in headers)) + b"\r\n" + SECOND
        received = until_closed(dial(server.port, sent))
        assert replies(received) == [status]
        assert b"connection: close" in received
        assert b"Traceback" not in received


def test_what_stands_behind_a_body_is_no_header(setting):
    """A token behind the body would not have been seen by whoever checks headers on the way."""
    with live(setting) as server:
        ann = server.enter("Ann")
        line = "POST /api/assignments HTTP/1.1"
        sent = head(
            line,
            f"Cookie: tupelo={ann.cookies['tupelo']}",
            "Content-Type: application/json",
            "Transfer-Encoding: chunked",
            "Connection: close",
        )
        behind = f"X-CSRF-Token: {ann.csrf}\r\n\r\n".encode()
        assert replies(until_closed(dial(server.port, sent + b"\r\n2\r\n{}\r\n0\r\n" + behind))) == [b"403"]


def test_methods(setting):
    with live(setting) as server:
        visitor = server.visitor()
        for path in ("/", "/api/session", "/static/js/app.js"):
            reply, whole = visitor.send("HEAD", path), visitor.get(path)
            assert (reply.status, reply.data) == (200, b"")
            assert reply.headers["content-length"] == whole.headers["content-length"]
        refused = visitor.send("OPTIONS", "/api/session", raw=b"")
        assert (refused.status, refused.headers["allow"]) == (405, "GET")
        assert visitor.send("TRACE", "/api/session", raw=b"").status in (405, 415)
        assert refused.headers["content-security-policy"] == guard.POLICY
