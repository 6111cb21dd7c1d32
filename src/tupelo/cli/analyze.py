"""`tupelo analyze` and `tupelo show`: the syntax, entities and coreference of text, as data and as pictures."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.text_files import analyze_files, draw_text
from tupelo.cli.options import InputFile, OutputFile
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled


@command(analyze_files)
def analyze(
    run: Run[None],
    files: Annotated[tuple[InputFile, ...], Spelled.of("[FILE]...")] = (),
    output: OutputFile = "-",
) -> None:
    run()


@command(draw_text)
def show(
    run: Run[None],
    text: Annotated[str | None, Spelled.of("[TEXT]")] = None,
    output: Annotated[OutputFile, "Where to write the SVG. [default: standard output]"] = "-",
) -> None:
    run(text="-" if text is None else text)
