"""Clusters as JSON lines: one cluster a line, with its members, name, evidence and confidence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, cast

from tupelo.core.canonical import SLOTS, Cluster, Member, Slot, TripleMention
from tupelo.io.json_items import line_items
from tupelo.io.lines import Lines

_KINDS = ("entity", "relation", "type")


def cluster_lines(
    clusters: Iterable[Cluster], mentions: Mapping[str, TripleMention], evidence: int = 3
) -> Iterator[str]:
    """Lines with their ends. `evidence` is how many different sentences of a cluster are quoted."""
    for cluster in clusters:
        yield json.dumps(cluster_json(cluster, mentions, evidence), ensure_ascii=False) + "\n"


def cluster_json(cluster: Cluster, mentions: Mapping[str, TripleMention], evidence: int) -> dict[str, Any]:
    sentences = dict.fromkeys(
        mentions[member.mention].sentence for member in cluster.members if mentions[member.mention].sentence
    )
    return {
        "id": cluster.id,
        "kind": cluster.kind,
        "name": cluster.name,
        "confidence": round(cluster.confidence, 6),
        "parent": cluster.parent,
        "forms": list(cluster.forms),
        "members": [
            {"mention": m.mention, "slot": m.slot, "text": mentions[m.mention].phrase(m.slot).text}
            for m in cluster.members
        ],
        "evidence": list(sentences)[:evidence],
    }


def read_clusters(lines: Lines) -> Iterator[Cluster]:
    """What `cluster_lines` wrote, or what another program made: `kind` and `members` are enough."""
    for number, row in line_items(lines):
        fault = _fault(row)
        if fault is not None:
            lines.fault(number, *fault)
            continue
        members = tuple(Member(str(m["mention"]), cast(Slot, m["slot"])) for m in row["members"])
        yield Cluster(
            id=str(row.get("id", number)),
            kind=cast(Literal["entity", "relation", "type"], row["kind"]),
            name=str(row.get("name", "")),
            members=members,
            forms=tuple(map(str, row.get("forms") or ())),
            confidence=float(row.get("confidence", 1.0)),
            parent=row.get("parent"),
        )


def _fault(row: Any) -> tuple[str, str] | None:
    if not isinstance(row, dict):
        return "a line that is no object", "an object with 'kind' and 'members'"
    if row.get("kind") not in _KINDS:
        return f"'kind' is {row.get('kind')!r}", f"one of {', '.join(_KINDS)}"
    members = row.get("members")
    if not isinstance(members, list) or not all(
        isinstance(m, dict) and "mention" in m and m.get("slot") in SLOTS for m in members
    ):
        return "'members' is missing or odd", f"a list of objects with 'mention' and 'slot' ({', '.join(SLOTS)})"
    if not isinstance(row.get("confidence", 1.0), int | float):
        return "'confidence' is no number", "a number from 0 to 1"
    return None
