"""A variational autoencoder whose latent space is a mixture of Gaussians (VaDE: Jiang et al., IJCAI 2017).

For a row x with latent mean m and log variance s (both from the encoder) and a mixture with weights π_c, means μ_c
and variances v_c, the loss is

    ½ |x − decoded(m + e^{s/2} ε)|²  +  Σ_c γ_c t_c  −  Σ_c γ_c log(π_c / γ_c)  −  ½ Σ_j (1 + s_j)
    with  t_c = ½ Σ_j (log v_cj + e^{s_j} / v_cj + (m_j − μ_cj)² / v_cj)

and γ_c, the share of cluster c, the one that makes this least: γ_c ∝ π_c e^{−t_c}. The two middle sums are then −log
Σ_c π_c e^{−t_c}, and no gradient flows through γ. The rows themselves may be trained too. Before that, an encoder is
taught a partition: the loss of a row whose cluster is l is −log γ_l. Everything is numpy; gradients are written out
and checked against differences in tests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.side import Floats, Integers

Parameters = dict[str, NDArray[np.float32]]
# Log variances stay in here: a cluster of one point would otherwise shrink to nothing.
_LEAST, _MOST = -10.0, 4.0


@dataclass(frozen=True, slots=True)
class Losses:
    """The terms of the loss, summed over rows."""

    reconstruction: float
    mixture: float
    entropy: float

    @property
    def total(self) -> float:
        return self.reconstruction + self.mixture + self.entropy


def make_network(size: int, hidden: int, latent: int, random: np.random.Generator) -> Parameters:
    def layer(rows: int, columns: int) -> NDArray[np.float32]:
        spread = np.sqrt(2 / (rows + columns))
        return np.asarray(spread * random.standard_normal((rows, columns)), dtype=np.float32)

    return {
        "in": layer(size, hidden),
        "in_bias": np.zeros(hidden, dtype=np.float32),
        "mean": layer(hidden, latent),
        "mean_bias": np.zeros(latent, dtype=np.float32),
        # Small variances at first: the autoencoder learns to decode before it learns to blur.
        "log": 0.1 * layer(hidden, latent),
        "log_bias": np.full(latent, -6, dtype=np.float32),
        "out": layer(latent, hidden),
        "out_bias": np.zeros(hidden, dtype=np.float32),
        "back": layer(hidden, size),
        "back_bias": np.zeros(size, dtype=np.float32),
    }


def make_mixture(latent: Floats, labels: Integers, share: float = 1.0) -> Parameters:
    """A Gaussian for every cluster of a partition: the mean of its rows, a share of the variance of all rows."""
    sizes = np.bincount(labels)
    sums = np.zeros((len(sizes), latent.shape[1]), dtype=np.float32)
    np.add.at(sums, labels, latent)
    return {
        "weights": np.log(sizes / sizes.sum()).astype(np.float32),
        "means": (sums / sizes[:, None]).astype(np.float32),
        "variances": np.tile(np.log(share * latent.var(axis=0) + 1e-4), (len(sizes), 1)).astype(np.float32),
    }


def encode(parameters: Parameters, rows: Floats) -> tuple[Floats, Floats]:
    """Latent means and log variances."""
    _, means, _, logs = _encoded(parameters, rows)
    return means, logs


def distances_to_clusters(parameters: Parameters, means: Floats, logs: Floats) -> Floats:
    """t of every row and cluster, squares multiplied out so that it is three matrix products."""
    precision = np.exp(-parameters["variances"])
    centres = parameters["means"]
    squared = (means**2 + np.exp(logs)) @ precision.T - 2 * means @ (centres * precision).T
    constant = (centres**2 * precision + parameters["variances"]).sum(axis=1)
    return np.asarray(0.5 * (squared + constant), dtype=means.dtype)


def shares(parameters: Parameters, means: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """γ, and for every row −log Σ_c π_c e^{−t_c}."""
    weights = parameters["weights"] - _log_sum(parameters["weights"][None])[0]
    scores = weights - distances_to_clusters(parameters, means, logs)
    total = _log_sum(scores)
    return np.exp(scores - total[:, None]), -total


def _log_sum(values: Floats) -> Floats:
    highest = values.max(axis=1)
    return np.asarray(highest + np.log(np.exp(values - highest[:, None]).sum(axis=1)), dtype=values.dtype)


def label_pass(parameters: Parameters, rows: Floats, labels: Integers) -> tuple[float, Parameters]:
    """−log γ of the given clusters, summed over rows, and its gradients by the encoder and the mixture."""
    p = parameters
    hidden, means, free_logs, logs = _encoded(p, rows)
    share, _ = shares(p, means, logs)
    loss = float(-np.log(np.maximum(share[np.arange(len(rows)), labels], 1e-30)).sum())
    # By t: 1 for the right cluster, less the share of each.
    weights = -share
    weights[np.arange(len(rows)), labels] += 1
    on_means, on_logs, gradients = _mixture_gradients(p, means, logs, weights)
    gradients["weights"] = -weights.sum(axis=0)
    gradients |= _encoder_gradients(p, rows, hidden, on_means, on_logs * _inside(free_logs))[0]
    return loss, gradients


def run_pass(parameters: Parameters, rows: Floats, noise: Floats) -> tuple[Losses, Parameters, Floats]:
    """Losses, gradients by the parameters, and those by the rows, which are both input and target.

    Without a mixture among the parameters the network is a plain autoencoder: only reconstruction counts.
    """
    p = parameters
    hidden, means, free_logs, logs = _encoded(p, rows)
    spread = np.exp(0.5 * logs) * noise
    drawn = means + spread
    again = np.tanh(drawn @ p["out"] + p["out_bias"])
    error = again @ p["back"] + p["back_bias"] - rows
    gradients: Parameters = {"back": again.T @ error, "back_bias": error.sum(axis=0)}
    on_again = (error @ p["back"].T) * (1 - again**2)
    gradients |= {"out": drawn.T @ on_again, "out_bias": on_again.sum(axis=0)}
    on_drawn = on_again @ p["out"].T
    on_means, on_logs = on_drawn.copy(), 0.5 * on_drawn * spread
    mixture = entropy = 0.0
    if "means" in p:
        share, rest = shares(p, means, logs)
        by_means, by_logs, own = _mixture_gradients(p, means, logs, share)
        on_means += by_means
        on_logs += by_logs - 0.5
        weights = np.exp(p["weights"] - _log_sum(p["weights"][None])[0])
        gradients |= own | {"weights": len(rows) * weights - share.sum(axis=0)}
        mixture, entropy = float(rest.sum()), float(-0.5 * (1 + logs).sum())
    of_encoder, on_rows = _encoder_gradients(p, rows, hidden, on_means, on_logs * _inside(free_logs))
    losses = Losses(float(0.5 * (error**2).sum()), mixture, entropy)
    return losses, gradients | of_encoder, on_rows - error


def _encoded(p: Parameters, rows: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The hidden layer, latent means, and log variances before and after they are limited."""
    hidden = np.tanh(rows @ p["in"] + p["in_bias"])
    free_logs = hidden @ p["log"] + p["log_bias"]
    return hidden, hidden @ p["mean"] + p["mean_bias"], free_logs, np.clip(free_logs, _LEAST, _MOST)


