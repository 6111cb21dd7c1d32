"""From text to analysed sentences, streaming, in one process or several.

Input is split into passages that no sentence crosses, and passages are grouped into chunks of bounded size. A chunk
is analysed as a whole, in this process or another; chunks are returned in order, and only a few are pending at a
time, so a slow consumer holds back the work and memory stays bounded. With coreference, a chunk has whole documents,
unless they are very long.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

from tupelo.core import Analysis, InputError, Passage, TupeloError, Word
from tupelo.core.closing import Closing
from tupelo.core.protocols import AnalysisWishes
from tupelo.nlp.folder import find_model, model_path
from tupelo.nlp.model import AnalysisOptions, Model
from tupelo.nlp.prepare import PreparedText, cut_passages, documents, given_tokens, split_sentences, whole_sentence

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
# With coreference a chunk has whole documents. Longer ones are read in parts of this size, ...
_DOCUMENT_CHARACTERS = 400_000
# ... or of this one where the chains are only used to name what a sentence is about, so that all processes get work.
_WORK_DOCUMENT_CHARACTERS = 100_000
_CHUNK_PASSAGES = 2_000
# Pending chunks per process, so that the second one is ready when the first is done.
_AHEAD = 2


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Passages that are analysed together; `before` characters of the first document came in earlier chunks."""

    passages: list[Passage]
    before: int = 0


class Pipeline(Closing):
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

    def analyze(self, text: str | Iterable[str | Passage], **wishes: Unpack[AnalysisWishes]) -> Iterator[Analysis]:
        """Analysed sentences in order; see `tupelo.core.protocols.Parser`.

        With `coreference`, a document of more than 400,000 characters is read in parts with entities of their own.
        """
        size = _CHUNK_CHARACTERS if self._processes == 1 else _POOL_CHUNK_CHARACTERS
        return self._map(text, list, AnalysisOptions(**wishes), size, _DOCUMENT_CHARACTERS)

    def map(
        self, text: str | Iterable[str | Passage], work: Work[Result], options: AnalysisOptions
    ) -> Iterator[Result]:
        """The results of `work` on the analysed sentences, chunk by chunk and in order.

        It is called in the process that analysed the chunk, so with several processes it must be picklable. Chunks
        are the same for any number of processes, since `work` may depend on all sentences of one.
        """
        return self._map(text, work, options, _WORK_CHUNK_CHARACTERS, _WORK_DOCUMENT_CHARACTERS)

    @property
    def has_coreference(self) -> bool:
        """Whether the model links mentions; folders of older versions do not."""
        return self.model.has_coreference

    def _map(
        self,
        text: str | Iterable[str | Passage],
        work: Work[Result],
        options: AnalysisOptions,
        characters: int,
        document_characters: int,
    ) -> Iterator[Result]:
        if options.coreference and not self.has_coreference:
            raise InputError(f"{self.model.folder.path}: a model without coreference, expected one with it")
        whole = options.lines or options.pretokenized
        given = documents(text, whole=whole)
        passages = given if whole else chain.from_iterable(map(cut_passages, given))
        chunks = _chunks(passages, characters, document_characters, whole=options.coreference)
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

    def _in_processes(
        self, chunks: Iterator[_Chunk], work: Work[Result], options: AnalysisOptions
    ) -> Iterator[Result]:
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool
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
        except BrokenProcessPool:
            self.close()
            raise TupeloError(
                "a worker process ended before its work was done; a script with more than one worker needs its "
                'calls under `if __name__ == "__main__":`'
            ) from None
        finally:
            # If the consumer stops early, the rest is not needed.
            for future in under_way:
                future.cancel()


def analyse_chunk(model: Model, chunk: _Chunk, options: AnalysisOptions, batch_size: int) -> list[Analysis]:
    """All sentences of some passages."""
    sentences: list[PreparedText] = []
    for passage in chunk.passages:
        if options.pretokenized:
            sentences.append(given_tokens(passage))
        elif options.lines:
            sentences.append(whole_sentence(passage))
        else:
            sentences.extend(split_sentences(passage, model.splitter, options.longest, model.words))
    if not options.syntax:
        return [_bare(sentence) for sentence in sentences]
    # There are fewer entities than characters.
    return model.analyse(sentences, options, batch_size=batch_size, first_entity=chunk.before)


def _bare(sentence: PreparedText) -> Analysis:
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


def _work(chunk: _Chunk, work: Work[Result], options: AnalysisOptions) -> list[Result]:
    assert _worker is not None
    model, batch_size = _worker
    return work(analyse_chunk(model, chunk, options, batch_size))


def _chunks(passages: Iterable[Passage], characters: int, most: int, *, whole: bool) -> Iterator[_Chunk]:
    """Chunks that end where a passage does; with `whole` documents, where one does, or `most` characters of it.

    Where a document is divided does not depend on the size of chunks, nor does any result.
    """
    chunk: list[Passage] = []
    size = before = 0
    # Without `whole`, no chunk waits for the passage after its last.
    grouped = (document for _, document in groupby(passages, key=lambda passage: passage.document_id))
    for document in grouped if whole else ([passage] for passage in passages):
        read = before = 0
        for passage in document:
            if read - before >= most:
                yield _Chunk(chunk, before)
                chunk, size, before = [], 0, read
            chunk.append(passage)
            # Empty lines are sentences, too.
            length = len(passage.text) + 1
            size, read = size + length, read + length
        if before or size >= characters or len(chunk) >= _CHUNK_PASSAGES:
            yield _Chunk(chunk, before)
            chunk, size = [], 0
    if chunk:
        yield _Chunk(chunk)


@cache
def _shipped() -> Model:
    return Model(find_model(SHIPPED))


def shipped_vocabulary() -> Container[str]:
    """Frequent English words in lower case."""
    return _shipped().words


def split_text(text: str) -> list[Analysis]:
    """The sentences of an English text with their words; nothing is parsed.

    >>> [sentence.start for sentence in split_text("Rain fell. Snow fell.")]
    [0, 11]
    """
    model = _shipped()
    return [
        _bare(sentence)
        for passage in cut_passages(Passage(text))
        for sentence in split_sentences(passage, model.splitter, known=model.words)
    ]


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
