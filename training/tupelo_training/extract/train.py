"""Trains the judge of tuples: is it right, does it say something, does a reader of all candidates sign it?

    python -m tupelo_training.extract.train --output src/tupelo/models/en-extract \
        --texts DATA/ud_ewt/en_ewt-{dev,test}.conllu.gz DATA/claims/factcg.jsonl.gz

Reads the train and dev parts of the judged set. Five folds by document give probabilities of tuples that the network
has not seen: the figures that are printed, and the scale that turns the outputs into probabilities. The shipped
networks learn from both parts. The test part is not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch.nn import functional

import tupelo
from tupelo.api.text import Toolkit
from tupelo.core import Analysis, Argument, Extraction
from tupelo.core.numeric import sigmoid
from tupelo.extract.judge import repeated
from tupelo.extract.judge.features import NAMES, features_of
from tupelo.extract.judge.network import FORMAT, WEIGHTS, WIDEST, vectors_of
from tupelo.extract.parts import role_of
from tupelo.extract.rules import RuleExtractor
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import RULES, rewrites
from tupelo_training.calibration import calibration_bins, calibration_error
from tupelo_training.extract.network import MEMBERS, Array, JudgeNetwork, logits_of
from tupelo_training.judged.readings import referenced_texts
from tupelo_training.judged.stored import FOLDER, JudgedTuple, read_judged
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.support.calibrate import fitted

VERSION = "3.0.0"
FOLDS = 5
HIDDEN = 48
# Right, informative, signed.
OUTPUTS = 3
BATCH = 512
EPOCHS = 12
LEARNING_RATE = 4e-3
DECAY = 0.1
# What is shown.
LEAST = 0.6
# Steps of the confidence before they become tenths, at most.
STEPS = 20
# Rewrites of each judged sentence, at most.
REWRITES = 1
# Rows without vectors and certainty, so that tuples of parsers that give neither can be judged, too.
BLIND = 0.1
CERTAINTY = [place for place, name in enumerate(NAMES) if name.startswith("certain-")]


@dataclass(frozen=True, slots=True)
class Rows:
    """Judged tuples as arrays. `informative` counts only where `right` is 1, `signed` only where `known` is.

    A reader signs a set of tuples: those that are good and that no good one repeats with more words.
    """

    features: Array
    vectors: Array
    right: Array
    informative: Array
    signed: Array
    known: Array
    documents: NDArray[np.str_]

    def of(self, chosen: NDArray[np.bool_]) -> Rows:
        return Rows(*(getattr(self, name)[chosen] for name in self.__slots__))

    def with_rows(self, others: Rows) -> Rows:
        pairs = ((getattr(self, name), getattr(others, name)) for name in self.__slots__)
        return Rows(*(np.concatenate(pair) for pair in pairs))


class Sentence(NamedTuple):
    """A sentence as the rules read it, its tuples with what readers said of them, and tuples that nobody read."""

    tree: DependencyTree
    read: list[tuple[Extraction, JudgedTuple]]
    unread: list[Extraction]


def by_sentence(judged: Sequence[JudgedTuple]) -> dict[str, list[JudgedTuple]]:
    """Judged tuples by the text of their sentence; those whose text is not here are left out."""
    found: dict[str, list[JudgedTuple]] = {}
    for item in judged:
        if item.document.text is not None:
            found.setdefault(item.document.text[item.start : item.end], []).append(item)
    return found


def as_written(sentences: Mapping[str, list[JudgedTuple]], nlp: Toolkit) -> Iterator[Sentence]:
    """Judged tuples in their own sentences."""
    extractor = RuleExtractor()
    analyses = nlp.analyze(list(sentences), lines=True, constituents=False, vectors=True)
    for analysis, items in zip(analyses, sentences.values(), strict=True):
        proposed, tree = extractor.propose(analysis)
        read = [(with_words(item.extraction(), analysis, tree), item) for item in items]
        known = {_words(extraction) for extraction, _ in read}
        yield Sentence(tree, read, [item for item in proposed if _words(item) not in known])


def reworded(sentences: Mapping[str, list[JudgedTuple]], nlp: Toolkit, seed: int) -> Iterator[Sentence]:
    """Judged sentences in other words, with the tuples that are the same there.

    Without them the judge mistrusts clefts and framed statements, of which judged texts have few.
    """
    random, rules, texts, sources = Random(seed), list(RULES), [], []
    for analysis, sentence in zip(nlp.analyze(list(sentences), lines=True), sentences, strict=True):
        found = sorted({rewrite.text for rewrite in rewrites(analysis, rules)})
        for text in random.sample(found, min(REWRITES, len(found))):
            texts.append(text)
            sources.append(sentence)
    extractor = RuleExtractor()
    analyses = nlp.analyze(texts, lines=True, constituents=False, vectors=True)
    for analysis, sentence in zip(analyses, sources, strict=True):
        known = {_words(item.extraction()): item for item in sentences[sentence]}
        proposed, tree = extractor.propose(analysis)
        read = [(item, known[words]) for item in proposed if (words := _words(item)) in known]
        yield Sentence(tree, read, [item for item in proposed if _words(item) not in known])


def rows_of(sentences: Iterable[Sentence]) -> Rows:
    """Features, vectors and labels of the tuples of some sentences."""
    features, vectors, labels, documents = [], [], [], []
    for tree, read, unread in sentences:
        extractions = [extraction for extraction, _ in read]
        found, words = features_of(extractions, tree, unread)
        features.append(found)
        vectors.append(vectors_of(tree, words))
        labels += zip(*labels_of(read, unread), strict=True)
        documents += [judged.document.id for _, judged in read]
    columns = np.array(labels, dtype=np.float32).T
    return Rows(np.concatenate(features), np.concatenate(vectors), *columns, np.array(documents))


def labels_of(
    read: Sequence[tuple[Extraction, JudgedTuple]], unread: Sequence[Extraction]
) -> tuple[list[bool], list[bool], list[bool], list[bool]]:
    """Of each tuple: is it right, is it good, does a reader of all sign it, is the last known."""
    good = [judged.label == "good" for _, judged in read]
    places = [place for place, own in enumerate(good) if own]
    sure = [read[place][0] for place in places]
    again = {places[place] for place in repeated(sure)}
    fuller = repeated([*sure, *unread])
    unknown = {places[place] for place in fuller if place < len(places)} - again
    return (
        [judged.right for _, judged in read],
        good,
        [own and place not in again for place, own in enumerate(good)],
        [place not in unknown for place in range(len(read))],
    )


def _words(extraction: Extraction) -> tuple[str, ...]:
    return tuple(part.text.casefold() for part in (extraction.rel, *extraction.arguments))


def with_words(extraction: Extraction, analysis: Analysis, tree: DependencyTree) -> Extraction:
    """The tuple with the words of the parse that its spans cover, and the roles of its arguments."""

    def part(argument: Argument) -> Argument:
        tokens = tuple(
            place
            for span in argument.spans or ()
            for place, word in enumerate(analysis.words)
            if span.start <= word.start - analysis.start and word.end - analysis.start <= span.end
        )
        return replace(argument, tokens=tokens)

    args = [part(argument) for argument in extraction.args]
    return replace(
        extraction,
        rel=part(extraction.rel),
        arg1=part(extraction.arg1) if extraction.arg1 else None,
        args=tuple(replace(arg, role=role_of(analysis, arg.tokens or (), tree)) for arg in args),
    )


def fit(rows: Rows, seed: int, epochs: float = EPOCHS) -> dict[str, Array]:
    """The weights of a judge that has learned from some tuples."""
    torch.manual_seed(seed)
    mean, spread = rows.features.mean(0), rows.features.std(0) + 0.01
    features = torch.from_numpy(((rows.features - mean) / spread).clip(-WIDEST, WIDEST))
    # Zero is what an unknown certainty is before it is standardized.
    unknown = torch.from_numpy((-mean / spread).clip(-WIDEST, WIDEST))[CERTAINTY]
    vectors = torch.from_numpy(rows.vectors)
    # Whether a wrong tuple says something is not asked.
    asked = torch.from_numpy(np.stack([np.ones_like(rows.right), rows.right, rows.known], axis=1))
    targets = torch.from_numpy(np.stack([rows.right, rows.informative, rows.signed], axis=1))
    network = JudgeNetwork(features.shape[1], *vectors.shape[1:], HIDDEN, outputs=OUTPUTS)
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=DECAY)
    steps = max(1, int(epochs * len(features) / BATCH))
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * (1 - step / steps)
        drawn = torch.randint(0, len(features), (BATCH,), generator=generator)
        own, seen = features[drawn], vectors[drawn]
        blind = torch.rand(BATCH, generator=generator) < BLIND
        own[..., CERTAINTY] = torch.where(blind[..., None], unknown, own[..., CERTAINTY])
        logits = network(own, seen * ~blind[..., None, None])
        wanted = targets[drawn].expand(MEMBERS, -1, -1)
        losses = functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
        loss = (losses * asked[drawn]).sum(-1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = {name: value.detach().numpy() for name, value in network.named_parameters()}
    return {"mean": mean.astype(np.float32), "spread": spread.astype(np.float32), **weights}


def platt(logits: Array, targets: Array, ridge: float = 1.0) -> tuple[float, float]:
    """Slope and intercept that make a logit a probability (Platt 1999)."""
    inputs = np.stack([np.ones_like(logits), logits], axis=1)
    intercept, slope = fitted(inputs, targets, np.ones(len(targets)), ridge)
    return float(slope), float(intercept)


def isotonic(logits: Array, targets: Array, least: int) -> tuple[Array, Array]:
    """Edges between steps, and the share of right tuples on each: the best rising steps (Ayer et al. 1955).

    Every step has `least` tuples or more, so that its share is known well enough.
    """
    order = np.argsort(logits, kind="stable")
    blocks: list[tuple[float, float, int]] = []  # last logit, right ones, all
    count, right = 0, 0.0
    for place in order.tolist():
        count, right = count + 1, right + float(targets[place])
        if count < least:
            continue
        blocks.append((float(logits[place]), right, count))
        count, right = 0, 0.0
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            last = blocks.pop()
            blocks[-1] = (last[0], blocks[-1][1] + last[1], blocks[-1][2] + last[2])
    blocks[-1] = (blocks[-1][0], blocks[-1][1] + right, blocks[-1][2] + count)
    edges = np.array([edge for edge, _, _ in blocks[:-1]], dtype=np.float32)
    return edges, np.array([own / size for _, own, size in blocks], dtype=np.float32)


def in_tenths(edges: Array, steps: Array, counts: NDArray[np.int64]) -> tuple[Array, Array]:
    """One step for each tenth of the scale: those within a tenth become one, with the share of all their tuples.

    A reader of confidences tells no more levels apart.
    """
    tenths = np.minimum((steps * 10).astype(int), 9)
    places = [np.flatnonzero(tenths == tenth) for tenth in np.unique(tenths)]
    means = [np.average(steps[own], weights=counts[own]) for own in places]
    return edges[[own[-1] for own in places[:-1]]], np.array(means, dtype=np.float32)


def area(scores: Array, targets: Array) -> float:
    """The area under the ROC curve."""
    ranks = np.argsort(np.argsort(scores)).astype(np.float64)
    positive = targets > 0
    count = positive.sum()
    return float((ranks[positive].sum() - count * (count - 1) / 2) / (count * (len(targets) - count)))


def held_out(rows: Rows, others: Rows, seed: int, epochs: float) -> Array:
    """Logits of every tuple from networks that have not seen its document, in these words or others."""
    names = np.unique(rows.documents)
    folds = dict(zip(names.tolist(), np.random.default_rng(seed).permutation(len(names)) % FOLDS, strict=True))
    fold, other = (np.array([folds[name] for name in each.documents.tolist()]) for each in (rows, others))
    logits = np.zeros((len(rows.right), OUTPUTS), dtype=np.float32)
    for number in range(FOLDS):
        seen = rows.of(fold != number).with_rows(others.of(other != number))
        own = rows.of(fold == number)
        logits[fold == number] = logits_of(fit(seen, seed, epochs), own.features, own.vectors)
    return logits


def confidences(scale: Array, edges: Array, steps: Array, logits: Array) -> Array:
    """The probability of being good, from the outputs for right and informative."""
    return np.asarray(steps[np.searchsorted(edges, products(scale, logits))])


def products(scale: Array, logits: Array) -> Array:
    each = sigmoid(logits * scale[0] + scale[1], limit=30)
    return np.asarray(each[:, 0] * each[:, 1])


def figures(logits: Array, rows: Rows, probabilities: Array, steps: Array) -> dict[str, Any]:
    """Cross-validated figures of the outputs."""
    told, known, good = rows.right > 0, rows.known > 0, rows.right * rows.informative
    bins = calibration_bins(probabilities.tolist(), (good > 0).tolist())
    return {
        "tuples": len(told),
        "right": float(rows.right.mean()),
        "good": float(good.mean()),
        "signed": float(rows.signed[known].mean()),
        "area, right": area(logits[:, 0], rows.right),
        "area, informative": area(logits[told, 1], rows.informative[told]),
        "area, good": area(probabilities, good),
        "area, signed": area(logits[known, 2], rows.signed[known]),
        "steps": [round(float(step), 3) for step in steps],
        "calibration error": calibration_error(bins),
    }


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument("--judged", type=Path, default=FOLDER)
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="files with the texts by reference")
    parser.add_argument("--parser", default="en")
    parser.add_argument("--epochs", type=float, default=EPOCHS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    judged = read_judged(options.judged, referenced_texts(options.texts)).of("train", "dev").tuples
    nlp, sentences = tupelo.load(options.parser), by_sentence(judged)
    rows = rows_of(as_written(sentences, nlp))
    others = rows_of(reworded(sentences, nlp, options.seed))
    logits = held_out(rows, others, options.seed, options.epochs)
    told, known = rows.right > 0, rows.known > 0
    pairs = (
        (logits[:, 0], rows.right),
        (logits[told, 1], rows.informative[told]),
        (logits[known, 2], rows.signed[known]),
    )
    scale = np.array([platt(*pair) for pair in pairs], dtype=np.float32).T
    both = products(scale, logits)
    edges, steps = isotonic(both, rows.right * rows.informative, max(1, len(both) // STEPS))
    counts = np.bincount(np.searchsorted(edges, both), minlength=len(steps))
    edges, steps = in_tenths(edges, steps, counts)
    print(json.dumps(figures(logits, rows, confidences(scale, edges, steps, logits), steps)))
    weights = {
        **fit(rows.with_rows(others), options.seed, options.epochs),
        "edges": edges,
        "steps": steps,
        "scale": scale,
    }
    options.output.mkdir(parents=True, exist_ok=True)
    save_file(weights, options.output / WEIGHTS)
    settings = {"least_confidence": LEAST, "features": list(NAMES)}
    named = {"format": FORMAT, "name": "tupelo-en-extract", "version": VERSION}
    write_json(options.output / "config.json", named | settings)
    write_checksums(options.output)


if __name__ == "__main__":
    main()
