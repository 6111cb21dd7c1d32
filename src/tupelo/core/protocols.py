"""Seams between rooms: parts that one room receives from another. Seams within a room are in that room."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack

from tupelo.core.analysis import Analysis, Passage
from tupelo.core.canonical import Canonicalization, TripleMention
from tupelo.core.errors import InputError
from tupelo.core.extraction import Extraction, Record
from tupelo.core.spec import number, whole_number
from tupelo.core.stages import FinishedPart, Step, Table, UnfinishedPart
from tupelo.core.statement import LinkedSentence, LinkProperty

if TYPE_CHECKING:
    import pyarrow as pa


class AnalysisWishes(TypedDict, total=False):
    """The options of `Parser.analyze`; all but `constituents` are off by default."""

    lines: bool
    pretokenized: bool
    constituents: bool
    vectors: bool
    coreference: bool


class Parser(Protocol):
    """Anything that analyses sentences: the shipped model, another program, a file of finished analyses."""

    name: str

    def analyze(self, text: str | Iterable[str | Passage], **wishes: Unpack[AnalysisWishes]) -> Iterable[Analysis]:
        """Sentences in order. A string is one document, any other iterable a document per item.

        Documents are numbered from 1 in `document_id`; a `Passage` brings its
        own, and offsets that go on from an earlier passage.

        With `lines` every item is one sentence, with `pretokenized` one sentence whose words are separated by single
        spaces; the result has then one analysis per item, an empty item included. `constituents` and `vectors` are
        wishes: a parser that has none leaves them `None`. `coreference` is not: a parser that cannot link the
        mentions of a document raises `InputError`. Sentences that follow each other with one `document_id` are a
        document, `None` included.
        """


class Versioned(Protocol):
    """A part that says what it is, so that work of another version is not taken for its own."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...


class Extractor(Versioned, Protocol):
    """Makes tuples from analysed sentences.

    `needs` says what it reads of an analysis besides the words: `tags`, `lemmas`, `heads`, `constituents`,
    `entities`, `vectors`. What comes out of one sentence never depends on its neighbours.
    """

    @property
    def needs(self) -> frozenset[str]: ...

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        """One list per sentence, in order, while sentences still come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions:
    """A language model and how to ask it. `None` leaves a choice to the environment or the endpoint.

    Prices are per million tokens, in whatever currency. `cache` is a folder, `off` for none.
    """

    model: str
    base_url: str | None = None
    temperature: float = 0.0
    max_tokens: int | None = None
    timeout: float = 60.0
    attempts: int = 6
    longest_wait: float = 60.0
    cache: str | None = None
    prompt_price: float | None = None
    completion_price: float | None = None

    @classmethod
    def of(cls, model: str, settings: Mapping[str, str]) -> ChatOptions:
        """Options from the argument of `llm:MODEL` and text settings."""
        if not model:
            raise InputError("'llm' names no model, expected llm:MODEL")
        return cls(
            model=model,
            base_url=settings.get("base-url"),
            temperature=number(settings, "temperature", 0.0),
            max_tokens=whole_number(settings, "max-tokens", 0, 0) or None,
            timeout=number(settings, "timeout", 60.0, 0.001),
            attempts=whole_number(settings, "attempts", 6),
            longest_wait=number(settings, "longest-wait", 60.0),
            cache=settings.get("cache"),
            prompt_price=number(settings, "prompt-price", 0.0) if "prompt-price" in settings else None,
            completion_price=number(settings, "completion-price", 0.0) if "completion-price" in settings else None,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a language model; not `finished` when it was truncated for length."""

    text: str
    finished: bool = True


class Chat(Protocol):
    """A language model behind an endpoint. `fresh` asks again even where an answer is remembered."""

    def complete(self, prompt: str, *, fresh: bool = False) -> Reply: ...


class Likeness(Protocol):
    """Similarity of the syntax of sentences, from 0 to 1; it reads constituents."""

    def to(self, analyses: Sequence[Analysis]) -> Callable[[Analysis], Sequence[float]]:
        """A function that compares a sentence with each of these."""


class Services(Protocol):
    """Resources of extractors from outside this process; `tupelo.io.services.LocalServices` provides them."""

    def read(self, lines: Iterable[str], format_name: str, source: str) -> Iterator[Record]:
        """Tuples from the lines of one of our formats."""

    def read_file(self, name: str, format_name: str) -> Iterable[Record]:
        """Tuples from a file."""

    def analyze(self, sentences: Iterable[str]) -> Iterator[Analysis]:
        """Sentences analysed by the parser in use."""

    def likeness(self, name: str) -> Likeness:
        """A measure of syntax by its name."""

    def chat(self, options: ChatOptions) -> Chat:
        """A language model, with a cache, retries and accounts."""

    def note(self, message: str) -> None:
        """Keep a message to be shown when the work is done."""

    def report(self) -> list[str]:
        """The notes, and what was used."""

    def close(self) -> None:
        """Close all connections."""


