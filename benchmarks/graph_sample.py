"""Random statements and nodes of graphs for blind readers, and what their labels amount to.

    python -m benchmarks.graph_sample draw FOLDER news=news.duckdb wiki=wiki.duckdb [--edges 200] [--nodes 100]
    python -m benchmarks.graph_sample kinds FOLDER [--data ../shared/data/gum] [--edges 25] [--nodes 13]
    python -m benchmarks.graph_sample score FOLDER READER.tsv…

`draw` writes `edges.tsv` (number, statement as it is printed, sentences) and `nodes.tsv` (number, name, kind, type,
a sentence), all graphs mixed, and `key.tsv`, which readers do not see; it says whether the rank of an item (of a
node the best of its statements) is in the upper half of its graph, by which `score` divides. `kinds` builds the
graphs first, of eight kinds of text of the development part of GUM, and says which share of their tuples has a
statement. Only asserted statements are drawn. A sentence in brackets comes before the one that says it. Readers
follow `graph_reading.md` and give back lines of number, tab, label. `score` prints the share of every label with its
Wilson interval, per graph; the first file that labels an item counts, and agreement is over items that several files
label.
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

import tupelo
from benchmarks.graph_gum import read_gold
from benchmarks.graph_quality import Graph
from benchmarks.results import add_save_option, save
from tupelo_training.calibration import wilson_interval

LABELS = {"edge": ("good", "plain", "vague", "wrong", "unasserted"), "node": ("thing", "poor", "junk")}
SENTENCES = 2
# Kinds of text of GUM.
KINDS = ("academic", "bio", "fiction", "interview", "news", "textbook", "voyage", "whow")


def asserted_statements(graph: Graph) -> list[tuple[str, str, str]]:
    """Id, half by rank, and the statement as it is printed, in the order of ids."""
    return graph.rows(
        """
        SELECT edge_id, CASE WHEN percent_rank() OVER (ORDER BY rank, edge_id) >= 0.5 THEN 'upper' ELSE 'lower' END,
            text
        FROM statements WHERE stance = 'asserted' AND mentions > 0 ORDER BY edge_id
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


def nodes(graph: Graph) -> list[tuple[str, str, str, str, str]]:
    """Id, half of the best statement, name, kind and commonest type of nodes of statements, in the order of ids."""
    upper = [key for key, half, _ in asserted_statements(graph) if half == "upper"]
    return graph.rows(
        """
        WITH ends AS (SELECT edge_id, unnest([subject_id, object_id]) AS node_id FROM statements),
        better AS (SELECT node_id FROM ends WHERE edge_id IN (SELECT unnest(?)))
        SELECT node_id, CASE WHEN node_id IN (FROM better) THEN 'upper' ELSE 'lower' END, name, kind, label
        FROM entities WHERE node_id IN (SELECT node_id FROM ends) ORDER BY node_id
        """,
        [upper],
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
        pool, things = asserted_statements(graph), nodes(graph)
        for key, half, statement in generator.sample(pool, min(edges, len(pool))):
            shown = [statement, sentences_of(graph, key)]
            sheets["edge"].append((f"{name} {half}", key, shown))
        for key, half, *described in generator.sample(things, min(nodes_drawn, len(things))):
            sheets["node"].append((f"{name} {half}", key, [*described, sentence_of(graph, key)]))
    folder.mkdir(parents=True, exist_ok=True)
    keys = []
    for sheet, items in sheets.items():
        generator.shuffle(items)
        numbered = [(f"{sheet[0]}{number}", *item) for number, item in enumerate(items, start=1)]
        write_lines(folder / f"{sheet}s.tsv", ([number, *shown] for number, _, _, shown in numbered))
        keys += [(number, name, key) for number, name, key, _ in numbered]
    write_lines(folder / "key.tsv", keys)


def draw_kinds(folder: Path, data: Path, part: str, edges: int, nodes_drawn: int, seed: int, saved: bool) -> None:
    """Build a graph of each kind of text, say how much of it they hold, and draw from them."""
    folder.mkdir(parents=True, exist_ok=True)
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for name, text in read_gold(data / f"gum-{part}.conllu.gz", paragraphs=True).texts.items():
        texts[name.split("_")[1]][name] = text
    graphs, covered = [], []
    for kind in KINDS:
        file = folder / f"{kind}.duckdb"
        with tupelo.Graph.build(texts[kind], file) as graph:
            total = graph.coverage().total
            covered.append((kind, total.sentences, total.tuples, round(100 * (total.share or 1.0), 1)))
            share = 100 * (1.0 if total.share is None else total.share)
            print(f"{kind:12} {total.sentences:5} sentences {total.tuples:5} tuples, {share:.1f} % with a statement")
        graphs.append((kind, file))
    if saved:
        save("graph-coverage-by-kind", ("kind", "sentences", "tuples", "tuples with a statement, %"), covered)
    draw(folder, graphs, edges, nodes_drawn, seed)


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
    kinds = commands.add_parser("kinds")
    kinds.add_argument("folder", type=Path)
    kinds.add_argument("--data", type=Path, default=Path("../shared/data/gum"))
    kinds.add_argument("--part", default="test", help="of GUM; the ranker was fitted on readings of train and dev")
    kinds.add_argument("--edges", type=int, default=25, help="of each kind")
    kinds.add_argument("--nodes", type=int, default=13, help="of each kind")
    kinds.add_argument("--seed", type=int, default=1)
    add_save_option(kinds)
    scoring = commands.add_parser("score")
    scoring.add_argument("folder", type=Path)
    scoring.add_argument("readers", nargs="+", type=Path)
    arguments: Any = parser.parse_args()
    if arguments.command == "draw":
        named = [(name, Path(file)) for name, _, file in (graph.partition("=") for graph in arguments.graphs)]
        draw(arguments.folder, named, arguments.edges, arguments.nodes, arguments.seed)
    elif arguments.command == "kinds":
        draw_kinds(
            arguments.folder,
            arguments.data,
            arguments.part,
            arguments.edges,
            arguments.nodes,
            arguments.seed,
            arguments.save,
        )
    else:
        print(*score(arguments.folder, arguments.readers), sep="\n")


if __name__ == "__main__":
    main()
