"""Skip-gram with negative sampling on arbitrary pairs, as word2vecf does it (Levy and Goldberg 2014).

For a pair (t, c) and contexts n drawn at random, the target's vector w and the contexts' vectors v move along the
gradient of

    log σ(w·v_c) + Σ log σ(-w·v_n)

by a step that falls linearly from `rate` to a ten-thousandth of it. Targets start at random within ±1/(2·size) or
from given vectors, contexts at zero. Targets and contexts have their own names and their own vectors. Contexts are
drawn by their count to the power of `smoothing`; one that is the pair's own context is skipped. Pairs are drawn at
random too, in proportion to their counts: memory grows with the distinct pairs and names, not with their counts.

Compiled with numba (the extra `scale`): pairs one after the other, and with several threads over slices of them that
write to the same vectors without locks (Hogwild, Niu et al. 2011). With one thread the same seed gives the same
bytes. Without numba, batches of pairs are updated together in numpy, which is slower and a little less exact.

Vectors may start from those of an encoder. In a small corpus most phrases have too few contexts to be distinguished
by them: vectors of rare phrases stay near those of the encoder, vectors of frequent ones follow their contexts. For
relations, preposition, voice and negation get directions of their own, because encoders hardly distinguish them:
*immigrated to*, *immigrated from*; *portrays*, *is portrayed by*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Thread
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.numeric import sigmoid
from tupelo.core.parameters import Count, Seed, Spelled, Whole
from tupelo.core.progress import Advance
from tupelo.core.vectors import Floats32, Vectors, unit_rows
from tupelo.nlp.encoder import Encoder
from tupelo.relations.phrases import read_phrase
from tupelo_training.canon.side import principal
from tupelo_training.canon.untrained import word_vector
from tupelo_training.embed.pairs import Ints, PairTable


@dataclass(frozen=True, slots=True, eq=False)
class AliasTable:
    """Column i keeps itself with probability `keep[i]` and stands for `other[i]` otherwise."""

    keep: NDArray[np.float64]
    other: NDArray[np.int32]

    def draw(self, random: np.random.Generator, count: int) -> NDArray[np.int32]:
        columns = random.integers(0, len(self.keep), count)
        return np.where(random.random(count) < self.keep[columns], columns, self.other[columns]).astype(np.int32)


def smoothed(counts: NDArray[np.int64], power: float) -> NDArray[np.float64]:
    """Probabilities from counts raised to a power: 0.75 gives rare contexts more than their share."""
    raised = counts.astype(np.float64) ** power
    return np.asarray(raised / raised.sum(), dtype=np.float64)


def alias_table(probabilities: NDArray[np.float64]) -> AliasTable:
    """The table for probabilities that add up to 1."""
    size = len(probabilities)
    keep, other = probabilities * size, np.arange(size, dtype=np.int32)
    small, large = np.flatnonzero(keep < 1).tolist(), np.flatnonzero(keep >= 1).tolist()
    while small and large:
        poor, rich = small.pop(), large[-1]
        other[poor] = rich
        keep[rich] -= 1 - keep[poor]
        if keep[rich] < 1:
            small.append(large.pop())
    # The rest differs from 1 by rounding only.
    for column in (*small, *large):
        keep[column] = 1.0
    return AliasTable(keep, other)


SMALLEST_RATE = 1e-4
DEFAULT_SIZE = 500
# Pairs per sample, and between two reports of progress.
SLICE = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipGramOptions:
    """Training options. The defaults are those of the relation embeddings in Levy and Dagan's supplement."""

    size: Annotated[Count | None, "Numbers per vector. [default: 500; those of the encoder to start from]"] = None
    negatives: Annotated[Whole, "Random contexts per pair."] = 1
    smoothing: Annotated[float, "Power of a context's count."] = 0.75
    iterations: Annotated[Count, "Passes over the pairs."] = 10
    sample: Annotated[Count | None, Spelled.of("N"), "Pairs drawn in a pass. [default: all]"] = None
    rate: Annotated[float, "Initial learning rate."] = 0.025
    seed: Annotated[Seed, "For every random number."] = 1
    threads: Annotated[Count, "With one, the same seed gives the same bytes."] = 1
    compiled: bool | None = None  # None: if numba is installed

    def __post_init__(self) -> None:
        for name in ("size", "iterations", "sample", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"{name} is {value}, expected at least 1")
        if self.negatives < 0 or self.rate <= 0:
            raise InputError("expected a rate above 0 and no fewer than 0 negatives")


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors of targets, the result proper, and of the contexts that they were learned with."""

    targets: Vectors
    contexts: Vectors
    pairs: int

    def to_dict(self) -> dict[str, int]:
        """The output of `tupelo embed --json`."""
        counts = {"targets": len(self.targets), "contexts": len(self.contexts), "pairs": self.pairs}
        return {**counts, "size": self.targets.size}

    def __str__(self) -> str:
        return "{targets:,} vectors of {size} numbers, from {pairs:,} pairs with {contexts:,} contexts".format(
            **self.to_dict()
        )


def train(
    table: PairTable, options: SkipGramOptions, advance: Advance | None = None, *, start: Floats32 | None = None
) -> Embeddings:
    """Vectors for all targets and contexts of a table; `start` has a row for each target to start from."""
    compiled = has_numba() if options.compiled is None else options.compiled
    if compiled and not has_numba():
        from tupelo.core import MissingExtraError

        raise MissingExtraError("compiled training", "scale")
    if options.threads > 1 and not compiled:
        raise InputError("several threads need compiled training: pip install 'tupelo[scale]'")
    targets = random_start(len(table.targets), options) if start is None else start.copy()
    contexts = np.zeros((len(table.contexts), targets.shape[1]), dtype=np.float32)
    aliases = alias_table(smoothed(table.context_counts, options.smoothing))
    random = np.random.default_rng([options.seed, 1])
    states = random.integers(1, 2**62, options.threads, dtype=np.uint64)
    run = _run_compiled if compiled else _run_plain
    ends = np.cumsum(table.counts)
    total = options.iterations * drawn_pairs(table, options)
    for done in range(0, total, SLICE):
        count = min(SLICE, total - done)
        # In proportion to the counts, without expanding them.
        drawn = np.searchsorted(ends, random.integers(0, ends[-1], count), side="right")
        pairs = table.target[drawn], table.context[drawn]
        run(Job(pairs, (targets, contexts), aliases, options, done, total, states))
        if advance is not None:
            advance(count)
    return Embeddings(
        Vectors(table.targets, targets, tuple(table.target_counts.tolist())),
        Vectors(table.contexts, contexts, tuple(table.context_counts.tolist())),
        table.total,
    )


def drawn_pairs(table: PairTable, options: SkipGramOptions) -> int:
    """The number of pairs in an iteration."""
    return table.total if options.sample is None else min(options.sample, table.total)


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A slice of the work: pairs in order, the vectors that they update, progress, random states of threads."""

    pairs: tuple[Ints, Ints]
    vectors: tuple[Floats32, Floats32]
    aliases: AliasTable
    options: SkipGramOptions
    done: int
    total: int
    states: NDArray[np.uint64]

    def rate_at(self, done: int) -> float:
        """The learning rate after `done` pairs."""
        return self.options.rate * max(1 - done / self.total, SMALLEST_RATE)


