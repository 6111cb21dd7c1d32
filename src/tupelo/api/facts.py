"""Facts of a fixed schema: extract them, build training examples, train a model."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

from tupelo.api.resources import RunOptions, open_engine
from tupelo.api.text import load
from tupelo.core import MissingExtraError, Passage
from tupelo.core.parameters import (
    Among,
    At,
    Between,
    Count,
    Device,
    ExtractorName,
    ParserName,
    Seed,
    Spelled,
    checked,
)
from tupelo.core.progress import Progress, track
from tupelo.core.spec import split_spec
from tupelo.factmodels.extract import FACT_FORMATS as FACT_FORMATS
from tupelo.factmodels.extract import METHODS, FactExtractor, FactOptions, Facts
from tupelo.io.files import InputFile, open_output, write_text
from tupelo.io.folders import make_folder
from tupelo.io.json_items import line_items
from tupelo.io.text import read_passages, text_of

if TYPE_CHECKING:
    from tupelo.core.protocols import Canonicalizer, Engine, Partition, Stage
    from tupelo.factmodels.metric import FactMetrics
    from tupelo_training.facts.aligned import AlignedTriples
    from tupelo_training.facts.dataset import BuiltDataset as BuiltDataset
    from tupelo_training.facts.dataset import FactDataset


CHECKPOINT = "checkpoint.safetensors"
# The options of extraction unless others are given.
USUAL = FactOptions()


@checked
def facts(
    text: str | Path | TextIO,
    *,
    method: str = "classifier",
    model: str | Path | None = None,
    parser: str = "en",
    options: FactOptions = USUAL,
) -> Facts:
    """The facts of a text, most confident first. A string is the text itself, a path or an open file is read.

    `method` is `classifier` (all pairs of entities), `sentence` (pairs within a sentence), `binary` (which entities
    are related) or `end-to-end` (facts written from the text; its weights know WebNLG's texts alone and are not for
    commercial use). `model` is a folder that `train_facts` wrote.

    >>> for fact in facts("Marie Curie was born in Warsaw, the capital of Poland."):  # doctest: +SKIP
    ...     print(fact, round(fact.confidence, 2))
    """
    whole = text_of(text)
    return _extractor(method, model, parser, options)(whole)


def facts_of_files(
    files: Sequence[str] = ("-",),
    *,
    method: Annotated[
        str,
        Spelled.of("NAME"),
        "classifier: score all pairs of entities; sentence: pairs within a sentence, as the paper does; binary: "
        "only predict what is related; end-to-end: write facts from the text (only for text like WebNLG's and, as it "
        "was trained on that, not for commercial use); or an installed method.",
    ] = "classifier",
    model: Annotated[
        str | Path | None,
        At.INPUT,
        Spelled.of("FOLDER"),
        "A model of your own, or of a package by name. [default: that of tupelo-facts-en]",
    ] = None,
    parser: Annotated[ParserName, "What finds sentences and entities."] = "en",
    options: FactOptions = USUAL,
    progress: Progress | None = None,
) -> Iterator[Facts]:
    """The facts of each file, a file being one document."""
    extractor = _extractor(method, model, parser, options)
    advance = track(progress, "documents", len(files))
    passages: Iterable[str | Passage] = read_passages(files, lines=False)
    for found in extractor.documents(passages):
        yield found if len(files) > 1 else replace(found, document=None)
        advance(1)


def _extractor(method: str, model: str | Path | None, parser: str, options: FactOptions) -> FactExtractor:
    # Open the model first, so that errors in its folder are reported before the parser is loaded.
    opened = METHODS.get(method)(model, options)
    return FactExtractor(load(parser), opened)


def fact_metrics(methods: Iterable[tuple[str, str | None]]) -> FactMetrics:
    """Metrics of factual accuracy by name (`tupelo.factmodels.metric`), each with the folder of its model, if any."""
    from tupelo.factmodels.metric import FactMetrics

    return FactMetrics(tuple(methods), relation_canonicalizer)


def relation_canonicalizer() -> Canonicalizer:
    """The shipped canonicalization method, for relations only."""
    from tupelo.canon.canonicalizer import MethodCanonicalizer
    from tupelo.canon.method import CanonResources
    from tupelo.canon.methods import METHODS as CANON_METHODS
    from tupelo.canon.methods.tupelo import TAUGHT
    from tupelo.nlp.encoder import load_encoder

    method = CANON_METHODS.get("tupelo")(relations=TAUGHT)
    return MethodCanonicalizer(method, CanonResources(encoder=load_encoder()), tasks=("rpc",))


KnowledgeFormat = Annotated[str | None, Spelled.of("NAME"), "wikidata, ntriples or tsv. [default: by the ending]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDatasetOptions:
    """Options of training examples."""

    negatives: Annotated[
        float | None,
        Between(0),
        Spelled.of("X"),
        "Negative examples per positive one, at most, in each article. [default: all of them]",
    ] = None
    seed: Annotated[Seed, "For the choice of negative examples."] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TripleDatasetOptions:
    """Options of triples with gold clusters."""

    properties: Annotated[
        Sequence[str], Spelled.of("--property", "ID"), "A relation that counts; repeat. [default: all]"
    ] = ()
    min_triples: Annotated[Count, "Leave out relations with fewer triples."] = 1
    extractor: Annotated[ExtractorName, "What finds triples."] = "default"


def build_fact_dataset(
    articles: Sequence[str],
    knowledge: Sequence[str],
    output: str | Path,
    *,
    knowledge_format: KnowledgeFormat = None,
    parser: ParserName = "en",
    options: FactDatasetOptions | None = None,
    run: RunOptions | None = None,
    progress: Progress | None = None,
) -> FactDataset:
    """Build training examples by distant supervision, from articles and a knowledge base, in the folder `output`.

    `articles` are MediaWiki dumps or JSON lines with `title` and `text`; `knowledge` are files of Wikidata's JSON
    dump, N-Triples or TSV. The same call resumes an interrupted run.
    """
    from tupelo.nlp import PARSERS
    from tupelo_training.facts.dataset import KINDS, Supervise, build_dataset, example_lines

    PARSERS.resolve(split_spec(parser)[0])
    known, read, passed_over = _sources(articles, knowledge, knowledge_format)
    chosen = options or FactDatasetOptions()
    with _run(output, run or RunOptions()) as (folder, runner):
        supervision = Supervise(parser, negatives=chosen.negatives, seed=chosen.seed)
        made = build_dataset(runner, known, read, supervision, track(progress, "supervising"), passed_over)
        for kind in KINDS:
            with open_output(folder / f"{kind}.jsonl.gz") as stream:
                for line in example_lines(made.examples, kind):
                    stream.write(line.encode("utf-8"))
        _write_statistics(folder, made)
    return replace(made, output=str(output))


def _sources(
    articles: Sequence[str], knowledge: Sequence[str], knowledge_format: str | None, *, links: bool = False
) -> tuple[tuple[Stage, Sequence[Partition]], tuple[Stage, Sequence[Partition]], list[tuple[str, str]]]:
    """Stages that read the knowledge base and the articles, with their partitions, and the files that are neither."""
    from tupelo.io.documents import Reading
    from tupelo.io.documents.find import find_documents
    from tupelo.io.documents.stage import ReadDocuments, partition_files
    from tupelo_training.facts.knowledge_stage import ReadKnowledge, partition_knowledge

    known = (ReadKnowledge(), partition_knowledge(tuple(knowledge), knowledge_format))
    listing = find_documents(tuple(articles))
    stage = ReadDocuments(options=Reading(links=True).options) if links else ReadDocuments()
    passed_over = [(found.source, found.reason) for found in listing.passed_over]
    return known, (stage, partition_files(listing.files)), passed_over


@contextmanager
def _run(output: str | Path, run: RunOptions) -> Iterator[tuple[Path, Engine]]:
    """The folder of the results and an engine; work that is done is removed at the end unless something failed."""
    from tupelo.io.workspace import FolderWorkspace, work_folder

    folder = Path(output)
    make_folder(folder)
    workspace = FolderWorkspace(os.fspath(run.work) if run.work else work_folder(str(output)))
    with open_engine(run.engine, workspace, run.workers) as runner:
        yield folder, runner
    if not run.keep_work:
        workspace.remove()


def _write_statistics(folder: Path, made: BuiltDataset) -> None:
    figures = {**made.statistics, "failed": len(made.failures)}
    write_text(folder / "statistics.json", json.dumps(figures, ensure_ascii=False, indent=1) + "\n")


def build_triple_dataset(
    articles: Sequence[str],
    knowledge: Sequence[str],
    output: str | Path,
    *,
    knowledge_format: KnowledgeFormat = None,
    parser: ParserName = "en",
    options: TripleDatasetOptions | None = None,
    run: RunOptions | None = None,
    progress: Progress | None = None,
) -> AlignedTriples:
    """Build triples with gold clusters of entities, relations and types, as COMBO was, in the folder `output`.

    `articles` are MediaWiki dumps, or JSON lines whose `text` has links written `[[page|words]]`; `knowledge` are
    files as for `build_fact_dataset`. The same call resumes an interrupted run.
    """
    from tupelo.extract import EXTRACTORS
    from tupelo.nlp import PARSERS
    from tupelo_training.facts.aligned import AlignTriples, Tally, align_triples, part_of, triple_items

    PARSERS.resolve(split_spec(parser)[0])
    chosen = options or TripleDatasetOptions()
    EXTRACTORS.resolve(split_spec(chosen.extractor)[0])
    known, read, passed_over = _sources(articles, knowledge, knowledge_format, links=True)
    with _run(output, run or RunOptions()) as (folder, runner):
        made = align_triples(
            runner,
            known,
            read,
            AlignTriples(parser, chosen.extractor),
            properties=chosen.properties,
            min_triples=chosen.min_triples,
            advance=track(progress, "aligning"),
            passed_over=passed_over,
        )
        tally = Tally()
        with open_output(folder / "dev.json") as dev, open_output(folder / "test.json") as test:
            streams = {"dev": dev, "test": test}
            for article, item in triple_items(made.rows):
                part = part_of(article)
                streams[part].write(b",\n" if tally.parts[part] else b"[\n")
                streams[part].write(json.dumps(item, ensure_ascii=False).encode("utf-8"))
                tally.add(item, part)
            for part, stream in streams.items():
                stream.write(b"\n]\n" if tally.parts[part] else b"[]\n")
        made = replace(made, statistics={**made.statistics, **tally.statistics()})
        _write_statistics(folder, made)
    return replace(made, output=str(output))


@dataclass(frozen=True, slots=True)
class TrainedFacts:
    """A trained fact model and its folder. `last_loss` is `None` if the run was already finished."""

    folder: str
    model: str
    examples: int
    steps: int
    last_loss: float | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        last = "nothing left to do" if self.last_loss is None else f"last loss {self.last_loss:.4f}"
        return f"{self.folder}: {self.model} model of {self.examples} examples after {self.steps} steps, {last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTrainingOptions:
    """Options of the training of a fact model."""

    size: Annotated[
        str,
        Among(("paper", "encoder", "tiny")),
        "6 layers of 512 with 8 heads from scratch; the shipped encoder's size, started from it; or for a trial.",
    ] = "paper"
    steps: Annotated[Count, "Steps of training in all."] = 50_000
    batch_size: Annotated[
        Count | None, Spelled.of("--batch"), "Examples per step. [default: 1024, end-to-end 256]"
    ] = None
    rate: Annotated[float, "Largest learning rate of Adafactor."] = 0.01
    seed: Seed = 1
    save_every: Annotated[Count, "Steps between checkpoints."] = 1000
    device: Device = "auto"
    reduced: Annotated[bool, "End-to-end: the texts are reduced, and will be when facts are extracted."] = False
    name: Annotated[str, "Name of the model."] = "my-facts"


def train_facts(
    examples: str | Path,
    output: str | Path,
    *,
    model: Annotated[
        str,
        Among(("classifier", "binary", "end-to-end")),
        "Relations of marked pairs, whether a pair is related at all, or facts written from text.",
    ],
    options: FactTrainingOptions | None = None,
    progress: Progress | None = None,
) -> TrainedFacts:
    """Train a fact model on examples written by `build_fact_dataset`; requires the extra `train`.

    The same call resumes from the last checkpoint; more `steps` continue a finished run.
    """
    if any(find_spec(package) is None for package in ("torch", "onnx", "tupelo_training")):
        raise MissingExtraError("training", "train")
    from tupelo_training.facts.learn import PAPER_BATCH, TrainingSettings, choose_device, train
    from tupelo_training.facts.tasks import make_task

    chosen = options or FactTrainingOptions()
    device = choose_device(chosen.device)
    digest = hashlib.sha256()
    with InputFile(str(examples)) as file:
        items = _hashed(line_items(file.lines()), digest)
        task = make_task(model, chosen.size, items, file.name, reduced=chosen.reduced, seed=chosen.seed)
    batch = chosen.batch_size or PAPER_BATCH[model]
    settings = TrainingSettings(chosen.steps, batch, chosen.rate, chosen.seed, chosen.save_every, device)
    about = {"examples": digest.hexdigest(), "model": model, "size": chosen.size}
    make_folder(output)
    advance = track(progress, "steps", chosen.steps)
    losses: list[float] = []

    def report(done: int, loss: float | None) -> None:
        advance(done)
        if loss is not None:
            losses.append(loss)

    train(task, settings, _FileStore(Path(output) / CHECKPOINT), about, report)
    for file_name, data in task.files(chosen.name, f"1.0.0+{digest.hexdigest()[:12]}").items():
        with open_output(Path(output) / file_name) as stream:
            stream.write(data)
    return TrainedFacts(str(output), model, len(task), chosen.steps, losses[-1] if losses else None)


class _FileStore:
    """Write the checkpoint as one file, atomically."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> bytes | None:
        if not self._path.is_file():
            return None
        with InputFile(str(self._path)) as file:
            return file.binary.read()

    def save(self, parts: list[bytes]) -> None:
        with open_output(self._path) as stream:
            for part in parts:
                stream.write(part)


def _hashed(items: Iterator[tuple[int, Any]], digest: Any) -> Iterator[tuple[int, Any]]:
    for line, item in items:
        digest.update(f"{item!r}\n".encode("utf-8", "surrogatepass"))
        yield line, item
