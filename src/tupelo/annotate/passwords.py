"""Passwords as scrypt hashes, and tokens that are stored only as hashes.

The cost follows the recommendation of OWASP's cheat sheet on password storage for scrypt (N = 2^15, r = 8, p = 3:
32 MB and about a fifth of a second). The parameters precede the hash, so that old hashes stay readable.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
from functools import lru_cache

_LOG_N, _R, _P = 15, 8, 3
_LENGTH = 32
# Each hash takes 32 MB: a flood of logins must not take all memory.
_AT_ONCE = threading.BoundedSemaphore(2)


def hash_password(password: str, *, log_n: int = _LOG_N) -> str:
    salt = secrets.token_bytes(16)
    return f"scrypt${log_n}${_R}${_P}${_encode(salt)}${_encode(_scrypt(password, salt, log_n, _R, _P))}"


def is_password(password: str, stored: str) -> bool:
    """Compare a password with a hash in constant time. A stored text that is not a hash never matches."""
    kind, *fields = stored.split("$")
    if kind != "scrypt" or len(fields) != 5:
        return False
    log_n, r, p = map(int, fields[:3])
    salt, expected = (base64.b64decode(field) for field in fields[3:])
    return hmac.compare_digest(_scrypt(password, salt, log_n, r, p), expected)


def _scrypt(password: str, salt: bytes, log_n: int, r: int, p: int) -> bytes:
    with _AT_ONCE:
        return hashlib.scrypt(
            password.encode("utf-8"), salt=salt, n=1 << log_n, r=r, p=p, maxmem=256 << 20, dklen=_LENGTH
        )


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


@lru_cache(maxsize=8)
def nobody(log_n: int = _LOG_N) -> str:
    """A hash to compare with for unknown names, so that response times do not reveal which names exist."""
    return hash_password(secrets.token_hex(16), log_n=log_n)


def new_token() -> str:
    """256 random bits, URL-safe."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """The hash of a token, which is random enough to need neither salt nor cost."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
