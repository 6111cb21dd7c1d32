"""Pairs of names that look alike and are two things, or do not and are one: merging by `canonicalize` and in graphs.

    python -m benchmarks.entity_contrasts [--part open|held] [--wrong] [--json]

`entity_contrasts.tsv` has 218 pairs of short statements, each with a name in brackets, and whether both names are of
one thing; it was written before any of them was tried. Methods were chosen on the part `open`; `held` is for
measuring only. *Canonicalize* runs `tupelo canonicalize` on each pair of triples by itself. *Graph* is whether the
names share a node in a graph of two documents, each of one of the statements: all statements are extracted once, and
each pair is linked by itself. Names that the parser does not find in a statement are in no node: two things.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tupelo
from benchmarks.graph_quality import Graph
from benchmarks.graph_redocred import plain
from tupelo.api.canonical import open_canonicalizer
from tupelo.core.canonical import Phrase, TripleMention
from tupelo.core.extraction import Span
from tupelo.names.linking import Aliases, StoredReferent, link
from tupelo.nlp.languages.en.naming import title_words

FILE = Path(__file__).with_name("entity_contrasts.tsv")
_MARKED = re.compile(r"\[(.+)\]")
_COLUMNS = "referent_id, document_id, kind, name, label, names, counts, reasons, descriptions, place, context"


@dataclass(frozen=True, slots=True)
class Statement:
    """Subject, relation and object; one of subject and object is the name."""

    parts: tuple[str, str, str]
    place: int

    @classmethod
    def read(cls, text: str) -> Statement:
        parts = [part.strip() for part in text.split(" | ")]
        place = next(number for number, part in enumerate(parts) if _MARKED.fullmatch(part))
        parts[place] = parts[place][1:-1]
        return cls((parts[0], parts[1], parts[2]), place)

    @property
    def name(self) -> str:
        return self.parts[self.place]

    @property
    def sentence(self) -> str:
        text = " ".join(self.parts)
        return f"{text[0].upper()}{text[1:]}."

    def mention(self, id: str) -> TripleMention:
        phrases = []
        start = 0
        for part in self.parts:
            phrases.append(Phrase(part, Span(start, start + len(part))))
            start += len(part) + 1
        return TripleMention(id, phrases[0], phrases[1], phrases[2], self.sentence)


@dataclass(frozen=True, slots=True)
class Pair:
    kind: str
    is_one: bool
    first: Statement
    second: Statement


def read_pairs(part: str) -> list[Pair]:
    with FILE.open(encoding="utf-8", newline="") as stream:
        return [
            Pair(row["kind"], row["gold"] == "one", Statement.read(row["first"]), Statement.read(row["second"]))
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["part"] == part
        ]


def by_canonicalize(pairs: Iterable[Pair]) -> list[bool]:
    """Whether each pair is merged, canonicalized by itself."""
    canonicalizer = open_canonicalizer(tasks=("npc-e",))
    merged = []
    for pair in pairs:
        found = canonicalizer.canonicalize([pair.first.mention("1"), pair.second.mention("2")])
        wanted = {("1", ("subject", "relation", "object")[pair.first.place])}
        wanted.add(("2", ("subject", "relation", "object")[pair.second.place]))
        merged.append(
            any(wanted <= {(member.mention, member.slot) for member in one.members} for one in found.entities)
        )
    return merged


def by_graph(pairs: Sequence[Pair]) -> list[bool]:
    """Whether each pair is one node of a graph of its two statements."""
    statements = [statement for pair in pairs for statement in (pair.first, pair.second)]
    referents: dict[int, list[StoredReferent]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="tupelo-contrasts-") as folder:
        file = Path(folder) / "statements.duckdb"
        texts = {str(number): one.sentence for number, one in enumerate(statements)}
        tupelo.Graph.build(texts, file).close()
        for title, *values in Graph(file).rows(
            f"SELECT source, {_COLUMNS} FROM referents JOIN documents USING (document_id) ORDER BY referent_id"
        ):
            fields: list[Any] = [tuple(value) if isinstance(value, list) else value for value in values]
            referents[int(title)].append(StoredReferent(*fields))
    merged = []
    for number, pair in enumerate(pairs):
        sides = [referents[2 * number], referents[2 * number + 1]]
        assigned = link([one for side in sides for one in side], Aliases())
        found = [
            _named(side, statement.name) for side, statement in zip(sides, (pair.first, pair.second), strict=True)
        ]
        keys = [None if one is None else assigned[one.referent_id].key for one in found]
        merged.append(keys[0] is not None and keys[0] == keys[1])
    return merged


def _named(referents: Sequence[StoredReferent], name: str) -> StoredReferent | None:
    """What a name is of: the parser may leave out a title (*Dr.*) or the place around it (*Paris, France*)."""
    pieces = name.split()
    titles = title_words(pieces)
    written = (name, " ".join(pieces[titles:]), name.partition(",")[0])
    for text in dict.fromkeys(plain(text) for text in written):
        for one in referents:
            if text in map(plain, one.names):
                return one
    return None


def shares(pairs: Sequence[Pair], merged: Sequence[bool]) -> dict[str, list[int]]:
    """Right pairs and all pairs, by kind; also those of one thing, of two things, and all."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for pair, found in zip(pairs, merged, strict=True):
        gold = "one" if pair.is_one else "two"
        for name in ("all", gold, f"{gold}: {pair.kind}"):
            counts[name][0] += found == pair.is_one
            counts[name][1] += 1
    return dict(sorted(counts.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("open", "held"), default="open")
    parser.add_argument("--wrong", action="store_true", help="also list the pairs that are wrong")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    pairs = read_pairs(arguments.part)
    outcomes = {"canonicalize": by_canonicalize(pairs), "graph": by_graph(pairs)}
    counts = {name: shares(pairs, merged) for name, merged in outcomes.items()}
    if arguments.json:
        print(json.dumps({"part": arguments.part, **counts}))
        return
    for name, merged in outcomes.items():
        for pair, found in zip(pairs, merged, strict=True):
            if arguments.wrong and found != pair.is_one:
                print(f"{name:13} {'one' if pair.is_one else 'two'}: {pair.first.name} = {pair.second.name}")
    for kind in counts["graph"]:
        shown = "  ".join(f"{name} {right}/{total}" for name, (right, total) in _of_kind(counts, kind))
        print(f"{kind:18} {shown}")


def _of_kind(counts: dict[str, dict[str, list[int]]], kind: str) -> list[tuple[str, tuple[int, int]]]:
    return [(name, (found[kind][0], found[kind][1])) for name, found in counts.items()]


if __name__ == "__main__":
    main()
