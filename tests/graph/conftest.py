from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph.small import write_graph


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph; nobody writes to it."""
    return write_graph(tmp_path_factory.mktemp("graph") / "harbour.duckdb")
