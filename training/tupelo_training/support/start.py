"""A published encoder as the arrays that training starts from, rounded as the shipped embeddings are.

python -m tupelo_training.support.start --minilm model.safetensors --output minilm.npz
python -m tupelo_training.support.start --gte model.onnx --output gte.npz
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tupelo_training.encoder.published import read_gte, read_minilm
from tupelo_training.options import option_parser
from tupelo_training.weights import rounded


def main() -> None:
    parser = option_parser(__doc__, "output")
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--minilm", type=Path, help="model.safetensors of all-MiniLM-L6-v2")
    start.add_argument("--gte", type=Path, help="model.onnx of gte-small")
    options = parser.parse_args()
    found = read_minilm(options.minilm) if options.minilm else read_gte(options.gte)
    weights = {name: value for name, value in found.items() if value.dtype == np.float32}
    np.savez_compressed(options.output, allow_pickle=False, **rounded(weights))


if __name__ == "__main__":
    main()
