"""Which sentences and tuples of documents are in a graph."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run
from tests.graph.small import HARBOUR, Said, World, write_graph
from tupelo.graph.query.edges import Filters, list_edges
from tupelo.graph.report.coverage import NOT_READ, REPEATED, coverage
from tupelo.graph.report.survey import survey
from tupelo.graph.store.file import create, open_for_update, open_graph


@pytest.fixture
def partly(tmp_path):
    """A graph with a sentence without a tuple, a tuple that repeats another one, and one that nobody stated."""
    path = write_graph(tmp_path / "g.duckdb", World([Said("Ann", "left", "Oslo", "Ann left Oslo.", "a.txt")]))
    with open_for_update(path) as store:
        key = store.rows("SELECT document_id FROM documents")[0][0]
        sentence = {"sentence_id": "s", "document_id": key, "position": 1, "text": "Oh no."}
        store.insert("sentences", [sentence, sentence | {"sentence_id": "t", "position": 2, "text": "It left."}])
        tuple_ = {"tuple_id": "x", "sentence_id": "t", "position": 0, "relation": "left", "unlinked": REPEATED}
        store.insert("tuples", [tuple_, tuple_ | {"tuple_id": "y", "position": 1, "unlinked": None}])
    return path


def test_sentences_and_tuples_are_counted_with_reasons(partly):
    with open_graph(partly) as store:
        found = coverage(store)
    (document,) = found.documents
    assert (document.sentences, document.with_tuples, document.with_statements) == (3, 2, 1)
    assert (document.tuples, document.stated, document.repeated, document.share) == (3, 1, 1, pytest.approx(2 / 3))
    assert found.reasons == {"no tuple": 1, REPEATED: 1, "no statement": 1}
    assert [item.sentence for item in found.left_out] == ["Oh no.", "It left.", "It left."]


def test_files_are_found_by_their_names(partly):
    with open_graph(partly) as store:
        found = coverage(store, ["a.txt", "b.txt"])
    assert ([one.source for one in found.documents], found.missing) == (["a.txt"], ("b.txt",))
    assert f"b.txt: {NOT_READ}" in str(found)


def test_the_command_prints_figures_and_writes_a_page(partly, capsys, tmp_path):
    outcome = run(capsys, "graph", "coverage", partly, "--html", tmp_path / "c.html")
    assert outcome.out.startswith("a.txt: 1 of 3 sentences, 2 with tuples; 2 of 3 tuples, 66.7%\n")
    assert "Oh no." in (tmp_path / "c.html").read_text("utf-8")
    found = json.loads(run(capsys, "graph", "coverage", partly, "--json").out)
    assert found["total"]["share"] == pytest.approx(2 / 3)
    assert run(capsys, "graph", "coverage").status == 2


def test_an_empty_graph_has_nothing_everywhere(capsys, tmp_path):
    with create(tmp_path / "g.duckdb") as store:
        assert coverage(store).total.share is None
    for command in (["query", "? ? ?"], ["query", "--search", "boats"], ["stats"], ["coverage"], ["report"]):
        name, *others = command
        outcome = run(capsys, "graph", name, tmp_path / "g.duckdb", *others)
        assert (outcome.status, outcome.err) == (0, ""), command


def test_views_choose_by_kind_and_rank(tmp_path):
    path = write_graph(tmp_path / "g.duckdb", HARBOUR)
    with open_for_update(path) as store:
        store.run("UPDATE statements SET rank = 0.9 WHERE relation = 'lives in'")
        every = list_edges(store, Filters(stances=("all",)))
        named = list_edges(store, Filters(stances=("all",), about="names"))
        assert {edge.object.name for edge in every} - {edge.object.name for edge in named} == {"the sea"}
        assert [edge.relation.name for edge in list_edges(store, Filters(min_rank=0.8))] == ["lives in"]
        assert every[0].relation.name == "lives in"
        shown = survey(store, limit=100, view=Filters(min_rank=0.8))
        assert [edge.relation for edge in shown.edges] == ["lives in"]
