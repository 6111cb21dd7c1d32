"""A command that ends while its model is still being opened ends with its own status, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.model, pytest.mark.process]


@pytest.mark.parametrize("command", ["analyze", "extract"])
def test_bad_input_ends_with_status_2_although_the_model_is_still_being_opened(command: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_bytes(b"\xff\xfe")
    done = subprocess.run(
        [sys.executable, "-m", "tupelo", command, str(wrong)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"tupelo: {wrong}:1: ")
    assert len(done.stderr.splitlines()) == 1
