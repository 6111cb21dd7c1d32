"""Features of a candidate for the selector: its words, its rule, and its scores from the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log1p

import numpy as np

from tupelo.core import Analysis, Word
from tupelo.extract.neural.scores import (
    FURTHER,
    NEURAL,
    OBJECT,
    RELATION,
    SUBJECT,
    Array,
    Masks,
    Scores,
    sigmoid,
    tokens_of,
)
from tupelo.extract.rules import TupleCandidate
from tupelo.nlp.syntax import DependencyTree

RULES = (
    "neural",
    "clause",
    "conjunct",
    "control",
    "speech",
    "relative",
    "copula",
    "participle",
    "adverbial",
    "purpose",
    "object-control",
    "infinitive",
    "existential",
    "place",
    "title",
    "noun-place",
    "apposition",
    "noun-preposition",
    "possessive",
    "adjective",
)
SHAPES = ("neural", "whole", "piece", "nested", "noun")
WORDS = (
    "subject-size",
    "relation-size",
    "object-size",
    "further-size",
    "arguments",
    "sentence-size",
    "implied",
    "pronoun-subject",
    "determiner-subject",
    "clauses-in-arguments",
    "clause-in-subject",
    "mark-in-subject",
    "mark-in-arguments",
    "commas-in-arguments",
    "depth",
    "predicate-is-verb",
    "predicate-is-finite",
    "gap",
    "preposition-end",
    "adverbs-only",
    "time",
    "location",
    "reversed",
    "name-in-subject",
    "siblings",
    "candidates",
    "both",
)
NETWORK = (
    "anchored",
    "anchor",
    "best-anchor",
    "slot",
    "agree-subject",
    "agree-relation",
    "agree-object",
    "fit-subject",
    "fit-relation",
    "fit-object",
    "fit-outside",
    "lead",
    "likelihood",
    "mean-likelihood",
    "slots",
)
FEATURES = (
    *(f"rule-{name}" for name in (*RULES, "other")),
    *(f"shape-{name}" for name in SHAPES),
    *WORDS,
    *NETWORK,
)
_FIRST_SHAPE = len(RULES) + 1
_FIRST_WORD = _FIRST_SHAPE + len(SHAPES)
_FIRST_NETWORK = _FIRST_WORD + len(WORDS)
_RULE_PLACE = {name: place for place, name in enumerate(RULES)}
_SHAPE_PLACE = {name: _FIRST_SHAPE + place for place, name in enumerate(SHAPES)}
_CLAUSES = frozenset(["ccomp", "advcl", "acl", "acl:relcl", "csubj", "xcomp"])
# Scores are scaled to about the range of the other features.
_SPREAD = 4.0
_UNLIKELY = -8.0


def features_of(
    analysis: Analysis,
    tree: DependencyTree,
    found: Sequence[TupleCandidate],
    masks: Sequence[Masks],
    scores: Scores | None,
    leads: Sequence[str],
) -> Array:
    """One row per candidate, one column per name in `FEATURES`."""
    rows = np.zeros((len(found), len(FEATURES)), dtype=np.float32)
    if not found:
        return rows
    sentence = _Sentence(analysis, tree)
    siblings: dict[int | None, int] = {}
    for candidate in found:
        siblings[candidate.predicate] = siblings.get(candidate.predicate, 0) + 1
    count = log1p(len(found))
    for row, candidate, mask in zip(rows, found, masks, strict=True):
        row[_RULE_PLACE.get(candidate.rule, len(RULES))] = 1
        if candidate.shape in _SHAPE_PLACE:
            row[_SHAPE_PLACE[candidate.shape]] = 1
        both = candidate.features.get(NEURAL, 0.0)
        row[_FIRST_WORD:_FIRST_NETWORK] = (
            *sentence.word_features(candidate, mask),
            siblings[candidate.predicate],
            count,
            both,
        )
    if scores is not None:
        rows[:, _FIRST_NETWORK:] = _network_features(found, masks, scores, leads)
    return rows


class _Sentence:
    """Bit masks of the words of a sentence that have a given property."""

    def __init__(self, analysis: Analysis, tree: DependencyTree) -> None:
        self.words = analysis.words
        self.size = log1p(len(self.words))
        self.depths = _depths(tree)
        self.clauses = self._mask(lambda word: word.deprel in _CLAUSES)
        self.marks = self._mask(lambda word: word.upos == "PUNCT")
        self.commas = self._mask(lambda word: word.text == ",")
        self.adverbs = self._mask(lambda word: word.upos == "ADV")
        self.names = self._mask(lambda word: word.upos == "PROPN")

    def _mask(self, has: Callable[[Word], bool]) -> int:
        return sum(1 << place for place, word in enumerate(self.words) if has(word))

    def word_features(self, candidate: TupleCandidate, mask: Masks) -> tuple[float, ...]:
        words, depths = self.words, self.depths
        subject, arguments = mask.subject, mask.arguments
        further = arguments & ~mask.first
        head = candidate.predicate
        if head is None:
            tokens = tokens_of(mask.written or mask.first or subject) or [0]
            head = min(tokens, key=depths.__getitem__)
        first_subject, first_argument = _lowest(subject), _lowest(arguments)
        opening = words[first_subject].upos if subject else None
        ending = words[mask.written.bit_length() - 1].upos if mask.written else None
        return (
            log1p(subject.bit_count()),
            log1p(len(candidate.relation)),
            log1p(mask.first.bit_count()),
            log1p(further.bit_count()),
            len(candidate.complements),
            self.size,
            len(candidate.relation) - mask.written.bit_count(),
            opening == "PRON" and subject.bit_count() == 1,
            opening == "DET",
            (arguments & self.clauses).bit_count(),
            bool(subject & self.clauses),
            bool(subject & self.marks),
            bool(arguments & self.marks),
            (arguments & self.commas).bit_count(),
            min(depths[head], 8),
            words[head].upos in ("VERB", "AUX"),
            words[head].feature("VerbForm") == "Fin",
            min(abs(first_argument - max(subject.bit_length() - 1, 0)), 20) / 5,
            ending == "ADP",
            bool(arguments) and not arguments & ~self.adverbs,
            "time" in candidate.roles,
            "location" in candidate.roles,
            first_subject > first_argument,
            bool(subject & self.names),
        )


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1 if mask else 0


def _network_features(
    found: Sequence[TupleCandidate], masks: Sequence[Masks], scores: Scores, leads: Sequence[str]
) -> Array:
    """The score of each candidate in the best slot of the anchors among its words; all candidates at once."""
    count, size = len(found), len(scores.anchors)
    rows = np.zeros((count, len(NETWORK)), dtype=np.float32)
    inside = np.zeros((3, count, size), dtype=np.float32)
    likely = np.zeros((count, size), dtype=bool)
    lead_place = {lead: place for place, lead in enumerate(leads)}
    lead_of = np.zeros(count, dtype=np.int64)
    for number, (candidate, mask) in enumerate(zip(found, masks, strict=True)):
        for part, own in enumerate((mask.subject, mask.written, mask.arguments)):
            inside[part, number, tokens_of(own)] = 1
        likely[number, tokens_of(mask.written or mask.arguments)] = True
        implied = " ".join(piece for piece in candidate.relation if isinstance(piece, str))
        lead_of[number] = lead_place.get(implied, 0)
    rows[:, 1] = _UNLIKELY / _SPREAD
    rows[:, 2] = np.where(likely, scores.anchors, _UNLIKELY).max(axis=1) / _SPREAD
    if not scores.chosen:
        return rows
    chosen = np.array(scores.chosen)
    possible = likely[:, chosen] | np.array([[c.predicate == anchor for anchor in scores.chosen] for c in found])
    # Objects and further arguments share a label here: [anchors, words, slots, labels] with four labels.
    log = scores.labels
    joint = np.concatenate([log[..., :OBJECT], np.logaddexp(log[..., OBJECT], log[..., FURTHER])[..., None]], axis=-1)
    over = joint[..., (SUBJECT, RELATION, OBJECT)] - joint[..., :1]
    # What the parts add to "all outside": one product over parts and words.
    added = inside.transpose(1, 0, 2).reshape(count, -1) @ over.transpose(3, 1, 0, 2).reshape(3 * size, -1)
    own = joint[..., 0].sum(axis=1) + added.reshape(count, *scores.slots.shape)
    total = own + scores.leads[:, :, lead_of].transpose(2, 0, 1) - np.logaddexp(0, -scores.slots)
    total = np.where(possible[:, :, None], total, -np.inf)
    slots = total.shape[2]
    best = total.reshape(count, -1).argmax(axis=1)
    place, slot = best // slots, best % slots
    probability = np.exp(joint[place, :, slot])  # [candidates, words, labels]
    label = joint[place, :, slot].argmax(axis=2)
    sizes = inside.sum(axis=2)
    picked = np.arange(count)
    rows[:, 0] = 1
    rows[:, 1] = scores.anchors[chosen[place]] / _SPREAD
    rows[:, 3] = scores.slots[place, slot] / _SPREAD
    for part, name in enumerate((SUBJECT, RELATION, OBJECT)):
        marked = label == name
        common = (inside[part] * marked).sum(axis=1)
        union = sizes[part] + marked.sum(axis=1) - common
        rows[:, 4 + part] = np.where(union > 0, common / np.maximum(union, 1), 1)
        fit = (inside[part] * probability[:, :, name]).sum(axis=1)
        rows[:, 7 + part] = np.where(sizes[part] > 0, fit / np.maximum(sizes[part], 1), 1)
    outside = 1 - inside.max(axis=0)
    rows[:, 10] = (outside * probability[:, :, 0]).sum(axis=1) / np.maximum(outside.sum(axis=1), 1)
    rows[:, 11] = np.exp(scores.leads[place, slot, lead_of])
    rows[:, 12] = total[picked, place, slot] / 10
    rows[:, 13] = own[picked, place, slot] / size
    rows[:, 14] = sigmoid(scores.slots).sum(axis=1)[place]
    nowhere = ~possible.any(axis=1)
    rows[nowhere, 0], rows[nowhere, 1], rows[nowhere, 3:] = 0, _UNLIKELY / _SPREAD, 0
    return rows


def _depths(tree: DependencyTree) -> list[int]:
    """The distance of each word from the root."""
    depths = [-1] * tree.size
    for start in range(tree.size):
        path: list[int] = []
        word: int | None = start
        while word is not None and depths[word] < 0 and len(path) <= tree.size:
            depths[word] = 0
            path.append(word)
            word = tree.heads[word]
        base = -1 if word is None else depths[word]
        for step, passed in enumerate(reversed(path), start=1):
            depths[passed] = base + step
    return depths
