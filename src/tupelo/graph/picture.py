"""A small graph as a static picture (SVG or PNG), for documents and for use without a browser.

The layout is the force-directed one of Fruchterman and Reingold (1991) with
every pair of nodes compared, which is fast enough for the few hundred nodes
that a static picture can show.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import MissingExtraError
from tupelo.core.cache import share_cache

_COLOURS = ("#0f766e", "#b45309", "#1d4ed8", "#be185d", "#6d28d9", "#4d7c0f", "#b91c1c", "#0e7490")
_PLAIN = "#64748b"
_ROUNDS = 400
# A static picture of more is unreadable.
MOST_EDGES = 300
_MARGIN, _TOP = 24, 56
# Length of an edge in pixels, and the margin for names around a component.
_EDGE = 165.0
_ROOM = np.array([165.0, 62.0])
_LONGEST = 28
_STYLE = """
text { font: 11px system-ui, sans-serif; paint-order: stroke; stroke: #fff; stroke-width: 3px;
  stroke-linejoin: round; fill: #0f172a }
.relation { font-size: 9px; fill: #526071 } .title { font-size: 15px; font-weight: 600 } .denied { stroke: #b91c1c }
line { stroke: #94a3b8; stroke-width: 1.1 }
"""


@dataclass(frozen=True, slots=True)
class _Scene:
    """The contents of a picture: nodes with their positions, edges between them, colours of the types."""

    nodes: Sequence[Any]
    edges: Sequence[Any]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    height: int
    colours: Mapping[str, str]
    # Types that occur, for the legend.
    used: Sequence[str]

    @classmethod
    def of(cls, data: Mapping[str, Any], width: int) -> _Scene:
        nodes, edges = data["nodes"], data["edges"]
        if len(edges) > MOST_EDGES:
            edges = edges[:MOST_EDGES]
            number = {
                node: at for at, node in enumerate(sorted({end for edge in edges for end in (edge[1], edge[3])}))
            }
            nodes = [nodes[node] for node in number]
            edges = [[edge[0], number[edge[1]], edge[2], number[edge[3]], *edge[4:]] for edge in edges]
        places, height = arrange(len(nodes), [(edge[1], edge[3]) for edge in edges], width - 2 * _MARGIN)
        colours = {name: _COLOURS[at % len(_COLOURS)] for at, name in enumerate(data["types"])}
        kinds = {node[2] for node in nodes}
        used = [name for name in colours if name in kinds]
        whole = int(height + _TOP + _MARGIN + 20)
        return cls(nodes, edges, places[:, 0] + _MARGIN, places[:, 1] + _TOP, whole, colours, used)


def draw_svg(title: str, data: Mapping[str, Any], *, width: int = 1200) -> str:
    """The edges of `views.embedded` as SVG; the same data gives the same bytes."""
    scene = _Scene.of(data, width)
    x, y, whole = scene.x, scene.y, scene.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {whole}" role="img"'
        f' aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<rect width="{width}" height="{whole}" fill="#ffffff"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#94a3b8"/></marker></defs>',
    ]
    for _, subject, relation, object_, _, _, stance in scene.edges:
        parts.append(_edge((x[subject], y[subject]), (x[object_], y[object_]), data["relations"][relation], stance))
    for at, (_, name, kind, degree, _) in enumerate(scene.nodes):
        radius = _radius(degree)
        parts.append(
            f'<circle cx="{x[at]:.1f}" cy="{y[at]:.1f}" r="{radius:.1f}" fill="{scene.colours.get(kind, _PLAIN)}"/>'
            f'<text x="{x[at]:.1f}" y="{y[at] + radius + 11:.1f}" text-anchor="middle">{escape(_cut(name))}</text>'
        )
    parts.append(f'<text class="title" x="24" y="34">{escape(title)}</text>')
    for at, name in enumerate(scene.used):
        parts.append(
            f'<circle cx="{30 + 130 * at}" cy="{whole - 20}" r="5" fill="{scene.colours[name]}"/>'
            f'<text x="{40 + 130 * at}" y="{whole - 16}">{escape(_cut(name))}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def draw_png(title: str, data: Mapping[str, Any], *, width: int = 1200) -> bytes:
    """The same picture as PNG, drawn by matplotlib at twice the resolution."""
    share_cache("matplotlib", "MPLCONFIGDIR")
    try:
        from matplotlib.figure import Figure
        from matplotlib.patheffects import withStroke
    except ImportError as error:
        raise MissingExtraError("a picture as PNG", "plot") from error
    scene = _Scene.of(data, width)
    x, y, whole = scene.x, scene.y, scene.height
    figure = Figure(figsize=(width / 100, whole / 100), dpi=200, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    # One unit is a pixel of the SVG, and y goes down.
    axes.set(xlim=(0, width), ylim=(whole, 0))
    halo = [withStroke(linewidth=2, foreground="white")]

    def write(at: tuple[float, float], text: str, size: float, **look: Any) -> None:
        # Font sizes are converted from pixels to points; a dollar sign must not start a formula.
        axes.text(*at, _cut(text), fontsize=size * 0.72, path_effects=halo, parse_math=False, **look)

    for _, subject, relation, object_, _, _, stance in scene.edges:
        start, end = (x[subject], y[subject]), (x[object_], y[object_])
        tip, angle = _tip(start, end)
        line = {"color": "#b91c1c" if stance == 2 else "#94a3b8", "lw": 0.8, "ls": (0, (5, 4)) if stance else "-"}
        axes.annotate("", tip, start, arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **line})
        middle = ((start[0] + tip[0]) / 2, (start[1] + tip[1]) / 2)
        # The y axis is flipped, so angles are negated.
        look = {"rotation": -angle, "rotation_mode": "anchor", "ha": "center", "va": "bottom", "color": "#526071"}
        write(middle, data["relations"][relation], 9, **look)
    for at, (_, name, kind, degree, _) in enumerate(scene.nodes):
        radius = _radius(degree)
        # The area of a disc is given in square points.
        axes.scatter(
            [x[at]], [y[at]], s=(2 * radius * 0.72) ** 2, color=scene.colours.get(kind, _PLAIN), lw=0, zorder=3
        )
        write((x[at], y[at] + radius + 2), name, 11, ha="center", va="top", color="#0f172a", zorder=4)
    write((24, 34), title, 15, weight="bold", color="#0f172a")
    for at, name in enumerate(scene.used):
        axes.scatter([30 + 130 * at], [whole - 20], s=(10 * 0.72) ** 2, color=scene.colours[name], lw=0)
        write((40 + 130 * at, whole - 20), name, 11, va="center", color="#0f172a")
    stream = BytesIO()
    with warnings.catch_warnings():
        # A glyph that the font lacks is drawn as a box.
        warnings.filterwarnings("ignore", message=".*missing from font", category=UserWarning)
        # Without program name and date, the same data gives the same bytes.
        figure.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()


def _radius(degree: int) -> float:
    return float(4 + 1.3 * min(degree, 60) ** 0.5)


def _tip(start: tuple[float, float], end: tuple[float, float]) -> tuple[tuple[float, float], float]:
    """The end of an edge, outside the disc, and the angle at which its name is readable."""
    (ax, ay), (bx, by) = start, end
    length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-6)
    bx, by = bx - (bx - ax) / length * 11, by - (by - ay) / length * 11
    angle = np.degrees(np.arctan2(by - ay, bx - ax))
    return (bx, by), float(angle + 180 if abs(angle) > 90 else angle)


def _edge(start: tuple[float, float], end: tuple[float, float], relation: str, stance: int) -> str:
    (ax, ay), ((bx, by), angle) = start, _tip(start, end)
    dashes = ' stroke-dasharray="5 4"' if stance else ""
    denied = ' class="denied"' if stance == 2 else ""
    middle = f"{(ax + bx) / 2:.1f} {(ay + by) / 2:.1f}"
    return (
        f'<line{denied} x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" marker-end="url(#tip)"{dashes}/>'
        f'<text class="relation" text-anchor="middle" transform="translate({middle}) rotate({angle:.1f})" dy="-3">'
        f"{escape(_cut(relation))}</text>"
    )


def _cut(text: str) -> str:
    plain = "".join(character if character.isprintable() else " " for character in text)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def arrange(count: int, edges: Sequence[tuple[int, int]], width: float) -> tuple[NDArray[np.float64], float]:
    """A position for every node; connected components are arranged in rows, largest first."""
    places = np.zeros((count, 2))
    left = top = row = 0.0
    for members in _parts(count, edges):
        number = {node: at for at, node in enumerate(members)}
        inner = [(number[a], number[b]) for a, b in edges if a in number]
        part = layout(len(members), inner) * _EDGE
        part -= part.min(axis=0)
        size = part.max(axis=0) + _ROOM
        if left and left + size[0] > width:
            left, top, row = 0.0, top + row, 0.0
        places[list(members)] = part + np.array([left + _ROOM[0] / 2, top + 10])
        left, row = left + size[0], max(row, size[1])
    return places, top + row


def _parts(count: int, edges: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Connected components, largest first."""
    root = list(range(count))

    def top_of(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for a, b in edges:
        root[top_of(a)] = top_of(b)
    found: dict[int, list[int]] = {}
    for node in range(count):
        found.setdefault(top_of(node), []).append(node)
    return sorted((tuple(members) for members in found.values()), key=lambda members: (-len(members), members))


def layout(count: int, edges: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Positions of the nodes of one component, with edges of length about 1, wider than high; deterministic."""
    if count <= 2:
        return np.array([[0.0, 0.0], [1.0, 0.0]])[:count]
    turn = np.arange(count) * pi * (3 - 5**0.5)
    spread = np.sqrt(np.arange(count) + 0.5)
    places = np.stack([spread * np.cos(turn) * 1.5, spread * np.sin(turn)], axis=1)
    pairs = np.asarray(edges, dtype=int).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    for round_ in range(_ROUNDS):
        apart = places[:, None, :] - places[None, :, :]
        square = (apart**2).sum(axis=2) + 1e-9
        push = (apart / square[:, :, None]).sum(axis=1)
        along = places[pairs[:, 1]] - places[pairs[:, 0]]
        pull = along * np.sqrt((along**2).sum(axis=1))[:, None]
        np.add.at(push, pairs[:, 0], pull)
        np.add.at(push, pairs[:, 1], -pull)
        # Names are wide, so nodes side by side need more space than nodes above each other.
        push -= places * np.array([0.0, 0.03])
        size = np.sqrt((push**2).sum(axis=1)) + 1e-9
        places = places + push * (np.minimum(size, 0.4 * (1 - round_ / _ROUNDS)) / size)[:, None]
    lengths = np.sqrt(((places[pairs[:, 1]] - places[pairs[:, 0]]) ** 2).sum(axis=1))
    return np.asarray(places / lengths.mean() if len(lengths) else places)
