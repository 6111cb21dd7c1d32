"""`tupelo facts extract`: text to facts of a fixed schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tupelo.cli.progress import progress

if TYPE_CHECKING:
    from tupelo.facts.extract import Fact

FORMATS = ("table", "jsonl", "tsv")


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--method",
    type=click.Choice(["classifier", "end-to-end", "binary", "sentence"]),
    default="classifier",
    show_default=True,
    help="Score all pairs of entities, write facts from the text, only say what is related, or "
    "classify marked sentences (needs --model).",
)
@click.option("--model", metavar="FOLDER", help="A model of your own. [default: the shipped one]")
@click.option("--format", "format_name", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="X",
    help="Leave out facts below. [default: what the model was tuned to]",
)
@click.option("--subject", default="", help="End-to-end: only the facts of this subject.")
@click.option("--reduced", is_flag=True, help="End-to-end: leave out sentences without entities, as the paper does.")
@click.option(
    "--beam", type=click.IntRange(1, 64), default=4, show_default=True, help="End-to-end: width of the search."
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 5),
    default=0.6,
    show_default=True,
    help="End-to-end: length penalty; more makes longer outputs.",
)
@click.option("--parser", default="en", show_default=True, metavar="NAME", help="What finds sentences and entities.")
def extract(
    files: tuple[str, ...],
    method: str,
    model: str | None,
    format_name: str,
    output: str,
    min_confidence: float | None,
    subject: str,
    reduced: bool,
    beam: int,
    alpha: float,
    parser: str,
) -> None:
    """Extract facts from each FILE (or standard input); a file is one document.

    Relations are Wikidata properties where they have one. A fact may join what several sentences say; those that
    speak of its subject and its object are its evidence.

    \b
    Examples:
      echo "Marie Curie was born in Warsaw, the capital of Poland." | tupelo facts extract
      tupelo facts extract article.txt --format jsonl -o facts.jsonl
      tupelo facts extract article.txt --method end-to-end --subject "Marie Curie"
    """
    from tupelo.api.text import load
    from tupelo.facts.extract import METHODS, FactExtractor, Options
    from tupelo.io.files import open_output
    from tupelo.io.text import read_passages

    options = Options(min_confidence, subject, reduced, beam, alpha)
    # The model first: what is wrong with its folder is said before the parser is loaded.
    made = METHODS.get(method)(model, options)
    extractor = FactExtractor(load(parser), made)
    found = extractor.documents(read_passages(files or ("-",), lines=False))
    with open_output(output) as stream, progress("documents", len(files) or 1) as advance:
        for document, facts in found:
            name = document if len(files) > 1 else None
            for line in _lines(name, facts, format_name):
                stream.write(f"{line}\n".encode("utf-8", "replace"))
            advance(1)


def _lines(document: str | None, facts: list[Fact], format_name: str) -> Iterator[str]:
    if format_name == "jsonl":
        for fact in facts:
            yield json.dumps({**({"document": document} if document else {}), **asdict(fact)}, ensure_ascii=False)
    elif format_name == "tsv":
        for fact in facts:
            parts = (fact.subject, fact.property, fact.object, f"{fact.confidence:.4f}")
            yield "\t".join(" ".join(part.split()) for part in (*parts, *([document] if document else [])))
    else:
        if document:
            yield document
        wide = max((len(fact.subject) for fact in facts), default=0)
        for fact in facts:
            relation = fact.relation if fact.relation == fact.property else f"{fact.relation} ({fact.property})"
            yield f"{fact.confidence:.2f}  {fact.subject:<{wide}}  {relation}  {fact.object}"
        if not facts:
            yield "no facts"
