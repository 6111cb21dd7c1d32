"""How well was a text split, tagged and parsed? The measure of the CoNLL 2018 shared task.

Zeman et al., "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to
Universal Dependencies", section 4.

Gold standard and system must hold the same characters, white space aside.
A token or a sentence is right when its first and last characters are. Words
are aligned by their characters; inside a contraction (*don't*), whose words
share one stretch of characters, they are aligned by the longest common
subsequence of their forms, case ignored. Every other figure counts aligned
words that agree in one respect, over all gold words (recall) and over all
system words (precision). `UAS` asks for the aligned head, `LAS` for the
universal part of the relation as well (`nmod:poss` counts as `nmod`), and
`CLAS` is `LAS` over content words only. Of the features, only universal ones
count; a gold lemma `_` agrees with any.

On gold tokens every word is aligned, and each F1 is a plain accuracy.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tupelo.core import Analysis, InputError, Word
from tupelo.scorers.result import harmonic_mean

_FEATURE_NAMES = """
PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect
Voice Evident Polarity Person Polite
"""
_UNIVERSAL_FEATURES = frozenset(_FEATURE_NAMES.split())
_RELATION_NAMES = """
nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod
conj fixed flat compound list parataxis orphan goeswith reparandum root dep
"""
_CONTENT_RELATIONS = frozenset(_RELATION_NAMES.split())
METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS")


@dataclass(frozen=True, slots=True)
class Count:
    """How many units the gold standard has, the system has, and both have."""

    gold: int
    system: int
    correct: int

    @property
    def precision(self) -> float:
        return self.correct / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return harmonic_mean(self.precision, self.recall)

    def __add__(self, other: Count) -> Count:
        return Count(self.gold + other.gold, self.system + other.system, self.correct + other.correct)


class _Unit(NamedTuple):
    """A word with its place in the stream of characters, and its head as a place in the stream of words."""

    word: Word
    start: int
    end: int
    contracted: bool
    head: int | None


@dataclass(frozen=True, slots=True)
class _Stream:
    characters: str
    tokens: list[tuple[int, int]]
    sentences: list[tuple[int, int]]
    units: list[_Unit]


def score_conll18(gold: Iterable[Analysis], predicted: Iterable[Analysis]) -> dict[str, Count]:
    """The counts of each of `METRICS`, over whole files.

    >>> he_ate = Analysis("He ate", (Word("He", 0, 2, deprel="nsubj", head=1), Word("ate", 3, 6, deprel="root")))
    >>> score_conll18([he_ate], [he_ate])["LAS"].f1
    1.0
    """
    left, right = _stream(gold), _stream(predicted)
    if left.characters != right.characters:
        raise InputError(_first_difference(left.characters, right.characters))
    pairs = _align(left.units, right.units)
    scores = {
        "Tokens": _span_count(left.tokens, right.tokens),
        "Sentences": _span_count(left.sentences, right.sentences),
        "Words": Count(len(left.units), len(right.units), len(pairs)),
    }
    gold_of = {right_index: left_index for left_index, right_index in pairs}

    def same_head(a: _Unit, b: _Unit) -> bool:
        if a.head is None or b.head is None:
            return a.head is b.head
        return gold_of.get(b.head) == a.head

    def same_arc(a: _Unit, b: _Unit) -> bool:
        return same_head(a, b) and _relation(a) == _relation(b)

    agreements: dict[str, Callable[[_Unit, _Unit], bool]] = {
        "UPOS": lambda a, b: a.word.upos == b.word.upos,
        "XPOS": lambda a, b: a.word.xpos == b.word.xpos,
        "UFeats": lambda a, b: _features(a) == _features(b),
        "Lemmas": lambda a, b: a.word.lemma in (None, "_", b.word.lemma),
        "UAS": same_head,
        "LAS": same_arc,
    }
    matched = [(left.units[a], right.units[b]) for a, b in pairs]
    for name, agree in agreements.items():
        correct = sum(agree(a, b) for a, b in matched)
        scores[name] = Count(len(left.units), len(right.units), correct)
    scores["CLAS"] = Count(
        sum(_is_content(unit) for unit in left.units),
        sum(_is_content(unit) for unit in right.units),
        sum(same_arc(a, b) for a, b in matched if _is_content(a)),
    )
    return scores


def _relation(unit: _Unit) -> str | None:
    deprel = unit.word.deprel
    return None if deprel is None else deprel.partition(":")[0]


def _is_content(unit: _Unit) -> bool:
    return _relation(unit) in _CONTENT_RELATIONS


def _features(unit: _Unit) -> list[str]:
    pairs = (unit.word.feats or "").split("|")
    return sorted(pair for pair in pairs if pair.partition("=")[0] in _UNIVERSAL_FEATURES)


def _stream(analyses: Iterable[Analysis]) -> _Stream:
    """All sentences one after the other, as characters without spaces."""
    pieces: list[str] = []
    tokens: list[tuple[int, int]] = []
    sentences: list[tuple[int, int]] = []
    units: list[_Unit] = []
    position = 0
    for analysis in analyses:
        if not analysis.words:
            continue
        begin, first = position, len(units)
        ranges = dict(analysis.contractions)
        index = 0
        while index < len(analysis.words):
            word = analysis.words[index]
            end = ranges.get(index, index + 1)
            if index in ranges:
                last = analysis.words[end - 1]
                form = analysis.text[word.start - analysis.start : last.end - analysis.start]
            else:
                form = word.text
            form = _without_spaces(form)
            pieces.append(form)
            tokens.append((position, position + len(form)))
            for member in analysis.words[index:end]:
                head = None if member.head is None else first + member.head
                units.append(_Unit(member, position, position + len(form), index in ranges, head))
            position += len(form)
            index = end
        sentences.append((begin, position))
    return _Stream("".join(pieces), tokens, sentences, units)


def _without_spaces(form: str) -> str:
    return form if form.isalnum() else "".join(c for c in form if unicodedata.category(c) != "Zs")


def _span_count(gold: Sequence[tuple[int, int]], system: Sequence[tuple[int, int]]) -> Count:
    return Count(len(gold), len(system), len(set(gold) & set(system)))


def _first_difference(gold: str, system: str) -> str:
    place = next(
        (i for i, (a, b) in enumerate(zip(gold, system, strict=False)) if a != b), min(len(gold), len(system))
    )
    return (
        f"gold and system text differ at character {place} (spaces not counted): "
        f"{gold[place : place + 20]!r} and {system[place : place + 20]!r}, expected the same text"
    )


def _align(gold: Sequence[_Unit], system: Sequence[_Unit]) -> list[tuple[int, int]]:
    """Pairs of words that are the same, in order."""
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g].contracted or system[s].contracted:
            # A word before the contraction of the other side cannot be part of it.
            if gold[g].contracted and not system[s].contracted and system[s].start < gold[g].start:
                s += 1
                continue
            if system[s].contracted and not gold[g].contracted and gold[g].start < system[s].start:
                g += 1
                continue
            g_end, s_end = _contracted_stretch(gold, system, g, s)
            pairs.extend(_common_subsequence(gold, system, (g, g_end), (s, s_end)))
            g, s = g_end, s_end
        elif (gold[g].start, gold[g].end) == (system[s].start, system[s].end):
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif gold[g].start <= system[s].start:
            g += 1
        else:
            s += 1
    return pairs


def _contracted_stretch(gold: Sequence[_Unit], system: Sequence[_Unit], g: int, s: int) -> tuple[int, int]:
    """Where the words end that touch the contraction beginning at `g` or `s`, chained contractions included."""
    end = gold[g].end if gold[g].contracted else system[s].end

    def is_beyond(units: Sequence[_Unit], index: int) -> bool:
        if index >= len(units):
            return True
        unit = units[index]
        return unit.start >= end if unit.contracted else unit.end > end

    while not (is_beyond(gold, g) and is_beyond(system, s)):
        if g < len(gold) and (s >= len(system) or gold[g].start <= system[s].start):
            unit, g = gold[g], g + 1
        else:
            unit, s = system[s], s + 1
        if unit.contracted:
            end = max(end, unit.end)
    return g, s


def _common_subsequence(
    gold: Sequence[_Unit], system: Sequence[_Unit], g_range: tuple[int, int], s_range: tuple[int, int]
) -> list[tuple[int, int]]:
    a = [gold[index].word.text.lower() for index in range(*g_range)]
    b = [system[index].word.text.lower() for index in range(*s_range)]
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            longest[i][j] = longest[i + 1][j + 1] + 1 if a[i] == b[j] else max(longest[i + 1][j], longest[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs.append((g_range[0] + i, s_range[0] + j))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i][j + 1]:
            j += 1
        else:
            i += 1
    return pairs
