"""The trained reader as the files that the package ships.

    python -m tupelo_training.reader.export --weights one/ other/ --support src/tupelo/models/en-support \\
        --table reader.npz --output FOLDER

Of several runs, the mean of their weights.
`layers.onnx` takes the embeddings of the support model and gives logits: of the four outcomes, and of every subword.
Weights and activations are int8 (`tupelo_training.onnx_graphs`); `--float` leaves them alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from onnx import TensorProto
from torch import Tensor

from tupelo.nlp.folder import ModelFolder
from tupelo_training.layers import HEADS
from tupelo_training.onnx_graphs import Array, Builder, calibrate, encoder_layer
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.reader.base import read_embeddings
from tupelo_training.reader.network import LAYERS, MARKS, OUTCOMES, ReaderModel
from tupelo_training.reader.prepare import LONGEST_QUESTION
from tupelo_training.reader.table import ROOM, Questions, read_table
from tupelo_training.reader.train import load
from tupelo_training.weights import restored

FORMAT = 2
VERSION = "2.1.0"


def reader_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None) -> bytes:
    """`vectors` [batch, pieces, width] and `mask` [batch, pieces] to `outcome` [batch, 4] and `marks`."""
    build = Builder(weights, ranges)
    width = weights["outcome.weight"].shape[1]
    mask = build.add("Cast", "mask", to=TensorProto.INT32)
    x = "vectors"
    for number in range(LAYERS):
        x = encoder_layer(build, f"layers.{number}", x, HEADS, "", mask)
    mark = build.add("Gather", x, build.constant(np.int64(0)), axis=1)
    outcome = build.linear(mark, build.matrix("outcome"), build.bias("outcome"), None)
    marks = build.linear(x, build.matrix("marks"), build.bias("marks"), None)
    shape = ["batch", "pieces"]
    return build.finish(
        {"vectors": (TensorProto.FLOAT, [*shape, width]), "mask": (TensorProto.INT64, shape)},
        {
            "outcome": (outcome, TensorProto.FLOAT, ["batch", OUTCOMES]),
            "marks": (marks, TensorProto.FLOAT, [*shape, MARKS]),
        },
    )


def sample(table: Questions, count: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Held-out questions with their passages, one by one and so without padding."""
    numbers = np.flatnonzero(table.is_aside())
    for number in np.random.default_rng(0).permutation(numbers)[:count]:
        row, first, _, _ = table.row(int(number), None)
        yield torch.from_numpy(row[None]).long(), (torch.arange(len(row)) >= first).long()[None]


def write_reader(model: ReaderModel, folder: Path, support: Path, table: Questions | None) -> None:
    """The files of a folder; int8 if there is a table to take the ranges of activations from."""
    ranges = None if table is None else calibrate(model, sample(table, 60))
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "layers.onnx").write_bytes(reader_graph(weights, ranges))
    config = {
        "format": FORMAT,
        "name": "tupelo-en-reader",
        "version": VERSION,
        "room": ROOM,
        "longest_question": LONGEST_QUESTION,
        "below": support.name,
        "embeddings_sha256": ModelFolder(support, "a support model").checksum("embeddings.onnx"),
    }
    write_json(folder / "config.json", config)
    # Until `calibrate` has fitted a curve.
    write_json(folder / "calibration.json", {name: {"slope": 1.0, "bias": 0.0} for name in ("marked", "closed")})
    write_checksums(folder)


def main() -> None:
    parser = option_parser(__doc__, "support", "table", "output")
    parser.add_argument("--weights", type=Path, nargs="+", required=True, help="the outputs of runs")
    parser.add_argument("--float", action="store_true", dest="as_float")
    options = parser.parse_args()
    base = restored(read_embeddings(options.support))
    models = [load(base, folder, torch.device("cpu")) for folder in options.weights]
    for folder, model in zip(options.weights, models, strict=True):
        if model.fixed:
            own = f"{LAYERS - model.fixed} layers of its own"
            raise SystemExit(f"{folder}: a reader with {own}, expected {LAYERS} (`train --own {LAYERS}`)")
    model = models[0]
    with torch.no_grad():
        for parts in zip(*(one.parameters() for one in models), strict=True):
            parts[0].copy_(torch.stack(parts).mean(0))
    table = None if options.as_float else read_table(options.table)
    write_reader(model, options.output, options.support, table)


if __name__ == "__main__":
    main()
