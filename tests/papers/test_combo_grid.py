"""COMBO's grid: cells as the method gives them, choices by the search alone, nothing computed twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from papers import combo, combo_grid
from papers.combo_grid import ComboGrid, GridCell, describe, printed_gains, relation_examples
from tests.cli.runner import run
from tests.cli.test_canonicalize import combo_file
from tests.extras import needs
from tupelo.core import InputError
from tupelo.io.triples import read_triples

ONE_STRATEGY = {"form": "triple", "pooling": "max"}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return str(combo_file(tmp_path / "a.json")), str(combo_file(tmp_path / "b.json", 100))


@pytest.mark.model
def test_a_cell_is_what_the_method_gives_with_the_same_settings(files: tuple[str, str], tmp_path: Path) -> None:
    data, other = files
    grid = combo_grid.reproduce(data, (), tune_on=other, settings=ONE_STRATEGY, cells=tmp_path / "cells")
    assert [cell.layer for cell in grid.cells] == list(range(7))
    alone = combo.reproduce(data, ["encoder"], tune_on=other, settings={**ONE_STRATEGY, "layer": "2"})
    for subtask, figures in alone.methods["encoder"].items():
        (found,) = grid.cells[2].runs[subtask]
        assert {name: value for name, value in found.items() if name != "searched"} == pytest.approx(figures)
    assert "best pooling" not in str(grid)
    assert {(cell.form, cell.pooling) for cell in grid.cells} == {("triple", "max")}


@pytest.mark.model
def test_finished_cells_are_not_computed_again(
    files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = tmp_path / "cells"
    tuned: list[str] = []
    search = combo_grid.tune_threshold

    def counted(prepared: Any, data: Any, subtask: str) -> Any:
        tuned.append(subtask)
        return search(prepared, data, subtask)

    monkeypatch.setattr(combo_grid, "tune_threshold", counted)

    def reproduce(**changed: Any) -> ComboGrid:
        options: dict[str, Any] = {"tune_on": files[1], "settings": {**ONE_STRATEGY, "layer": "1"}, "seeds": 2}
        return combo_grid.reproduce(files[0], ["random"], cells=cells, **(options | changed))

    first = reproduce(tasks=["rpc"])
    # One cell and two seeds; then only the other subtasks of both.
    assert tuned == ["relation"] * 3
    whole = reproduce()
    assert tuned.count("relation") == 3
    assert len(tuned) == 3 * 5
    assert whole.baselines["random"]["relation"] == first.baselines["random"]["relation"]
    assert reproduce().to_dict() == whole.to_dict()
    assert len(tuned) == 3 * 5
    # What was lost is computed again, and what else decides the outcome makes other cells.
    lost = next(path for path in cells.iterdir() if '"subject-type"' in path.read_text("utf-8"))
    lost.unlink()
    assert reproduce().to_dict() == whole.to_dict()
    assert tuned[15:] == ["subject-type"]
    reproduce(settings={**ONE_STRATEGY, "layer": "1", "standardize": "no"}, tasks=["rpc"])
    assert tuned[16:] == ["relation"]
    lost.write_text('{"runs', "utf-8")
    with pytest.raises(InputError, match="damaged, expected a finished cell"):
        reproduce()


@pytest.mark.model
def test_baselines_have_the_mean_and_the_spread_of_their_seeds(files: tuple[str, str], tmp_path: Path) -> None:
    data, other = files
    settings = {**ONE_STRATEGY, "layer": "0"}
    grid = combo_grid.reproduce(data, ["random"], tune_on=other, settings=settings, cells=tmp_path, tasks=["rpc"])
    alone = combo.reproduce(data, ["random"], tune_on=other, seeds=4, tasks=["rpc"]).methods["random"]["relation"]
    found = grid.baselines["random"]["relation"]
    for column in combo.COLUMNS["relation"]:
        assert found[column] == pytest.approx(alone[column])
        assert found["deviations"][column] == pytest.approx(alone["deviations"][column])
    assert "|seed:0-3|" in grid.signature


@pytest.mark.model
def test_without_a_second_file_each_half_is_measured_with_the_thresholds_of_the_other(tmp_path: Path) -> None:
    items = json.loads(combo_file(tmp_path / "a.json").read_text("utf-8"))
    more = json.loads(combo_file(tmp_path / "b.json", 100).read_text("utf-8"))
    for item in more:
        item["h"]["id"] += "b"
        item["text"] = [*item["text"], "indeed"]
    both = tmp_path / "both.json"
    both.write_text(json.dumps(items + more), "utf-8")
    settings = {**ONE_STRATEGY, "layer": "3"}
    grid = combo_grid.reproduce(str(both), (), settings=settings, cells=tmp_path / "cells", tasks=["rpc", "npc-e"])
    assert [len(runs) for runs in grid.cells[0].runs.values()] == [2, 2, 2]
    assert "parts:halves" in grid.signature
    one = tmp_path / "one.json"
    one.write_text(json.dumps(items[:1]), "utf-8")
    with pytest.raises(InputError, match="expected two halves"):
        combo_grid.reproduce(str(one), (), cells=tmp_path / "cells")


def cell(encoder: str, form: str, layer: int, *runs: tuple[float, float]) -> GridCell:
    """A cell of relations: for each run the score of its search, and the figure that was measured."""
    figures = [{"searched": searched, "average": average, "micro": 0.0, "pair": 0.0} for searched, average in runs]
    return GridCell(encoder, form, "mean", layer, {"relation": figures})


def grid_of(*cells: GridCell) -> ComboGrid:
    return ComboGrid("x", 1, ["relation"], cells, {}, {"triples": 1}, {}, "combo-grid")


def test_the_search_chooses_and_never_the_measured_part() -> None:
    grid = grid_of(
        cell("a", "sentence", 0, (0.9, 0.1), (0.2, 0.8)),
        cell("a", "sentence", 1, (0.8, 0.7), (0.3, 0.5)),
        cell("a", "sep", 0, (0.1, 1.0), (0.1, 1.0)),
        cell("a", "sep", 1, (0.95, 0.3), (0.0, 0.2)),
    )
    relation = ("relation", "average")
    # Run 1 has layer 0, run 2 layer 1.
    assert grid.strategies("a", relation)["sentence"]["mean"] == pytest.approx((0.1 + 0.5) / 2)
    assert grid.overall()["sep"]["mean"] == pytest.approx((0.3 + 1.0) / 2)
    # Run 1 prefers single phrases, run 2 sentences.
    assert grid.layerwise("a", relation) == pytest.approx({0: (1.0 + 0.8) / 2, 1: (0.3 + 0.5) / 2})
    assert grid.tables().methods["a"]["relation"]["average"] == pytest.approx((0.3 + 0.5) / 2)
    assert ("best form", "sentence", "sep") in grid.said()
    assert ("best layer, RPC, a", "10-12 of 12", "0 of 1") in grid.said()


def test_encoders_are_compared_with_what_they_were_trained_from() -> None:
    grid = grid_of(
        cell("a", "sep", 0, (1, 0.5)), cell("a-triple", "sep", 0, (1, 0.75)), cell("b-triple", "sep", 0, (1, 0.9))
    )
    assert grid.pretraining() == {"a-triple": {("relation", "average"): pytest.approx(0.25)}}
    # The paper's text: +9.73 for RoBERTa.
    assert printed_gains([("relation", "average")])["Roberta-base-triple"] == [pytest.approx(0.0973)]
    assert "+25.0" in str(grid)


def test_the_data_is_described_as_in_the_paper(files: tuple[str, str]) -> None:
    data = read_triples(files[0])
    assert describe(data) == {
        "NP": 6,
        "NPC-E": 5,
        "RP": 3,
        "RPC": 2,
        "NPC-O": 3,
        "triples": 5,
        "words in a triple": pytest.approx(5.0),
        "context (%)": 0.0,
    }
    assert relation_examples(data) == {"residence": ["lives in", "resides in"], "birth": ["was born in"]}


@pytest.mark.model
@needs("matplotlib", "plot")
def test_the_command_draws_the_figures(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [part for each in {**ONE_STRATEGY, "layer": "1"}.items() for part in ("--set", "=".join(each))]
    places = ("--cells", tmp_path / "cells", "--figures", tmp_path / "figures")
    data, other = files
    rows = ("--method", "random", "--tune-on", other, "--task", "rpc")
    outcome = run(capsys, "reproduce", "combo", data, "--grid", *rows, *options, *places)
    assert outcome.status == 0, outcome.err
    for part in (
        "Table 1",
        "Table 4",
        "Table 5",
        "Tables 8 and 9",
        "Figure 9",
        "Figure 10",
        "Figure 11",
        "Figure 12",
    ):
        assert f"\n{part}" in f"\n{outcome.out}"
    assert "  ±" in outcome.out
    drawn = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert drawn == ["figure-10-strategies.svg", "figure-11-layers.svg", "figure-9-strategies.svg"]
    trained = grid_of(cell("a", "sep", 0, (1, 0.5)), cell("a-triple", "sep", 0, (1, 0.75)))
    assert b"<svg" in trained.figures()["figure-12-pretraining.svg"]


def test_options_of_the_grid_need_it(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run(capsys, "reproduce", "combo", files[0], "--figures", tmp_path / "figures")
    assert (outcome.status, "belong to --grid" in outcome.err) == (2, True)


def test_figure_12_says_what_it_needs() -> None:
    needed = "needs an encoder before and after `tupelo pretrain`"
    assert needed in str(grid_of(cell("a", "sep", 0, (1, 0.5))))
    assert needed not in str(grid_of(cell("a", "sep", 0, (1, 0.5)), cell("a-triple", "sep", 0, (1, 0.75))))