class Canonicalizer(Versioned, Protocol):
    """From triples with their sentences to named entities, relations and types; what `graph build` uses.

    Deterministic: equal mentions give equal clusters, ids included, whatever their order.
    """

    def canonicalize(self, mentions: Sequence[TripleMention]) -> Canonicalization: ...


@dataclass(frozen=True, slots=True)
class Entailing:
    """A relation whose statements answer a question for another one. `reason` says why, for people.

    With `reversed`, subject and object change places: *was bought by* entails *bought*.
    """

    relation: str
    score: float
    reason: str
    reversed: bool = False


class SupportReader(Protocol):
    """Reads claims with texts: whether a text supports a claim, refutes it, or does neither."""

    def outcomes(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
        """For every (text, claim) the probabilities of supported, refuted and neither, which sum to 1."""


class RelationExpander(Protocol):
    """Finds relations that entail an asked one: *founded* is also answered by *is the founder of*."""

    def expand(self, relation: str) -> Sequence[Entailing]:
        """Relations by name, best first, the asked one left out; scores are between 0 and 1."""


class LinkSchema(Versioned, Protocol):
    """Finds the properties of a schema that links share their meaning with. It survives pickling, as a stage does."""

    def __call__(
        self, analyses: Sequence[Analysis], linked: Sequence[LinkedSentence]
    ) -> Sequence[Sequence[LinkProperty]]:
        """The properties of the links of each sentence of a passage."""


class Stage(Versioned, Protocol):
    """A pure function over Arrow record batches that survives pickling.

    It is called once per batch with an iterator over that batch alone, in any process and any order, so nothing may
    pass from one batch to the next; what takes long to open (a model) is kept in a cache of the process. `name`,
    `version` and `options` say everything that can change what comes out: finished work is found again by them. `key`
    is the input column that tells people which record failed.
    """

    @property
    def options(self) -> Mapping[str, Any]:
        """JSON values."""

    @property
    def key(self) -> str: ...

    @property
    def input(self) -> pa.Schema: ...

    @property
    def output(self) -> pa.Schema: ...

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches of `output`, with `core.stages.ERROR_COLUMN` added where single rows are complaints."""


class Partition(Protocol):
    """A part of the input: small enough to travel, and read where the work is done.

    `key` is the same whenever the content is. `read` may be called again.
    """

    @property
    def key(self) -> str: ...

    def read(self) -> Iterator[pa.RecordBatch]: ...


class DocumentSet(Protocol):
    """Files with documents, each known by its source."""

    def checksums(self) -> Mapping[str, str]:
        """Of the bytes of each file; empty for one that cannot be read."""

    def paths(self) -> Mapping[str, str]:
        """Absolute path of each file; documents in memory have none."""

    def partitions(self, sources: Collection[str]) -> Sequence[Partition]:
        """Those files, to be read by a stage."""


class Workspace(Protocol):
    """The place of finished partitions, the same for every process of an engine; see `io.workspace`."""

    def find(self, folder: str, name: str) -> FinishedPart | None:
        """A partition that was finished earlier."""

    def draft(self, folder: str, name: str) -> AbstractContextManager[UnfinishedPart]: ...

    def finished(self, folder: str, name: str) -> FinishedPart:
        """A partition that must be there."""

    def scratch(self) -> str:
        """A folder for what may be lost."""


class Engine(Protocol):
    """Runs stages over partitions and steps over tables. What was finished before is not done again."""

    @property
    def name(self) -> str: ...

    def run(
        self, stage: Stage, partitions: Sequence[Partition], advance: Callable[[int], None] | None = None
    ) -> Table:
        """The output of a stage, one part per partition and in their order.

        `advance` is called with how many partitions were finished since its last call.
        """

    def rows(self, key: str, pieces: Sequence[tuple[str, int, int | None]]) -> Partition:
        """Rows `[start, end)` of Parquet files as a partition; all of a file where there is no end."""

    def query(self, steps: Sequence[Step], tables: Mapping[str, Table], keep: Sequence[str]) -> dict[str, Table]:
        """Runs steps in order, each over `tables` and the steps before it, and returns those named in `keep`."""

    def close(self) -> None: ...
