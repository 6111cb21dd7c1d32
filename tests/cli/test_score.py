"""`tupelo score`, `compare`, `leaderboard`, `reproduce` and `demo` from the outside."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from pathlib import Path

import pytest

from tests.cli.runner import run
from tupelo.core import InputError
from tupelo.graph.store.file import open_graph
from tupelo.io.examples import GOLD, SYSTEMS, example_files
from tupelo.scorers import SCORERS

KEYS = ["scorer", "precision", "recall", "f1", "auc", "gold", "predicted", "coverage", "signature"]


@pytest.fixture
def example():
    with example_files(GOLD, *SYSTEMS) as paths:
        yield paths


@pytest.fixture
def small(tmp_path):
    """A gold file and predictions whose figures can be worked out by hand."""
    (tmp_path / "gold.tsv").write_text("I ate an apple .\tate\tI\tan apple\nYou ran .\tran\tYou\n")
    (tmp_path / "pred.tsv").write_text("I ate an apple .\t0.9\tate\tI\tan orange\nYou ran .\t0.2\tslept\tYou\n")
    return tmp_path / "gold.tsv", tmp_path / "pred.tsv"


@pytest.mark.model
def test_json_holds_exactly_the_documented_keys_with_full_precision(capsys, small):
    status, out, err = run(capsys, "score", "carb", *small, "--format", "tab", "--json")
    found = json.loads(out)
    assert (status, err, list(found)) == (0, "", KEYS)
    # 3 of 4 words both ways in the first sentence, nothing in the second.
    assert (found["precision"], found["recall"]) == (3 / 4, (3 / 4) / 2)
    assert (found["gold"], found["predicted"], found["scorer"]) == (2, 2, "carb")
    assert found["signature"].startswith("carb|gold:gold.tsv@")


@pytest.mark.model
def test_people_get_percentages_and_the_signature(capsys, small):
    status, out, _ = run(capsys, "score", "carb", *small)
    first, sentences, second = out.splitlines()
    assert status == 0
    assert sentences == "2 of 2 gold sentences and 2 of 2 predicted ones match"
    assert first == "P 75.0  R 37.5  F1 50.0  AUC 32.8   (best at confidence 0.9; 2 predicted, 2 gold)"
    assert "|format:tab|match:binary-lenient|binary:no|recall:multi|fixes:none|" in second


@pytest.mark.model
def test_details_are_shown_on_request(capsys, small):
    assert "gold_sentences: 2" in run(capsys, "score", "carb", *small, "--details").out
    found = json.loads(run(capsys, "score", "carb", *small, "--details", "--json").out)
    assert list(found) == [*KEYS, "details"]


@pytest.mark.model
@pytest.mark.parametrize(
    ("option", "mark"),
    [
        (["--matcher", "exact"], "match:exact"),
        (["--matcher", "simpleMatch"], "match:slots"),
        (["--match", "entail"], "match:entail"),
        (["--binary"], "binary:yes"),
        (["--single-match"], "recall:single"),
        (["--fix", "be-counted-twice", "--fix", "binary-copies"], "fixes:be-counted-twice+binary-copies"),
    ],
)
def test_every_option_shows_in_the_signature(capsys, small, option, mark):
    assert f"|{mark}|" in run(capsys, "score", "carb", *small, *option).out


@pytest.mark.model
def test_a_gold_file_packed_with_gzip_has_the_same_checksum(capsys, small):
    gold, predictions = small
    packed = gold.parent / "packed" / "gold.tsv"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(gold.read_bytes()))
    assert run(capsys, "score", "carb", packed, predictions).out == run(capsys, "score", "carb", *small).out


@pytest.mark.model
def test_the_curve_is_written_in_ascending_recall(capsys, example, tmp_path):
    target = tmp_path / "curve.csv"
    gold, careful, _ = example
    found = json.loads(run(capsys, "score", "carb", gold, careful, "--json", "--curve", target).out)
    rows = list(csv.DictReader(target.read_text().splitlines()))
    recalls = [float(row["recall"]) for row in rows]
    assert recalls == sorted(recalls)
    assert len(rows) == 18
    assert found["precision"] in {float(row["precision"]) for row in rows}


@pytest.mark.model
def test_the_error_page_and_the_picture_are_written(capsys, example, tmp_path):
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    gold, _, eager = example
    page, picture = tmp_path / "errors.html", tmp_path / "curve.png"
    status, _, _ = run(capsys, "score", "carb", gold, eager, "--errors", page, "--plot", picture, "--worst", 3)
    text = page.read_text()
    assert status == 0
    assert "swapped arguments" in text
    assert text.count("<section ") == 3
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.model
def test_a_missed_minimum_is_status_one(capsys, small):
    assert run(capsys, "score", "carb", *small, "--min-f1", "0.5").status == 0
    status, out, err = run(capsys, "score", "carb", *small, "--min-f1", "0.51")
    assert (status, err) == (1, "F1 0.5000 is below 0.51\n")
    assert out.startswith("P 75.0")


@pytest.mark.model
def test_skipped_lines_are_listed_counted_and_fail_only_when_strict(capsys, small):
    gold, predictions = small
    predictions.write_text(predictions.read_text() + "broken line\n")
    status, out, err = run(capsys, "score", "carb", gold, predictions, "--format", "tab", "--on-error", "skip")
    assert (status, err.count("\n")) == (0, 1)
    assert err.startswith(f"skipped {predictions}:3: 1 field(s)")
    assert "|pred-skipped:1|" in out
    skip = ["--format", "tab", "--on-error", "skip", "--strict"]
    assert run(capsys, "score", "carb", gold, predictions, *skip).status == 1


@pytest.mark.model
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.tsv", "missing.tsv"], "missing.tsv: No such file or directory, expected a readable file"),
        (["{gold}", "{gold}", "--format", "openie9"], "no format named 'openie9'. Did you mean 'openie"),
        (["{gold}", "{gold}", "--format", "tab"], "gold.tsv:1: confidence 'ate', expected a number"),
        (["{gold}", "{pred}", "--fix", "x"], "no quirk named 'x' to fix"),
        (["{gold}", "{pred}", "--matcher", "x"], "no CaRB matcher named 'x'"),
        (["{gold}", "{pred}", "--match", "entail", "--binary"], "matcher 'entail' reads whole tuples"),
        (["{gold}", "{pred}", "--plot", "x.gif"], "cannot draw a 'gif' file"),
    ],
)
def test_bad_input_is_one_line_and_status_two(capsys, small, arguments, message):
    filled = [item.format(gold=small[0], pred=small[1]) for item in arguments]
    status, out, err = run(capsys, "score", "carb", *filled)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("scorer", [name for name in SCORERS if hasattr(SCORERS.get(name), "quirks")])
def test_every_scorer_lists_its_quirks(capsys, scorer):
    status, out, _ = run(capsys, "score", scorer, "--list-quirks")
    assert status == 0
    assert [line.split(":")[0] for line in out.splitlines()] == list(SCORERS.get(scorer).quirks)


def test_compare_reports_interval_difference_and_p_value(capsys, example):
    gold, careful, eager = example
    status, out, _ = run(capsys, "compare", "carb", gold, careful, eager, "--samples", "50", "--figure", "f1")
    header, _, first, second, *_ = out.splitlines()
    assert status == 0
    assert header.split()[0] == "system"
    assert first.startswith("careful")
    assert second.startswith("eager")
    found = json.loads(run(capsys, "compare", "carb", gold, careful, eager, "--samples", "50", "--json").out)
    gap = found["systems"][1]["against_first"]["f1"]
    assert gap["low"] <= gap["value"] <= gap["high"]
    assert 0 < gap["p"] <= 1
    assert found["systems"][0]["signature"].endswith("|samples:50|seed:12345")


def test_compare_takes_a_format_for_each_file(capsys, example):
    gold, careful, eager = example
    arguments = ["--samples", "5", "--json", "--format", "jsonl"]
    assert run(capsys, "compare", "carb", gold, f"tab:{careful}", f"tab:{eager}", *arguments).status == 0


def test_compare_and_leaderboard_take_the_options_of_the_scorer(capsys, example):
    options = ["--matcher", "exact", "--binary", "--fix", "binary-copies", "--json"]
    found = json.loads(run(capsys, "leaderboard", "carb", *example, *options).out)
    assert "|match:exact|binary:yes|recall:multi|fixes:binary-copies|" in found[0]["signature"]
    status, _, err = run(capsys, "compare", "oie2016", *example, "--binary")
    assert (status, err) == (2, "tupelo: oie2016 has no option --binary\n")


@pytest.mark.model
def test_a_foreign_gold_format_is_signed(capsys, small):
    out = run(capsys, "score", "carb", *small, "--gold-format", "oie2016-orig").out
    assert "|gold-format:oie2016-orig|" in out


def test_compare_needs_two_systems(capsys, example):
    status, _, err = run(capsys, "compare", "carb", example[0], example[1])
    assert (status, err) == (2, "tupelo: one file of predictions, expected two or more to compare\n")


@pytest.mark.model
def test_a_leaderboard_ranks_a_folder(capsys, example, tmp_path):
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    gold, careful, eager = example
    folder = tmp_path / "systems"
    folder.mkdir()
    (folder / "careful_output.txt").write_bytes(careful.read_bytes())
    (folder / "eager.tsv.gz").write_bytes(gzip.compress(eager.read_bytes()))
    outputs = ["--markdown", tmp_path / "t.md", "--html", tmp_path / "t.html", "--plot", tmp_path / "t.svg"]
    status, out, _ = run(capsys, "leaderboard", "carb", gold, folder, *outputs)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[2:4]] == ["careful", "eager"]
    assert (tmp_path / "t.md").read_text().startswith("| system | P | R | F1 | AUC | tuples |")
    assert "<table>" in (tmp_path / "t.html").read_text()
    assert "careful (F1" in (tmp_path / "t.svg").read_text()
    found = json.loads(run(capsys, "leaderboard", "carb", gold, folder, "--json", "--sort", "recall").out)
    assert [row["system"] for row in found] == ["eager", "careful"]
    assert list(found[0]) == ["system", *KEYS]


@pytest.mark.model
def test_an_empty_folder_has_no_leaderboard(capsys, example, tmp_path):
    status, _, err = run(capsys, "leaderboard", "carb", example[0], tmp_path)
    assert status == 2
    assert "no files, expected at least one system output" in err


def carb_like_folder(root):
    """The layout of the public data with one tiny sentence in it."""
    files = {
        "carb/gold/dev.tsv": "I ate it .\tate\tI\tit\n",
        "carb/expert/expert_gold.tsv": "I ate it .\t ate\t I\t it\n",
        "carb/system_outputs/dev/openie5_output.txt": "0.9\t\tSimpleArgument(I,List([0, 1)))\t"
        "Relation(ate,List([2, 5)))\tSimpleArgument(it,List([6, 8)))\tI ate it .\n",
        "oie2016/systems_output/dev/ollie_tabbed.txt": "I ate it .\t0.5\tate\tI\tthat\n",
        "oie2016/dev.oie.orig": "I ate it .\tate\tI\tit\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.model
def test_reproduce_sets_printed_and_measured_figures_side_by_side(capsys, tmp_path):
    carb_like_folder(tmp_path)
    arguments = ["reproduce", "carb", "--data", tmp_path, "--split", "dev"]
    found = json.loads(run(capsys, *arguments, "--json").out)
    rows = {row["name"]: row for row in found["table_6"]}
    assert rows["openie5"]["printed"] == [0.521, 0.424, 0.467, 0.245]
    assert rows["openie5"]["measured"] == [1.0, 1.0, 1.0, 1.0]
    assert rows["ollie"]["measured"][:2] == [2 / 3, 2 / 3]
    assert rows["clausie"]["measured"] is None
    assert [row["name"] for row in found["tables_4_and_5"]["lexical match"]] == ["OIE2016", "CaRB"]
    examples = [row for rows in found["tables_2_and_3"].values() for row in rows]
    # 4 of 7 words of the first system are right; the second has 4 and 3 of the 4 words of the two gold tuples.
    assert [row["measured"] for row in examples if row["name"].endswith("CaRB")] == [
        [pytest.approx(4 / 7), 1.0],
        [1.0, pytest.approx((1 + 3 / 4) / 2)],
        [1.0, 1.0],
        [0.0, 0.0],
    ]
    assert all(abs(p - m) < 0.0051 for row in examples for p, m in zip(row["printed"], row["measured"], strict=True))
    assert "lexical match with the experts, CaRB: precision 1.000, printed 0.740" in found["differences"]
    status, out, err = run(capsys, *arguments)
    assert status == 0
    assert "Table 6: systems on CaRB dev (the paper's figures are for test)" in out
    assert "not found: carb/**/dev/clausie_output.txt" in err
    assert "does not come out: lexical match with the experts, CaRB: precision 1.000, printed 0.740" in out


@pytest.mark.model
def test_reproduce_draws_both_figures(capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    carb_like_folder(tmp_path)
    arguments = ["--data", tmp_path, "--split", "dev", "--figures", tmp_path / "figures"]
    assert run(capsys, "reproduce", "carb", *arguments).status == 0
    names = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert names == ["figure-1-oie2016.svg", "figure-2-carb.svg"]
    assert "ollie (F1" in (tmp_path / "figures" / names[0]).read_text()


@pytest.mark.model
def test_reproduce_without_data_says_what_to_do(capsys, tmp_path):
    status, _, err = run(capsys, "reproduce", "carb", "--data", tmp_path)
    assert status == 2
    assert "expected the files of 'tupelo data get carb' or --data DIR" in err


@pytest.mark.slow
def test_the_public_dev_data_reproduces_what_the_benchmark_page_says(capsys, shared):
    found = json.loads(run(capsys, "reproduce", "carb", "--data", shared / "data", "--split", "dev", "--json").out)
    rows = {row["name"]: row["measured"] for row in found["table_6"]}
    assert [round(value, 3) for value in rows["openie5"]] == [0.526, 0.406, 0.458, 0.240]
    assert [round(value, 3) for value in rows["clausie"]] == [0.405, 0.524, 0.457, 0.231]


# Of ranks: processors round the sums of eight-bit products differently.
LAST_DIGITS = 0.01


@pytest.mark.model
def test_the_demo_extracts_and_scores_and_writes_pages(capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    status, out, _ = run(capsys, "demo", "-o", tmp_path / "out")
    assert f"\n{tmp_path / 'out' / 'graph.duckdb'}: 2 documents" in out
    assert status == 0
    assert out.startswith("The Harbour at Lindvik")
    assert "Marta Solheim" in out
    assert "\nsystem " in out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("tuples.html", "tuples.jsonl", "curves.png", "errors-careful.html", "errors-eager.html"),
        *("gold.tsv", "careful.tsv", "eager.tsv", "graph.duckdb", "graph.html", "graph.png", "graph.svg"),
        *("index.html", "report.html"),
    }
    assert f"open {tmp_path / 'out' / 'index.html'} in a browser" in out
    assert f"tupelo serve --graph {tmp_path / 'out' / 'graph.duckdb'}" in out
    # The edges that are most worth reading; the last digits of a rank may differ between processors.
    with open_graph(tmp_path / "out" / "graph.duckdb") as store:
        found = store.rows(
            "SELECT edges.rank, s.name, r.name, o.name, negated, modality FROM edges "
            "JOIN entities s ON s.node_id = subject_id "
            "JOIN relations r USING (relation_id) JOIN entities o ON o.node_id = object_id ORDER BY ALL"
        )
    ranks = {"\t".join(map(str, row[1:])): row[0] for row in found}
    listed = (Path(__file__).parent / "demo-graph.tsv").read_text("utf-8").splitlines()
    assert sorted(listed) == listed
    assert {line for line in listed if ranks.get(line, 0.0) < 0.7 - LAST_DIGITS} == set()
    assert {line for line, rank in ranks.items() if rank >= 0.7 + LAST_DIGITS} <= set(listed)
    picture = (tmp_path / "out" / "graph.svg").read_text("utf-8")
    page = (tmp_path / "out" / "graph.html").read_text("utf-8")
    for name in ("Marta Solheim", "Coastal Research Station", "Ingrid Dahl"):
        assert name in picture
        assert name in page
    assert page.count("<script") == 2


@pytest.mark.model
def test_the_demo_needs_no_extra(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = run(capsys, "demo", "-o", tmp_path / "out")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert "Figures as PNG need an extra: pip install 'tupelo[plot]'" in lines
    [files] = [line for line in lines if line.endswith(", and the three files that were scored")]
    named = {
        name.strip()
        for name in files.partition("/: ")[2].removesuffix(", and the three files that were scored").split(",")
    }
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == named | {"gold.tsv", "careful.tsv", "eager.tsv"}
    assert {"graph.html", "graph.svg", "graph.duckdb", "tuples.html"} <= written
    assert not any(name.endswith(".png") for name in written)


@pytest.mark.model
def test_a_demo_that_fails_leaves_nothing(capsys, tmp_path, monkeypatch):
    from tupelo.api.demo import Demo

    def fail(self):
        raise InputError("an invented fault")

    monkeypatch.setattr(Demo, "graph", fail)
    assert run(capsys, "demo", "-o", tmp_path / "out").status == 2
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "tuples.jsonl").write_text("mine", "utf-8")
    assert run(capsys, "demo", "-o", tmp_path / "out").status == 2
    assert [path.read_text("utf-8") for path in (tmp_path / "out").iterdir()] == ["mine"]


@pytest.mark.parametrize(
    "command", [[], ["score"], ["score", "carb"], ["compare"], ["leaderboard"], ["reproduce", "carb"]]
)
def test_help_opens_with_an_example(capsys, command):
    status, out, _ = run(capsys, *command, "--help")
    assert status == 0
    assert "tupelo " in out
    assert "Example" in out
