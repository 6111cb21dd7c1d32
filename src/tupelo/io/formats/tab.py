"""The tabbed form of CaRB and OIE2016, the common tongue of Open IE scoring.

Read as the CaRB scorer does: the whole line is stripped, then split at tabs;
the fields keep their spaces and blank lines are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tupelo.core import Extraction, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import confidence_text, is_number, require_plain_fields
from tupelo.io.lines import Lines


def read(lines: Lines) -> Iterator[Record]:
    for number, line in lines:
        if not line.strip():
            continue
        fields = line.strip().split("\t")
        if len(fields) < 3:
            lines.fault(
                number, f"{len(fields)} field(s)", "sentence, confidence, relation and arguments, separated by tabs",
                "Were the tabs saved as spaces?",
            )  # fmt: skip
            continue
        confidence = lines.number(number, fields[1])
        if confidence is not None:
            yield Extraction.of(fields[0], fields[2], fields[3:], confidence=confidence)


def write(records: Iterable[Record]) -> Iterator[str]:
    for record in records:
        if isinstance(record, Sentence):
            continue
        fields = [record.sentence.text, confidence_text(record), record.rel.text, *map(str, record.arguments)]
        yield "\t".join(require_plain_fields(record, fields)) + "\n"


def sniff(head: Sequence[str]) -> float:
    rows = [line.strip().split("\t") for line in head if line.strip()]
    fits = [len(row) >= 3 and is_number(row[1]) and not is_number(row[0]) for row in rows]
    return 0.9 * sum(fits) / len(fits) if fits else 0.0


FORMAT = TextFormat(
    name="tab",
    title="CaRB / OIE2016 tabbed",
    layout="sentence ⇥ confidence ⇥ relation ⇥ arg1 ⇥ arg2 …",
    sample="tab.tsv",
    keeps=frozenset({"confidence"}),
    read=read,
    write=write,
    sniff=sniff,
    notes="The line is stripped as a whole, so an empty last argument disappears.",
)
