"""Check from its own parse whether a paraphrase is fluent and keeps the meaning, and choose among those that do.

Checks, in this order; the first that fails names the reason:

* `parse`: one root, a verb or copula with its subject, a constituency tree that covers all words under a sentence;
* `words`: every content word of the original is present (unchanged or replaced), and no word occurs twice in a row;
* `fluency`: how likely its sequence of tags is, relative to that of the original, times the share of unchanged words
  that have the same tag in both;
* `meaning`: the share of dependencies between content words that both parses have, in either direction;
* `tuples`: how much of the carried tuples an extractor finds, relative to what it finds of the original's.

The likelihood of tags is that of a trigram model whose trigram, bigram and unigram probabilities are interpolated
(Jelinek and Mercer, 1980). Its counts ship with the package (`tag_counts.txt`): tags of two treebanks, no words. Of
the paraphrases that pass, a clique gets those whose syntax differs most, from the original and from each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import exp, log
from typing import Any

from tupelo.core import Analysis, Extraction
from tupelo.core.shipped import declared, shipped_text
from tupelo.nlp.languages import word_set
from tupelo.robustness.candidates import Original, Rewording
from tupelo.scorers.carb_matchers import build_matcher

# Fitted values, with the data that they were fitted on.
SETTINGS: dict[str, Any] = declared(__name__, "settings.json")
_EDGE = "<s>"
# Weights of the trigram, bigram and unigram probabilities, and the least probability of a tag.
_WEIGHTS: tuple[float, ...] = tuple(SETTINGS["tag_model"]["weights"])
_UNSEEN: float = SETTINGS["tag_model"]["unseen"]

Context = tuple[str, ...]


class TagModel:
    """Log probabilities of tags, each after the two before it."""

    def __init__(self, counts: Iterable[tuple[str, str, str, int]]) -> None:
        self._follow: dict[Context, dict[str, int]] = {}
        for first, second, tag, number in counts:
            for context in ((first, second), (second,), ()):
                row = self._follow.setdefault(context, {})
                row[tag] = row.get(tag, 0) + number
        self._sums = {context: sum(row.values()) for context, row in self._follow.items()}

    def mean_log(self, tags: Sequence[str]) -> float:
        """The mean log probability per tag, the end of the sentence included."""
        padded = [_EDGE, _EDGE, *tags, _EDGE]
        logs = [log(self._probability(*padded[at - 2 : at + 1])) for at in range(2, len(padded))]
        return sum(logs) / len(logs)

    def _probability(self, first: str, second: str, tag: str) -> float:
        total = 0.0
        for weight, context in zip(_WEIGHTS, ((first, second), (second,), ()), strict=True):
            row = self._follow.get(context)
            if row:
                total += weight * row.get(tag, 0) / self._sums[context]
        return max(total, _UNSEEN)


@lru_cache(maxsize=1)
def shipped_tag_model() -> TagModel:
    """The model with the shipped counts."""
    return TagModel(read_counts(shipped_text("tupelo.robustness", "tag_counts.txt")))


def read_counts(text: str) -> list[tuple[str, str, str, int]]:
    """Parse lines of counts: two tags, a bar, then pairs of a tag and a number; other lines are notes.

    >>> read_counts("# a note\\nDT NN | IN 4 VB 2")
    [('DT', 'NN', 'IN', 4), ('DT', 'NN', 'VB', 2)]
    """
    counts: list[tuple[str, str, str, int]] = []
    for line in text.splitlines():
        context, bar, following = line.partition(" | ")
        if bar:
            first, second = context.split()
            pairs = following.split()
            counts.extend(
                (first, second, tag, int(number)) for tag, number in zip(pairs[::2], pairs[1::2], strict=True)
            )
    return counts


REASONS = ("parse", "words", "fluency", "meaning", "tuples")
CONTENT = word_set("NOUN PROPN VERB ADJ ADV NUM")
_SENTENCES = frozenset(["S", "SINV", "SBARQ", "SQ"])
# Words that a construction may add or drop.
_LIGHT = word_set("be have do make there here when where")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least scores of a paraphrase; 0 turns a check off."""

    fluency: float = SETTINGS["checks"]["fluency"]
    meaning: float = SETTINGS["checks"]["meaning"]
    tuples: float = SETTINGS["checks"]["tuples"]


