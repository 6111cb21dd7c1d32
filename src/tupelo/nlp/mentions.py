"""Mentions of things in a document, as coreference sees them: what each is like, and how two of them compare.

A mention is known by its head word; its span follows from the tree. Training and running use the same functions, so
that a network meets at work what it has learnt from. All comparisons are arithmetic on columns of numbers: a pair of
mentions costs no Python.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

import numpy as np

from tupelo.core.coreference import GENITIVES
from tupelo.nlp.languages import labels, words
from tupelo.nlp.languages.en.naming import DETACHABLE_TITLES, FEMALE_NAMES, FEMALE_TITLES, MALE_NAMES, MALE_TITLES
from tupelo.nlp.syntax import DependencyTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.int64]

# Kinds of mentions: pronouns by kind, then noun phrases by how they begin, then the rest.
CLASSES = (
    "he", "she", "it", "they", "i", "you", "we", "this", "who", "one",
    "name", "definite", "demonstrative", "possessed", "indefinite", "bare", "other",
)  # fmt: skip
_CLASS_OF = labels("mentions", "pronouns")
_NUMBER = {"he": 1, "she": 1, "it": 1, "i": 1, "they": 2, "we": 2}
_GENDER = {"he": 1, "she": 2, "it": 3}
_PLURAL_WORDS = words("mentions", "plural_words")
_OUTSIDE = words("mentions", "outside")
_OUTSIDE_OF_PREDICATES = words("mentions", "outside_of_predicates")
_CLAUSAL = frozenset(["cop", "nsubj", "csubj"])
_CLOSING = {")": "(", "]": "[", "”": "“", "’": "‘", "''": "``", "»": "«", "-RRB-": "-LRB-", '"': '"', "'": "'"}
_SMALL = words("mentions", "small_words")

# Bins for the distance of two mentions, in sentences and in mentions.
_STEPS = np.array([0, 1, 2, 3, 4, 6, 9, 17])
_TOKENS = 6
NEAREST, ALIKE = 48, 16
CANDIDATES = NEAREST + ALIKE


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of a document in order, one row each."""

    sentence: Numbers
    head: Numbers
    first: Numbers
    last: Numbers  # inclusive
    kind: Numbers  # index into CLASSES
    number: Numbers  # 0 unknown, 1 singular, 2 plural
    gender: Numbers  # 0 unknown, 1 male, 2 female, 3 neither
    text: Numbers
    lemma: Numbers
    acronym: Numbers
    governor: Numbers
    relation: Numbers
    subject: Numbers  # the subject of a mention that is a predicate, else -1
    tokens: Numbers  # [mentions, 6], 0 for none

    def __len__(self) -> int:
        return len(self.head)


RELATIONS = ("", "appos", "conj", "nsubj", "obj", "obl", "nmod", "nmod:poss", "root", "acl:relcl")


def mention_span(tree: DependencyTree, head: int) -> tuple[int, int]:
    """First and last word of the mention with this head: its phrase without appositions, conjuncts and the clause.

    Adverbs at its start are outside (*even in Oslo*), a bracket or quotation mark that closes one in it is inside.
    """
    below = tree.below[head]
    is_predicate = not _CLAUSAL.isdisjoint([tree.base[child] for child in below])
    outside: list[int] = []
    begun = False
    for child in below:
        base = tree.base[child]
        begun |= child > head
        if base == "case" and tree.lowered[child] in GENITIVES:
            continue
        if base in _OUTSIDE or (is_predicate and base in _OUTSIDE_OF_PREDICATES) or (base == "advmod" and not begun):
            outside.append(child)
        else:
            begun = True
    words = tree.subtree(head, outside)
    first, last = words[0], words[-1]
    while last > head and tree.upos(last) == "PUNCT":
        last -= 1
    while first < head and tree.upos(first) == "PUNCT":
        first += 1
    if last + 1 < tree.size and (mark := tree.text(last + 1)) in _CLOSING:
        inside = [tree.text(index) for index in range(first, last + 1)]
        opening = _CLOSING[mark]
        if inside.count(opening) % 2 if opening == mark else inside.count(opening) > inside.count(mark):
            last += 1
    return first, last


def describe(trees: Sequence[DependencyTree], heads: Sequence[Collection[int]]) -> Mentions:
    """The mentions of a document, given the words that head one in each sentence."""
    rows = [
        _row(number, tree, head)
        for number, (tree, chosen) in enumerate(zip(trees, heads, strict=True))
        for head in sorted(chosen)
    ]
    table = np.array(rows, np.int64).reshape(len(rows), 13 + _TOKENS)
    names = [column.name for column in fields(Mentions)]
    columns: dict[str, Numbers] = {name: table[:, place] for place, name in enumerate(names[:13])}
    return Mentions(**columns, tokens=table[:, 13:])


