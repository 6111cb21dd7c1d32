"""The features of a tuple that the judge reads: its rule, its words, its place in the tree, the parser's certainty,
and the other tuples of its sentence.

Everything comes from the words of the tuple and the parse, so tuples of any extractor that gives positions can be
judged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Extraction, Reason
from tupelo.core.shipped import declared
from tupelo.extract.marks.predicates import predicates_of
from tupelo.nlp.syntax import DependencyTree

Array = NDArray[np.float32]

_DECLARED = declared(__name__, "features.toml")
FEATURES: dict[str, dict[str, tuple[str, ...]]] = {
    judge: {name: tuple(values.split()) for name, values in groups.items()} for judge, groups in _DECLARED.items()
}
_TUPLE = FEATURES["tuple"]
_WORDS = declared(__name__, "words.toml")
RULES = _TUPLE["rules"]
# The features with one of several values: their name, the group of the values, and whether there is another one.
_CHOICES = (
    ("rule", "rules", True),
    ("shape", "shapes", False),
    ("link", "links", True),
    ("form", "forms", False),
    ("subject", "tags", True),
    ("object", "tags", True),
    ("argument", "arguments", True),
    ("subject-is", "pronouns", False),
    ("object-is", "pronouns", False),
)
_CHOSEN = [
    f"{name}-{value}"
    for name, group, has_other in _CHOICES
    for value in (*_TUPLE[group], *(("other",) if has_other else ()))
]
NAMES = (
    *_CHOSEN,
    *_TUPLE["marks"],
    *_TUPLE["counts"],
    *(f"certain-{name}" for name in _TUPLE["certain"]),
    *(f"others-{name}" for name in _TUPLE["others"]),
)
_COLUMNS = {name: column for column, name in enumerate(_CHOSEN)}
# The words whose vectors the judge reads, in this order: predicate, subject, first and last argument.
READ = 4
_CLAUSES = frozenset(["ccomp", "advcl", "acl", "csubj", "xcomp", "parataxis"])
_SMALL = frozenset(["det", "nummod", "advmod", "amod", "compound", "nmod", "acl", "case", "flat", "aux", "cop"])
_WHOLE = frozenset(["punct", "cc", "conj", "appos", "parataxis", "discourse", "vocative", "advcl", "mark"])
_FULL_STOPS = frozenset([".", "!", "?", "…", '."', ".''", "''", "”", '"', ")"])
_BULLETS = frozenset(["*", "-", "•", "–", "+", "o", "·"])
_LEAST = 1e-4
# Reasons of a confidence that are told.
_MOST = 6


def features_of(
    extractions: Sequence[Extraction], tree: DependencyTree, others: Sequence[Extraction] = ()
) -> tuple[Array, NDArray[np.int64]]:
    """One row of `NAMES` per tuple, and the words whose vectors are read, -1 for none.

    `others` are further candidates of the sentence, which get no row.
    """
    rows = np.zeros((len(extractions), len(NAMES)), dtype=np.float32)
    words = np.full((len(extractions), READ), -1, dtype=np.int64)
    if not extractions:
        return rows, words
    sentence = _Sentence(tree)
    items = [_Tuple(extraction, tree) for extraction in (*extractions, *others)]
    for place, item in enumerate(items[: len(extractions)]):
        rows[place] = [*sentence.features(item), *sentence.among(item, items)]
        words[place] = item.read
    return rows, words


def named_shares(features: Array, shares: Array) -> tuple[Reason, ...]:
    """The strongest features of a tuple with their values and shares; those of one choice are told together."""
    told = []
    for name, _, _ in _CHOICES:
        group = {value: column for value, column in _COLUMNS.items() if value.startswith(f"{name}-")}
        chosen = next((value.removeprefix(f"{name}-") for value, at in group.items() if features[at]), "none")
        told.append((f"{_WORDS[name]}: {chosen}", shares[[*group.values()]].sum()))
    told += [(f"{_WORDS[NAMES[at]]}: {features[at]:.2g}", shares[at]) for at in range(len(_CHOSEN), len(NAMES))]
    words = np.split(shares[len(NAMES) :], READ)
    told += [(_WORDS[f"word-{number}"], word.sum()) for number, word in enumerate(words)]
    strongest = sorted(told, key=lambda one: -abs(one[1]))[:_MOST]
    return tuple(Reason("confidence", text, round(float(share), 2)) for text, share in strongest)


class _Tuple:
    """A tuple as word indexes."""

    def __init__(self, extraction: Extraction, tree: DependencyTree) -> None:
        self.extraction = extraction
        self.rule, _, shape = (extraction.rule or "").partition("/")
        self.shape = shape or "whole"
        self.relation = extraction.rel.tokens or ()
        self.subject = (extraction.arg1.tokens or ()) if extraction.arg1 else ()
        self.arguments = [argument.tokens or () for argument in extraction.args]
        self.objects = [token for tokens in self.arguments for token in tokens]
        self.subject_head = tree.head_of(self.subject) if self.subject else None
        heads = [tree.head_of(tokens) if tokens else None for tokens in self.arguments]
        self.first = heads[0] if heads else None
        self.last = heads[-1] if heads else None
        predicates = predicates_of(tree, self.relation)
        self.predicate = predicates[-1] if predicates else None
        self.every = (*self.subject, *self.relation, *self.objects)
        self.words = words_of(extraction)

    @property
    def read(self) -> list[int]:
        return [-1 if word is None else word for word in (self.predicate, self.subject_head, self.first, self.last)]


class _Sentence:
    """A parsed sentence and what its tuples share."""

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self.size = log1p(tree.size)
        certainty = tree.analysis.certainty
        known = certainty is not None and len(certainty) == tree.size
        self.heads: list[float] = _logs(certainty[:, 0]) if known and certainty is not None else [0.0] * tree.size
        self.links: list[float] = _logs(certainty[:, 1]) if known and certainty is not None else [0.0] * tree.size
        self.finite = [word.feature("VerbForm") == "Fin" for word in tree.words]
        texts = [word.text for word in tree.words]
        letters = max(1, sum(text[:1].isalpha() for text in texts))
        text = tree.analysis.text
        self.shared = (
            bool(texts) and texts[-1] in _FULL_STOPS,
            "?" in texts[-2:],
            sum(not text[:1].isalnum() for text in texts) / max(1, len(texts)),
            sum(text[:1].isupper() for text in texts) / letters,
            sum(text[:1].isdigit() for text in texts) / max(1, len(texts)),
            text.count("\n"),
            not any(self.finite),
            bool(texts) and texts[0] in _BULLETS,
        )
        self.least = min(self.heads, default=0.0)
        self.mean = sum(self.heads) / max(1, len(self.heads))
        self.clauses = [base in _CLAUSES for base in tree.base]
        self.commas = [word == "," for word in tree.lowered]
        self.tags = [word.upos or "" for word in tree.words]
        self.names = [frozenset(range(entity.start, entity.end)) for entity in tree.analysis.entities or ()]

    def features(self, item: _Tuple) -> list[float]:
        tree, predicate, first = self.tree, item.predicate, item.first
        label = "" if predicate is None else tree.labels[predicate]
        chosen = (
            item.rule,
            item.shape,
            label if label in _TUPLE["links"] else label.partition(":")[0],
            "" if predicate is None else tree.tag(predicate),
            "" if item.subject_head is None else tree.upos(item.subject_head),
            "" if first is None else tree.upos(first),
            "" if first is None else tree.base[first],
            tree.lowered[item.subject[0]] if len(item.subject) == 1 else "",
            tree.lowered[item.arguments[0][0]] if item.arguments and len(item.arguments[0]) == 1 else "",
        )
        row = [0.0] * len(_CHOSEN)
        for (name, _, _), value in zip(_CHOICES, chosen, strict=True):
            column = _COLUMNS.get(f"{name}-{value}", _COLUMNS.get(f"{name}-other"))
            if column is not None:
                row[column] = 1.0
        return [*row, *_marks(item.extraction), *self._counts(item), *self._certainty(item)]

    def _counts(self, item: _Tuple) -> list[float]:
        tree, predicate = self.tree, item.predicate
        inside = {*item.subject, *item.relation, *item.objects}
        first = item.arguments[0] if item.arguments else ()
        subject_tags = [self.tags[token] for token in item.subject]
        object_tags = [self.tags[token] for token in item.objects]
        lemma = "" if predicate is None else tree.lemmas[predicate]
        copula = predicate is not None and tree.child(predicate, "cop") is not None
        implied = {extraction_word.lower() for extraction_word in item.extraction.rel.text.split()}
        left = [
            child
            for head in (predicate, item.subject_head, item.first)
            if head is not None
            for child in tree.below[head]
            if child not in inside and tree.base[child] not in _WHOLE
        ]
        ends = [tokens[place] for tokens in (item.subject, *item.arguments) if tokens for place in (0, -1)]
        return [
            log1p(len(item.subject)),
            log1p(len(item.extraction.rel.text.split())),
            log1p(len(first)),
            log1p(len(item.objects) - len(first)),
            min(len(item.arguments), 4),
            len(item.extraction.rel.inferred),
            self.size,
            0 if predicate is None else min(sum(1 for _ in tree.path(predicate)), 8),
            min(abs(first[0] - item.subject[-1]), 20) / 5 if first and item.subject else 0,
            gaps(item.subject),
            gaps(item.relation),
            sum(map(gaps, item.arguments)),
            sum(map(self.clauses.__getitem__, item.subject)),
            min(4, sum(map(self.clauses.__getitem__, item.objects))),
            min(4, sum(map(self.commas.__getitem__, item.objects))),
            subject_tags.count("PUNCT"),
            min(4, sum(tree.base[child] not in _SMALL for child in left)),
            min(4, sum(tree.base[child] in _SMALL for child in left)),
            broken_names(self.names, (item.subject, *item.arguments)),
            sum(self.tags[token] in ("PUNCT", "CCONJ", "ADP") for token in ends),
            bool(first and item.subject and first[0] < item.subject[0]),
            "PROPN" in subject_tags,
            "PROPN" in object_tags,
            subject_tags[:1] == ["DET"],
            bool(item.objects) and object_tags.count("ADV") == len(object_tags),
            any(argument.role == "time" for argument in item.extraction.args),
            any(argument.role == "location" for argument in item.extraction.args),
            bool(item.relation) and tree.upos(item.relation[-1]) == "ADP",
            copula or lemma == "be" or bool(implied & {"is", "are", "was", "were"} and predicate is None),
            lemma == "have" or bool(implied & {"has", "have", "had"} and predicate is None),
            predicate is not None and any(self.finite[word] for word in (predicate, *tree.below[predicate])),
            *self.shared,
        ]

    def among(self, item: _Tuple, items: Sequence[_Tuple]) -> list[float]:
        """The relations of a tuple to the others of its sentence: what says more, less, the same, or other things."""
        own = [one for one in items if one is not item and one.subject == item.subject]
        fuller = [one for one in own if item.words < one.words]
        same = [one for one in own if item.words == one.words]
        rivals = [one for one in items if one.predicate == item.predicate and one.subject != item.subject]
        size, rest = len(item.words), frozenset(item.words)
        crossing = [len(rest & one.words) / len(rest | one.words) for one in own if not rest <= one.words]
        longest = max((len(one.words) for one in items if one.predicate == item.predicate), default=size)
        sure = self._sum(item)
        return [
            bool(fuller),
            log1p(len(fuller)),
            # The doubt about the words that the surest fuller tuple adds.
            max((self._sum(one) - sure for one in fuller), default=0.0),
            log1p(max((len(one.words) - size for one in fuller), default=0)),
            log1p(sum(one.words < item.words for one in own)),
            log1p(len(same)),
            sum(len(one.relation) < len(item.relation) for one in same) > 0,
            log1p(len(rivals)),
            max((self._sum(one) - sure for one in rivals), default=0.0) / 5,
            max(crossing, default=0.0),
            size / max(longest, 1),
            size / max(self.tree.size, 1),
            log1p(len(items)),
        ]

    def _sum(self, item: _Tuple) -> float:
        """The certainty of the parser about all words of a tuple."""
        return sum(map(self.heads.__getitem__, item.every))

    def _certainty(self, item: _Tuple) -> list[float]:
        every = item.every
        return [
            *(0.0 if word is None else self.heads[word] for word in (item.subject_head, item.first, item.last)),
            0.0 if item.predicate is None else self.heads[item.predicate],
            *(least(self.heads, tokens) for tokens in (item.subject, item.relation, item.objects)),
            least(self.links, every),
            self._sum(item),
            sum(map(self.links.__getitem__, every)),
            self.least,
            self.mean,
        ]


def words_of(extraction: Extraction) -> frozenset[int | str]:
    """The words of relation and arguments, implied ones as text."""
    found: set[int | str] = set()
    for part in (extraction.rel, *extraction.args):
        found.update(part.tokens or ())
        pieces = part.text.split() if part.inferred else ()
        found.update(pieces[place].lower() for place in part.inferred if place < len(pieces))
    return frozenset(found)


def gaps(tokens: Sequence[int]) -> int:
    """The number of gaps between the words of a part, at most 4."""
    return min(4, sum(after != before + 1 for before, after in pairwise(tokens)))


def broken_names(names: Sequence[frozenset[int]], parts: Sequence[Collection[int]]) -> int:
    """The number of names of which a part has some words, but not all."""
    return sum(0 < len(name.intersection(part)) < len(name) for part in parts if part for name in names)


def least(values: Sequence[float], tokens: Sequence[int]) -> float:
    return min(map(values.__getitem__, tokens), default=0.0)


def _marks(extraction: Extraction) -> list[float]:
    role = extraction.context.role if extraction.context else None
    return [
        bool(extraction.negated),
        extraction.modality is not None,
        extraction.modality == "intended",
        extraction.attribution is not None,
        *(role == name for name in ("belief", "condition", "hypothesis", "question")),
    ]


def _logs(probabilities: Array) -> list[float]:
    return [log(max(float(value), _LEAST)) for value in probabilities]
