"""A variational autoencoder whose latent space is a mixture of Gaussians (VaDE: Jiang et al., IJCAI 2017).

For a row x with latent mean m and log variance s (both from the encoder), a latent z = m + e^{s/2} ε drawn from it,
and a mixture with weights π_c, means μ_c and variances v_c, the loss is

    ½ |x − decoded(z)|²  +  Σ_c γ_c (t_c − log(π_c / γ_c))  −  ½ Σ_j (1 + s_j)
    with  t_c = ½ Σ_j (log v_cj + e^{s_j} / v_cj + (m_j − μ_cj)² / v_cj)

and γ_c, the share of cluster c, its probability given z: γ_c ∝ π_c Π_j v_cj^{−½} e^{−(z_j − μ_cj)² / 2 v_cj}. Shares
that are taken from m and s instead make this less, but teach the encoder to tell clusters by s: the latents then
blur, and wide clusters swallow the others. The rows themselves may be trained too. Before that, an encoder is taught
a partition: the loss of a row whose cluster is l is −log γ_l. Everything is numpy; gradients are written out and
checked against differences in tests.
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


def distances_to_clusters(parameters: Parameters, means: Floats, logs: Floats | None = None) -> Floats:
    """t of every row and cluster, squares multiplied out to three matrix products; without `logs`, that of points."""
    precision = np.exp(-parameters["variances"])
    centres = parameters["means"]
    squares = means**2 if logs is None else means**2 + np.exp(logs)
    squared = squares @ precision.T - 2 * means @ (centres * precision).T
    constant = (centres**2 * precision + parameters["variances"]).sum(axis=1)
    return np.asarray(0.5 * (squared + constant), dtype=means.dtype)


def log_shares(parameters: Parameters, latents: Floats) -> Floats:
    """log γ of every row and cluster."""
    scores = parameters["weights"] - distances_to_clusters(parameters, latents)
    return np.asarray(scores - _log_sum(scores)[:, None], dtype=latents.dtype)


def _log_sum(values: Floats) -> Floats:
    highest = values.max(axis=1)
    return np.asarray(highest + np.log(np.exp(values - highest[:, None]).sum(axis=1)), dtype=values.dtype)


def label_pass(
    parameters: Parameters, rows: Floats, labels: Integers, noise: Floats
) -> tuple[float, Parameters, Floats]:
    """−log γ of the given clusters, summed over rows, and its gradients by encoder and mixture and by the rows."""
    p = parameters
    hidden, means, free_logs, logs = _encoded(p, rows)
    spread = np.exp(0.5 * logs) * noise
    share = log_shares(p, means + spread)
    places = np.arange(len(rows)), labels
    loss = float(-share[places].sum())
    # By t: 1 for the right cluster, less the share of each.
    weights = -np.exp(share)
    weights[places] += 1
    on_latents, gradients = _mixture_gradients(p, means + spread, weights)
    gradients["weights"] = -weights.sum(axis=0)
    on_logs = 0.5 * on_latents * spread * _inside(free_logs)
    of_encoder, on_rows = _encoder_gradients(p, rows, hidden, on_latents, on_logs)
    return loss, gradients | of_encoder, on_rows


def run_pass(parameters: Parameters, rows: Floats, noise: Floats) -> tuple[Losses, Parameters, Floats]:
    """Losses, gradients by the parameters, and those by the rows, which are both input and target."""
    p = parameters
    hidden, means, free_logs, logs = _encoded(p, rows)
    spread = np.exp(0.5 * logs) * noise
    drawn = means + spread
    again = np.tanh(drawn @ p["out"] + p["out_bias"])
    error = again @ p["back"] + p["back_bias"] - rows
    gradients: Parameters = {"back": again.T @ error, "back_bias": error.sum(axis=0)}
    on_again = (error @ p["back"].T) * (1 - again**2)
    gradients |= {"out": drawn.T @ on_again, "out_bias": on_again.sum(axis=0)}
    # The mixture: by t of the row, and through the shares by t of what was drawn.
    log_share = log_shares(p, drawn)
    share = np.exp(log_share)
    log_weights = p["weights"] - _log_sum(p["weights"][None])[0]
    costs = distances_to_clusters(p, means, logs) - log_weights + log_share
    push = share * (costs - (share * costs).sum(axis=1, keepdims=True))
    by_means, own = _mixture_gradients(p, means, share, logs)
    by_drawn, through = _mixture_gradients(p, drawn, -push)
    gradients |= {name: own[name] + through[name] for name in own}
    gradients["weights"] = len(rows) * np.exp(log_weights) + (push - share).sum(axis=0)
    on_drawn = on_again @ p["out"].T + by_drawn
    on_logs = 0.5 * (on_drawn * spread + np.exp(logs) * (share @ np.exp(-p["variances"])) - 1)
    of_encoder, on_rows = _encoder_gradients(p, rows, hidden, on_drawn + by_means, on_logs * _inside(free_logs))
    losses = Losses(float(0.5 * (error**2).sum()), float((share * costs).sum()), float(-0.5 * (1 + logs).sum()))
    return losses, gradients | of_encoder, on_rows - error


def _encoded(p: Parameters, rows: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The hidden layer, latent means, and log variances before and after they are limited."""
    hidden = np.tanh(rows @ p["in"] + p["in_bias"])
    free_logs = hidden @ p["log"] + p["log_bias"]
    return hidden, hidden @ p["mean"] + p["mean_bias"], free_logs, np.clip(free_logs, _LEAST, _MOST)


def _inside(free_logs: Floats) -> NDArray[np.bool_]:
    return (free_logs > _LEAST) & (free_logs < _MOST)


def _mixture_gradients(
    p: Parameters, means: Floats, weights: Floats, logs: Floats | None = None
) -> tuple[Floats, Parameters]:
    """Gradients of Σ weights · t by means and by the Gaussians."""
    precision = np.exp(-p["variances"])
    squares = means**2 if logs is None else means**2 + np.exp(logs)
    totals = weights.sum(axis=0)[:, None]
    first, second = weights.T @ means, weights.T @ squares
    scatter = second - 2 * p["means"] * first + totals * p["means"] ** 2
    return means * (weights @ precision) - weights @ (p["means"] * precision), {
        "means": precision * (totals * p["means"] - first),
        "variances": 0.5 * (totals - precision * scatter),
    }


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
        self._moments: dict[str, tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]] = {}

    def update(self, parameters: Parameters, gradients: Parameters) -> None:
        """Change the parameters that have gradients in place."""
        for name, gradient in gradients.items():
            self.update_rows(name, parameters[name], slice(None), gradient)
        if "variances" in parameters:
            np.clip(parameters["variances"], _LEAST, _MOST, out=parameters["variances"])

    def update_rows(self, name: str, table: Floats, places: Integers | slice, gradient: Floats) -> None:
        """Change some rows of a table, each with a count of steps of its own."""
        if name not in self._moments:
            steps = np.zeros((len(table), *(1,) * (table.ndim - 1)), dtype=np.float32)
            self._moments[name] = np.zeros_like(table), np.zeros_like(table), steps
        first, second, steps = self._moments[name]
        steps[places] += 1
        first[places] += np.float32(0.1) * (gradient - first[places])
        second[places] += np.float32(0.001) * (gradient**2 - second[places])
        count = steps[places]
        size = np.sqrt(second[places] / (1 - np.float32(0.999) ** count)) + np.float32(1e-8)
        table[places] -= np.float32(self._rate) * first[places] / ((1 - np.float32(0.9) ** count) * size)
