"""The trained support model as the files that the package ships.

    python -m tupelo_training.support.export --weights W… --encoder encoder.npz --table support.npz --output FOLDER

`layers.onnx` takes the vectors of the shipped encoder's embeddings and gives two logits: of the claim as a whole and
of every subword. Weights and activations are int8 (`tupelo_training.onnx_graphs`); `--float` leaves them alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from onnx import TensorProto
from torch import Tensor

from tupelo_training.onnx_graphs import Array, Builder, calibrate, encoder_layer
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.support.network import EMBEDDINGS, HEADS, SupportModel, load_small
from tupelo_training.support.table import LONGEST_CLAIM, ROOM, read_buckets
from tupelo_training.weights import read_weights, tensors

FORMAT = 1
VERSION = "2.1.0"


def support_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None, layers: int) -> bytes:
    """`vectors` [batch, pieces, width], nothing padded, to `whole` [batch, 1] and `pieces` [batch, pieces, 1]."""
    build = Builder(weights, ranges)
    width = weights["whole.weight"].shape[1]
    x = "vectors"
    for number in range(layers):
        x = encoder_layer(build, f"layers.{number}", x, HEADS)
    first = build.add("Gather", x, build.constant(np.int64(0)), axis=1)
    whole = build.linear(first, build.matrix("whole"), build.bias("whole"), None)
    pieces = build.linear(x, build.matrix("piece"), build.bias("piece"), None)
    shape = ["batch", "pieces"]
    return build.finish(
        {"vectors": (TensorProto.FLOAT, [*shape, width])},
        {
            "whole": (whole, TensorProto.FLOAT, ["batch", 1]),
            "pieces": (pieces, TensorProto.FLOAT, [*shape, 1]),
        },
    )


def sample(table: Path, count: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Inputs of development texts, one by one and so without padding."""
    rows = [(bucket, place) for bucket in read_buckets(table) for place in np.flatnonzero(bucket.aside)]
    for index in np.random.default_rng(0).permutation(len(rows))[:count]:
        bucket, place = rows[index]
        length = int(bucket.last[place]) + 1
        pieces = torch.from_numpy(bucket.pieces[place : place + 1, :length]).long()
        yield pieces, (torch.arange(length) >= int(bucket.first[place])).long()[None]


def load(weights: Sequence[Path], encoder: Path) -> SupportModel:
    model = SupportModel()
    load_small(model, encoder)
    missing, unknown = model.load_state_dict(tensors(read_weights(*weights)), strict=False)
    if unknown or any(not name.startswith(EMBEDDINGS) for name in missing):
        raise SystemExit(f"{weights}: not the weights of a support model ({unknown or missing})")
    return model.eval()


def main() -> None:
    parser = option_parser(__doc__, "encoder", "output")
    parser.add_argument("--weights", type=Path, nargs="+", required=True, help="files that train wrote")
    parser.add_argument("--table", type=Path, required=True, help="what prepare wrote: for the quantisation ranges")
    parser.add_argument("--examples", type=int, default=150)
    parser.add_argument("--float", action="store_true", dest="as_float")
    options = parser.parse_args()
    model = load(options.weights, options.encoder)
    ranges = None if options.as_float else calibrate(model, sample(options.table, options.examples))
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "layers.onnx").write_bytes(support_graph(weights, ranges, len(model.layers)))
    sizes = {"room": ROOM, "longest_claim": LONGEST_CLAIM}
    config = {"format": FORMAT, "name": "tupelo-en-support", "version": VERSION, **sizes}
    write_json(options.output / "config.json", config)
    write_checksums(options.output)


if __name__ == "__main__":
    main()
