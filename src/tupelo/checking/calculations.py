"""Numbers, units, times and dates of a claim, compared with those of its source by calculation.

A value that the source does not have literally is *confirmed* if it follows from values that it has: 2 km are 2,000
metres, 15:00 is 3 pm, 20 is half of 40, 1,200 + 800 = 2,000, 2015 − 1990 = 25 years, from 9 to 12 is a third more. It
is *contradicted* if nothing gives it, and a sentence about the same thing gives another value of the same kind:
*three men* where the claim has *two men*, *from 250 to 200* where it has *fell by 30 %*. It is *disputed* if a
sentence that shares less with the claim gives another number of the same things. Every result says what was
calculated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import cached_property
from itertools import combinations, groupby, pairwise, permutations
from math import isclose

from tupelo.checking.evidence import stem, stems
from tupelo.nlp.languages.en.quantities import CHANGES, HAVING, MULTIPLES, PRONOUN_NUMBERS, SHARES, UNITS
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.values import Agreement, Clock, Date, Number, Value, values_in

# Words after a number among which the counted thing is: *three armed men*.
_REACH = 3
# The share of a claim's other words that a sentence about the same thing has.
_ABOUT = 2 / 3
# Conversions are exact up to rounding, and never by more than this share.
_ROUNDED = 0.05
# A sentence with more numbers is a table: some of them give any other one.
_MOST_NUMBERS = 8
_SECONDS_A_DAY = 86400
_NOMINAL = ("NOUN", "PROPN")
# Spans of time differ without contradicting each other: *for two years*, *three months ago*.
_TIMES = ("time", "months")
_MULTIPLIED, _AS = frozenset(["times", *MULTIPLES]), frozenset(["as", "more", "that", "the"])
_CURRENCY = re.compile(r"([$€£¥]) (?=\d)")


class Outcome(Enum):
    """The outcome of a calculation for a claim; a claim that it disputes may still be about something else.

    `LACKS`: the source does not name one of several things, which is no contradiction.
    """

    CONFIRMS = "confirms"
    CONTRADICTS = "contradicts"
    DISPUTES = "disputes"
    LACKS = "lacks"


@dataclass(frozen=True, slots=True)
class Calculation:
    """A calculation as text, its outcome for the claim, and the sentence of the source with the values."""

    text: str
    outcome: Outcome
    sentence: int


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
    found = []
    for item in values_in(words):
        end, dimension, size = item.end, "", 1.0
        after = words[end : end + 2]
        unit = after[1] if len(after) == 2 and after[0] == "-" else (after[0] if after else "")
        if isinstance(item.value, Number) and not item.value.unit and unit.lower() in UNITS:
            dimension, size = UNITS[unit.lower()]
            end += len(after) if after[0] == "-" else 1
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
        shares = [one for one in _shares_in(spoken) if one[0] in chosen]
        if not values and not shares:
            return []
        plain = [number for number in evidence if len(self._known[number]) <= _MOST_NUMBERS]
        near = [quantity for number in plain for quantity in self._known[number]]
        changes = any(word.lower() in CHANGES for word in spoken)
        found = []
        for asked in values:
            if self._has(asked):
                continue
            calculated = next(_derivations(asked, near, changes), None)
            if calculated is None and changes and _unit(asked) == "percent":
                calculated = self._other_change(asked.text, tree, words, plain)
            if calculated is None and asked.dimension in _TIMES:
                calculated = self._other_duration(asked, tree, words, plain)
            # The difference of two numbers may be meant: 1,500 of 2,300 where 800 are elsewhere.
            if calculated is None and not (asked.is_plain and any(_sums(asked, near, changes=True))):
                calculated = self._rival(asked, tree, words, evidence)
            if calculated is not None:
                found.append(calculated)
        for _, share, text in shares:
            calculated = self._share(share, text, plain, changes) or self._other_change(text, tree, words, plain)
            if calculated is not None:
                found.append(calculated)
        return found

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

    def _share(self, share: float, text: str, evidence: Sequence[int], changes: bool) -> Calculation | None:
        """A share or multiple that the source does not word so, and that two numbers of a sentence have.

        It may be a share of change: from 9 to 12 is a third more.
        """
        if any(text in _joined(self._sentences[number]) for number in evidence):
            return None
        for number in evidence:
            for part, whole in _pairs(self._known[number]):
                if whole.amount and part.amount == share * whole.amount:
                    return Calculation(f"{part.text} / {whole.text} = {text}", Outcome.CONFIRMS, number)
        for number in evidence if changes else ():
            for first, last in _changes_in(self._known[number]):
                if isclose(abs(last.amount - first.amount), share * first.amount):
                    return Calculation(f"from {first.text} to {last.text} is {text}", Outcome.CONFIRMS, number)
        return None

    def _other_change(
        self, text: str, tree: DependencyTree, words: Sequence[int], evidence: Sequence[int]
    ) -> Calculation | None:
        """A change from one number to another, where a claim about the same thing has another share of change."""
        if any(text in _joined(self._sentences[number]) for number in evidence):
            return None
        others = stems(tree.words[word].text for word in words if tree.upos(word) in _NOMINAL)
        for number in evidence:
            if others and 2 * len(others & stems(self._sentences[number])) >= len(others):
                for first, last in _changes_in(self._known[number]):
                    change = 100 * (last.amount - first.amount) / first.amount
                    shown = f"from {first.text} to {last.text} is {change:+.0f}%, not {text}".replace("-", "−")
                    return Calculation(shown, Outcome.CONTRADICTS, number)
        return None

    def _other_duration(
        self, asked: Quantity, tree: DependencyTree, words: Sequence[int], evidence: Sequence[int]
    ) -> Calculation | None:
        """Another time between the only two dates or times of a sentence with the names of a claim."""
        assert isinstance(asked.value, Number)
        own = {*range(asked.start, asked.end)}
        names = stems(tree.words[word].text for word in words if tree.upos(word) == "PROPN" and word not in own)
        for number in evidence if names else ():
            known = self._known[number]
            if len(known) == 2 and names <= stems(self._sentences[number]):
                apart = _apart(known[0].value, known[1].value, asked.dimension)
                if apart is not None:
                    text = f"{known[1].text} − {known[0].text} is not {asked.text}"
                    return Calculation(text, Outcome.DISPUTES, number)
        return None

    def _rival(
        self, asked: Quantity, tree: DependencyTree, words: Sequence[int], evidence: Sequence[int]
    ) -> Calculation | None:
        """Another value for the same thing: the first that contradicts the claim, or else that disputes it."""
        head = _governor(tree, asked.start, asked.end)
        if head is None or _unit(asked) == "ordinal" or (asked.is_count and tree.upos(head) not in _NOMINAL):
            return None
        own = {*range(asked.start, asked.end), head}
        claim = _Counted(
            asked, tree, head, tuple(word for word in words if word not in own and tree.upos(word) != "PRON")
        )
        disputes = None
        for number in evidence:
            sentence = self._sentences[number]
            rivals = [known for known in self._known[number] if _is_rival(known, asked, claim.thing)]
            # "9,000 copies in Finland and three times as many in Estonia" has two numbers.
            is_multiple = any(word in _MULTIPLIED and after in _AS for word, after in pairwise(sentence))
            if len(rivals) != 1 or claim.thing not in map(stem, sentence) or is_multiple:
                continue
            (rival,) = rivals
            if _in_unit_of(asked, rival).compare(asked.value) is not Agreement.DIFFERENT:
                continue
            of = f" {tree.words[head].text}" if asked.is_count else ""
            text = f"the source has {rival.text}{of}, not {asked.text}{of}"
            if claim.is_contradicted(rival, sentence, is_held=_is_held(rival, self._known[number], sentence)):
                return Calculation(text, Outcome.CONTRADICTS, number)
            if disputes is None and claim.is_disputed(sentence):
                disputes = Calculation(text, Outcome.DISPUTES, number)
        return disputes


@dataclass(frozen=True, slots=True)
class _Counted:
    """A value that a claim gives for the word `head` of its sentence; `others` are its other words but pronouns."""

    asked: Quantity
    tree: DependencyTree
    head: int
    others: tuple[int, ...]

    @property
    def thing(self) -> str:
        return stem(self.tree.words[self.head].text)

    def is_contradicted(self, rival: Quantity, sentence: Sequence[str], *, is_held: bool) -> bool:
        """Whether a sentence with another value shares most words with the claim.

        A smaller number may be a part of a larger one where the claim has a word more: *two awards in Berlin*. Where
        the claim only gives the number of things that something has, the sentence must say no more than that.
        """
        others, shared = self._words(sentence)
        if len(others) == 1 == len(shared):
            return is_held and self._only_has
        is_part = self.asked.is_count and self.asked.amount < rival.amount and shared != others
        return len(shared) >= max(2, _ABOUT * len(others)) and not is_part

    def is_disputed(self, sentence: Sequence[str]) -> bool:
        """Whether a sentence with another number of the same things shares half of the claim's other words."""
        others, shared = self._words(sentence)
        return self.asked.is_count and 2 * len(shared) >= len(others)

    def _words(self, sentence: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
        others = stems(self.tree.words[word].text for word in self.others)
        return others, others & stems(sentence)

    @property
    def _only_has(self) -> bool:
        verbs = (word for word in self.others if self.tree.upos(word) in ("VERB", "AUX"))
        return all(self.tree.lemmas[word] in ("be", "have") for word in verbs)


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
    if isinstance(asked.value, Clock):
        for one in known:
            if one.value.compare(asked.value) is Agreement.SAME:
                yield Calculation(f"{one.text} = {asked.text}", Outcome.CONFIRMS, one.sentence)
    if not asked.is_plain:
        return
    assert isinstance(asked.value, Number)
    yield from _conversions(asked, known)
    if asked.value.unit == "percent":
        yield from _percentages(asked, known, changes)
        return
    if asked.dimension in ("months", "time") and asked.value.rough not in ("over", "under"):
        yield from _durations(asked, known)
    yield from _sums(asked, known, changes)


def _conversions(asked: Quantity, known: Iterable[Quantity]) -> Iterator[Calculation]:
    assert isinstance(asked.value, Number)
    for one in known:
        if one.is_plain and one.dimension == asked.dimension != "" and one.size != asked.size:
            # Rounded to the digits of the claim.
            room = min(asked.value.step * asked.size / 2, _ROUNDED * asked.amount)
            exact = one.amount == asked.amount
            if exact or abs(one.amount - asked.amount) <= room:
                yield Calculation(f"{one.text} {'=' if exact else '≈'} {asked.text}", Outcome.CONFIRMS, one.sentence)


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


def _percentages(asked: Quantity, known: Sequence[Quantity], changes: bool) -> Iterator[Calculation]:
    numbers = [one for one in known if one.is_plain and one.amount > 0 and _unit(one) != "percent"]
    for part, whole in _pairs(numbers):
        if part.sentence != whole.sentence and not _share_thing(part, whole):
            continue
        if part.amount < whole.amount and _gives(100 * part.amount / whole.amount, asked, rounded=True):
            yield Calculation(f"{part.text} / {whole.text} = {asked.text}", Outcome.CONFIRMS, part.sentence)
        change = 100 * abs(part.amount - whole.amount) / whole.amount
        if changes and _gives(change, asked, rounded=True):
            text = f"from {whole.text} to {part.text} is {asked.text}"
            yield Calculation(text, Outcome.CONFIRMS, part.sentence)


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
    if dimension == "months" and one.year and other.year:
        months = (one.month or 0) - (other.month or 0) if one.month and other.month else 0
        return abs((one.year - other.year) * 12.0 + months)
    days = [_day(given, one.year or other.year) for given in (one, other)]
    if dimension == "time" and days[0] is not None and days[1] is not None:
        return abs((days[0] - days[1]).days) * float(_SECONDS_A_DAY)
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
    if rounded and abs(amount - asked.amount) <= asked.value.step / 2:
        return True
    made = replace(asked.value, amount=amount / asked.size)
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


def _pairs(known: Sequence[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """Two numbers of a kind, in both orders."""
    numbers = [one for one in known if one.is_plain]
    for one, other in permutations(numbers, 2):
        if _is_alike(one, other):
            yield one, other


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


def _joined(words: Sequence[str]) -> str:
    return " ".join(words).lower().replace(" - ", " ")


def _governor(tree: DependencyTree, start: int, end: int) -> int | None:
    """The word outside `[start, end)` that a phrase is attached to."""
    outside = (tree.heads[place] for place in range(start, end))
    return next((head for head in outside if head is not None and not start <= head < end), None)
