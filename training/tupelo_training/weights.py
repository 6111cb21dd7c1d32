"""Arrays as they travel between programs: matrices as int8 with factors, in files of limited size. numpy only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
LEVELS = 127
# What follows the name of an int8 matrix for the factors of its rows and of its columns.
ROWS, COLUMNS = "@rows", "@columns"
# Row factors by other names, in files that were written earlier and by the models of facts.
_ROW_FACTORS = (ROWS, "@scale", "@steps")


def row_steps(matrix: NDArray[Any], axis: int = 1) -> NDArray[np.float32]:
    """One step per row (per column with `axis` 0) with which the values fit into int8."""
    return np.maximum(np.abs(matrix).max(axis=axis, keepdims=True) / LEVELS, 1e-12).astype(np.float32)


def as_int8(matrix: NDArray[Any], axis: int = 1) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix in int8, and its steps; `axis` is the one that shares a step."""
    steps = row_steps(matrix, axis)
    return np.rint(matrix / steps).astype(np.int8), steps


def rounded(arrays: Mapping[str, NDArray[Any]], levels: int = LEVELS) -> Arrays:
    """Large matrices as bytes with a scale per row (`NAME@scale`), the rest in half precision.

    With fewer `levels` to either side of zero, files that are compressed are smaller.
    """
    packed: Arrays = {}
    for name, value in arrays.items():
        if value.ndim == 2 and value.size > 10_000:
            scale = np.maximum(np.abs(value).max(axis=1, keepdims=True), 1e-8) / levels
            packed[name] = np.rint(value / scale).astype(np.int8)
            packed[f"{name}@scale"] = scale.astype(np.float32)
        else:
            packed[name] = value.astype(np.float16)
    return packed


def restored(stored: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """All arrays as floats, their factors multiplied in."""
    found = {}
    for name, value in stored.items():
        if name.endswith((*_ROW_FACTORS, COLUMNS)):
            continue
        weight = value.astype(np.float32)
        for suffix in _ROW_FACTORS:
            if name + suffix in stored:
                weight = weight * stored[name + suffix].astype(np.float32).reshape(-1, 1)
        if name + COLUMNS in stored:
            weight = weight * stored[name + COLUMNS].astype(np.float32)[None, :]
        found[name] = weight
    return found


def read_arrays(*paths: Path) -> Arrays:
    """The arrays of several files as they are stored."""
    arrays: Arrays = {}
    for path in paths:
        with np.load(path) as file:
            arrays.update({name: file[name] for name in file.files})
    return arrays


def read_weights(*paths: Path) -> dict[str, NDArray[np.float32]]:
    return restored(read_arrays(*paths))


def tensors(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """The arrays as torch's."""
    import torch

    return {name: torch.from_numpy(value) for name, value in arrays.items()}


def write_parts(
    arrays: Iterable[tuple[str, NDArray[Any]]], folder: Path, name: str, largest: int, *, compressed: bool = False
) -> None:
    """Files `NAME-N.npz` of at most `largest` bytes each, unless a single array is larger."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: list[Arrays] = [{}]
    size = 0
    for key, value in arrays:
        if size + value.nbytes > largest:
            parts.append({})
            size = 0
        parts[-1][key] = value
        size += value.nbytes
    for number, part in enumerate(parts):
        save = np.savez_compressed if compressed else np.savez
        save(folder / f"{name}-{number}.npz", allow_pickle=False, **part)
