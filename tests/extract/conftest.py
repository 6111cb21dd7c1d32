from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.extract.chat_server import Endpoint, serve


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    pytest.importorskip("httpx2", reason="needs the extra 'llm'")
    with serve() as running:
        yield running
