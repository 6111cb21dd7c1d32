"""Groups of commands that are known by name and imported only to be run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from tupelo.core import InputError
from tupelo.core.registry import Registry, import_part


class LazyGroup(click.Group):
    """`places` maps the name of a command to its module and attribute, and to the line that `--help` shows."""

    def __init__(self, name: str, help: str, places: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(name, help=cleandoc(help), **settings)
        self.places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.places)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.places:
            return None
        place = self.places[name][0]
        if place.startswith("papers."):
            _find_clone()
        command = import_part(place)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.places.items()])


def listing(heading: str, parts: Registry[Any]) -> type[click.Command]:
    """Commands whose help ends with all registered parts, titles looked up only when help is asked for."""

    class ListingCommand(click.Command):
        def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            with formatter.section(heading):
                formatter.write_dl([(name, parts.title(name)) for name in parts])

    return ListingCommand


def _find_clone() -> None:
    """Make `papers/` importable, which stands beside `src/` in a clone of the repository and is in no wheel."""
    clone = Path(__file__).resolve().parents[3]
    if not (clone / "papers" / "__init__.py").is_file():
        raise InputError("the papers are not installed: this command runs from a clone of Tupelo's repository")
    if str(clone) not in sys.path:
        sys.path.append(str(clone))


graph = LazyGroup(
    "graph",
    """Build, query, look at and export a knowledge graph.

    \b
    Examples:
      tupelo graph build notes/ -o kg.duckdb
      tupelo graph query kg.duckdb "?who founded ?company" --evidence
    """,
    {
        "build": ("tupelo.cli.graph:build", "Documents to a graph; again to bring it up to date."),
        "query": ("tupelo.cli.graph:query", "Query it: patterns, neighbours, paths, full text, SQL, SPARQL."),
        "entities": ("tupelo.cli.graph:entities", "List its entities with their types."),
        "ask": ("tupelo.cli.graph:ask", "Answer a question in plain English, with the sentences that say so."),
        "retrieve": ("tupelo.cli.graph:retrieve", "Find the passages that help to answer a question."),
        "timeline": ("tupelo.cli.graph:timeline", "What held when, about an entity or with a relation."),
        "conflicts": ("tupelo.cli.graph:conflicts", "Statements that cannot all be true, with both sides."),
        "events": ("tupelo.cli.graph:events", "Events that several documents report."),
        "diff": ("tupelo.cli.graph:diff", "What one graph says and an older one does not."),
        "report": ("tupelo.cli.graph:report", "What the documents are about, in sentences of their own."),
        "show": ("tupelo.cli.graph:show_graph", "Draw it as one page that needs nothing else."),
        "serve": ("tupelo.cli.graph:serve", "Look at a graph of any size in the browser."),
        "coverage": ("tupelo.cli.graph:coverage", "Which sentences and tuples are in it, and which are not and why."),
        "stats": ("tupelo.cli.graph:stats", "Sizes, degrees, merged names, low confidence, communities."),
        "review": ("tupelo.cli.graph:review", "Who is who: names that were merged, and corrections."),
        "export": ("tupelo.cli.graph:export", "Write it as RDF, GraphML, CSV for Neo4j or Parquet."),
    },
)
cliques = LazyGroup(
    "cliques",
    """Sentences with the same meaning in different words (knowledge-invariant cliques).

    \b
    Examples:
      tupelo cliques build gold.tsv -o cliques.json
      tupelo cliques distance cliques.json
      tupelo cliques filter paraphrases.json -o cliques.json
    """,
    {
        "analyze": ("tupelo.cli.cliques:analyze", "Tables and figures about cliques and systems, on one page."),
        "build": ("tupelo.cli.cliques:build", "Paraphrase gold sentences, with their tuples."),
        "distance": ("tupelo.cli.cliques:distance", "How far apart the syntax of sentences is."),
        "filter": ("tupelo.cli.cliques:filter_cliques", "Keep the paraphrases that are worded most differently."),
        "study": ("papers.commands:study", "Ask a language model about cliques, with more and more examples."),
    },
)
reproduce = LazyGroup(
    "reproduce",
    """Recompute the tables of a paper from public data, in a clone of the repository.

    \b
    Example:
      tupelo reproduce carb --split dev
    """,
    {
        "carb": ("papers.commands:carb", "CaRB: Tables 2 to 6, and both figures."),
        "combo": ("papers.commands:combo", "COMBO: Tables 1, 4, 5, 8 and 9, and Figures 9 to 12."),
        "facts": ("papers.commands:facts", "Factual accuracy: Tables 2 to 5, 7 and 8 on any data."),
        "robust": ("papers.commands:robust", "ROBUST: Table 2 (systems on CaRB and ROBUST, and the drop)."),
    },
)
facts = LazyGroup(
    "facts",
    """Facts of a fixed schema: subject, property, object.

    \b
    Examples:
      tupelo facts extract article.txt
      tupelo facts dataset articles.jsonl --knowledge facts.tsv -o examples/
      tupelo facts triples articles.jsonl --knowledge facts.tsv -o triples/
      tupelo facts train sentences.jsonl --model classifier -o my-classifier
    """,
    {
        "extract": ("tupelo.cli.facts:extract", "Text to facts: Wikidata properties, evidence, confidence."),
        "dataset": ("tupelo_training.commands:dataset", "Training examples from articles and a knowledge base."),
        "triples": (
            "tupelo_training.commands:triples",
            "Triples with gold clusters from articles and a knowledge base.",
        ),
        "train": ("tupelo_training.commands:train", "Train a model of facts on examples of your own."),
    },
)
assertions = LazyGroup(
    "assertions",
    """Assertions from syntactic n-grams, and answers to questions among them.

    \b
    Example:
      echo "Dogs chase cats." | tupelo assertions ngrams | tupelo assertions extract - --min-pairs 1
    """,
    {
        "aggregate": ("tupelo_training.commands:aggregate", "Add up assertions, and drop rare relations."),
        "candidates": ("tupelo_training.commands:candidates", "Find the assertions that could answer a question."),
        "extract": ("tupelo_training.commands:extract", "Extract assertions from n-grams in Google's form."),
        "ngrams": ("tupelo_training.commands:ngrams", "Count the small subtrees of parsed text."),
    },
)
embed = LazyGroup(
    "embed",
    """Vectors of relations, arguments and words, from what they occur with.

    \b
    Examples:
      tupelo embed relations assertions.tsv -o relations.safetensors
      tupelo embed words parsed.conllu -o words.safetensors --min-count 5
      tupelo embed neighbours relations.safetensors "is made from"
    """,
    {
        "arguments": ("tupelo_training.commands:arguments", "Vectors of subjects and objects, from their relations."),
        "neighbours": (
            "tupelo_training.commands:neighbours",
            "The nearest neighbours of a relation, an argument or a word.",
        ),
        "relations": (
            "tupelo_training.commands:relations",
            "Vectors of relations, from their arguments.",
        ),
        "words": (
            "tupelo_training.commands:words",
            "Vectors of words, from their dependencies.",
        ),
    },
)
