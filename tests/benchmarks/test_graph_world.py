"""The graph out of nothing: a sound one by the schema, with every table that retrieval reads."""

from benchmarks.graph_world import write_world
from tupelo.graph.store.file import open_graph


def test_a_graph_out_of_nothing_is_sound(tmp_path):
    write_world(tmp_path / "g.duckdb", 200)
    with open_graph(tmp_path / "g.duckdb") as store:
        assert store.problems() == []
        assert (store.count("statements"), store.count("sentences")) == (200, 200)
        assert store.count("passage_names")
