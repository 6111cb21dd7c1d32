"""Tuples as HTML: the parts in colours, the sentence with their places marked, and a page of a whole document.

Everything is escaped. Colours are written into each element, since notebooks drop style sheets. They are
translucent, so that they suit light and dark pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import TypeAlias

from tupelo.core import Argument, Extraction, SentenceTuples
from tupelo.extract.options import Extractions
from tupelo.show import asset
from tupelo.web.page import page_head

# A part of a tuple with its kind, one of `COLOURS`.
LabelledPart: TypeAlias = tuple[str, Argument]

# Kind of a part -> its colour as red, green, blue; about the same on the terminal.
COLOURS = {
    "arg1": "66, 133, 244",
    "rel": "234, 134, 0",
    "arg": "15, 157, 88",
    "time": "171, 71, 188",
    "location": "0, 150, 167",
    "context": "128, 128, 128",
}


def extraction_html(extraction: Extraction) -> str:
    """The parts of a tuple, and below them its sentence with their places marked."""
    return f"<div>{extraction_tuple(extraction)}<div>{extraction_sentence(extraction)}</div></div>"


def extraction_tuple(extraction: Extraction) -> str:
    """The parts of a tuple, its reservations and its confidence."""
    return tuple_html(extraction.labelled_parts(), extraction.reservations(), extraction.confidence)


def extraction_sentence(extraction: Extraction) -> str:
    """The sentence with the parts of the tuple marked where they are."""
    context = [("context", extraction.context)] if extraction.context is not None else []
    return sentence_html(extraction.sentence.text, [*extraction.labelled_parts(), *context])


def tuple_html(parts: Sequence[LabelledPart], notes: Sequence[str] = (), confidence: float | None = None) -> str:
    """The parts of a tuple, then what restricts it and how sure it is."""
    shown = [_boxed(kind, part) for kind, part in parts] + [f"<em>{escape(note)}</em>" for note in notes]
    if confidence is not None:
        shown.append(f"<small>{confidence:.2f}</small>")
    return " ".join(shown)


def sentence_html(text: str, parts: Sequence[LabelledPart]) -> str:
    """A sentence with the parts of one tuple marked where they stand; parts may overlap."""
    marks = [(kind, span) for kind, part in parts for span in part.spans or () if span.end <= len(text)]
    borders = sorted({0, len(text), *(place for _, span in marks for place in (span.start, span.end))})
    shown = []
    for start, end in pairwise(borders):
        kinds = dict.fromkeys(kind for kind, span in marks if span.start <= start and end <= span.end)
        shown.append(_marked(list(kinds), text[start:end]))
    return "".join(shown)


def _boxed(kind: str, part: Argument) -> str:
    implied = set(part.inferred)
    words = [
        f"<i>[{escape(word)}]</i>" if position in implied else escape(word)
        for position, word in enumerate(part.text.split())
    ]
    resolved = f" <small>= {escape(part.resolved)}</small>" if part.resolved else ""
    title = escape(part.role or kind, quote=True)
    return (
        f'<span title="{title}" style="background: rgba({COLOURS[kind]}, .22); border-radius: .3em; '
        f'padding: .05em .35em">{" ".join(words)}{resolved}</span>'
    )


def _marked(kinds: list[str], text: str) -> str:
    if not kinds:
        return escape(text)
    # The first part gives the background, the last one the line below, so that an overlap shows both.
    return (
        f'<span title="{escape(", ".join(kinds), quote=True)}" style="background: rgba({COLOURS[kinds[0]]}, .15); '
        f'border-bottom: .18em solid rgba({COLOURS[kinds[-1]]}, .8)">{escape(text)}</span>'
    )


_STYLE = "\n" + asset("tuples_page.css")


def write_along(
    found: Iterable[SentenceTuples], write: Callable[[str], object], title: str, *, explain: bool = False
) -> Iterator[SentenceTuples]:
    """Write the page while passing sentences through, so that a book never has to fit in memory."""
    legend = "".join(
        f'<span style="background: rgba({colour}, .22)">{escape(kind)}</span>'
        for kind, colour in COLOURS.items()
        if kind != "context"
    )
    write(f'{page_head(title, _STYLE)}<p class="legend">{legend}</p>\n')
    sentences = tuples = 0
    for item in found:
        sentences += 1
        tuples += len(item.extractions)
        write(section(item, explain))
        yield item
    write(f"<footer><p>{sentences:,} sentences, {tuples:,} tuples.</p></footer>\n</body>\n</html>\n")


def document_page(title: str, found: Iterable[SentenceTuples], *, explain: bool = False) -> str:
    """The whole page at once."""
    pieces: list[str] = []
    for _ in write_along(found, pieces.append, title, explain=explain):
        pass
    return "".join(pieces)


def extractions_html(found: Extractions) -> str:
    """The tuples below each sentence, each expandable."""
    return "".join(map(section, found.sentences))


def section(item: SentenceTuples, explain: bool = False) -> str:
    """A sentence with its tuples; each tuple expands to show where its parts are in the sentence."""
    details = "".join(_details(extraction, explain) for extraction in item.extractions)
    bare = "" if item.extractions else ' class="bare"'
    return f"<section{bare}>\n<p>{escape(item.sentence.text)}</p>\n{details}</section>\n"


def _details(extraction: Extraction, explain: bool) -> str:
    why = reasons = ""
    if explain:
        maker = " ".join(name for name in (extraction.extractor, extraction.rule) if name)
        why = f" <code>{escape(maker)}</code>" if maker else ""
        reasons = "".join(f"<li>{escape(str(reason))}</li>" for reason in extraction.reasons)
        reasons = reasons and f"<ul>{reasons}</ul>"
    summary, sentence = f"{extraction.tuple_html()}{why}", extraction.sentence_html() + reasons
    return f"<details><summary>{summary}</summary><div>{sentence}</div></details>\n"
