"""The output of Stanford's Open IE in its ReVerb mode. Read as the CaRB scorer does."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import share_of_rows, write_lines
from tupelo.io.formats.reverb_columns import KEEPS, LAYOUT, NOTES, line_writer, looks_like_reverb, reader


def sniff(head: Sequence[str]) -> float:
    # Below its twin `reverb`, so that detection has one winner.
    return 0.85 * share_of_rows(head, looks_like_reverb)


FORMAT = TextFormat(
    name="stanford",
    title="Stanford Open IE (ReVerb mode)",
    layout=LAYOUT,
    sample="stanford.txt",
    keeps=KEEPS,
    read=reader("stanford"),
    write=write_lines(line_writer("stanford")),
    sniff=sniff,
    notes=f"The layout of reverb; automatic detection takes such files for reverb. {NOTES}",
    min_arguments=2,
    max_arguments=2,
)
