"""A variational autoencoder whose latent space is a mixture of Gaussians (VaDE: Jiang et al., IJCAI 2017), in torch.

For a row x with latent mean m and log variance s (both from the encoder), a latent z = m + e^{s/2} ε drawn from it,
and a mixture with weights π_c, means μ_c and variances v_c, the loss is

    ½ |x − decoded(z)|²  +  Σ_c γ_c (t_c − log(π_c / γ_c))  −  ½ Σ_j (1 + s_j)
    with  t_c = ½ Σ_j (log v_cj + e^{s_j} / v_cj + (m_j − μ_cj)² / v_cj)

and γ_c, the share of cluster c, its probability given z: γ_c ∝ π_c Π_j v_cj^{−½} e^{−(z_j − μ_cj)² / 2 v_cj}. Shares
that are computed from m and s instead make the loss smaller, but the encoder then separates clusters by s: the
latents blur, and wide clusters absorb the rest. Before that, an encoder is trained on a partition: the loss of a row
whose cluster is l is −log γ_l. The rows themselves are trained too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo.canon.methods import no_progress
from tupelo.core.progress import Advance
from tupelo_training.canon.embedded import corrupt
from tupelo_training.canon.side import SidePairs, TrainingData, principal
from tupelo_training.canon.vocabulary import KINDS, Floats, Integers

if TYPE_CHECKING:
    from tupelo_training.canon.autoencoded import AutoencoderOptions

# Bounds of log variances; without them, a cluster of one point would shrink to nothing.
_LEAST, _MOST = -10.0, 4.0
# Rows per batch of assignments.
_ROWS = 1024


class MixtureAutoencoder(nn.Module):
    """Encoder, decoder and mixture. Every Gaussian starts as a cluster of a partition of latent vectors.

    Its mean is that of its rows, its variance that of all rows, times `spread`.
    """

    def __init__(self, size: int, hidden: int, start: Floats, labels: Integers, spread: float = 1.0) -> None:
        super().__init__()
        latent = start.shape[1]
        self.inward = nn.Linear(size, hidden)
        self.mean, self.log = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.outward, self.back = nn.Linear(latent, hidden), nn.Linear(hidden, size)
        for layer in (self.inward, self.mean, self.log, self.outward, self.back):
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)
        # Small variances at first: the autoencoder learns to decode before it learns to blur.
        nn.init.constant_(self.log.bias, -6)
        with torch.no_grad():
            self.log.weight *= 0.1
        vectors, numbers = torch.from_numpy(start), torch.from_numpy(labels)
        sizes = numbers.bincount()
        sums = torch.zeros(len(sizes), latent).index_add(0, numbers, vectors)
        variance = torch.log(spread * vectors.var(dim=0, correction=0) + 1e-4)
        self.means = nn.Parameter(sums / sizes[:, None])
        self.variances = nn.Parameter(variance.repeat(len(sizes), 1))
        self.weights = nn.Parameter(torch.log(sizes / sizes.sum()))

    def encode(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Latent means and log variances."""
        hidden = torch.tanh(self.inward(rows))
        return self.mean(hidden), self.log(hidden).clamp(_LEAST, _MOST)

    def distances(self, means: Tensor, logs: Tensor | None = None) -> Tensor:
        """t of every row and cluster, squares multiplied out to matrix products; without `logs`, that of points."""
        precision = torch.exp(-self.variances)
        squares = means.square() if logs is None else means.square() + logs.exp()
        squared = squares @ precision.T - 2 * means @ (self.means * precision).T
        return 0.5 * (squared + (self.means.square() * precision + self.variances).sum(dim=1))

    def log_shares(self, latents: Tensor) -> Tensor:
        """log γ of every row and cluster."""
        return functional.log_softmax(self.weights - self.distances(latents), dim=1)

    def label_loss(self, rows: Tensor, labels: Tensor, noise: Tensor) -> Tensor:
        """−log γ of the given clusters, the mean over rows."""
        means, logs = self.encode(rows)
        return functional.nll_loss(self.log_shares(means + torch.exp(0.5 * logs) * noise), labels)

    def soft_means(self, rows: Tensor) -> Tensor:
        """The means of the clusters of each row, weighted by its shares: gradients reach the row itself."""
        return self.log_shares(self.encode(rows)[0]).exp() @ self.means

    def loss(self, rows: Tensor, noise: Tensor) -> Tensor:
        """The loss above, the mean over rows, which are both input and target."""
        means, logs = self.encode(rows)
        drawn = means + torch.exp(0.5 * logs) * noise
        error = self.back(torch.tanh(self.outward(drawn))) - rows
        shares = self.log_shares(drawn)
        costs = self.distances(means, logs) - functional.log_softmax(self.weights, dim=0) + shares
        total: Tensor = 0.5 * error.square().sum() + (shares.exp() * costs).sum() - 0.5 * (1 + logs).sum()
        return total / len(rows)

    @torch.no_grad()
    def assign(self, rows: Tensor) -> Tensor:
        """The likeliest cluster of every row."""
        return torch.cat([self.log_shares(self.encode(some)[0]).argmax(dim=1) for some in rows.split(_ROWS)])

    def keep_encoder(self) -> None:
        """From now on only the decoder and the mixture are trained."""
        for layer in (self.inward, self.mean, self.log):
            layer.requires_grad_(False)


