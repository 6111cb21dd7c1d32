"""The published MiniLM as the arrays that training starts from, rounded as the shipped embeddings are.

python -m tupelo_training.support.start --weights model.safetensors --output encoder.npz
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tupelo_training.encoder.published import read_minilm
from tupelo_training.options import option_parser
from tupelo_training.weights import rounded


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    options = parser.parse_args()
    weights = {name: value for name, value in read_minilm(options.weights).items() if value.dtype == np.float32}
    np.savez_compressed(options.output, allow_pickle=False, **rounded(weights))


if __name__ == "__main__":
    main()
