"""`tupelo graph retrieve`: passages that help to answer questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from tupelo.api.files import write_lines
from tupelo.api.graph import Graph, read_questions
from tupelo.cli.graph_options import graph_argument
from tupelo.cli.options import INPUT, Whole, output_option


@click.command()
@graph_argument
@click.argument("question", nargs=-1, metavar="[QUESTION]...")
@click.option(
    "--questions",
    type=INPUT,
    metavar="FILE",
    help='Many questions, as JSON lines: {"id": …, "question": …}; with --json a line is printed for each.',
)
@click.option("--top", type=Whole(1), default=5, show_default=True, help="At most N passages of a question.")
@click.option("--evidence", is_flag=True, help="Show the sentences behind the edges of a path.")
@click.option("--plan", is_flag=True, help="Explain how the passages were found.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of tables.")
@output_option()
def retrieve(
    graph: Path,
    question: tuple[str, ...],
    questions: str | None,
    top: int,
    evidence: bool,
    plan: bool,
    as_json: bool,
    output: str,
) -> None:
    """Find the passages of a GRAPH that help to answer a QUESTION, best first.

    \b
    Examples:
      tupelo graph retrieve kg.duckdb "Where does the founder of Acme live?"
      tupelo graph retrieve kg.duckdb "Where does the founder of Acme live?" --evidence --plan
      tupelo graph retrieve kg.duckdb --questions questions.jsonl --top 10 --json

    Each passage has its score, its place (document and characters), and the path of edges that leads
    to it from a name in the question. No language model is used. With --questions and --json, a line
    is {"id", "passages": [{"id", "score", "path"}]}; the id of a passage is that of its document: the
    one in a file of records, or else the source.
    """
    if bool(question) == bool(questions):
        raise click.UsageError("expected a question or --questions, one of the two")
    quoted = 1 if evidence else 0

    def lines() -> Iterator[str]:
        if not questions:
            found = opened.retrieve(" ".join(question), top=top, evidence=quoted, plan=plan)
            yield json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if as_json else str(found)
            return
        for key, asked in asked_questions:
            found = opened.retrieve(asked, top=top, evidence=quoted, plan=plan)
            if as_json:
                yield json.dumps({"id": key, "passages": [item.to_line() for item in found]}, ensure_ascii=False)
            else:
                yield f"{key}: {asked}\n{found}\n"

    asked_questions = read_questions(questions) if questions else []
    with Graph.open(graph) as opened:
        write_lines(output, lines())