def choice_loss(entities: Tensor, relations: Tensor, true: Tensor, false: Tensor) -> Tensor:
    """The mean of −log of the share of each true triple (n, 3) among itself and its false ones (n, k, 3).

    Triples are rows of the two tables of vectors. Shares are a softmax of HolE's scores r · (s ⋆ o).
    """
    subject, relation, object_ = torch.cat([true[:, None], false], dim=1).unbind(dim=2)
    ones, others = torch.fft.rfft(entities[subject]), torch.fft.rfft(entities[object_])
    correlated = torch.fft.irfft(ones.conj() * others, entities.shape[1])
    scores = (relations[relation] * correlated).sum(dim=2)
    return -functional.log_softmax(scores, dim=1)[:, 0].mean()


class _Side:
    """Side information of one kind: pairs of rows that should be near each other."""

    def __init__(self, pairs: SidePairs, device: torch.device) -> None:
        self._ends = torch.from_numpy(np.stack([pairs.left, pairs.right])).to(device)
        self._weights = torch.from_numpy(pairs.weights).to(device)

    def loss(self, rows: nn.Embedding, count: int) -> Tensor:
        """The weighted mean of squared distances inside some of the pairs, or in all if there are no more."""
        some = torch.randperm(len(self._weights), device=self._weights.device)[:count]
        one, other = rows(self._ends[:, some])
        total: Tensor = (self._weights[some] * (one - other).square().sum(dim=1)).sum()
        return total / max(1, len(some))