def _inside(free_logs: Floats) -> NDArray[np.bool_]:
    return (free_logs > _LEAST) & (free_logs < _MOST)


def _mixture_gradients(
    p: Parameters, means: Floats, logs: Floats, weights: Floats
) -> tuple[Floats, Floats, Parameters]:
    """Gradients of Σ weights · t by latent means, log variances and the Gaussians."""
    precision = np.exp(-p["variances"])
    pull = weights @ precision
    totals = weights.sum(axis=0)[:, None]
    first, second = weights.T @ means, weights.T @ (means**2 + np.exp(logs))
    scatter = second - 2 * p["means"] * first + totals * p["means"] ** 2
    return (
        means * pull - weights @ (p["means"] * precision),
        np.asarray(0.5 * np.exp(logs) * pull, dtype=means.dtype),
        {
            "means": precision * (totals * p["means"] - first),
            "variances": 0.5 * (totals - precision * scatter),
        },
    )


def _encoder_gradients(
    p: Parameters, rows: Floats, hidden: Floats, on_means: Floats, on_logs: Floats
) -> tuple[Parameters, Floats]:
    """Gradients by the encoder and by its rows."""
    on_hidden = (on_means @ p["mean"].T + on_logs @ p["log"].T) * (1 - hidden**2)
    gradients = {
        "mean": hidden.T @ on_means,
        "mean_bias": on_means.sum(axis=0),
        "log": hidden.T @ on_logs,
        "log_bias": on_logs.sum(axis=0),
        "in": rows.T @ on_hidden,
        "in_bias": on_hidden.sum(axis=0),
    }
    return gradients, on_hidden @ p["in"].T


class Adam:
    """Kingma and Ba's updates, with their defaults."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._steps: dict[str, int] = {}
        self._first: Parameters = {}
        self._second: Parameters = {}

    def update(self, parameters: Parameters, gradients: Parameters, scale: float = 1.0) -> None:
        """Change the parameters that have gradients in place; `scale` makes sums over rows means."""
        for name, gradient in gradients.items():
            scaled = scale * gradient
            self._steps[name] = steps = self._steps.get(name, 0) + 1
            self._first[name] = 0.9 * self._first.get(name, np.zeros_like(scaled)) + 0.1 * scaled
            self._second[name] = 0.999 * self._second.get(name, np.zeros_like(scaled)) + 0.001 * scaled**2
            first = self._first[name] / (1 - 0.9**steps)
            second = self._second[name] / (1 - 0.999**steps)
            parameters[name] -= (self._rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
        if "variances" in parameters:
            np.clip(parameters["variances"], _LEAST, _MOST, out=parameters["variances"])
