"""A larger encoder for the teachers, small enough to travel: all-mpnet-base-v2 with rounded weights.

    python -m tupelo_training.large --weights model.safetensors --vocabulary mpnet/vocab.txt --ours vocab.txt --output
    prepared/

MPNet's pieces are those of our vocabulary under other numbers, so its embeddings are put into our order and teachers
and student read the same batches. Matrices are rounded to eight bits per row: they are only the start of training.
Positions begin at 2 there.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tupelo_training.model import Encoder

SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
SHAPE = {"width": 768, "inner": 3072, "layers": 12, "attention_heads": 12, "distances": 32}
POSITIONS = 512
FILES = "large-{}.npz"
LARGEST = 50 << 20  # of one file
SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}


def our_names(weights: dict[str, np.ndarray], pieces: list[str], ours: list[str]) -> dict[str, np.ndarray]:
    """The published arrays under the names of `Encoder`, with our order of pieces."""
    number = {piece: index for index, piece in enumerate(pieces)}
    unknown = number["[UNK]"]
    rows = [number.get(SPECIAL.get(piece, piece), unknown) for piece in ours]
    found = {
        "words.weight": weights["embeddings.word_embeddings.weight"][rows],
        "positions.weight": weights["embeddings.position_embeddings.weight"][2 : 2 + POSITIONS],
        "norm.weight": weights["embeddings.LayerNorm.weight"],
        "norm.bias": weights["embeddings.LayerNorm.bias"],
        "distances.weight": weights["encoder.relative_attention_bias.weight"],
    }
    parts = {
        "output": "attention.attn.o",
        "attention_norm": "attention.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm": "output.LayerNorm",
    }
    for layer in range(SHAPE["layers"]):
        theirs = f"encoder.layer.{layer}"
        for kind in ("weight", "bias"):
            for our, their in parts.items():
                found[f"layers.{layer}.{our}.{kind}"] = weights[f"{theirs}.{their}.{kind}"]
            three = [weights[f"{theirs}.attention.attn.{part}.{kind}"] for part in "qkv"]
            found[f"layers.{layer}.query_key_value.{kind}"] = np.concatenate(three)
    return found


def rounded(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Matrices as bytes with a scale per row (`NAME@scale`), the rest in half precision."""
    packed = {}
    for name, value in arrays.items():
        if value.ndim == 2 and value.size > 10_000:
            scale = np.maximum(np.abs(value).max(axis=1, keepdims=True), 1e-8) / 127
            packed[name] = np.rint(value / scale).astype(np.int8)
            packed[f"{name}@scale"] = scale.astype(np.float32)
        else:
            packed[name] = value.astype(np.float16)
    return packed


def write(arrays: dict[str, np.ndarray], folder: Path) -> None:
    parts: list[dict[str, np.ndarray]] = [{}]
    for name, value in arrays.items():
        if sum(array.nbytes for array in parts[-1].values()) + value.nbytes > LARGEST:
            parts.append({})
        parts[-1][name] = value
    for number, part in enumerate(parts):
        np.savez_compressed(folder / FILES.format(number), allow_pickle=False, **part)


def read_rounded(paths: Iterable[Path]) -> dict[str, Tensor]:
    """The arrays of some files, those that were rounded as floats again."""
    arrays: dict[str, np.ndarray] = {}
    for path in paths:
        with np.load(path) as file:
            arrays.update({name: file[name] for name in file.files})
    return {
        name: torch.from_numpy(value.astype(np.float32) * arrays.get(f"{name}@scale", np.float32(1)))
        for name, value in arrays.items()
        if not name.endswith("@scale")
    }


def read_large(*folders: Path) -> dict[str, Tensor]:
    """What `write` left in one folder or, in parts, in several."""
    return read_rounded(sorted(path for folder in folders for path in folder.glob(FILES.format("*"))))


def load_large(encoder: Encoder, folder: Path) -> None:
    own = dict(encoder.named_parameters())
    with torch.no_grad():
        for name, value in read_large(folder).items():
            own[name].copy_(value)


def main() -> None:
    from safetensors.numpy import load_file

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-mpnet-base-v2")
    parser.add_argument("--vocabulary", type=Path, required=True, help="its vocab.txt")
    parser.add_argument("--ours", type=Path, required=True, help="vocab.txt of all-MiniLM-L6-v2")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    found = hashlib.sha256(options.weights.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{options.weights}: SHA-256 is {found}, expected {SHA256}")
    pieces, ours = (path.read_text(encoding="utf-8").splitlines() for path in (options.vocabulary, options.ours))
    options.output.mkdir(parents=True, exist_ok=True)
    write(rounded(our_names(load_file(options.weights), pieces, ours)), options.output)


if __name__ == "__main__":
    main()
