from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra 'serve'")

from tests.graph.small import write_graph
from tests.serve.serving import Live, live


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The API over the shipped model and a small graph."""
    from tupelo.api.graph import Graph
    from tupelo.api.text import load
    from tupelo.serve.app import Service

    path: Path = write_graph(tmp_path_factory.mktemp("served") / "harbour.duckdb")
    with Graph.open(path) as graph, load() as toolkit, Service(toolkit, graph) as service, live(service) as running:
        yield running
