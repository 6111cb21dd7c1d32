"""Files of tuples: read, write and convert them in every registered format."""

from __future__ import annotations

import hashlib
import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import IO, Annotated, Any, cast, overload

from tupelo.core import Extraction, InputError, Record, Sentence, TupeloError
from tupelo.core.errors import OnError, require_items, skips, wrong_type
from tupelo.core.parameters import Among, PathLike, Skipping, Spelled, checked
from tupelo.core.progress import Progress, count, track
from tupelo.core.results import ResultList, Tabular, aligned_columns
from tupelo.core.schemas import record_to_row
from tupelo.extract.postprocess import prepositions_in_relation
from tupelo.io.files import Source, is_source
from tupelo.io.formats import FORMATS as FORMATS
from tupelo.io.formats import Format
from tupelo.io.formats.columns import column_format as column_format
from tupelo.io.tuples import (
    AUTO,
    RecordStream,
    require_format_of_name,
    watch_losses,
    writable,
    write_records,
    write_stream,
)
from tupelo.io.tuples import open_records as open_file
from tupelo.show.tables import table_html


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tuples(Tabular, Sequence[Record]):
    """The records of a file: tuples, and sentences without any. `skipped` are the faulty lines.

    `checksum` is the SHA-256 of the uncompressed content; records not from a file are serialized as our JSON lines.
    """

    records: tuple[Record, ...]
    name: str
    format: str
    checksum: str
    skipped: tuple[TupeloError, ...] = ()

    @property
    def extractions(self) -> list[Extraction]:
        """The tuples alone."""
        return [record for record in self.records if isinstance(record, Extraction)]

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, index: int | slice) -> Record | tuple[Record, ...]:
        return self.records[index]

    def __len__(self) -> int:
        return len(self.records)

    def __str__(self) -> str:
        return "\n".join(map(str, self.records))

    def __repr__(self) -> str:
        return f"<Tuples: {len(self.extractions):,} of {self.name} ({self.format})>"

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values; records as in our JSON lines."""
        return {
            "name": self.name,
            "format": self.format,
            "checksum": self.checksum,
            "records": [record_to_row(record) for record in self.records],
            "skipped": [str(error) for error in self.skipped],
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per tuple; sentences without tuples have none."""
        return [
            {
                "sentence": extraction.sentence.text,
                "arg1": extraction.arg1.text if extraction.arg1 else None,
                "rel": extraction.rel.text,
                "args": [argument.text for argument in extraction.args],
                "confidence": extraction.confidence,
            }
            for extraction in self.extractions
        ]

    def frame_rows(self) -> list[dict[str, Any]]:
        return [extraction.frame_row() for extraction in self.extractions]

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><td>{each.tuple_html()}</td><td>{escape(each.sentence.text)}</td></tr>" for each in self.extractions
        )
        return f"<table><caption>{escape(self.name)}</caption><tbody>{''.join(rows)}</tbody></table>"


def read(source: Source | Iterable[Record], format: str = AUTO, *, on_error: OnError = "raise") -> Tuples:
    """All records of a file: a path, `-` for standard input, or an open file. Records in memory pass through.

    `on_error="skip"` skips faulty lines and lists them in `skipped`.

    >>> import io
    >>> found = read(io.StringIO("Ann sleeps .\\t0.9\\tsleeps\\tAnn\\n"))
    >>> print(found, found.format)
    (Ann; sleeps) tab
    """
    if isinstance(source, Tuples):
        return source
    if is_source(source):
        skipped: list[TupeloError] = []
        with open_file(source, format, _collector(on_error, skipped)) as stream:
            records = tuple(stream.records)
            return Tuples(records, stream.name, stream.format.name, stream.checksum(), tuple(skipped))
    kept = tuple(cast(Iterable[Record], source))
    content = io.BytesIO()
    write_stream(FORMATS.get("jsonl"), kept, content)
    return Tuples(kept, "<records>", "jsonl", hashlib.sha256(content.getvalue()).hexdigest())


@contextmanager
def open_records(
    source: Source, format: str = AUTO, *, on_error: OnError = "raise", skipped: list[TupeloError] | None = None
) -> Iterator[RecordStream]:
    """Stream a file of tuples, for files larger than memory.

    Faulty lines that are skipped go to the list `skipped`, if one is given.
    """
    with open_file(source, format, _collector(on_error, [] if skipped is None else skipped)) as stream:
        yield stream


@checked
def write(records: Iterable[Record], target: PathLike | IO[Any], format: str | None = None) -> None:
    """Write records to a path (`-` for standard output) or an open file.

    Without `format`, the extension of the path decides: .jsonl, .parquet or .csv. Files are written atomically; a
    tuple that the format cannot represent raises `InputError`.

    >>> from io import StringIO
    >>> file = StringIO()
    >>> write([Extraction.of("Ann sold it", "sold", ["Ann", "it"], confidence=0.9)], file, "tab")
    >>> file.getvalue().split()
    ['Ann', 'sold', 'it', '0.9', 'sold', 'Ann', 'it']
    """
    require_items(records, "an iterable of tuples and sentences")
    records = map(_record, records)
    if isinstance(target, str | os.PathLike):
        write_records(target, records, format or require_format_of_name(target, "format="))
        return
    chosen = FORMATS.get(format or "jsonl")
    if not isinstance(target, io.TextIOBase):
        write_stream(chosen, records, target)
        return
    buffer = io.BytesIO()
    write_stream(chosen, records, buffer)
    target.write(buffer.getvalue().decode("utf-8"))


