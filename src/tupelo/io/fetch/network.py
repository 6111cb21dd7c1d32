"""One address into one file, over HTTP, however often the connection breaks.

A download that was cut goes on with a Range request. If-Range makes sure that the rest belongs to the same content:
when the server has another one by now, or does not know ranges, it sends everything and the file starts over.
"""

from __future__ import annotations

import base64
import errno
import http.client
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import IO
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit

from tupelo.core.version import __version__
from tupelo.io.fetch.store import AddressError, FetchError, UnreachableError, discard, validator_of, without_secrets

_CHUNK = 1 << 16
_TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_UNREACHABLE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ECONNREFUSED})
# Without a network the error comes soon: nothing changes by asking five times.
_UNREACHABLE_ATTEMPTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Timeouts and number of attempts. Attempts count only while no new byte arrives."""

    timeout: float = 30.0
    attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 30.0
    sleep: Callable[[float], None] = time.sleep

    def wait(self, failures: int, asked: float) -> None:
        self.sleep(min(max(self.first_wait * 2 ** (failures - 1), asked), self.longest_wait))


def download(
    address: str, part: Path, *, size: int | None, patience: Patience, report: Callable[[int], None]
) -> bool:
    """Make `part` what the server has at `address`; true when some of it was there before.

    Raises `AddressError` when the server refuses, `UnreachableError` when `patience` ends, `FetchError` when the file
    does not have `size` bytes. `report` gets the bytes that are there; they become fewer when a download starts over.
    """
    resumed = _resume_point(part)[0] > 0
    most = failures = 0
    opener = _opener()
    while True:
        try:
            _attempt(opener, address, part, size, patience.timeout, report)
            return resumed
        except _TransientError as error:
            have = part.stat().st_size if part.exists() else 0
            failures, most = (1, have) if have > most else (failures + 1, most)
            if failures >= (_UNREACHABLE_ATTEMPTS if error.unreachable else patience.attempts):
                raise UnreachableError(f"{without_secrets(address)}: {error}") from error
            patience.wait(failures, error.wait)


class _TransientError(Exception):
    """Worth another try. `wait` is what the server asked for, in seconds."""

    def __init__(self, message: str, *, wait: float = 0.0, unreachable: bool = False) -> None:
        super().__init__(message)
        self.wait, self.unreachable = wait, unreachable


def _resume_point(part: Path) -> tuple[int, str]:
    """Number of bytes that are there, and the validator of the content they came from; 0 when they cannot be used."""
    try:
        validator = validator_of(part).read_text("latin-1")
        size = part.stat().st_size
    except OSError:
        return 0, ""
    return (size, validator) if validator else (0, "")


def _attempt(
    opener: request.OpenerDirector,
    address: str,
    part: Path,
    size: int | None,
    timeout: float,
    report: Callable[[int], None],
) -> None:
    have, validator = _resume_point(part)
    if have and have == size:
        return  # complete, but the process ended before the file got its name
    query = _request(address)
    if have:
        query.add_header("Range", f"bytes={have}-")
        query.add_header("If-Range", validator)
    try:
        response = opener.open(query, timeout=timeout)
    except HTTPError as error:
        with error:
            if error.code == 416 and have and _content_range(error.headers)[1] == have:
                return
            raise _refusal(error, address, part) from None
    except FetchError:
        raise
    except (OSError, http.client.HTTPException) as error:
        raise _breakdown(error, address) from error
    with response:
        start, total = _what_comes(response, have, address, part)
        if size is not None and total not in (None, size):
            discard(part)
            raise FetchError(f"{without_secrets(address)}: {total:,} bytes, expected {size:,}; not downloaded")
        if start == 0:
            discard(part)
            # The value of If-Range: a strong entity tag, else the date of the file, else nothing.
            tag, date = (response.headers.get(name, "") for name in ("ETag", "Last-Modified"))
            validator_of(part).write_text(tag if tag.startswith('"') else date, "latin-1")
        position = start
        report(position)
        with open(part, "ab") as output:
            while chunk := _read(response, address):
                output.write(chunk)
                position += len(chunk)
                report(position)
                if size is not None and position > size:
                    return  # the wrong file; the check of its size will say so
    if total is not None and position < total:
        raise _TransientError(f"connection cut after {position:,} of {total:,} bytes")


def _request(address: str) -> request.Request:
    pieces = urlsplit(address)
    if pieces.scheme not in ("http", "https") or not pieces.hostname:
        raise AddressError(f"{without_secrets(address)}: cannot be fetched, expected an http or https address")
    query = request.Request(without_secrets(address))
    query.add_header("User-Agent", f"tupelo/{__version__}")
    # Compressed in transit, a file would have other bytes and another length than its checksum and range say.
    query.add_header("Accept-Encoding", "identity")
    if pieces.username is not None:
        secret = f"{unquote(pieces.username)}:{unquote(pieces.password or '')}".encode()
        # Unredirected: the secret is for this host and no other.
        query.add_unredirected_header("Authorization", "Basic " + base64.b64encode(secret).decode("ascii"))
    return query


def _opener() -> request.OpenerDirector:
    # By hand, because `build_opener` adds handlers for file: and ftp: addresses.
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler(),
        request.UnknownHandler(),
        request.HTTPHandler(),
        request.HTTPSHandler(),
        request.HTTPDefaultErrorHandler(),
        request.HTTPErrorProcessor(),
        _SafeRedirects(),
    ):
        opener.add_handler(handler)
    return opener


class _SafeRedirects(request.HTTPRedirectHandler):
    """Follows redirects to HTTPS, or within the same host as long as encryption is not given up."""

    max_redirections = 5

    def redirect_request(
        self, req: request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> request.Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        within = new.scheme == "http" == old.scheme and new.hostname == old.hostname
        if (new.scheme != "https" and not within) or new.username is not None:
            fp.close()
            raise AddressError(
                f"{without_secrets(req.full_url)}: redirected to {new.scheme}://{new.hostname}, "
                "expected HTTPS or the same host"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _what_comes(response: http.client.HTTPResponse, have: int, address: str, part: Path) -> tuple[int, int | None]:
    """At which byte the answer starts, and how long the whole file is, if the server says so."""
    headers = response.headers
    if headers.get("Content-Encoding", "identity") != "identity":
        how = headers["Content-Encoding"]
        raise AddressError(f"{without_secrets(address)}: came compressed ({how}), expected the file itself")
    if response.status not in (200, 206):
        raise AddressError(f"{without_secrets(address)}: HTTP status {response.status}, expected 200")
    length = _number(headers.get("Content-Length", ""))
    if response.status == 200:
        return 0, length
    first, total = _content_range(headers)
    if first != have:
        discard(part)
        raise _TransientError(f"asked for bytes from {have:,} on, the server sent others")
    return have, total if total is not None or length is None else have + length


def _content_range(headers: Message) -> tuple[int | None, int | None]:
    """First byte and whole length from `bytes 100-199/200` or `bytes */200`."""
    span, _, total = headers.get("Content-Range", "").removeprefix("bytes").strip().partition("/")
    return _number(span.partition("-")[0]), _number(total)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() else None


def _read(response: http.client.HTTPResponse, address: str) -> bytes:
    try:
        return response.read1(_CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _breakdown(error, address) from error


def _refusal(error: HTTPError, address: str, part: Path) -> Exception:
    """The error for an HTTP status other than success."""
    shown, status = without_secrets(address), f"HTTP status {error.code} ({str(error.reason)[:80]})"
    if error.code == 416:
        discard(part)
        return _TransientError("the server's file is shorter than the part that was there")
    if error.code in _TRANSIENT_STATUS:
        return _TransientError(status, wait=float(_number(error.headers.get("Retry-After", "")) or 0))
    if 300 <= error.code < 400:
        # Not the reason: it quotes the place, and that may hold a secret.
        return AddressError(f"{shown}: redirected too often, or to where it may not go")
    return AddressError(f"{shown}: {status}, expected 200")


def _breakdown(error: Exception, address: str) -> Exception:
    """The error for a broken or missing connection."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, ssl.SSLCertVerificationError):
        return FetchError(f"{without_secrets(address)}: certificate not trusted ({reason.verify_message})")
    if isinstance(reason, http.client.InvalidURL):
        return AddressError(f"{without_secrets(address)!r}: not a valid address")
    if isinstance(reason, TimeoutError):
        return _TransientError("no answer in time")
    what = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    if isinstance(reason, socket.gaierror) or getattr(reason, "errno", None) in _UNREACHABLE:
        return _TransientError(f"cannot be reached ({what})", unreachable=True)
    return _TransientError(f"connection broken ({what})")
