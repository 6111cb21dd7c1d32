"""Where a long command keeps what it has finished, so that a second call goes on where the first ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tupelo.io.files import STANDARD_STREAM, temporary_folder
from tupelo.io.workspace import FolderWorkspace, work_folder


@contextmanager
def open_workspace(folder: str | None, output: str) -> Iterator[FolderWorkspace]:
    """A workspace in a named folder, which is kept, or beside the output, which goes when all is done.

    After an error, or when the process is killed, both stay. Output to standard output has no place beside it.
    """
    if folder is not None:
        yield FolderWorkspace(folder)
    elif output == STANDARD_STREAM:
        with temporary_folder() as place:
            yield FolderWorkspace(place)
    else:
        workspace = FolderWorkspace(work_folder(output))
        yield workspace
        workspace.remove()
