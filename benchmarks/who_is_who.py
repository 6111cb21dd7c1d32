"""Is every entity of a business corpus exactly one node of its graph?

    python -m benchmarks.who_is_who [--world NAME] [--graph FILE] [--list] [--save]

`NAME` is a world of `benchmarks/business` (develop, held, railways, publishing, lawfirm, shop) or a file.

The documents of a world (`benchmarks/worlds.py`) become a graph with `tupelo graph build`. Entities have mentions by
name: full names, short names, acronyms and nicknames. A mention is *found* where a node of its document has its words
among its names, titles and articles apart; a wording that one document uses for two entities is not counted.

one node
    Entities whose found mentions are all on one node, which has no mention of another entity.
several nodes
    Entities whose found mentions are on more than one node.
with another
    Entities on one node, which has mentions of another entity too.
not found
    Entities without any found mention.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from benchmarks.results import add_save_option, save
from benchmarks.worlds import NAMES, World, read_world, wording

WORLDS = Path(__file__).parent / "business"
OUTCOMES = ("one node", "several nodes", "with another", "not found")

# The nodes of a wording in a document.
Nodes = Mapping[tuple[str, str], set[str]]


def build(folder: Path, graph: Path) -> None:
    command = [sys.executable, "-m", "tupelo", "graph", "build", str(folder), "-o", str(graph)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def read_nodes(graph: Path) -> tuple[Nodes, dict[str, str]]:
    """The nodes of each wording by document, and the names of nodes."""
    import duckdb

    nodes: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    names: dict[str, str] = {}
    with duckdb.connect(str(graph), read_only=True) as connection:
        rows = connection.execute(
            """SELECT source, node_id, nodes.name, names FROM referents JOIN documents USING (document_id)
            JOIN nodes USING (node_id) WHERE referents.kind = 'entity'"""
        ).fetchall()
    for source, node, name, texts in rows:
        names[node] = name
        for text in texts:
            nodes[Path(source).name, wording(text)].add(node)
    return nodes, names


def outcomes(world: World, nodes: Nodes) -> dict[str, tuple[str, str, set[str]]]:
    """By name of an entity: its type, what became of it, and its nodes."""
    owners: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for document in world.documents:
        for one in document.mentions:
            if one.kind in NAMES:
                owners[document.name, wording(document.text[one.start : one.end])].add(one.entity)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for place, owned_by in owners.items():
        if len(owned_by) == 1:
            found[next(iter(owned_by))] |= nodes.get(place, set())
    named = set[str]().union(*owners.values())
    shared = Counter(node for own in found.values() for node in own)
    result = {}
    for entity in world.entities:
        own = found[entity.id]
        outcome = "not found" if not own else "several nodes" if len(own) > 1 else "one node"
        if outcome == "one node" and any(shared[node] > 1 for node in own):
            outcome = "with another"
        if entity.id in named:
            result[entity.name] = entity.type, outcome, own
    return result


def path_of(world: str) -> Path:
    """The folder or file of a world."""
    folder = WORLDS / world
    return folder if folder.is_dir() else next((p for p in [WORLDS / f"{world}.txt"] if p.exists()), Path(world))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="develop")
    parser.add_argument("--graph", type=Path, help="a graph of the documents that is there already")
    parser.add_argument("--list", action="store_true", help="print the entities that are not exactly one node")
    add_save_option(parser)
    given = parser.parse_args()
    world = read_world(path_of(given.world))
    with tempfile.TemporaryDirectory() as folder:
        graph = given.graph or Path(folder) / "kg.duckdb"
        if given.graph is None:
            world.write(Path(folder) / "documents")
            build(Path(folder) / "documents", graph)
        nodes, names = read_nodes(graph)
    found = outcomes(world, nodes)
    counts = Counter((kind, outcome) for kind, outcome, _ in found.values())
    kinds = sorted({kind for kind, _ in counts})
    rows = {kind: [counts[kind, outcome] for outcome in OUTCOMES] for kind in kinds}
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    table = [[kind, *map(str, row), f"{100 * row[0] / sum(row):.1f}"] for kind, row in rows.items()]
    header = ["entities", *OUTCOMES, "one node %"]
    for cells in (header, *table):
        print("\t".join(cells))
    if given.list:
        for canonical, (kind, outcome, own) in found.items():
            if outcome != "one node":
                print(f"{kind}\t{canonical}\t{outcome}\t{' | '.join(sorted(names[node] for node in own))}")
    if given.save:
        save(f"who-is-who-{world.name}", header, table)


if __name__ == "__main__":
    main()
