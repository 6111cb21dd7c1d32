"""`tupelo facts`: the commands about facts of a fixed schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from tupelo.api import facts as api
from tupelo.api.files import write_lines
from tupelo.cli.options import InputFile, OutputFile, exit_after
from tupelo.cli.progress import progress_bar
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Among, Spelled


@command(api.facts_of_files)
def extract(
    run: Run[Any],
    files: Annotated[tuple[InputFile, ...], Spelled.of("[FILE]...")] = (),
    format: Annotated[str, Among(api.FACT_FORMATS), "A table for people, or a form for programs."] = "table",
    output: OutputFile = "-",
) -> None:
    failures: list[str] = []

    def lines(found: Any) -> Iterator[str]:
        for facts in found:
            if facts.failure is not None:
                failures.append(f"{facts.document}: {facts.failure}" if facts.document else facts.failure)
            yield from facts.lines(format)

    with progress_bar() as progress:
        write_lines(output, lines(run(files=files or ("-",), progress=progress)), errors="replace")
    exit_after(failures)
