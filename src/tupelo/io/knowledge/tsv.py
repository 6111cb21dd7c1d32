"""Facts by name: `subject TAB property TAB object`, one a line. A thing is its name.

The property `alias` gives another name: `Brad Pitt TAB alias TAB William Bradley Pitt`. An object that is written as
a date (`1963-12-18`, `1963-12`, `1963`) is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tupelo.core import FormatError
from tupelo.core.knowledge import ALIAS, LABEL, Knowledge, KnownFact, Name

DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def read_line(line: str, source: str, number: int) -> Iterator[Knowledge]:
    if not line.strip():
        return
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != 3 or not all(fields):
        raise FormatError(
            source, number, f"{len(fields)} field(s)", "subject, property and object, separated by tabs"
        )
    subject, relation, value = fields
    yield Name(subject, subject, LABEL)
    if relation == "alias":
        yield Name(subject, value, ALIAS)
        return
    is_date = DATE.fullmatch(value) is not None
    if not is_date:
        yield Name(value, value, LABEL)
    yield KnownFact(subject, relation, value, is_date)