def train_clusters(
    data: TrainingData,
    start: dict[str, Integers],
    options: AutoencoderOptions,
    *,
    seed: int,
    advance: Advance = no_progress,
) -> dict[str, Integers]:
    """Cluster numbers of all entity and relation forms, from the partitions in `start`; progress by epochs."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        training = _Training(data, start, options, np.random.default_rng(seed), device)
        for _ in range(options.first_epochs):
            training.teach_partition()
            advance(1)
        training.begin_second_stage()
        for _ in range(options.epochs):
            training.reconstruct()
            advance(1)
        return training.clusters()


class _Training:
    """One network for every kind of form, its rows, and how they are updated."""

    def __init__(
        self,
        data: TrainingData,
        start: dict[str, Integers],
        options: AutoencoderOptions,
        random: np.random.Generator,
        device: torch.device,
    ) -> None:
        self._options, self._random, self._device = options, random, device
        self._labels = {kind: torch.from_numpy(labels).to(device) for kind, labels in start.items()}
        self._side = {kind: _Side(data.pairs[kind], device) for kind in start if options.side}
        self._triples = torch.from_numpy(np.unique(data.vocabulary.triples, axis=0)).to(device)
        self._rows, self._networks = {}, {}
        for kind, labels in start.items():
            vectors = data.vectors[kind] * np.float32(np.sqrt(data.vectors[kind].shape[1]))
            network = MixtureAutoencoder(
                vectors.shape[1], options.hidden, principal(vectors, options.latent), labels, options.spread
            )
            self._networks[kind] = network.to(device)
            # Rows change with the batches that they are in.
            rows = nn.Embedding.from_pretrained(torch.from_numpy(vectors), freeze=False, sparse=True)
            self._rows[kind] = rows.to(device)
        self._optimizers = self._make_optimizers(options.first_rate)

    def teach_partition(self) -> None:
        """An epoch of the first stage."""
        for kind, network in self._networks.items():
            for batch in self._batches(len(self._labels[kind])):
                rows = self._rows[kind](batch)
                self._step(kind, network.label_loss(rows, self._labels[kind][batch], self._noise(len(batch))))

    def begin_second_stage(self) -> None:
        for network in self._networks.values():
            network.keep_encoder()
        self._optimizers = self._make_optimizers(self._options.rate)

    def reconstruct(self) -> None:
        """An epoch of the second stage."""
        for kind, network in self._networks.items():
            for batch in self._batches(len(self._labels[kind])):
                self._step(kind, network.loss(self._rows[kind](batch), self._noise(len(batch))))
        if self._options.structure:
            for batch in self._batches(len(self._triples)):
                self._update(self._options.structure * self._structure(self._triples[batch]))

    def clusters(self) -> dict[str, Integers]:
        return {
            kind: network.assign(self._rows[kind].weight).cpu().numpy() for kind, network in self._networks.items()
        }

    def _make_optimizers(self, rate: float) -> tuple[torch.optim.Optimizer, ...]:
        networks = [parameter for network in self._networks.values() for parameter in network.parameters()]
        tables = [table.weight for table in self._rows.values()]
        return torch.optim.Adam(networks, lr=rate), torch.optim.SparseAdam(tables, lr=rate)

    def _batches(self, count: int) -> tuple[Tensor, ...]:
        order: tuple[Tensor, ...] = torch.randperm(count, device=self._device).split(self._options.batch)
        return order

    def _noise(self, rows: int) -> Tensor:
        return torch.randn(rows, self._options.latent, device=self._device)

    def _step(self, kind: str, loss: Tensor) -> None:
        if kind in self._side:
            loss = loss + self._options.side * self._side[kind].loss(self._rows[kind], self._options.batch)
        self._update(loss)

    def _update(self, loss: Tensor) -> None:
        for optimizer in self._optimizers:
            optimizer.zero_grad()
        loss.backward()
        for optimizer in self._optimizers:
            optimizer.step()
        with torch.no_grad():
            for network in self._networks.values():
                network.variances.clamp_(_LEAST, _MOST)

    def _structure(self, triples: Tensor) -> Tensor:
        """The structure loss over soft means of clusters: true triples should score higher than corrupted ones."""
        false = corrupt(triples.cpu().numpy(), self._options.negatives, len(self._labels["entity"]), self._random)
        both = torch.cat([triples[:, None], torch.from_numpy(false).to(self._device)], dim=1)
        vectors, numbers = {}, {}
        for kind, columns in zip(KINDS, ([0, 2], [1]), strict=True):
            # A form that several triples of the batch share is encoded once.
            forms, numbers[kind] = both[:, :, columns].unique(return_inverse=True)
            vectors[kind] = self._networks[kind].soft_means(self._rows[kind](forms))
        placed = torch.stack(
            [numbers["entity"][..., 0], numbers["relation"][..., 0], numbers["entity"][..., 1]], dim=2
        )
        return choice_loss(vectors["entity"], vectors["relation"], placed[:, 0], placed[:, 1:])
