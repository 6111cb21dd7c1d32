"""A server that is killed in the middle has everything that it acknowledged, and nothing twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.annotate import postgres

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]


def run(*options):
    command = [sys.executable, "-m", "benchmarks.annotate_load", "--people", "6", "--items", "400", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_acknowledged_answer_survives_kills(kind, request):
    options = ["--think", "0.05", "--answers", "90", "--kills", "2" if kind == "sqlite" else "1"]
    if kind == "postgresql":
        options += ["--database", postgres.new_database(request.getfixturevalue("postgres_server"))]
    done = run(*options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults: []" in done.stdout
    answers = int(done.stdout.partition("answers: ")[2].split()[0])
    assert answers >= 90
