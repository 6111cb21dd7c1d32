"""Faults of files: what a disk, a network, an editor, another program or an attacker makes of a good one.

`CORPUS` are the faults that every command meets; each makes a bad file of a good one, always the same. `mutate`
draws from them and from small accidents (bytes flipped, lines swapped, parts repeated) by a seed.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Mapping

Fault = Callable[[bytes], bytes]

_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_WORD = re.compile(rb"[A-Za-z]{3,}")


def _numbers(value: bytes) -> Fault:
    return lambda good: _NUMBER.sub(lambda _: value, good)


def _words(value: bytes) -> Fault:
    return lambda good: _WORD.sub(lambda _: value, good, count=3)


def _half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _columns(change: Callable[[list[bytes]], list[bytes]]) -> Fault:
    """The fields of every line changed; a file without tabs has commas or spaces between them."""

    def faulty(good: bytes) -> bytes:
        mark = next((mark for mark in (b"\t", b",", b" ") if mark in good), b"\t")
        return b"\n".join(mark.join(change(line.split(mark))) for line in good.split(b"\n"))

    return faulty


def _zipped(good: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("good.txt"), good)
    return packed.getvalue()


def _as_text(encoding: str) -> Fault:
    return lambda good: good.decode("utf-8", "replace").encode(encoding, "replace")


# JSON of every depth that a parser by recursion cannot take.
_DEEP = b'{"a":[' * 10_000
CORPUS: Mapping[str, Fault] = {
    "empty": lambda good: b"",
    "only a newline": lambda good: b"\n",
    "only spaces": lambda good: b" \t \n" * 3,
    "NUL bytes": lambda good: b"\x00" * 1000,
    "NUL bytes inside": lambda good: good.replace(b"a", b"\x00"),
    "random bytes": lambda good: random.Random(1).randbytes(5000),
    "UTF-16": _as_text("utf-16"),
    "Latin-1": lambda good: good.replace(b"e", b"\xe9"),
    "byte order mark": lambda good: b"\xef\xbb\xbf" + good,
    "CR LF": lambda good: good.replace(b"\n", b"\r\n"),
    "CR": lambda good: good.replace(b"\n", b"\r"),
    "no last newline": lambda good: good.rstrip(b"\n"),
    "half": _half,
    "one byte short": lambda good: good.rstrip(b"\n")[:-1],
    "twice": lambda good: good * 2,
    "half a gzip file": lambda good: _half(gzip.compress(good, mtime=0)),
    "gzip in gzip": lambda good: gzip.compress(gzip.compress(good, mtime=0), mtime=0),
    "gzip, then more": lambda good: gzip.compress(good, mtime=0) + b"more",
    "gzip with a wrong checksum": lambda good: gzip.compress(good, mtime=0)[:-8] + b"\x00" * 8,
    "half a bzip2 file": lambda good: _half(bz2.compress(good)),
    "zip": _zipped,
    "half a zip file": lambda good: _half(_zipped(good)),
    "half a Parquet file": lambda good: b"PAR1" + _half(good),
    "Parquet without a footer": lambda good: b"PAR1" + b"\x00" * 40 + b"PAR1",
    "columns swapped": _columns(lambda fields: fields[::-1]),
    "a column less": _columns(lambda fields: fields[:-1]),
    "a column more": _columns(lambda fields: [*fields, b"more"]),
    "numbers beyond all": _numbers(b"1e999"),
    "NaN": _numbers(b"NaN"),
    "Infinity": _numbers(b"-Infinity"),
    "negative numbers": _numbers(b"-7"),
    "numbers of 5000 digits": _numbers(b"9" * 5000),
    "half surrogates": _words(b"\\ud800"),
    "escaped NUL": _words(b"\\u0000"),
    "huge line": lambda good: good.replace(b"\n", b" ") * (1 + 50_000 // max(1, len(good))),
    "deep JSON": lambda good: _DEEP,
    "deep JSON, closed": lambda good: _DEEP + b"]}" * 10_000,
    "deep brackets": lambda good: b"(S " * 10_000 + b")" * 10_000,
    "JSON null": lambda good: b"null\n",
    "JSON list": lambda good: b"[[], {}, 1, null]\n",
    "JSON object": lambda good: json.dumps({"a": 1}).encode() + b"\n",
    "JSON string": lambda good: b'"text"\n',
    "web page": lambda good: b"<!DOCTYPE html><html><body>404 Not Found</body></html>\n",
    "Git LFS pointer": lambda good: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
}


def _flipped(good: bytes, source: random.Random) -> bytes:
    changed = bytearray(good)
    for _ in range(source.choice((1, 3, 30))):
        changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def _cut(good: bytes, source: random.Random) -> bytes:
    return good[: source.randrange(len(good))]


def _hole(good: bytes, source: random.Random) -> bytes:
    start = source.randrange(len(good))
    return good[:start] + good[start + source.choice((1, 2, 10, 100)) :]


def _repeated(good: bytes, source: random.Random) -> bytes:
    start, length = source.randrange(len(good)), source.choice((1, 5, 50))
    return good[:start] + good[start : start + length] * source.choice((2, 10, 1000)) + good[start:]


def _lines_swapped(good: bytes, source: random.Random) -> bytes:
    lines = good.split(b"\n")
    source.shuffle(lines)
    return b"\n".join(lines)


def _inserted(good: bytes, source: random.Random) -> bytes:
    start = source.randrange(len(good) + 1)
    strange = source.choice(_STRANGE)
    return good[:start] + strange * source.choice((1, 1, 2, 500)) + good[start:]


def _replaced(good: bytes, source: random.Random) -> bytes:
    """A byte that a format needs, replaced everywhere."""
    mark = source.choice((b"\t", b"\n", b'"', b":", b",", b"{", b"]", b" ", b"-", b"(", b"/", b"0", b"1"))
    return good.replace(mark, source.choice(_STRANGE))


_STRANGE = (
    *(bytes([code]) for code in b"\x00\x01\t\n\r\x0b\x0c\x1a\x1b \"'(),-/:;<=>@[]_{|}\x7f\x85\xff"),
    *(text.encode() for text in ("\u0301", "\u200b", "\u202e", "\u2028", "\ufeff", "\ufffd", "İ", "👍🏽", "𝔘")),
    *(b"1e999", b"NaN", b"-1", b"0", b"9" * 400, b"null", b"true", b"{}", b"[]", b'""', b"\\ud800", b"\\", b"%s"),
    *(b"<a>", b"<!--", b"]]>", b"&amp;", b"&#0;", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5", b"../../x", b"# "),
)
_ACCIDENTS = (_flipped, _cut, _hole, _repeated, _lines_swapped, _inserted, _inserted, _replaced)


def mutate(good: bytes, source: random.Random) -> tuple[str, bytes]:
    """A bad file made of a good one by one to three accidents, or a fault of the corpus, with what was done."""
    if source.random() < 0.25:
        name = source.choice(list(CORPUS))
        return name, CORPUS[name](good)
    names: list[str] = []
    for _ in range(source.randint(1, 3)):
        accident = source.choice(_ACCIDENTS)
        names.append(accident.__name__.strip("_").replace("_", " "))
        good = accident(good or b"x", source)
    return ", ".join(names), good
