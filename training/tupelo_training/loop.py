"""One step of training, the same for all networks: learning rates, clipping, the optimizer, averaged weights."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

BETAS = (0.9, 0.98)


def training_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cosine(progress: float) -> float:
    """Warm-up over a twentieth of training, then a cosine down to a hundredth."""
    if progress < 0.05:
        return progress / 0.05
    return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (progress - 0.05) / 0.95))


def straight(progress: float) -> float:
    """Warm-up over a twentieth of training, then a straight line down to a hundredth."""
    return progress / 0.05 if progress < 0.05 else max(0.01, (1 - progress) / 0.95)


def grouped(rated: Iterable[tuple[str, Tensor, float]]) -> list[dict[str, Any]]:
    """Parameters with their names and learning rates as groups of an optimizer; biases and norms are not decayed."""
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, parameter, rate in rated:
        decay = 0.01 if name.endswith("weight") and "norm" not in name else 0.0
        groups.setdefault((rate, decay), []).append(parameter)
    return [{"params": own, "lr": rate, "weight_decay": decay} for (rate, decay), own in groups.items()]


class Clock:
    """How far training is: by steps or by time, whichever is further."""

    def __init__(self, steps: int, seconds: float) -> None:
        self.step = 0
        self._steps, self._seconds, self._started = steps, seconds, time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    @property
    def progress(self) -> float:
        return max(self.step / self._steps, self.seconds / self._seconds)


class RunningMean:
    """A running mean of weights: with `keep`, of about the last `1 / (1 - keep)` steps."""

    def __init__(self, parameters: Sequence[Tensor]) -> None:
        self._own = list(parameters)
        self.values = [value.detach().clone() for value in self._own]

    @torch.no_grad()
    def update(self, keep: float) -> None:
        torch._foreach_lerp_(self.values, [value.detach() for value in self._own], 1 - keep)

    @torch.no_grad()
    def swap(self) -> None:
        """Exchanges the mean with the weights of the network; a second call undoes it."""
        for own, other in zip(self._own, self.values, strict=True):
            kept = own.clone()
            own.copy_(other)
            other.copy_(kept)

    def named(self, names: Mapping[str, Any] | Sequence[str]) -> dict[str, Tensor]:
        return dict(zip(names, self.values, strict=True))


class Optimization:
    """AdamW with clipped gradients, rates that follow a schedule, and the running mean of the weights."""

    def __init__(
        self, groups: list[dict[str, Any]], parameters: Sequence[Tensor], clip: float, **settings: Any
    ) -> None:
        fused = parameters[0].device.type == "cuda"
        self.parameters, self._clip = list(parameters), clip
        self.optimizer = torch.optim.AdamW(groups, betas=BETAS, fused=fused, **settings)
        self._rates = [group["lr"] for group in self.optimizer.param_groups]
        self.mean = RunningMean(parameters)

    def backward(self, loss: Tensor) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()

    def step(self, factor: float, keep: float | None) -> None:
        """Applies the gradients with rates times `factor`; `keep` is the decay of the mean, `None` skips it."""
        for group, rate in zip(self.optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * factor
        torch.nn.utils.clip_grad_norm_(self.parameters, self._clip)
        self.optimizer.step()
        if keep is not None:
            self.mean.update(keep)
