"""The order of two events of a claim, compared with the order in which its source has them.

A claim puts one thing before another: *won the Prize before the Medal*, *first toured and then recorded*. The source
orders two of its clauses by dates (*in 1998 … in 2003*), by ordinals (*Osei second and Duarte third*), or by words
(*and later*, *two years earlier*, *following the verdict, …*). Nothing is parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from tupelo.checking.calculations import Calculation, Outcome, is_later
from tupelo.checking.evidence import stems
from tupelo.nlp.languages import words as listed
from tupelo.nlp.values import Date, Number, values_in

_BEFORE, _AFTER, _THEN = (listed("quantities", f"order_{name}") for name in ("before", "after", "then"))
_OLDER, _YOUNGER = listed("quantities", "order_older"), listed("quantities", "order_younger")
_LATER, _EARLIER = listed("quantities", "order_later"), listed("quantities", "order_earlier")
_CLAUSE_ENDS = frozenset([",", ";", ":", ".", "and", "but"])


@dataclass(frozen=True, slots=True)
class ClaimedOrder:
    """The stems that only the first and only the second of two events have, by the order of a claim."""

    first: frozenset[str]
    second: frozenset[str]

    @classmethod
    def of(cls, words: Sequence[str]) -> ClaimedOrder | None:
        """The order that a claim states; `None` if it does not put one thing before another."""
        for place in range(len(words)):
            leads = _leads(words, place)
            if leads is None:
                continue
            # "After the war, he left": the clause after the word ends at the comma.
            end = words.index(",") if not place and "," in words else len(words)
            beside, main = stems(words[place + 1 : end]), stems([*words[:place], *words[end:]])
            first, second = (beside, main) if leads else (main, beside)
            return cls(first - second, second - first) if first - second and second - first else None
        return None


def _leads(words: Sequence[str], place: int) -> bool | None:
    """Whether what follows a word of order comes first: *after X*, *younger than X*; `None` if it is no such word."""
    word, compares = words[place].lower(), "than" in words[place + 1 : place + 2]
    if word in _AFTER or (compares and word in _YOUNGER):
        return True
    return False if word in _BEFORE | _THEN or (compares and word in _OLDER) else None


@dataclass(frozen=True)
class _Clause:
    """A run of words of the source, in sentence number `sentence`."""

    words: tuple[str, ...]
    sentence: int

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems(self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        return stems(word for word in self.words if word[:1].isupper())

    @cached_property
    def lowered(self) -> frozenset[str]:
        return frozenset(word.lower() for word in self.words)

    @cached_property
    def dates(self) -> list[Date]:
        return [one.value for one in values_in(self.words) if isinstance(one.value, Date)]

    @cached_property
    def ranks(self) -> list[float]:
        values = (one.value for one in values_in(self.words))
        found = [one.amount for one in values if isinstance(one, Number) and one.unit == "ordinal"]
        return [*found, *([float("inf")] if "last" in self.lowered else [])]

    @property
    def text(self) -> str:
        return " ".join(word for word in self.words if word[:1].isalnum())


def compare_order(
    words: Sequence[str], sentences: Sequence[Sequence[str]], evidence: Iterable[int]
) -> list[Calculation]:
    """Whether the evidence confirms or contradicts the order that a claim states; nothing if it is silent."""
    claimed = ClaimedOrder.of(words)
    if claimed is None:
        return []
    clauses = [clause for number in evidence for clause in _clauses(sentences[number], number)]
    chosen = _events(clauses, claimed)
    if chosen is None:
        return []
    early, late = sorted(chosen)
    in_order = _is_in_order(clauses[early], clauses[late])
    if in_order is None:
        return []
    first, second = (clauses[early], clauses[late]) if in_order else (clauses[late], clauses[early])
    agrees = in_order == (chosen[0] == early)
    text = f"“{first.text}” comes before “{second.text}”"
    return [Calculation(text, Outcome.CONFIRMS if agrees else Outcome.CONTRADICTS, second.sentence)]


def _clauses(words: Sequence[str], number: int) -> Iterator[_Clause]:
    """The clauses of a sentence: split at marks, conjunctions, and before words of order."""
    run: list[str] = []
    for place, word in enumerate(words):
        lowered = word.lower()
        if lowered in _CLAUSE_ENDS or (run and _leads(words, place) is not None):
            if stems(run):
                yield _Clause(tuple(run), number)
                run = []
            if lowered in _CLAUSE_ENDS:
                continue
        run.append(word)
    if stems(run):
        yield _Clause(tuple(run), number)


def _events(clauses: Sequence[_Clause], claimed: ClaimedOrder) -> tuple[int, int] | None:
    """The two clauses that are the first and the second event of a claim; `None` if several pairs may be."""

    def shared(clause: _Clause, own: frozenset[str]) -> int:
        # Names say more than other words.
        return sum(2 if item in clause.names else 1 for item in clause.stems & own)

    scored = []
    for one, other in permutations(range(len(clauses)), 2):
        found = shared(clauses[one], claimed.first), shared(clauses[other], claimed.second)
        if all(found):
            swapped = shared(clauses[one], claimed.second) + shared(clauses[other], claimed.first)
            scored.append((sum(found) - swapped, (one, other)))
    best = max(scored, default=(0, None))
    return best[1] if best[0] > 0 and sum(score == best[0] for score, _ in scored) == 1 else None


def _is_in_order(early: _Clause, late: _Clause) -> bool | None:
    """Whether the clause that is written first is also the first event; `None` if nothing orders them."""
    if len(early.dates) == 1 == len(late.dates):
        one, other = early.dates[0], late.dates[0]
        if one.same_parts(other) and one != other and one.weekday is None:
            return not is_later(one, other)
    if len(early.ranks) == 1 == len(late.ranks) and early.ranks != late.ranks:
        return early.ranks < late.ranks
    if late.lowered & _EARLIER:
        return False
    opening, leads = early.words[0].lower(), _leads(late.words, 0)
    if opening in _BEFORE | _AFTER or leads is not None:
        return opening in _AFTER if opening in _BEFORE | _AFTER else not leads
    return True if late.lowered & (_LATER | _THEN) else None
