"""`tupelo canonicalize` from files to clusters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import run
from tupelo.io.clusters import read_clusters
from tupelo.io.lines import Lines

TRIPLES = """Ann Berg\tlives in\tOslo\tAnn Berg lives in Oslo.
Berg\tresides in\tthe city of Oslo\tBerg resides in the city of Oslo.
Oslo\tis the capital of\tNorway\tOslo is the capital of Norway.
ann berg\tlives in\tBergen\tToday ann berg lives in Bergen.
"""


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    path = tmp_path / "triples.tsv"
    path.write_text(TRIPLES, encoding="utf-8")
    return path


def test_clusters_have_members_names_and_evidence(triples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(capsys, "canonicalize", triples, "--method", "tokens", "--task", "npc-e")
    assert outcome.status == 0, outcome.err
    rows = [json.loads(line) for line in outcome.out.splitlines()]
    ann = rows[0]
    assert (ann["kind"], ann["name"]) == ("entity", "Ann Berg")
    assert {(member["mention"], member["slot"]) for member in ann["members"]} >= {("1", "subject"), ("4", "subject")}
    assert ann["evidence"][0] == "Ann Berg lives in Oslo."
    assert len(list(read_clusters(Lines(outcome.out.splitlines())))) == len(rows)
    # Every subject and object is in exactly one cluster, Oslo as subject and as object in the same.
    members = [(member["mention"], member["slot"]) for row in rows for member in row["members"]]
    assert len(members) == len(set(members)) == 8
    (oslo,) = [row for row in rows if "Oslo" in row["forms"]]
    assert {"subject", "object"} <= {member["slot"] for member in oslo["members"]}


def test_one_document(triples: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    assert run(capsys, "canonicalize", triples, "--method", "surface", "--json", "-o", output).status == 0
    document = json.loads(output.read_text("utf-8"))
    assert document["triples"] == 4
    assert {row["kind"] for row in document["clusters"]} == {"entity", "relation", "type"}


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text("a\tb\tc\na\tb\n", encoding="utf-8")
    outcome = run(capsys, "canonicalize", path, "--format", "tsv")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"tupelo: {path}:2: 2 field(s), expected")
    skipped = run(capsys, "canonicalize", path, "--format", "tsv", "--on-error", "skip", "--method", "surface")
    assert skipped.status == 0
    assert skipped.err.startswith(f"skipped {path}:2:")
    assert run(capsys, "canonicalize", path, "--method", "tokenz").err.startswith("tupelo: no method named 'tokenz'")
