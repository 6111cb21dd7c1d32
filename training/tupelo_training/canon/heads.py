"""The three heads, fitted on mentions with gold labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tupelo.canon.context import Array, Context
from tupelo.canon.forms import VECTOR_BLOCKS, Forms, candidate_pairs, pair_features, possible
from tupelo.canon.heads import RELATION_BLOCKS, TYPE_BLOCKS, relation_features, type_features
from tupelo.canon.words import Pairs
from tupelo.core.canonical import GoldLabels, Slot
from tupelo.nlp.languages.en.naming import DEMONYMS

NOUNS: tuple[Slot, ...] = ("subject", "object")
Arrays = dict[str, Array]
Moments = Mapping[str, tuple[Array, Array]]


def block_moments(context: Context, slots: Sequence[Slot]) -> dict[str, tuple[Array, Array]]:
    """Mean and deviation of every block over all occurrences."""
    moments = {}
    for block in VECTOR_BLOCKS:
        rows = np.concatenate([context.block(block, slot) for slot in slots])
        deviation = rows.std(axis=0)
        moments[block] = (rows.mean(axis=0), np.where(deviation > 0, deviation, 1).astype(np.float32))
    return moments


Pool = tuple[Context, GoldLabels]


def fit_entities(
    context: Context, gold: GoldLabels, documents: Sequence[Pool] = (), *, penalty: float = 3e-4
) -> Arrays:
    """Logistic regression on pairs of forms: one entity or two.

    `context` is of lower-case text. Weights for text with capitals are fitted on `documents` too; these have labels
    (`tupelo_training.canon.documents`) that hold within a document. Without documents both are the same.
    """
    moments = block_moments(context, NOUNS)
    features, same = pool_pairs(context, gold, moments)
    mean, spread = features.mean(axis=0), features.std(axis=0)
    # A feature that no pair has stays without a weight.
    spread = np.where(spread > 1e-3, spread, 1).astype(np.float32)
    weights, bias = logistic((features - mean) / spread, same, penalty)
    others = [document_pairs(*pool, moments) for pool in documents]
    features = np.concatenate([features, *(own for own, _ in others)])
    same = np.concatenate([same, *(own for _, own in others)])
    cased, cased_bias = logistic((features - mean) / spread, same, penalty)
    arrays = {
        "entity.mean": mean,
        "entity.spread": spread,
        "entity.weights": weights,
        "entity.bias": bias,
        "entity.cased": cased - weights,
        "entity.cased_bias": cased_bias - bias,
    }
    for block, (centre, deviation) in moments.items():
        arrays |= {f"entity.mean.{block}": centre, f"entity.deviation.{block}": deviation}
    return arrays


def pool_pairs(context: Context, gold: GoldLabels, moments: Moments) -> tuple[Array, Array]:
    """Features of the pairs of a pool whose labels hold everywhere, and which are one entity."""
    forms = Forms(context, NOUNS, moments)
    pairs = _possible_pairs(forms)
    entity = form_entities(forms, context, gold)
    same = [entity[one] == entity[other] for one, other in zip(*pairs, strict=True)]
    return pair_features(forms, pairs), np.array(same, dtype=np.float32)


def _possible_pairs(forms: Forms) -> Pairs:
    pairs = candidate_pairs(forms)
    kept = possible(forms, pairs)
    return pairs[0][kept], pairs[1][kept]


def document_pairs(context: Context, gold: GoldLabels, moments: Moments) -> tuple[Array, Array]:
    """The same for pairs that some document has both of; places and their adjectives are left out.

    Annotators take *Norway* and *Norwegian* for one in a third of the documents that have both.
    """
    forms = Forms(context, NOUNS, moments)
    entities: list[dict[str, set[str]]] = [{} for _ in forms.texts]
    for slot in NOUNS:
        for form, mention in zip(forms.items[slot].tolist(), context.mentions, strict=True):
            for label in gold[slot][mention.id]:
                document, _, entity = label.partition("\t")
                entities[form].setdefault(document, set()).add(entity)
    chosen, same = [], []
    for one, other in zip(*_possible_pairs(forms), strict=True):
        shared = entities[one].keys() & entities[other].keys()
        adjectives = sum(tuple(forms.texts[form].split()) in DEMONYMS for form in (one, other))
        if shared and adjectives != 1:
            chosen.append((one, other))
            same.append(any(entities[one][document] & entities[other][document] for document in shared))
    pairs = np.array(chosen, dtype=np.int64).reshape(-1, 2)
    return pair_features(forms, (pairs[:, 0], pairs[:, 1])), np.array(same, dtype=np.float32)


def form_entities(forms: Forms, context: Context, gold: GoldLabels) -> list[str]:
    """The most frequent gold entity of every form, the first in the alphabet among equals."""
    votes: list[dict[str, int]] = [{} for _ in forms.texts]
    for slot in NOUNS:
        for form, mention in zip(forms.items[slot].tolist(), context.mentions, strict=True):
            for label in gold[slot][mention.id]:
                votes[form][label] = votes[form].get(label, 0) + 1
    return [min(vote, key=lambda label: (-vote[label], label)) for vote in votes]


def logistic(features: Array, target: Array, penalty: float) -> tuple[Array, Array]:
    x, y = torch.from_numpy(features), torch.from_numpy(target)
    weights, bias = torch.zeros(x.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    minimise(
        [weights, bias],
        lambda: functional.binary_cross_entropy_with_logits(x @ weights + bias, y) + penalty * (weights**2).sum(),
    )
    return weights.detach().numpy(), bias.detach().numpy()


def minimise(parameters: Sequence[Tensor], loss_of: object, steps: int = 200) -> None:
    optimizer = torch.optim.LBFGS(list(parameters), max_iter=steps, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = loss_of()  # type: ignore[operator]
        loss.backward()
        return loss

    optimizer.step(closure)


def fit_relations(
    context: Context,
    gold: GoldLabels,
    *,
    penalty: float = 1e-4,
    steps: int = 120,
    classes: Sequence[str] | None = None,
) -> Arrays:
    """Multinomial logistic regression on the states of the whole triple."""
    arrays: Arrays = {f"relation.mean.{name}": context.block(name).mean(axis=0) for name in RELATION_BLOCKS}
    labels = [min(gold["relation"][mention.id]) for mention in context.mentions]
    names = list(classes) if classes is not None else sorted(set(labels))
    x = torch.from_numpy(relation_features(context, arrays))
    y = torch.tensor([names.index(label) for label in labels])
    weights = torch.zeros(x.shape[1], len(names), requires_grad=True)
    bias = torch.zeros(len(names), requires_grad=True)
    minimise(
        [weights, bias],
        lambda: functional.cross_entropy(x @ weights + bias, y) + penalty * (weights**2).sum(),
        steps,
    )
    return arrays | {"relation.weights": weights.detach().numpy(), "relation.bias": bias.detach().numpy()}


def fit_types(
    context: Context,
    gold: GoldLabels,
    *,
    size: int = 128,
    steps: int = 150,
    rate: float = 3e-3,
    decay: float = 1e-3,
    dropout: float = 0.2,
    temperature: float = 0.1,
    batch: int = 700,
    seed: int = 0,
) -> Arrays:
    """A projection by supervised contrast (Khosla et al. 2020), positives weighted by how many classes they share."""
    arrays: Arrays = {
        f"type.mean.{slot}.{name}": context.block(name, slot).mean(axis=0) for slot in NOUNS for name in TYPE_BLOCKS
    }
    for slot in NOUNS:
        own = context.block("own:6", slot)
        arrays |= {f"type.own.mean.{slot}": own.mean(axis=0), f"type.own.deviation.{slot}": own.std(axis=0) + 1e-6}
    x = torch.from_numpy(np.concatenate([type_features(context, slot, arrays) for slot in NOUNS]))
    sets = [gold[f"{slot}-type"][mention.id] for slot in NOUNS for mention in context.mentions]
    alike = torch.from_numpy(class_overlap(sets))
    random = torch.Generator().manual_seed(seed)
    projection = torch.randn(x.shape[1], size, generator=random) / x.shape[1] ** 0.5
    projection.requires_grad_()
    optimizer = torch.optim.AdamW([projection], lr=rate, weight_decay=decay)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - step / steps)
        rows = torch.randperm(len(x), generator=random)[:batch]
        keep = (torch.rand(len(rows), x.shape[1], generator=random) >= dropout).float() / (1 - dropout)
        embedded = functional.normalize((x[rows] * keep) @ projection, dim=1)
        likeness = embedded @ embedded.T / temperature
        likeness = likeness.masked_fill(torch.eye(len(rows), dtype=torch.bool), -1e9)
        wanted = alike[rows][:, rows]
        total = wanted.sum(dim=1, keepdim=True)
        losses = -(wanted / total.clamp_min(1e-9) * torch.log_softmax(likeness, dim=1)).sum(dim=1)
        loss = losses[total[:, 0] > 0].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return arrays | {"type.projection": projection.detach().numpy()}


def class_overlap(sets: Sequence[frozenset[str]]) -> NDArray[np.float32]:
    """Jaccard's index of the classes of every two items, 0 on the diagonal."""
    names = {label: number for number, label in enumerate(sorted(set().union(*sets)))}
    table = np.zeros((len(sets), len(names)), dtype=np.float32)
    for row, labels in enumerate(sets):
        table[row, [names[label] for label in labels]] = 1
    shared = table @ table.T
    sizes = table.sum(axis=1)
    overlap = shared / (sizes[:, None] + sizes[None] - shared)
    np.fill_diagonal(overlap, 0)
    return overlap


def fit_all(context: Context, gold: GoldLabels, documents: Sequence[Pool] = ()) -> Arrays:
    return fit_entities(context, gold, documents) | fit_relations(context, gold) | fit_types(context, gold)


def as_shipped(arrays: Mapping[str, Array]) -> Arrays:
    """The form in which they are written: large matrices in half precision, the rest as it is."""
    return {
        name: array.astype(np.float16 if array.ndim == 2 else np.float32) for name, array in sorted(arrays.items())
    }
