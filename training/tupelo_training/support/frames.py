"""Claims from frames that were written by hand, in matched pairs: one is true and one is not, in the same words.

`frames/` has them: wordings of one relation, whose claims are false with names exchanged (`swapped.txt`); statements
and their opposites (`classes.txt`); events with what is said of them, from planned to denied (`events.txt`,
`stances.txt`) and in which order they were (`orders.txt`); numbers and what follows from them (`numbers.txt`); two
documents that are about one thing (`bridge.txt`). Evidence stands among sentences of other frames about the same few
names. One frame in eight is held out with all its claims.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path

from tupelo.nlp.languages.en.inflection import gerund, participle, past
from tupelo_training.support.given import Given, edits, given
from tupelo_training.support.quantities import Numbers
from tupelo_training.support.table import NO, REFUTED, SUPPORTED, UNKNOWN, UNSUPPORTED, YES

FOLDER = Path(__file__).with_name("frames")
SLOT = re.compile(r"\{(\w+)\}")
LABELS = {"+": SUPPORTED, "-": REFUTED, "=": SUPPORTED, "!": REFUTED, "?": UNKNOWN}
# How many times a frame of each file is told.
TIMES = {"swapped": 48, "classes": 32, "stances": 50, "orders": 30, "numbers": 110, "bridge": 70}
# Things and substances have no plans.
LIFELESS, SAYABLE = (
    "SX",
    {"asserted", "notdone", "possible", "hearsay", "future", "said", "disputed", "believed", "doubted"},
)


@dataclass(frozen=True, slots=True)
class Told:
    """A claim with the sentences that it is to be read with; `frame` decides whether it is held out."""

    frame: str
    premise: tuple[str, ...]
    claim: Given


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame with its slots, and its lines, each with the sign before it (`+` where there is none)."""

    header: str
    slots: tuple[tuple[str, str], ...]
    lines: tuple[tuple[str, str], ...]

    def wordings(self, sign: str) -> list[str]:
        return [line for mark, line in self.lines if mark == sign]


def read_lines(name: str) -> list[str]:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def read_frames(name: str) -> Iterator[Frame]:
    header, lines = "", list[tuple[str, str]]()
    for line in [*read_lines(name), "== end"]:
        sign, _, rest = line.partition(" ")
        if sign != "==":
            lines.append((sign, rest) if sign in tuple("+-=!?>~") else ("+", line))
            continue
        if header:
            yield Frame(
                f"{header} {lines[0][1]}",
                tuple((slot, kind) for slot, kind in re.findall(r"\b(\w+):(\w+)", header)),
                tuple(lines),
            )
        header, lines = rest, []


def finished(text: str) -> str:
    """A sentence with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def filled(wording: str, names: dict[str, str]) -> str:
    return ". ".join(map(finished, SLOT.sub(lambda match: names.get(match[1], match[0]), wording).split(". ")))


class Names:
    """Draws names by the type of a slot."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        rows = (line.partition("\t") for line in read_lines("names"))
        self._lists = {kind: names.split("; ") for kind, _, names in rows}

    def one(self, kind: str) -> str:
        draw, lists = self._chance.choice, self._lists
        if kind == "A":
            kind = draw("PPRO")
        if kind == "P":
            given_name, surname = draw(lists["given"]), draw(lists["surname"])
            return draw([surname, f"{given_name} {surname}", f"{given_name} {surname}"])
        if kind == "O":
            return draw([f"{draw(lists['firm'])} {draw(lists['trade'])}", draw(lists["firm"])])
        return str(self._chance.randint(1821, 2021)) if kind == "Y" else draw(lists[kind])

    def cast(self, slots: Sequence[tuple[str, str]]) -> dict[str, str]:
        """A name for each slot, all distinct."""
        found: dict[str, str] = {}
        for slot, kind in slots:
            name = self.one(kind)
            while any(name in other or other in name for other in found.values()):
                name = self.one(kind)
            found[slot] = name
        return found


def against(claim: str, label: int, true: Sequence[str]) -> Given:
    """A claim whose words are marked as wrong where the most similar true one has others."""
    if label == SUPPORTED:
        return given(claim, label)
    closest = max(true, key=lambda other: SequenceMatcher(None, claim, other).ratio(), default="")
    return Given(claim, edits(closest, claim) if closest else [], label)


