"""What the selector learns from: sentences with their candidates, the features of these, and their rewards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tupelo.core import Analysis
from tupelo.extract.neural.extractor import gather
from tupelo.extract.neural.features import features_of
from tupelo.extract.neural.scores import Masks, Scores, choose_anchors, log_softmax, masks_of
from tupelo.extract.parts import make_part
from tupelo.extract.rules import TupleCandidate
from tupelo.extract.rules.clefts import straighten
from tupelo.nlp.syntax import DependencyTree
from tupelo.score.carb import Pairing
from tupelo.score.carb_matchers import build_matcher
from tupelo_training.extract.prepare import Plain
from tupelo_training.extract.stored import from_below


@dataclass(slots=True)
class Item:
    """A sentence with its candidates, their features, and their values against every gold tuple.

    `weight` is how much it counts in training: 1, and less for a rewrite.
    """

    analysis: Analysis
    fold: int
    weight: float
    found: list[TupleCandidate]
    masks: list[Masks]
    texts: list[tuple[str, ...]]
    features: np.ndarray
    precision: np.ndarray
    recall: np.ndarray


def held_out_scores(path: Path, prepared: Path, slots: int = 4) -> dict[str, Scores]:
    """The scores in the file, by sentence; each comes from the network that has not seen it."""
    stored = np.load(path)
    data = {name: stored[name] for name in stored.files}
    length = np.load(prepared / "tuples.npz")["length"].astype(np.int64)
    table = json.loads((prepared / "tuples.json").read_text(encoding="utf-8"))
    text_of = {row: text for text, row in table["rows"].items()}
    labels, leads = len(table["labels"]), len(table["leads"])
    places = np.concatenate(([0], np.cumsum(length[data["row"]])))
    starts = np.concatenate(([0], np.cumsum(length[data["sentence"]])))
    of_sentence: dict[int, list[int]] = {}
    for number, sentence in enumerate(data["sentence"].tolist()):
        of_sentence.setdefault(sentence, []).append(number)
    found: dict[str, Scores] = {}
    for place, row in enumerate(data["row"].tolist()):
        anchors = data["anchors"][places[place] : places[place + 1]].astype(np.float32)
        known = {int(data["anchor"][n]): n for n in of_sentence.get(row, [])}
        chosen = tuple(word for word in choose_anchors(anchors) if word in known)
        own = [known[word] for word in chosen]
        told = [from_below(data["labels"][starts[n] : starts[n + 1]]) for n in own]
        size = int(length[row])
        stacked = np.stack(told) if told else np.zeros((0, size, slots * labels), np.float32)
        found[text_of[row]] = Scores(
            anchors,
            chosen,
            log_softmax(stacked.reshape(len(own), size, slots, labels)),
            data["slots"][own].astype(np.float32),
            log_softmax(from_below(data["leads"][own]).reshape(len(own), slots, leads)),
        )
    return found


def texts_of(analysis: Analysis, candidate: TupleCandidate) -> tuple[str, ...]:
    """Relation and arguments."""
    parts = (candidate.relation, candidate.subject, *candidate.complements)
    return tuple(make_part(analysis, part).text for part in parts)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a sentence: its gold tuples, its fold, and how much it counts."""

    gold: Sequence[Plain]
    fold: int
    weight: float = 1.0


def build_items(
    analyses: Sequence[Analysis],
    scores: Mapping[str, Scores],
    known: Mapping[str, Known],
    leads: Sequence[str],
    with_rules: bool = True,
) -> list[Item]:
    matcher = build_matcher("binary-lenient", frozenset())
    items = []
    for analysis in analyses:
        own, told = scores.get(analysis.text), known[analysis.text]
        plain = straighten(analysis)
        tree = DependencyTree(plain)
        found, _ = gather(plain, tree, own, leads, with_rules)
        masks = masks_of(found, len(analysis.words))
        rows = features_of(plain, tree, found, masks, own, leads)
        # Of candidates that read alike the first one stays.
        texts: dict[tuple[str, ...], int] = {}
        for number, candidate in enumerate(found):
            texts.setdefault(texts_of(analysis, candidate), number)
        keep = list(texts.values())
        wanted = [matcher.prepare(g.relation, g.arguments) for g in told.gold]
        fits = np.zeros((len(keep), len(wanted), 2))
        for i, text in enumerate(texts):
            prepared = matcher.prepare(text[0], text[1:])
            for j, other in enumerate(wanted):
                fits[i, j] = matcher.match(other, prepared)
        items.append(
            Item(
                analysis=analysis,
                fold=told.fold,
                weight=told.weight,
                found=[found[number] for number in keep],
                masks=[masks[number] for number in keep],
                texts=list(texts),
                features=rows[keep],
                precision=fits[..., 0],
                recall=fits[..., 1],
            )
        )
    return items


def alone_targets(item: Item) -> np.ndarray:
    if not item.precision.shape[1]:
        return np.zeros(len(item.found), np.float32)
    return ((np.minimum(item.precision, 1) + np.minimum(item.recall, 1)) / 2).max(axis=1).astype(np.float32)


def ordered_targets(item: Item, order: Sequence[int]) -> np.ndarray:
    """What each candidate adds when it comes after those before it in `order`."""
    targets = np.zeros(len(item.found), np.float32)
    pairing = Pairing(item.precision.shape[1])
    best = np.zeros(item.precision.shape[1])
    for column in order:
        before, recall_before = pairing.total(), best.sum()
        values = [(float(p), row) for row, p in enumerate(item.precision[column]) if p > 0]
        pairing.add(column, values)
        best = np.maximum(best, np.minimum(item.recall[column], 1))
        targets[column] = (pairing.total() - before + best.sum() - recall_before) / 2
    return np.clip(targets, 0, 1)
