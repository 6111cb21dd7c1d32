"""Figures, communities and the still picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.runner import run
from tests.graph.small import Said, World, write_graph
from tests.graph.test_page import ATTACK, HOSTILE
from tupelo.core.analysis import ENTITY_TYPES
from tupelo.graph.query.network import find_communities, page_rank
from tupelo.graph.report.stats import statistics
from tupelo.graph.report.views import embedded
from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import create, open_graph
from tupelo.show.graph_figures import figures_page, figures_text
from tupelo.show.graph_picture import LOOKS, PAPER, PLAIN, arrange, draw_svg


def test_figures_of_a_small_graph(harbour):
    with open_graph(harbour) as store:
        found = statistics(store, communities=True)
    assert (found.sizes["edges"], found.sizes["statements"], found.sizes["nodes"]) == (14, 17, 12)
    assert found.stated_share == 1.0
    assert found.sizes["tuples"] == 18
    # Degrees: North Ferries 6, Ann Watson 5, Lindvik Shipping and Berg Cranes 4, one with 3, two with 2, two with 1.
    assert found.degrees == {1: 2, 2: 3, 4: 4}
    assert found.largest[0] == ("North Ferries", 6)
    assert found.relations[:2] == [("bought", 3), ("founded", 3)]
    # "Watson" and "the company" beside the names; "set up", "may buy", "would buy".
    assert found.merged == {"entity": 2, "relation": 3}
    assert found.merged_examples[0] == ("bought", ["may buy", "would buy"])
    assert found.low_confidence_share == pytest.approx(2 / 14)
    assert sum(found.confidence_histogram) == 14
    others = ("asked", "believed", "conditional", "denied", "possible", "reported")
    assert found.stances == {"asserted": 11, **dict.fromkeys(others, 1)}
    assert found.contradictions == 1
    assert found.edges_with_time == 2
    assert found.communities is not None
    assert sum(group.size for group in found.communities) == 9


def test_an_empty_graph_has_figures_too(tmp_path):
    with create(tmp_path / "empty.duckdb") as store:
        with store.transaction():
            derive(store)
        found = statistics(store, communities=True)
        assert found.low_confidence_share is None
        assert figures_page(found, "empty")
        assert figures_text(found)
        assert draw_svg("empty", embedded(store))


def test_the_command_prints_checks_and_writes_a_page(harbour, capsys, tmp_path):
    out = run(capsys, "graph", "stats", harbour, "--html", tmp_path / "s.html", "--communities").out
    assert "14 edges, 12 nodes, 17 statements" in out
    assert "merged wordings: 2 of 11 for entities" in out
    assert "<script" not in (tmp_path / "s.html").read_text("utf-8")
    found = json.loads(run(capsys, "graph", "stats", harbour, "--json", "--check").out)
    assert found["problems"] == []
    assert found["degrees"] == {"1": 2, "2": 3, "4": 4}


def test_a_broken_graph_fails_the_check(tmp_path, capsys):
    path = write_graph(tmp_path / "g.duckdb")
    import duckdb

    with duckdb.connect(str(path)) as plain:
        plain.execute("DELETE FROM sentences")
    outcome = run(capsys, "graph", "stats", path, "--check")
    assert outcome.status == 1
    assert "problem: tuples: 18 row(s) whose sentence_id is not in sentences" in outcome.out


def test_hostile_names_stay_text_in_report_and_picture(tmp_path):
    path = write_graph(tmp_path / "h.duckdb", HOSTILE)
    with open_graph(path) as store:
        page = figures_page(statistics(store, communities=True), ATTACK)
        picture = draw_svg(ATTACK, embedded(store))
    for text in (page, picture):
        assert "<script" not in text
        assert "<img" not in text
    assert ElementTree.fromstring(picture).tag.endswith("svg")


def test_two_cliques_with_a_bridge_are_two_communities():
    first = [(a, b) for a in range(6) for b in range(a)]
    second = [(a + 6, b + 6) for a, b in first]
    labels = find_communities(12, [*first, *second, (0, 6)])
    assert labels.tolist() == [0] * 6 + [1] * 6


def test_importance_is_page_rank_over_edges_both_ways():
    networkx = pytest.importorskip("networkx", reason="the referee of this test")
    ends, weights = np.array([[0, 1], [1, 2], [1, 3], [4, 5]]), np.array([1.0, 0.5, 2.0, 1.0])
    jump = np.array([1.0, 1.0, 0.1, 1.0, 1.0, 0.1, 1.0])
    peer = networkx.Graph()
    peer.add_nodes_from(range(7))
    peer.add_weighted_edges_from((a, b, weight) for (a, b), weight in zip(ends.tolist(), weights, strict=True))
    start = dict(enumerate(jump))
    expected = networkx.pagerank(peer, personalization=start, dangling=start, tol=1e-8)
    assert page_rank(ends, weights, jump) == pytest.approx([expected[node] for node in range(7)], abs=1e-4)


@given(st.integers(1, 12), st.data(), st.integers(0, 5))
def test_communities_never_join_what_is_not_connected(nodes, data, seed):
    networkx = pytest.importorskip("networkx", reason="the referee of this test")
    ends = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))
    edges = data.draw(st.lists(ends, max_size=20))
    labels = find_communities(nodes, edges, seed=seed)
    assert np.array_equal(labels, find_communities(nodes, edges, seed=seed))
    peer = networkx.Graph(edges)
    peer.add_nodes_from(range(nodes))
    part = {node: at for at, members in enumerate(networkx.connected_components(peer)) for node in members}
    for a in range(nodes):
        for b in range(a):
            assert labels[a] != labels[b] or part[a] == part[b]


def test_the_picture_keeps_nodes_apart_and_in_the_frame():
    edges = [(0, 1), (1, 2), (2, 0), (3, 4), (5, 5), (6, 7), (7, 8)]
    places, height = arrange(9, edges, 1000)
    assert places.min() >= 0
    assert places[:, 0].max() <= 1000
    assert places[:, 1].max() <= height
    distances = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2)) + 1e9 * np.eye(9)
    assert distances.min() > 40


def test_the_picture_is_well_formed_and_always_the_same(harbour):
    with open_graph(harbour) as store:
        data = embedded(store)
    picture = draw_svg("The harbour", data)
    assert picture == draw_svg("The harbour", data)
    root = ElementTree.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    # What the text asserts.
    assert len(root.findall(f"{space}line")) == 8
    assert {text.text for text in root.iter(f"{space}text")} >= {"Ann Watson", "founded", "person"}


def test_show_writes_a_still_picture(harbour, capsys, tmp_path):
    outcome = run(capsys, "graph", "show", harbour, "-o", tmp_path / "g.svg")
    assert (outcome.status, outcome.err) == (0, "")
    assert (tmp_path / "g.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.slow
def test_show_writes_the_picture_as_png_too(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    # Neither markup nor formulas nor signs that a font lacks do any harm.
    said = [("$x_1$", "<b>is</b>", "\\frac{a}{b} $"), ("A\x07\u202eB \U0001f9a6 \u3042", "knows", "$x_1$")]
    graph = write_graph(tmp_path / "g.duckdb", World([Said(*parts, " ".join(parts)) for parts in said]))
    pictures = []
    for name in ("one.png", "two.png"):
        assert run(capsys, "graph", "show", graph, "-o", tmp_path / name).status == 0
        pictures.append((tmp_path / name).read_bytes())
    assert pictures[0].startswith(b"\x89PNG")
    assert len(pictures[0]) > 5_000
    assert pictures[0] == pictures[1]


def test_a_graph_with_one_statement_is_drawn(tmp_path):
    path = write_graph(tmp_path / "one.duckdb", World([Said("A", "is", "A", "A is A.")]))
    with open_graph(path) as store:
        assert ">A</text>" in draw_svg("one", embedded(store))


# How the linear colours of a screen look to somebody without red or without green cones (Machado et al. 2009).
_SEEN = {
    "all": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
}


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def oklab(light: np.ndarray) -> np.ndarray:
    """Ottosson's colour space, in which distances are about as the eye sees them."""
    cones = np.cbrt(
        np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
        @ np.clip(light, 0, 1)
    )
    return np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]) @ cones


