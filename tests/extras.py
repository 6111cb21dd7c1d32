"""Tests that need more than a plain install skip with the name of the extra."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(package: str, extra: str) -> pytest.MarkDecorator:
    """Skip unless the package is installed. For whole modules and fixtures: `pytest.importorskip`."""
    return pytest.mark.skipif(find_spec(package) is None, reason=f"needs the extra '{extra}'")
