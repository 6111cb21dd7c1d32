"""Fixtures and settings of the whole test suite."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import chromium

pytest_plugins = ["tests.tiers"]

# A process of the suite has a core to itself; libraries that take them all would be in each other's way.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The same examples on every run, and no failure because a machine is slow. HYPOTHESIS_PROFILE=default explores.
settings.register_profile(
    "steady", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

_SHARED = Path(__file__).resolve().parents[1] / ".." / "shared"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for the pages of all rooms: a second one in the same process cannot be driven."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with public data and oracle numbers, which is not part of the repository."""
    if not _SHARED.is_dir():
        pytest.skip("needs ../shared (public data and oracle numbers beside the checkout)")
    return _SHARED.resolve()
