from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.graph.small import write_graph

if TYPE_CHECKING:
    from tests.serve.serving import Live


def pytest_pycollect_makemodule():
    """Skip the folder, once, before any of its modules is imported."""
    pytest.importorskip("fastapi", reason="needs the extra 'serve'")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The API over the shipped model and a small graph."""
    from tests.serve.serving import live
    from tupelo.api.graph import Graph
    from tupelo.api.text import load
    from tupelo.serve.service import Service

    path = write_graph(tmp_path_factory.mktemp("served") / "harbour.duckdb")
    with Graph.open(path) as graph, load() as toolkit, Service(toolkit, graph) as service, live(service) as running:
        yield running
