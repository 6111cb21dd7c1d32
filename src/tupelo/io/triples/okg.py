"""The folders of the CUVA paper: `triples.txt`, side information and gold clusters in files beside it.

Dash et al., "Open Knowledge Graphs Canonicalization using Variational
Autoencoders" (EMNLP 2021). The first line of `triples.txt` is the number of
rows. A gold line is `cluster TAB size TAB mention…`; a mention is a phrase, or
`phrase|id` in the ReVerb sets. Those ids belong to CESI's files: they number
triples that the rows here no longer name, so that a phrase takes the labels of
all its mentions when it has one label only, and none when it is ambiguous.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tupelo.core.canonical import SLOTS, Phrase, TripleMention
from tupelo.io.lines import Lines
from tupelo.io.triples.base import Collected, TripleFile, filled


def read(
    lines: Lines, gold: Lines | None = None, entity_pairs: Lines | None = None, relation_pairs: Lines | None = None
) -> TripleFile:
    labels = _gold(gold) if gold is not None else {}
    collected = Collected()
    for number, fields in _rows(lines, 3):

        def complain(found: str, expected: str, number: int = number) -> None:
            lines.fault(number, found, expected)

        parts = [filled(part, what, complain) for part, what in zip(fields, SLOTS, strict=True)]
        if None in parts:
            continue
        subject, relation, object_ = (Phrase(str(part).strip()) for part in parts)
        found = {
            slot: sorted(labels[phrase.text])
            for slot, phrase in (("subject", subject), ("object", object_))
            if len(labels.get(phrase.text, ())) == 1
        }
        collected.add(TripleMention(str(number - 1), subject, relation, object_), dict(found))
    pairs = {}
    for kind, side in (("entity", entity_pairs), ("relation", relation_pairs)):
        if side is not None:
            pairs[kind] = tuple(_side(side))
    return collected.file(side_pairs=pairs)


def _rows(lines: Lines, width: int) -> Iterable[tuple[int, list[str]]]:
    for number, line in lines:
        if number == 1:
            if not line.strip().isdigit():
                lines.fault(1, f"{line[:40]!r}", "the number of rows alone on the first line")
            continue
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != width:
            lines.fault(number, f"{len(fields)} field(s)", f"{width}, separated by tabs")
            continue
        yield number, fields


def _side(lines: Lines) -> Iterable[tuple[str, str, float]]:
    for number, (left, right, weight) in _rows(lines, 3):
        value = lines.number(number, weight, "weight")
        if value is not None:
            yield left, right, value


def _gold(lines: Lines) -> dict[str, set[str]]:
    labels: dict[str, set[str]] = defaultdict(set)
    for number, line in lines:
        if not line.strip():
            continue
        cluster, *rest = line.split("\t")
        if len(rest) < 2:
            lines.fault(number, f"{1 + len(rest)} field(s)", "cluster, size and a mention or more, by tabs")
            continue
        for mention in rest[1:]:
            labels[mention.rpartition("|")[0] or mention].add(cluster)
    return labels
