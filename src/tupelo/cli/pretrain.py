"""`tupelo pretrain`: train an encoder further on the sentences of triples."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api.pretraining import OBJECTIVES, PretrainingOptions, pretrain_encoder
from tupelo.cli.options import AT_LEAST_ONE, FOLDER, INPUT, Finite, json_option, print_json, seed_option
from tupelo.cli.progress import progress_bar


@click.command()
@click.argument("triples", type=INPUT, nargs=-1, required=True, metavar="TRIPLES...")
@click.option("--output", "-o", type=FOLDER, required=True, metavar="FOLDER", help="Where the encoders go.")
@click.option(
    "--encoder", type=INPUT, metavar="FOLDER", help="A BERT-like model with its head. [default: the shipped encoder]"
)
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="triple",
    show_default=True,
    help="Mask a whole subject, relation or object, or single subwords.",
)
@click.option("--epochs", type=AT_LEAST_ONE, default=10, show_default=True, help="Passes over the sentences.")
@click.option("--every", type=AT_LEAST_ONE, default=10, show_default=True, help="Epochs between those that are kept.")
@click.option("--batch", "batch_size", type=AT_LEAST_ONE, default=64, show_default=True, help="Sentences at once.")
@click.option("--rate", type=Finite(min=0, min_open=True), default=5e-5, show_default=True, help="Of learning.")
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, or auto: a GPU where there is one.")
@seed_option(help="For what is masked, and the order.")
@json_option("One JSON document with losses and folders.")
def pretrain(triples: tuple[str, ...], output: str, encoder: str | None, as_json: bool, **options: Any) -> None:
    """Train an encoder further on the sentences of triples, without their labels.

    The COMBO paper's continued pre-training. The folder that comes out is one for `--encoder`.

    \b
    Examples:
      tupelo pretrain combo.json -o my-encoder
      tupelo pretrain combo.json -o bert-subword --encoder bert-base-uncased --objective subword
      tupelo canonicalize combo.json --method encoder --encoder my-encoder/epoch-10
    """
    with progress_bar() as progress:
        made = pretrain_encoder(
            triples, output, encoder=encoder, options=PretrainingOptions(**options), progress=progress
        )
    if as_json:
        print_json(made.to_dict())
    else:
        click.echo(str(made))
