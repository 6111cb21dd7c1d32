"""Paraphrase clusters of PPDB as CESI ships them: a head on a line of its own, then its members, each after a tab."""

from __future__ import annotations

from tupelo.io.lines import Lines


def read_paraphrase_clusters(lines: Lines) -> dict[str, str]:
    """Every phrase with the head of its cluster, in lower case; the first cluster that names a phrase keeps it.

    Lines with tabs in between are taken as well: each is then a cluster of its own.
    """
    heads: dict[str, str] = {}
    head: str | None = None
    for number, line in lines:
        if not line.strip():
            continue
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
