"""Files of corrections: `must-link` or `cannot-link`, kind, phrase and phrase, separated by tabs; # for comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from tupelo.core.canonical import Correction
from tupelo.io.lines import Lines

_LINKS = {"must-link": True, "cannot-link": False}
_KINDS = ("entity", "relation", "type")


def read_corrections(lines: Lines) -> Iterator[Correction]:
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 4:
            lines.fault(number, f"{len(fields)} field(s)", "link, kind and two phrases, separated by tabs")
        elif fields[0] not in _LINKS:
            lines.fault(number, f"link {fields[0]!r}", "must-link or cannot-link")
        elif fields[1] not in _KINDS:
            lines.fault(number, f"kind {fields[1]!r}", f"one of {', '.join(_KINDS)}")
        elif not (fields[2] and fields[3]):
            lines.fault(number, "an empty phrase", "two phrases")
        else:
            kind = cast(Literal["entity", "relation", "type"], fields[1])
            yield Correction(_LINKS[fields[0]], kind, fields[2], fields[3])
