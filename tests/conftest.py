"""What several rooms of the test suite need."""

from __future__ import annotations

from pathlib import Path

import pytest

_SHARED = Path(__file__).resolve().parents[1] / ".." / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with public data and oracle numbers, which is not part of the repository."""
    if not _SHARED.is_dir():
        pytest.skip("needs ../shared (public data and oracle numbers beside the checkout)")
    return _SHARED.resolve()
