"""`tupelo facts train`: models of facts from examples of your own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import click

from tupelo.cli.progress import progress
from tupelo.core import InputError

CHECKPOINT = "checkpoint.safetensors"
# What the paper trained with.
PAPER_STEPS = 50_000
PAPER_BATCH = {"classifier": 1024, "binary": 1024, "end-to-end": 256}


@click.command()
@click.argument("examples")
@click.option(
    "--model",
    "kind",
    type=click.Choice(list(PAPER_BATCH)),
    required=True,
    help="Relations of marked pairs, whether a pair is related at all, or facts written from text.",
)
@click.option("--output", "-o", required=True, metavar="FOLDER", help="Where the model goes, and the checkpoint.")
@click.option(
    "--size",
    type=click.Choice(["paper", "encoder", "tiny"]),
    default="paper",
    show_default=True,
    help="6 layers of 512 with 8 heads from scratch; the shipped encoder's size, started from it; or for a trial.",
)
@click.option("--steps", type=click.IntRange(1), default=PAPER_STEPS, show_default=True)
@click.option("--batch", type=click.IntRange(1), help="Examples per step. [default: 1024, end-to-end 256]")
@click.option("--rate", type=float, default=0.01, show_default=True, help="Largest learning rate of Adafactor.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--save-every", type=click.IntRange(1), default=1000, show_default=True, help="Steps between checkpoints."
)
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, or auto.")
@click.option(
    "--reduced", is_flag=True, help="End-to-end: the texts are reduced, and will be when facts are extracted."
)
@click.option("--name", default="my-facts", show_default=True, help="Name of the model.")
def train(
    examples: str,
    kind: str,
    output: str,
    size: str,
    steps: int,
    batch: int | None,
    rate: float,
    seed: int,
    save_every: int,
    device: str,
    reduced: bool,
    name: str,
) -> None:
    """Train a model on EXAMPLES, a file of JSON lines as `tupelo facts dataset` writes it.

    A run that was interrupted goes on where its last checkpoint is when the same command is given again; more --steps
    continue a finished one. The model is a folder for `tupelo facts extract --model FOLDER`.

    \b
    Examples:
      tupelo facts train classifier.jsonl.gz --model classifier -o my-classifier
      tupelo facts train end_to_end.jsonl.gz --model end-to-end -o my-writer --device cuda
      tupelo facts train classifier.jsonl.gz --model binary --size tiny --steps 20 --batch 8 -o trial
    """
    missing = [package for package in ("torch", "onnx") if find_spec(package) is None]
    if missing:
        raise InputError(f"training needs {' and '.join(missing)}, expected an installation with tupelo[train]")
    import torch

    from tupelo.io.folders import make_folder
    from tupelo_training.facts.learn import Settings
    from tupelo_training.facts.learn import train as run

    chosen = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    if chosen != "cpu" and not torch.cuda.is_available():
        raise InputError(f"device {chosen}: no such device here, expected cpu")
    task, digest = _task(examples, kind, size, reduced, seed)
    settings = Settings(steps, batch or PAPER_BATCH[kind], rate, seed, save_every, chosen)
    about = {"examples": digest, "model": kind, "size": size}
    make_folder(output)
    losses: list[float] = []
    with progress("steps", steps) as advance:

        def report(done: int, loss: float | None) -> None:
            advance(done)
            if loss is not None:
                losses.append(loss)

        run(task, settings, FileStore(f"{output}/{CHECKPOINT}"), about, report)
    _write(output, task.files(name, f"1.0.0+{digest[:12]}"))
    last = f", last loss {losses[-1]:.4f}" if losses else ", nothing left to do"
    click.echo(f"{output}: {kind} model of {len(task)} examples after {steps} steps{last}", err=True)


class FileStore:
    """The checkpoint as one file, written whole or not at all."""

    def __init__(self, path: str) -> None:
        self._path = path

    def load(self) -> bytes | None:
        from pathlib import Path

        from tupelo.io.files import InputFile

        if not Path(self._path).is_file():
            return None
        with InputFile(self._path) as file:
            return file.binary.read()

    def save(self, parts: list[bytes]) -> None:
        from tupelo.io.files import open_output

        with open_output(self._path) as stream:
            for part in parts:
                stream.write(part)


def _task(examples: str, kind: str, size: str, reduced: bool, seed: int) -> tuple[Any, str]:
    """What is to be learned, and a digest of the examples."""
    import torch

    from tupelo.facts.models.examples import marked_examples, text_examples
    from tupelo.io.files import InputFile
    from tupelo.io.json_items import line_items
    from tupelo.nlp.encoder import SHIPPED, VOCABULARY, load_encoder
    from tupelo.nlp.subwords import Subwords
    from tupelo_training.facts.learn import DECODER_LAYERS, SIZES, start_from_encoder
    from tupelo_training.facts.tasks import MarkedTask, WritingTask

    torch.manual_seed(seed)
    vocabulary = _lines(VOCABULARY)
    subwords = Subwords(vocabulary, normalize={})
    embed = load_encoder().embed if size == "encoder" else None
    with InputFile(examples) as file:
        items = _hashed(line_items(file.lines()), digest := hashlib.sha256())
        if kind == "end-to-end":
            sizes = {**SIZES[size], "decoder_layers": DECODER_LAYERS[size]}
            task: Any = WritingTask(
                text_examples(items, file.name),
                subwords,
                sizes,
                pieces=len(vocabulary),
                embed=embed,
                reduced=reduced,
                names=_property_names(),
            )
        else:
            task = MarkedTask(
                marked_examples(items, file.name),
                subwords,
                SIZES[size],
                binary=kind == "binary",
                embed=embed,
                names=_property_names(),
            )
    if size == "encoder":
        with InputFile(SHIPPED / "layers.onnx") as graph:
            start_from_encoder(task.network, graph.binary.read())
    return task, digest.hexdigest()


def _hashed(items: Iterator[tuple[int, Any]], digest: Any) -> Iterator[tuple[int, Any]]:
    for line, item in items:
        digest.update(f"{item!r}\n".encode("utf-8", "surrogatepass"))
        yield line, item


def _lines(path: Any) -> list[str]:
    from tupelo.io.files import InputFile

    with InputFile(path) as file:
        return [line for _, line in file.lines()]


def _property_names() -> dict[str, str]:
    """Names of the Wikidata properties that the shipped classifier knows."""
    from tupelo.facts.models.pairs import PairModel

    try:
        return {one.wikidata: one.name for one in PairModel().relations if one.wikidata}
    except InputError:
        return {}


def _write(folder: str, files: dict[str, bytes]) -> None:
    from tupelo.io.files import open_output

    for name, data in files.items():
        with open_output(f"{folder}/{name}") as stream:
            stream.write(data)
