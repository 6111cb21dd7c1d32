"""`tupelo cliques build`, called as a user would."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import run

GOLD = (
    "Mr. Baker found an opening under the house in 1990 .\tfound\tMr. Baker\tan opening\n"
    "Critics said that the plan failed .\tsaid\tCritics\tthat the plan failed\n"
)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.tsv"
    path.write_text(GOLD)
    return path


@pytest.mark.model
def test_cliques_are_written_and_reported(capsys, tmp_path, gold) -> None:
    output, sheet = tmp_path / "cliques.json", tmp_path / "sheet.tsv"
    outcome = run(
        capsys,
        "cliques",
        "build",
        gold,
        "--format",
        "carb",
        "-o",
        output,
        "--sheet",
        sheet,
        "--json",
        "--min-sentences",
        2,
    )
    assert outcome.status == 0
    figures = json.loads(outcome.out)
    cliques = json.loads(output.read_text())
    assert figures["cliques"] == len(cliques) == 2
    assert cliques[0]["ori_args"] == [["found", "Mr. Baker", "an opening"]]
    assert all(clique["paraphrases"] for clique in cliques)
    rows = sheet.read_text().splitlines()
    assert len(rows) == 1 + figures["sentences"] - figures["cliques"]
    again = run(capsys, "cliques", "build", gold, "--format", "carb", "--min-sentences", 2, "--limit", 1)
    assert json.loads(again.out) == cliques[:1]
    assert "1 cliques" in again.err


def built(capsys, gold: Path, paraphraser: str, *options: object) -> list[list[str]]:
    """The paraphrases of each clique that is printed, without a check by an extractor."""
    given = ("--format", "carb", "--paraphraser", paraphraser, "--check-with", "none", *options)
    outcome = run(capsys, "cliques", "build", gold, *given)
    return [[one["sent"] for one in clique["paraphrases"]] for clique in json.loads(outcome.out)]


@pytest.mark.model
def test_some_rules_alone(capsys, gold) -> None:
    found = built(capsys, gold, "rewrite:passive", "--min-sentences", 2, "--pretokenized")
    assert [text for clique in found for text in clique] == [
        "An opening under the house was found by Mr. Baker in 1990 ."
    ]


@pytest.mark.model
def test_natural_paraphrases_with_a_template(capsys, gold) -> None:
    template = "template=(S (PP) (,) (NP) (VP) (.))"
    (clique,) = built(capsys, gold, "syntactic", "--set", template, "--all")
    assert clique == [
        "In 1990 , an opening under the house was found by Mr. Baker .",
        "In the year 1990 , Mr. Baker found an opening under the house .",
        "In 1990 , Mr. Baker found an opening under the house .",
    ]


@pytest.mark.model
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--paraphraser", "syntactic:passive"), "takes no 'passive'"),
        (("--paraphraser", "syntactic", "--set", "word=2"), "Did you mean 'words'"),
        (("--paraphraser", "rewrit"), "Did you mean 'rewrite'"),
        (("--paraphraser", "rewrite:pasive"), "Did you mean 'passive'"),
        (("--paraphraser", "seq2seq"), "names no folder"),
        (("--min-sentences", "4", "--max-sentences", "3"), "max_sentences=3, expected at least min_sentences=4"),
        (("--set", "depth"), "is not NAME=VALUE"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(capsys, gold, options, message) -> None:
    outcome = run(capsys, "cliques", "build", gold, "--format", "carb", *options)
    assert outcome.status == 2
    assert message in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.model
def test_a_faulty_parallel_corpus_is_named_with_its_line(capsys, tmp_path, gold) -> None:
    corpus = tmp_path / "pairs.tsv"
    corpus.write_text("(S (NP (PRP He)) (VP (VBD ate)))\t(S (VP (VBD ate)))\none field only\n")
    outcome = run(
        capsys, "cliques", "build", gold, "--format", "carb", "--parallel", corpus, "--paraphraser", "seq2seq:nowhere"
    )
    assert outcome.status == 2
    assert f"{corpus}:2: 1 field(s)" in outcome.err


def test_paraphrasers_and_rules_are_listed(capsys) -> None:
    assert "seq2seq" in run(capsys, "cliques", "build", "--list").out
    rules = run(capsys, "cliques", "build", "--list-rules").out
    assert "passive" in rules
    assert len(rules.splitlines()) >= 35
