from __future__ import annotations

import pytest


def pytest_pycollect_makemodule():
    """Skip the folder, once, before any of its modules is imported."""
    pytest.importorskip("fastapi", reason="needs the extra 'serve'")
