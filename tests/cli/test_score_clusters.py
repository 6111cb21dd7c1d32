"""`tupelo score clusters` from the outside."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run
from tests.io.test_cluster_files import COMBO, TYPES

pytestmark = pytest.mark.model


@pytest.fixture
def bare(tmp_path):
    (tmp_path / "gold.tsv").write_text("x\ta\tb\tc\ny\td\te\n")
    (tmp_path / "found.json").write_text('[["a", "b"], ["c", "d", "e"]]')
    return tmp_path / "gold.tsv", tmp_path / "found.json"


@pytest.fixture
def triples(tmp_path):
    (tmp_path / "gold.json").write_text(json.dumps(COMBO))
    (tmp_path / "found.jsonl").write_text("".join(json.dumps(row) + "\n" for row in TYPES))
    return tmp_path / "gold.json", tmp_path / "found.jsonl"


def test_json_has_full_precision_and_a_signature(capsys, bare):
    status, out, err = run(capsys, "score", "clusters", *bare, "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["scorer"] == "clusters"
    assert found["signature"].startswith("clusters|gold:gold.tsv@")
    figures = found["subtasks"]["clusters"]
    assert figures["pair"] == {"precision": 2 / 4, "recall": 2 / 4, "f1": 2 / 4}
    assert figures["average"] == pytest.approx((1 / 2 + 4 / 5 + 1 / 2) / 3)
    assert (figures["elements"], figures["covered"], figures["unknown"]) == (5, 5, 0)


def test_people_get_a_table(capsys, bare):
    out = run(capsys, "score", "clusters", *bare).out
    assert "macro P" in out
    assert "clusters     50.0" in out
    assert out.splitlines()[-1].startswith("clusters|gold:")


def test_subtasks_that_both_files_have_are_scored(capsys, triples):
    found = json.loads(run(capsys, "score", "clusters", *triples, "--json").out)["subtasks"]
    assert list(found) == ["subject", "object", "subject-type"]
    assert found["object"]["covered"] == 1
    # Both subjects are human: the wider type holds both, which is all there is.
    assert found["subject-type"]["jaccard"]["predicted_clusters"] == 0
    asked = json.loads(run(capsys, "score", "clusters", *triples, "--json", "--subtask", "subject").out)
    assert list(asked["subtasks"]) == ["subject"]


def test_bare_clusters_of_triple_ids_need_a_subtask(capsys, triples, tmp_path):
    (tmp_path / "bare.json").write_text("[[1, 2]]")
    refused = run(capsys, "score", "clusters", triples[0], tmp_path / "bare.json")
    assert refused.status == 2
    assert "say with --subtask which one is meant" in refused.err
    found = run(capsys, "score", "clusters", triples[0], tmp_path / "bare.json", "--subtask", "relation", "--json")
    assert json.loads(found.out)["subtasks"]["relation"]["average"] == 1.0


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ('[["z"]]', [], "no element of"),
        ("x\n", [], "no member after the label 'x'"),
        ('[["a"]]', ["--subtask", "subject"], "both files hold bare clusters"),
        ('[["a"]]', ["--fix", "all-of-it"], "no quirk named"),
        (
            '{"kind": "relation", "members": [{"mention": "a", "slot": "relation"}]}',
            ["--subtask", "subject"],
            "no clusters for 'subject', it has relation",
        ),
    ],
)
def test_bad_input_is_one_line(capsys, bare, content, options, message):
    bare[1].write_text(content)
    status, out, err = run(capsys, "score", "clusters", *bare, *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_least_average_and_strictness_decide_the_exit_status(capsys, bare):
    assert run(capsys, "score", "clusters", *bare, "--min-average", "0.5").status == 0
    failed = run(capsys, "score", "clusters", *bare, "--min-average", "0.7")
    assert (failed.status, failed.err) == (1, "clusters: the average 0.6000 is below 0.7\n")
    bare[0].write_text("x\ta\tb\tc\ny\td\te\nz\n")
    skipping = run(capsys, "score", "clusters", *bare, "--on-error", "skip", "--strict")
    assert skipping.status == 1
    assert skipping.err.startswith(f"skipped {bare[0]}:3:")
    assert "|skipped:1|" in skipping.out


def test_quirks_are_listed_and_fixed(capsys, bare):
    assert "no-pairs: " in run(capsys, "score", "clusters", "--list-quirks").out
    assert "|fixes:no-pairs|" in run(capsys, "score", "clusters", *bare, "--fix", "no-pairs").out
