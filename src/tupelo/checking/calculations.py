"""Numbers, units, times and dates of a claim, compared with those of its source by calculation.

A value that the source does not have literally is *confirmed* if it follows from values that it has: 2 km are 2,000
metres, 15:00 is 3 pm, 20 is half of 40, 1,200 + 800 = 2,000, 2015 − 1990 = 25 years, from 9 to 12 is a third more. It
is *contradicted* if nothing gives it, and a sentence about the same thing gives another value of the same kind:
*three men* where the claim has *two men*, *from 250 to 200* where it has *fell by 30 %*. Otherwise the source *lacks*
it. Every result says what was calculated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import cached_property
from itertools import combinations, groupby, pairwise, permutations

from tupelo.checking.evidence import stem, stems
from tupelo.nlp.languages.en.quantities import CHANGES, HAVING, MULTIPLES, PRONOUN_NUMBERS, SHARES, UNITS
from tupelo.nlp.syntax import VERBAL, DependencyTree
from tupelo.nlp.values import Agreement, Clock, Date, Number, Value, values_in

# Words after a number among which the counted thing is: *three armed men*.
_REACH = 3
# Words of a member of a list, at most.
_MEMBER, _MARKS, _ARTICLES = 6, frozenset([",", ":", ";", "."]), frozenset(["a", "an", "the"])
# The share of a claim's other words that a sentence about the same thing has.
_ABOUT = 2 / 3
# Conversions are exact up to rounding, and never by more than this share.
_ROUNDED = 0.05
# Shares in words need not be exact: 412 of 1,650 is a quarter.
_NEARLY = 0.02
# A sentence with more numbers is a table: some of them give any other one.
_MOST_NUMBERS = 8
# Decimals that a difference of amounts has; more are errors of its computation.
_DIGITS = 6
_NOMINAL = ("NOUN", "PROPN")
# Spans of time differ without contradicting each other: *for two years*, *three months ago*.
_TIMES = ("time", "months")
_MULTIPLIED, _AS = frozenset(["times", *MULTIPLES]), frozenset(["as", "more", "that", "the"])
_CURRENCY = re.compile(r"([$€£¥]) (?=\d)")


class Outcome(Enum):
    """The outcome of a calculation for a claim.

    `LACKS`: nothing in the source gives a value, or it does not name a member of a list; that is no contradiction.
    """

    CONFIRMS = "confirms"
    CONTRADICTS = "contradicts"
    LACKS = "lacks"


@dataclass(frozen=True, slots=True)
class Calculation:
    """A calculation as text, its outcome for the claim, and the sentence of the source with the values, if any."""

    text: str
    outcome: Outcome
    sentence: int | None


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its unit, where it has one: `dimension` and the `size` of the unit in it.

    It is expressed by words `[start, end)` of sentence number `sentence`; `before` is the word before it, `things`
    are the stems of the words after it.
    """

    value: Value
    start: int
    end: int
    text: str
    sentence: int
    before: str
    things: tuple[str, ...]
    dimension: str = ""
    size: float = 1.0

    @property
    def amount(self) -> float:
        """The amount in the first unit of its dimension; only for numbers."""
        assert isinstance(self.value, Number)
        return self.value.amount * self.size

    @property
    def is_plain(self) -> bool:
        """Whether it is a number that can be added to others."""
        return isinstance(self.value, Number) and self.value.unit != "ordinal"

    @property
    def is_count(self) -> bool:
        """Whether it is a number of things."""
        return isinstance(self.value, Number) and not self.value.unit and not self.dimension


