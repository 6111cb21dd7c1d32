"""An invented dataset for tests of the catalogue and of downloads."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tupelo.io.catalogue import DataFile, Dataset, catalogue

# Longer than a few network buffers, so that a cut really falls in the middle.
CONTENT = "".join(f"line {number} of an invented file\n" for number in range(20_000)).encode()
HALF = 200_000


def file_at(server: str, path: str = "words.txt", content: bytes | None = CONTENT, **fields: Any) -> DataFile:
    """An entry for a file of the server; with `content`, its size and checksum are stated."""
    if content is not None:
        fields = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest(), **fields}
    return DataFile(path=path, address=f"{server}/{path}", **fields)


def invented(*files: DataFile, name: str = "invented", choose: bool = False) -> Dataset:
    return Dataset(
        name=name,
        title="Invented",
        purpose="Tests.",
        tasks=("open-ie",),
        licence="MIT",
        citation=("Nobody. 2020.",),
        homepage="https://example.org/invented",
        version="1",
        files=files,
        choose=choose,
    )


def only_in_catalogue(entry: Dataset, patch: pytest.MonkeyPatch) -> None:
    """The catalogue holds just this dataset until the end of the test, and then its own again, in their order."""
    for name in reversed(list(catalogue())):
        patch.delitem(catalogue(), name)
    patch.setitem(catalogue(), entry.name, entry)
