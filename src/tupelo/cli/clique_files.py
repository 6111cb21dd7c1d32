"""What the commands about cliques share: reading cliques, and their trees from a parser or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import click

from tupelo.cli.progress import progress
from tupelo.cliques.trees import Tree, tree_of
from tupelo.core import Analysis, Clique, InputError, Sentence
from tupelo.core.clique import gather_cliques
from tupelo.io.analyses import read_analyses
from tupelo.io.files import InputFile
from tupelo.io.tuples import AUTO, open_records

Command = TypeVar("Command", bound=Callable[..., Any])


def parsing_options(command: Command) -> Command:
    """Where the trees of sentences come from; see `trees_of_cliques`."""
    for option in reversed(
        [
            click.option(
                "--trees",
                metavar="FILE",
                help="Bracketed trees of all sentences, in the order of the cliques, instead of parsing.",
            ),
            click.option("--parser", default="en", show_default=True, metavar="NAME", help="As in `tupelo analyze`."),
            click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="To parse in."),
        ]
    ):
        command = option(command)
    return command


def read_cliques(name: str, format_name: str = AUTO) -> list[Clique]:
    """The cliques of a file: ROBUST's JSON, or any format that keeps groups."""
    with open_records(name, format_name) as stream, progress(f"reading {stream.name}") as advance:
        cliques = []
        for clique in gather_cliques(stream.records):
            cliques.append(clique)
            advance(1)
    if not cliques:
        raise InputError(f"{name}: no cliques, expected at least one")
    return cliques


def one_clique(sentences: Sequence[str], name: str) -> Clique:
    """Sentences from elsewhere as a clique without tuples."""
    return Clique(name, tuple(Sentence(text) for text in sentences), tuple(() for _ in sentences))


def trees_of_cliques(
    cliques: Sequence[Clique], trees: str | Sequence[Analysis] | None, parser: str, processes: int
) -> list[list[Tree]]:
    """A tree per sentence and clique: from a file of trees, from parses at hand, or parsed now."""
    sentences = [sentence.text for clique in cliques for sentence in clique.sentences]
    if trees is not None:
        found = read_analyses(trees, "brackets") if isinstance(trees, str) else trees
        if len(found) != len(sentences):
            raise InputError(f"{trees}: {len(found)} trees, expected one for each of {len(sentences)} sentences")
        made = [tree_of(analysis) for analysis in found]
    else:
        with progress("parsing", total=len(sentences)) as advance:
            made = []
            for analysis in _parsed(sentences, parser, processes):
                made.append(tree_of(analysis))
                advance(1)
    remaining = iter(made)
    return [[next(remaining) for _ in clique.sentences] for clique in cliques]


def _parsed(sentences: Sequence[str], parser: str, processes: int) -> Iterator[Analysis]:
    from tupelo.api.text import load

    # A sentence is one line for a parser, whatever white space it has inside.
    lines = [" ".join(sentence.split()) for sentence in sentences]
    return iter(load(parser, processes=processes).parser.analyze(lines, lines=True))


def read_clique_pairs(name: str, cliques: Sequence[Clique]) -> dict[int, int]:
    """From a file of two originals a line: the place of the first one's clique to that of the second one's."""
    places = {clique.sentences[0].text: place for place, clique in enumerate(cliques)}
    pairs: dict[int, int] = {}
    with InputFile(name) as file:
        lines = file.lines()
        for number, line in lines:
            if not line.strip():
                continue
            fields = line.split("\t")
            if len(fields) != 2:
                lines.fault(number, f"{len(fields)} field(s)", "2, separated by a tab")
                continue
            unknown = [text for text in fields if text not in places]
            if unknown:
                lines.fault(number, f"{unknown[0][:60]!r}", "the original sentence of a clique")
                continue
            pairs[places[fields[0]]] = places[fields[1]]
    return pairs
