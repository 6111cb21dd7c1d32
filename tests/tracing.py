"""What a command asks of the operating system: `strace` runs it, and this module reads what strace wrote.

Two questions are answered: whom did it talk to, and which files did it make, change or remove? A line of strace is
`PID name(arguments) = result`; with several threads a call may be cut in two, `<unfinished ...>` and `<... resumed>`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

_LINE = re.compile(r"(?P<process>\d+) +(?P<rest>.*)")
_CALL = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>.+)")
_UNFINISHED = re.compile(r"(?P<start>\w+\(.*) <unfinished \.\.\.>")
_RESUMED = re.compile(r"<\.\.\. (?P<name>\w+) resumed>(?P<end>.*)")
# A path as `-y` shows it: the folder that the name is relative to, where the call has one, and the name.
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<name>(?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9a-f]{2})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f"}

_OPENING = "open|openat2?|creat"
_CHANGING = (
    "(mkdir|mknod|rename|link|symlink|unlink|chmod|fchmod|chown|fchown)(at2?)?|"
    "rmdir|truncate|lchown|utimes?|utimensat|futimesat|l?setxattr"
)
_MOVING = "f?chdir"
# Calls through a ring are not seen one by one, so that a ring may hide anything.
_HIDING = "io_uring_setup"
_TRACED = f"%network,/^({_OPENING}|{_CHANGING}|{_MOVING}|{_HIDING})$"
_WRITING = re.compile(r"\b(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE)\b")
# Only programs that look names up read it.
_RESOLVER = "/etc/resolv.conf"


@dataclass(frozen=True, slots=True)
class Call:
    """One call, as strace shows it."""

    name: str
    arguments: str
    result: str

    def __str__(self) -> str:
        return f"{self.name}({self.arguments}) = {self.result}"

    def is_one_of(self, names: str) -> bool:
        return re.fullmatch(names, self.name) is not None

    @property
    def paths(self) -> Iterator[str]:
        """The paths among the arguments; a relative one without a folder belongs to the folder of the process."""
        for found in _PATH.finditer(self.arguments):
            yield os.path.normpath(os.path.join(found["folder"] or "", _unescape(found["name"])))


@dataclass(frozen=True)
class Trace:
    """The calls of a command and of all processes that it started, and how the command ended."""

    calls: tuple[Call, ...]
    folder: Path
    status: int = 0
    out: str = ""
    err: str = ""

    def conversations(self) -> list[str]:
        """Calls that reach for anybody outside: other machines, the resolver, or a server on this machine.

        What is left are pairs of sockets and pipes between processes of the command.
        """
        return [str(call) for call in self.calls if _talks(call)]

    def changed(self) -> set[str]:
        """Every path that was opened for writing, created, renamed or removed, or that the command tried to."""
        return {
            os.path.normpath(os.path.join(self.folder, path))
            for call in self.calls
            if _changes(call)
            for path in call.paths
        }

    def changed_outside(self, *places: str | Path) -> list[str]:
        """The same without what lies in one of these folders, or is one of these files."""
        allowed = [os.path.normpath(place) for place in places]
        return sorted(
            path
            for path in self.changed()
            if not any(path == place or path.startswith(f"{place}/") for place in allowed)
        )


def read_calls(lines: Iterable[str]) -> Iterator[Call]:
    """The calls of a trace with process numbers (`strace -f -o FILE`); those that never came back are the last."""
    unfinished: dict[str, str] = {}
    for line in lines:
        whole = _LINE.fullmatch(line.rstrip("\n"))
        assert whole is not None, f"not a line of strace -f: {line!r}"
        process, rest = whole.groups()
        if started := _UNFINISHED.fullmatch(rest):
            unfinished[process] = started["start"]
            continue
        if resumed := _RESUMED.fullmatch(rest):
            rest = unfinished.pop(process, resumed["name"] + "(") + resumed["end"]
        if found := _CALL.fullmatch(rest):
            yield Call(found["name"], found["arguments"], found["result"])
    for start in unfinished.values():
        name, _, arguments = start.partition("(")
        yield Call(name, arguments, "?")


def _talks(call: Call) -> bool:
    if call.name == "socket":
        return not call.arguments.startswith("AF_UNIX")
    if call.is_one_of(_OPENING):
        return _RESOLVER in call.paths
    return call.name == _HIDING or "sa_family=" in call.arguments


def _changes(call: Call) -> bool:
    if call.result.startswith("-1 EEXIST"):
        return False
    if call.is_one_of(_OPENING):
        return call.name == "creat" or _WRITING.search(_PATH.sub("", call.arguments)) is not None
    return call.is_one_of(_CHANGING)


def _unescape(text: str) -> str:
    def byte(found: re.Match[bytes]) -> bytes:
        octal, hexadecimal, letter = found.groups()
        if octal or hexadecimal:
            return bytes([int(octal, 8) if octal else int(hexadecimal, 16)])
        return _LETTERS.get(letter, letter)

    return os.fsdecode(_ESCAPE.sub(byte, text.encode()))


@cache
def why_not() -> str | None:
    """Why nothing can be traced on this machine; `None` when it can."""
    if shutil.which("strace") is None:
        return "needs strace (Debian package strace)"
    probe = subprocess.run(
        ["strace", "-f", "-qq", "-o", os.devnull, "true"], capture_output=True, text=True, check=False
    )
    return None if probe.returncode == 0 else f"strace may not trace here: {probe.stderr.strip()}"


def trace(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> Trace:
    """Run a command in a folder, with this environment and no other. Skips the test where that cannot be traced."""
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    with tempfile.NamedTemporaryFile("r", suffix=".strace", errors="surrogateescape") as log:
        options = ["--seccomp-bpf", "-f", "-y", "-qq", "-s", "4096", "-e", f"trace={_TRACED}", "-e", "signal=none"]
        done = subprocess.run(
            ["strace", *options, "-o", log.name, *map(str, command)],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        calls = tuple(read_calls(log))
    moved = [str(call) for call in calls if call.is_one_of(_MOVING) and str(folder) not in call.paths]
    assert not moved, f"relative paths cannot be told from here on: {moved}"
    return Trace(calls, folder, done.returncode, done.stdout, done.stderr)
