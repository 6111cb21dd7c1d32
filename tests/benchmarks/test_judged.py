"""The judged set: its test part is read only by name."""

import pytest

from benchmarks import judged


def test_the_test_part_is_read_only_where_it_is_named(monkeypatch):
    read = []
    monkeypatch.setattr(judged, "rows_of", lambda split, data: (read.append(split) or [], 0))
    for given in ([], ["--split", "test"]):
        judged.main([*given, "--json"])
    assert read == ["dev", "test"]


def test_figures_of_another_part_are_not_saved(monkeypatch, capsys):
    monkeypatch.setattr(judged, "rows_of", lambda split, data: pytest.fail("read"))
    with pytest.raises(SystemExit):
        judged.main(["--save"])
    assert "--split test" in capsys.readouterr().err
