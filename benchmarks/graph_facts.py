"""Does a graph state the facts that were written down before it was built?

    python -m benchmarks.graph_facts develop|technical|held [--data benchmarks/business] [--json]

Builds a graph of the documents of a folder and prints for each of its facts (`facts.jsonl`) the best statement: that
with most of the fact's words among the nodes, the relation and the sentence that is printed. A fact counts as stated
where that statement is claimed or reported, has all content words of its subject and object (or other names of the
same entities), and most of those of its relation; the list is printed so that people can judge it themselves.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tupelo.api.graph import Filters, Graph
from tupelo.graph.query.edges import Edge
from tupelo.graph.retrieve.ask_passages import stems

DATA = Path("benchmarks/business")
_EVERY = 1_000_000
# Shares of the words of both ends and of the relation that a statement must have.
ENDS, RELATION = 0.75, 0.3


def held(fact: Mapping[str, Any], edge: Edge, names: Mapping[str, str]) -> tuple[float, float]:
    """The share of the words of the ends that a statement has, and of those of the relation."""
    said = stems([edge.sentence, edge.subject.name, edge.object.name, names.get(edge.subject.id, "")])
    said |= stems([names.get(edge.object.id, ""), edge.relation.name])
    ends = [stems([str(fact[end])]) for end in ("subject", "object")]
    relation = stems([str(fact["relation"])])
    found = min(len(words & said) / len(words) if words else 1.0 for words in ends)
    return found, len(relation & said) / len(relation) if relation else 1.0


def best(fact: Mapping[str, Any], edges: list[Edge], names: Mapping[str, str]) -> tuple[Edge | None, bool]:
    """The statement nearest to a fact, and whether it states it."""
    scored = [(held(fact, edge, names), edge) for edge in edges]
    scored.sort(key=lambda item: (sum(item[0]), item[1].rank), reverse=True)
    if not scored:
        return None, False
    (ends, relation), edge = scored[0]
    return edge, ends >= ENDS and relation >= RELATION


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("develop", "technical", "held"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    folder = given.data / given.part
    facts = [json.loads(line) for line in (folder / "facts.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as place:
        with Graph.build(str(folder / "documents"), f"{place}/kg.duckdb", progress=None) as graph:
            edges = list(graph.edges(filters=Filters(), limit=_EVERY))
            rows = graph.sql("SELECT owner_id, string_agg(text, ' ') FROM aliases WHERE owner = 'entity' GROUP BY 1")
            names = dict(row.values for row in rows)
        found = [(fact, *best(fact, edges, names)) for fact in facts]
    stated = sum(holds for _, _, holds in found)
    if given.json:
        print(json.dumps({"part": given.part, "facts": len(facts), "stated": stated}))
        return
    for fact, edge, holds in found:
        said = f"{edge} ({edge.rank:.2f})" if edge is not None else "nothing"
        print(f"{'+' if holds else '-'} {fact['subject']} | {fact['relation']} | {fact['object']}\n    {said}")
    print(f"{stated} of {len(facts)} facts are stated")


if __name__ == "__main__":
    main()
