"""The look of types of entities, on the page and in still pictures: a colour for light and dark paper, and a shape.

The colours are distinct for colour-blind readers (a test simulates it), and stand out from the paper; the shapes do
not need any colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

PAPER = {"light": "#f7f9fb", "dark": "#11161c"}


@dataclass(frozen=True, slots=True)
class Look:
    """`shape` holds the corners of an outline about as large as a circle of radius 1; a circle has none."""

    light: str
    dark: str
    shape: tuple[tuple[float, float], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"light": self.light, "dark": self.dark, "shape": self.shape}


def _corners(count: int, turn: float, *sizes: float) -> tuple[tuple[float, float], ...]:
    """Corners around the middle, the first at `turn` of a circle clockwise from the right, alternating in size."""
    angles = [2 * pi * (turn + at / count) for at in range(count)]
    radii = [sizes[at % len(sizes)] for at in range(count)]
    return tuple((round(r * cos(a), 3), round(r * sin(a), 3)) for r, a in zip(radii, angles, strict=True))


_HALF_A_PLUS = ((-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4))

LOOKS = {
    "person": Look("#055fbb", "#0fdafa"),
    "organization": Look("#fa5910", "#f9a730", _corners(4, 1 / 8, 1.27)),
    "place": Look("#235705", "#16986f", _corners(3, -1 / 4, 1.5)),
    "event": Look("#af1475", "#fa3527", _corners(10, -1 / 4, 1.55, 0.72)),
    "work": Look("#b56df9", "#cc11eb", _corners(4, 0, 1.35)),
    "other": Look("#460564", "#c6fa31", _corners(3, 1 / 4, 1.5)),
    "concept": Look("#729981", "#a98cc6", (*_HALF_A_PLUS, *((-x, -y) for x, y in _HALF_A_PLUS))),
}
# Any other type.
PLAIN = Look("#050d05", "#faf5f7", _corners(6, 0, 1.12))


def look_of(kind: str) -> Look:
    return LOOKS.get(kind, PLAIN)
