"""A picture of who is who in a text: every mention in a box with the colour and the number of its chain.

The text runs in lines as it is read. Chains of one mention are left out. Each box has the number, so that
nothing depends on colour alone; the colours are distinct for colour-blind readers, and from the ninth
chain on they are repeated with dashed borders. In a browser, pointing at a box fades all other chains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from tupelo.core.analysis import Analysis, Mention
from tupelo.core.coreference import Analyses, Chain, chains
from tupelo.core.errors import InputError
from tupelo.show.trees import FONT, INK, SOFT, analysis_html, printable, svg_text, text_width

_SIZE, _SMALL = 16, 10
_WIDTH, _MARGIN = 860, 28
# Above and below the baseline: what the innermost box covers; and what each box around it adds.
_ASCENT, _DESCENT, _STEP = 15, 6, 4
# Space beside the words of a box, and between two lines of text.
_PAD, _LEADING, _PARAGRAPH = 4, 9, 14
_CORNER = 5
_COLUMNS = 3
# Okabe and Ito's colours without yellow and black, and two of Paul Tol's.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#332288", "#56b4e9", "#999933")
# On these, black numbers are read better than white ones.
_LIGHT = frozenset(("#cc79a7", "#e69f00", "#56b4e9", "#999933"))


@dataclass(eq=False, slots=True)
class _Box:
    """A mention: number and name of its chain, and how many boxes lie inside it at the deepest place."""

    number: int
    name: str
    level: int


@dataclass(slots=True)
class _Piece:
    """A word as it is drawn: the boxes around it, those that begin and end with it, outer ones first.

    `left` and `right` are where its text lies on the line.
    """

    text: str
    spaced: bool
    boxes: list[_Box] = field(default_factory=list)
    begins: list[_Box] = field(default_factory=list)
    ends: list[_Box] = field(default_factory=list)
    left: float = 0.0
    right: float = 0.0

    @property
    def before(self) -> float:
        return sum(_badge_width(box.number) + 2 * _PAD for box in self.begins)

    @property
    def width(self) -> float:
        # A word too long for a line is squeezed into it.
        room = _WIDTH - 2 * _MARGIN - self.before - _PAD * len(self.ends)
        return self.before + min(text_width(self.text, _SIZE), room) + _PAD * len(self.ends)


def draw_chains(analyses: Iterable[Analysis]) -> str:
    """The text of analysed sentences with the chains of their mentions, and a list of the chains below."""
    sentences = [analysis for analysis in analyses if analysis.words]
    if not sentences or all(analysis.mentions is None for analysis in sentences):
        raise InputError("nothing to draw: expected sentences with mentions, as `analyze --coref` gives them")
    documents = [list(group) for _, group in groupby(sentences, key=lambda analysis: analysis.document_id)]
    shapes: list[str] = []
    names: list[str] = []
    counts: list[int] = []
    y = float(_MARGIN)
    for document in documents:
        labels: dict[int, tuple[int, str]] = {}
        for chain in chains(document):
            if len(chain.mentions) > 1:
                names.append(_name(chain, document))
                counts.append(len(chain.mentions))
                labels[chain.entity] = len(names), names[-1]
        if len(documents) > 1:
            y += _SIZE
            shapes.append(_text(_MARGIN, y, document[0].document_id or "", fill=SOFT, extra=' font-weight="bold"'))
            y += _PARAGRAPH
        for paragraph in _paragraphs(document, labels):
            for line in _lines(paragraph):
                drawn, y = _line(line, y)
                shapes.append(drawn)
            y += _PARAGRAPH
    legend, y = _legend(names, counts, y)
    title = escape(printable(" ".join(analysis.text for analysis in sentences)[:200]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tupelo-chains" width="{_WIDTH}" height="{y:g}" '
        f'viewBox="0 0 {_WIDTH} {y:g}" role="img" font-family="{FONT}" font-size="{_SIZE}">\n'
        f"<title>{title}</title>\n<style>{_style(len(names))}</style>\n"
        f'<rect width="100%" height="100%" fill="white"/>\n{"".join(shapes)}{legend}</svg>\n'
    )


def analyses_html(analyses: Analyses) -> str:
    """The text with its chains where there is coreference, else the trees of all sentences."""
    if any(analysis.mentions is not None and analysis.words for analysis in analyses):
        return f'<div style="overflow-x: auto">{draw_chains(analyses)}</div>'
    return "".join(map(analysis_html, analyses))


def _style(count: int) -> str:
    """Pointing at a mention fades the boxes of all other chains."""
    rules = (f".tupelo-chains:has(.chain-{n}:hover) .chain:not(.chain-{n})" for n in range(1, count + 1))
    fading = ", ".join(rules)
    return f".tupelo-chains .chain {{ transition: opacity 0.15s }} {fading} {{ opacity: 0.12 }}" if fading else ""


def _paragraphs(document: Iterable[Analysis], labels: Mapping[int, tuple[int, str]]) -> Iterator[list[_Piece]]:
    """The words of a document; where two sentences lie more than a space apart, a paragraph ends."""
    pieces: list[_Piece] = []
    end = 0
    for analysis in document:
        if pieces and analysis.start - end > 1:
            yield pieces
            pieces = []
        pieces += _pieces(analysis, labels)
        end = analysis.start + len(analysis.text)
    yield pieces


def _pieces(analysis: Analysis, labels: Mapping[int, tuple[int, str]]) -> list[_Piece]:
    pieces: list[_Piece] = []
    position = -1
    for word in analysis.words:
        # Words that share the characters of one token are drawn once, with the first of them.
        text = "" if word.start < position else analysis.text[word.start - analysis.start : word.end - analysis.start]
        pieces.append(_Piece(" ".join(text.split()), spaced=word.start > position))
        position = word.end
    marked = [m for m in analysis.mentions or () if m.entity in labels]
    for mention, level in _levels(marked):
        box = _Box(*labels[mention.entity], level)
        for index in range(mention.start, mention.end):
            pieces[index].boxes.append(box)
        pieces[mention.start].begins.append(box)
        pieces[mention.end - 1].ends.append(box)
    return pieces


def _levels(mentions: Sequence[Mention]) -> list[tuple[Mention, int]]:
    """Mentions, those that lie around others first, with the height that lets a box hold what is inside it."""
    ordered = sorted(mentions, key=lambda mention: (mention.start, -mention.end))
    levels = [0] * len(ordered)
    for number in sorted(range(len(ordered)), key=lambda n: (ordered[n].end - ordered[n].start, -n)):
        outer = ordered[number]
        inside = [
            levels[other] + 1
            for other, mention in enumerate(ordered)
            if other != number
            and mention.start < outer.end
            and mention.end > outer.start
            and (mention.end - mention.start, -other) < (outer.end - outer.start, -number)
        ]
        levels[number] = max(inside, default=0)
    return list(zip(ordered, levels, strict=True))


def _lines(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """The words in lines, each with its place. Lines break at spaces, or anywhere in what is longer than a line."""
    right = _WIDTH - _MARGIN
    space = text_width(" ", _SIZE)
    line: list[_Piece] = []
    x = float(_MARGIN)
    for chunk in _chunks(pieces):
        whole = sum(piece.width for piece in chunk)
        for number, piece in enumerate(chunk):
            x += space if line and number == 0 else 0
            if line and x + (whole if number == 0 and whole <= right - _MARGIN else piece.width) > right:
                yield line
                line, x = [], float(_MARGIN)
            piece.left, piece.right = x + piece.before, x + piece.width - _PAD * len(piece.ends)
            x += piece.width
            line.append(piece)
    if line:
        yield line


def _chunks(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """Words that no space divides."""
    chunk: list[_Piece] = []
    for piece in pieces:
        if chunk and piece.spaced:
            yield chunk
            chunk = []
        chunk.append(piece)
    if chunk:
        yield chunk


def _line(line: Sequence[_Piece], y: float) -> tuple[str, float]:
    """A line with its top at `y`, and where the next one begins."""
    deepest = max((box.level for piece in line for box in piece.boxes), default=0)
    baseline = y + _ASCENT + _STEP * deepest
    covered: dict[_Box, list[_Piece]] = {}
    for piece in line:
        for box in piece.boxes:
            covered.setdefault(box, []).append(piece)
    shapes = [_box(box, pieces, baseline) for box, pieces in sorted(covered.items(), key=lambda item: -item[0].level)]
    # The letters lie over the boxes and let the pointer through.
    shapes.append('<g pointer-events="none">\n')
    for piece in line:
        if piece.text:
            length = f' textLength="{piece.right - piece.left:.1f}" lengthAdjust="spacingAndGlyphs"'
            shapes.append(_text(piece.left, baseline, piece.text, extra=length))
    shapes.append("</g>\n")
    return "".join(shapes), baseline + _DESCENT + _STEP * deepest + _LEADING


def _box(box: _Box, pieces: Sequence[_Piece], baseline: float) -> str:
    """The part of a box that is on one line; where the mention goes on, it stays open."""
    first, last = pieces[0], pieces[-1]
    begins, ends = box in first.begins, box in last.ends
    left, right = first.left - first.before, last.right
    if begins:
        left += sum(_badge_width(outer.number) + 2 * _PAD for outer in first.begins[: first.begins.index(box)])
    if ends:
        right += _PAD * (len(last.ends) - last.ends.index(box))
    else:
        right += _PAD * (len(last.ends) + 1)
    top, bottom = baseline - _ASCENT - _STEP * box.level, baseline + _DESCENT + _STEP * box.level
    colour = _colour(box.number)
    dashes = ' stroke-dasharray="4 2"' if box.number > len(_COLOURS) else ""
    shape = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" rx="{_CORNER}" '
        f'fill="{colour}" fill-opacity="0.1"/>'
        f'<path d="{_outline(left, right, top, bottom, begins, ends)}" fill="none" stroke="{colour}" '
        f'stroke-width="1.3"{dashes}/>'
    )
    badge = _badge(box.number, left + _PAD, baseline - _SIZE * 0.36) if begins else ""
    title = f"<title>{escape(printable(f'{box.number}: {box.name}'))}</title>"
    return f'<g class="chain chain-{box.number}">{title}{shape}{badge}</g>\n'


def _outline(left: float, right: float, top: float, bottom: float, begins: bool, ends: bool) -> str:
    """A box with round corners, without its left side where it does not begin, without its right where it goes on."""
    r = _CORNER
    west, east = left + r * begins, right - r * ends
    path = f"M{east:.1f} {top:.1f} H{west:.1f} "
    if begins:
        path += f"Q{left:.1f} {top:.1f} {left:.1f} {top + r:.1f} V{bottom - r:.1f} "
        path += f"Q{left:.1f} {bottom:.1f} {west:.1f} {bottom:.1f} H{east:.1f}"
    else:
        path += f"M{left:.1f} {bottom:.1f} H{east:.1f}"
    if ends:
        path += f" Q{right:.1f} {bottom:.1f} {right:.1f} {bottom - r:.1f} V{top + r:.1f} "
        path += f"Q{right:.1f} {top:.1f} {east:.1f} {top:.1f}"
    return path


def _colour(number: int) -> str:
    return _COLOURS[(number - 1) % len(_COLOURS)]


def _badge_width(number: int) -> float:
    return max(14.0, text_width(str(number), _SMALL) + 7)


def _badge(number: int, x: float, middle: float) -> str:
    """The number of a chain in a pill of its colour."""
    width, colour = _badge_width(number), _colour(number)
    ink = INK if colour in _LIGHT else "white"
    extra = ' text-anchor="middle" font-weight="bold"'
    return f'<rect x="{x:.1f}" y="{middle - 7:.1f}" width="{width:.1f}" height="14" rx="7" fill="{colour}"/>' + _text(
        x + width / 2, middle + 3.6, str(number), size=_SMALL, fill=ink, extra=extra
    ).rstrip("\n")


def _legend(names: Sequence[str], counts: Sequence[int], y: float) -> tuple[str, float]:
    """The chains with their names and numbers of mentions, in columns; and the height of the picture."""
    shapes = [f'<path d="M{_MARGIN} {y:.1f} H{_WIDTH - _MARGIN}" stroke="{SOFT}" stroke-opacity="0.4"/>\n']
    y += 24
    if not names:
        shapes.append(_text(_MARGIN, y, "No two phrases of this text are about the same thing.", size=13, fill=SOFT))
    column = (_WIDTH - 2 * _MARGIN) / _COLUMNS
    for place, (name, count) in enumerate(zip(names, counts, strict=True)):
        number = place + 1
        x, line = _MARGIN + column * (place % _COLUMNS), y + 24 * (place // _COLUMNS)
        name_x = x + _badge_width(number) + 7
        label = escape(printable(_shortened(name, x + column - 60 - name_x)))
        shapes.append(
            f'<g class="chain chain-{number}">{_badge(number, x, line - 4.5)}'
            f'<text x="{name_x:.1f}" y="{line:.1f}" font-size="13" fill="{INK}">'
            f'<tspan font-weight="bold">{label}</tspan>'
            f'<tspan dx="7" font-size="12" fill="{SOFT}">{count}×</tspan></text></g>\n'
        )
    rows = max(1, -(-len(names) // _COLUMNS))
    return "".join(shapes), y + 24 * (rows - 1) + _MARGIN


def _name(chain: Chain, sentences: Sequence[Analysis]) -> str:
    """The label of a chain: its name, or else its most frequent phrase with a proper noun or a noun as head."""
    if chain.name is not None:
        return " ".join(chain.name.split())
    for tag in ("PROPN", "NOUN", None):
        phrases = Counter(
            " ".join(placed.text.split())
            for placed in chain.mentions
            if tag is None or sentences[placed.sentence].words[placed.mention.head].upos == tag
        )
        if phrases:
            break
    return min(phrases, key=lambda phrase: (-phrases[phrase], len(phrase)))


def _shortened(text: str, width: float) -> str:
    # Bold letters are about a tenth wider.
    while text_width(text, 13) * 1.1 > width:
        text = text[:-2].rstrip() + "…"
    return text


def _text(x: float, y: float, content: str, *, size: int = _SIZE, fill: str = INK, extra: str = "") -> str:
    return svg_text(x, y, content, f' font-size="{size}" fill="{fill}"{extra}')
