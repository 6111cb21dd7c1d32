"""Reading as a stage: names of files in, passages of their documents out, wherever an engine runs it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tupelo.core import InputError, TupeloError
from tupelo.core.blocks import blocks_to_json
from tupelo.core.document import Document, passage_schema
from tupelo.core.errors import is_unicode
from tupelo.core.schemas import rows_to_batches
from tupelo.core.stages import ERROR_COLUMN, NOTE_COLUMN, fingerprint
from tupelo.io.documents import READERS, SEEKING, Found, NoDocument, Reading
from tupelo.io.documents.find import DocumentFile
from tupelo.io.files import InputFile, open_seekable, read_pieces

if TYPE_CHECKING:
    import pyarrow as pa

# Passages per batch, about 10 MB of text at most.
_BATCH = 100
_PARTITION_BYTES = 4 << 20
_PARTITION_FILES = 200
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FilesPartition:
    """Some files to read."""

    files: tuple[DocumentFile, ...]

    @property
    def key(self) -> str:
        return fingerprint(*(file.key for file in self.files))

    def read(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for file in self.files:
            row = {"path": file.path, "source": file.source, "format": file.format}
            yield pa.RecordBatch.from_pylist([row], schema=_file_schema())


def partition_files(files: Iterable[DocumentFile]) -> list[FilesPartition]:
    """Files in groups of a few megabytes, in order."""
    groups: list[FilesPartition] = []
    group: list[DocumentFile] = []
    size = 0
    for file in files:
        if group and (size + file.size > _PARTITION_BYTES or len(group) == _PARTITION_FILES):
            groups.append(FilesPartition(tuple(group)))
            group, size = [], 0
        group.append(file)
        size += file.size
    if group:
        groups.append(FilesPartition(tuple(group)))
    return groups


@dataclass(frozen=True, slots=True)
class DocumentFiles:
    """See `tupelo.core.protocols.DocumentSet`."""

    files: tuple[DocumentFile, ...]

    def checksums(self) -> dict[str, str]:
        return {file.source: _checksum(file.path) for file in self.files}

    def paths(self) -> dict[str, str]:
        return {file.source: file.path for file in self.files}

    def partitions(self, sources: Collection[str]) -> list[FilesPartition]:
        wanted = frozenset(sources)
        return partition_files(file for file in self.files if file.source in wanted)


def _checksum(path: str) -> str:
    digest = hashlib.sha256()
    try:
        for piece in read_pieces(path, 0, None, _BLOCK):
            digest.update(piece)
    except InputError:
        # Whoever reads it says why.
        return ""
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class ReadDocuments:
    """The stage. A document that cannot be read is complained about under the name of its file.

    `options` are those of `Reading`.
    """

    name: str = "read"
    version: str = "3"
    key: str = "source"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def input(self) -> pa.Schema:
        return _file_schema()

    @property
    def output(self) -> pa.Schema:
        return passage_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:

        reading = Reading.of(self.options)
        schema = _complaining(passage_schema())
        rows = (row for batch in batches for file in batch.to_pylist() for row in _rows(file, reading))
        yield from rows_to_batches(rows, schema, _BATCH)


@dataclass(frozen=True, slots=True)
class TextPartition:
    """Documents that are in memory, as passages."""

    documents: tuple[Document, ...]

    @property
    def key(self) -> str:
        return fingerprint(*((document.source, _text_checksum(document)) for document in self.documents))

    def read(self) -> Iterator[pa.RecordBatch]:
        rows = (row for document in self.documents for row in _text_rows(document))
        yield from rows_to_batches(rows, _complaining(passage_schema()), _BATCH)


@dataclass(frozen=True, slots=True)
class DocumentTexts:
    """Documents in memory; see `tupelo.core.protocols.DocumentSet`. They are read by `ReadTexts`."""

    documents: tuple[Document, ...]

    def checksums(self) -> dict[str, str]:
        return {document.source: _text_checksum(document) for document in self.documents}

    def paths(self) -> dict[str, str]:
        return {}

    def partitions(self, sources: Collection[str]) -> list[TextPartition]:
        wanted = [document for document in self.documents if document.source in frozenset(sources)]
        groups = range(0, len(wanted), _PARTITION_FILES)
        return [TextPartition(tuple(wanted[start : start + _PARTITION_FILES])) for start in groups]


class ReadTexts(ReadDocuments):
    """The stage for documents in memory. It has the name of the other, so that one graph can hold both kinds."""

    @property
    def input(self) -> pa.Schema:
        return passage_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return batches


def _text_checksum(document: Document) -> str:
    return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()


def _complaining(schema: pa.Schema) -> pa.Schema:
    """The schema with columns for what could not be read, and for what was left out."""
    import pyarrow as pa

    for name in (ERROR_COLUMN, NOTE_COLUMN):
        schema = schema.append(pa.field(name, pa.string()))
    return schema


def _text_rows(document: Document) -> Iterator[dict[str, Any]]:
    if is_unicode(document.text):
        yield from _passages(document)
    else:
        yield _no_document(document.source, ERROR_COLUMN, "half a surrogate pair, expected text")


def _rows(file: Mapping[str, str], reading: Reading) -> Iterator[dict[str, Any]]:
    try:
        for found in read_file(file, reading):
            if isinstance(found, Document):
                yield from _passages(found)
            elif isinstance(found, NoDocument):
                yield _no_document(found.source, NOTE_COLUMN, found.reason)
            else:
                yield _complaint(file, found)
    except TupeloError as error:
        yield _complaint(file, error)


def read_file(file: Mapping[str, str], reading: Reading) -> Iterator[Found]:
    """Documents of a file, given its format, path and source."""
    reader = READERS.get(file["format"])
    if file["format"] in SEEKING:
        with open_seekable(file["path"]) as stream:
            yield from reader(stream, file["source"], reading)
    else:
        with InputFile(file["path"], reading.limits) as opened:
            yield from reader(opened.binary, file["source"], reading)


def _passages(document: Document) -> Iterator[dict[str, Any]]:
    about = {
        "document_id": document.id,
        "source": document.source,
        "title": document.title,
        "media_type": document.media_type,
        "checksum": _text_checksum(document),
        "characters": len(document.text),
        "published": document.published,
    }
    for number, passage in enumerate(document.passages()):
        blocks = blocks_to_json(passage.blocks)
        yield about | {"number": number, "start_at": passage.start, "text": passage.text, "blocks": blocks}


def _complaint(file: Mapping[str, str], error: TupeloError) -> dict[str, Any]:
    # Under one name, wherever the file lies.
    return _no_document(file["source"], ERROR_COLUMN, str(error).replace(file["path"], file["source"]))


def _no_document(source: str, column: str, reason: str) -> dict[str, Any]:
    blank = dict.fromkeys(("document_id", "media_type", "checksum", "text"), "")
    return {**blank, "source": source, "characters": 0, "number": 0, "start_at": 0, column: reason}


def _file_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([(name, pa.string()) for name in ("path", "source", "format")])
