"""Merges to look at, and corrections: what they change, and that it is what a build from scratch with them gives."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.graph.build.test_build import Graph, dump
from tupelo.core.statement import Correction
from tupelo.graph.build.builder import correct
from tupelo.graph.build.review import corrections_of, keep_corrections, review, unknown_names
from tupelo.graph.store.file import create, open_for_update
from tupelo.names.linking import Aliases

NOW = datetime(2020, 1, 1)
DOCUMENTS = {
    "a": "Ann_Lee founded Acme 1999. Ann_Lee left Oslo.",
    "b": "Lee founded Brava 2001. Vestas left Oslo 2002.",
    "c": "Brava bought Acme.",
}


def said(graph: Graph, corrections=(), forgotten=()):
    with open_for_update(graph.path) as store:
        report = correct(store, corrections, graph.resources(NOW), forgotten=forgotten)
        assert store.problems() == []
        graph.workspace.remove()
        return report, dump(store)


def entities(tables) -> dict[str, set[str]]:
    """Entity -> its names in documents."""
    found: dict[str, set[str]] = {}
    for row in tables["referents"]:
        found.setdefault(row[2], set()).add(row[4])
    return found


@pytest.mark.slow
def test_corrections_give_the_graph_of_a_build_with_them(tmp_path) -> None:
    later, from_the_start = Graph(tmp_path / "later"), Graph(tmp_path / "start")
    a, b = "docs/a.txt", "docs/b.txt"
    corrections = [
        Correction("same", "Ann Lee", "Vestas"),
        Correction("same", "Brava", "Acme", b),
        Correction("different", "Oslo", "Oslo", a, b),
    ]
    _, before, _ = later.build(DOCUMENTS)
    report, after = said(later, corrections)
    assert report.corrections == len(corrections)
    names = entities(after)
    assert {"Ann Lee", "Lee", "Vestas"} in names.values()
    assert list(names.values()).count({"Oslo"}) == 2
    with create(from_the_start.path) as store:
        keep_corrections(store, corrections, (), NOW)
    _, expected, _ = from_the_start.build(DOCUMENTS)
    assert after == expected
    # They survive an update, and nothing of them is left when they are taken back.
    more = {**DOCUMENTS, "d": "Vestas left Brava."}
    assert later.build(more)[1] == from_the_start.build(more)[1]
    later.build(DOCUMENTS)
    assert said(later, forgotten=corrections)[1] == before


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    made = Graph(tmp_path_factory.mktemp("review"))
    # Three people of one family name.
    made.build(DOCUMENTS | {"d": "Bob_Lee founded Corvo. Carl_Lee left Corvo."})
    return made


@pytest.mark.slow
def test_the_opposite_replaces_what_was_said(graph) -> None:
    with open_for_update(graph.path) as store:
        before = dump(store)
    said(graph, [Correction("same", "Brava", "Acme")])
    report, after = said(graph, [Correction("different", "Acme", "Brava")])
    assert report.corrections == 2
    assert entities(after) == entities(before)
    assert said(graph, [Correction("different", "Acme", "Brava")])[0].changes_nothing
    with open_for_update(graph.path) as store:
        assert corrections_of(store) == (Correction("different", "Acme", "Brava"),)


def test_review_shows_both_sides_of_a_merge(graph) -> None:
    with open_for_update(graph.path) as store:
        missing, *found = review(store, Aliases())
        assert (missing.name, missing.other, missing.merged) == ("Lee", "Ann Lee", False)
        assert "Lee (1 document) is not Ann Lee: short name" in str(missing)
        assert [(merge.name, merge.other, merge.documents) for merge in found] == [
            ("Acme", "Acme", 2),
            ("Brava", "Brava", 2),
            ("Oslo", "Oslo", 2),
        ]
        assert [merge.probability for merge in found] == sorted(merge.probability for merge in found)
        sides = {side.sentence for side in (*found[2].here, *found[2].there)}
        assert sides == {"Ann_Lee left Oslo.", "Vestas left Oslo 2002."}
        assert "(2 documents) = Oslo: same name" in str(found[2])


def test_names_that_mean_nothing_are_found(graph) -> None:
    corrections = [Correction.of("same", "Acme", "Nobody"), Correction.of("different", "Oslo@x.txt", "Oslo")]
    with open_for_update(graph.path) as store:
        assert unknown_names(store, corrections, Aliases()) == ["Nobody", "Oslo@x.txt"]
