"""From text to analysed sentences, streaming, in one process or several.

Input is split into passages that no sentence crosses, and passages are grouped into chunks of bounded size. A chunk
is analysed as a whole, in this process or another; chunks are returned in order, and only a few are pending at a
time, so a slow consumer holds back the work and memory stays bounded.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tupelo.core import Analysis, InputError, Passage, Word
from tupelo.nlp.folder import find_model, model_path
from tupelo.nlp.model import Model
from tupelo.nlp.prepare import (
    LONGEST_SENTENCE,
    Prepared,
    cut_passages,
    documents,
    given_tokens,
    split_sentences,
    whole_sentence,
)

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Result = TypeVar("Result")
# Function applied to the analysed sentences of a chunk, in the process that analysed them.
Work = Callable[[list[Analysis]], list[Result]]

SHIPPED = "en"
# Characters per chunk: enough sentences to fill batches of one length, few enough for a quick response.
_CHUNK_CHARACTERS = 100_000
# Smaller in a pool, so that a few hundred sentences keep all processes busy.
_POOL_CHUNK_CHARACTERS = 20_000
# The same with and without a pool, for work that depends on the chunk as a whole.
_WORK_CHUNK_CHARACTERS = 40_000
_CHUNK_PASSAGES = 2_000
# Pending chunks per process, so that the second one is ready when the first is done.
_AHEAD = 2


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Input options of one call. Without `syntax`, there are only sentences and words.

    Text is split into sentences of at most `longest` characters; lines are sentences of any length.
    """

    lines: bool = False
    pretokenized: bool = False
    constituents: bool = True
    vectors: bool = False
    syntax: bool = True
    longest: int = LONGEST_SENTENCE


class Pipeline:
    """A parser with the shipped model, or one of the same kind from another folder."""

    def __init__(self, folder: Path, *, processes: int = 1, batch_size: int = 32, threads: int | None = None) -> None:
        if processes < 1 or batch_size < 1 or (threads is not None and threads < 1):
            raise InputError(
                f"processes {processes}, batch size {batch_size}, threads {threads}: expected 1 or more of each"
            )
        self._processes = processes
        self._batch_size = batch_size
        # A pool already uses all cores; threads inside its processes would compete.
        self._threads = threads or (1 if processes > 1 else available_cores())
        self._pool: ProcessPoolExecutor | None = None
        self.model = Model(folder, threads=self._threads, ahead=processes == 1)
        self.name = self.model.name

    def analyze(
        self,
        text: str | Iterable[str | Passage],
        *,
        lines: bool = False,
        pretokenized: bool = False,
        constituents: bool = True,
        vectors: bool = False,
    ) -> Iterator[Analysis]:
        """Analysed sentences in order; see `tupelo.core.protocols.Parser`."""
        size = _CHUNK_CHARACTERS if self._processes == 1 else _POOL_CHUNK_CHARACTERS
        return self._map(text, _unchanged, AnalysisOptions(lines, pretokenized, constituents, vectors), size)

    def map(
        self, text: str | Iterable[str | Passage], work: Work[Result], options: AnalysisOptions
    ) -> Iterator[Result]:
        """The results of `work` on the analysed sentences, chunk by chunk and in order.

        It is called in the process that analysed the chunk, so with several processes it must be picklable. Chunks
        are the same for any number of processes, since `work` may depend on all sentences of one.
        """
        return self._map(text, work, options, _WORK_CHUNK_CHARACTERS)

    def _map(
        self, text: str | Iterable[str | Passage], work: Work[Result], options: AnalysisOptions, characters: int
    ) -> Iterator[Result]:
        whole = options.lines or options.pretokenized
        passages = documents(text, whole=whole)
        chunks = _chunks(passages if whole else chain.from_iterable(map(cut_passages, passages)), characters)
        if self._processes > 1:
            return self._in_processes(chunks, work, options)
        return (
            result for chunk in chunks for result in work(analyse_chunk(self.model, chunk, options, self._batch_size))
        )

    def close(self) -> None:
        """Stop the processes of the pool, if any; the next call starts new ones."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _in_processes(
        self, chunks: Iterator[list[Passage]], work: Work[Result], options: AnalysisOptions
    ) -> Iterator[Result]:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                # Not by fork: a copy of a process with running threads may hang.
                mp_context=get_context("spawn"),
                initializer=_start_worker,
                initargs=(self.model.folder.path, self._threads, self._batch_size),
            )
        pool = self._pool
        under_way: deque[Future[list[Result]]] = deque()
        try:
            for chunk in chunks:
                under_way.append(pool.submit(_work, chunk, work, options))
                if len(under_way) >= self._processes * _AHEAD:
                    yield from under_way.popleft().result()
            while under_way:
                yield from under_way.popleft().result()
        finally:
            # If the consumer stops early, the rest is not needed.
            for future in under_way:
                future.cancel()


def _unchanged(analyses: list[Analysis]) -> list[Analysis]:
    return analyses


def analyse_chunk(model: Model, chunk: list[Passage], options: AnalysisOptions, batch_size: int) -> list[Analysis]:
    """All sentences of some passages."""
    sentences: list[Prepared] = []
    for passage in chunk:
        if options.pretokenized:
            sentences.append(given_tokens(passage))
        elif options.lines:
            sentences.append(whole_sentence(passage))
        else:
            sentences.extend(split_sentences(passage, model.splitter, options.longest))
    if not options.syntax:
        return [_bare(sentence) for sentence in sentences]
    return model.analyse(sentences, constituents=options.constituents, vectors=options.vectors, batch_size=batch_size)


def _bare(sentence: Prepared) -> Analysis:
    words = zip(sentence.forms, sentence.spans, strict=True)
    return Analysis(
        sentence.text,
        tuple(Word(form, begin, end) for form, (begin, end) in words),
        sentence.start,
        contractions=sentence.contractions,
        document_id=sentence.document_id,
        partial=sentence.partial,
    )


_worker: tuple[Model, int] | None = None


def _start_worker(folder: Path, threads: int, batch_size: int) -> None:
    global _worker
    _worker = (Model(folder, threads=threads), batch_size)


def _work(chunk: list[Passage], work: Work[Result], options: AnalysisOptions) -> list[Result]:
    assert _worker is not None
    model, batch_size = _worker
    return work(analyse_chunk(model, chunk, options, batch_size))


def _chunks(passages: Iterable[Passage], characters: int) -> Iterator[list[Passage]]:
    chunk: list[Passage] = []
    size = 0
    for passage in passages:
        chunk.append(passage)
        size += len(passage.text)
        if size >= characters or len(chunk) >= _CHUNK_PASSAGES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shipped_model(argument: str, *, processes: int, batch_size: int, threads: int | None) -> Pipeline:
    """The English model in the package."""
    if argument:
        raise InputError(f"'en:{argument}': the shipped model takes no argument; for a folder use 'model:FOLDER'")
    return Pipeline(find_model(SHIPPED), processes=processes, batch_size=batch_size, threads=threads)


def model_in_folder(argument: str, *, processes: int, batch_size: int, threads: int | None) -> Pipeline:
    """model:FOLDER, a model that was trained with the same code; model:NAME, one of an installed package."""
    return Pipeline(model_path(argument), processes=processes, batch_size=batch_size, threads=threads)
