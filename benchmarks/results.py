"""Result files: the tables of the benchmark pages, each with the command, date and commit that gave it.

`benchmarks/results/NAME.json` holds `command`, `date`, `commit`, `header`, `align` and `rows`; a benchmark writes it
with `--save`. The pages are rendered from these files (`docs/generate.py`), and a test fails when they differ. A file
with `"transcribed": true` was copied from the output of its command by hand, before its command could write it.

`headlines.toml` names the rows and columns that the overview shows, so that it cannot disagree with the pages.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Result:
    """One table of figures, and where it is from."""

    command: str
    date: str
    commit: str
    header: list[str]
    align: list[str]
    rows: list[list[str]]
    transcribed: bool = False

    def markdown(self) -> str:
        rulers = ["---:" if side == "right" else "---" for side in self.align]
        return "\n".join(_line(cells) for cells in (self.header, rulers, *self.rows))

    def part(self, rows: Sequence[str] | None, columns: Sequence[str] | None) -> Result:
        """Some rows, by their first cells, and some columns, by their names, besides the first."""
        by_name = {row[0]: row for row in self.rows}
        chosen = self.rows if rows is None else [by_name[name] for name in rows]
        places = [0, *([self.header.index(name) for name in columns] if columns else range(1, len(self.header)))]
        header, align = ([values[place] for place in places] for values in (self.header, self.align))
        kept = [[row[place] for place in places] for row in chosen]
        return Result(self.command, self.date, self.commit, header, align, kept, self.transcribed)


def load(name: str) -> Result:
    """A result by its name."""
    return Result(**json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


def headline(name: str) -> Result:
    """A table of the overview: a part of the table of a page."""
    chosen = tomllib.loads((FOLDER / "headlines.toml").read_text("utf-8"))[name]
    return load(chosen["result"]).part(chosen.get("rows"), chosen.get("columns"))


def add_save_option(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument("--save", action="store_true", help="write the figures to benchmarks/results")


def save(name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    """Write a table with the command that is running, today's date and the commit of the working tree."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    columns = zip(*cells, strict=True)
    align = ["right" if place and _are_figures(column) else "left" for place, column in enumerate(columns)]
    result = Result(_command(), datetime.now(UTC).date().isoformat(), _commit(), list(header), align, cells)
    path = FOLDER / f"{name}.json"
    values = {key: value for key, value in asdict(result).items() if value is not False}
    path.write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return path


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |")


def _are_figures(cells: Sequence[str]) -> bool:
    return all(not cell or cell.lstrip("*−-±")[:1].isdigit() for cell in cells)


def _command() -> str:
    """The running module and its arguments, without `--save`."""
    main = sys.modules["__main__"].__spec__
    given = [word for word in sys.argv[1:] if word != "--save"]
    return shlex.join(["python", "-m", main.name if main else Path(sys.argv[0]).stem, *given])


def _commit() -> str:
    asked = ["git", "-C", str(FOLDER), "describe", "--always", "--dirty", "--abbrev=12"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