def quantities_of(words: Sequence[str], sentence: int = 0) -> list[Quantity]:
    """The quantities of a sentence, in order.

    >>> [(one.amount, one.dimension) for one in quantities_of("He ran 2 km in ten minutes .".split())]
    [(2000.0, 'length'), (600.0, 'time')]
    """
    found: list[Quantity] = []
    for item in values_in(words):
        end, dimension, size = item.end, "", 1.0
        after = words[end : end + 2]
        unit = after[1] if len(after) == 2 and after[0] == "-" else (after[0] if after else "")
        if isinstance(item.value, Number) and not item.value.unit and unit.lower() in UNITS:
            dimension, size = UNITS[unit.lower()]
            end += len(after) if after[0] == "-" else 1
        elif found and isinstance(item.value, Number) and not item.value.unit and not stems(after[:1]):
            # "7.5 km to the hut, and another 2.5": the unit is that of the number before.
            dimension, size = found[-1].dimension, found[-1].size
        things = tuple(stem(word) for word in words[end : end + _REACH])
        text = _CURRENCY.sub(r"\1", " ".join(words[item.start : end]).replace(" - ", "-").replace(" %", "%"))
        before = words[item.start - 1].lower() if item.start else ""
        found.append(Quantity(item.value, item.start, end, text, sentence, before, things, dimension, size))
    return found


