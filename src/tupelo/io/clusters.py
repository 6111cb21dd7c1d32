"""Clusters: our own JSON lines, and any file that holds some, gold or predicted.

| format | what it is |
| --- | --- |
| `combo`, `cesi`, `okg` | triples with gold labels, as `tupelo canonicalize` reads them |
| `jsonl` | what `tupelo canonicalize` writes, with or without `--json`: clusters with `kind` and `members` |
| `lists` | a JSON array of arrays of members, or a JSON object from a label to such an array |
| `sized` | the gold files of the CUVA paper: label, size and members, separated by tabs |
| `tabs` | label and members, separated by tabs |

The first two kinds know what was clustered: `subject`, `relation`, `object`, `subject-type` or `object-type`, and
members are the ids of triples. Two more take subjects and objects together, as CUVA's program does: `mention`
(members are `phrase|id`), and `phrase` where gold knows phrases only. The other kinds are bare clusters of any
strings, called `clusters`.

Beside them: corrections of clusters by people, and PPDB's clusters of paraphrases.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from tupelo.core import FormatError, InputError, UnknownNameError
from tupelo.core.canonical import (
    BARE,
    JOINT,
    SLOTS,
    SUBTASKS,
    Cluster,
    ClusterFile,
    GoldLabels,
    Member,
    PhraseCorrection,
    Slot,
    TripleMention,
)
from tupelo.io.files import STANDARD_STREAM, InputFile
from tupelo.io.json_items import array_items, line_items, object_items
from tupelo.io.lines import Fault, Lines
from tupelo.io.triples import TripleFile, read_cesi, read_combo, read_triples

_KINDS = ("entity", "relation", "type")
_LINKS = {"must-link": True, "cannot-link": False}


def cluster_lines(
    clusters: Iterable[Cluster], mentions: Mapping[str, TripleMention], evidence: int = 3
) -> Iterator[str]:
    """Lines with their ends. `evidence` is how many different sentences of a cluster are quoted."""
    for cluster in clusters:
        yield json.dumps(cluster.to_dict(mentions, evidence), ensure_ascii=False) + "\n"


def read_clusters(lines: Lines) -> Iterator[tuple[Cluster, list[str]]]:
    """Clusters that `cluster_lines` or another program wrote: `kind` and `members` are enough.

    With each cluster the words of its members; empty where a program did not write them.
    """
    for number, row in lines.parsed(line_items(lines), _checked):
        members = tuple(Member(str(m["mention"]), cast(Slot, m["slot"])) for m in row["members"])
        cluster = Cluster(
            id=str(row.get("id", number)),
            kind=cast(Literal["entity", "relation", "type"], row["kind"]),
            name=str(row.get("name", "")),
            members=members,
            forms=tuple(map(str, row.get("forms") or ())),
            confidence=float(row.get("confidence", 1.0)),
            parent=row.get("parent"),
            turned=tuple(row.get("turned", ())),
            symmetric=bool(row.get("symmetric", False)),
        )
        yield cluster, [str(m.get("text") or "") for m in row["members"]]


def _checked(row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise Fault("a line that is no object", "an object with 'kind' and 'members'")
    if row.get("kind") not in _KINDS:
        raise Fault(f"'kind' is {row.get('kind')!r}", f"one of {', '.join(_KINDS)}")
    members = row.get("members")
    if not isinstance(members, list) or not all(
        isinstance(m, dict) and "mention" in m and m.get("slot") in SLOTS for m in members
    ):
        raise Fault(
            "'members' is missing or odd", f"a list of objects with 'mention' and 'slot' ({', '.join(SLOTS)})"
        )
    if not isinstance(row.get("confidence", 1.0), int | float):
        raise Fault("'confidence' is no number", "a number from 0 to 1")
    return row


AUTO = "auto"
Members = tuple[str, ...]
CLUSTER_FORMATS = ("combo", "cesi", "okg", "jsonl", "lists", "sized", "tabs")


def read_cluster_file(
    name: str | os.PathLike[str], format_name: str = AUTO, collect: Callable[[FormatError], None] | None = None
) -> ClusterFile:
    """All clusters of a file; `-` is standard input. Without `collect` the first faulty line raises."""
    if format_name not in (AUTO, *CLUSTER_FORMATS):
        raise UnknownNameError.among("cluster format", format_name, CLUSTER_FORMATS)
    if format_name == "okg" or (str(name) != STANDARD_STREAM and Path(name).is_dir()):
        triples = read_triples(name, "okg", collect)
        joint_name = "phrase" if triples.by_phrase else "mention"
        joint_gold = {joint_name: _joint_labels(triples)} if triples.gold else {}
        return _labelled(str(name), "okg", {**triples.gold, **joint_gold}, triples.checksum)
    with InputFile(name) as file:
        chosen = _guess(file) if format_name == AUTO else format_name
        lines = file.lines(collect)
        if chosen in ("combo", "cesi"):
            gold = (read_combo if chosen == "combo" else read_cesi)(lines).gold
            return _labelled(file.name, chosen, gold, file.finish())
        joint: dict[str, list[Members]] = {}
        if chosen == "jsonl":
            rows = list(read_clusters(_one_cluster_a_line(file, lines)))
            clusters, nested = _of_canonicalize([cluster for cluster, _ in rows])
            joint = _joint_clusters(rows)
        else:
            found = _lists(lines) if chosen == "lists" else lines.values(lines.rows(), _BY_ROW[chosen])
            clusters = nested = {BARE: [tuple(dict.fromkeys(members)) for members in found]}
        return ClusterFile(file.name, chosen, clusters, nested, joint, checksum=file.finish())


def _joint_labels(triples: TripleFile) -> dict[str, frozenset[str]]:
    """The labels of all noun phrases, subjects and objects together."""
    labels: dict[str, frozenset[str]] = {}
    for mention in triples.mentions:
        for slot in ("subject", "object"):
            own = triples.gold.get(slot, {}).get(mention.id)
            if own:
                text = mention.phrase(slot).text
                element = text if triples.by_phrase else f"{text}|{mention.id}"
                labels[element] = labels.get(element, frozenset()) | own
    return labels


def _joint_clusters(rows: Iterable[tuple[Cluster, list[str]]]) -> dict[str, list[Members]]:
    """Entities as clusters of noun phrases, wherever each stands and as words alone."""
    joint: dict[str, list[Members]] = {name: [] for name in JOINT}
    for cluster, texts in rows:
        if cluster.kind == "entity" and all(texts):
            places = (f"{text}|{member.mention}" for member, text in zip(cluster.members, texts, strict=True))
            joint["mention"].append(tuple(dict.fromkeys(places)))
            joint["phrase"].append(tuple(dict.fromkeys(texts)))
    return joint


def _labelled(name: str, format_name: str, gold: GoldLabels, checksum: str) -> ClusterFile:
    if not gold:
        raise InputError(f"{name}: no gold labels, expected triples whose entities, relations or types are known")
    clusters: dict[str, list[Members]] = {}
    for subtask, labels in gold.items():
        by_label: dict[str, list[str]] = defaultdict(list)
        for mention, own in labels.items():
            for label in own:
                by_label[label].append(mention)
        clusters[subtask] = [tuple(members) for _, members in sorted(by_label.items())]
    partial = format_name != "combo"
    return ClusterFile(name, format_name, clusters, clusters, partial=partial, checksum=checksum)


def _guess(file: InputFile) -> str:
    head = file.head()
    first = head.partition("\n")[0]
    if head.startswith("["):
        return "combo" if '"tri_id"' in head else "lists"
    if head.startswith("{"):
        if '"_id"' in first and '"triple"' in first:
            return "cesi"
        is_document = '"method"' in head[:200] and '"clusters"' in head
        return "jsonl" if is_document or ('"kind"' in first and '"members"' in first) else "lists"
    fields = first.split("\t")
    return "sized" if len(fields) > 2 and fields[1] == str(len(fields) - 2) else "tabs"


def _one_cluster_a_line(file: InputFile, lines: Lines) -> Lines:
    """A JSON document of `tupelo canonicalize --json` becomes the lines that it would have written without it."""
    if '"kind"' in file.head().partition("\n")[0]:
        return lines
    rows = [value for _, key, value in object_items(lines) if key == "clusters"]
    if not rows or not isinstance(rows[0], list):
        raise FormatError(
            file.name, 1, "a JSON object without a list 'clusters'", "what `tupelo canonicalize` writes"
        )
    return Lines([json.dumps(row) for row in rows[0]], file.name)


def _of_canonicalize(clusters: Iterable[Cluster]) -> tuple[dict[str, list[Members]], dict[str, list[Members]]]:
    """Clusters by subtask, and the same with what lies below each."""
    flat: dict[str, list[Members]] = {}
    nested: dict[str, list[Members]] = {}
    found = list(clusters)
    inside = _with_those_below(found)
    for cluster in found:
        for subtask, slot in SUBTASKS.items():
            kind = "type" if subtask.endswith("-type") else "relation" if slot == "relation" else "entity"
            if kind != cluster.kind:
                continue
            own = tuple(dict.fromkeys(member.mention for member in cluster.members if member.slot == slot))
            below = tuple(dict.fromkeys(member.mention for member in inside[cluster.id] if member.slot == slot))
            if own:
                flat.setdefault(subtask, []).append(own)
            if below:
                nested.setdefault(subtask, []).append(below)
    return flat, nested


def _with_those_below(clusters: Sequence[Cluster]) -> dict[str, list[Any]]:
    """The members of every cluster and of all that lie in it."""
    parents = {cluster.id: cluster.parent for cluster in clusters}
    inside: dict[str, list[Any]] = {cluster.id: [] for cluster in clusters}
    for cluster in clusters:
        at: str | None = cluster.id
        seen: set[str] = set()
        while at is not None and at in inside and at not in seen:
            seen.add(at)
            inside[at].extend(cluster.members)
            at = parents[at]
    return inside


def _lists(lines: Lines) -> Iterator[list[str]]:
    text = lines.text()
    again = Lines(text.split("\n"), lines.source, lines.collect)
    is_object = text.lstrip().startswith("{")
    items = ((line, value) for line, _, value in object_items(again)) if is_object else array_items(again)
    return lines.values(items, _listed)


def _listed(members: Any) -> list[str]:
    if not isinstance(members, list) or not all(isinstance(m, str | int) for m in members):
        raise Fault("a cluster that is no list of strings or numbers", '["member", "member", …]')
    return [str(member) for member in members]


def _sized(fields: list[str]) -> list[str]:
    if len(fields) < 3 or fields[1] != str(len(fields) - 2):
        raise Fault(
            f"{len(fields) - 2} member(s) after the size {fields[1] if len(fields) > 1 else ''!r}",
            "label, size and as many members, separated by tabs",
        )
    return fields[2:]


def _tabs(fields: list[str]) -> list[str]:
    label, *members = fields
    if not members or not all(member.strip() for member in members):
        what = "no member" if not members else "an empty member"
        raise Fault(f"{what} after the label {label[:40]!r}", "a label and members, separated by tabs")
    return members


_BY_ROW: Mapping[str, Callable[[list[str]], list[str]]] = {"sized": _sized, "tabs": _tabs}


def read_corrections(lines: Lines) -> Iterator[PhraseCorrection]:
    """Corrections: `must-link` or `cannot-link`, kind, phrase and phrase, separated by tabs; # for comments."""
    written = ((number, line) for number, line in lines.filled() if not line.lstrip().startswith("#"))
    return lines.values(written, _correction)


def _correction(line: str) -> PhraseCorrection:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != 4:
        raise Fault(f"{len(fields)} field(s)", "link, kind and two phrases, separated by tabs")
    link, kind, left, right = fields
    if link not in _LINKS:
        raise Fault(f"link {link!r}", "must-link or cannot-link")
    if kind not in _KINDS:
        raise Fault(f"kind {kind!r}", f"one of {', '.join(_KINDS)}")
    if not (left and right):
        raise Fault("an empty phrase", "two phrases")
    return PhraseCorrection(_LINKS[link], cast(Literal["entity", "relation", "type"], kind), left, right)


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
