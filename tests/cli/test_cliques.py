"""`tupelo cliques`, called as a user would."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run

pytestmark = pytest.mark.model

CLIQUES = [
    {
        "ori_sent": "Ann sold the house .",
        "ori_args": [["sold", "Ann", "the house"]],
        "paraphrases": [
            {"sent": "The house was sold by Ann .", "args": [["was sold by", "The house", "Ann"]]},
            {"sent": "It was Ann who sold the house .", "args": []},
            {"sent": "It was Ann that sold the house .", "args": [["sold", "Ann", "the house"]]},
        ],
    },
    {"ori_sent": "Rain fell .", "ori_args": [["fell", "Rain"]], "paraphrases": []},
]
TREES = """\
(S (NP (NNP Ann)) (VP (VBD sold) (NP (DT the) (NN house))) (. .))
(S (NP (DT The) (NN house)) (VP (VBD was) (VP (VBN sold) (PP (IN by) (NP (NNP Ann))))) (. .))
(S (NP (PRP It)) (VP (VBD was) (NP (NNP Ann)) (SBAR (WHNP (WP who)) (S (VP (VBD sold))))) (. .))
(S (NP (PRP It)) (VP (VBD was) (NP (NNP Ann)) (SBAR (WHNP (WDT that)) (S (VP (VBD sold))))) (. .))
(S (NP (NN Rain)) (VP (VBD fell)) (. .))
"""


@pytest.fixture
def cliques(tmp_path):
    path = tmp_path / "cliques.json"
    path.write_text(json.dumps(CLIQUES))
    return path


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "trees.txt"
    path.write_text(TREES)
    return path


def test_distances_of_cliques_with_trees_from_a_file(capsys, cliques, trees):
    outcome = run(capsys, "cliques", "distance", cliques, "--trees", trees, "--json")
    document = json.loads(outcome.out)
    assert (outcome.status, document["cliques"], document["pairs"]) == (0, 2, 6)
    assert document["signature"].startswith("hws|variant:revised|height:3|discount:0.5|")
    first, second = document["by_clique"]
    assert second == {"clique": "Rain fell .", "sentences": 1, "mean": None, "pairs": []}
    # The last two have the same three levels.
    assert first["pairs"][-1] == [2, 3, 0.0]
    # S NP VP . is common to the first two, then NNP VBD NP and DT NN VBD VP: 1 - 4/7.
    assert first["pairs"][0] == [0, 1, pytest.approx(1 - 4 / 7)]
    assert document["mean"] == first["mean"] == pytest.approx(sum(pair[2] for pair in first["pairs"]) / 6)


def test_trees_alone_are_one_clique(capsys, trees):
    outcome = run(capsys, "cliques", "distance", trees, "--input", "trees", "--measure", "kernel", "--each")
    rows = [line.split("\t") for line in outcome.out.splitlines()]
    assert (outcome.status, len(rows), rows[0][:3]) == (0, 10, ["1", "1", "2"])
    summary = run(capsys, "cliques", "distance", trees, "--input", "trees", "--measure", "kernel").out
    assert summary.startswith(
        f"mean similarity {sum(float(row[3]) for row in rows) / 10:.4f}   (1 cliques, 10 pairs)"
    )


def test_options_reach_the_measure(capsys, trees):
    arguments = ["cliques", "distance", trees, "--input", "trees"]
    signed = run(capsys, *arguments, "--height", 2, "--discount", 0.9, "--variant", "released").out
    assert "hws|variant:released|height:2|discount:0.9|" in signed
    signed = run(capsys, *arguments, "--measure", "kernel", "--decay", 0.3, "--height", 4).out
    assert "kernel|height:4|decay:0.3|" in signed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--decay", "0.3"], "hws has no option --decay"),
        (["--discount", "3"], "a discount of 3.0, expected 0 to 1"),
        (["--trees", "few.txt"], "few.txt: 1 trees, expected one for each of 5 sentences"),
        (["--trees", "torn.txt"], "torn.txt:1: the tree that starts on line 1 does not end"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, monkeypatch, tmp_path, cliques, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.txt").write_text("(S (NN a))\n")
    (tmp_path / "torn.txt").write_text("(S (NN a)\n")
    outcome = run(capsys, "cliques", "distance", cliques, *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_an_empty_file_of_cliques_is_an_error(capsys, tmp_path):
    (tmp_path / "none.json").write_text("[]")
    outcome = run(capsys, "cliques", "filter", tmp_path / "none.json")
    assert outcome.status == 2


def test_the_filter_writes_cliques_with_their_tuples(capsys, cliques, tmp_path):
    pytest.importorskip("sacrebleu", reason="needs sacrebleu (pip install 'tupelo[cliques]')")
    output = tmp_path / "kept.json"
    outcome = run(capsys, "cliques", "filter", cliques, "--keep", 2, "-o", output)
    assert (outcome.status, outcome.out) == (0, "")
    assert outcome.err == "2 cliques, 2 paraphrases kept; removed: 1 for bleu\n"
    first, second = json.loads(output.read_text())
    assert second == CLIQUES[1]
    assert first["ori_args"] == CLIQUES[0]["ori_args"]
    # "who" and "that" are one word apart; the one with "that" came later and has no lower sum.
    assert first["paraphrases"][0] == CLIQUES[0]["paraphrases"][0]
    assert len(first["paraphrases"]) == 2


def test_the_filter_says_what_it_removed(capsys, cliques):
    pytest.importorskip("sacrebleu", reason="needs sacrebleu (pip install 'tupelo[cliques]')")
    outcome = run(capsys, "cliques", "filter", cliques, "--keep", 2, "--order", "released", "--json")
    document = json.loads(outcome.out)
    assert (document["keep"], document["order"]) == (2, "released")
    removed = document["cliques"][0]["removed"]
    assert [each["reason"] for each in removed] == ["bleu"]
    assert removed[0]["sentence"] not in document["cliques"][0]["kept"]
    assert document["cliques"][1]["removed"] == []


def test_an_analysis_writes_a_page_and_pictures(capsys, cliques, trees, tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib (pip install 'tupelo[plot]')")
    page, folder = tmp_path / "report.html", tmp_path / "figures"
    outcome = run(
        capsys,
        "cliques",
        "analyze",
        cliques,
        cliques,
        "--trees",
        trees,
        "-o",
        page,
        "--figures",
        folder,
        "--json",
    )
    document = json.loads(outcome.out)
    assert outcome.status == 0
    assert document["systems"]["cliques"]["cliques"] == 2
    assert len(document["syntax"]["hws"]["means"]) == 10
    assert len(document["signatures"]) == 3
    assert page.read_text().count("<section") == 7
    assert sorted(path.name for path in folder.iterdir() if path.stem.startswith("var")) == [
        "variance-by-hws.png",
        "variance-by-hws.svg",
        "variance-by-kernel.png",
        "variance-by-kernel.svg",
        "variance.png",
        "variance.svg",
    ]


def test_without_an_output_the_tables_are_printed(capsys, cliques, trees):
    pytest.importorskip("matplotlib", reason="needs matplotlib (pip install 'tupelo[plot]')")
    outcome = run(capsys, "cliques", "analyze", cliques, "--trees", trees)
    assert outcome.status == 0
    assert "Figure 4: syntax over all cliques" in outcome.out
    assert "sentences per clique  2.500" in outcome.out
