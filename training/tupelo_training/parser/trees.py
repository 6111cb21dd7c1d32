"""Sums and maxima over all binary bracketings of a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor


class LogPartition(torch.autograd.Function):
    """log of the sum over all bracketings of exp(sum of span scores); its gradient is the span marginals.

    `scores[b, i, j]` with 0-based inclusive borders; only spans of two or more words count. The chart is kept by
    width, once indexed by the first word of the span and once by its last.
    """

    @staticmethod
    def forward(context: Any, scores: Tensor, lengths: Tensor) -> Tensor:
        batch, n, _ = scores.shape
        by_first = scores.new_zeros(batch, n, n + 1)
        by_last = scores.new_zeros(batch, n, n + 1)
        sums = scores.new_zeros(batch, n, n + 1)
        for width in range(2, n + 1):
            left, right = by_first[:, : n - width + 1, 1:width], by_last[:, width - 1 :, 1:width].flip(-1)
            inside = torch.logsumexp(left + right, -1)
            total = inside + scores.diagonal(width - 1, 1, 2)
            sums[:, : n - width + 1, width] = inside
            by_first[:, : n - width + 1, width] = total
            by_last[:, width - 1 :, width] = total
        context.save_for_backward(by_first, by_last, sums, lengths)
        return by_first[torch.arange(batch, device=scores.device), 0, lengths]

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor, None]:
        by_first, by_last, sums, lengths = context.saved_tensors
        batch, n, _ = by_first.shape
        to_first = torch.zeros_like(by_first)
        to_last = torch.zeros_like(by_last)
        to_first[torch.arange(batch, device=lengths.device), 0, lengths] = gradient
        result = by_first.new_zeros(batch, n, n)
        for width in range(n, 1, -1):
            here = to_first[:, : n - width + 1, width] + to_last[:, width - 1 :, width]
            result.diagonal(width - 1, 1, 2).copy_(here)
            left, right = by_first[:, : n - width + 1, 1:width], by_last[:, width - 1 :, 1:width].flip(-1)
            share = (left + right - sums[:, : n - width + 1, width, None]).exp() * here[..., None]
            to_first[:, : n - width + 1, 1:width] += share
            to_last[:, width - 1 :, 1:width] += share.flip(-1)
        return result, None


def log_partition(scores: Tensor, lengths: Tensor) -> Tensor:
    return LogPartition.apply(scores, lengths)  # type: ignore[no-untyped-call, no-any-return]


def marginals(scores: Tensor, lengths: Tensor) -> Tensor:
    """The probability of every span under the tree distribution."""
    with torch.enable_grad():
        leaf = scores.detach().requires_grad_()
        (result,) = torch.autograd.grad(log_partition(leaf, lengths).sum(), leaf)
    return result


def best_bracketing(scores: np.ndarray) -> list[tuple[int, int]]:
    """The spans (of one word too) of the bracketing with the highest sum; exact."""
    n = len(scores)
    chart = np.zeros((n, n))
    split = np.zeros((n, n), np.int64)
    for width in range(2, n + 1):
        for first in range(n - width + 1):
            last = first + width - 1
            candidates = chart[first, first:last] + chart[first + 1 : last + 1, last]
            best = int(candidates.argmax())
            split[first, last] = first + best
            chart[first, last] = candidates[best] + scores[first, last]
    spans, todo = [], [(0, n - 1)]
    while todo:
        first, last = todo.pop()
        spans.append((first, last))
        if first < last:
            todo += [(split[first, last] + 1, last), (first, int(split[first, last]))]
    return spans