def random_start(targets: int, options: SkipGramOptions) -> Floats32:
    """Small random vectors."""
    size = options.size or DEFAULT_SIZE
    random = np.random.default_rng([options.seed, 0])
    return (random.random((targets, size), dtype=np.float32) - np.float32(0.5)) / np.float32(size)


def has_numba() -> bool:
    """Whether training can be compiled."""
    from importlib.util import find_spec

    return find_spec("numba") is not None


def _run_compiled(job: Job) -> None:
    """Train on the pairs with all threads."""
    from tupelo_training.embed.compiled import learn

    size = len(job.pairs[0])
    rate = job.rate_at(job.done)
    step = (rate - job.rate_at(job.done + size)) / size
    cuts = np.linspace(0, size, job.options.threads + 1).astype(int).tolist()
    works = [
        (
            job.pairs,
            (first, last),
            job.vectors,
            (job.aliases.keep, job.aliases.other),
            job.options.negatives,
            (rate - step * first, step),
            job.states,
            number,
        )
        for number, (first, last) in enumerate(pairwise(cuts))
    ]
    threads = [Thread(target=learn, args=work) for work in works[1:]]
    for thread in threads:
        thread.start()
    learn(*works[0])
    for thread in threads:
        thread.join()


def _run_plain(job: Job) -> None:
    random = np.random.default_rng([int(job.states[0]), job.done])
    for start in range(0, len(job.pairs[0]), BATCH):
        target, context = (side[start : start + BATCH] for side in job.pairs)
        drawn = job.aliases.draw(random, len(target) * job.options.negatives).reshape(len(target), -1)
        learn_batch(*job.vectors, target, context, drawn, job.rate_at(job.done + start))


