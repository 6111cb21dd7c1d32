"""Tuples for people on a terminal: a sentence, and below it one line per tuple with its parts in colours."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import TYPE_CHECKING

from tupelo.core import Argument, Extraction, SentenceTuples
from tupelo.core.results import printable

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_STYLES = {"arg1": "blue", "rel": "bold yellow", "arg": "green", "time": "magenta", "location": "cyan"}
# Off a terminal nothing is known about the width of the paper.
_PLAIN_WIDTH = 120
_NARROWEST = 50
_RULE_WIDTH = 18


def tuple_tables(found: Iterable[SentenceTuples], *, colour: bool, explain: bool = False) -> Iterator[str]:
    """One text per sentence. Meaning never depends on colour: roles and marks are written out."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    width = max(_terminal_width() if colour else _PLAIN_WIDTH, _NARROWEST)
    stream = StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        no_color=not colour or bool(os.environ.get("NO_COLOR")),
    )
    for item in found:
        console.print(Text(printable(item.sentence.text), style="bold"))
        if item.extractions and not explain:
            console.print(_table(item.extractions, explain))
        for extraction in item.extractions if explain else ():
            console.print(_table([extraction], explain))
            for reason in extraction.reasons:
                console.print(Padding(Text(printable(str(reason)), style="dim"), (0, 0, 0, 8)))
        if not item.extractions:
            console.print(Text("  no tuples", style="dim"))
        console.print()
        yield "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))
        stream.seek(0)
        stream.truncate()


def _terminal_width() -> int:
    try:
        return os.get_terminal_size().columns
    except OSError:
        return _PLAIN_WIDTH


def _table(extractions: Iterable[Extraction], explain: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(width=6, justify="right")
    for ratio in (4, 4, 7):
        table.add_column(ratio=ratio, overflow="fold")
    if explain:
        table.add_column(width=_RULE_WIDTH, overflow="fold")
    for extraction in extractions:
        confidence = "" if extraction.confidence is None else f"{extraction.confidence:.2f}"
        first = _part("arg1", extraction.arg1) if extraction.arg1 is not None else Text()
        relation = _part("rel", extraction.rel)
        row = [Text(confidence, style="dim"), first, relation, _rest(extraction)]
        if explain:
            row.append(Text(printable(extraction.rule or extraction.extractor or ""), style="dim"))
        table.add_row(*row)
    return table


def _rest(extraction: Extraction) -> Text:
    from rich.text import Text

    parts = []
    for argument in extraction.args:
        part = _part(argument.kind, argument)
        if argument.kind != "arg":
            part.append(f" ({argument.kind})", style="dim")
        parts.append(part)
    text = Text("; ").join(parts)
    for note in extraction.reservations():
        text.append(f"{'  ' if text else ''}[{printable(note)}]", style="red")
    return text


def _part(kind: str, part: Argument) -> Text:
    from rich.text import Text

    text = Text(style=_STYLES[kind])
    implied = set(part.inferred)
    words = [
        f"[{word}]" if position in implied else word for position, word in enumerate(printable(part.text).split(" "))
    ]
    text.append(" ".join(words))
    if part.resolved:
        text.append(f" = {printable(part.resolved)}", style="dim")
    return text
