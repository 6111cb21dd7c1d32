"""A demonstration of Tupelo on a bundled text and two bundled systems; all output is written to a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tupelo.api import scoring
from tupelo.api.graph import Filters, Graph, PageOptions
from tupelo.api.text import load
from tupelo.io.examples import GOLD, PEOPLE, SYSTEMS, TEXT, example_files
from tupelo.io.files import open_output, write_text
from tupelo.io.folders import copy_file, filling_folder
from tupelo.io.text import read_whole
from tupelo.io.tuples import write_records
from tupelo.show.highlight import document_page

if TYPE_CHECKING:
    from tupelo.api.graph import AnswerTable, BuildReport
    from tupelo.api.text import Toolkit
    from tupelo.core import SentenceTuples
    from tupelo.scorers.resample import Comparisons
    from tupelo.scorers.tables import Leaderboard


@contextmanager
def demo(folder: Path) -> Iterator[Demo]:
    """The demonstration; its files appear in the folder when it ends, and none if it fails."""
    with filling_folder(folder) as started:
        yield Demo(started, folder)


class Demo:
    """The parts of the demonstration, each run on call; `files` are those written so far."""

    title = "The harbour at Lindvik"
    question = "Solheim ? ?"
    # To check against the text: some hold, some do not, and one is not said.
    claims = (
        "Marta Solheim moved to Lindvik in March 2011. The station employs forty people. Dutch merchants built the "
        "harbour in 1654. The northern pier was destroyed by a storm. The court ordered Nordvest to apologise. "
        "Ola Brekke was born in Bergen."
    )

    def __init__(self, folder: Path, final: Path) -> None:
        self.folder = folder
        # Final places of the files, which the messages name.
        self.final = final
        self.files: list[str] = []
        # Everything but PNG is drawn without another package.
        self.draws_png = find_spec("matplotlib") is not None

    @cached_property
    def toolkit(self) -> Toolkit:
        return load()

    @cached_property
    def text(self) -> str:
        with example_files(TEXT) as (path,):
            return read_whole(str(path))

    def write(self, name: str, page: str) -> None:
        """A file beside the others."""
        write_text(self._new(name), page)

    def extract(self) -> list[SentenceTuples]:
        """The tuples of the text; also writes a page and a file."""
        found = list(self.toolkit.extract_sentences(self.text))
        self.write("tuples.html", document_page(self.title, found, explain=True))
        write_records(self._new("tuples.jsonl"), (record for item in found for record in item.records), "jsonl")
        return found

    def graph(self) -> tuple[BuildReport, AnswerTable]:
        """A graph of this text and another, and the answers to `question`; also writes a page and pictures."""
        suffixes = ("html", "svg", "png") if self.draws_png else ("html", "svg")
        page, *pictures = (self._new(f"graph.{suffix}") for suffix in suffixes)
        with example_files(TEXT, PEOPLE) as paths, Graph.build(paths, self._new("graph.duckdb")) as graph:
            graph.show(page, page=PageOptions(self.title))
            graph.report(self._new("report.html"), title=self.title)
            for picture in pictures:
                graph.show(picture, min_confidence=0.5, page=PageOptions(self.title))
            assert graph.changes is not None
            report = replace(graph.changes, output=str(self.final / "graph.duckdb"))
            return report, graph.query(self.question, filters=Filters(min_confidence=0.5), evidence=1)

    def score(self) -> tuple[Leaderboard, Comparisons]:
        """The scores of two systems and whether they differ; also writes curves and the errors of each."""
        with example_files(GOLD, *SYSTEMS) as (gold, *systems):
            for path in (gold, *systems):
                copy_file(path, self.folder / path.name)
            board = scoring.leaderboard("carb", gold, systems, sort="name", format="tab", keep_records=True)
            comparisons = scoring.compare("carb", gold, systems, format="tab")
        if self.draws_png:
            with open_output(self._new("curves.png")) as stream:
                stream.write(board.plot(title="CaRB scores of two invented systems"))
        for name, score in board.scores.items():
            self.write(f"errors-{name}.html", score.error_page(title=f"What '{name}' got wrong"))
        return board, comparisons

    def _new(self, name: str) -> Path:
        self.files.append(name)
        return self.folder / name
