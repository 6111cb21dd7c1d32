"""Names, passwords and tokens with which people and programs are recognized.

Names that are too easily taken for another are refused, after Unicode's UTS #39: the letters of a name come from one
script (or are those of Japanese, Chinese or Korean, with Latin among them), and no two names have the same skeleton,
which is what is left when every character is replaced by the one it looks like. The table of look-alikes is ours:
`data/lookalikes.txt`.

Passwords are stored as scrypt hashes. The cost follows the recommendation of OWASP's cheat sheet on password storage
(N = 2^15, r = 8, p = 3: 32 MB and about a fifth of a second). The parameters precede the hash, so that old hashes
stay readable.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from tupelo.core.shipped import shipped_text
from tupelo.web.guard import Refusal

# Scripts that are written together; "highly restrictive" in UTS #39.
_TOGETHER = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)
# Printable for Python, but drawn as nothing: joiners, fillers and variation selectors.
_UNSEEN = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
# Within Latin: what the eye takes for `l` and `o`, and two letters for one.
_CLOSE = {"I": "l", "1": "l", "|": "l", "0": "o", "O": "o", "m": "rn"}


def name_key(name: str) -> str:
    """The form in which names are compared; it finds the person at sign-in."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def usable_name(name: str) -> str:
    """A chosen name in its normal form; refused if it holds what cannot be seen or letters of several scripts."""
    name = unicodedata.normalize("NFKC", " ".join(name.split()))
    if not name or not name.isprintable() or not _UNSEEN.isdisjoint(name):
        raise Refusal("invalid", "The name needs visible characters only.", field="name")
    scripts = {_script(letter) for letter in name if unicodedata.category(letter) in ("Lu", "Ll", "Lt", "Lo")}
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        found = " and ".join(sorted(script.capitalize() for script in scripts))
        raise Refusal("invalid", f"The name mixes letters of {found}; write it in one alphabet.", field="name")
    return name


def check_distinct(name: str, others: Iterable[str]) -> None:
    """Refuse a name that is, or looks like, one of `others`."""
    key, own = name_key(name), _skeletons(name)
    for other in others:
        if key == name_key(other) or any(map(str.__eq__, own, _skeletons(other))):
            message = "This name is taken, or looks like one that is. Choose another one."
            raise Refusal("conflict", message, field="name")


def _script(letter: str) -> str:
    """The script of a letter, which is the first word of its name in Unicode."""
    word = unicodedata.name(letter, "unknown").partition(" ")[0]
    return "CJK" if word == "IDEOGRAPHIC" else word


def _skeletons(name: str) -> tuple[str, str]:
    """The shapes of a name as it is written, and in whatever case."""
    shape = "".join(_lookalikes().get(one, one) for one in unicodedata.normalize("NFKD", name))
    return "".join(_CLOSE.get(one, one) for one in shape), shape.casefold()


@cache
def _lookalikes() -> dict[str, str]:
    lines = shipped_text("tupelo.annotate", "data/lookalikes.txt").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {like: plain for plain, likes in rows for like in likes}


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
