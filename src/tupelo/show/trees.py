"""Pictures of a sentence's trees as SVG, ready for a paper.

Everything is drawn with plain lines and text in a common font; widths of words are estimated from a table, since
nothing here can measure text.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tupelo.core.analysis import Analysis, constituent_depths
from tupelo.core.errors import InputError
from tupelo.core.results import aligned_columns
from tupelo.core.shipped import declared

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_SIZE = 15
_SMALL = 11
_MARGIN = 18
_GAP = 18
_LEVEL = 26
_SLOT = 7
_CORNER = 8
INK, SOFT, _ACCENT = "#1a1a1a", "#6b6b6b", "#0b6b6b"
_ENTITY = "#b3541e"
# Widths of characters in thousandths of the font size; a missing one is as wide as a digit.
_WIDTHS = {
    character: int(width)
    for width, characters in declared(__name__, "character_widths.toml").items()
    for character in characters
}


def draw(analysis: Analysis, *, dependencies: bool = True, constituents: bool = True) -> str:
    """One picture with the dependency arcs above and the tree of phrases below."""
    if not analysis.words:
        raise InputError("nothing to draw: expected a sentence with at least one word")
    parts: list[str] = []
    width, height = 0.0, 0.0
    drawings = []
    if dependencies and analysis.root is not None:
        drawings.append(_dependencies(analysis))
    if constituents and analysis.constituents:
        drawings.append(_constituents(analysis))
    if not drawings:
        raise InputError("nothing to draw: expected a sentence with dependencies or constituents")
    for shapes, part_width, part_height in drawings:
        parts.append(f'<g transform="translate(0 {height:g})">\n{shapes}</g>\n')
        width, height = max(width, part_width), height + part_height
    title = escape(printable(analysis.text))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" font-family="{FONT}" font-size="{_SIZE}">\n'
        f"<title>{title}</title>\n"
        f'<rect width="100%" height="100%" fill="white"/>\n{"".join(parts)}</svg>\n'
    )


def analysis_html(analysis: Analysis) -> str:
    """The picture for a notebook; the escaped text of a sentence that has no trees."""
    if analysis.root is None and not analysis.constituents:
        return f"<p>{escape(printable(analysis.text))}</p>"
    return f'<div style="overflow-x: auto">{draw(analysis)}</div>'


def word_table(analysis: Analysis) -> str:
    """One line per word: its number, form, lemma, tag, and the relation to its head (0 for the root).

    >>> from tupelo.core.analysis import Word
    >>> dogs = Word("Dogs", 0, 4, "dog", "NOUN", head=1, deprel="nsubj")
    >>> print(word_table(Analysis("Dogs bark", (dogs, Word("bark", 5, 9, "bark", "VERB", deprel="root")))))
    1  Dogs  dog   NOUN  2  nsubj
    2  bark  bark  VERB  0  root
    """
    rows = [
        [
            str(number),
            word.text,
            word.lemma or "",
            word.upos or "",
            "" if word.deprel is None else str(0 if word.head is None else word.head + 1),
            word.deprel or "",
        ]
        for number, word in enumerate(analysis.words, start=1)
    ]
    return aligned_columns(rows)


def text_width(text: str, size: float = _SIZE) -> float:
    """About how wide a text is."""
    return sum(_WIDTHS.get(character, 556 if ord(character) < 0x2E80 else 1000) for character in text) * size / 1000


def printable(text: str) -> str:
    """Control characters have no place in XML."""
    return "".join(c if c.isprintable() or c == " " else "\ufffd" for c in text)


def _text(x: float, y: float, content: str, *, size: int = _SIZE, fill: str = INK, extra: str = "") -> str:
    return svg_text(x, y, content, f' text-anchor="middle" font-size="{size}" fill="{fill}"{extra}')


def svg_text(x: float, y: float, content: str, attributes: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{escape(printable(content))}</text>\n'


def _dependencies(analysis: Analysis) -> tuple[str, float, float]:
    words = analysis.words
    arcs = [(index, word.head, word.deprel or "") for index, word in enumerate(words) if word.head is not None]
    # Room between neighbours for the label of an arc that joins them.
    needed = {
        min(d, h): text_width(label, _SMALL) + 14 + _SLOT * (_degree(d, arcs) + _degree(h, arcs)) / 2
        for d, h, label in arcs
        if abs(d - h) == 1
    }
    centers: list[float] = []
    position = float(_MARGIN)
    halves = [max(text_width(word.text), text_width(word.upos or "", _SMALL)) / 2 for word in words]
    for index, half in enumerate(halves):
        own = max(half, _SLOT * _degree(index, arcs) / 2)
        centers.append(position + own)
        if index + 1 < len(words):
            apart = max(own + _GAP + halves[index + 1], needed.get(index, 0.0) + _SLOT)
            position = centers[-1] + apart - halves[index + 1]
    width = centers[-1] + halves[-1] + _MARGIN
    levels = _levels([(min(d, h), max(d, h)) for d, h, _ in arcs])
    top = max(levels, default=0)
    base = _MARGIN + (top + 1) * _LEVEL + 8
    ends = _slots(len(words), centers, arcs)
    shapes: list[str] = []
    for (dependent, head, label), level in zip(arcs, levels, strict=True):
        shapes.append(_arc(ends[head, dependent], ends[dependent, head], base, base - level * _LEVEL - 6, label))
    root = analysis.root
    assert root is not None
    x = ends[root, root]
    shapes.append(f'<path d="M{x:.1f} {_MARGIN} V{base - 3:.1f}" stroke="{_ACCENT}" fill="none"/>\n')
    shapes.append(_arrow(x, base))
    shapes.append(_text(x, _MARGIN - 5, "root", size=_SMALL, fill=_ACCENT))
    for center, word in zip(centers, words, strict=True):
        shapes.append(_text(center, base + _SIZE + 3, word.text))
        shapes.append(_text(center, base + _SIZE + 19, word.upos or "", size=_SMALL, fill=SOFT))
    height = base + _SIZE + 28
    for entity in analysis.entities or ():
        left = centers[entity.start] - text_width(words[entity.start].text) / 2
        right = centers[entity.end - 1] + text_width(words[entity.end - 1].text) / 2
        y = base + _SIZE + 27
        shapes.append(f'<path d="M{left:.1f} {y:.1f} H{right:.1f}" stroke="{_ENTITY}" stroke-width="2"/>\n')
        shapes.append(_text((left + right) / 2, y + 13, entity.label, size=_SMALL, fill=_ENTITY))
        height = y + 18
    return "".join(shapes), width, height + _MARGIN


def _degree(index: int, arcs: Iterable[tuple[int, int, str]]) -> int:
    return 1 + sum(index in (dependent, head) for dependent, head, _ in arcs)


def _levels(spans: list[tuple[int, int]]) -> list[int]:
    """The level of each arc, above those that it covers or crosses."""
    levels = [0] * len(spans)
    for number in sorted(range(len(spans)), key=lambda n: (spans[n][1] - spans[n][0], spans[n])):
        start, end = spans[number]
        below = [
            levels[other]
            for other, (left, right) in enumerate(spans)
            if levels[other] and left < end and right > start
        ]
        levels[number] = 1 + max(below, default=0)
    return levels


def _slots(count: int, centers: list[float], arcs: list[tuple[int, int, str]]) -> dict[tuple[int, int], float]:
    """The place at which each arc touches each of its words: no two share a point, and nested ones do not cross.

    Keys are a word and the word at the other end; the root's own arrow is (root, root).
    """
    partners: list[list[int]] = [[] for _ in range(count)]
    children = set()
    for dependent, head, _ in arcs:
        partners[dependent].append(head)
        partners[head].append(dependent)
        children.add(dependent)
    places: dict[tuple[int, int], float] = {}
    for word, others in enumerate(partners):
        left = sorted((other for other in others if other < word), reverse=True)
        right = sorted((other for other in others if other > word), reverse=True)
        order = [*left, *([] if word in children else [word]), *right]
        for rank, other in enumerate(order):
            places[word, other] = centers[word] + (rank - (len(order) - 1) / 2) * _SLOT
    return places


def _arc(start: float, end: float, base: float, top: float, label: str) -> str:
    """From the head at `start` up, across and down to the dependent at `end`, with an arrow there."""
    side = 1 if end > start else -1
    corner = min(_CORNER, abs(end - start) / 2)
    path = (
        f"M{start:.1f} {base:.1f} V{top + corner:.1f} Q{start:.1f} {top:.1f} {start + side * corner:.1f} {top:.1f} "
        f"H{end - side * corner:.1f} Q{end:.1f} {top:.1f} {end:.1f} {top + corner:.1f} V{base - 3:.1f}"
    )
    halo = ' stroke="white" stroke-width="5" paint-order="stroke" stroke-linejoin="round"'
    return (
        f'<path d="{path}" stroke="{INK}" fill="none"/>\n'
        + _arrow(end, base)
        + _text((start + end) / 2, top + 4, label, size=_SMALL, fill=_ACCENT, extra=halo)
    )


def _arrow(x: float, y: float) -> str:
    return f'<path d="M{x - 3:.1f} {y - 7:.1f} L{x:.1f} {y:.1f} L{x + 3:.1f} {y - 7:.1f} Z" fill="{INK}"/>\n'


def _constituents(analysis: Analysis) -> tuple[str, float, float]:
    parts = analysis.constituents or ()
    words = analysis.words
    depths = constituent_depths(parts)
    # The innermost phrase of each word, and the phrase that each phrase lies in directly; -1 where there is none.
    parents = [-1] * len(words)
    owner: list[int] = []
    for number, part in enumerate(parts):
        owner.append(parents[part.start])
        for index in range(part.start, part.end):
            parents[index] = number
    centers: list[float] = []
    position = float(_MARGIN)
    for index, word in enumerate(words):
        labels = [text_width(part.label, 13) for part in parts if (part.start, part.end) == (index, index + 1)]
        own = max(text_width(word.text), text_width(word.xpos or "", 13), *labels)
        centers.append(position + own / 2)
        position += own + _GAP
    width = position - _GAP + _MARGIN
    rows = max(depths, default=-1) + 1
    step = 38.0
    tags = _MARGIN + 12 + rows * step
    leaves = tags + 32
    # Children come after their phrase in the list, so going backwards every phrase finds its children placed.
    below: list[list[tuple[float, float]]] = [[] for _ in parts]
    for index, parent in enumerate(parents):
        if parent >= 0:
            below[parent].append((centers[index], tags))
    place: list[tuple[float, float]] = [(0.0, 0.0)] * len(parts)
    for number in reversed(range(len(parts))):
        xs = [x for x, _ in below[number]]
        place[number] = ((min(xs) + max(xs)) / 2, _MARGIN + 12 + depths[number] * step)
        if owner[number] >= 0:
            below[owner[number]].append(place[number])
    shapes: list[str] = []
    for number, (x, y) in enumerate(place):
        for child_x, child_y in below[number]:
            # Aslant down to the next row only, then straight: so no line crosses another phrase.
            shapes.append(
                f'<path d="M{x:.1f} {y + 4:.1f} L{child_x:.1f} {y + step - 13:.1f} V{child_y - 13:.1f}" '
                f'stroke="{SOFT}" fill="none"/>\n'
            )
    for part, (x, y) in zip(parts, place, strict=True):
        shapes.append(_text(x, y, part.label, size=13, fill=_ACCENT, extra=' font-weight="bold"'))
    for index, word in enumerate(words):
        shapes.append(_text(centers[index], tags, word.xpos or word.upos or "", size=13, fill=SOFT))
        shapes.append(
            f'<path d="M{centers[index]:.1f} {tags + 4:.1f} V{leaves - _SIZE:.1f}" stroke="{SOFT}" '
            'stroke-dasharray="2 3" fill="none"/>\n'
        )
        shapes.append(_text(centers[index], leaves, word.text))
    return "".join(shapes), width, leaves + _MARGIN
