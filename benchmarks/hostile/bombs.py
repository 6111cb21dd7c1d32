"""Small files that unpack to very much: the memory that `tupelo graph build` needs for each, and what it says.

    python -m benchmarks.hostile.bombs [NAME ...] [--megabytes 600]

Every file is built in a process of its own; the figure is the largest size that the process had in memory. The first
row, a note of one sentence, is what the program itself needs.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO

MEGABYTE = 10**6
NOTE = b"Ann Lee founded Acme in Oslo.\n"


def _spaces(size: int) -> Iterator[bytes]:
    for _ in range(size // MEGABYTE):
        yield b" " * MEGABYTE


def _note(stream: IO[bytes], _: int) -> None:
    stream.write(NOTE)


def _zipped(stream: IO[bytes], member: str, size: int, before: bytes = b"", after: bytes = b"") -> None:
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(member, "w", force_zip64=True) as content,
    ):
        for piece in chain([before], _spaces(size), [after]):
            content.write(piece)


def _tar(stream: IO[bytes], size: int) -> None:
    # Written by hand: tarfile wants to know all of a member before it writes it.
    info = tarfile.TarInfo("bomb.txt")
    info.size = size // MEGABYTE * MEGABYTE
    with gzip.GzipFile(fileobj=stream, mode="wb") as packed:
        packed.write(info.tobuf())
        for piece in _spaces(size):
            packed.write(piece)
        packed.write(b"\0" * (10240 - (info.size + 512) % 10240))


def _gzipped(stream: IO[bytes], size: int, before: bytes = b"", after: bytes = b"") -> None:
    with gzip.GzipFile(fileobj=stream, mode="wb") as packed:
        for piece in chain([before], _spaces(size), [after]):
            packed.write(piece)


def _nested(stream: IO[bytes], size: int) -> None:
    inner = io.BytesIO()
    _zipped(inner, "bomb.txt", size // 10)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(10):
            archive.writestr(f"{number}.zip", inner.getvalue())


def _parquet(stream: IO[bytes], size: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # One long text that many rows share.
    text = pa.array([" " * MEGABYTE]).dictionary_encode()
    rows = pa.DictionaryArray.from_arrays(pa.array([0] * (size // MEGABYTE), pa.int32()), text.dictionary)
    pq.write_table(pa.table({"text": rows}), stream, compression="zstd")


_XML = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>'
BOMBS: dict[str, Callable[[IO[bytes], int], None]] = {
    "note.txt": _note,
    "bomb.zip": lambda stream, size: _zipped(stream, "bomb.txt", size),
    "bomb.tar.gz": _tar,
    "bomb.txt.gz": _gzipped,
    "bomb.jsonl.gz": lambda stream, size: _gzipped(stream, size, b'{"text": "', b'"}\n'),
    "nested.zip": _nested,
    "bomb.docx": lambda stream, size: _zipped(stream, "word/document.xml", size, _XML, b"</w:t></w:r></w:p>"),
    "bomb.parquet": _parquet,
}


def measure(path: Path) -> tuple[float, int, str]:
    """Megabytes, exit status, and what was said of one build."""
    command = [sys.executable, "-m", "tupelo", "graph", "build", str(path), "-o", f"{path}.duckdb", "--workers", "1"]
    with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    reasons = [failure["reason"] for failure in json.loads(printed)["failures"]] if printed else []
    return used.ru_maxrss * 1024 / MEGABYTE, process.returncode, reasons[-1] if reasons else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BOMBS)}; all by default")
    parser.add_argument("--megabytes", type=int, default=600, help="what each unpacks to")
    arguments = parser.parse_args()
    print(f"{'file':<14} {'packed':>8} {'memory':>8} exit  said")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.names or BOMBS:
            path = Path(folder, name)
            with path.open("wb") as stream:
                BOMBS[name](stream, arguments.megabytes * MEGABYTE)
            memory, status, said = measure(path)
            size = path.stat().st_size / MEGABYTE
            print(f"{name:<14} {size:>5.1f} MB {memory:>5.0f} MB {status:>4}  {said}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