class Teller:
    """Tells frames: each call of a method yields claims in pairs."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.names = Names(self.chance)
        self.numbers = Numbers(self.chance)

    @cached_property
    def events(self) -> list[list[str]]:
        return [line.split("|") for line in read_lines("events")]

    def swapped(self) -> Iterator[Told]:
        """One wording as the evidence and another as the claim, with the names as they are and exchanged."""
        for frame in read_frames("swapped"):
            wordings = frame.wordings("+")
            wrong = REFUTED if frame.header.split()[0].endswith("!") else UNSUPPORTED
            for _ in range(TIMES["swapped"]):
                names = self.names.cast(frame.slots)
                evidence, claim = self.chance.sample(wordings, 2)
                true = filled(claim, names)
                false = filled(claim, names | {"A": names["B"], "B": names["A"]})
                marks = [
                    *(
                        (m.start(), m.end(), NO)
                        for n in (names["A"], names["B"])
                        for m in re.finditer(re.escape(n), false)
                    ),
                    (0, len(false), YES),
                ]
                premise = filled(evidence, names)
                yield Told(frame.header, (premise,), given(true, SUPPORTED))
                yield Told(frame.header, (premise,), Given(false, marks, wrong))

    def classes(self, name: str = "classes") -> Iterator[Told]:
        """A statement as the evidence; claims that follow from it, and that contradict or exceed it."""
        for frame in read_frames(name):
            for _ in range(TIMES[name]):
                names = self.names.cast(frame.slots)
                sides = [side for side in ("+", "-") if frame.wordings(side)]
                if sides:
                    side = self.chance.choice(sides)
                    evidence = self.chance.choice(frame.wordings(side))
                    true = [one for one in frame.wordings(side) if one != evidence]
                    false = [(one, REFUTED) for one in frame.wordings("-" if side == "+" else "+")]
                else:
                    evidence, true = self._evidence(frame), frame.wordings("=")
                    false = [(one, LABELS[sign]) for sign, one in frame.lines if sign in "!?"]
                premise = tuple(
                    part if part.endswith((".", '"')) else f"{part}." for part in filled(evidence, names).split(". ")
                )
                right = [filled(one, names) for one in true]
                wrong, label = self.chance.choice(false)
                yield Told(frame.header, premise, given(self.chance.choice(right), SUPPORTED))
                yield Told(frame.header, premise, against(filled(wrong, names), label, right))

    def _evidence(self, frame: Frame) -> str:
        """One of the wordings of the evidence; for two documents, theirs in either order."""
        if frame.wordings(">"):
            return self.chance.choice(frame.wordings(">"))
        parts = [part.strip() for part in frame.header.split(" | ")[1:]]
        self.chance.shuffle(parts)
        return " ".join(parts)

    def stances(self) -> Iterator[Told]:
        """An event as fact, plan, rumour, denial and so on, and claims that keep or change that."""
        lines = read_lines("stances")
        wordings = [line.split(" ", 2) for line in lines if not line.startswith("%")]
        follows = [self._follows(line) for line in lines if line.startswith("%")]
        for event in self.events:
            header = "|".join(event)
            known = [rule for rule in follows if event[0] not in LIFELESS or rule[0] in SAYABLE]
            for _ in range(TIMES["stances"]):
                stance, true, false = self.chance.choice(known)
                wrong, label = self.chance.choice(
                    [one for one in false if event[0] not in LIFELESS or one[0] in SAYABLE]
                )
                words = self._words(event)
                told = {
                    name: [filled(wording, words) for own, where, wording in wordings if own == name and where != use]
                    for name, use in [(wrong, "e"), *((one, "e") for one in true)]
                }
                said = [filled(wording, words) for own, where, wording in wordings if own == stance and where != "c"]
                premise = self.chance.choice(said)
                right = [one for name in true for one in told[name] if one != premise]
                yield Told(header, (premise,), given(self.chance.choice(right), SUPPORTED))
                yield Told(header, (premise,), against(self.chance.choice(told[wrong]), label, right))

    @staticmethod
    def _follows(line: str) -> tuple[str, list[str], list[tuple[str, int]]]:
        """A stance, those that follow from it, and those that do not with their labels."""
        _, stance, *rest = line.split()
        found: dict[int, list[str]] = {label: [] for label in (SUPPORTED, REFUTED, UNKNOWN)}
        label = SUPPORTED
        for word in rest:
            label = LABELS.get(word, label)
            if word not in LABELS:
                found[label].append(word)
        return stance, found[SUPPORTED], [(name, wrong) for wrong in (REFUTED, UNKNOWN) for name in found[wrong]]

    def _words(self, event: Sequence[str]) -> dict[str, str]:
        """The words of an event: its subject, the forms of its verb, the rest, and somebody who speaks of it."""
        kind, verb, rest = event
        slots = [("S", kind), ("Q", self.chance.choice("PO")), *((slot, slot[0]) for slot in SLOT.findall(rest))]
        names = self.names.cast(slots)
        forms = {"V": verb, "Vd": past(verb), "Vn": participle(verb), "Vg": gerund(verb)}
        return names | forms | {"R": SLOT.sub(lambda match: names[match[1]], rest)}

    def orders(self) -> Iterator[Told]:
        """Two events with what orders them, and claims in that order and in the other."""
        wordings = [line.split(" ", 1) for line in read_lines("orders")]
        living = [event for event in self.events if event[0] not in LIFELESS]
        for event in living:
            for _ in range(TIMES["orders"]):
                other = self.chance.choice([one for one in living if one[0] == event[0] and one != event])
                first, second = self._words(event), self._words(other)
                if self.chance.random() < 0.5:
                    second["S"] = first["S"]
                early, late = (f"{one['S']} {one['Vd']} {one['R']}" for one in self.chance.sample([first, second], 2))
                year, passed = self.chance.randint(1850, 1990), self.chance.randint(2, 9)
                numbers = {"y": str(year), "z": str(year + passed), "n": str(passed), "Nn": str(passed)}
                evidence = self.chance.choice([wording for where, wording in wordings if where != "c"])
                claim = self.chance.choice(
                    [wording for where, wording in wordings if where != "e" and wording != evidence]
                )
                premise, true, false = (
                    filled(wording.replace("{<}", before).replace("{>}", after), numbers)
                    for wording, before, after in (
                        (evidence, early, late),
                        (claim, early, late),
                        (claim, late, early),
                    )
                )
                if true != false:
                    header = "|".join(event)
                    yield Told(header, (premise,), given(true, SUPPORTED))
                    yield Told(header, (premise,), Given(false, edits(true, false), REFUTED))

    def told_numbers(self) -> Iterator[Told]:
        """Numbers, and claims with what follows from them or with another number."""
        for frame in read_frames("numbers"):
            kind = frame.header.split()[1]
            for _ in range(TIMES["numbers"]):
                names = self.names.cast(frame.slots)
                values = self.numbers.values(kind)
                premise = filled(self.numbers.told(self.chance.choice(frame.wordings(">")), kind, values)[0], names)
                sign, line = self.chance.choice([(sign, line) for sign, line in frame.lines if sign in "=!"])
                true, false = (self.numbers.told(line, kind, values, wrong=wrong) for wrong in (False, True))
                # An opposite comes with a claim that is right.
                if sign == "!":
                    line = self.chance.choice([*frame.wordings("="), *frame.wordings("~")])
                    true, false = self.numbers.told(line, kind, values), true
                claim = filled(false[0], names)
                marks = [(m.start(), m.end(), NO) for part in false[1] for m in re.finditer(re.escape(part), claim)]
                # A rounded wrong number may be the right one.
                if true[0] != false[0] and (marks or sign == "!"):
                    yield Told(frame.header, (premise,), given(filled(true[0], names), SUPPORTED))
                    yield Told(
                        frame.header,
                        (premise,),
                        Given(claim, [*marks, (0, len(claim), YES)] if marks else [], REFUTED),
                    )

    def all(self) -> Iterator[tuple[str, Told]]:
        """Every claim with its kind, its evidence among sentences of other frames."""
        made: dict[str, Callable[[], Iterator[Told]]] = {
            "swapped": self.swapped,
            "classes": self.classes,
            "stances": self.stances,
            "orders": self.orders,
            "numbers": self.told_numbers,
            "bridge": lambda: self.classes("bridge"),
        }
        found = {kind: list(tell()) for kind, tell in made.items()}
        others = [one for told in found.values() for one in told[::2]]
        for kind, told in found.items():
            for true, false in zip(told[::2], told[1::2], strict=True):
                premise = self._among(true.premise, others)
                for one in (true, false):
                    yield f"frames-{kind}", Told(one.frame, premise, one.claim)

    def _among(self, premise: Sequence[str], others: Sequence[Told]) -> tuple[str, ...]:
        """Evidence most often among that of other claims, some of it about the same names."""
        found = [tuple(premise)]
        if self.chance.random() < 0.6:
            own = names_in(premise)
            added = sorted(self.chance.sample(others, 40), key=lambda one: -len(own & names_in(one.premise)))
            for one in added[: self.chance.randint(1, 5)]:
                found.insert(self.chance.randint(0, len(found)), one.premise)
        return tuple(sentence for block in found for sentence in block)


def names_in(sentences: Sequence[str]) -> set[str]:
    return set(re.findall(r"[A-Z]\w+", " ".join(sentences)))
