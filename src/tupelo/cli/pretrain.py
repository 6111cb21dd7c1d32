"""`tupelo pretrain`: train an encoder further on the sentences of triples."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.pretraining import PretrainedEncoder, pretrain_encoder
from tupelo.cli.options import InputFile, Json, print_result
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Folder, Spelled


@command(pretrain_encoder)
def pretrain(
    run: Run[PretrainedEncoder],
    triples: Annotated[tuple[InputFile, ...], Spelled.of("TRIPLES...")],
    output: Annotated[Folder, "Where the encoders go."],
    as_json: Annotated[Json, "One JSON document with losses and folders."] = False,
) -> None:
    """Train an encoder further on the sentences of triples, without their labels.

    The COMBO paper's continued pre-training. The folder that comes out is one for `--encoder`.

    \b
    Examples:
      tupelo pretrain combo.json -o my-encoder
      tupelo pretrain combo.json -o bert-subword --encoder bert-base-uncased --objective subword
      tupelo canonicalize combo.json --method encoder --encoder my-encoder/epoch-10
    """
    print_result(run(), as_json)
