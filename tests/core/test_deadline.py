from __future__ import annotations

import pytest

from tests.graph.small import write_graph
from tupelo.core.deadline import OutOfTimeError, in_time, time_left, time_limit
from tupelo.graph.store.file import open_graph


def test_without_a_limit_nothing_is_checked():
    assert time_left() is None
    assert list(in_time([1, 2])) == [1, 2]


def test_a_limit_ends_the_work_of_its_block_only():
    seen = []
    with pytest.raises(OutOfTimeError, match=r"more than 0 seconds of work"), time_limit(0):
        seen.extend(in_time([1, 2]))
    assert (seen, time_left()) == ([], None)
    with time_limit(1000):
        assert 0 < time_left() <= 1000


def test_a_query_that_would_take_hours_is_stopped(tmp_path):
    with open_graph(write_graph(tmp_path / "kg.duckdb")) as store:
        with pytest.raises(OutOfTimeError), time_limit(0.2):
            store.rows("SELECT max(a.range + b.range) FROM range(1000000000) AS a, range(1000000000) AS b")
        assert store.rows("SELECT 1") == [(1,)]
