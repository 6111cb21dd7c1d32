"""Reading triples with their sentences, and gold clusters where a file has them.

Formats: `combo` (COMBO's JSON), `cesi` (CESI's JSON lines), `okg` (a folder of
the CUVA paper, or its `triples.txt`), `tsv`, and `tuples` (any format that
`tupelo formats` lists). `auto` looks at the first bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tupelo.core import FormatError, InputError, Record, UnknownNameError
from tupelo.core.errors import UnknownFormatError
from tupelo.io.files import STANDARD_STREAM, InputFile, Source
from tupelo.io.formats.columns import is_number
from tupelo.io.lines import Lines
from tupelo.io.triples.readers import (
    TripleFile,
    from_objects,
    from_records,
    read_cesi,
    read_combo,
    read_okg,
    read_tsv,
)
from tupelo.io.tuples import AUTO, stream_records

TRIPLE_FORMATS: dict[str, str] = {
    "combo": "COMBO's JSON array, with gold entities, relations and types",
    "cesi": "CESI's JSON lines, with gold entities and an entity linker's guesses",
    "okg": "a folder with triples.txt, side information and gold clusters",
    "tsv": "subject, relation, object and perhaps a sentence, separated by tabs",
    "tuples": "any tuple format that `tupelo formats` lists",
}
__all__ = ["TRIPLE_FORMATS", "TripleFile", "from_objects", "read_triples"]


def read_triples(
    source: Source,
    format_name: str = AUTO,
    collect: Callable[[FormatError], None] | None = None,
) -> TripleFile:
    """All mentions of a file: a path (`-` is standard input) or an open file.

    Without `collect` the first faulty line raises.
    """
    path = Path(source) if isinstance(source, str | os.PathLike) else Path()
    if str(source) != STANDARD_STREAM and path != Path() and path.is_dir():
        source = path = path / "triples.txt"
        if format_name == AUTO:
            format_name = "okg"
    with InputFile(source) as file:
        chosen = guess_format(file) if format_name == AUTO else format_name
        if chosen not in TRIPLE_FORMATS:
            raise UnknownNameError.among("triple format", chosen, TRIPLE_FORMATS)
        if chosen == "okg":
            found = _read_folder(path, file, collect)
        elif chosen == "tuples":
            found = from_records(_records(file, collect))
        else:
            readers = {"combo": read_combo, "cesi": read_cesi, "tsv": read_tsv}
            found = readers[chosen](file.lines(collect))
        if not found.mentions:
            raise InputError(f"{file.name}: no triples, expected at least one ({TRIPLE_FORMATS[chosen]})")
        return replace(found, checksum=file.finish())


def guess_format(file: InputFile) -> str:
    """The triple format of a file by its first bytes."""
    head = file.head()
    first = head.partition("\n")[0]
    if head.startswith("[") and '"tri_id"' in head:
        return "combo"
    if first.startswith("{") and '"triple"' in first and '"_id"' in first:
        return "cesi"
    if first.strip().isdigit():
        return "okg"
    fields = first.split("\t")
    # CaRB's tabbed form also has four fields; its second is a number.
    if len(fields) in (3, 4) and not first.startswith(("{", "[")) and not is_number(fields[1]):
        return "tsv"
    return "tuples"


def _records(file: InputFile, collect: Callable[[FormatError], None] | None) -> Iterator[Record]:
    try:
        return stream_records(file, AUTO, collect).records
    except UnknownFormatError:
        names = ", ".join(TRIPLE_FORMATS)
        raise UnknownFormatError(
            f"{file.name}: no known format fits its first lines; name one with --format ({names})"
        ) from None


def _read_folder(path: Path, file: InputFile, collect: Callable[[FormatError], None] | None) -> TripleFile:
    with ExitStack() as stack:

        def beside(name: str) -> Lines | None:
            """A file that may lie beside the triples."""
            if not (path.parent / name).is_file():
                return None
            return stack.enter_context(InputFile(path.parent / name)).lines(collect)

        return read_okg(
            file.lines(collect),
            beside("gold_npclust.txt"),
            beside("gold_npclust_all.txt"),
            beside("ent_side_info.txt"),
            beside("rel_side_info.txt"),
        )
