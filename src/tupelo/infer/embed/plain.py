"""Training steps in numpy, for an installation without numba: a batch of pairs is updated together."""

from __future__ import annotations

import numpy as np

from tupelo.core.vectors import Floats32
from tupelo.infer.embed.pairs import Ints

# Larger batches are quicker, but pairs of one batch do not see each other's updates.
BATCH = 256


def learn_batch(targets: Floats32, contexts: Floats32, target: Ints, context: Ints, drawn: Ints, rate: float) -> None:
    """Move the vectors of a batch. `drawn` has the random contexts of each pair in a row."""
    offered = np.concatenate([context[:, None], drawn], axis=1)
    own, others = targets[target], contexts[offered]
    labels = np.zeros(offered.shape, dtype=np.float32)
    labels[:, 0] = 1
    errors = labels - 1 / (1 + np.exp(-np.einsum("bd,bkd->bk", own, others)))
    # A random context that is the pair's own says nothing.
    errors[:, 1:][drawn == context[:, None]] = 0
    errors = (rate * errors).astype(np.float32)
    np.add.at(targets, target, np.einsum("bk,bkd->bd", errors, others))
    np.add.at(contexts, offered, errors[:, :, None] * own[:, None, :])
