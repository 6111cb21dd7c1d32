"""Checks on every request of a web application before it is handled, and headers on every reply.

Requests: only to host names of this server, of bounded size (each one, and all of a client at a time), with valid
JSON (no NaN, no lone surrogates, no deep nesting), and no writes triggered by another site's page. Replies: headers
that tell the browser to run nothing but our own files, to allow no framing and to send no referrer, because
invitations are addresses.

A refusal is an error in a form that pages can act on.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from tupelo.core import TupeloError

STATUS = {
    "bad-request": 400,
    "not-signed-in": 401,
    "forbidden": 403,
    "csrf": 403,
    "not-found": 404,
    "wrong-method": 405,
    "conflict": 409,
    "lease-lost": 409,
    "gone": 410,
    "too-large": 413,
    "too-long": 413,
    "long-address": 414,
    "wrong-type": 415,
    "wrong-host": 421,
    "invalid": 422,
    "look-again": 422,
    "too-many": 429,
    "long-headers": 431,
    "busy": 503,
}


class Refusal(TupeloError):
    """A refused request.

    `code` is for programs, the message for people. With `keep`, changes are committed. `headers` go with the reply.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        detail: dict[str, Any] | None = None,
        keep: bool = False,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.code, self.status = code, STATUS[code]
        self.field, self.detail, self.keep, self.headers = field, detail, keep, headers
        super().__init__(message)

    def body(self) -> dict[str, Any]:
        return error_body(self.code, str(self), self.field, self.detail)


