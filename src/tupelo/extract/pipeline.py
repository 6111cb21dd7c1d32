"""The extraction pipeline, which everything that reads text receives: analysis, extraction, names, postprocessing.

`ExtractionPipeline` has a parser and an extractor that are open. `PipelineRecipe` names both, travels to other
processes, and opens the pipeline there, once per process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import Protocol, TypeVar, runtime_checkable

from tupelo.core import Analysis, Extraction, Passage, SentenceTuples, TupeloError
from tupelo.core.blocks import Block
from tupelo.core.deadline import in_time
from tupelo.core.errors import isolated
from tupelo.core.protocols import Extractor, Parser, Services
from tupelo.extract import ExtractorRecipe
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.parts import sentence_of
from tupelo.extract.postprocess import deduplicate, drop_hollow, in_reading_order, prepositions_in_arguments, resize
from tupelo.extract.structure.reading import StructuredReading
from tupelo.names.coreference import resolve
from tupelo.nlp import worker_parser
from tupelo.nlp.model import AnalysisOptions

Result = TypeVar("Result")
Passages = str | Iterable[str | Passage]
# Sentences whose names are resolved together when they do not come from a parser in chunks.
_AT_ONCE = 500


@runtime_checkable
class ChunkParser(Parser, Protocol):
    """A parser that reads documents in chunks, links their mentions, and does work in the process that reads them."""

    @property
    def has_coreference(self) -> bool: ...

    def map(
        self, text: Passages, work: Callable[[list[Analysis]], list[Result]], options: AnalysisOptions
    ) -> Iterator[Result]: ...


@dataclass(frozen=True, slots=True)
class PipelineRecipe:
    """A pipeline by the names of its parts: it can be pickled, and every process opens it for itself."""

    parser: str = "en"
    extractor: str = "default"
    settings: tuple[tuple[str, str], ...] = ()

    def pipeline(self) -> ExtractionPipeline:
        """The pipeline of this process. The engine has a process per core, so more threads would compete."""
        return _open(self)


@lru_cache(maxsize=2)
def _open(recipe: PipelineRecipe) -> ExtractionPipeline:
    return ExtractionPipeline(
        worker_parser(recipe.parser), ExtractorRecipe.of(recipe.extractor, dict(recipe.settings))
    )


class ExtractionPipeline:
    """A parser and an extractor, which is opened on first use; `services` are for one that needs a client.

    `layout` finds the blocks of a text that has none; without it, such a text is prose.
    """

    def __init__(
        self,
        parser: Parser,
        extractor: ExtractorRecipe | Extractor,
        services: Callable[[], Services] | None = None,
        layout: Callable[[str], Sequence[Block]] | None = None,
    ) -> None:
        self.parser = parser
        self._layout = layout
        self._recipe = extractor if isinstance(extractor, ExtractorRecipe) else None
        self._given = extractor
        self._services = services
        self._chunks = parser if isinstance(parser, ChunkParser) else None

    @cached_property
    def extractor(self) -> Extractor:
        return self._given.extractor(self._services) if isinstance(self._given, ExtractorRecipe) else self._given

    @property
    def links_mentions(self) -> bool:
        """Whether the parser finds the mentions of an entity across sentences."""
        return self._chunks is not None and self._chunks.has_coreference

    def analyze(
        self, text: Passages, *, needs: Collection[str] | None = None, coreference: bool = True
    ) -> Iterable[Analysis]:
        """The sentences of whole documents with what the extractor needs, or only with `needs`.

        Their mentions are linked where the parser can do that.
        """
        chosen = self.extractor.needs if needs is None else needs
        return self.parser.analyze(
            text,
            constituents="constituents" in chosen,
            vectors="vectors" in chosen,
            **({"coreference": True} if coreference and self.links_mentions else {}),
        )

    def analyses(self, passages: Iterable[Passage], options: ExtractionOptions) -> Iterable[Analysis]:
        """The sentences of passages as `sentences` reads them, with tags and trees whether needed or not."""
        return self._in_chunks(passages, self._analysis_options(options))

    def sentences(
        self, text: Passages, options: ExtractionOptions, *, lines: bool = False, pretokenized: bool = False
    ) -> Iterator[SentenceTuples]:
        """Stream every sentence with its tuples, including sentences without any.

        The parts of a sentence above `longest_sentence`, but for the last, are `partial`. Passages with blocks are
        read as `structure` says.
        """
        if lines or pretokenized or not getattr(self.parser, "reads_prose", True):
            return self._sentences(text, options, lines=lines, pretokenized=pretokenized)
        reading = StructuredReading(text, options.of(self.extractor).min_confidence, self._layout)
        return reading.merged(self._sentences(reading.prose(), options))

    def _sentences(
        self, text: Passages, options: ExtractionOptions, *, lines: bool = False, pretokenized: bool = False
    ) -> Iterator[SentenceTuples]:
        chosen = replace(
            self._analysis_options(options),
            lines=lines,
            pretokenized=pretokenized,
            syntax=bool(self.extractor.needs) or options.reads_syntax,
        )
        if self._chunks is not None and self._recipe is not None and self._recipe.is_portable:
            return self._chunks.map(text, TupleWork(self._recipe, options), chosen)
        # The extractor runs only in this process; the sentences may still be analysed by several.
        return extract_stream(self.extractor, self._in_chunks(text, chosen), options)

    def tuples(self, analyses: list[Analysis], options: ExtractionOptions) -> list[SentenceTuples]:
        """The tuples of sentences that are resolved together."""
        return extract_tuples(self.extractor, analyses, options)

    def _analysis_options(self, options: ExtractionOptions) -> AnalysisOptions:
        return AnalysisOptions(
            constituents="constituents" in self.extractor.needs,
            vectors="vectors" in self.extractor.needs,
            longest=options.longest_sentence,
            coreference=options.coreference and self.links_mentions,
        )

    def _in_chunks(self, text: Passages, options: AnalysisOptions) -> Iterable[Analysis]:
        if self._chunks is not None:
            return self._chunks.map(text, list, options)
        return self.parser.analyze(
            text,
            lines=options.lines,
            pretokenized=options.pretokenized,
            constituents=options.constituents,
            vectors=options.vectors,
        )


@dataclass(frozen=True, slots=True)
class TupleWork:
    """The steps after analysis, for the process in which a parser analyses a chunk."""

    extractor: ExtractorRecipe
    options: ExtractionOptions

    def __call__(self, analyses: list[Analysis]) -> list[SentenceTuples]:
        return tuples_or_failures(self.extractor.extractor(), analyses, self.options)


def tuples_or_failures(
    extractor: Extractor, analyses: list[Analysis], options: ExtractionOptions
) -> list[SentenceTuples]:
    """The tuples of sentences whose names are resolved together; one that fails has none, and the reason."""
    read, failed = isolated(analyses, lambda some: extract_tuples(extractor, some, options))
    found = iter(read)
    return [
        SentenceTuples(sentence_of(analysis), (), analysis.start, analysis.partial, failed[number])
        if number in failed
        else next(found)
        for number, analysis in enumerate(analyses)
    ]


def extract_tuples(
    extractor: Extractor, analyses: list[Analysis], options: ExtractionOptions
) -> list[SentenceTuples]:
    """The tuples of sentences whose names are resolved together."""
    return _finish(analyses, list(in_time(options.read(extractor, analyses))), options.of(extractor))


def extract_stream(
    extractor: Extractor, analyses: Iterable[Analysis], options: ExtractionOptions
) -> Iterator[SentenceTuples]:
    """The tuples of a stream of sentences; a sentence on which the extractor fails has none, and the reason."""
    options = options.of(extractor)
    source = iter(analyses)
    pending: list[Analysis] = []
    unread: list[Exception] = []

    def passed() -> Iterator[Analysis]:
        try:
            for analysis in source:
                pending.append(analysis)
                yield analysis
        except Exception as error:  # the parser fails, not the extractor
            unread.append(error)
            raise

    while True:
        found = options.read(extractor, passed())
        try:
            while lists := list(islice(found, _AT_ONCE)):
                ready = pending[: len(lists)]
                del pending[: len(lists)]
                yield from _finish(ready, lists, options)
            return
        except TupeloError:
            raise
        except Exception:  # unforeseen, so it may be of any type
            if unread or not pending:
                raise
        waiting = list(pending)
        pending.clear()
        yield from tuples_or_failures(extractor, waiting, options)


def _finish(
    analyses: list[Analysis], found: list[list[Extraction]], options: ExtractionOptions
) -> list[SentenceTuples]:
    """Convert tuples to the requested form."""
    shaped = [_shape(analysis, extractions, options) for analysis, extractions in zip(analyses, found, strict=True)]
    if options.coreference:
        shaped = resolve(analyses, shaped)
    return [
        SentenceTuples(
            extractions[0].sentence if extractions else sentence_of(analysis),
            tuple(extractions),
            analysis.start,
            analysis.partial,
        )
        for analysis, extractions in zip(analyses, shaped, strict=True)
    ]


def _shape(analysis: Analysis, extractions: list[Extraction], options: ExtractionOptions) -> list[Extraction]:
    if options.min_confidence is not None:
        least, kept = options.min_confidence, options.all
        extractions = [item for item in extractions if item.counted_confidence >= least or (kept and item.minor)]
    if options.width != "standard":
        extractions = [resize(item, analysis, options.width) for item in extractions]
    if options.prepositions == "argument":
        extractions = [prepositions_in_arguments(item, analysis) for item in extractions]
    return in_reading_order(deduplicate(drop_hollow(extractions)))
