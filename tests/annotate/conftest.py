from __future__ import annotations

import pytest

from tests.annotate import postgres


def pytest_pycollect_makemodule():
    """Skip the folder, once, before any of its modules is imported."""
    pytest.importorskip("fastapi", reason="needs the extra 'annotate'")


@pytest.fixture(scope="session")
def postgres_server():
    """A private PostgreSQL; tests that need it skip where it is not installed."""
    reason = postgres.why_not()
    if reason is not None:
        pytest.skip(reason)
    with postgres.cluster() as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.process)])
def address(request):
    """The address of an empty database of each kind; `None` is a file in the project."""
    if request.param == "sqlite":
        return None
    return postgres.new_database(request.getfixturevalue("postgres_server"))


@pytest.fixture(autouse=True)
def _close_databases():
    from tests.annotate import serving

    yield
    while serving.OPEN:
        serving.OPEN.pop().close()
