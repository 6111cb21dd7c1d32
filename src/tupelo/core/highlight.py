"""Tuples as HTML: the parts in colours, and the sentence with their places marked. Everything is escaped.

Colours are written into each element, since notebooks drop style sheets. They
are translucent, so that they suit light and dark pages.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise

from tupelo.core.extraction import Argument, Attribution, Extraction
from tupelo.core.span import Span

# What a part is -> its colour as red, green, blue; the same on the terminal, as far as it can.
COLOURS = {
    "arg1": "66, 133, 244",
    "rel": "234, 134, 0",
    "arg": "15, 157, 88",
    "time": "171, 71, 188",
    "location": "0, 150, 167",
    "context": "128, 128, 128",
}


def kind_of(argument: Argument) -> str:
    """The kind of an argument after the first."""
    return argument.role if argument.role in ("time", "location") else "arg"


def labelled_parts(extraction: Extraction) -> list[tuple[str, Argument]]:
    """The parts of a tuple in reading order, each with its kind."""
    parts = [("arg1", extraction.arg1)] if extraction.arg1 is not None else []
    return [*parts, ("rel", extraction.rel), *((kind_of(argument), argument) for argument in extraction.args)]


def reservations(extraction: Extraction) -> list[str]:
    """Under which reservations the sentence claims the tuple, in a few words each."""
    notes = ["not"] if extraction.negated else []
    if extraction.modality:
        notes.append(extraction.modality)
    if extraction.attribution is not None:
        notes.append(_attribution_text(extraction.attribution))
    if extraction.context is not None:
        role = f"{extraction.context.role}: " if extraction.context.role else ""
        notes.append(f"{role}{extraction.context.text}")
    return [note for note in notes if note]


def extraction_html(extraction: Extraction) -> str:
    """A tuple and its sentence."""
    return f"<div>{tuple_html(extraction)}<div>{sentence_html(extraction)}</div></div>"


def tuple_html(extraction: Extraction) -> str:
    """The parts of a tuple, then what restricts it and how sure it is."""
    parts = [_boxed(kind, part) for kind, part in labelled_parts(extraction)]
    notes = [f"<em>{escape(note)}</em>" for note in reservations(extraction)]
    if extraction.confidence is not None:
        notes.append(f"<small>{extraction.confidence:.2f}</small>")
    return " ".join([*parts, *notes])


def sentence_html(extraction: Extraction) -> str:
    """The sentence with the parts of one tuple marked where they stand; parts may overlap."""
    text = extraction.sentence.text
    parts = labelled_parts(extraction)
    if extraction.context is not None:
        parts.append(("context", extraction.context))
    marks = [(kind, span) for kind, part in parts for span in part.spans or () if span.end <= len(text)]
    cuts = sorted({0, len(text), *(place for _, span in marks for place in (span.start, span.end))})
    pieces = []
    for start, end in pairwise(cuts):
        kinds = dict.fromkeys(kind for kind, span in marks if span.start <= start and end <= span.end)
        pieces.append(_marked(list(kinds), Span(start, end).of(text)))
    return "".join(pieces)


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


def _attribution_text(said: Attribution) -> str:
    if said.text:
        return said.text
    # "Brekke said", but "according to the archive".
    preposition_first = (said.verb or "").endswith(" to")
    words = (said.verb, said.speaker) if preposition_first else (said.speaker, said.verb)
    return " ".join(word for word in words if word)