def error_body(
    code: str, message: str, field: str | None = None, detail: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The common form of all errors."""
    return {"error": {"code": code, "message": message, "field": field, "detail": detail}}


Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
LARGEST_BODY = 1 << 20
# Bodies that are in memory at a time: those of one client, and all of them.
MOST_OF_A_CLIENT = 32 << 20
MOST_OF_ALL = 256 << 20
MOST_HEADERS = 100
LONGEST_HEADERS = 32 << 10
_DEEPEST = 60
_LONGEST_ADDRESS = 4000
_HTTP_PORT = "80"
# Paths whose replies are computed, for programs.
_ANSWERS = re.compile(r"^/v1/|/api/")
_SAFE = ("GET", "HEAD", "OPTIONS")
_ONCE = (b"host", b"content-length", b"transfer-encoding")


@dataclass(frozen=True, slots=True)
class RequestRules:
    """The rules that differ between applications.

    Replies to paths below `private` are not stored. `uploads` are the paths that take any bytes, with the most of
    them; all others take JSON, `large` ones more than the usual. `host_hint` says how an unknown host name is made
    known. A `read_only` application takes nothing but GET. Where a `port` is given, requests must name it.
    """

    private: str = "/api"
    uploads: Mapping[str, int] = field(default_factory=dict)
    large: Mapping[str, int] = field(default_factory=dict)
    host_hint: str = "use --allow-host"
    read_only: bool = False
    port: int | None = None


class Guard:
    """Wraps an application. `hosts` are the host names it accepts, `secure` says that it is behind HTTPS."""

    def __init__(self, app: App, hosts: Iterable[str], rules: RequestRules, *, secure: bool = False) -> None:
        self._app, self._hosts, self._rules = app, frozenset(hosts), rules
        headers = dict(HEADERS)
        if secure:
            headers["Strict-Transport-Security"] = "max-age=31536000"
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*self._headers]
                if scope["path"].startswith(self._rules.private):
                    own.append((b"cache-control", b"no-store"))
                # A page with a policy of its own keeps it: two would both hold.
                set_already = {name.lower() for name, _ in message["headers"]}
                own = [header for header in own if header[0] not in set_already]
                message = {**message, "headers": [*message["headers"], *own]}
            await send(message)

        client = str((scope.get("client") or ("",))[0])
        with _BODIES.of(client) as take:
            try:
                if self._rules.read_only and scope["method"] not in ("GET", "HEAD"):
                    raise Refusal("wrong-method", "This server only answers GET.", headers={"Allow": "GET, HEAD"})
                headers = _checked_headers(scope)
                self._check_address(scope, headers)
                if scope["method"] in _SAFE:
                    _check_reader(scope, headers)
                else:
                    check_origin(headers)
                    receive = await _checked_body(scope, headers, receive, take, self._rules)
            except Refusal as refusal:
                await _refuse(refusal, guarded)
                return
            # The server itself leaves out the body of a reply to HEAD.
            inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self._app(inner, receive, guarded)

    def _check_address(self, scope: Scope, headers: dict[str, str]) -> None:
        host = headers.get("host", "").lower()
        # The host name shows whose page sent the request (DNS rebinding).
        name, _, port = (host, "", "") if host.endswith("]") or ":" not in host else host.rpartition(":")
        if name not in self._hosts:
            raise Refusal("wrong-host", f"Unknown host {name[:100]!r}; {self._rules.host_hint}.")
        if self._rules.port is not None and (port or _HTTP_PORT) != str(self._rules.port):
            raise Refusal("wrong-host", "Another port of this machine is named.")
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            raise Refusal("bad-request", "This address cannot be read.")
        if len(scope["path"]) + len(scope["query_string"]) > _LONGEST_ADDRESS:
            raise Refusal("long-address", "This address is too long.")


class Bodies:
    """Counts the bytes of bodies that are in memory, so that many clients or one cannot fill it."""

    def __init__(self) -> None:
        self._sizes: Counter[str] = Counter()

    @contextmanager
    def of(self, client: str) -> Iterator[Callable[[int], None]]:
        """Within the block, a function that counts further bytes of this client, or refuses them."""
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            if self._sizes[client] + size > MOST_OF_A_CLIENT or self._sizes.total() + size > MOST_OF_ALL:
                raise Refusal("busy", "The server is busy. Try again.", headers={"Retry-After": "5"})
            self._sizes[client] += size
            taken += size

        try:
            yield take
        finally:
            self._sizes[client] -= taken
            if not self._sizes[client]:
                del self._sizes[client]


# Of the whole process: projects of one server share its memory.
_BODIES = Bodies()


def _checked_headers(scope: Scope) -> dict[str, str]:
    """Headers by name. Refused are too many, and those that leave open where a request ends or to whom it goes."""
    given = scope["headers"]
    if len(given) > MOST_HEADERS or sum(len(name) + len(value) for name, value in given) > LONGEST_HEADERS:
        raise Refusal("long-headers", "The headers are too long.")
    if scope.get("http_version", "1.1") not in ("1.0", "1.1"):
        raise Refusal("bad-request", "The version of HTTP is neither 1.0 nor 1.1.")
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in given}
    if any(sum(name == once for name, _ in given) > 1 for once in _ONCE):
        raise Refusal("bad-request", "A header that may occur only once occurs twice.")
    if scope["method"] in _SAFE and ("transfer-encoding" in headers or headers.get("content-length", "0") != "0"):
        raise Refusal("bad-request", f"{scope['method']} with a body.")
    return headers


def check_origin(headers: dict[str, str]) -> None:
    """Reject requests that another site's page sent, according to the browser."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    is_foreign = origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
    if is_foreign or site not in (None, "same-origin", "none"):
        raise Refusal("csrf", "This request came from another site.")


def _check_reader(scope: Scope, headers: dict[str, str]) -> None:
    """Reject reads for another site's page, which may cost as much as it likes. Its links to pages are followed."""
    is_visit = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    if not is_visit or _ANSWERS.search(scope["path"]):
        check_origin(headers)


async def _checked_body(
    scope: Scope, headers: dict[str, str], receive: Receive, take: Callable[[int], None], rules: RequestRules
) -> Receive:
    """The body again, once all of it is here."""
    upload = rules.uploads.get(scope["path"])
    limit = rules.large.get(scope["path"], LARGEST_BODY) if upload is None else upload
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 15:
        raise Refusal("bad-request", "Content-Length is not a number.")
    if int(length) > limit:
        raise Refusal("too-large", f"More than {limit >> 20} MB.")
    pieces, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refusal("bad-request", "The request ended before its body was complete.")
        piece = message.get("body", b"")
        size += len(piece)
        if size > limit:
            raise Refusal("too-large", f"More than {limit >> 20} MB.")
        take(len(piece))
        pieces.append(piece)
        more = message.get("more_body", False)
    body = b"".join(pieces)
    wanted = "application/json" if upload is None else "application/octet-stream"
    # A form on another site cannot send either of these types without a CORS preflight.
    if scope["method"] != "DELETE" or body:
        if headers.get("content-type", "").partition(";")[0].strip().lower() != wanted:
            raise Refusal("wrong-type", f"The body has another type, expected {wanted}.")
        if upload is None:
            check_json(body)
    sent = False

    async def replay() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def check_json(body: bytes) -> None:
    """Reject JSON that Python accepts but a browser, a database or a file does not."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_finite, parse_float=_finite)
        _check_values(value, 0)
    except (ValueError, RecursionError) as error:
        raise Refusal("bad-request", "The body is not valid JSON.") from error


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _check_values(value: Any, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        value.encode("utf-8")  # half of a surrogate pair raises
        if "\0" in value:
            raise ValueError("a null character")
    elif isinstance(value, list):
        for inner in value:
            _check_values(inner, depth + 1)
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check_values(key, depth)
            _check_values(inner, depth + 1)


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = json.dumps(refusal.body()).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    # Nothing may be taken for a request that is the unread part of a body.
    headers.append((b"connection", b"close"))
    headers += [(name.lower().encode(), value.encode()) for name, value in refusal.headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
