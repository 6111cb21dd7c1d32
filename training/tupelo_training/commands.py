"""The commands of training and of its data: of `tupelo facts`, `assertions` and `embed`, and `tupelo pretrain`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

import click

from tupelo.api.resources import RunOptions
from tupelo.api.text import LoadOptions
from tupelo.cli.options import (
    InputFile,
    Json,
    OutputFile,
    exit_after,
    print_json,
    print_result,
    report_skipped,
    warn,
)
from tupelo.cli.progress import progress_bar
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Among, Folder, Input, Output, Spelled, Whole, Work
from tupelo_training import assertions, calls, embed
from tupelo_training.assertions import write_candidates
from tupelo_training.assertions.steps import AssertionReport
from tupelo_training.embed.neighbours import VECTOR_FORMATS, NearestNames
from tupelo_training.embed.neighbours import neighbours as nearest_neighbours

Articles = Annotated[tuple[InputFile, ...], Spelled.of("ARTICLES...")]
Knowledge = Annotated[
    tuple[InputFile, ...],
    Spelled.of("--knowledge", "FILE"),
    "The knowledge base: Wikidata's JSON dump (.json), N-Triples (.nt) or .tsv; .gz, .bz2. May be repeated.",
]
Counts = Annotated[Json, "One JSON document with all counts."]


@command(calls.build_fact_dataset)
def dataset(
    run: Run[Any],
    articles: Articles,
    knowledge: Knowledge,
    output: Annotated[Folder, "Where the examples go."],
    as_json: Counts = False,
) -> None:
    """Make training examples for fact models: articles against a knowledge base.

    ARTICLES are MediaWiki dumps (.xml, .xml.bz2) or JSON lines with `title` and `text`. The topic of an article is
    the subject; entities that the knowledge base relates to it make positive examples, the others negative ones.
    The same command resumes a run that was killed.

    \b
    Examples:
      tupelo facts dataset articles.jsonl --knowledge facts.tsv -o examples/
      tupelo facts dataset enwiki-pages-articles.xml.bz2 --knowledge latest-all.json.bz2 -o examples/ --negatives 12
    """
    _report(run(), as_json)


@command(calls.build_triple_dataset)
def triples(
    run: Run[Any],
    articles: Articles,
    knowledge: Knowledge,
    output: Annotated[Folder, "Where dev.json and test.json go."],
    as_json: Counts = False,
) -> None:
    """Make triples with gold clusters of entities, relations and types, as COMBO was made.

    ARTICLES are MediaWiki dumps (.xml, .xml.bz2) or JSON lines with `title` and `text`, whose links are written
    `[[page|words]]`. A triple is kept if subject and object are linked, and the knowledge base has one relation
    between them. The same command resumes a run that was killed.

    \b
    Examples:
      tupelo facts triples articles.jsonl --knowledge facts.tsv -o triples/
      tupelo facts triples enwiki-pages-articles.xml.bz2 --knowledge latest-all.json.bz2 -o triples/ --min-triples 50
    """
    _report(run(), as_json)


def _report(made: Any, as_json: bool) -> None:
    """Print what was made and what could not be read."""
    print_result(made, as_json)
    exit_after(made.failures)


@command(calls.train_facts)
def train(
    run: Run[Any],
    examples: InputFile,
    output: Annotated[Folder, "Where the model goes, and the checkpoint."],
) -> None:
    """Train a model on EXAMPLES, a file of JSON lines as `tupelo facts dataset` writes it.

    The same command resumes an interrupted run from its last checkpoint; more --steps continue a finished one. The
    model is a folder for `tupelo facts extract --model FOLDER`.

    \b
    Examples:
      tupelo facts train classifier.jsonl.gz --model classifier -o my-classifier
      tupelo facts train end_to_end.jsonl.gz --model end-to-end -o my-writer --device cuda
      tupelo facts train classifier.jsonl.gz --model binary --size tiny --steps 20 --batch 8 -o trial
    """
    warn(str(run()))


@command(calls.pretrain_encoder)
def pretrain(
    run: Run[calls.PretrainedEncoder],
    triples: Annotated[tuple[InputFile, ...], Spelled.of("TRIPLES...")],
    output: Annotated[Folder, "Where the encoders go."],
    as_json: Annotated[Json, "One JSON document with losses and folders."] = False,
) -> None:
    """Train an encoder further on the sentences of triples, without their labels.

    The COMBO paper's continued pre-training. The folder that comes out is one for `--encoder`.

    \b
    Examples:
      tupelo pretrain combo.json -o my-encoder
      tupelo pretrain combo.json -o bert-subword --encoder bert-base-uncased --objective subword
      tupelo canonicalize combo.json --method encoder --encoder my-encoder/epoch-10
    """
    print_result(run(), as_json)


@dataclass(frozen=True, slots=True)
class VectorFiles:
    """The files that vectors are written to, and their format."""

    output: Annotated[Output, "Where the vectors go."]
    contexts: Annotated[Output | None, "Also write the vectors of contexts."] = None
    format: Annotated[
        str,
        Among(VECTOR_FORMATS),
        "Format; auto goes by the name (.safetensors, .bin, else word2vec text).",
    ] = "auto"
    as_json: Annotated[Json, "Report as a JSON document."] = False

    def write(self, found: Any) -> None:
        embed.write_embeddings(found, self.output, self.contexts, format=self.format)
        if self.as_json:
            print_json(found.to_dict())
        elif self.output != "-":
            click.echo(found)


@command(embed.embed_relations)
def relations(run: Run[embed.Embeddings], assertions: Input, files: VectorFiles) -> None:
    """Vectors of relations, from the arguments that they occur with.

    ASSERTIONS has `subject<TAB>relation<TAB>object<TAB>count` on each line, or is Parquet with these columns;
    `tupelo assertions extract` writes both. Or it has tuples in JSON lines (.jsonl), as `tupelo extract` writes them.

    \b
    Examples:
      tupelo embed relations assertions.tsv -o relations.safetensors --size 100
      tupelo embed relations tuples.jsonl -o relations.safetensors --start encoder --heads --min-count 5
    """
    files.write(run())


@command(embed.embed_arguments)
def arguments(
    run: Run[embed.Embeddings],
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


@command(embed.embed_words)
def words(
    run: Run[embed.Embeddings],
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


@command(nearest_neighbours)
def neighbours(run: Run[NearestNames], vectors: Input, as_json: Json = False) -> None:
    """Print the nearest neighbours of a relation, an argument or a word.

    \b
    Example:
      tupelo embed neighbours relations.safetensors "is made from" "was born in"
    """
    print_result(run(), as_json)


# Skipped lines that are named one by one.
_SHOWN = 20
Files = Annotated[tuple[InputFile, ...], Spelled.of("FILE...")]
Table = Annotated[OutputFile, "Where to write: .parquet, else text with tabs. [default: standard output]"]
Figures = Annotated[Json, "Figures as one JSON document; needs -o."]


@command(assertions.write_ngrams)
def ngrams(
    run: Run[None],
    files: Annotated[tuple[InputFile, ...], Spelled.of("[FILE]...")] = (),
    output: OutputFile = "-",
    lines: bool = False,
    pretokenized: bool = False,
    engine: Annotated[
        str | None,
        Spelled.of("NAME"),
        "Take FILEs as documents, folders too, and keep what is finished: local, or a Spark master.",
    ] = None,
    work: Annotated[Work, "With --engine, where that is kept. [default: beside the output]"] = None,
    loading: LoadOptions = assertions.USUAL,
    **options: Any,
) -> None:
    """Parse the text of each FILE (or of standard input) and count the small subtrees of its parses.

    \b
    Examples:
      echo "Dogs chase cats." | tupelo assertions ngrams
      tupelo assertions ngrams treebank.conllu --parser conllu -o ngrams.tsv.gz
      tupelo assertions ngrams book.txt --verbs | tupelo assertions extract - -o assertions.parquet
      tupelo assertions ngrams library/ --engine local --workers 8 -o ngrams.tsv.gz

    The form is that of Google's extended syntactic n-grams, Stanford's labels included, without years. Without
    --engine an n-gram of a large corpus can come more than once; its counts are meant to be added.
    """
    if engine is None:
        run()
        return
    if lines or pretokenized or not files:
        raise click.UsageError("--engine reads documents: name files or folders, without --lines or --pretokenized.")
    where = RunOptions(engine=engine, workers=loading.workers, work=work)
    counting: dict[str, Any] = {"parser": loading.parser, **{name: options[name] for name in ("kinds", "verbs")}}
    with progress_bar() as progress:
        failures = assertions.count_ngrams(files, output, run=where, progress=progress, **counting)
    report_skipped(failures)


@command(assertions.extract)
def extract(run: Run[AssertionReport], files: Files, output: Table = "-", as_json: Figures = False) -> None:
    """Extract assertions from syntactic n-grams in Google's form, as Levy and Dagan (2016) do.

    \b
    Examples:
      tupelo assertions extract extended-biarcs.00-of-99.gz -o assertions.parquet
      tupelo assertions extract syntactic-ngrams/ -o assertions.parquet --workers 8
      tupelo assertions extract ngrams.tsv --min-pairs 1 --on-error skip

    Of a folder, the extended biarcs, triarcs and quadarcs are read; files are read whatever their name.
    """
    _report_assertions(run, output, as_json)


@command(assertions.aggregate)
def aggregate(run: Run[AssertionReport], files: Files, output: Table = "-", as_json: Figures = False) -> None:
    """Add up the assertions of several FILEs and drop rare relations.

    \b
    Example:
      tupelo assertions aggregate biarcs.parquet triarcs.parquet quadarcs.tsv.gz -o all.parquet

    Extract with `--min-pairs 1` what is to be added up later: a relation that is rare in each part may be
    frequent in the whole.
    """
    _report_assertions(run, output, as_json)


def _report_assertions(run: Run[AssertionReport], output: Any, as_json: bool) -> None:
    if as_json and output == "-":
        raise click.UsageError(
            "the figures and the assertions cannot both go to standard output; name a file with -o."
        )
    found = run()
    report_skipped(found.skipped[:_SHOWN])
    if as_json:
        click.echo(json.dumps(found.to_dict()))
    else:
        warn(found)


@command(assertions.candidates)
def candidates(
    run: Run[Any],
    assertions: InputFile,
    argument: Annotated[str | None, Spelled.of("TEXT"), "What the question says besides its relation."] = None,
    relation: Annotated[
        str | None, Spelled.of("TEXT"), "The relation of the question; assertions with it are ignored."
    ] = None,
    type_: Annotated[str | None, Spelled.of("NOUN"), "What kind of thing answers the question."] = None,
    questions: Annotated[
        InputFile | None,
        Spelled.of("FILE"),
        "Many questions in one pass: argument, relation and type, with tabs between.",
    ] = None,
    output: OutputFile = "-",
    as_json: Annotated[Json, "JSON Lines instead of text with tabs."] = False,
) -> None:
    """Find the assertions that could answer a question, as Levy and Dagan (2016) do.

    \b
    Examples:
      tupelo assertions candidates all.parquet --argument headaches --relation prevents --type drug
      tupelo assertions candidates all.parquet --questions questions.tsv -o candidates.tsv

    ASSERTIONS is what `extract` or `aggregate` wrote. The columns are argument, relation and type of the question,
    subject, relation and object of the assertion, its count, and which side of it is the answer.
    """
    if questions is not None and (argument or relation or type_):
        raise click.UsageError("a question is given by --argument, --relation and --type, or in a file; not both.")
    single = [(argument, relation, type_)] if argument and relation and type_ else None
    asked = questions or single
    if asked is None:
        raise click.UsageError("a question needs --argument, --relation and --type, or a file with --questions.")
    found = run(questions=asked)
    write_candidates(found, output, as_json=as_json)
    warn(found)
