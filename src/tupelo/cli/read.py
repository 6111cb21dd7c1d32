"""`tupelo read`: the blocks of documents, and what is left out of them."""

from __future__ import annotations

import sys
from typing import Annotated

from tupelo.api.documents import DocumentList, read_documents
from tupelo.cli.options import InputFile, OutputFile, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled


@command(read_documents)
def read(
    run: Run[DocumentList],
    files: Annotated[tuple[InputFile, ...], Spelled.of("FILE...")],
    output: OutputFile = "-",
) -> None:
    found = run()
    for group in found.passed_over:
        warn(str(group))
    for failure in found.failed:
        warn(str(failure))
    if found.failed:
        sys.exit(1)
