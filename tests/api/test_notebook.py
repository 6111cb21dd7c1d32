"""Every kind of result shows itself in a notebook: one is executed, and each cell must have an HTML view."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tupelo.io.examples import GOLD, SYSTEMS, example_files

pytestmark = pytest.mark.process

SETUP = """
import tupelo
nlp = tupelo.load(threads=1)
hostile = 'Ann Lee founded Acme in Oslo in 1990 and called it "<script>alert(1)</script>".'
"""
CELLS = {
    "analyses": "nlp.analyze(hostile)",
    "analysis": "nlp.analyze(hostile)[0]",
    "extractions": "nlp.extract(hostile)",
    "extraction": "nlp.extract(hostile)[0]",
    "tuples": "tupelo.read('careful.tsv')",
    "formats": "tupelo.formats.list_formats()",
    "score": "tupelo.score('carb', 'gold.tsv', 'careful.tsv')",
    "comparisons": "tupelo.compare('carb', 'gold.tsv', ['careful.tsv', 'eager.tsv'], samples=10)",
    "leaderboard": "tupelo.leaderboard('carb', 'gold.tsv', ['careful.tsv', 'eager.tsv'])",
    "graph": "kg = tupelo.Graph.build({'note': hostile}, 'kg.duckdb')\nkg",
    "answers": "kg.query('?who founded ?what', evidence=1)",
    "search": "kg.search('Acme')",
    "picture": "kg.show()",
    "statistics": "kg.stats()",
    "coverage": "kg.coverage()",
    "check": "tupelo.check('Ann <u>founded</u> Acme in Rome.', hostile)",
    "facts": "tupelo.facts('Marie Curie was born in Warsaw.')",
    "clusters": "tupelo.canonicalize([('Ann <u>Lee</u>', 'ran', 'Acme'), ('Ann', 'runs', 'Acme')], method='tokens')",
    "inference": "tupelo.infer([('Ann, bought, <u>it</u>', 'Ann, has, <u>it</u>')], method='overlap')",
    "datasets": "tupelo.datasets()",
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The HTML of every cell."""
    # Here, as every process that collects tests would take seconds to import them.
    nbclient = pytest.importorskip("nbclient", reason="nbclient executes the notebook")
    nbformat = pytest.importorskip("nbformat")
    folder = tmp_path_factory.mktemp("notebook")
    with example_files(GOLD, *SYSTEMS) as paths:
        for path in paths:
            (folder / path.name).write_bytes(Path(path).read_bytes())
    book = nbformat.v4.new_notebook()
    book.cells = [nbformat.v4.new_code_cell(code) for code in (SETUP, *CELLS.values())]
    source = str(Path(__file__).parents[2] / "src")
    environment = {**os.environ, "PYTHONPATH": source, "JUPYTER_PLATFORM_DIRS": "1"}
    client = nbclient.NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=environment)
    return {
        name: "".join(output["data"].get("text/html", "") for output in cell.outputs if "data" in output)
        for name, cell in zip(CELLS, book.cells[1:], strict=True)
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", CELLS)
def test_a_result_shows_itself_as_html(shown, name):
    assert shown[name].lstrip().startswith("<")


@pytest.mark.parametrize("name", CELLS)
def test_nothing_from_a_text_becomes_markup(shown, name):
    assert "<script>alert" not in shown[name]
    assert "<u>" not in shown[name]
