"""The trained support model as the files that a package ships.

    python -m tupelo_training.support.export --weights W… --encoder gte.npz --table support.npz --output FOLDER
    python -m tupelo_training.support.export --weights W… --shipped src/tupelo/models/en-support --table support.npz \
        --output FOLDER

`layers.onnx` takes the vectors of subwords and gives logits: of the claim's three outcomes and of every subword. Rows
of several lengths share a batch: `mask` is 0 where one is padded. Weights and activations are int8
(`tupelo_training.onnx_graphs`); `--float` leaves them alone. `embeddings.onnx` gives the vectors; a network that was
trained further keeps the file of the shipped one, and may be averaged with it (`--share`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from onnx import TensorProto
from torch import Tensor

from tupelo_training.encoder.export import embeddings_graph
from tupelo_training.layers import HEADS, Shape
from tupelo_training.onnx_graphs import Array, Builder, calibrate, encoder_layer
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.support.calibrate import NETWORK_ALONE
from tupelo_training.support.network import EMBEDDINGS, SupportModel, load_small
from tupelo_training.support.start import read_shipped
from tupelo_training.support.table import LONGEST_CLAIM, OUTCOMES, ROOM, read_table
from tupelo_training.weights import read_weights, tensors

FORMAT = 2
VERSION = "4.0.0"
EMBEDDINGS_FILE = "embeddings.onnx"


def support_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None, layers: int) -> bytes:
    """`vectors` [batch, pieces, width] and `mask` [batch, pieces] to `whole` [batch, outcomes] and `pieces`."""
    build = Builder(weights, ranges)
    width = weights["whole.weight"].shape[1]
    mask = build.add("Cast", "mask", to=TensorProto.INT32)
    x = "vectors"
    for number in range(layers):
        x = encoder_layer(build, f"layers.{number}", x, HEADS, "", mask)
    first = build.add("Gather", x, build.constant(np.int64(0)), axis=1)
    whole = build.linear(first, build.matrix("whole"), build.bias("whole"), None)
    pieces = build.linear(x, build.matrix("piece"), build.bias("piece"), None)
    shape = ["batch", "pieces"]
    return build.finish(
        {"vectors": (TensorProto.FLOAT, [*shape, width]), "mask": (TensorProto.INT64, shape)},
        {
            "whole": (whole, TensorProto.FLOAT, ["batch", OUTCOMES]),
            "pieces": (pieces, TensorProto.FLOAT, [*shape, 1]),
        },
    )


def sample(table: Path, count: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Inputs of development texts, one by one and so without padding."""
    rows = [(bucket, place) for bucket in read_table(table).buckets for place in np.flatnonzero(bucket.aside)]
    for index in np.random.default_rng(0).permutation(len(rows))[:count]:
        bucket, place = rows[index]
        length = int(bucket.last[place]) + 1
        pieces = torch.from_numpy(bucket.pieces[place : place + 1, :length]).long()
        yield pieces, (torch.arange(length) >= int(bucket.first[place])).long()[None]


def load(weights: Sequence[Path], encoder: Path | None, shipped: Path | None, share: float = 1.0) -> SupportModel:
    """The trained network; with a `share` below 1, the mean of its weights and the shipped ones."""
    trained = tensors(read_weights(*weights))
    layers = sum(name.endswith("query_key_value.bias") for name in trained)
    model = SupportModel(Shape(layers=layers))
    if encoder:
        load_small(model, encoder)
    elif shipped:
        before = tensors(read_shipped(shipped))
        model.load_state_dict(before)
        trained = {name: before[name] + share * (value - before[name]) for name, value in trained.items()}
    missing, unknown = model.load_state_dict(trained, strict=False)
    if unknown or any(not name.startswith(EMBEDDINGS) for name in missing):
        raise SystemExit(f"{weights}: not the weights of a support model ({unknown or missing})")
    return model.eval()


def main() -> None:
    parser = option_parser(__doc__, "output")
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--encoder", type=Path, help="arrays of MiniLM or gte-small that training began with")
    start.add_argument("--shipped", type=Path, help="folder of the support model that was trained further")
    parser.add_argument("--weights", type=Path, nargs="+", required=True, help="files that train wrote")
    parser.add_argument("--share", type=float, default=1.0, help="of the trained weights in a mean with shipped ones")
    parser.add_argument("--table", type=Path, required=True, help="what prepare wrote: for the quantisation ranges")
    parser.add_argument("--name", default="tupelo-en-support")
    parser.add_argument("--examples", type=int, default=150)
    parser.add_argument("--float", action="store_true", dest="as_float")
    options = parser.parse_args()
    model = load(options.weights, options.encoder, options.shipped, options.share)
    ranges = None if options.as_float else calibrate(model, sample(options.table, options.examples))
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "layers.onnx").write_bytes(support_graph(weights, ranges, len(model.layers)))
    (options.output / EMBEDDINGS_FILE).write_bytes(
        (options.shipped / EMBEDDINGS_FILE).read_bytes()
        if options.shipped
        else embeddings_graph(read_weights(options.encoder))
    )
    sizes = {"room": ROOM, "longest_claim": LONGEST_CLAIM}
    write_json(options.output / "config.json", {"format": FORMAT, "name": options.name, "version": VERSION, **sizes})
    # Until `calibrate` has fitted a curve.
    write_json(options.output / "calibration.json", {"weights": NETWORK_ALONE})
    write_checksums(options.output)


if __name__ == "__main__":
    main()
