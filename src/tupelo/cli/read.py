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
    run: Run[DocumentList], files: Annotated[tuple[InputFile, ...], Spelled.of("FILE...")], output: OutputFile = "-"
) -> None:
    """Show what is read of each FILE, folder or archive, before anything is extracted from it.

    \b
    Examples:
      tupelo read page.html
      tupelo read mails.mbox --format json -o mails.json
      tupelo read folder --format html -o read.html

    Every block has a kind: title, heading, paragraph, item, definition, table, quote, code,
    caption, mail header, turn. What belongs to a site or a program rather than to the document is
    left out, with the reason: menus, cookie notices, footers, lists of links and references,
    signatures. The exit status is 1 when something could not be read.
    """
    found = run()
    for group in found.passed_over:
        warn(str(group))
    for failure in found.failed:
        warn(str(failure))
    if found.failed:
        sys.exit(1)
