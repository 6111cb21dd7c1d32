"""Log-odds in single bytes. numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Scores below the best one, in steps: what is further below than 255 of them is as good as impossible.
STEP = 0.05


def below_best(scores: NDArray[np.float32], labels: int) -> NDArray[np.uint8]:
    """How far each of `labels` scores in a row is below the best of them; softmax does not see the difference."""
    grouped = scores.reshape(*scores.shape[:-1], -1, labels)
    below = (grouped.max(axis=-1, keepdims=True) - grouped) / STEP
    return np.minimum(np.rint(below), 255).astype(np.uint8).reshape(scores.shape)


def from_below(stored: NDArray[np.uint8]) -> NDArray[np.float32]:
    return stored.astype(np.float32) * np.float32(-STEP)