def _key(text: str) -> int:
    return crc32(text.encode("utf-8", "replace")) | 1


def _row(sentence: int, tree: DependencyTree, head: int) -> list[int]:
    first, last = mention_span(tree, head)
    lowered = tree.lowered
    word = lowered[head]
    kind = _class(tree, head, first)
    inner = [lowered[index] for index in range(first, last + 1) if lowered[index] not in _SMALL]
    near = _core(tree, head, first, last)
    capitals = [tree.text(index)[0] for index in near if tree.text(index)[:1].isupper()]
    governor = tree.heads[head]
    relation = tree.labels[head] if tree.labels[head] in RELATIONS else tree.base[head]
    subject = tree.child(head, "nsubj") if tree.child(head, "cop") is not None else None
    tokens = [_key(lowered[index]) for index in near if lowered[index] not in _SMALL][:_TOKENS]
    return [
        sentence,
        head,
        first,
        last,
        CLASSES.index(kind),
        _number(tree, head, kind),
        _gender(tree, near, kind, word),
        _key(" ".join(inner) or word),
        _key(tree.lemmas[head]),
        _key("".join(capitals).lower()) if len(capitals) > 1 else 0,
        -1 if governor is None else governor,
        RELATIONS.index(relation) if relation in RELATIONS else 0,
        -1 if subject is None else subject,
        *tokens,
        *[0] * (_TOKENS - len(tokens)),
    ]


def _core(tree: DependencyTree, head: int, first: int, last: int) -> list[int]:
    """The head and the words beside it that name the thing: compounds, flat names, adjectives; no clauses."""
    inside = {"compound", "flat", "amod", "nummod", "goeswith", "fixed", "nmod:desc"}
    words = {head}
    for child in tree.below[head]:
        if first <= child <= last and (tree.base[child] in inside or tree.labels[child] in inside):
            words.update(index for index in tree.subtree(child) if first <= index <= last)
    return sorted(words)


def _class(tree: DependencyTree, head: int, first: int) -> str:
    word, upos = tree.lowered[head], tree.upos(head)
    if word in _CLASS_OF and upos in ("PRON", "DET", "ADV", "SCONJ", "ADJ", "NUM"):
        return _CLASS_OF[word]
    if upos == "PROPN":
        return "name"
    if upos not in ("NOUN", "NUM", "ADJ", "PRON", "SYM", "X", "DET"):
        return "other"
    for child in tree.below[head]:
        if child > head:
            break
        marker = tree.lowered[child]
        if tree.base[child] == "nmod" and tree.labels[child] == "nmod:poss":
            return "possessed"
        if tree.base[child] == "det":
            if marker == "the":
                return "definite"
            if marker in ("this", "that", "these", "those"):
                return "demonstrative"
            if marker in ("a", "an"):
                return "indefinite"
    return "bare"


def _number(tree: DependencyTree, head: int, kind: str) -> int:
    if kind in _NUMBER:
        return _NUMBER[kind]
    if tree.lowered[head] in _PLURAL_WORDS or tree.tag(head) in ("NNS", "NNPS"):
        return 2
    if tree.tag(head) in ("NN", "NNP"):
        return 1
    return 0


def _gender(tree: DependencyTree, words: Iterable[int], kind: str, word: str) -> int:
    if kind in _GENDER:
        return _GENDER[kind]
    for index in words:
        lowered = tree.lowered[index]
        if lowered in MALE_TITLES or lowered in MALE_NAMES:
            return 1
        if lowered in FEMALE_TITLES or lowered in FEMALE_NAMES:
            return 2
        if lowered not in DETACHABLE_TITLES:
            break
    return 0


def candidates(mentions: Mentions) -> Numbers:
    """For every mention the earlier ones that it may refer to: the nearest, then older ones alike; -1 for none."""
    count = len(mentions)
    own = np.arange(count)[:, None]
    near = own - 1 - np.arange(NEAREST)[None]
    table = np.full((count, CANDIDATES), -1, np.int64)
    table[:, :NEAREST] = np.maximum(near, -1)
    last: dict[int, list[int]] = {}
    named = np.isin(mentions.kind, [CLASSES.index(name) for name in ("name", "definite", "bare")])
    for row in np.flatnonzero(named).tolist():
        keys = {int(mentions.lemma[row]), *(key for key in mentions.tokens[row].tolist() if key)}
        older = sorted({old for key in keys for old in last.get(key, ()) if old < row - NEAREST}, reverse=True)
        table[row, NEAREST : NEAREST + len(older[:ALIKE])] = older[:ALIKE]
        for key in keys:
            kept = last.setdefault(key, [])
            kept.append(row)
            if len(kept) > 3 * ALIKE:
                del kept[: -2 * ALIKE]
    return table


