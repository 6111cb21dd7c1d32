"""Two texts about one town, a small gold standard and two invented systems: for the demo, and for trying things."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import as_file, files
from pathlib import Path

TEXT = "text.txt"
PEOPLE = "people.txt"
GOLD = "gold.tsv"
SYSTEMS = ("careful.tsv", "eager.tsv")


@contextmanager
def example_files(*names: str) -> Iterator[list[Path]]:
    """Paths of bundled files, real for as long as the block lasts."""
    with ExitStack() as stack:
        yield [stack.enter_context(as_file(files(__name__) / name)) for name in names]
