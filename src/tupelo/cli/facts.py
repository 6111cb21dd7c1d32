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
    """Extract facts from each FILE (or standard input); a file is one document.

    Relations are Wikidata properties where they have one. A fact may combine several sentences; those that mention
    its subject and its object are its evidence.

    \b
    Examples:
      echo "Marie Curie was born in Warsaw, the capital of Poland." | tupelo facts extract
      tupelo facts extract article.txt --format jsonl -o facts.jsonl
      tupelo facts extract article.txt --subject "Marie Curie"
    """
    failures: list[str] = []

    def lines(found: Any) -> Iterator[str]:
        for facts in found:
            if facts.failure is not None:
                failures.append(f"{facts.document}: {facts.failure}" if facts.document else facts.failure)
            yield from facts.lines(format)

    with progress_bar() as progress:
        write_lines(output, lines(run(files=files or ("-",), progress=progress)), errors="replace")
    exit_after(failures)