# Larger batches are faster, but pairs of one batch do not see each other's updates.
BATCH = 256


def learn_batch(targets: Floats32, contexts: Floats32, target: Ints, context: Ints, drawn: Ints, rate: float) -> None:
    """Move the vectors of a batch. `drawn` has the random contexts of each pair in a row."""
    offered = np.concatenate([context[:, None], drawn], axis=1)
    own, others = targets[target], contexts[offered]
    labels = np.zeros(offered.shape, dtype=np.float32)
    labels[:, 0] = 1
    errors = labels - sigmoid(np.einsum("bd,bkd->bk", own, others))
    # A random context that is the pair's own is ignored.
    errors[:, 1:][drawn == context[:, None]] = 0
    errors = (rate * errors).astype(np.float32)
    np.add.at(targets, target, np.einsum("bk,bkd->bd", errors, others))
    np.add.at(contexts, offered, errors[:, :, None] * own[:, None, :])


# Chosen by the neighbours of 157 names. The same contexts move a longer vector less.
LENGTH = 2.0
PREPOSITION, VOICE, NEGATION = 0.45, 0.3, 0.8


def encoded_start(
    names: Sequence[str], encoder: Encoder, size: int | None = None, *, relations: bool = False
) -> Floats32:
    """A row for each name: its direction from the mean of all, in the `size` directions that differ most."""
    rows = np.asarray(encoder.encode(names), dtype=np.float32)
    width = rows.shape[1]
    if size is not None and size > width:
        raise InputError(f"vectors of {size} numbers, expected at most the {width} of the encoder")
    rows = unit_rows(rows - rows.mean(axis=0))
    if relations:
        rows += form_directions(names, width)
    if size is not None and size < width:
        rows = principal(rows, size)
    return np.asarray(LENGTH * rows, dtype=np.float32)


def form_directions(names: Sequence[str], size: int) -> Floats32:
    """The directions of the preposition, voice and negation of each relation."""
    made: dict[str, Floats32] = {}
    rows = np.zeros((len(names), size), dtype=np.float32)
    for number, name in enumerate(names):
        for mark, weight in _marks(name):
            direction = word_vector(mark, vectors={}, size=size, seed=0, made=made)
            rows[number] += np.float32(weight) * direction / np.linalg.norm(direction)
    return rows


def _marks(name: str) -> Iterator[tuple[str, float]]:
    phrase = read_phrase(name)
    yield ("passive" if phrase.passive else "active"), VOICE
    if phrase.preposition is not None:
        yield f"preposition {phrase.preposition}", PREPOSITION
    if phrase.negated:
        yield "negated", NEGATION
