"""`tupelo facts`: facts of a fixed schema. One module per subcommand."""

from __future__ import annotations

import click

from tupelo.cli.groups import LazyGroup

# Name of a command -> where it is, and its line in `tupelo facts --help`.
COMMANDS: dict[str, tuple[str, str]] = {
    "extract": (
        "tupelo.cli.facts_extract:extract",
        "Text to facts: Wikidata properties, evidence, confidence.",
    ),
    "dataset": ("tupelo.cli.facts_dataset:dataset", "Training examples from articles and a knowledge base."),
    "triples": (
        "tupelo.cli.facts_triples:triples",
        "Triples with gold clusters from articles and a knowledge base.",
    ),
    "train": ("tupelo.cli.facts_train:train", "Train a model of facts on examples of your own."),
}


class Commands(LazyGroup):
    places = COMMANDS


@click.group(cls=Commands)
def facts() -> None:
    """Facts of a fixed schema: subject, property, object.

    \b
    Examples:
      tupelo facts extract article.txt
      tupelo facts dataset articles.jsonl --knowledge facts.tsv -o examples/
      tupelo facts triples articles.jsonl --knowledge facts.tsv -o triples/
      tupelo facts train sentences.jsonl --model classifier -o my-classifier
    """
