"""Weights as they are shipped: matrices as int8 with one step per output, everything else as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

LEVELS = 127
STEPS = "@steps"


def rounded(weights: Mapping[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Arrays by name; a matrix is followed by its steps, one per row."""
    stored: dict[str, np.ndarray[Any, Any]] = {}
    for name, value in weights.items():
        array = value.detach().float().cpu().numpy()
        if array.ndim == 2:
            steps = np.maximum(np.abs(array).max(axis=1, keepdims=True) / LEVELS, 1e-12).astype(np.float32)
            stored[name], stored[name + STEPS] = np.rint(array / steps).astype(np.int8), steps
        else:
            stored[name] = array
    return stored


def restored(stored: Mapping[str, Any]) -> dict[str, torch.Tensor]:
    """The weights again, as floats."""
    return {
        name: torch.from_numpy(stored[name].astype(np.float32) * stored.get(name + STEPS, np.float32(1)))
        for name in stored
        if not name.endswith(STEPS)
    }
