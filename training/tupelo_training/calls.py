"""The calls of `tupelo.training`: training examples from articles, fact models, encoders.

They work without torch as long as nothing is trained.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from tupelo.api.resources import RunOptions, open_engine
from tupelo.core import InputError, MissingExtraError
from tupelo.core.parameters import (
    Among,
    Between,
    Count,
    Device,
    ExtractorName,
    Input,
    ParserName,
    Seed,
    Spelled,
)
from tupelo.core.progress import Progress, track
from tupelo.core.protocols import Engine, Partition, Stage
from tupelo.core.spec import split_spec
from tupelo.extract import EXTRACTORS
from tupelo.io.documents import Reading
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import ReadDocuments, partition_files
from tupelo.io.files import InputFile, open_output, write_text
from tupelo.io.folders import make_folder
from tupelo.io.json_items import line_items
from tupelo.io.triples import read_triples
from tupelo.io.workspace import FolderWorkspace, work_folder
from tupelo.nlp import PARSERS
from tupelo_training.facts.aligned import AlignedTriples, AlignTriples, Tally, align_triples, part_of, triple_items
from tupelo_training.facts.dataset import KINDS, BuiltDataset, FactDataset, Supervise, build_dataset, example_lines
from tupelo_training.facts.knowledge_stage import ReadKnowledge, partition_knowledge

CHECKPOINT = "checkpoint.safetensors"
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
    known = (ReadKnowledge(), partition_knowledge(tuple(knowledge), knowledge_format))
    listing = find_documents(tuple(articles))
    stage = ReadDocuments(options=Reading(links=True).options) if links else ReadDocuments()
    passed_over = [(found.source, found.reason) for found in listing.passed_over]
    return known, (stage, partition_files(listing.files)), passed_over


@contextmanager
def _run(output: str | Path, run: RunOptions) -> Iterator[tuple[Path, Engine]]:
    """The folder of the results and an engine; work that is done is removed at the end unless something failed."""
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
    if any(find_spec(package) is None for package in ("torch", "onnx")):
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


OBJECTIVES = ("triple", "subword")


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """Folders of the epochs that were kept, the last one last, and the mean loss of every epoch."""

    folders: tuple[str, ...]
    sentences: int
    triples: int
    device: str
    losses: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """The output of `tupelo pretrain --json`."""
        return asdict(self)

    def __str__(self) -> str:
        shown = " ".join(f"{loss:.3f}" for loss in self.losses)
        return (
            f"{self.sentences:,} of {self.triples:,} sentences show where their phrases stand\n"
            f"loss by epoch: {shown}\nencoder: {self.folders[-1]}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainingOptions:
    """Options of continued pre-training."""

    objective: Annotated[str, Among(OBJECTIVES), "Mask a whole subject, relation or object, or single subwords."] = (
        "triple"
    )
    epochs: Annotated[Count, "Passes over the sentences."] = 10
    every: Annotated[Count, "Epochs between those that are kept."] = 10
    batch_size: Annotated[Count, Spelled.of("--batch"), "Sentences at once."] = 64
    rate: Annotated[float, Between(0, above=True), "Of learning."] = 5e-5
    seed: Annotated[Seed, "For what is masked, and the order."] = 0
    device: Device = "auto"


def pretrain_encoder(
    triples: Sequence[str | Path],
    output: str | Path,
    *,
    encoder: Annotated[
        Input | None, Spelled.of("FOLDER"), "A BERT-like model with its head. [default: the shipped encoder]"
    ] = None,
    options: PretrainingOptions | None = None,
    progress: Progress | None = None,
) -> PretrainedEncoder:
    """Train an encoder further on the sentences of files of triples, whose labels are not used.

    `encoder` is the folder of a BERT-like model with its head for masked words, by default the shipped encoder.
    `output` gets a folder for the epochs that are kept, named `epoch-10`, for `--encoder` of `tupelo canonicalize`.
    """
    if any(find_spec(package) is None for package in ("torch", "onnx")):
        raise MissingExtraError("pre-training", "train")
    if find_spec("transformers") is None:
        raise MissingExtraError("pre-training", "transformers")
    import torch

    from tupelo_training.canon.pretrain import examples_of, open_model, pretrain
    from tupelo_training.facts.learn import choose_device

    chosen = options or PretrainingOptions()
    device = choose_device(chosen.device)
    mentions = [mention for path in triples for mention in read_triples(str(path)).mentions]
    torch.manual_seed(chosen.seed)
    model, tokenizer = open_model(None if encoder is None else str(encoder))
    examples = examples_of(mentions, tokenizer)
    if not examples:
        raise InputError(
            f"{triples[0]}: no sentence shows where its subject, relation and object stand, expected some that do"
        )
    advance = track(progress, f"pre-training by {chosen.objective}", chosen.epochs)
    folders: list[str] = []

    def keep(epoch: int) -> None:
        advance(1)
        if epoch % chosen.every == 0 or epoch == chosen.epochs:
            folders.append(str(Path(output, f"epoch-{epoch}")))
            model.save_pretrained(folders[-1])
            tokenizer.save_pretrained(folders[-1])

    losses = pretrain(
        model,
        tokenizer,
        examples,
        chosen.objective,
        epochs=chosen.epochs,
        size=chosen.batch_size,
        rate=chosen.rate,
        seed=chosen.seed,
        device=device,
        keep=keep,
    )
    return PretrainedEncoder(tuple(folders), len(examples), len(mentions), str(device), tuple(losses))
