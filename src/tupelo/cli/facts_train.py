"""`tupelo facts train`: models of facts from examples of your own."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api.facts import FactTrainingOptions, train_facts
from tupelo.cli.options import AT_LEAST_ONE, FOLDER, INPUT, NUMBER, option_group, seed_option, warn
from tupelo.cli.progress import progress_bar

run_options = option_group(
    click.option("--steps", type=AT_LEAST_ONE, default=50_000, show_default=True),
    click.option(
        "--batch", "batch_size", type=AT_LEAST_ONE, help="Examples per step. [default: 1024, end-to-end 256]"
    ),
    click.option("--rate", type=NUMBER, default=0.01, show_default=True, help="Largest learning rate of Adafactor."),
    seed_option(1),
    click.option(
        "--save-every", type=AT_LEAST_ONE, default=1000, show_default=True, help="Steps between checkpoints."
    ),
    click.option("--device", default="auto", show_default=True, help="cpu, cuda, or auto."),
)


@click.command()
@click.argument("examples", type=INPUT)
@click.option(
    "--model",
    type=click.Choice(["classifier", "binary", "end-to-end"]),
    required=True,
    help="Relations of marked pairs, whether a pair is related at all, or facts written from text.",
)
@click.option(
    "--output", "-o", type=FOLDER, required=True, metavar="FOLDER", help="Where the model goes, and the checkpoint."
)
@click.option(
    "--size",
    type=click.Choice(["paper", "encoder", "tiny"]),
    default="paper",
    show_default=True,
    help="6 layers of 512 with 8 heads from scratch; the shipped encoder's size, started from it; or for a trial.",
)
@run_options
@click.option(
    "--reduced", is_flag=True, help="End-to-end: the texts are reduced, and will be when facts are extracted."
)
@click.option("--name", default="my-facts", show_default=True, help="Name of the model.")
def train(examples: str, output: str, **options: Any) -> None:
    """Train a model on EXAMPLES, a file of JSON lines as `tupelo facts dataset` writes it.

    The same command resumes an interrupted run from its last checkpoint; more --steps continue a finished one. The
    model is a folder for `tupelo facts extract --model FOLDER`.

    \b
    Examples:
      tupelo facts train classifier.jsonl.gz --model classifier -o my-classifier
      tupelo facts train end_to_end.jsonl.gz --model end-to-end -o my-writer --device cuda
      tupelo facts train classifier.jsonl.gz --model binary --size tiny --steps 20 --batch 8 -o trial
    """
    with progress_bar() as progress:
        model, chosen = options.pop("model"), FactTrainingOptions(**options)
        trained = train_facts(examples, output, model=model, options=chosen, progress=progress)
    warn(str(trained))
