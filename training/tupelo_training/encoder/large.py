"""A larger encoder for the teachers, small enough to travel: all-mpnet-base-v2 with rounded weights.

    python -m tupelo_training.encoder.large --weights model.safetensors --vocabulary mpnet/vocab.txt \
        --ours vocab.txt --output prepared/

MPNet's pieces are those of our vocabulary under other numbers, so its embeddings are put into our order and teachers
and student read the same batches. Matrices are rounded to eight bits per row: they are only the start of training.
Positions begin at 2 there.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tupelo_training.encoder.published import MPNET, our_arrays, read_mpnet
from tupelo_training.options import option_parser
from tupelo_training.parser.model import Encoder
from tupelo_training.weights import LEVELS, read_weights, rounded, tensors, write_parts

SHAPE = {"width": 768, "inner": 3072, "layers": 12, "attention_heads": 12, "distances": 32}
POSITIONS = 512
LARGEST = 50 << 20  # of one file
SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}


def our_names(weights: dict[str, np.ndarray], pieces: list[str], ours: list[str]) -> dict[str, np.ndarray]:
    """The published arrays under the names of `Encoder`, with our order of subwords."""
    number = {piece: index for index, piece in enumerate(pieces)}
    unknown = number["[UNK]"]
    rows = [number.get(SPECIAL.get(piece, piece), unknown) for piece in ours]
    return our_arrays(weights, SHAPE["layers"], np.concatenate, MPNET) | {
        "words.weight": weights["embeddings.word_embeddings.weight"][rows],
        "positions.weight": weights["embeddings.position_embeddings.weight"][2 : 2 + POSITIONS],
        "distances.weight": weights["encoder.relative_attention_bias.weight"],
    }


def write(arrays: dict[str, np.ndarray], folder: Path, levels: int = LEVELS) -> None:
    write_parts(rounded(arrays, levels).items(), folder, "large", LARGEST, compressed=True)


def read_large(*folders: Path) -> dict[str, Tensor]:
    """What `write` left in one folder or, in parts, in several."""
    return tensors(read_weights(*sorted(path for folder in folders for path in folder.glob("large-*.npz"))))


def load_large(encoder: Encoder, folder: Path) -> None:
    own = dict(encoder.named_parameters())
    with torch.no_grad():
        for name, value in read_large(folder).items():
            own[name].copy_(value)


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-mpnet-base-v2")
    parser.add_argument("--vocabulary", type=Path, required=True, help="its vocab.txt")
    parser.add_argument("--ours", type=Path, required=True, help="vocab.txt of all-MiniLM-L6-v2")
    parser.add_argument("--levels", type=int, default=LEVELS, help="of a weight to either side of zero")
    options = parser.parse_args()
    pieces, ours = (path.read_text(encoding="utf-8").splitlines() for path in (options.vocabulary, options.ours))
    write(our_names(read_mpnet(options.weights), pieces, ours), options.output, options.levels)


if __name__ == "__main__":
    main()
