"""The main entities of a graph as a still picture (SVG or PNG), for documents and for use without a browser.

Distances on paper follow distances in the graph (SMACOF; Borg and Groenen, 2005), which is fast enough for the few
dozen nodes that a still picture can show; then names that cover each other are moved apart.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from math import cos, hypot, pi, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.clusters import components
from tupelo.core.cache import share_cache
from tupelo.core.errors import needs_extra
from tupelo.core.results import printable
from tupelo.show import asset

PAPER = {"light": "#f7f9fb", "dark": "#11161c"}


@dataclass(frozen=True, slots=True)
class Look:
    """`shape` holds the corners of an outline about as large as a circle of radius 1; a circle has none."""

    light: str
    dark: str
    shape: tuple[tuple[float, float], ...] = ()


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


_ROUNDS = 500
_WIDTH, _MARGIN, _TOP = 1200, 24, 56
# Length of an edge in pixels, the room that a node needs with its name, and the margin around a component.
_EDGE = 150.0
_NAMED = np.array([112.0, 38.0])
_ROOM = np.array([150.0, 64.0])
_FLAT = np.array([1.0, 0.72])
_LONGEST = 28
# Sizes of letters, and the width of one in the average.
_NAME_SIZE, _RELATION_SIZE, _LETTER = 12, 10, 0.56
_DENIED = "#b91c1c"
_STYLE = "\n" + asset("graph_picture.css")


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    kind: str
    x: float
    y: float
    radius: float
    is_main: bool

    @property
    def outline(self) -> list[tuple[float, float]]:
        """The corners of its shape; a circle has none."""
        return [(self.x + self.radius * x, self.y + self.radius * y) for x, y in look_of(self.kind).shape]


@dataclass(frozen=True, slots=True)
class _Box:
    """A text around a point, turned by an angle in degrees."""

    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0

    def squares(self) -> Iterator[tuple[float, float, float]]:
        """The middle and half the side of squares that cover it."""
        count = max(1, round(self.width / self.height))
        for at in range(count):
            along = ((at + 0.5) / count - 0.5) * self.width
            turn = self.angle * pi / 180
            yield self.x + along * cos(turn), self.y + along * sin(turn), self.height / 2

    def covers(self, other: _Box) -> bool:
        return any(
            abs(x - ox) < side + other_side and abs(y - oy) < side + other_side
            for x, y, side in self.squares()
            for ox, oy, other_side in other.squares()
        )


@dataclass(frozen=True, slots=True)
class _Line:
    """All edges between two nodes; `start` and `end` lie at their rims."""

    start: tuple[float, float]
    end: tuple[float, float]
    forth: bool
    back: bool
    is_asserted: bool
    is_denied: bool
    # Its relation, and the place of the label.
    words: str
    place: _Box | None


@dataclass(frozen=True, slots=True)
class _Scene:
    """The content of a picture."""

    nodes: Sequence[_Node]
    lines: Sequence[_Line]
    height: int
    # Types that occur, for the legend.
    kinds: Sequence[str]

    @classmethod
    def of(cls, data: Mapping[str, Any], width: int = _WIDTH) -> _Scene:
        """The entities that the page shows first, with what the text asserts between them, or else with all edges."""
        number = {node: at for at, node in enumerate(data["first"])}
        rows = [data["nodes"][node] for node in number]
        edges = [edge for edge in data["edges"] if edge[1] in number and edge[3] in number]
        edges = [edge for edge in edges if edge[6] == "asserted"] or edges
        bundles: dict[tuple[int, int], list[Any]] = {}
        for edge in edges:
            bundles.setdefault((min(ends := (number[edge[1]], number[edge[3]])), max(ends)), []).append(edge)
        places, height = arrange(len(rows), list(bundles), width - 2 * _MARGIN)
        least = sorted((row[4] for row in rows), reverse=True)[: max(3, len(rows) // 8)]
        nodes = [
            _Node(_cut(name), kind, x + _MARGIN, y + _TOP, 5 + 9 * importance**0.5, importance >= least[-1])
            for (_, name, kind, _, importance, *_), (x, y) in zip(rows, places, strict=True)
        ]
        taken = [
            _Box(node.x, node.y + node.radius + 12, _LETTER * _NAME_SIZE * len(node.name), _NAME_SIZE + 3)
            for node in nodes
        ]
        taken += [_Box(node.x, node.y, 2 * node.radius, 2 * node.radius) for node in nodes]
        lines = []
        for (a, b), bundle in bundles.items():
            if a != b:
                line = _line(nodes[a], nodes[b], a, bundle, data["relations"], number, taken)
                taken += [line.place] if line.place else []
                lines.append(line)
        kinds = {node.kind for node in nodes}
        used = [kind["name"] for kind in data["types"] if kind["name"] in kinds]
        return cls(nodes, lines, int(height + _TOP + _MARGIN + 20), used)


def _line(
    first: _Node,
    second: _Node,
    at: int,
    edges: Sequence[Any],
    relations: Sequence[str],
    number: Mapping[int, int],
    taken: Sequence[_Box],
) -> _Line:
    dx, dy = second.x - first.x, second.y - first.y
    length = max(hypot(dx, dy), 1e-6)
    start, end = (1.25 * node.radius + 2 for node in (first, second))
    a = (first.x + dx / length * start, first.y + dy / length * start)
    b = (second.x - dx / length * end, second.y - dy / length * end)
    said = [relations[edge[2]] if edge[6] == "asserted" else f"{relations[edge[2]]} ({edge[6]})" for edge in edges]
    words = _cut(" · ".join(dict.fromkeys(said)))
    angle = float(np.degrees(np.arctan2(dy, dx)))
    angle = angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle
    wide = _LETTER * _RELATION_SIZE * len(words)
    place = None
    for part in (0.5, 0.4, 0.6, 0.3, 0.7):
        box = _Box(a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), wide, _RELATION_SIZE + 2, angle)
        if wide < length - start - end and not any(box.covers(other) for other in taken):
            place = box
            break
    return _Line(
        a,
        b,
        any(number[edge[1]] == at for edge in edges),
        any(number[edge[3]] == at for edge in edges),
        any(edge[6] == "asserted" for edge in edges),
        all(edge[6] == "denied" for edge in edges),
        words,
        place,
    )


def draw_svg(title: str, data: Mapping[str, Any], width: int = _WIDTH) -> str:
    """The first view of `views.embedded` as SVG for light and dark pages; the same data gives the same bytes."""
    scene = _Scene.of(data, width)
    whole = scene.height
    style = _STYLE.format(
        name=_NAME_SIZE,
        relation=_RELATION_SIZE,
        **PAPER,
        light_types="\n".join(f".t{at} {{ fill: {look_of(kind).light} }}" for at, kind in enumerate(scene.kinds)),
        dark_types="\n".join(f".t{at} {{ fill: {look_of(kind).dark} }}" for at, kind in enumerate(scene.kinds)),
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}" role="img"'
        f' aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title><style>{style}</style>",
        f'<rect class="paper" width="{width}" height="{whole}" rx="10"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7"'
        ' orient="auto-start-reverse"><path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>',
    ]
    parts += [_svg_line(line) for line in scene.lines]
    parts += [_svg_words(line.words, line.place) for line in scene.lines if line.place]
    for node in scene.nodes:
        emphasis = ' class="main"' if node.is_main else ""
        parts.append(
            f'{_svg_shape(node, scene.kinds.index(node.kind))}<text{emphasis} x="{node.x:.1f}" '
            f'y="{node.y + node.radius + 14:.1f}" text-anchor="middle">{escape(node.name)}</text>'
        )
    parts.append(f'<text class="title" x="24" y="34">{escape(title)}</text>')
    for at, kind in enumerate(scene.kinds):
        key = _Node(kind, kind, 30 + 120 * at, whole - 20, 5.5, False)
        parts.append(f'{_svg_shape(key, at)}<text x="{key.x + 12}" y="{whole - 16}">{escape(_cut(kind))}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _svg_shape(node: _Node, look: int) -> str:
    if not node.outline:
        return f'<circle class="t{look}" cx="{node.x:.1f}" cy="{node.y:.1f}" r="{node.radius:.1f}"/>'
    return f'<polygon class="t{look}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in node.outline)}"/>'


def _svg_line(line: _Line) -> str:
    (ax, ay), (bx, by) = line.start, line.end
    looks = {
        ' class="denied"': line.is_denied,
        ' marker-end="url(#tip)"': line.forth,
        ' marker-start="url(#tip)"': line.back,
        ' stroke-dasharray="5 4"': not line.is_asserted,
    }
    shown = "".join(look for look, holds in looks.items() if holds)
    return f'<line{shown} x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}"/>'


def _svg_words(words: str, place: _Box) -> str:
    # A line would show between the words.
    left, top = -place.width / 2 - 1, -place.height / 2
    return (
        f'<g transform="translate({place.x:.1f} {place.y:.1f}) rotate({place.angle:.1f})"><rect class="paper" '
        f'x="{left:.1f}" y="{top:.1f}" width="{-2 * left:.1f}" height="{place.height:.1f}"/>'
        f'<text class="relation" text-anchor="middle" dy="3.5">{escape(words)}</text></g>'
    )


def draw_png(title: str, data: Mapping[str, Any]) -> bytes:
    """The same picture as PNG, drawn by matplotlib at twice the resolution."""
    share_cache("matplotlib", "MPLCONFIGDIR")
    with needs_extra("a picture as PNG", "plot"):
        from matplotlib.figure import Figure
        from matplotlib.patches import Circle, Polygon
        from matplotlib.patheffects import withStroke
    scene = _Scene.of(data)
    whole = scene.height
    figure = Figure(figsize=(_WIDTH / 100, whole / 100), dpi=200, facecolor=PAPER["light"])
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    # One unit is a pixel of the SVG, and y goes down.
    axes.set(xlim=(0, _WIDTH), ylim=(whole, 0))
    halo = [withStroke(linewidth=2, foreground=PAPER["light"])]

    def write(at: tuple[float, float], text: str, size: float, **look: Any) -> None:
        # Font sizes are converted from pixels to points; a dollar sign must not start a formula.
        axes.text(*at, _cut(text), fontsize=size * 0.72, path_effects=halo, parse_math=False, **look)

    def shape(node: _Node) -> None:
        outline = Polygon(node.outline) if node.outline else Circle((node.x, node.y), node.radius)
        outline.set(facecolor=look_of(node.kind).light, linewidth=0, zorder=3)
        axes.add_patch(outline)

    for line in scene.lines:
        head = {(True, True): "<|-|>", (False, True): "<|-"}.get((line.forth, line.back), "-|>")
        look = {"color": _DENIED if line.is_denied else "#94a3b8", "lw": 0.8}
        look["ls"] = "-" if line.is_asserted else (0, (5, 4))
        axes.annotate("", line.end, line.start, arrowprops={"arrowstyle": head, "shrinkA": 0, "shrinkB": 0, **look})
        if line.place:
            # The y axis is flipped, so angles are negated.
            look = {"rotation": -line.place.angle, "rotation_mode": "anchor", "ha": "center", "va": "center"}
            # A line would show between the words.
            look["bbox"] = {"facecolor": PAPER["light"], "linewidth": 0, "pad": 0.6}
            write((line.place.x, line.place.y), line.words, _RELATION_SIZE, color="#526071", zorder=3.5, **look)
    for node in scene.nodes:
        shape(node)
        weight = "bold" if node.is_main else "normal"
        at = (node.x, node.y + node.radius + 3)
        write(at, node.name, _NAME_SIZE, ha="center", va="top", color="#0f172a", zorder=4, weight=weight)
    write((24, 34), title, 15, weight="bold", color="#0f172a")
    for number, kind in enumerate(scene.kinds):
        shape(_Node(kind, kind, 30 + 120 * number, whole - 20, 5.5, False))
        write((42 + 120 * number, whole - 20), kind, 11, va="center", color="#0f172a")
    stream = BytesIO()
    with warnings.catch_warnings():
        # A glyph that the font lacks is drawn as a box.
        warnings.filterwarnings("ignore", message=".*missing from font", category=UserWarning)
        # Without program name and date, the same data gives the same bytes.
        figure.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()


def _cut(text: str) -> str:
    plain = printable(text)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def arrange(count: int, edges: Sequence[tuple[int, int]], width: float) -> tuple[NDArray[np.float64], float]:
    """A position for every node; connected components are arranged in rows, largest first."""
    places = np.zeros((count, 2))
    left = top = row = 0.0
    labels = np.asarray(components(count, edges))
    parts = [np.flatnonzero(labels == label).tolist() for label in set(labels.tolist())]
    for members in sorted(parts, key=lambda part: (-len(part), part)):
        number = {node: at for at, node in enumerate(members)}
        inner = [(number[a], number[b]) for a, b in edges if a in number]
        part = layout(len(members), inner) * _EDGE * _FLAT
        part -= part.min(axis=0)
        # A component as wide as the picture is pressed into it, and grows in height instead.
        wide = max(part[:, 0].max() / (width - _ROOM[0]), 1.0)
        part = _apart(part * np.array([1 / wide, min(wide, 1.3)]), width - _ROOM[0])
        size = part.max(axis=0) + _ROOM
        if left and left + size[0] > width:
            left, top, row = 0.0, top + row, 0.0
        places[members] = part + np.array([left + _ROOM[0] / 2, top + 10])
        left, row = left + size[0], max(row, size[1])
    return places, top + row


def _apart(places: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Positions where no node lies on the name of another, within a width."""
    for _ in range(_ROUNDS):
        apart = places[:, None, :] - places[None, :, :]
        over = 1 - np.abs(apart) / _NAMED
        both = (over > 0).all(axis=2)
        np.fill_diagonal(both, False)
        if not both.any():
            break
        # Along the side where less is missing; of two in one place the first goes up.
        order = np.sign(np.arange(len(places))[:, None] - np.arange(len(places))[None, :])
        flat = over[..., 0] < over[..., 1]
        push = np.zeros_like(apart)
        for axis, chosen in ((0, flat), (1, ~flat)):
            side = np.where(apart[..., axis] == 0, order, np.sign(apart[..., axis]))
            push[..., axis] = np.where(both & chosen, 0.26 * over[..., axis] * _NAMED[axis] * side + 0.1 * side, 0.0)
        places = places + push.sum(axis=1)
        places[:, 0] = np.clip(places[:, 0], 0, width)
    return np.asarray(places - places.min(axis=0))


def layout(count: int, edges: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Positions of the nodes of one component, with edges of length about 1, wider than high; deterministic."""
    steps = np.full((count, count), float(count))
    np.fill_diagonal(steps, 0.0)
    for one, other in edges:
        steps[one, other] = steps[other, one] = min(steps[one, other], 1.0)
    for middle in range(count):
        steps = np.minimum(steps, steps[:, middle, None] + steps[None, middle, :])
    turn = np.arange(count) * pi * (3 - 5**0.5)
    places = np.sqrt(np.arange(count) + 0.5)[:, None] * np.stack([1.5 * np.cos(turn), np.sin(turn)], axis=1)
    for _ in range(_ROUNDS):
        apart = np.linalg.norm(places[:, None, :] - places[None, :, :], axis=2) + np.eye(count)
        ratio = steps / apart
        places = (ratio.sum(axis=1)[:, None] * places - ratio @ places) / count
    return np.asarray(places)
