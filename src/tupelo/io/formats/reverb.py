"""ReVerb's output.

The CaRB scorer's own reader cannot run; the sentence is taken from column 13,
where ReVerb itself puts it, and everything else is read as it would.
"""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import share_of_rows, write_lines
from tupelo.io.formats.reverb_columns import KEEPS, LAYOUT, NOTES, line_writer, looks_like_reverb, reader


def sniff(head: Sequence[str]) -> float:
    return 0.95 * share_of_rows(head, looks_like_reverb)


FORMAT = TextFormat(
    name="reverb",
    title="ReVerb",
    layout=LAYOUT,
    sample="reverb.txt",
    keeps=KEEPS,
    read=reader("reverb"),
    write=write_lines(line_writer("reverb")),
    sniff=sniff,
    notes=NOTES,
    min_arguments=2,
    max_arguments=2,
)
