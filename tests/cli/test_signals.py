"""A command that is asked to end (SIGTERM) leaves nothing behind, and ends those that work for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals as POSIX has them")


def wait_until(holds):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "never happened"
        time.sleep(0.02)


@pytest.mark.model
@pytest.mark.process
def test_half_written_output_is_removed(tmp_path):
    target = tmp_path / "out.jsonl"
    target.write_text("old\n")
    command = [sys.executable, "-m", "tupelo", "convert", "-", str(target), "--from", "tab", "--to", "jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"Ann left Oslo.\t0.5\tleft\tAnn\tOslo\n" * 10_000)
        process.stdin.flush()
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.jsonl", "old\n")]


POOL = """
import signal, sys
from tests.engine.parts import Rows, Sleep
from tupelo.engine.local import LocalEngine
from tupelo.io.workspace import FolderWorkspace

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    work = [Rows(str(number), (("a", sys.argv[2]),)) for number in range(2)]
    LocalEngine(FolderWorkspace(sys.argv[1]), workers=2).run(Sleep(), work)
"""


@pytest.mark.model
@pytest.mark.process
def test_processes_of_the_pool_end_at_once(tmp_path):
    script, flag = tmp_path / "pool.py", tmp_path / "begun"
    script.write_text(POOL)
    command = [sys.executable, str(script), str(tmp_path / "work"), str(flag)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(["src", ".", os.environ.get("PYTHONPATH", "")])}
    with subprocess.Popen(command, env=environment) as process:
        wait_until(flag.exists)
        process.send_signal(signal.SIGTERM)
        # Its partitions would take ten minutes.
        assert process.wait(60) == 128 + signal.SIGTERM