def _record(given: Any) -> Record:
    if not isinstance(given, Extraction | Sentence):
        raise wrong_type(given, "a tuple or a sentence")
    return given


@dataclass(frozen=True, slots=True)
class Conversion:
    """The result of `convert`. `losses` counts records that lost a field; `skipped` are faulty lines and tuples."""

    source_format: str
    target_format: str
    count: int
    skipped: tuple[TupeloError, ...]
    losses: dict[str, int]

    @property
    def complete(self) -> bool:
        """Whether nothing was skipped or dropped."""
        return not self.skipped and not self.losses

    def to_dict(self) -> dict[str, Any]:
        return {
            "source_format": self.source_format,
            "target_format": self.target_format,
            "count": self.count,
            "skipped": [str(error) for error in self.skipped],
            "losses": self.losses,
        }

    def __str__(self) -> str:
        lines = [f"skipped {error}" for error in self.skipped]
        if self.skipped:
            lines.append(f"skipped {len(self.skipped):,} in all")
        for field, times in self.losses.items():
            lines.append(f"dropped {field} of {times:,} record(s): {self.target_format} cannot hold them")
        return "\n".join(lines)


# Place of the preposition before a second argument in `convert`.
PREPOSITIONS = ("as-written", "relation")


@checked
def convert(
    source: Source,
    target: PathLike,
    *,
    source_format: Annotated[str, Spelled.of("--from", "FMT"), "Format of IN; `tupelo formats` lists them."] = AUTO,
    target_format: Annotated[
        str | None, Spelled.of("--to", "FMT"), "Format of OUT. [default: by its ending, .jsonl, .parquet or .csv]"
    ] = None,
    prepositions: Annotated[
        str,
        Among(PREPOSITIONS),
        "relation: put the preposition before a second argument at the end of the relation, as CaRB does.",
    ] = "as-written",
    on_error: Annotated[
        Skipping, "A faulty line, or a tuple that OUT cannot hold: stop, or skip it and list it on standard error."
    ] = "raise",
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> Conversion:
    """Convert a file of tuples to another format, record by record.

    With `prepositions="relation"`, the preposition before a second argument goes to the end of the relation, as in
    CaRB's annotations. `on_error="skip"` skips faulty lines and tuples that the target cannot represent. `notice` is
    called with the detected format.
    """
    if prepositions not in PREPOSITIONS:
        raise InputError(f"prepositions '{prepositions}', expected {' or '.join(PREPOSITIONS)}")
    chosen = FORMATS.get(target_format or require_format_of_name(target, "--to (target_format=)"))
    skipped: list[TupeloError] = []
    losses: Counter[str] = Counter()
    written = 0
    with open_file(source, source_format, _collector(on_error, skipped), "--from (source_format=)") as stream:
        advance = track(progress, f"converting {stream.name}")

        def add(steps: int) -> None:
            nonlocal written
            written += steps
            advance(steps)

        records = count(stream.records, add)
        if prepositions == "relation":
            records = (
                prepositions_in_relation(record) if isinstance(record, Extraction) else record for record in records
            )
        if on_error == "skip":
            records = writable(records, chosen, skipped.append)
        write_records(target, watch_losses(records, chosen, losses), chosen.name)
    if source_format == AUTO and notice is not None:
        notice(f"reading {stream.name} as {stream.format.name}")
    return Conversion(stream.format.name, chosen.name, written, tuple(skipped), dict(sorted(losses.items())))


class FormatList(ResultList[Format]):
    """Every registered format, in order; also by name: `list_formats()["openie5"]`."""

    def __init__(self) -> None:
        super().__init__(map(FORMATS.get, FORMATS))

    def __getitem__(self, index: Any) -> Any:
        return FORMATS.get(index) if isinstance(index, str) else super().__getitem__(index)

    def __str__(self) -> str:
        return aligned_columns([(each.name, each.title) for each in self])

    def to_dict(self) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self]

    def rows(self) -> list[dict[str, Any]]:
        return [{"name": each.name, "title": each.title, "layout": each.layout} for each in self]

    def _repr_html_(self) -> str:
        return table_html(self.rows(), "Tuple formats")


def list_formats() -> FormatList:
    """The tuple formats that can be read and written, including those of installed packages."""
    return FormatList()


def _collector(on_error: OnError, skipped: list[TupeloError]) -> Callable[[TupeloError], None] | None:
    return skipped.append if skips(on_error) else None
