"""Random edges and nodes of graphs for blind readers, and what their labels amount to.

    python -m benchmarks.graph_sample draw FOLDER news=news.duckdb wiki=wiki.duckdb [--edges 200] [--nodes 100]
    python -m benchmarks.graph_sample score FOLDER READER.tsv…

`draw` writes `edges.tsv` (number, subject | relation | object, sentences) and `nodes.tsv` (number, name, kind, type,
a sentence), all graphs mixed, and `key.tsv`, which readers do not see. Only asserted edges are drawn. A sentence in
brackets comes before the one that says it. Readers follow `graph_reading.md` and give back lines of number, tab,
label. `score` prints the share of every label with its Wilson interval, per graph; the first file that labels an item
counts, and agreement is over items that several files label.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.graph_quality import Graph
from tupelo_training.calibration import wilson_interval

LABELS = {"edge": ("good", "vague", "wrong", "unasserted"), "node": ("thing", "poor", "junk")}
SENTENCES = 2


def asserted_edges(graph: Graph) -> list[tuple[str, str, str, str]]:
    """Id, subject, relation and object, in the order of ids."""
    wording = "edges.relation" if graph.has_stances else "relations.name"
    return graph.rows(
        f"""
        SELECT edge_id, one.name, {wording}, other.name FROM edges JOIN relations USING (relation_id)
        JOIN entities one ON one.node_id = subject_id JOIN entities other ON other.node_id = object_id
        WHERE {graph.stance} = 'asserted' ORDER BY edge_id
        """
    )


def sentences_of(graph: Graph, edge: str) -> str:
    """The first sentences that say so, each after the one before it in its document."""
    rows = graph.rows(
        """
        SELECT DISTINCT said.document_id, said.position, said.text, earlier.text
        FROM provenance JOIN sentences said USING (sentence_id)
        LEFT JOIN sentences earlier
            ON earlier.document_id = said.document_id AND earlier.position = said.position - 1
        WHERE edge_id = ? ORDER BY said.document_id, said.position LIMIT ?
        """,
        [edge, SENTENCES],
    )
    return "  //  ".join(f"[{earlier}] {text}" if earlier else text for _, _, text, earlier in rows)


def nodes(graph: Graph) -> list[tuple[str, str, str, str | None]]:
    """Id, name, kind and commonest type, in the order of ids."""
    return graph.rows(
        """
        SELECT node_id, entities.name, kind, arg_max(types.name, (entity_types.mentions, types.name))
        FROM entities LEFT JOIN entity_types USING (node_id) LEFT JOIN types USING (type_id)
        GROUP BY ALL ORDER BY node_id
        """
    )


def sentence_of(graph: Graph, node: str) -> str:
    """A sentence that mentions a node, the shortest first."""
    rows = graph.rows(
        f"""
        SELECT sentences.text FROM mentions LEFT JOIN tuples USING (tuple_id)
        JOIN sentences ON sentences.sentence_id = {graph.mention_sentence}
        WHERE node_id = ? ORDER BY length(sentences.text), sentences.text LIMIT 1
        """,
        [node],
    )
    return rows[0][0] if rows else ""


def draw(folder: Path, graphs: Iterable[tuple[str, Path]], edges: int, nodes_drawn: int, seed: int) -> None:
    generator = random.Random(seed)
    sheets: dict[str, list[tuple[str, str, list[str]]]] = {"edge": [], "node": []}
    for name, file in graphs:
        graph = Graph(file)
        pool, things = asserted_edges(graph), nodes(graph)
        for key, subject, relation, other in generator.sample(pool, min(edges, len(pool))):
            shown = [f"{subject} | {relation} | {other}", sentences_of(graph, key)]
            sheets["edge"].append((name, key, shown))
        for key, node, kind, type_ in generator.sample(things, min(nodes_drawn, len(things))):
            sheets["node"].append((name, key, [node, kind, type_ or "", sentence_of(graph, key)]))
    folder.mkdir(parents=True, exist_ok=True)
    keys = []
    for sheet, items in sheets.items():
        generator.shuffle(items)
        numbered = [(f"{sheet[0]}{number}", *item) for number, item in enumerate(items, start=1)]
        write_lines(folder / f"{sheet}s.tsv", ([number, *shown] for number, _, _, shown in numbered))
        keys += [(number, name, key) for number, name, key, _ in numbered]
    write_lines(folder / "key.tsv", keys)


def write_lines(file: Path, rows: Iterable[Sequence[str]]) -> None:
    text = "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)
    file.write_text(text, "utf-8")


def read_lines(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if row]


def score(folder: Path, readers: Iterable[Path]) -> Iterator[str]:
    """The lines of the report."""
    graph_of = {number: name for number, name, _ in read_lines(folder / "key.tsv")}
    given: dict[str, list[str]] = defaultdict(list)
    for file in readers:
        for number, label, *_ in read_lines(file):
            kind = "edge" if number.startswith("e") else "node"
            if number not in graph_of or label not in LABELS[kind]:
                sys.exit(
                    f"{file}: {number} {label}, expected an item of the sheet and one of {', '.join(LABELS[kind])}"
                )
            given[number].append(label)
    for kind, labels in LABELS.items():
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        pairs: Counter[bool] = Counter()
        for number, found in given.items():
            if number.startswith(kind[0]):
                counts[graph_of[number]][found[0]] += 1
                pairs.update(one == other for one, other in combinations(found, 2))
        for name, count in sorted(counts.items()):
            total = count.total()
            for label in labels:
                low, high = wilson_interval(count[label], total)
                interval = f"{count[label] / total:.3f} [{low:.3f}, {high:.3f}]"
                yield f"{name:16} {kind} {label:11} {interval}  {count[label]} of {total}"
        if pairs:
            yield f"agreement on {kind}s: {pairs[True]} of {pairs.total()} pairs of labels"
    missing = len(graph_of.keys() - given.keys())
    if missing:
        yield f"{missing} items have no label"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("graphs", nargs="+", metavar="NAME=GRAPH")
    drawing.add_argument("--edges", type=int, default=200, help="of each graph")
    drawing.add_argument("--nodes", type=int, default=100, help="of each graph")
    drawing.add_argument("--seed", type=int, default=1)
    scoring = commands.add_parser("score")
    scoring.add_argument("folder", type=Path)
    scoring.add_argument("readers", nargs="+", type=Path)
    arguments: Any = parser.parse_args()
    if arguments.command == "draw":
        named = [(name, Path(file)) for name, _, file in (graph.partition("=") for graph in arguments.graphs)]
        draw(arguments.folder, named, arguments.edges, arguments.nodes, arguments.seed)
    else:
        print(*score(arguments.folder, arguments.readers), sep="\n")


if __name__ == "__main__":
    main()
