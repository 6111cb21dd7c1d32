"""`tupelo assertions candidates`: assertions that could answer a question."""

from __future__ import annotations

import json
import os

import click

from tupelo.cli.progress import count, progress


@click.command()
@click.argument("assertions", metavar="ASSERTIONS")
@click.option("--argument", metavar="TEXT", help="What the question says, beside its relation.")
@click.option("--relation", metavar="TEXT", help="The relation of the question; assertions with it are left out.")
@click.option("--type", "type_", metavar="NOUN", help="What kind of thing answers the question.")
@click.option(
    "--questions", metavar="FILE", help="Many questions in one pass: argument, relation and type, with tabs between."
)
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines instead of text with tabs.")
@click.option("--wordnet", metavar="DIR", help="Folder of WordNet 3.0. [default: TUPELO_WORDNET, else the system's]")
@click.option(
    "--ties",
    type=click.Choice(["name", "first"]),
    default="name",
    show_default=True,
    help="Which sense of an answer counts when Lesk cannot decide: by NLTK's order of names, or the most frequent.",
)
def candidates(
    assertions: str,
    argument: str | None,
    relation: str | None,
    type_: str | None,
    questions: str | None,
    output: str,
    as_json: bool,
    wordnet: str | None,
    ties: str,
) -> None:
    """Find the assertions that could answer a question, as Levy and Dagan (2016) do.

    \b
    Examples:
      tupelo assertions candidates all.parquet --argument headaches --relation prevents --type drug
      tupelo assertions candidates all.parquet --questions questions.tsv -o candidates.tsv

    ASSERTIONS is what `extract` or `aggregate` wrote. The columns are argument, relation and type of the question,
    subject, relation and object of the assertion, its count, and which side of it is the answer.
    """
    from tupelo.infer.candidates import Question, answer_candidates
    from tupelo.io.assertions import read_assertions, read_questions
    from tupelo.io.files import open_output
    from tupelo.io.wordnet import open_wordnet

    single = (argument, relation, type_)
    if questions is not None and any(single):
        raise click.UsageError("a question is given by --argument, --relation and --type, or in a file; not both.")
    if questions is not None:
        asked = [Question(*fields) for fields in read_questions(questions)]
    elif argument and relation and type_:
        asked = [Question(argument, relation, type_)]
    else:
        raise click.UsageError("a question needs --argument, --relation and --type, or a file with --questions.")
    with progress("searching") as advance:
        found = answer_candidates(
            count(read_assertions(assertions), advance), asked, open_wordnet(wordnet, os.environ), ties=ties
        )
    with open_output(output) as stream:
        for question, chosen in found.items():
            for candidate in chosen:
                row = candidate.as_row(question)
                text = json.dumps(row, ensure_ascii=False) if as_json else "\t".join(map(str, row.values()))
                stream.write(f"{text}\n".encode())
    click.echo(f"{sum(map(len, found.values())):,} candidates for {len(found):,} question(s)", err=True)
