"""The commands of training: `tupelo facts dataset`, `facts triples`, `facts train` and `pretrain`."""

from __future__ import annotations

from typing import Annotated, Any

from tupelo.cli.options import InputFile, Json, exit_after, print_result, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Folder, Spelled
from tupelo_training import calls

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
