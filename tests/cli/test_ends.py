"""How a command ends when its output has no room, nobody reads it, or somebody ends it; in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals and devices as POSIX has them")

FULL = Path("/dev/full")
LINE = b"Ann left Oslo.\t0.5\tleft\tAnn\tOslo\n"


def tupelo(*words: object) -> list[str]:
    return [sys.executable, "-m", "tupelo", *map(str, words)]


@pytest.mark.process
@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words",
    [("formats",), ("formats", "--json"), ("--help",), ("convert", "-", "-", "--from", "tab", "--to", "jsonl")],
    ids=" ".join,
)
def test_standard_output_without_room_is_one_line(words: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(tupelo(*words), stdout=full, stderr=subprocess.PIPE, input=LINE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"tupelo: standard output: No space left on device, expected ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.process
@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_a_device_without_room_is_one_line() -> None:
    words = ("convert", "-", FULL, "--from", "tab", "--to", "jsonl")
    done = subprocess.run(tupelo(*words), capture_output=True, input=LINE, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"tupelo: /dev/full: No space left on device, expected a place that can be written\n"


@pytest.mark.model
@pytest.mark.process
def test_a_disk_that_fills_up_keeps_the_old_file_and_no_other(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old\n")

    def small_disk() -> None:
        # A file that grows over the limit fails to be written, as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    words = ("convert", "-", target, "--from", "tab", "--to", "jsonl")
    done = subprocess.run(
        tupelo(*words), capture_output=True, input=LINE * 10_000, check=False, preexec_fn=small_disk
    )
    assert done.returncode == 2
    assert done.stderr.decode() == f"tupelo: {target}: File too large, expected a place that can be written\n"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.jsonl", b"old\n")]


@pytest.mark.process
def test_a_reader_that_has_gone_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = ("convert", "-", "-", "--from", "tab", "--to", "jsonl")
    done = subprocess.run(tupelo(*words), stdout=writer, stderr=subprocess.PIPE, input=LINE * 5000, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.process
@pytest.mark.parametrize("closed", [0, 1])
def test_a_closed_stream_is_one_line(closed: int) -> None:
    done = subprocess.run(tupelo("formats"), stderr=subprocess.PIPE, check=False, preexec_fn=lambda: os.close(closed))
    assert done.returncode == 2
    assert done.stderr.startswith(b"tupelo: standard input or output is closed")


@pytest.mark.model
@pytest.mark.process
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_command_that_is_ended_leaves_the_old_file_and_no_other(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old\n")
    words = tupelo("convert", "-", target, "--from", "tab", "--to", "jsonl")

    def as_from_a_terminal() -> None:
        signal.signal(number, signal.SIG_DFL)

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, **pipes, preexec_fn=as_from_a_terminal) as process:  # type: ignore[call-overload]
        process.stdin.write(LINE * 10_000)
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while len(list(tmp_path.iterdir())) < 2:
            assert time.monotonic() < deadline, "never began to write"
            time.sleep(0.02)
        process.send_signal(number)
        assert process.wait(30) == status
        assert process.stderr.read().strip() == b""
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.jsonl", b"old\n")]


@pytest.mark.process
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As under `nohup`."""
    code = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); from tupelo.cli import main\n"
        "sys.argv = ['tupelo', 'formats']\n"
        "try: main()\n"
        "finally: print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"True\n")


@pytest.mark.process
def test_an_interrupt_inside_a_query_is_no_traceback() -> None:
    code = (
        "import os, signal, click, tupelo.cli as cli\n"
        "@click.command()\n"
        "def slow():\n"
        "    try: os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt: raise RuntimeError('Query interrupted')  # as DuckDB does\n"
        "cli.tupelo = slow\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
