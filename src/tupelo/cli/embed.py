"""`tupelo embed`: vectors of relations, arguments and words from what they occur with, and their neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from tupelo.api import inference
from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    NUMBER,
    OUTPUT,
    Command,
    Decorator,
    Whole,
    json_option,
    option_group,
    print_json,
    seed_option,
)
from tupelo.cli.progress import progress_bar


def _format_option(name: str, help: str | None = None) -> Decorator:
    formats = click.Choice(inference.VECTOR_FORMATS)
    return click.option(name, "format", type=formats, default="auto", show_default=True, help=help)


def _training_options(negatives: int, min_count: int) -> Callable[[Command], Command]:
    return option_group(
        click.option("-o", "--output", type=OUTPUT, required=True, help="Where the vectors go."),
        click.option("--contexts", type=OUTPUT, metavar="FILE", help="Also write the vectors of contexts."),
        _format_option("--to", "Format; auto goes by the name (.safetensors, .bin, else word2vec text)."),
        click.option(
            "--size", type=AT_LEAST_ONE, help="Numbers per vector. [default: 500; those of the encoder to start from]"
        ),
        click.option(
            "--negatives",
            default=negatives,
            show_default=True,
            type=Whole(min=0),
            help="Random contexts per pair.",
        ),
        click.option("--smoothing", type=NUMBER, default=0.75, show_default=True, help="Power of a context's count."),
        click.option("--iterations", default=10, show_default=True, type=AT_LEAST_ONE, help="Passes over the pairs."),
        click.option("--sample", type=AT_LEAST_ONE, metavar="N", help="Pairs drawn in a pass. [default: all]"),
        click.option("--rate", type=NUMBER, default=0.025, show_default=True, help="Initial learning rate."),
        click.option(
            "--min-count",
            default=min_count,
            show_default=True,
            type=AT_LEAST_ONE,
            help="Discard targets and contexts seen less often.",
        ),
        click.option("--min-context", type=AT_LEAST_ONE, help="For contexts. [default: that of --min-count]"),
        click.option(
            "--threads",
            default=1,
            show_default=True,
            type=AT_LEAST_ONE,
            help="With one, the same seed gives the same bytes.",
        ),
        seed_option(1, "For every random number."),
        json_option("Report as a JSON document."),
    )


@click.group()
def embed() -> None:
    """Vectors of relations, arguments and words, from what they occur with.

    \b
    Examples:
      tupelo embed relations assertions.tsv -o relations.safetensors
      tupelo embed words parsed.conllu -o words.safetensors --min-count 5
      tupelo embed neighbours relations.safetensors "is made from"
    """


_start_option = click.option(
    "--start",
    type=click.Choice(inference.STARTS),
    default="random",
    show_default=True,
    help="Start at random, or where the shipped encoder puts the phrases: for small corpora.",
)


@embed.command()
@click.argument("assertions", type=INPUT)
@click.option("--heads", is_flag=True, help="Merge arguments with the same last word.")
@click.option(
    "--base-forms",
    is_flag=True,
    help="Merge the forms of a relation, and arguments with the same last word: for small corpora.",
)
@_start_option
@_training_options(negatives=1, min_count=1)
def relations(assertions: str, heads: bool, base_forms: bool, start: str, **options: Any) -> None:
    """Vectors of relations, from the arguments that they occur with.

    ASSERTIONS has `subject<TAB>relation<TAB>object<TAB>count` on each line, or is Parquet with these columns;
    `tupelo assertions extract` writes both. Or it has tuples in JSON lines (.jsonl), as `tupelo extract` writes them.

    \b
    Examples:
      tupelo embed relations assertions.tsv -o relations.safetensors --size 100
      tupelo embed relations tuples.jsonl -o relations.safetensors --start encoder --heads --min-count 5
    """
    _train(
        lambda **chosen: inference.embed_relations(
            assertions, heads=heads, base_forms=base_forms, start=start, **chosen
        ),
        **options,
    )


@embed.command()
@click.argument("assertions", type=INPUT)
@_start_option
@_training_options(negatives=5, min_count=1)
def arguments(assertions: str, start: str, **options: Any) -> None:
    """Vectors of subjects and objects, from the relations that they occur with.

    ASSERTIONS as in `tupelo embed relations`. Articles, possessives and pronouns are left out.

    \b
    Example:
      tupelo embed arguments tuples.jsonl -o names.safetensors --start encoder --min-count 5
    """
    _train(lambda **chosen: inference.embed_arguments(assertions, start=start, **chosen), **options)


@embed.command()
@click.argument("parsed", type=INPUT, nargs=-1, required=True)
@click.option("--ngrams", is_flag=True, help="Files of syntactic n-grams instead of CoNLL-U.")
@_training_options(negatives=5, min_count=100)
def words(parsed: tuple[str, ...], ngrams: bool, **options: Any) -> None:
    """Vectors of words, from their dependencies, prepositions collapsed.

    PARSED are CoNLL-U files, as `tupelo analyze --format conllu` writes them.

    \b
    Example:
      tupelo embed words parsed.conllu -o words.safetensors --min-count 5
    """
    _train(lambda **chosen: inference.embed_words(parsed, ngrams=ngrams, **chosen), **options)


def _train(
    make: Callable[..., inference.Embeddings],
    *,
    output: str,
    contexts: str | None,
    format: str,
    min_count: int,
    min_context: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    chosen = inference.SkipGramOptions(**options)
    with progress_bar() as progress:
        found = make(options=chosen, min_count=min_count, min_context=min_context, progress=progress)
    inference.write_embeddings(found, output, contexts, format=format)
    if as_json:
        print_json(found.to_dict())
    elif output != "-":
        click.echo(found)


@embed.command()
@click.argument("vectors", type=INPUT)
@click.argument("names", nargs=-1, required=True)
@click.option("-n", "--count", default=10, show_default=True, type=AT_LEAST_ONE, help="Neighbours per name.")
@click.option("--min-cosine", type=NUMBER, default=-1.0, help="List none below this cosine.")
@click.option("--min-seen", type=AT_LEAST_ONE, default=1, help="List none that the corpus has fewer times.")
@click.option("--distinct", is_flag=True, help="List no other form of the same phrase (was born in, were born in).")
@click.option(
    "--index",
    type=click.Choice(["auto", "exact", "approximate"]),
    default="auto",
    show_default=True,
    help="Compare with every vector, or by an index (needs the extra scale).",
)
@_format_option("--format")
@json_option()
def neighbours(vectors: str, names: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """What lies nearest to a relation, an argument or a word.

    \b
    Example:
      tupelo embed neighbours relations.safetensors "is made from" "was born in"
    """
    found = inference.neighbours(vectors, names, **options)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(found)
