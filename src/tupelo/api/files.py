"""Output of commands: `-` is standard output, `.gz` is compressed, and files are written atomically."""

from __future__ import annotations

from collections.abc import Iterable

from tupelo.core.parameters import PathLike
from tupelo.io.files import check_place as check_place
from tupelo.io.files import drop_output as drop_output
from tupelo.io.files import open_output
from tupelo.io.files import write_text as write_text
from tupelo.io.folders import packaged_files as packaged_files


def write_lines(name: PathLike, lines: Iterable[str], *, errors: str = "strict") -> None:
    """Write lines as they come, each with a line feed; `errors` is as in `str.encode`."""
    with open_output(name) as stream:
        for line in lines:
            stream.write(f"{line}\n".encode("utf-8", errors))
