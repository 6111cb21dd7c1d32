"""`tupelo embed`: vectors of relations and words from what they occur with, and their neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click

from tupelo.cli.options import print_json
from tupelo.cli.progress import progress
from tupelo.infer.embed.pairs import Arc, Pair, count_pairs, relation_pairs, word_pairs
from tupelo.infer.embed.skipgram import SkipGramOptions, train
from tupelo.io.files import InputFile
from tupelo.io.vectors import AUTO, FORMATS, read_vectors, write_vectors

Command = TypeVar("Command", bound=Callable[..., Any])
AT_LEAST_ONE = click.IntRange(min=1)


@click.group()
def embed() -> None:
    """Vectors of relations and words, from what they occur with.

    \b
    Examples:
      tupelo embed relations assertions.tsv -o relations.safetensors
      tupelo embed words parsed.conllu -o words.safetensors --min-count 5
      tupelo embed neighbours relations.safetensors "is made from"
    """


def _training_options(negatives: int, min_count: int) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(
            [
                click.option("-o", "--output", required=True, help="Where the vectors go."),
                click.option("--contexts", metavar="FILE", help="Also write the vectors of contexts."),
                click.option(
                    "--to",
                    "format_name",
                    type=click.Choice([AUTO, *FORMATS]),
                    default=AUTO,
                    show_default=True,
                    help="Format; auto goes by the name (.safetensors, .bin, else word2vec text).",
                ),
                click.option("--size", default=500, show_default=True, type=AT_LEAST_ONE, help="Numbers per vector."),
                click.option(
                    "--negatives",
                    default=negatives,
                    show_default=True,
                    type=click.IntRange(min=0),
                    help="Random contexts per pair.",
                ),
                click.option("--smoothing", default=0.75, show_default=True, help="Power of a context's count."),
                click.option("--iterations", default=10, show_default=True, type=AT_LEAST_ONE, help="Rounds."),
                click.option("--rate", default=0.025, show_default=True, help="First size of a step."),
                click.option(
                    "--min-count",
                    default=min_count,
                    show_default=True,
                    type=AT_LEAST_ONE,
                    help="Leave out targets and contexts seen less often.",
                ),
                click.option("--min-context", type=AT_LEAST_ONE, help="For contexts. [default: that of --min-count]"),
                click.option(
                    "--threads",
                    default=1,
                    show_default=True,
                    type=AT_LEAST_ONE,
                    help="With one, the same seed gives the same bytes.",
                ),
                click.option("--seed", default=1, show_default=True, help="For every random number."),
                click.option("--json", "as_json", is_flag=True, help="Report as a JSON document."),
            ]
        ):
            command = option(command)
        return command

    return decorate


@embed.command()
@click.argument("assertions")
@click.option(
    "--base-forms",
    is_flag=True,
    help="Put the forms of a relation together, and arguments by their last word: for small corpora.",
)
@_training_options(negatives=1, min_count=1)
def relations(assertions: str, base_forms: bool, **options: Any) -> None:
    """Vectors of relations, from the arguments that they occur with.

    ASSERTIONS has `subject<TAB>relation<TAB>object<TAB>count` on each line, or is Parquet with these columns;
    `tupelo assertions extract` writes both.

    \b
    Example:
      tupelo embed relations assertions.tsv -o relations.safetensors --size 100
    """
    from tupelo.io.assertions import read_assertions

    _train(relation_pairs(read_assertions(assertions), base_forms=base_forms), **options)


@embed.command()
@click.argument("parsed", nargs=-1, required=True)
@click.option("--ngrams", is_flag=True, help="Files of syntactic n-grams instead of CoNLL-U.")
@_training_options(negatives=5, min_count=100)
def words(parsed: tuple[str, ...], ngrams: bool, **options: Any) -> None:
    """Vectors of words, from their dependencies, prepositions collapsed.

    PARSED are CoNLL-U files, as `tupelo analyze --format conllu` writes them.

    \b
    Example:
      tupelo embed words parsed.conllu -o words.safetensors --min-count 5
    """
    _train((pair for name in parsed for pair in (_ngram_pairs(name) if ngrams else _parsed_pairs(name))), **options)


def _parsed_pairs(name: str) -> Iterator[Pair]:
    from tupelo.io.conllu import read

    with InputFile(name) as file:
        for analysis in read(file.lines()):
            yield from word_pairs([Arc(word.text, word.head, word.deprel or "") for word in analysis.words])


def _ngram_pairs(name: str) -> Iterator[Pair]:
    from tupelo.io.assertions import read_ngrams as read

    with InputFile(name) as file:
        for ngram in read(file.lines()):
            arcs = [Arc(token.word, token.head - 1 if token.head else None, token.label) for token in ngram.tokens]
            yield from word_pairs(arcs, ngram.count)


def _train(
    pairs: Iterable[Pair],
    *,
    output: str,
    contexts: str | None,
    format_name: str,
    min_count: int,
    min_context: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    with progress("counting pairs") as advance:
        table = count_pairs(_told(pairs, advance), min_target=min_count, min_context=min_context or min_count)
    chosen = SkipGramOptions(**options)
    with progress("training", chosen.iterations * table.total) as advance:
        found = train(table, chosen, advance)
    write_vectors(output, found.targets, format_name)
    if contexts is not None:
        write_vectors(contexts, found.contexts, format_name)
    report = {
        "targets": len(found.targets),
        "contexts": len(found.contexts),
        "pairs": table.total,
        "size": chosen.size,
    }
    if as_json:
        print_json(report)
    elif output != "-":
        click.echo(
            "{targets:,} vectors of {size} numbers, from {pairs:,} pairs with {contexts:,} contexts".format(**report)
        )


def _told(pairs: Iterable[Pair], advance: Callable[[int], None]) -> Iterator[Pair]:
    from tupelo.cli.progress import count

    return count(pairs, advance)


@embed.command()
@click.argument("vectors")
@click.argument("names", nargs=-1, required=True)
@click.option("-n", "--count", default=10, show_default=True, type=AT_LEAST_ONE, help="Neighbours a name.")
@click.option(
    "--index",
    "kind",
    type=click.Choice(["auto", "exact", "approximate"]),
    default="auto",
    show_default=True,
    help="Compare with every vector, or by an index (needs the extra scale).",
)
@click.option("--format", "format_name", type=click.Choice([AUTO, *FORMATS]), default=AUTO, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
def neighbours(vectors: str, names: tuple[str, ...], count: int, kind: str, format_name: str, as_json: bool) -> None:
    """What lies nearest to a relation or a word.

    \b
    Example:
      tupelo embed neighbours relations.safetensors "is made from" "was born in"
    """
    from tupelo.infer.embed.neighbours import choose_index

    index = choose_index(read_vectors(vectors, format_name), kind)
    found = {name: index.neighbours(name, count) for name in names}
    if as_json:
        print_json({name: [item._asdict() for item in items] for name, items in found.items()})
        return
    for name, items in found.items():
        click.echo(name)
        for item in items:
            click.echo(f"  {item.cosine:.3f}  {item.name}")
