"""Zip and tar archives of documents. Names that lead out of them, links and bombs are refused."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO

from tupelo.core import FormatError, InputError, TupeloError
from tupelo.io.archives import members
from tupelo.io.catalogue import Unpack
from tupelo.io.documents import READERS, Found, format_of

# Unpacked bytes of one archive.
LIMIT = 8 << 30


def read(stream: IO[bytes], source: str) -> Iterator[Found]:
    """The documents among the members; what is none is passed over. A broken member does not harm the others."""
    for path, content in members(stream, source, Unpack(into="", limit=LIMIT)):
        inner = f"{source}/{path}"
        kind = format_of(path.name)
        if kind == "archive":
            yield InputError(f"{inner}: an archive in an archive, expected documents. Unpack it first.")
        elif kind is not None:
            try:
                yield from READERS.get(kind)(io.BytesIO(content.read()), inner)
            except (InputError, FormatError) as error:
                yield error
            except TupeloError as error:
                yield InputError(str(error))
