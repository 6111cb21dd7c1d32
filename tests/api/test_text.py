"""`tupelo.load()` and its results: lists with views for JSON, Arrow and notebooks; the commands print the same."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.api.text import Toolkit
from tupelo.extract import EXTRACTORS
from tupelo.nlp import PARSERS

COMMANDS = {"extract", "analyze"}
TEXT = "Ann bought a house in Oslo. Hm.\n\nBo <said> that she left.\n"


@pytest.fixture(scope="module")
def nlp() -> Toolkit:
    return tupelo.load(threads=1)


@pytest.mark.model
def test_tuples_are_a_list_that_prints_readably(nlp: Toolkit) -> None:
    found = nlp.extract(TEXT)
    assert str(found).splitlines() == [str(item) for item in found]
    assert "(Ann; bought; a house" in str(found)
    assert str(found[0].arg1) == "Ann"
    assert list(found[:1]) == [found[0]]
    assert [item.sentence.text for item in found.sentences][1] == "Hm."
    assert repr(found) == f"<Extractions: {len(found)}>"


@pytest.mark.model
def test_tuples_have_rows_and_a_rendering(nlp: Toolkit) -> None:
    found = nlp.extract(TEXT)
    assert found.to_arrow().num_rows == len(found) == len(found.rows())
    assert found.rows()[0]["arg1"] == "Ann"
    assert found.rows()[0]["args"][0].startswith("a house")
    page = found._repr_html_()
    assert "<said>" not in page
    assert "&lt;said&gt;" in page


@pytest.mark.model
def test_the_command_writes_the_records_of_the_result(
    nlp: Toolkit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "text.txt"
    file.write_text(TEXT)
    outcome = run(capsys, "extract", str(file), "--format", "jsonl", "--threads", "1")
    assert [json.loads(line) for line in outcome.out.splitlines()] == nlp.extract(file).to_dict()["records"]
    outcome = run(capsys, "analyze", str(file), "--format", "jsonl", "--threads", "1")
    assert [json.loads(line) for line in outcome.out.splitlines()] == nlp.analyze(file).to_dict()["sentences"]


@pytest.mark.model
def test_a_path_an_open_file_and_a_string_give_the_same(nlp: Toolkit, tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(TEXT)
    wanted = list(nlp.extract(TEXT))
    assert list(nlp.extract(file)) == wanted
    assert list(nlp.extract(io.StringIO(TEXT))) == wanted
    assert [item.text for item in nlp.analyze(Path(file), lines=True)] == TEXT.split("\n")[:-1]


@pytest.mark.model
def test_analyses_print_a_table_and_show_their_trees(nlp: Toolkit) -> None:
    analyses = nlp.analyze("Dogs chase cats. Cats sleep.")
    assert str(analyses).split("\n\n")[1] == "1  Cats   cat    NOUN   2  nsubj\n2  sleep  sleep  VERB   0  root\n" + (
        "3  .      .      PUNCT  2  punct"
    )
    assert analyses.rows()[1] | {"word": 1} == analyses.rows()[1]
    assert analyses.to_arrow().column_names[:3] == ["sentence", "word", "text"]
    assert analyses._repr_html_().count("<svg") == 2
    assert tupelo.core.Analysis("a < b", ())._repr_html_() == "<p>a &lt; b</p>"


@pytest.mark.model
def test_a_pipe_gives_one_result_per_text_with_its_context(nlp: Toolkit) -> None:
    texts = ["Dogs chase cats.", "", "Hm.", "Cats sleep. Ann sings.", ""]
    found = list(nlp.pipe(texts))
    assert [len(item.sentences) for item in found] == [1, 0, 1, 2, 0]
    assert str(found[0]) == "(Dogs; chase; cats)"
    pairs = list(nlp.pipe(zip(texts, "abcde", strict=True), as_tuples=True, min_confidence=0))
    assert [context for _, context in pairs] == list("abcde")
    assert [len(item.sentences) for item, _ in pairs] == [1, 0, 1, 2, 0]
    analyses = list(nlp.pipe_analyses(zip(texts, range(5), strict=True), as_tuples=True, constituents=False))
    assert [(len(item), number) for item, number in analyses] == [(1, 0), (0, 1), (1, 2), (2, 3), (0, 4)]
    assert list(nlp.pipe([])) == []


def test_parts_are_listed_with_their_titles() -> None:
    assert EXTRACTORS.title("rules").startswith("clauses of the dependency tree")
    assert all(map(PARSERS.title, PARSERS))