@pytest.mark.parametrize("paper", ["light", "dark"])
def test_types_can_be_told_apart_by_everybody(paper):
    looks = [*LOOKS.values(), PLAIN]
    colours = [getattr(look, paper) for look in looks]
    for seen in _SEEN.values():
        places = [oklab(seen @ linear(colour)) for colour in colours]
        distances = [np.linalg.norm(a - b) for at, a in enumerate(places) for b in places[:at]]
        # Two colours of the earlier palette were 0.01 apart.
        assert min(distances) > 0.11
    for colour in colours:
        dark, bright = sorted(linear(tone) @ [0.2126, 0.7152, 0.0722] for tone in (colour, PAPER[paper]))
        assert (bright + 0.05) / (dark + 0.05) >= 3
    assert len({look.shape for look in looks}) == len(looks)
    assert set(LOOKS) == set(ENTITY_TYPES) - {"datetime", "number"} | {"concept"}


def test_a_node_is_of_the_broadest_type_and_a_first_view_prefers_names(tmp_path):
    import duckdb

    path = write_graph(tmp_path / "g.duckdb")
    with duckdb.connect(str(path)) as plain:
        plain.execute("INSERT INTO types SELECT 'city', 'city', type_id FROM types WHERE name = 'place'")
        plain.execute(
            "INSERT INTO entity_types SELECT node_id, 'city', 9, 1.0 FROM entities "
            "WHERE name IN ('Lindvik', 'the sea')"
        )
    with open_graph(path) as store:
        data = embedded(store)
    kinds = {node[1]: node[2] for node in data["nodes"]}
    assert (kinds["Lindvik"], kinds["the sea"]) == ("place", "concept")
    assert [kind["name"] for kind in data["types"]] == ["person", "organization", "place", "concept"]
    # Names by importance, then concepts.
    order = [(node[2] == "concept", -node[4]) for node in data["nodes"]]
    assert order == sorted(order)
    assert data["nodes"][0][4] == 1.0