@dataclass(frozen=True, slots=True)
class Verification:
    """The scores of a paraphrase, and the first check that it failed. `tuples` is `None` without an extractor."""

    fluency: float
    meaning: float
    tuples: float | None
    failed: str | None

    @property
    def passed(self) -> bool:
        return self.failed is None


def verify(
    original: Original,
    candidate: Rewording,
    analysis: Analysis,
    thresholds: Thresholds,
    found: tuple[Sequence[Extraction], Sequence[Extraction]] | None = None,
) -> Verification:
    """Check a candidate by its own parse; `found` are an extractor's tuples of the original and of the candidate."""
    known = candidate.alignment is not None and len(candidate.alignment) == len(analysis.words)
    alignment = candidate.alignment if known and candidate.alignment else align_words(original.analysis, analysis)
    fluency = fluency_score(original.analysis, analysis, alignment, shipped_tag_model())
    meaning = meaning_score(original.analysis, analysis, alignment)
    tuples = None
    if found is not None:
        # Recall of the carried tuples in the paraphrase over recall of the tuples in the original.
        reference = recall(original.tuples, found[0])
        tuples = min(1.0, recall(candidate.tuples, found[1]) / reference) if reference else 1.0
    held = (
        is_well_formed(analysis),
        keeps_words(original.analysis, analysis, alignment, known=known),
        fluency >= thresholds.fluency,
        meaning >= thresholds.meaning,
        tuples is None or tuples >= thresholds.tuples,
    )
    failed = next((reason for reason, holds in zip(REASONS, held, strict=True) if not holds), None)
    return Verification(fluency, meaning, tuples, failed)


def align_words(original: Analysis, analysis: Analysis) -> tuple[tuple[int, ...], ...]:
    """An alignment where the paraphraser gave none: the next unused word of the original with the same lemma."""
    free: dict[str, list[int]] = {}
    for index, word in enumerate(original.words):
        free.setdefault((word.lemma or word.text).lower(), []).append(index)
    aligned = []
    for word in analysis.words:
        places = free.get((word.lemma or word.text).lower())
        aligned.append((places.pop(0),) if places else ())
    return tuple(aligned)


def is_well_formed(analysis: Analysis) -> bool:
    """One root with a subject and a finite verb, under a sentence that has all words."""
    roots = [index for index, word in enumerate(analysis.words) if word.head is None]
    if len(roots) != 1:
        return False
    root = roots[0]
    labels = {(word.deprel or "").partition(":")[0] for word in analysis.words if word.head == root}
    if not labels & {"nsubj", "csubj", "expl"}:
        return False
    if analysis.words[root].upos not in ("VERB", "AUX") and "cop" not in labels:
        return False
    parts, size = analysis.constituents, len(analysis.words)
    return parts is None or any(
        part.label in _SENTENCES and part.start == 0 and part.end >= size - 1 for part in parts
    )


def keeps_words(original: Analysis, analysis: Analysis, alignment: Sequence[tuple[int, ...]], *, known: bool) -> bool:
    """Whether every content word is still there. Where the alignment is a guess, one in five may be missing."""
    there = {source for sources in alignment for source in sources}
    content = [
        index
        for index, word in enumerate(original.words)
        if word.upos in CONTENT and (word.lemma or word.text).lower() not in _LIGHT
    ]
    missing = sum(index not in there for index in content)
    allowed = _REPLACED if known else len(content) // 5
    words = [word.text.lower() for word in analysis.words]
    doubled = any(
        first == second and first.isalpha() and first not in ("had", "that") for first, second in pairwise(words)
    )
    return missing <= allowed and not doubled


# A rule may replace a verb (*said* by *according to*).
_REPLACED = 1


def fluency_score(
    original: Analysis, analysis: Analysis, alignment: Sequence[tuple[int, ...]], model: TagModel
) -> float:
    """Score, 0 to 1, how likely the tags are relative to the original's, and how many unchanged words keep theirs."""
    tags, before = _tags(analysis), _tags(original)
    usual = exp(min(0.0, model.mean_log(tags) - model.mean_log(before)))
    same = [
        tags[index] == before[sources[0]]
        for index, sources in enumerate(alignment)
        if index < len(tags) and len(sources) == 1 and analysis.words[index].text == original.words[sources[0]].text
    ]
    stable = sum(same) / len(same) if same else 1.0
    return usual * stable


