"""Documents as they are read: the blocks of files, folders and archives, and what was left out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from tupelo.core import InputError, TupeloError
from tupelo.core.blocks import CELL_SEPARATOR
from tupelo.core.document import Document, PassedOver
from tupelo.core.limits import Limits
from tupelo.core.parameters import Among, SizeLimits, checked
from tupelo.core.results import ResultList, printable
from tupelo.io.documents import NoDocument, Reading
from tupelo.io.documents.boilerplate import without_shared
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import read_file
from tupelo.io.files import write_text
from tupelo.show.documents_page import documents_page

Encoding = Annotated[str, "The encoding of text that does not name its own and is not UTF-8."]
Boilerplate = Annotated[bool, "Keep menus, notices and footers in the text. [default: leave them out]"]
# Characters of the column with kinds and reasons.
_WIDTH = 22


class DocumentList(ResultList[Document]):
    """Documents; `failed` are the reasons for which others could not be read, `passed_over` what is no document."""

    __slots__ = ("failed", "passed_over")

    def __init__(
        self,
        documents: Iterable[Document],
        failed: Sequence[TupeloError] = (),
        passed_over: Sequence[PassedOver] = (),
    ) -> None:
        super().__init__(documents)
        self.failed, self.passed_over = tuple(failed), tuple(passed_over)

    def to_dict(self) -> dict[str, Any]:
        return {
            "documents": [document.to_dict() for document in self],
            "failed": list(map(str, self.failed)),
            "passed_over": [group.to_dict() for group in self.passed_over],
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per block, and per part that was left out."""
        return [
            {"source": document.source, "kind": kind, "text": text, "path": list(path), "reason": reason}
            for document in self
            for kind, text, path, reason in document.in_order()
        ]

    def __str__(self) -> str:
        return "\n".join(map(text_of_document, self))


@checked
def read(
    *sources: str | os.PathLike[str],
    encoding: Encoding = "utf-8",
    limits: SizeLimits = None,
    boilerplate: Boilerplate = False,
) -> DocumentList:
    """Read files, folders and archives of documents as every command does.

    Blocks that many pages of one folder share belong to the site and are left out, too.
    The result can be given to `Graph.build` and `Toolkit.extract`. A document has its text, `blocks` of it (headings,
    paragraphs, tables, turns of a conversation, …) and what was `left_out` of the text, with the reason.
    """
    if not sources:
        raise InputError("no documents, expected files, folders or archives")
    listing = find_documents([os.fspath(source) for source in sources])
    reading = Reading(Limits.of(limits), encoding, boilerplate=boilerplate)
    found: list[Document] = []
    failed: list[TupeloError] = []
    others = [(other.source, other.reason) for other in listing.passed_over]
    for file in listing.files:
        try:
            for one in read_file({"format": file.format, "path": file.path, "source": file.source}, reading):
                if isinstance(one, Document):
                    found.append(one)
                elif isinstance(one, NoDocument):
                    others.append((one.source, one.reason))
                else:
                    failed.append(one)
        except TupeloError as error:
            failed.append(error)
    return DocumentList(found if boilerplate else without_shared(found), failed, PassedOver.by_reason(others))


def read_documents(
    files: Sequence[str],
    output: str = "-",
    *,
    format: Annotated[str, Among(("text", "json", "html")), "Blocks as text, JSON, or a page."] = "text",
    encoding: Encoding = "utf-8",
    limits: SizeLimits = None,
    boilerplate: Boilerplate = False,
) -> DocumentList:
    """Read documents and write what was read: each block with its kind, and what was left out with the reason."""
    found = read(*files, encoding=encoding, limits=limits, boilerplate=boilerplate)
    if found or not found.failed:
        if format == "json":
            written = json.dumps(found.to_dict(), ensure_ascii=False, indent=1) + "\n"
        else:
            written = documents_page(found) if format == "html" else f"{found}\n" if found else ""
        write_text(output, written)
    return found


def text_of_document(document: Document) -> str:
    """A document for people: its source, then a line for each block."""
    about = [document.source, document.title or "", document.published or ""]
    return "\n".join([" · ".join(filter(None, about)), *_lines(document)])


def _lines(document: Document) -> Iterator[str]:
    for kind, text, _, reason in document.in_order():
        head = f"{f'({reason})' if reason else kind:<{_WIDTH}}"
        lines = [printable(line.replace(CELL_SEPARATOR, " | ")) for line in text.split("\n")]
        yield f"  {head}  {lines[0]}"
        yield from (f"  {'':<{_WIDTH}}  {line}" for line in lines[1:])
