"""What is known about phrases: corrections by people, and clusters of paraphrases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from tupelo.core.canonical import Correction
from tupelo.io.lines import Lines

_LINKS = {"must-link": True, "cannot-link": False}
_KINDS = ("entity", "relation", "type")


def read_corrections(lines: Lines) -> Iterator[Correction]:
    """Corrections: `must-link` or `cannot-link`, kind, phrase and phrase, separated by tabs; # for comments."""
    for number, line in lines.filled():
        if line.lstrip().startswith("#"):
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


def read_paraphrase_clusters(lines: Lines) -> dict[str, str]:
    """PPDB's clusters as CESI ships them: a head on a line of its own, then its members, each after a tab.

    Returns every phrase with the head of its cluster, in lower case; the first cluster that names a phrase keeps it.

    Lines with tabs in between are taken as well: each is then a cluster of its own.
    """
    heads: dict[str, str] = {}
    head: str | None = None
    for number, line in lines.filled():
        if line.startswith("\t"):
            if head is None:
                lines.fault(number, "a member before any head", "a cluster head at the start of its line")
                continue
            heads.setdefault(line.strip().lower(), head)
            continue
        first, *members = (part.strip().lower() for part in line.split("\t"))
        head = heads.setdefault(first, first)
        for member in members:
            heads.setdefault(member, head)
    return heads
