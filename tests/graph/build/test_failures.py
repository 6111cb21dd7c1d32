"""Failure is a state: what fails is named, kept apart, and tried again; nothing that was known is lost to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.graph import stand_in
from tests.graph.build.test_build import RECIPE, Graph
from tests.graph.stand_in import ExtractPlainly
from tupelo.core import InputError
from tupelo.engine import local
from tupelo.engine.partition import give_up, perform
from tupelo.graph.build import rows as graph_rows
from tupelo.graph.build.builder import FailureOptions, remove
from tupelo.graph.report.stats import statistics
from tupelo.graph.store.file import open_for_update, open_graph

# Every build takes about a second.
pytestmark = pytest.mark.slow
OTHER = replace(RECIPE, extract=ExtractPlainly(version="2"))


@pytest.fixture
def graph(tmp_path):
    return Graph(tmp_path)


@pytest.fixture
def failing(monkeypatch):
    """The words on which extraction fails."""
    words: set[str] = set()
    monkeypatch.setattr(stand_in, "FAILING", words)
    return words


def moves(report):
    return tuple(report.moves().values())


def pairs(edges):
    return [(subject, object) for subject, _, object, *_ in edges]


def same(tables, clean):
    return {**tables, "types": ()} == {**clean, "types": ()}


def test_a_sentence_that_fails_costs_nothing_but_itself_and_is_tried_again(graph, failing, tmp_path):
    failing.add("Oslo")
    documents = {"a": "Vestas founded Acme. Brava left Oslo.", "b": "Brava left Rome."}
    report, tables, edges = graph.build(documents)
    assert moves(report) == (1, 0, 0, 0, 1)
    assert [str(failure) for failure in report.failures] == ["docs/a.txt: 'Brava left Oslo.': IndexError: failed"]
    assert pairs(edges) == [("Brava", "Rome"), ("Vestas", "Acme")]
    assert len(tables["sentences"]) == 3
    again, after, _ = graph.build(documents)
    assert moves(again) == (0, 0, 0, 1, 1)
    assert same(after, tables)
    failing.clear()
    repaired, tables, _ = graph.build(documents)
    assert moves(repaired) == (0, 1, 0, 1, 0)
    _, clean, _ = Graph(tmp_path / "clean").build(documents)
    assert same(tables, clean)
    assert graph.build(documents)[0].changes_nothing


def test_an_edit_that_fails_keeps_the_facts_of_the_last_version(graph, failing):
    _, before, _ = graph.build({"a": "Vestas founded Acme."})
    failing.add("American")
    edited = {"a": "Vestas founded Acme. Nationality is American."}
    for _ in range(2):
        report, tables, edges = graph.build(edited)
        assert moves(report) == (0, 0, 0, 0, 1)
        assert pairs(edges) == [("Vestas", "Acme")]
        assert tables["documents"] == before["documents"], "the checksum of the new version is not known"
        assert [row[:3] for row in tables["failures"]] == [("docs/a.txt", 0, "plain")]
    failing.clear()
    report, tables, edges = graph.build(edited)
    assert (moves(report), tables["failures"], len(edges)) == ((0, 1, 0, 0, 0), [], 2)


def test_a_new_version_with_other_options_that_fails_stays_the_old_one_until_it_works(graph, failing, tmp_path):
    documents = {"a": "Vestas founded Acme.", "b": "Brava left Oslo."}
    graph.build(documents)
    failing.add("Vestas")
    report, _, edges = graph.build(documents, OTHER)
    assert (moves(report), report.outdated, len(edges)) == ((0, 1, 0, 0, 1), 1, 2)
    failing.clear()
    report, tables, _ = graph.build(documents, OTHER)
    assert (moves(report), report.outdated) == ((0, 1, 0, 1, 0), 0)
    _, clean, _ = Graph(tmp_path / "clean").build(documents, OTHER)
    assert same(tables, clean)


def test_a_document_of_nothing_but_failures_is_not_added(graph, failing):
    failing.add("Italian")
    report, tables, _ = graph.build({"a": "Cuisine is Italian.", "b": "Brava left Oslo."})
    assert moves(report) == (1, 0, 0, 0, 1)
    assert [row[1] for row in tables["documents"]] == ["docs/b.txt"]


def test_what_cannot_be_read_is_listed_by_the_figures_until_it_can(graph, failing):
    failing.add("Oslo")
    graph.build({"a": "Vestas founded Acme. Brava left Oslo.", "bad": "\0"})
    with open_graph(graph.path) as store:
        found = statistics(store)
    assert [source for source, _ in found.failures] == ["docs/a.txt", "docs/bad.txt"]
    assert "failed: docs/a.txt: 'Brava left Oslo.': IndexError: failed" in str(found)
    assert "IndexError" in found.page("Figures")
    failing.clear()
    graph.build({"a": "Vestas founded Acme. Brava left Oslo."})
    with open_graph(graph.path) as store:
        assert statistics(store).failures == []


@pytest.mark.parametrize(("on_error", "sources"), [("keep", ["docs/a.txt", "docs/b.txt"]), ("skip", ["docs/b.txt"])])
def test_options_say_what_becomes_of_a_document_that_fails(graph, failing, on_error, sources):
    failing.add("Oslo")
    options = {"failing": FailureOptions(on_error=on_error)}
    _, tables, _ = graph.build({"a": "Vestas founded Acme. Brava left Oslo.", "b": "Brava left Rome."}, **options)
    assert sorted(row[1] for row in tables["documents"]) == sources


def test_a_build_can_stop_at_a_failure(graph, failing):
    failing.add("Oslo")
    with pytest.raises(InputError, match=r"docs/a.txt: 'Brava left Oslo.': IndexError: failed, expected"):
        graph.build({"a": "Brava left Oslo."}, failing=FailureOptions(on_error="stop"))


def test_failures_are_tried_again_once_they_change(graph, failing):
    failing.add("Oslo")
    documents = {"a": "Vestas founded Acme. Brava left Oslo."}
    graph.build(documents)
    failing.clear()
    later = {"failing": FailureOptions(retry="changed")}
    report, _, edges = graph.build(documents, **later)
    assert ([failure.record for failure in report.failures], len(edges)) == (["docs/a.txt"], 1)
    report, _, edges = graph.build({"a": "Vestas founded Acme. Brava left  Oslo."}, **later)
    assert (moves(report), len(edges)) == ((0, 1, 0, 0, 0), 2)


@pytest.mark.parametrize("stage", ["read", "plain", "rows"])
def test_a_partition_that_is_lost_is_a_failure_of_its_documents(graph, monkeypatch, stage):
    documents = {"a": "Vestas founded Acme.", "b": "Brava left Oslo."}

    def lost(task, workspace):
        return give_up(task, workspace, "killed") if task.stage.name == stage else perform(task, workspace)

    with monkeypatch.context() as patch:
        patch.setattr(local, "perform", lost)
        report, _, _ = graph.build(documents)
    assert {failure.record for failure in report.failures} == {"docs/a.txt", "docs/b.txt"}
    report, _, edges = graph.build(documents)
    assert (moves(report), len(edges)) == ((2, 0, 0, 0, 0), 2)


def test_a_document_whose_rows_fail_keeps_its_last_version(graph, monkeypatch):
    graph.build({"a": "Vestas founded Acme.", "b": "Brava left Oslo."})
    made = graph_rows._rows

    def broken(row, aliases, before):
        if "Rome" in row["text"]:
            raise KeyError("Rome")
        return made(row, aliases, before)

    monkeypatch.setattr(graph_rows, "_rows", broken)
    report, _, edges = graph.build({"a": "Vestas founded Acme. Vestas left Rome.", "b": "Brava left Bergen."})
    assert [failure.record for failure in report.failures] == ["docs/a.txt"]
    assert pairs(edges) == [("Brava", "Bergen"), ("Vestas", "Acme")]


def test_documents_added_with_other_options_do_not_hide_that_the_rest_is_older(graph, tmp_path):
    documents = {"a": "Vestas founded Acme.", "b": "Brava left Oslo."}
    graph.build(documents)
    report, _, _ = graph.build({"c": "Brava left Rome."}, OTHER, keep_others=True)
    assert (report.reread, report.outdated) == (0, 2)
    documents["c"] = "Brava left Rome."
    report, tables, _ = graph.build(documents, OTHER)
    assert (moves(report), report.reread, report.outdated) == ((0, 2, 0, 1, 0), 2, 0)
    _, clean, _ = Graph(tmp_path / "clean").build(documents, OTHER)
    assert same(tables, clean)


def test_adding_keeps_the_failures_of_others_and_removing_drops_them(graph, failing):
    failing.add("Oslo")
    graph.build({"a": "Vestas founded Acme. Brava left Oslo."})
    report, tables, _ = graph.build({"b": "Brava left Rome."}, keep_others=True)
    assert (moves(report), len(tables["failures"])) == ((1, 0, 0, 0, 0), 1)
    with open_for_update(graph.path) as store:
        remove(store, ["docs/a.txt"], graph.resources())
        assert store.count("failures") == 0
