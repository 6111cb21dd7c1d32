"""CaRB's matcher `entail`: the sentence supports a prediction, which entails a gold tuple or is entailed by it.

Beyond the papers. Every tuple is read as a sentence: first argument, relation, other arguments. A network
(`SupportReader`) reads texts with claims; a text supports a claim with a probability of at least one half. A pair
matches when

1. the gold sentence supports the prediction, and
2. the prediction supports the gold tuple, or the gold tuple the prediction.

A claim is read with another tuple only if that has at least half of its content words. A match has precision and
recall 1; the table of all pairs is then used as CaRB uses it (`carb`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from tupelo.core.deadline import in_time
from tupelo.core.progress import Progress, track
from tupelo.core.protocols import SupportReader
from tupelo.scorers.carb_matchers import FULL_MATCH, NO_MATCH, Matcher, PlainTuple, content_words

ENTAIL = "entail"
LEAST_SUPPORT = 0.5
# Pairs between two reports of progress.
_AT_ONCE = 256

# Text and claim.
Pair = tuple[str, str]


def statement(rel: str, args: Sequence[str]) -> str:
    """A tuple as a sentence.

    >>> statement("bought", ["she", "a mill", "in May"])
    'She bought a mill in May.'
    """
    text = " ".join(" ".join((*args[:1], rel, *args[1:])).split())
    return f"{_bare(text[:1].upper() + text[1:])}."


class Entailments:
    """Answers of a network about sentences and tuples. A pair of texts is read once, for any number of systems.

    `network` is its name and version, for signatures.
    """

    def __init__(self, support: SupportReader, network: str, progress: Progress | None = None) -> None:
        self.network = network
        self.support = support
        self._progress = progress
        self._known: dict[Pair, float] = {}

    def matchers(
        self, units: Iterable[tuple[str, Sequence[PlainTuple], Sequence[PlainTuple]]]
    ) -> Callable[[str], Matcher]:
        """A matcher for each sentence, given the sentences with their gold and predicted tuples."""
        candidates = [candidate for unit in units for candidate in _candidates(*unit)]
        self._read("reading sentences", ((sentence, claim) for sentence, _, claim in candidates))
        candidates = [one for one in candidates if self.supports(one[0], one[2])]
        self._read("comparing tuples", ((claim, gold) for _, gold, claim in candidates if _covers(claim, gold)))
        others = [(gold, claim) for _, gold, claim in candidates if not self.supports(claim, gold)]
        self._read("comparing tuples, gold first", (pair for pair in others if _covers(*pair)))
        matched = {one for one in candidates if self.supports(one[2], one[1]) or self.supports(one[1], one[2])}
        return lambda sentence: Matcher(
            statement, lambda gold, claim: FULL_MATCH if (sentence, gold, claim) in matched else NO_MATCH
        )

    def supports(self, text: str, claim: str) -> bool:
        """Whether a text supports a claim; not if the two were not read together."""
        return _bare(text) == _bare(claim) or self._known.get((text, claim), 0.0) >= LEAST_SUPPORT

    def _read(self, what: str, pairs: Iterable[Pair]) -> None:
        # Similar lengths share batches.
        new = {pair for pair in pairs if _bare(pair[0]) != _bare(pair[1]) and pair not in self._known}
        ordered = sorted(new, key=lambda pair: (len(pair[0]) + len(pair[1]), pair))
        advance = track(self._progress, what, len(ordered))
        for start in in_time(range(0, len(ordered), _AT_ONCE)):
            some = ordered[start : start + _AT_ONCE]
            outcomes = self.support.outcomes(some)
            self._known |= {pair: supported for pair, (supported, _, _) in zip(some, outcomes, strict=True)}
            advance(len(some))


def _bare(text: str) -> str:
    return text.rstrip(" .")


def _candidates(
    sentence: str, gold: Sequence[PlainTuple], predicted: Sequence[PlainTuple]
) -> Iterator[tuple[str, str, str]]:
    """The sentence with every gold and predicted statement of which one covers the other."""
    wanted, given = ([statement(item.rel, item.args) for item in items] for items in (gold, predicted))
    for one, other in product(wanted, given):
        if _covers(one, other) or _covers(other, one):
            yield sentence, one, other


def _covers(text: str, claim: str) -> bool:
    """Whether a text has at least half of the content words of a claim, and at least one."""
    words = _words(claim)
    return bool(words) and 2 * len(words & _words(text)) >= len(words)


@lru_cache(maxsize=4096)
def _words(statement: str) -> frozenset[str]:
    return frozenset(content_words(statement.rstrip(".").lower()))
