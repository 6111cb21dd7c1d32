"""Numbers of frames: drawn, written in several forms, and calculated with."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

SLOT = re.compile(r"\{((?:[a-z]\w* )?[xyznYZ ]+)\}")
CURRENCIES = {"£": "pounds", "$": "dollars", "€": "euros"}
SCALES = {"billion": 1e9, "million": 1e6, "thousand": 1e3}
# Units with their size in the first one, and their names.
UNITS: dict[str, list[tuple[float, tuple[str, ...]]]] = {
    "length": [
        (1, ("metres", "m")),
        (1000, ("kilometres", "km")),
        (0.01, ("centimetres",)),
        (0.3048, ("feet", "ft")),
    ],
    "weight": [(1, ("kilograms", "kg")), (1000, ("tonnes",)), (0.001, ("grams", "g")), (0.4536, ("pounds", "lb"))],
    "time": [(1, ("minutes",)), (60, ("hours",)), (1440, ("days",)), (10080, ("weeks",))],
}
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
MULTIPLES = {2: "doubled", 3: "tripled", 4: "quadrupled"}
SHARES = {50: "half", 25: "a quarter", 75: "three quarters", 20: "a fifth", 10: "a tenth"}
LENGTHS = (*range(2, 60), 75, 90, 120, 150, 300, 450)
BASES, CHANGES = (20, 40, 60, 80, 120, 200, 240, 400, 800, 1200), (5, 10, 15, 20, 25, 30, 40, 50, 75)
FACTORS, AWAY = (0.5, 0.7, 0.8, 1.2, 1.3, 1.5, 2.0), (-12, -9, -5, -3, 3, 5, 9, 12)
# What is asked of one number or of several; any other operation is about the first one.
FIGURES: dict[str, Callable[[Sequence[float]], float]] = {
    "diff": lambda given: abs(given[0] - given[1]),
    "sum": sum,
    "sum3": sum,
    "percent": lambda given: round(100 * abs(given[1] - given[0]) / given[0]),
    "share": lambda given: round(100 * given[1] / given[0]),
    "age": lambda given: given[1] - given[0],
    "lo": min,
    "hi": max,
    "product": lambda given: given[0] * given[1],
    "multiple": lambda given: round(given[1] / given[0]),
    "before": lambda given: given[0] - 1,
}
# Operations that only show one number.
SHOWN = ("as", "other", "about")


def plain(amount: float) -> str:
    """A number with at most two digits after the point."""
    return f"{amount:,.2f}".rstrip("0").rstrip(".")


def figure(operation: str, given: Sequence[float]) -> float:
    return FIGURES.get(operation, lambda numbers: numbers[0])(given)


class Numbers:
    """Draws numbers of a kind and writes them."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._symbol = "£"

    def values(self, kind: str) -> dict[str, float]:
        """Values of `x`, `y`, `z`, a small number `n`, and two years `Y` before `Z`."""
        chance = self._chance
        self._symbol = chance.choice(list(CURRENCIES))
        year = chance.randint(1700, 1970)
        given = {"Y": float(year), "Z": float(year + chance.randint(18, 89)), "n": float(chance.randint(2, 9))}
        return given | dict(zip("xyz", map(float, self._drawn(kind)), strict=True))

    def _drawn(self, kind: str) -> Sequence[float]:
        chance = self._chance
        if kind in UNITS:
            size = chance.choice(UNITS[kind][:2])[0]
            return [size * one for one in chance.sample(LENGTHS, 3)]
        if kind == "money":
            scale = chance.choice(list(SCALES.values()))
            return [one * scale for one in chance.sample(range(2, 400), 3)]
        if kind in ("up", "down"):
            base, change = chance.choice(BASES), chance.choice(CHANGES) / 100
            return [base, round(base * (1 + (change if kind == "up" else -change))), 7]
        if kind == "double":
            base = chance.randint(4, 300)
            return [base, base * chance.choice(list(MULTIPLES)), 7]
        if kind == "pct":
            base = chance.randint(4, 40) / 4
            return [base, base + chance.randint(1, 12) / 4, 7]
        if kind in ("small", "rank", "degrees"):
            return chance.sample(range(2, 30 if kind == "degrees" else 12), 3)
        most = chance.choice([90, 900, 9_000, 900_000])
        return chance.sample(range(most // 10, most), 3)

    def told(
        self, line: str, kind: str, values: Mapping[str, float], *, wrong: bool = False
    ) -> tuple[str, list[str]]:
        """A line with its numbers written, and the one of them that was made wrong, if asked."""
        places = list(SLOT.finditer(line))
        target = self._chance.choice(places).start() if wrong and places else -1
        changed: list[str] = []

        def write(match: re.Match[str]) -> str:
            *before, names = match[1].split(" ", 1) if " " in match[1] else [match[1]]
            operation, given = before[0] if before else "as", names.split()
            shown = self._written(operation, given, values, kind)
            if match.start() == target:
                shown = self._wrong(operation, given, values, kind, shown)
                changed.append(shown)
            return shown

        return SLOT.sub(write, line), changed

    def _wrong(self, operation: str, names: Sequence[str], values: Mapping[str, float], kind: str, right: str) -> str:
        """Another number of the same kind: one of the source, one that is near, or one with another size."""
        chance, last = self._chance, names[-1]
        true = figure(operation, [values[name] for name in names])
        for _ in range(40):
            draw = chance.random()
            if operation in SHOWN and last in "xyz" and draw < 0.45:
                made = values[chance.choice("xyz")]
            elif operation in SHOWN and kind in (*UNITS, "money") and draw < 0.6:
                made = values[last] * chance.choice([0.1, 10, 100])
            elif kind == "rank" or operation == "small":
                made = float(chance.randint(2, 11))
            elif last in "YZ":
                made = values[last] + chance.choice(AWAY)
            else:
                made = max(1.0, round(values[last] * chance.choice(FACTORS)))
            changed = {**values, last: made}
            shown = self._written(operation, names, changed, kind)
            if shown != right and figure(operation, [changed[name] for name in names]) != true:
                return shown
        return plain(true + 13)

    def _written(self, operation: str, names: Sequence[str], values: Mapping[str, float], kind: str) -> str:
        chance, amount = self._chance, figure(operation, [values[name] for name in names])
        if operation in ("percent", "share"):
            named = [SHARES[int(amount)]] if operation == "share" and amount in SHARES else []
            return chance.choice([f"{amount:g}{sign}" for sign in (" %", "%", " per cent", " percent")] + named)
        if operation == "multiple":
            return MULTIPLES.get(int(amount), f"grown to {int(amount)} times its size")
        if operation in ("before", "small") or kind == "small":
            return self._word(amount)
        if operation == "age" or names[0] in "YZ":
            return f"{amount:g}"
        if operation in ("about", "below", "above"):
            digits = 10 ** max(0, len(str(int(amount))) - chance.choice([1, 2]))
            near = {"about": round(amount / digits), "below": (amount - 1) // digits, "above": amount // digits + 1}
            about = f"{chance.choice(['about', 'roughly', 'around'])} " if operation == "about" else ""
            return about + self._measured(max(1.0, near[operation]) * digits, kind)
        if kind == "rank":
            return ORDINALS[int(amount) - 1] if 0 < amount <= len(ORDINALS) else plain(amount)
        return self._measured(amount, kind, other=operation == "other")

    def _word(self, amount: float) -> str:
        is_small = 0 <= amount < len(WORDS) and self._chance.random() < 0.7
        return WORDS[int(amount)] if is_small else plain(amount)

    def _measured(self, amount: float, kind: str, *, other: bool = False) -> str:
        """A number with its unit; a length, weight or time is rounded only in an `other` unit."""
        if kind in ("money", "up"):
            return self._money(amount)
        if kind in UNITS:
            fitting = [(size, names) for size, names in UNITS[kind] if amount / size >= 1]
            exact = [(size, names) for size, names in fitting if other or (100 * amount / size).is_integer()]
            size, names = self._chance.choice(exact or fitting or UNITS[kind][:1])
            number = amount / size
            is_exact = (100 * number).is_integer()
            return f"{plain(number if is_exact else round(number, int(number < 100)))} {self._chance.choice(names)}"
        if kind in ("pct", "degrees"):
            return f"{plain(amount)} {'per cent' if kind == 'pct' else 'degrees'}"
        return plain(amount) if kind == "down" else self._word(amount)

    def _money(self, amount: float) -> str:
        """An amount in figures or with the name of its size, with the sign of its currency or its name."""
        sign, name = self._symbol, CURRENCIES[self._symbol]
        forms = [f"{sign}{plain(amount)}", f"{plain(amount)} {name}"]
        scale = next((scale for scale, size in SCALES.items() if amount >= size), "")
        number = plain(amount / SCALES.get(scale, 1.0))
        if scale in ("million", "billion") and float(number.replace(",", "")) * SCALES[scale] == amount:
            short = "m" if scale == "million" else "bn"
            forms = [f"{sign}{number} {scale}", f"{number} {scale} {name}", f"{sign}{number}{short}", forms[0]]
        return self._chance.choice(forms)
