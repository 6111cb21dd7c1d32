"""Arrays as they travel between programs: int8 matrices with factors, and log-odds in single bytes. numpy only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What follows the name of an int8 matrix for the factors of its rows and of its columns.
FACTORS = ("@rows", "@columns")
# Scores below the best one, in steps: what is further below than 255 of them is as good as impossible.
STEP = 0.05


def stored_weights(stored: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """All matrices as floats, their factors multiplied in."""
    found = {}
    for name, value in stored.items():
        if name.endswith(FACTORS):
            continue
        weight = value.astype(np.float32)
        if name + FACTORS[0] in stored:
            weight = weight * stored[name + FACTORS[0]].astype(np.float32)[:, None]
        if name + FACTORS[1] in stored:
            weight = weight * stored[name + FACTORS[1]].astype(np.float32)[None, :]
        found[name] = weight
    return found


def below_best(scores: NDArray[np.float32], labels: int) -> NDArray[np.uint8]:
    """How far each of `labels` scores in a row is below the best of them; softmax does not see the difference."""
    grouped = scores.reshape(*scores.shape[:-1], -1, labels)
    below = (grouped.max(axis=-1, keepdims=True) - grouped) / STEP
    return np.minimum(np.rint(below), 255).astype(np.uint8).reshape(scores.shape)


def from_below(stored: NDArray[np.uint8]) -> NDArray[np.float32]:
    return stored.astype(np.float32) * np.float32(-STEP)
