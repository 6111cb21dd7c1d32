"""The fit of one predicted tuple to one gold tuple: every matcher of the CaRB program, under a true name.

A matcher turns tuples into a prepared form once (`prepare`) and then compares prepared forms (`match`), giving
precision and recall of the pair. WordCounts are what white space separates; comparison is case-sensitive. The overlap
of two word lists counts each word as often as both lists have it.

| name              | official flag    | a pair matches when … |
|-------------------|------------------|-----------------------|
| `binary-lenient`  | (default)        | the relations share a word; arguments after the first count as one |
| `lenient`         | (none)           | the same, argument by argument |
| `slots`           | `--simpleMatch`  | always; overlap is counted slot by slot |
| `strict`          | `--strictMatch`  | relation, argument 1 and argument 2 each share a word |
| `binary-strict`   | `--binaryMatch`  | the same, arguments after the first counted as one |
| `predicate`       | `--predMatch`    | the relations are equal without stop words and punctuation |
| `word-pairs`      | `--lexicalMatch` | pairs of equal words exceed half the gold words |
| `character-pairs` | `--exactMatch`   | pairs of equal *characters* exceed half the gold characters: nearly always |
| `exact`           | (none)           | relation and arguments are equal: what `--exactMatch` promises |
| `entail`          | (none)           | the sentence supports it, and one of the two entails the other |
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from string import ascii_lowercase, ascii_uppercase, punctuation
from typing import Any, NamedTuple

from tupelo.core import Extraction
from tupelo.core.shipped import declared
from tupelo.scorers.scorer import SHOWN

_WORDS = declared(__name__, "words.toml")
ENGLISH_STOP_WORDS = frozenset(_WORDS["stop_words"].split())
BE_FORMS = frozenset(_WORDS["forms_of_be"].split())
PREPOSITIONS = frozenset(_WORDS["prepositions"].split())
SPEECH_VERBS = tuple(_WORDS["speech_verbs"].split())
_NOT_CONTENT = ENGLISH_STOP_WORDS | frozenset(punctuation)
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)

# Precision and recall of a pair of tuples.
Fit = tuple[float, float]
NO_MATCH: Fit = (0.0, 0.0)
FULL_MATCH: Fit = (1.0, 1.0)


class PlainTuple(NamedTuple):
    """The strings of a tuple that scoring needs, and nothing else: a million of these fit in memory."""

    rel: str
    args: tuple[str, ...]
    confidence: float

    @classmethod
    def of(cls, extraction: Extraction) -> PlainTuple:
        texts = tuple([argument.text for argument in extraction.arguments])
        return cls(extraction.rel.text, texts, extraction.counted_confidence)


class WordCounts:
    """A list of words, ready for overlap counts."""

    __slots__ = ("counts", "distinct", "size")

    def __init__(self, text: str) -> None:
        words = text.split()
        self.size = len(words)
        self.distinct = frozenset(words)
        # Repeated words are rare; only then do counts matter.
        self.counts = None if len(self.distinct) == self.size else Counter(words)

    def count(self, word: str) -> int:
        if self.counts is not None:
            return self.counts[word]
        return 1 if word in self.distinct else 0

    def overlap(self, other: WordCounts) -> int:
        """The number of words that both have, each counted as often as both have it."""
        if self.counts is None or other.counts is None:
            return len(self.distinct & other.distinct)
        counts = other.counts
        return sum(min(number, counts[word]) for word, number in self.counts.items())


# The phrases of a sentence recur in its tuples, gold and predicted.
split_words = lru_cache(maxsize=4096)(WordCounts)


class SlotWords:
    """A tuple as words per slot. Most pairs fail on the relation, so the arguments are split only when asked for."""

    __slots__ = ("_args", "_speech_by_word", "be", "be_forms", "rel", "rel_text", "texts")

    def __init__(self, rel: str, args: Sequence[str], speech_by_word: bool) -> None:
        self.rel_text = rel
        self.rel = split_words(rel)
        self.texts = args
        self._args: list[WordCounts] | None = None
        self._speech_by_word = speech_by_word
        self.be = self.rel.count("be")
        self.be_forms = self.rel.distinct & BE_FORMS

    @property
    def args(self) -> list[WordCounts]:
        if self._args is None:
            self._args = [split_words(text) for text in self.texts]
        return self._args

    def is_speech(self) -> bool:
        """Whether the relation is one of speech.

        Official: a substring is enough, so that "is padded with" is taken for speech ("added").
        """
        if self._speech_by_word:
            return not self.rel.distinct.isdisjoint(SPEECH_VERBS)
        return any(verb in self.rel_text for verb in SPEECH_VERBS)


def relation_overlap(gold: SlotWords, predicted: SlotWords) -> int:
    """Common relation words; a left-over predicted `be` counts for any gold form of *be*.

    Official: the gold form may have been used already, so that gold `is`
    against predicted `is be` counts 2 of 1 and recall exceeds 1.
    """
    common = gold.rel.overlap(predicted.rel)
    if predicted.be and gold.be_forms and predicted.be > gold.be:
        common += 1
    return common


def relation_overlap_without_overcount(gold: SlotWords, predicted: SlotWords) -> int:
    """The same, but a gold form of *be* serves once only."""
    common = gold.rel.overlap(predicted.rel)
    if predicted.be > gold.be and any(
        gold.rel.count(form) > predicted.rel.count(form) for form in gold.be_forms - {"be"}
    ):
        common += 1
    return common


def lenient(
    gold: SlotWords,
    predicted: SlotWords,
    predicted_args: Sequence[WordCounts] | None = None,
    *,
    relation: Callable[[SlotWords, SlotWords], int] = relation_overlap,
    arguments_must_share: bool = False,
    count_extra_arguments: bool = False,
) -> Fit:
    """Word overlap slot by slot, on condition that the relations share a word.

    A missing first or second argument is no match; later ones may miss.
    Official: predicted arguments beyond the gold ones do not count against precision.
    """
    common = relation(gold, predicted)
    if common == 0:
        return NO_MATCH
    args = predicted.args if predicted_args is None else predicted_args
    predicted_size, gold_size = predicted.rel.size, gold.rel.size
    for position, wanted in enumerate(gold.args):
        gold_size += wanted.size
        if position < len(args):
            given = args[position]
            shared = wanted.overlap(given)
            if arguments_must_share and position < 2 and shared == 0:
                return NO_MATCH
            predicted_size += given.size
            common += shared
        elif position < 2:
            return NO_MATCH
    if count_extra_arguments:
        predicted_size += sum(given.size for given in args[len(gold.args) :])
    return (
        common / predicted_size if predicted_size else 0.0,
        common / gold_size if gold_size else 0.0,
    )


def lenient_or_swapped(gold: SlotWords, predicted: SlotWords, **rules: Any) -> Fit:
    """Lenient; where the gold relation is one of speech, the two arguments may also change places."""
    # Nearly all pairs end here; the rules below would find the same.
    if not predicted.be and gold.rel.distinct.isdisjoint(predicted.rel.distinct):
        return NO_MATCH
    straight = lenient(gold, predicted, **rules)
    if len(predicted.texts) < 2 or not gold.is_speech():
        return straight
    return max(straight, lenient(gold, predicted, predicted.args[::-1], **rules))


def slot_overlap(gold: SlotWords, predicted: SlotWords) -> Fit:
    """Word overlap of relation, first argument and the rest; no condition at all."""
    common = gold.rel.overlap(predicted.rel)
    predicted_size, gold_size = predicted.rel.size, gold.rel.size
    for wanted, given in zip(gold.args, predicted.args, strict=True):
        common += wanted.overlap(given)
        predicted_size += given.size
        gold_size += wanted.size
    # The official program divides by zero here; read as no match.
    return (common / predicted_size, common / gold_size) if predicted_size and gold_size else NO_MATCH


def all_or_nothing(rule: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Fit]:
    """A rule that is true or false, as a match."""
    return lambda gold, predicted: FULL_MATCH if rule(gold, predicted) else NO_MATCH


class UnitCounts(NamedTuple):
    """The frequency of each word, character or byte, and their total."""

    counts: Mapping[Any, int]
    size: int


def count_units(units: Sequence[Any]) -> UnitCounts:
    return UnitCounts(Counter(units), len(units))


def pairs_exceed_half(gold: UnitCounts, predicted: UnitCounts) -> bool:
    """Equal pairs in the full cross product against half the gold units: repeated ones count again and again."""
    counts = gold.counts
    pairs = sum([number * counts[unit] for unit, number in predicted.counts.items() if unit in counts])
    return 2 * pairs > gold.size


def overlap_exceeds_half(gold: UnitCounts, predicted: UnitCounts) -> bool:
    """The corrected form: a unit serves once."""
    counts = gold.counts
    common = [min(number, counts[unit]) for unit, number in predicted.counts.items() if unit in counts]
    return 2 * sum(common) > gold.size


def join_to_two(args: Sequence[str]) -> Sequence[str]:
    """First argument and all others as one; fewer than two arguments stay as they are."""
    return (args[0], " ".join(args[1:])) if len(args) >= 2 else args


def content_words(lower_text: str) -> list[str]:
    """The words between single spaces, without stop words and single punctuation marks."""
    return [word for word in lower_text.split(" ") if word not in _NOT_CONTENT]


@dataclass(frozen=True, slots=True)
class Matcher:
    """`prepare` once per tuple, `match` once per pair."""

    prepare: Callable[[str, Sequence[str]], Any]
    match: Callable[[Any, Any], Fit]


def build_matcher(name: str, fixes: frozenset[str], *, as_bytes: bool = False) -> Matcher:
    """The matcher of that name, with the named defects corrected.

    `as_bytes` is the rule of OIE2016's program: É has no lower case, and é counts as two characters.
    """
    lower: Callable[[str], str] = (lambda text: text.translate(_ASCII_LOWER)) if as_bytes else str.lower
    characters: Callable[[str], Sequence[Any]] = partial(str.encode, errors="surrogatepass") if as_bytes else str
    be_rule = relation_overlap_without_overcount if "be-counted-twice" in fixes else relation_overlap
    by_word = "speech-by-substring" in fixes
    extra = "extra-arguments-free" in fixes
    pairs = all_or_nothing(overlap_exceeds_half if "repeated-pairs" in fixes else pairs_exceed_half)
    equal = all_or_nothing(operator.eq)
    strict_rules: dict[str, Any] = {
        "relation": lambda gold, predicted: gold.rel.overlap(predicted.rel),
        "arguments_must_share": True,
        "count_extra_arguments": extra,
    }

    def slots(rel: str, args: Sequence[str]) -> SlotWords:
        return SlotWords(rel, args, by_word)

    def two_slots(rel: str, args: Sequence[str]) -> SlotWords:
        return SlotWords(rel, join_to_two(args), by_word)

    def three_texts(rel: str, args: Sequence[str]) -> SlotWords:
        return SlotWords(rel, (args[0] if args else "", " ".join(args[1:])), by_word)

    builders: dict[str, Matcher] = {
        "binary-lenient": Matcher(
            two_slots, partial(lenient_or_swapped, relation=be_rule, count_extra_arguments=extra)
        ),
        "lenient": Matcher(slots, partial(lenient, relation=be_rule, count_extra_arguments=extra)),
        "slots": Matcher(three_texts, slot_overlap),
        "strict": Matcher(slots, partial(lenient, **strict_rules)),
        "binary-strict": Matcher(two_slots, partial(lenient, **strict_rules)),
        "predicate": Matcher(lambda rel, args: content_words(lower(rel)), equal),
        "word-pairs": Matcher(lambda rel, args: count_units(" ".join((rel, *args)).split(" ")), pairs),
        "character-pairs": Matcher(lambda rel, args: count_units(characters(" ".join(args))), pairs),
        "exact": Matcher(lambda rel, args: (rel, *args), equal),
    }
    return builders[name]


# The flags of the 2019 script, for people who know it.
OFFICIAL_NAMES: Mapping[str, str] = SHOWN["carb"]["flags"]
MATCHERS = (*dict.fromkeys(OFFICIAL_NAMES.values()), "lenient", "exact")
