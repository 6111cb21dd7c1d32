"""The knowledge graph: one DuckDB file, how it is built and how it is queried."""

from typing import Any

from tupelo.core.registry import call_of, calls_of


def __getattr__(name: str) -> Any:
    return call_of(__name__, name)


def __dir__() -> list[str]:
    return calls_of(__name__)
