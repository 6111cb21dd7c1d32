"""Vectors of relations, arguments and words from what they occur with: the calls of `tupelo.embedding`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated, Protocol, TypeAlias

from tupelo.api.inference import assertions_of
from tupelo.core import UnknownNameError
from tupelo.core.assertion import Assertion
from tupelo.core.errors import naming
from tupelo.core.parameters import Among, Count, PathLike
from tupelo.core.progress import Progress, count, track
from tupelo.core.vectors import Floats32
from tupelo.io.conllu import read
from tupelo.io.files import InputFile, temporary_folder
from tupelo.nlp.encoder import load_encoder
from tupelo_training.assertions.lines import read_ngrams
from tupelo_training.embed.pairs import Arc, ContextPair, argument_pairs, count_pairs, relation_pairs, word_pairs
from tupelo_training.embed.skipgram import Embeddings, SkipGramOptions, drawn_pairs, encoded_start, train
from tupelo_training.vector_files import write_vectors

STARTS = ("random", "encoder")
StartOption: TypeAlias = Annotated[
    str,
    Among(("random", "encoder")),
    "Start at random, or where the shipped encoder puts the phrases: for small corpora.",
]
MinCount: TypeAlias = Annotated[Count, "Discard targets and contexts seen less often."]
MinContext: TypeAlias = Annotated[Count | None, "For contexts. [default: that of --min-count]"]


def embed_relations(
    assertions: PathLike | Iterable[Assertion],
    options: SkipGramOptions | None = None,
    *,
    base_forms: Annotated[
        bool, "Merge the forms of a relation, and arguments with the same last word: for small corpora."
    ] = False,
    heads: Annotated[bool, "Merge arguments with the same last word."] = False,
    start: StartOption = "random",
    min_count: MinCount = 1,
    min_context: MinContext = None,
    progress: Progress | None = None,
) -> Embeddings:
    """Vectors of relations, from the arguments they occur with, of assertions or of tuples in JSON lines.

    `heads` merges arguments with the same last word, `base_forms` also the forms of a relation. `start` is `random`,
    or `encoder` for the shipped encoder's vectors of the phrases: right for small corpora.
    """
    pairs = relation_pairs(assertions_of(assertions), base_forms=base_forms, heads=heads)
    with naming(assertions):
        return _train(pairs, options, min_count, min_context, progress, _start(start, relations=True))


def embed_arguments(
    assertions: PathLike | Iterable[Assertion],
    options: SkipGramOptions | None = None,
    *,
    start: StartOption = "random",
    min_count: MinCount = 1,
    min_context: MinContext = None,
    progress: Progress | None = None,
) -> Embeddings:
    """Vectors of subjects and objects, from the relations they occur with; `start` as in `embed_relations`."""
    with naming(assertions):
        return _train(
            argument_pairs(assertions_of(assertions)), options, min_count, min_context, progress, _start(start)
        )


def embed_words(
    parsed: Sequence[PathLike],
    options: SkipGramOptions | None = None,
    *,
    ngrams: Annotated[bool, "Files of syntactic n-grams instead of CoNLL-U."] = False,
    min_count: MinCount = 100,
    min_context: MinContext = None,
    progress: Progress | None = None,
) -> Embeddings:
    """Vectors of words, from their dependencies in CoNLL-U files or, with `ngrams`, in syntactic n-grams."""
    read = _ngram_pairs if ngrams else _parsed_pairs
    with naming(*parsed):
        return _train((pair for name in parsed for pair in read(name)), options, min_count, min_context, progress)


def _start(kind: str, *, relations: bool = False) -> Start | None:
    """A function from names and the size of vectors to those that training starts from."""
    if kind not in STARTS:
        raise UnknownNameError.among("start", kind, STARTS)
    if kind == "random":
        return None
    return partial(encoded_start, encoder=load_encoder(), relations=relations)


def _parsed_pairs(name: PathLike) -> Iterator[ContextPair]:
    with InputFile(name) as file:
        for analysis in read(file.lines()):
            yield from word_pairs([Arc(word.text, word.head, word.deprel or "") for word in analysis.words])


def _ngram_pairs(name: PathLike) -> Iterator[ContextPair]:
    with InputFile(name) as file:
        for ngram in read_ngrams(file.lines()):
            arcs = [Arc(token.word, token.head - 1 if token.head else None, token.label) for token in ngram.tokens]
            yield from word_pairs(arcs, ngram.count)


class Start(Protocol):
    """Makes the vectors that training starts from."""

    def __call__(self, names: Sequence[str], *, size: int | None) -> Floats32: ...


def _train(
    pairs: Iterable[ContextPair],
    options: SkipGramOptions | None,
    min_count: int,
    min_context: int | None,
    progress: Progress | None,
    start: Start | None = None,
) -> Embeddings:

    chosen = options or SkipGramOptions()
    counted = count(pairs, track(progress, "counting pairs"))
    with temporary_folder() as scratch:
        table = count_pairs(counted, min_target=min_count, min_context=min_context or min_count, scratch=scratch)
    first = None if start is None else start(table.targets, size=chosen.size)
    work = track(progress, "training", chosen.iterations * drawn_pairs(table, chosen))
    return train(table, chosen, work, start=first)


def write_embeddings(
    found: Embeddings, output: PathLike, contexts: PathLike | None = None, *, format: str = "auto"
) -> None:
    """Write the vectors of targets and, if a path is given, those of contexts."""
    write_vectors(output, found.targets, format)
    if contexts is not None:
        write_vectors(contexts, found.contexts, format)
