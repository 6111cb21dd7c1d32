"""`tupelo_training.canon.compare` runs as its page of figures names it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.test_canonicalize import combo_file
from tupelo_training.canon import compare


def test_thresholds_of_a_method_with_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = combo_file(tmp_path / "a.json")
    given = ["--data", str(data), "--method", "ngrams", "--set", "approximate=yes", "--thresholds"]
    monkeypatch.setattr(sys, "argv", ["compare", *given])
    compare.main()
    assert capsys.readouterr().out.startswith('  "ngrams": {"subject": ')
