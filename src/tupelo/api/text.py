"""Text to analysed sentences and tuples: the toolkit that `tupelo.load()` returns, and the same for files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial
from inspect import Parameter, signature
from io import TextIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO, TypeAlias, TypeVar, overload

from tupelo.core import Analyses, InputError, Passage, SentenceTuples
from tupelo.core.closing import Closing
from tupelo.core.document import Document
from tupelo.core.errors import require_name, wrong_type
from tupelo.core.parameters import BatchSize, Between, ParserName, Threads, Workers, checked, require_range
from tupelo.core.protocols import Extractor, Likeness, Parser, Services
from tupelo.extract import ExtractorRecipe
from tupelo.extract.options import ExtractionOptions, ExtractionOptionsGiven, Extractions
from tupelo.io.documents.lines import line_blocks
from tupelo.io.documents.rows import given_documents
from tupelo.io.text import read_passages
from tupelo.nlp import open_parser
from tupelo.nlp.prepare import per_document

# `tupelo.extract.pipeline` imports all the rules, which analysis alone does not need.
if TYPE_CHECKING:
    from typing import Unpack

    from tupelo.extract.pipeline import ExtractionPipeline

# A string is the text itself; a path or an open file is read; any other iterable has one document per item. Mappings
# from names to texts, `Document`s, rows and data frames with a column `text` are documents with names.
Text: TypeAlias = (
    str
    | Path
    | TextIO
    | Document
    | Mapping[str, str]
    | Iterable[str | Passage]
    | Iterable[Document]
    | Iterable[Mapping[str, Any]]
)
Context = TypeVar("Context")


class Toolkit(Closing):
    """A parser and an extractor. Models are opened on first use."""

    # Parser and extractor by name, and settings: how another process opens the same; `None` with objects of yours.
    names: tuple[str, str, tuple[tuple[str, str], ...]] | None = None

    def __init__(
        self,
        parser: Parser,
        extractor: str | Extractor = "default",
        *,
        settings: Mapping[str, str] | None = None,
        services: Services | None = None,
    ) -> None:
        self.parser = parser
        # A toolkit can be used wherever a parser can.
        self.name = parser.name
        self._given_services = services
        self._extractor = ExtractorRecipe.of(extractor, settings) if isinstance(extractor, str) else extractor

    @cached_property
    def services(self) -> Services:
        """The services for an extractor that needs a client; by default from this machine and its environment."""
        if self._given_services is not None:
            return self._given_services
        from tupelo.io.services import LocalServices

        services = LocalServices(os.environ, lambda sentences: iter(self.parser.analyze(sentences, lines=True)))
        services.compare_with(_likeness)
        return services

    @cached_property
    def pipeline(self) -> ExtractionPipeline:
        """Parser and extractor as every part of the library receives them."""
        from tupelo.extract.pipeline import ExtractionPipeline

        return ExtractionPipeline(self.parser, self._extractor, lambda: self.services, line_blocks)

    @property
    def extractor(self) -> Extractor:
        """The extractor itself."""
        return self.pipeline.extractor

    def analyze(
        self,
        text: Text,
        *,
        lines: bool = False,
        pretokenized: bool = False,
        constituents: bool = True,
        vectors: bool = False,
        coreference: bool = False,
    ) -> Analyses:
        """The analysed sentences of a text, in order; see `tupelo.core.protocols.Parser` for the options.

        With `coreference`, sentences have `mentions`, and `chains` of the result lists what each document is about.
        Use `pipe_analyses` for many texts, and `parser.analyze` to stream the sentences of a very long one.
        """
        passages = _passages(text, lines or pretokenized)
        return Analyses(
            self.parser.analyze(
                passages,
                lines=lines,
                pretokenized=pretokenized,
                constituents=constituents,
                vectors=vectors,
                coreference=coreference,
            )
        )

    def extract(
        self,
        text: Text,
        *,
        lines: bool = False,
        pretokenized: bool = False,
        **options: Unpack[ExtractionOptionsGiven],
    ) -> Extractions:
        """The tuples of a text, sentence by sentence.

        `width` is `minimal`, `standard` or `maximal`; `prepositions` go to the end of the `relation` or to the start
        of the `argument`; `coreference=False` leaves pronouns and short names unresolved; tuples below
        `min_confidence` are discarded, by default those more likely wrong than right; `all` adds shorter forms of
        a tuple and tuples that say little. With `lines`, every line is a sentence; with `pretokenized`, its words are
        also separated by spaces.
        """
        _require_known(self.extract, options)
        passages = _passages(text, lines or pretokenized)
        chosen = ExtractionOptions(**options)
        return Extractions(self.extract_sentences(passages, lines=lines, pretokenized=pretokenized, options=chosen))

    __call__ = extract

    @overload
    def pipe(
        self,
        texts: Iterable[str],
        *,
        as_tuples: Literal[False] = False,
        workers: int = 1,
        **options: Unpack[ExtractionOptionsGiven],
    ) -> Iterator[Extractions]: ...
    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str, Context]],
        *,
        as_tuples: Literal[True],
        workers: int = 1,
        **options: Unpack[ExtractionOptionsGiven],
    ) -> Iterator[tuple[Extractions, Context]]: ...
    def pipe(
        self,
        texts: Iterable[Any],
        *,
        as_tuples: bool = False,
        workers: int = 1,
        **options: Unpack[ExtractionOptionsGiven],
    ) -> Iterator[Any]:
        """Extract from many texts as a stream: one result per text, in order.

        With `as_tuples`, the items are pairs of text and any context, which is returned with the result. `workers`
        processes share the work; a script that uses more than one needs `if __name__ == "__main__":`.

        >>> nlp = load(extractor="rules")
        >>> for found, page in nlp.pipe([("Dogs chase cats.", 1), ("Cats sleep.", 2)], as_tuples=True):
        ...     print(page, found)
        1 (Dogs; chase; cats)
        2 (Cats; sleep)
        """
        _require_known(self.pipe, options)
        chosen = ExtractionOptions(**options)
        if not isinstance(workers, int):
            raise wrong_type(workers, "a number of workers")
        require_range("workers", workers, Between(1))
        if workers > 1:
            return self._pipe_in_processes(texts, as_tuples, workers, options)
        return per_document(
            _several(texts, as_tuples),
            as_tuples,
            lambda passages: self.extract_sentences(passages, options=chosen),
            lambda found: found.sentence.document_id,
            Extractions,
        )

    def _pipe_in_processes(
        self, texts: Iterable[Any], as_tuples: bool, workers: int, options: ExtractionOptionsGiven
    ) -> Iterator[Any]:
        parser, extractor, settings = self._required_names()
        with load(parser, extractor=extractor, settings=dict(settings), workers=workers) as nlp:
            yield from nlp.pipe(texts, as_tuples=as_tuples, **options)  # type: ignore[call-overload]

    def _required_names(self) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        if self.names is None:
            raise InputError("a pipeline with objects of your own cannot leave this process, expected parts by name")
        return self.names

    @overload
    def pipe_analyses(
        self,
        texts: Iterable[str],
        *,
        as_tuples: Literal[False] = False,
        constituents: bool = True,
        coreference: bool = False,
    ) -> Iterator[Analyses]: ...
    @overload
    def pipe_analyses(
        self,
        texts: Iterable[tuple[str, Context]],
        *,
        as_tuples: Literal[True],
        constituents: bool = True,
        coreference: bool = False,
    ) -> Iterator[tuple[Analyses, Context]]: ...
    def pipe_analyses(
        self, texts: Iterable[Any], *, as_tuples: bool = False, constituents: bool = True, coreference: bool = False
    ) -> Iterator[Any]:
        """Like `pipe`, but with the analyses of each text."""
        return per_document(
            _several(texts, as_tuples),
            as_tuples,
            lambda passages: self.parser.analyze(passages, constituents=constituents, coreference=coreference),
            lambda analysis: analysis.document_id,
            Analyses,
        )

    def extract_sentences(
        self,
        text: str | Iterable[str | Passage],
        *,
        lines: bool = False,
        pretokenized: bool = False,
        options: ExtractionOptions | None = None,
    ) -> Iterator[SentenceTuples]:
        """Stream every sentence with its tuples, including sentences without any.

        The parts of a sentence above `longest_sentence` of the options, but for the last, are `partial`.
        """
        return self.pipeline.sentences(text, options or ExtractionOptions(), lines=lines, pretokenized=pretokenized)

    def report(self) -> list[str]:
        """Notes of the extractor for the user, after the run: what it skipped, what it cost."""
        return self.services.report() if "services" in self.__dict__ else []

    def close(self) -> None:
        """Close connections and stop the processes of a pool, if any."""
        for opened in (self.parser, self.__dict__.get("services")):
            close = getattr(opened, "close", None)
            if close is not None:
                close()

    def __repr__(self) -> str:
        parser, extractor, *_ = self.names or (self.name, type(self._extractor).__name__)
        return f"<Toolkit: parser {parser}, extractor {extractor}>"

    def __reduce__(self) -> tuple[Callable[..., Toolkit], tuple[Any, ...]]:
        parser, extractor, settings = self._required_names()
        return partial(load, parser, extractor=extractor, settings=dict(settings)), ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """The parser of a call that reads files, and how it works."""

    parser: ParserName = "en"
    workers: Annotated[Workers | None, "Processes to work in."] = 1
    threads: Threads = None
    batch_size: BatchSize = 32

    def toolkit(self) -> Toolkit:
        """Call `load` with these options."""
        return load(**{each.name: getattr(self, each.name) for each in fields(self)})


@checked
def load(
    parser: str = "en",
    *,
    extractor: str | Extractor = "default",
    settings: Mapping[str, str] | None = None,
    services: Services | None = None,
    workers: int = 1,
    batch_size: int = 32,
    threads: int | None = None,
) -> Toolkit:
    """Load the shipped English model with the default extractor, or others.

    `parser` is a registered name, with an argument after a colon where the parser takes one: `model:FOLDER` for
    weights that you trained, `spacy:en_core_web_md`, `stanza:en`, or `conllu` for text that another parser has
    analysed. `extractor` is `default`, `rules`, `command:PROGRAM`, `llm:MODEL`, any registered or installed
    name, or your own object; `settings` are its named options, `services` its connections, by default those of this
    machine. `workers` processes share the work.

    >>> nlp = load()
    >>> for t in nlp.extract("Ann, who was born in Oslo, teaches history."):
    ...     print(t)
    (Ann; was born in; Oslo)
    (Ann; teaches; history)
    """
    if not isinstance(extractor, str) and not hasattr(extractor, "extract"):
        raise wrong_type(extractor, "the name of an extractor, or an object with its methods")
    made = open_parser(parser, processes=workers, batch_size=batch_size, threads=threads)
    toolkit = Toolkit(made, extractor, settings=settings, services=services)
    if isinstance(extractor, str):
        toolkit.names = (parser, extractor, tuple(sorted((settings or {}).items())))
    return toolkit


def _passages(text: Text, whole_lines: bool) -> str | Iterable[str | Passage]:
    """The input of a parser; a file is read line by line if every line is a sentence."""
    if isinstance(text, Path):
        return read_passages([os.fspath(text)], lines=whole_lines)
    if isinstance(text, TextIOBase):
        return text.read()
    return text if isinstance(text, str) else _named(text)


def _named(texts: Any) -> Iterator[str | Passage]:
    """Texts one by one; those of documents in memory have the names of the documents."""
    items = given_documents(texts, "a string, or an iterable of strings")
    for item in items:
        is_document = isinstance(item, Document)
        yield Passage(item.text, 0, item.source, item.blocks, item.published) if is_document else item


def _several(texts: Any, as_tuples: bool) -> Iterable[Any]:
    """Texts for a stream; a single one is refused, which would be read letter by letter."""
    if isinstance(texts, str):
        raise wrong_type(texts, "an iterable of strings; one text is for extract or analyze")
    return texts if as_tuples else _named(texts)


def _require_known(call: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Refuse options that neither the call nor `ExtractionOptions` has."""
    named = (each.name for each in signature(call).parameters.values() if each.kind is Parameter.KEYWORD_ONLY)
    known = [*named, *(field.name for field in fields(ExtractionOptions))]
    for name in options:
        require_name(f"option of {call.__name__}()", name, known)


def _likeness(name: str) -> Likeness:
    from tupelo.robustness import MEASURES
    from tupelo.robustness.measures import SyntaxLikeness

    return SyntaxLikeness(MEASURES.get(name)())