def meaning_score(original: Analysis, analysis: Analysis, alignment: Sequence[tuple[int, ...]]) -> float:
    """The share of the original's dependencies between content words that the paraphrase has too."""
    wanted = _links(original)
    if not wanted:
        return 1.0
    sources = dict(enumerate(alignment))
    mapped = {
        frozenset((a, b))
        for one, other in _links(analysis)
        for a in sources.get(one, ())
        for b in sources.get(other, ())
    }
    return sum(frozenset(pair) in mapped for pair in wanted) / len(wanted)


def _tags(analysis: Analysis) -> list[str]:
    return [word.xpos or word.upos or "X" for word in analysis.words]


def _links(analysis: Analysis) -> set[tuple[int, int]]:
    """Pairs of content words of which one depends on the other, ignoring function words between them."""
    found = set()
    for index, word in enumerate(analysis.words):
        if word.upos not in CONTENT:
            continue
        head, steps = word.head, 0
        while head is not None and analysis.words[head].upos not in CONTENT and steps < 50:
            head, steps = analysis.words[head].head, steps + 1
        if head is not None and head != index:
            found.add((index, head))
    return found


def recall(wanted: Sequence[Sequence[str]], found: Sequence[Extraction]) -> float:
    """CaRB's recall: each wanted tuple is matched with the best one found."""
    matcher = build_matcher("binary-lenient", frozenset())
    made = [matcher.prepare(each.rel.text, [part.text for part in each.arguments]) for each in found]
    if not wanted or not made:
        return 0.0
    total = 0.0
    for relation, *arguments in wanted:
        gold = matcher.prepare(relation, arguments)
        total += max(min(1.0, matcher.match(gold, one)[1]) for one in made)
    return total / len(wanted)


# The number of candidates that are compared with each other, the weight of their quality relative to the distance,
# and the penalty for rules that only put a frame around the sentence.
_CHOICE: dict[str, Any] = SETTINGS["choice"]
_QUALITY: float = _CHOICE["quality_weight"]


@dataclass(frozen=True, slots=True)
class VerifiedCandidate:
    """A candidate that passed the checks."""

    candidate: Rewording
    verification: Verification

    @property
    def quality(self) -> float:
        """Fluency times meaning, with a penalty for only putting a few words around the sentence."""
        penalties: dict[str, float] = _CHOICE["frame_penalties"]
        penalty = max((penalties.get(rule, 0.0) for rule in self.candidate.origin.split("+")), default=0.0)
        return self.verification.fluency * self.verification.meaning * (1 - penalty)


def shortlist(candidates: Sequence[VerifiedCandidate], distances: Sequence[float]) -> list[int]:
    """The candidates worth comparing with each other, given their distances to the original."""

    def rank(number: int) -> tuple[float, str]:
        return -distances[number] - _QUALITY * candidates[number].quality, candidates[number].candidate.text

    return sorted(sorted(range(len(candidates)), key=rank)[: _CHOICE["shortlist"]])


def choose(
    candidates: Sequence[VerifiedCandidate],
    distance: Sequence[Sequence[float]],
    *,
    least: int,
    most: int,
    least_distance: float,
) -> list[int]:
    """The best of the largest sets of candidates that keep the mean distance; empty if there are too few.

    `distance` is between all sentences, the original first. Where no set
    reaches `least_distance`, the smallest allowed set that comes closest is taken.
    """
    if len(candidates) < least:
        return []
    best: list[int] = []
    for size in range(min(most, len(candidates)), least - 1, -1):
        best, mean = _best_of_size(candidates, distance, size)
        if mean >= least_distance:
            return best
    return best


def _best_of_size(
    candidates: Sequence[VerifiedCandidate], distance: Sequence[Sequence[float]], size: int
) -> tuple[list[int], float]:
    best: tuple[float, list[int], float] | None = None
    for chosen in combinations(range(len(candidates)), size):
        places = (0, *(number + 1 for number in chosen))
        pairs = [distance[one][other] for one, other in combinations(places, 2)]
        mean = sum(pairs) / len(pairs)
        worth = mean + _QUALITY * sum(candidates[number].quality for number in chosen) / size
        if best is None or worth > best[0] + 1e-12:
            best = (worth, list(chosen), mean)
    assert best is not None
    return best[1], best[2]
