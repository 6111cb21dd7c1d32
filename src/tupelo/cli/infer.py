"""`tupelo infer` and `tupelo embed`: entailment between statements, and vectors of relations and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import click

from tupelo.api import inference
from tupelo.cli.groups import listing
from tupelo.cli.options import Json, print_json, print_result, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Among, Input, Output, Spelled, Whole


@command(inference.infer, cls=listing("Methods", inference.METHODS))
def infer(
    run: Run[Any],
    premise: Annotated[str | None, Spelled.of("[PREMISE]")] = None,
    hypothesis: Annotated[str | None, Spelled.of("[HYPOTHESIS]")] = None,
    pairs: Annotated[Input | None, Spelled.of("FILE"), "Score a file of pairs, sentences or triples."] = None,
    format: inference.PairFormat = "pairs",
    output: Annotated[Output, "Where the scores of --pairs go. [default: standard output]"] = "-",
    min_score: Annotated[float | None, "Exit with status 1 when the premise scores below."] = None,
    as_json: Json = False,
) -> None:
    """Score how strongly PREMISE entails HYPOTHESIS, and the reverse.

    The two statements are sentences about the same things, or triples: parts
    separated by commas. Methods other than `learned` and `support` take the
    words that two sentences share as their arguments.

    \b
    Examples:
      tupelo infer "Ann defeated Bo." "Bo lost to Ann."
      tupelo infer "aspirin, relieves, pain" "pain, is treated with, aspirin" --explain
      tupelo infer --pairs pairs.tsv -o scores.tsv
      tupelo infer --pairs dev_s.txt --format levy-holt -o scores.tsv
    """
    if pairs is not None:
        if premise is not None:
            raise click.UsageError("either two statements or --pairs, not both")
        inference.write_scores(run(pairs=[pairs], reverse=False, explain=False), output, format=format)
        return
    if premise is None or hypothesis is None:
        raise click.UsageError("two statements are needed, or --pairs FILE")
    (answer,) = run(pairs=[premise, hypothesis])
    print_result(answer, as_json)
    if min_score is not None and answer.score < min_score:
        warn(f"score {answer.score:.4f} is below {min_score}")
        raise SystemExit(1)


@click.group()
def embed() -> None:
    """Vectors of relations, arguments and words, from what they occur with.

    \b
    Examples:
      tupelo embed relations assertions.tsv -o relations.safetensors
      tupelo embed words parsed.conllu -o words.safetensors --min-count 5
      tupelo embed neighbours relations.safetensors "is made from"
    """


@dataclass(frozen=True, slots=True)
class VectorFiles:
    """The files that vectors are written to, and their format."""

    output: Annotated[Output, "Where the vectors go."]
    contexts: Annotated[Output | None, "Also write the vectors of contexts."] = None
    format: Annotated[
        str,
        Among(inference.VECTOR_FORMATS),
        "Format; auto goes by the name (.safetensors, .bin, else word2vec text).",
    ] = "auto"
    as_json: Annotated[Json, "Report as a JSON document."] = False

    def write(self, found: Any) -> None:
        inference.write_embeddings(found, self.output, self.contexts, format=self.format)
        if self.as_json:
            print_json(found.to_dict())
        elif self.output != "-":
            click.echo(found)


@command(inference.embed_relations)
def relations(run: Run[inference.Embeddings], assertions: Input, files: VectorFiles) -> None:
    """Vectors of relations, from the arguments that they occur with.

    ASSERTIONS has `subject<TAB>relation<TAB>object<TAB>count` on each line, or is Parquet with these columns;
    `tupelo assertions extract` writes both. Or it has tuples in JSON lines (.jsonl), as `tupelo extract` writes them.

    \b
    Examples:
      tupelo embed relations assertions.tsv -o relations.safetensors --size 100
      tupelo embed relations tuples.jsonl -o relations.safetensors --start encoder --heads --min-count 5
    """
    files.write(run())


@command(inference.embed_arguments)
def arguments(
    run: Run[inference.Embeddings],
    assertions: Input,
    files: VectorFiles,
    negatives: Annotated[Whole, "Random contexts per pair."] = 5,
) -> None:
    """Vectors of subjects and objects, from the relations that they occur with.

    ASSERTIONS as in `tupelo embed relations`. Articles, possessives and pronouns are left out.

    \b
    Example:
      tupelo embed arguments tuples.jsonl -o names.safetensors --start encoder --min-count 5
    """
    files.write(run())


@command(inference.embed_words)
def words(
    run: Run[inference.Embeddings],
    parsed: Annotated[tuple[Input, ...], Spelled.of("PARSED...")],
    files: VectorFiles,
    negatives: Annotated[Whole, "Random contexts per pair."] = 5,
) -> None:
    """Vectors of words, from their dependencies, prepositions collapsed.

    PARSED are CoNLL-U files, as `tupelo analyze --format conllu` writes them.

    \b
    Example:
      tupelo embed words parsed.conllu -o words.safetensors --min-count 5
    """
    files.write(run())


@command(inference.neighbours)
def neighbours(run: Run[Any], vectors: Input, as_json: Json = False) -> None:
    """Print the nearest neighbours of a relation, an argument or a word.

    \b
    Example:
      tupelo embed neighbours relations.safetensors "is made from" "was born in"
    """
    print_result(run(), as_json)


for _each in (relations, arguments, words, neighbours):
    embed.add_command(_each)
