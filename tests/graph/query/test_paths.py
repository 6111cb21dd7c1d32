"""Paths, neighbourhoods, full-text search and SQL."""

from __future__ import annotations

import re
from math import log

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.graph.small import HARBOUR, Said, Value, World, write_graph
from tupelo.api.graph import Graph
from tupelo.core import InputError, UnknownNameError
from tupelo.graph.query.edges import Filters
from tupelo.graph.query.lookup import find_entities, search_entities, search_sentences
from tupelo.graph.query.paths import neighbourhood, shortest_paths
from tupelo.graph.query.sql import run_sql
from tupelo.graph.store.file import open_graph


@pytest.fixture(scope="module")
def store(harbour):
    with open_graph(harbour) as opened:
        yield opened


def ids(store, name):
    return find_entities(store, name).ids


def test_neighbours_come_nearest_and_surest_first(store):
    near = neighbourhood(store, ids(store, "Ole Berg"))
    assert [str(edge) for edge in near] == [
        "Ole Berg works for North Ferries",
        "Ole Berg said the cranes are safe",
        "Ole Berg founded Berg Cranes",
    ]
    assert near[1].object.kind == "value"
    assert len(neighbourhood(store, ids(store, "Ole Berg"), depth=2)) == 7
    assert len(neighbourhood(store, ids(store, "Ole Berg"), Filters(stances=("all",)))) == 4
    assert len(neighbourhood(store, ids(store, "Ole Berg"), depth=2, limit=3)) == 3


def test_a_description_has_neighbours_and_is_no_entity(tmp_path):
    said = [
        Said("Ann", "made", "the decision", "Ann made the decision."),
        Said("Bo", "led", "Acme", "Bo led Acme."),
        Said("Acme", "welcomed", "the decision", "Acme welcomed the decision."),
    ]
    write_graph(tmp_path / "g.duckdb", World(said, literals={"the decision": Value("description")}))
    with Graph.open(tmp_path / "g.duckdb") as graph:
        ends = ["Acme welcomed the decision", "Ann made the decision"]
        assert sorted(map(str, graph.neighbours("the decision"))) == ends
        assert len(graph.neighbours("the decision", depth=2)) == 3
        assert list(map(str, graph.neighbours("Ann", depth=2))) == ends[1:]
        for refused in (
            lambda: graph.path("the decision", "Bo"),
            lambda: graph.report(entity="the decision"),
            lambda: graph.show(start="the decision"),
        ):
            with pytest.raises(UnknownNameError, match="only a description"):
                refused()


def test_the_shortest_path_is_found_with_its_edges(store):
    reported, path = sorted(shortest_paths(store, ids(store, "Ole Berg"), ids(store, "Ann Watson")), key=str)
    assert [str(edge) for edge in path.edges] == [
        "Ole Berg works for North Ferries",
        "Ann Watson set up North Ferries",
    ]
    assert str(reported.edges[1]) == "Ann Watson is chairman of North Ferries [says the Harbour Post]"
    assert path.confidence == pytest.approx(0.9 * 0.8)
    assert shortest_paths(store, ids(store, "Ole Berg"), ids(store, "Ann Watson"), directed=True).items == ()
    assert shortest_paths(store, ids(store, "Ole Berg"), ids(store, "Eva Lund")).items == ()
    assert shortest_paths(store, ids(store, "Ole Berg"), ids(store, "Lindvik"), longest=2).items == ()
    assert len(shortest_paths(store, ids(store, "Ole Berg"), ids(store, "Lindvik"))) == 2
    claimed = Filters(stances=("asserted",))
    assert len(shortest_paths(store, ids(store, "Ole Berg"), ids(store, "Ann Watson"), claimed)) == 1


def test_filters_hold_for_paths(store):
    sure = Filters(min_confidence=0.85)
    assert shortest_paths(store, ids(store, "Ole Berg"), ids(store, "Ann Watson"), sure).items == ()


