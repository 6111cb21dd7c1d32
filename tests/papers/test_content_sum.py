"""Folders: what tells their content from any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from papers.combo_grid import content_sum
from tupelo.core import InputError

pytestmark = pytest.mark.model


def test_a_sum_changes_with_the_content_of_any_file_and_with_nothing_else(tmp_path: Path) -> None:
    def folder(name: str, **files: bytes) -> str:
        place = tmp_path / name
        place.mkdir()
        for file, content in files.items():
            (place / file).write_bytes(content)
        return content_sum(place)

    first = folder("first", a=b"one", b=b"two")
    assert folder("second", a=b"one", b=b"two") == first
    # The same bytes, divided otherwise.
    assert folder("third", a=b"onet", b=b"wo") != first
    assert content_sum(tmp_path / "first" / "a") == content_sum(tmp_path / "second" / "a") != first
    with pytest.raises(InputError, match="No such file"):
        content_sum(tmp_path / "nothing")
