"""One document of a folder, for a server: whatever the address says, no other file is opened."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.io.documents import Reading, format_of
from tupelo.io.documents.stage import read_file


def document_below(folder: str | os.PathLike[str], address: str) -> str:
    """The text of a document below a folder, by its path there, its whole path or its `file:` address."""
    top = Path(folder).resolve()
    try:
        named = unquote(urlsplit(address).path) if address.startswith("file:") else address
        file = (top / named).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        file = top
    kind = format_of(file.name)
    if kind is None or not file.is_relative_to(top) or not file.is_file():
        # The same for a file elsewhere and for none, so that nobody learns what there is.
        raise InputError(f"{address}: not found, expected a document below the folder of the server")
    source = file.relative_to(top).as_posix()
    found = list(read_file({"format": kind, "path": str(file), "source": source}, Reading()))
    for one in found:
        if isinstance(one, InputError):
            raise InputError(str(one).replace(str(file), source))
    return "\n\n".join(one.text for one in found if isinstance(one, Document))