def test_a_path_needs_two_ends(store):
    with pytest.raises(InputError, match="two different ones"):
        shortest_paths(store, ids(store, "Lindvik"), ids(store, "Lindvik"))


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda pair: pair[0] != pair[1]), min_size=1),
    st.booleans(),
)
def test_all_shortest_paths_are_those_of_networkx(tmp_path_factory, pairs, directed):
    networkx = pytest.importorskip("networkx", reason="the referee of this test")
    names = [f"Node {number}" for number in range(9)]
    world = World([Said(names[a], "knows", names[b], f"{names[a]} knows {names[b]}.") for a, b in sorted(pairs)])
    path = write_graph(tmp_path_factory.mktemp("random") / "g.duckdb", world)
    peer = networkx.DiGraph([(names[a], names[b]) for a, b in pairs])
    walked = peer if directed else peer.to_undirected()
    used = sorted(peer)
    with open_graph(path) as opened:
        known = dict(opened.rows("SELECT node_id, name FROM entities"))
        for goal in used[1:]:
            ours = shortest_paths(
                opened, ids(opened, used[0]), ids(opened, goal), longest=9, limit=500, directed=directed
            )
            found = {tuple(known[node] for node in route.nodes) for route in ours}
            if networkx.has_path(walked, used[0], goal):
                assert found == {tuple(nodes) for nodes in networkx.all_shortest_paths(walked, used[0], goal)}
            else:
                assert found == set()


def test_sentences_are_ranked_with_bm25(store):
    hits = search_sentences(store, "Skarholm summer")
    assert [hit.sentence for hit in hits] == [
        "North Ferries sails to Skarholm in summer.",
        "North Ferries does not sail to Skarholm.",
    ]
    lengths = [len(re.findall(r"\w+", text)) for text in {said.sentence for said in HARBOUR.statements}]
    average, total = sum(lengths) / len(lengths), len(lengths)

    def weight(sentences):
        return log(1 + (total - sentences + 0.5) / (sentences + 0.5))

    def part(length):
        return 2.2 / (1 + 1.2 * (0.25 + 0.75 * length / average))

    assert hits[0].score == pytest.approx(weight(2) * part(7) + weight(1) * part(7))
    assert hits[1].score == pytest.approx(weight(2) * part(7))
    assert len(hits[0].edges) == 1


def test_endings_and_phrases(store):
    assert len(search_sentences(store, "found*")) == 4
    assert [hit.source for hit in search_sentences(store, '"was founded by"')] == ["news.txt"]
    assert search_sentences(store, "zebra").items == ()
    with pytest.raises(InputError, match="no word"):
        search_sentences(store, "…!")


def test_entities_are_found_by_any_part_of_a_name(store):
    assert [node.name for node in search_entities(store, "lindvik")] == ["Lindvik", "Lindvik Shipping"]
    assert [node.name for node in search_entities(store, "erg")] == ["Berg Cranes", "Ole Berg"]
    assert search_entities(store, "  WATSON ")[0].name == "Ann Watson"
    assert search_entities(store, "100%") == []


def test_sql_reads(store):
    found = run_sql(store, "SELECT name, degree FROM entities ORDER BY degree DESC, name LIMIT 2;")
    assert found.columns == ("name", "degree")
    assert [row.cells for row in found] == [("North Ferries", 6), ("Ann Watson", 5)]
    assert len(run_sql(store, "SELECT * FROM edges", limit=3)) == 3


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 1; SELECT 2", "2 SQL statements, expected one"),
        ("", "0 SQL statements"),
        ("SELEC 1", "syntax error"),
        ("SELECT * FROM nothing", "nothing does not exist"),
        ("CREATE TEMP TABLE t (i INTEGER)", "of kind CREATE, expected one that reads"),
        ("SET threads = 1", "of kind SET"),
        ("PRAGMA database_list", "of kind PRAGMA"),
        ("SELECT * FROM read_text('/etc/passwd')", "disabled by configuration"),
        ("SELECT * FROM '/etc/passwd'", "does not exist"),
        ("SELECT error('boo')", "boo"),
    ],
)
def test_sql_that_does_more_than_read_is_refused(store, sql, message):
    with pytest.raises(InputError, match=message):
        run_sql(store, sql)