class Ledger:
    """The quantities of a source."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self._sentences = sentences

    @cached_property
    def _known(self) -> list[list[Quantity]]:
        return [quantities_of(words, number) for number, words in enumerate(self._sentences)]

    def calculate(self, tree: DependencyTree, words: Sequence[int], evidence: Sequence[int]) -> list[Calculation]:
        """The calculations from values of the source for those of a claim, `words` of a sentence.

        A value that the source has literally follows without calculation. Values are calculated from those of
        `evidence`, sentences that are about the claim.
        """
        spoken = [word.text for word in tree.words]
        chosen = set(words)
        read = (_as_age(one, tree) for one in quantities_of(spoken))
        values = [one for one in read if chosen.issuperset(range(one.start, one.end))]
        # "two thirds" is a share, "two and a half" a number.
        inside = {word for one in values for word in range(one.start + 1, one.end)}
        shares = [one for one in _shares_in(spoken) if one[0] in chosen - inside]
        values = [one for one in values if one.start not in {start for start, _, _ in shares}]
        if not values and not shares:
            return []
        plain = [number for number in evidence if len(self._known[number]) <= _MOST_NUMBERS]
        near = [quantity for number in plain for quantity in self._known[number]]
        changes = any(word.lower() in CHANGES for word in spoken)
        nouns = stems(spoken[word] for word in words if tree.upos(word) in _NOMINAL)
        found = []
        for asked in values:
            if self._has(asked):
                continue
            made = next(_derivations(asked, near, changes), None)
            calculated = made or (self._part(asked, plain) if asked.is_plain else None)
            if calculated is None and changes and (_unit(asked) == "percent" or asked.before == "by"):
                calculated = self._other_change(asked.text, nouns, plain, asked)
            # The difference of two numbers may be meant: 1,500 of 2,300 where 800 are elsewhere.
            if calculated is None and not (asked.is_plain and any(_sums(asked, near, changes=True))):
                calculated = self._rival(asked, tree, words, evidence) or _lack(asked, near)
            found.append(calculated)
        for _, share, text in shares:
            if not any(text in _joined(self._sentences[number]) for number in evidence):
                made = next(_ratios(share, _NEARLY * share, text, near, changes), None)
                found.append(made or self._other_change(text, nouns, plain))
        return [one for one in found if one is not None]

    def _part(self, asked: Quantity, evidence: Sequence[int]) -> Calculation | None:
        """A part or multiple that a sentence gives, *cut by 15 % to 3.4 million*, or a list of that length."""
        assert isinstance(asked.value, Number)
        for number in evidence:
            if asked.is_count and not asked.value.rough and asked.amount in _lists_in(self._sentences[number]):
                return Calculation(f"the source lists {asked.amount:g}", Outcome.CONFIRMS, number)
            known = [one for one in self._known[number] if one.is_plain]
            shares = [(one.amount / 100, one.text) for one in known if _unit(one) == "percent"]
            factors = [(factor, text) for share, text in shares for factor in (share, 1 + share, 1 - share)]
            factors += [(share, text) for _, share, text in _shares_in(self._sentences[number])]
            for one in known if _unit(asked) != "percent" else ():
                for factor, text in factors if _is_alike(one, asked) and _unit(one) != "percent" else ():
                    made = (one.amount * factor, one.amount / factor if factor > 0 else 0.0)
                    if any(_gives(amount, asked, rounded=True) for amount in made):
                        return Calculation(f"{one.text}, {text}: {asked.text}", Outcome.CONFIRMS, number)
        return None

    def wordings(self, words: Sequence[str], evidence: Sequence[int]) -> dict[tuple[int, int], str]:
        """The wording of the evidence for numbers and times of a claim that it writes in another form.

        >>> ledger = Ledger(["They paid 74 million pounds .".split()])
        >>> ledger.wordings("They paid £ 74 million .".split(), [0])
        {(2, 5): '74 million pounds'}
        """
        asked = [one for one in quantities_of(words) if isinstance(one.value, Clock) or one.is_plain]
        if not asked:
            return {}
        near = [quantity for number in evidence for quantity in self._known[number]]
        said = " ".join(_joined(self._sentences[number]) for number in evidence)
        found = {}
        for one in asked:
            literal = " ".join(words[one.start : one.end]).lower()
            wording = next((known.text for known in near if _is_equal(known, one)), None)
            if wording is not None and literal not in said:
                found[one.start, one.end] = wording
        return found

    def _has(self, asked: Quantity) -> bool:
        """Whether the source has the value as it is, or as another word for the same number."""
        said = (word.lower() for words in self._sentences for word in words)
        if asked.is_count and any(PRONOUN_NUMBERS.get(word) == asked.amount for word in said):
            return True
        return any(
            known.size == asked.size
            and (known.dimension == asked.dimension or not (known.dimension and asked.dimension))
            and known.value.compare(asked.value) is Agreement.SAME
            # Not the same time written differently: 15:00 and 3 pm.
            and (not isinstance(known.value, Clock) or known.text.lower() == asked.text.lower())
            for sentence in self._known
            for known in sentence
        )

    def _other_change(
        self, text: str, others: frozenset[str], evidence: Sequence[int], asked: Quantity | None = None
    ) -> Calculation | None:
        """A change from one number to another, where a claim about the same thing has another share or amount."""
        for number in evidence:
            if others and 2 * len(others & stems(self._sentences[number])) >= len(others):
                for first, last in _changes_in(self._known[number]):
                    change = f"{100 * (last.amount - first.amount) / first.amount:+.0f}%"
                    if _unit(last) == "percent" or (asked is not None and _unit(asked) != "percent"):
                        if asked is None or not _is_alike(last, asked):
                            continue
                        change = f"{(last.amount - first.amount) / last.size:+,.10g}"
                    shown = f"from {first.text} to {last.text} is {change}, not {text}".replace("-", "−")
                    return Calculation(shown, Outcome.CONTRADICTS, number)
        return None

    def _rival(
        self, asked: Quantity, tree: DependencyTree, words: Sequence[int], evidence: Sequence[int]
    ) -> Calculation | None:
        """Another value for the same thing: the first that contradicts the claim, or else one that may not."""
        head = _governor(tree, asked.start, asked.end)
        if head is None or _unit(asked) == "ordinal" or (asked.is_count and tree.upos(head) not in _NOMINAL):
            return None
        own, thing = {*range(asked.start, asked.end), head}, stem(tree.text(head))
        rest = [word for word in words if word not in own and tree.upos(word) != "PRON"]
        others, found = stems(map(tree.text, rest)), None
        only_has = all(tree.lemmas[word] in ("be", "have") for word in rest if tree.upos(word) in VERBAL)
        for number in evidence:
            sentence = self._sentences[number]
            rivals = [known for known in self._known[number] if _is_rival(known, asked, thing)]
            # "9,000 copies in Finland and three times as many in Estonia" has two numbers.
            is_multiple = any(word in _MULTIPLIED and after in _AS for word, after in pairwise(sentence))
            if len(rivals) != 1 or thing not in map(stem, sentence) or is_multiple:
                continue
            (rival,) = rivals
            if _in_unit_of(asked, rival).compare(asked.value) is not Agreement.DIFFERENT:
                continue
            of = f" {tree.text(head)}" if asked.is_count else ""
            text, shared = f"the source has {rival.text}{of}, not {asked.text}{of}", others & stems(sentence)
            # A smaller number may be a part of a larger one where the claim has a word more: "two awards in Berlin".
            is_part = asked.is_count and asked.amount < rival.amount and shared != others
            contradicts = len(shared) >= max(2, _ABOUT * len(others)) and not is_part
            if len(others) == 1 == len(shared):
                # The claim only gives the number of things that something has: so must the sentence.
                contradicts = only_has and _is_held(rival, self._known[number], sentence)
            if contradicts:
                return Calculation(text, Outcome.CONTRADICTS, number)
            if asked.is_count and 2 * len(shared) >= len(others):
                found = found or Calculation(text, Outcome.LACKS, number)
        return found


def _lack(asked: Quantity, near: Sequence[Quantity]) -> Calculation | None:
    """That nothing gives a value; nothing if an approximate number allows it."""
    allowed = any(
        _in_unit_of(asked, known).compare(asked.value) is not Agreement.DIFFERENT
        for known in near
        if (known.dimension, _unit(known)) == (asked.dimension, _unit(asked))
    )
    if allowed or _unit(asked) == "ordinal":
        return None
    return Calculation(f"the source does not give {asked.text}", Outcome.LACKS, None)


def _is_held(known: Quantity, quantities: Sequence[Quantity], words: Sequence[str]) -> bool:
    """Whether a sentence only gives the number of things that something has: *has 80 rooms and 45 employees*."""
    if not HAVING.isdisjoint((known.before, " ".join(words[max(known.start - 2, 0) : known.start]).lower())):
        return True
    before = [one for one in quantities if known.start - 1 - _REACH <= one.end < known.start]
    return known.before in ("and", ",") and bool(before) and _is_held(before[-1], quantities, words)


def _is_rival(known: Quantity, asked: Quantity, thing: str) -> bool:
    """Whether a value of the source answers the same question: how many of a thing, how long, when.

    A date or time does so after the same word only: *in 1899* says nothing about *until 1939*.
    """
    if isinstance(asked.value, Number):
        if not isinstance(known.value, Number) or known.value.unit != asked.value.unit:
            return False
        if known.dimension != asked.dimension or (known.size != asked.size and known.dimension in _TIMES):
            return False
        # Counted things and measured ones; amounts of money and percentages have no thing after them.
        return thing in known.things or bool(asked.dimension or asked.value.unit)
    if known.before != asked.before:
        return False
    if isinstance(asked.value, Date) and isinstance(known.value, Date):
        return asked.value.same_parts(known.value)
    return type(known.value) is type(asked.value)


def _in_unit_of(asked: Quantity, known: Quantity) -> Value:
    """A value of the source in the unit of the claim."""
    if known.size == asked.size or not isinstance(known.value, Number):
        return known.value
    return replace(known.value, amount=known.amount / asked.size, step=known.value.step * known.size / asked.size)


def _is_equal(known: Quantity, asked: Quantity) -> bool:
    """Whether a value of the source is that of a claim, whatever its unit and form; a number has the same unit."""
    if not known.is_plain or not asked.is_plain:
        return isinstance(known.value, Clock) and known.value.compare(asked.value) is Agreement.SAME
    if known.dimension != asked.dimension or _unit(known) != _unit(asked):
        return False
    things = set(known.things[:2]) & set(asked.things[:2])
    return _in_unit_of(asked, known).compare(asked.value) is Agreement.SAME and bool(
        things or asked.dimension or _unit(asked)
    )


def _changes_in(known: Sequence[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """Two numbers of a kind as the ends of a change: *from 9 to 12 million*, *12 million, up from 9 million*."""
    for first, last in pairwise(one for one in known if one.is_plain):
        is_backward = last.before in ("from", "against") and first.before != "from"
        ends = (last, first) if is_backward else (first, last)
        if (is_backward or (first.before, last.before) == ("from", "to")) and _is_alike(*ends) and ends[0].amount > 0:
            yield ends


def _as_age(quantity: Quantity, tree: DependencyTree) -> Quantity:
    """A number of years, if a bare number is an age: *aged 73*, *at the age of 73*, *lived to about 73*."""
    before = {*tree.lowered[max(quantity.start - 2, 0) : quantity.start]}
    lived = {tree.lemmas[word] for word in range(max(quantity.start - 2, 0), quantity.start)} & {"live"}
    is_age = bool(before & {"aged", "age"}) or (bool(lived) and quantity.before == "to")
    return replace(quantity, dimension="months", size=12.0) if quantity.is_count and is_age else quantity


def _derivations(asked: Quantity, known: Sequence[Quantity], changes: bool) -> Iterator[Calculation]:
    """The calculations that give a value, simple ones first."""
    if isinstance(asked.value, Date) and asked.value.year and not asked.value.month:
        # "29 in 1996" was born in 1966 or 1967; "in 1996, and four years later" is 2000.
        for one, apart in permutations(known, 2):
            if not apart.is_plain:
                continue
            years = apart.amount if apart.is_count else apart.amount / 12 if apart.dimension == "months" else 0.0
            start = one.value.year if isinstance(one.value, Date) else None
            later = asked.value.year - (start or 0)
            if start and one.sentence == apart.sentence and (later == -years - 1 or abs(later) == years > 0):
                text = f"{start} {'+' if later > 0 else '−'} {apart.text} = {asked.text}"
                yield Calculation(text, Outcome.CONFIRMS, one.sentence)
    if isinstance(asked.value, Clock):
        for one in known:
            if one.value.compare(asked.value) is Agreement.SAME:
                yield Calculation(f"{one.text} = {asked.text}", Outcome.CONFIRMS, one.sentence)
    if not asked.is_plain:
        return
    assert isinstance(asked.value, Number)
    yield from _conversions(asked, known)
    if asked.value.unit == "percent" or asked.things[:1] == ("times",):
        whole = 100 if asked.value.unit else 1
        room = min(asked.value.step / 2, _ROUNDED * asked.amount) if asked.value.unit else _NEARLY * asked.amount
        yield from _ratios(asked.amount / whole, room / whole, asked.text, known, changes)
    if asked.dimension in ("months", "time") and asked.value.rough not in ("over", "under"):
        yield from _durations(asked, known)
    yield from _sums(asked, known, changes)


def _conversions(asked: Quantity, known: Iterable[Quantity]) -> Iterator[Calculation]:
    for one in known:
        if one.is_plain and one.dimension == asked.dimension != "" and one.size != asked.size:
            sign = "=" if one.amount == asked.amount else "≈"
            if sign == "=" or _gives(one.amount, asked, rounded=True):
                yield Calculation(f"{one.text} {sign} {asked.text}", Outcome.CONFIRMS, one.sentence)


def _sums(asked: Quantity, known: Sequence[Quantity], changes: bool) -> Iterator[Calculation]:
    """Sums and differences of two numbers in a sentence or of the same thing; sums of three numbers in a sentence."""
    alike = [one for one in known if _is_alike(one, asked)]
    for left, right in sorted(combinations(alike, 2), key=lambda two: two[0].sentence != two[1].sentence):
        if left.sentence == right.sentence or _share_thing(left, right):
            # "212 members, 35 more than before" makes 177, "and hired 35 more" 247.
            is_more = any(one.things[:1] == ("more",) and "than" in one.things for one in (left, right))
            is_times = any(one.things[:1] == ("times",) and _AS & {*one.things[1:2]} for one in (left, right))
            if not is_more and _gives(left.amount + right.amount, asked):
                yield Calculation(f"{left.text} + {right.text} = {asked.text}", Outcome.CONFIRMS, right.sentence)
            if is_times and _gives(left.amount * right.amount, asked):
                yield Calculation(f"{left.text} × {right.text} = {asked.text}", Outcome.CONFIRMS, right.sentence)
            larger, smaller = (left, right) if left.amount > right.amount else (right, left)
            if (changes or is_more) and _gives(larger.amount - smaller.amount, asked):
                yield Calculation(f"{larger.text} − {smaller.text} = {asked.text}", Outcome.CONFIRMS, right.sentence)
    for sentence, group in groupby(alike, key=lambda one: one.sentence):
        for three in combinations(group, 3):
            if _gives(sum(one.amount for one in three), asked):
                terms = " + ".join(one.text for one in three)
                yield Calculation(f"{terms} = {asked.text}", Outcome.CONFIRMS, sentence)


def _ratios(share: float, room: float, text: str, known: Iterable[Quantity], changes: bool) -> Iterator[Calculation]:
    """Two numbers of a sentence or of the same thing with a ratio, or a change: from 9 to 12 is a third."""
    for part, whole in _pairs(one for one in known if one.is_plain and one.amount > 0 and _unit(one) != "percent"):
        if part.sentence == whole.sentence or _share_thing(part, whole):
            if abs(part.amount / whole.amount - share) <= room:
                yield Calculation(f"{part.text} / {whole.text} = {text}", Outcome.CONFIRMS, part.sentence)
            if changes and abs(abs(part.amount - whole.amount) / whole.amount - share) <= room:
                shown = f"from {whole.text} to {part.text} is {text}"
                yield Calculation(shown, Outcome.CONFIRMS, part.sentence)


def _durations(asked: Quantity, known: Sequence[Quantity]) -> Iterator[Calculation]:
    """From one date or time of the source to another."""
    for first, last in combinations(known, 2):
        apart = _apart(first.value, last.value, asked.dimension)
        if apart is not None and _spans(apart, asked):
            # The later one first.
            late, early = (last, first) if is_later(last.value, first.value) else (first, last)
            yield Calculation(f"{late.text} − {early.text} = {asked.text}", Outcome.CONFIRMS, late.sentence)


def _spans(apart: float, asked: Quantity) -> bool:
    """Whether a time between dates is the asked one, or about it if that is rough."""
    assert isinstance(asked.value, Number)
    made = replace(asked.value, amount=apart / asked.size, rough="")
    whole = apart - apart % asked.size if asked.dimension == "months" else apart
    return whole == asked.amount or (bool(asked.value.rough) and made.compare(asked.value) is Agreement.SAME)


def _apart(one: Value, other: Value, dimension: str) -> float | None:
    """Years as months, or days and minutes as seconds, between two dates or times."""
    if isinstance(one, Clock) and isinstance(other, Clock) and dimension == "time":
        return abs(one.minutes - other.minutes) * 60.0
    if not isinstance(one, Date) or not isinstance(other, Date):
        return None
    months = (one.month or 0) - (other.month or 0) if one.month and other.month else 0
    if dimension == "months" and ((one.year and other.year) or (months and not one.year and not other.year)):
        return abs(((one.year or 0) - (other.year or 0)) * 12.0 + months)
    days = [_day(given, one.year or other.year) for given in (one, other)]
    if dimension == "time" and days[0] is not None and days[1] is not None:
        return abs((days[0] - days[1]).days) * 86400.0
    return None


def _day(given: Date, year: int | None) -> date | None:
    if given.month is None or given.day is None:
        return None
    try:
        # Without any year both dates are in one, and not around a leap day.
        return date(given.year or year or 2001, given.month, given.day)
    except ValueError:
        return None


def is_later(one: Value, other: Value) -> bool:
    """Whether a date or time is not before another one of its kind."""
    if isinstance(one, Clock) and isinstance(other, Clock):
        return one.minutes >= other.minutes
    assert isinstance(one, Date)
    assert isinstance(other, Date)
    return [one.year or 0, one.month or 0, one.day or 0] >= [other.year or 0, other.month or 0, other.day or 0]


def _gives(amount: float, asked: Quantity, *, rounded: bool = False) -> bool:
    """Whether a calculated amount, in the first unit of its dimension, is the asked one."""
    assert isinstance(asked.value, Number)
    if rounded and abs(amount - asked.amount) <= min(asked.value.step * asked.size / 2, _ROUNDED * asked.amount):
        return True
    made = replace(asked.value, amount=round(amount / asked.size, _DIGITS))
    return amount > 0 and not asked.value.rough and made.compare(asked.value) is Agreement.SAME


def _is_alike(known: Quantity, asked: Quantity) -> bool:
    """Whether a number can be a term of the asked one: the same unit, and not a year that only looks like one."""
    units = {_unit(known), _unit(asked)}
    return (
        known.is_plain
        and known.dimension == asked.dimension
        and (len(units) == 1 or ("" in units and "percent" not in units))
    )


def _unit(quantity: Quantity) -> str:
    return quantity.value.unit if isinstance(quantity.value, Number) else ""


def _share_thing(left: Quantity, right: Quantity) -> bool:
    return bool(stems(left.things) & stems(right.things))


def _pairs(known: Iterable[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """Two numbers of a kind, in both orders."""
    return ((one, other) for one, other in permutations(known, 2) if _is_alike(one, other))


def _shares_in(words: Sequence[str]) -> Iterator[tuple[int, float, str]]:
    """Shares and multiples of a sentence: the first word, the number, the wording."""
    lowered = [word.lower() for word in words]
    for start, word in enumerate(lowered):
        if word in MULTIPLES:
            yield start, MULTIPLES[word], word
            continue
        for length in (3, 2, 1):
            phrase = " ".join(lowered[start : start + length]).replace(" - ", " ")
            if phrase in SHARES:
                yield start, SHARES[phrase], phrase
                break


def _lists_in(words: Sequence[str]) -> Iterator[float]:
    """The number of things in each list of three or more members with a name, a number or an article.

    >>> list(_lists_in("It has two cooks , a poet and the mayor .".split()))
    [4.0]
    """
    for last in (place for place, word in enumerate(words) if word in ("and", "&")):
        ends = [last - (words[last - 1] == ","), min(last + 1 + _MEMBER, len(words))]
        marks = [place for place in range(ends[0]) if words[place] in _MARKS]
        while marks and words[marks[-1]] == "," and ends[0] - marks[-1] <= _MEMBER + 1:
            ends.insert(0, marks.pop())
        members = [quantities_of(words[start + 1 : end]) for start, end in pairwise([-1, *ends])]
        named = (words[end + 1] for end in {*ends[:-2], last})
        if len(ends) > 2 and all(word[:1].isupper() or word in _ARTICLES or values_in([word]) for word in named):
            yield sum(next((one.amount for one in reversed(found) if one.is_count), 1.0) for found in members)


def _joined(words: Sequence[str]) -> str:
    return " ".join(words).lower().replace(" - ", " ")


def _governor(tree: DependencyTree, start: int, end: int) -> int | None:
    """The word outside `[start, end)` that a phrase is attached to."""
    outside = (tree.heads[place] for place in range(start, end))
    return next((head for head in outside if head is not None and not start <= head < end), None)