def compare(mentions: Mentions, pairs: Numbers, rows: Numbers | None = None) -> NDArray[np.bool_]:
    """`[rows, candidates, features]`: how these mentions (or all) compare with their candidates; of -1, anything."""
    i = (np.arange(len(mentions)) if rows is None else rows)[:, None]
    j = np.maximum(pairs, 0)
    apart = mentions.sentence[i] - mentions.sentence[j]
    same_sentence = apart == 0
    kind_i, kind_j = mentions.kind[i], mentions.kind[j]
    number_i, number_j = mentions.number[i], mentions.number[j]
    gender_i, gender_j = mentions.gender[i], mentions.gender[j]
    tokens_i, tokens_j = mentions.tokens[i], mentions.tokens[j]
    in_j, in_i = _shared(tokens_i, tokens_j)
    count_i, count_j = (tokens_i != 0).sum(-1), (mentions.tokens != 0).sum(-1)[j]
    overlap = in_j > 0
    both_names = (kind_i == _NAME) & (kind_j == _NAME)
    features = np.empty((*pairs.shape, FEATURES), bool)
    place = 0
    # A one-hot code for each, as a row of a table; then single features.
    for values, count in (
        (np.searchsorted(_STEPS, apart, side="right") - 1, len(_STEPS)),
        (np.searchsorted(_STEPS, i - j, side="right") - 1, len(_STEPS)),
        (kind_i, len(CLASSES)),
        (kind_j, len(CLASSES)),
        (number_i, 3),
        (number_j, 3),
        ((number_i != number_j) & (number_i > 0) & (number_j > 0), 1),
        (gender_i, 4),
        (gender_j, 4),
        ((gender_i != gender_j) & (gender_i > 0) & (gender_j > 0), 1),
    ):
        features[..., place : place + count] = values[..., None] if count == 1 else np.eye(count, dtype=bool)[values]
        place += count
    for values in (
        mentions.text[i] == mentions.text[j],
        mentions.lemma[i] == mentions.lemma[j],
        overlap,
        both_names & ~overlap,
        (in_j == count_i) & (count_i > 0),
        (in_i == count_j) & (count_j > 0),
        (mentions.acronym[j] == mentions.text[i]) | (mentions.acronym[i] == mentions.text[j]),
        same_sentence & (mentions.first[j] <= mentions.head[i]) & (mentions.head[i] <= mentions.last[j]),
        same_sentence & (mentions.first[i] <= mentions.head[j]) & (mentions.head[j] <= mentions.last[i]),
        same_sentence & (mentions.governor[i] == mentions.governor[j]) & (mentions.governor[j] >= 0),
        same_sentence & (mentions.governor[i] == mentions.head[j]) & (mentions.relation[i] == _APPOS),
        same_sentence & (mentions.governor[i] == mentions.head[j]) & (mentions.relation[i] == _CONJ),
        same_sentence & (mentions.subject[i] == mentions.head[j]),
        mentions.relation[i] == _NSUBJ,
        mentions.relation[j] == _NSUBJ,
        mentions.subject[i] >= 0,
        pairs >= i - NEAREST,
    ):
        features[..., place] = values
        place += 1
    return features


def _shared(tokens_i: Numbers, tokens_j: Numbers) -> tuple[Numbers, Numbers]:
    """The number of words of each mention in its candidate, and of the candidate's words in the mention."""
    in_j, in_i = (np.zeros(tokens_j.shape[:2], np.int64) for _ in range(2))
    used = [place for place in range(_TOKENS) if tokens_j[..., place].any()]
    found_i = {place: np.zeros(tokens_j.shape[:2], bool) for place in used}
    for place in range(_TOKENS):
        own = tokens_i[..., place]
        if not own.any():
            continue
        found_j = np.zeros(tokens_j.shape[:2], bool)
        for other in used:
            equal = (own == tokens_j[..., other]) & (own != 0)
            found_j |= equal
            found_i[other] |= equal
        in_j += found_j
    for found in found_i.values():
        in_i += found
    return in_j, in_i


_NAME = CLASSES.index("name")
_APPOS, _CONJ, _NSUBJ = RELATIONS.index("appos"), RELATIONS.index("conj"), RELATIONS.index("nsubj")
FEATURES = 2 * len(_STEPS) + 2 * len(CLASSES) + 6 + 1 + 8 + 1 + 17
