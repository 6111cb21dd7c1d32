"""The server of pages: slow, greedy and ambiguous clients over real sockets."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.sockets import SHORT, dial, replies, trickle, until_answered, until_closed
from tests.sockets import serving as served
from tupelo.core import InputError
from tupelo.web.app import page_app
from tupelo.web.limits import PAGE_LIMITS, Connections, ServerLimits
from tupelo.web.server import WebServer

LARGE = 64 << 20


def fail(_):
    raise KeyError("a secret of the server")


def refuse(_):
    raise InputError("no such thing")


VIEWS = {
    "/large": lambda _: "x" * (LARGE - 2),
    "/echo": dict,
    "/fail": fail,
    "/refuse": refuse,
}


@contextmanager
def serving(limits: ServerLimits = PAGE_LIMITS) -> Iterator[WebServer]:
    server = WebServer("127.0.0.1", 0, limits=limits)
    with served(server, page_app("hello", "default-src 'none'", VIEWS, (), server.port)):
        yield server


def test_listening_asks_the_resolver_nothing(monkeypatch):
    monkeypatch.setattr("socket.getfqdn", lambda *_: pytest.fail("looked up the name of an address"))
    WebServer("127.0.0.1", 0).close()


def ask(server, method="GET", path="/", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        return reply, reply.read()
    finally:
        connection.close()


def head(server, line="GET / HTTP/1.1", *more):
    return "\r\n".join([line, f"Host: 127.0.0.1:{server.port}", *more]).encode()


def works(server):
    assert until_answered(lambda: ask(server)[0].status) == 200


# Time


def test_headers_that_trickle_in_are_cut_off():
    with serving(SHORT) as server:
        assert replies(trickle(dial(server.port, head(server) + b"\r\nX: "), b"a")) == [b"408"]
        assert replies(trickle(dial(server.port), b"\r\n")) == [b"408"]
        works(server)


def test_connections_that_say_nothing_and_idle_ones_are_closed():
    with serving(SHORT) as server:
        assert replies(until_closed(dial(server.port))) == [b"408"]
        client = dial(server.port, head(server) + b"\r\n\r\n" + head(server) + b"\r\n\r\n")
        assert replies(until_closed(client)) == [b"200", b"200"]
        works(server)


def test_a_client_that_never_reads_loses_its_connection():
    # It holds the only place.
    with serving(replace(SHORT, least_rate=1 << 30, connections_per_client=1)) as server:
        client = dial(server.port, head(server, "GET /large HTTP/1.1") + b"\r\n\r\n", receive_buffer=4096)
        works(server)
        client.close()


def test_a_client_that_reads_gets_everything():
    with serving() as server:
        assert len(ask(server, path="/large")[1]) == LARGE


def test_a_flood_of_connections_takes_no_more_places_than_there_are():
    limits = replace(SHORT, connections_per_client=10, head_seconds=2)
    with serving(limits) as server:
        flood = [dial(server.port, b"GET / HTTP/1.1\r\n") for _ in range(200)]
        # Those without a place are closed first.
        for client in flood[10:]:
            assert replies(until_closed(client)) in ([b"503"], [])
        for client in flood[:10]:
            assert replies(until_closed(client)) == [b"408"]
        works(server)


# Size


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"a" * 100_000,
        b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000,
        b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 20_000,
        b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 200 + b"\r\n",
    ],
)
def test_headers_that_do_not_end_are_refused(sent):
    with serving() as server:
        assert replies(until_closed(dial(server.port, sent))) == [b"431"]
        works(server)


# Where a request ends

SECOND = b"GET /echo?second HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"


@pytest.mark.parametrize(
    ("line", "headers", "status"),
    [
        ("GET / HTTP/1.1", ["Content-Length: {}"], b"400"),
        ("GET / HTTP/1.1", ["Transfer-Encoding: chunked"], b"400"),
        ("GET / HTTP/1.1", ["Transfer-Encoding: chunked", "Content-Length: 0"], b"400"),
        ("GET / HTTP/1.1", ["Transfer-Encoding:\tchunked", "Content-Length: {}"], b"400"),
        ("GET / HTTP/1.1", ["Content-Length: 0", "Content-Length: {}"], b"400"),
        ("GET / HTTP/1.1", ["Content-Length: +0"], b"400"),
        ("GET / HTTP/1.1", ["Content-Length : {}"], b"400"),
        ("GET / HTTP/1.1", ["no header at all"], b"400"),
        ("GET / HTTP/1.1", ["Host: evil.example"], b"400"),
        ("HEAD / HTTP/1.1", ["Content-Length: {}"], b"400"),
        ("POST / HTTP/1.1", ["Content-Length: {}"], b"405"),
        ("POST / HTTP/1.1", ["Transfer-Encoding: chunked", "Expect: 100-continue"], b"400"),
        ("OPTIONS * HTTP/1.1", ["Content-Length: {}"], b"405"),
        ("BREW / HTTP/1.1", ["Content-Length: {}"], b"400"),
        ("GET / HTTP/9.9", ["Content-Length: {}"], b"400"),
        ("GET /", [], b"400"),
        ("GET / / HTTP/1.1", [], b"400"),
        ("\0\1\2", [], b"400"),
    ],
)
def test_what_follows_a_doubtful_request_is_not_taken_for_another(line, headers, status):
    with serving() as server:
        second = SECOND % server.port
        sent = head(server, line, *(text.format(len(second)) for text in headers)) + b"\r\n\r\n" + second
        received = until_closed(dial(server.port, sent))
        assert replies(received) == [status]
        assert b"second" not in received
        assert b"connection: close" in received


def test_a_connection_goes_on_after_an_error_that_leaves_no_doubt():
    with serving(replace(PAGE_LIMITS, idle_seconds=0.3)) as server:
        requests = [head(server, f"GET {path} HTTP/1.1") for path in ("/missing", "/refuse", "/", "/fail")]
        sent = b"".join(request + b"\r\n\r\n" for request in requests)
        assert replies(until_closed(dial(server.port, sent))) == [b"404", b"400", b"200", b"500"]


# Replies


def test_every_reply_has_the_headers_and_no_error_tells_of_the_inside():
    with serving() as server:
        asked = [("GET", "/"), ("GET", "/missing"), ("GET", "/fail"), ("POST", "/"), ("BREW", "/"), ("HEAD", "/fail")]
        for method, path in asked:
            reply, body = ask(server, method, path)
            assert reply.headers["X-Content-Type-Options"] == "nosniff"
            assert reply.headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert reply.headers["X-Frame-Options"] == "DENY"
            assert "Server" not in reply.headers
            assert b"secret" not in body
            if reply.status != 200 and method != "HEAD":
                assert list(json.loads(body)) == ["error"]
        assert ask(server, "DELETE")[0].headers["Allow"] == "GET, HEAD"
        reply, body = ask(server, "HEAD")
        assert (reply.status, body, reply.headers["Content-Length"]) == (200, b"", "5")


# Counting


def test_clients_are_counted_by_address_and_by_network():
    counted = Connections(ServerLimits(connections=6, connections_per_client=2), unlimited=["10.0.0.9"])
    assert [counted.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    # One client has many IPv6 addresses.
    assert [counted.enter(f"2001:db8::{n}") for n in (1, 2, 3)] == [True, True, False]
    assert [counted.enter("10.0.0.9") for _ in range(3)] == [True, True, False]
    assert not counted.enter("2001:db8:0:1::1")
    counted.leave("192.0.2.1")
    counted.leave("2001:db8::2")
    assert [counted.enter("2001:db8::9"), counted.enter("fe80::1%eth0")] == [True, True]


def test_time_for_a_body_and_for_a_reply_grows_with_its_size():
    limits = ServerLimits(body_seconds=20, write_seconds=10, least_rate=1000)
    assert (limits.body_time(0), limits.body_time(5000)) == (20, 25)
    assert (limits.write_time(0), limits.write_time(5000)) == (10, 15)


SITE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
VISIT = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/echo", {}, 200),
        ("/echo", {"Sec-Fetch-Site": "same-origin"}, 200),
        ("/echo", SITE, 403),
        ("/echo", {"Origin": "http://elsewhere.example"}, 403),
        ("/echo", {**VISIT, "Sec-Fetch-Dest": "iframe"}, 403),
        ("/", VISIT, 200),
        ("/api/echo", VISIT, 403),
    ],
)
def test_pages_of_other_sites_cannot_make_the_server_work(path, headers, status):
    with serving() as server:
        reply, _ = ask(server, "GET", path, None, **headers)
    assert reply.status == status
