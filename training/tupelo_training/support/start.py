"""The published MiniLM as the arrays that training starts from, rounded as the shipped embeddings are.

python -m tupelo_training.support.start --weights model.safetensors --output encoder.npz
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np

from tupelo_training.encoder import PUBLISHED
from tupelo_training.large import rounded


def main() -> None:
    from safetensors.numpy import load_file

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    found = hashlib.sha256(options.weights.read_bytes()).hexdigest()
    if found != PUBLISHED:
        raise SystemExit(f"{options.weights}: SHA-256 is {found}, expected {PUBLISHED}")
    weights = {name: value for name, value in load_file(options.weights).items() if value.dtype == np.float32}
    np.savez_compressed(options.output, allow_pickle=False, **rounded(weights))


if __name__ == "__main__":
    main()
