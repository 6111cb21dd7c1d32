"""`tupelo canonicalize` from files to clusters."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.runner import run
from tests.extras import needs
from tupelo.io.clusters import read_clusters
from tupelo.io.lines import Lines

pytestmark = pytest.mark.model

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
    outcome = run(capsys, "canonicalize", triples, "--method", "tokens", "--task", "npc-e", "-o", "-")
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


def test_without_an_output_clusters_are_a_table(triples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(capsys, "canonicalize", triples, "--method", "tokens", "--task", "npc-e")
    first, *rows = outcome.out.splitlines()
    assert (outcome.status, first.startswith("4 triples: ")) == (0, True)
    assert any(re.match(r"entity +\d\.\d\d  Ann Berg: ", row) for row in rows)


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


def test_corrections_are_respected_and_the_page_is_written(
    triples: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    decided, page, output = tmp_path / "decided.tsv", tmp_path / "review.html", tmp_path / "clusters.jsonl"
    decided.write_text(
        "must-link\tentity\tNorway\tBergen\ncannot-link\tentity\tOslo\tthe city of Oslo\n", encoding="utf-8"
    )
    arguments = ("canonicalize", triples, "--method", "tokens", "--threshold", "0.9", "-o", output)
    assert run(capsys, *arguments, "--corrections", decided, "--review", page).status == 0
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    entities = [set(row["forms"]) for row in rows if row["kind"] == "entity"]
    assert any({"Norway", "Bergen"} <= forms for forms in entities)
    assert not any({"Oslo", "the city of Oslo"} <= forms for forms in entities)
    assert "<title>Review of clusters</title>" in page.read_text("utf-8")
    # Without them it is the other way round.
    assert run(capsys, *arguments).status == 0
    again = [set(json.loads(line)["forms"]) for line in output.read_text("utf-8").splitlines()]
    assert any({"Oslo", "the city of Oslo"} <= forms for forms in again)
    decided.write_text("must-link\tentity\tNorway\n", encoding="utf-8")
    outcome = run(capsys, *arguments, "--corrections", decided)
    assert (outcome.status, outcome.err.startswith(f"tupelo: {decided}:1: 3 field(s)")) == (2, True)


def test_settings_reach_the_method_and_wrong_ones_are_refused(
    triples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fine = run(capsys, "canonicalize", triples, "--method", "encoder", "--set", "layer=2", "--threshold", "0.4")
    assert fine.status == 0
    for setting, message in (
        ("layer=nine", "'layer=nine' has a value of the wrong kind, expected one like -1"),
        ("colour=red", "'colour=red' is no setting of method 'encoder', expected one of: form=sentence"),
    ):
        outcome = run(capsys, "canonicalize", triples, "--method", "encoder", "--set", setting)
        assert (outcome.status, message in outcome.err) == (2, True)


@needs("transformers", "transformers")
def test_a_folder_without_an_encoder_is_refused(triples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(capsys, "canonicalize", triples, "--method", "encoder", "--encoder", triples.parent)
    assert outcome.status == 2
    assert "expected a folder with a BERT-like model" in outcome.err


def test_paraphrases_join_relations(triples: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    clusters = tmp_path / "ppdb.txt"
    clusters.write_text("lives in\n\tresides in\n\tdwells in\n", encoding="utf-8")
    outcome = run(
        capsys, "canonicalize", triples, "--method", "tokens", "--task", "rpc", "--paraphrases", clusters, "-o", "-"
    )
    rows = [json.loads(line) for line in outcome.out.splitlines()]
    assert any(set(row["forms"]) == {"lives in", "resides in"} for row in rows)
    clusters.write_text("\tresides in\n", encoding="utf-8")
    outcome = run(capsys, "canonicalize", triples, "--method", "tokens", "--paraphrases", clusters)
    assert (outcome.status, outcome.err) == (
        2,
        f"tupelo: {clusters}:1: a member before any head, expected a cluster head at the start of its line\n",
    )


def combo_file(path: Path, shift: int = 0) -> Path:
    facts = [
        ("ann berg", "q1", "lives in", "residence", "oslo", "q7"),
        ("berg", "q1", "resides in", "residence", "oslo", "q7"),
        ("bo lind", "q2", "lives in", "residence", "rome", "q8"),
        ("bo lind", "q2", "was born in", "birth", "oslo", "q7"),
        ("eva", "q3", "was born in", "birth", "rome", "q8"),
    ]
    items = []
    for number, (subject, entity, relation, label, place, town) in enumerate(facts):
        words = [*subject.split(), *relation.split(), place, "."]
        first, second = len(subject.split()), len(subject.split()) + len(relation.split())
        items.append(
            {
                "tri_id": number + shift,
                "text": words,
                "h": {"id": entity, "instance": ["human"], "name": words[:first], "pos": [0, first]},
                "r": {"id": None, "label": label, "name": words[first:second], "pos": [first, second]},
                "t": {"id": town, "instance": ["city", "place"], "name": [place], "pos": [second, second + 1]},
            }
        )
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def test_reproduce_combo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, other = combo_file(tmp_path / "a.json"), combo_file(tmp_path / "b.json", 100)
    outcome = run(
        capsys, "reproduce", "combo", data, "--method", "surface", "--method", "random", "--tune-on", other, "--json"
    )
    assert outcome.status == 0, outcome.err
    document = json.loads(outcome.out)
    surface = document["methods"]["surface"]
    # Two of three clusters of subjects are pure and whole: "berg" is alone.
    assert surface["subject"]["macro"] == pytest.approx(2 * 1 * (2 / 3) / (1 + 2 / 3))
    assert surface["object"]["average"] == 1.0
    assert surface["relation"]["micro"] == pytest.approx(2 * 1 * (4 / 5) / (1 + 4 / 5))
    assert "jaccard" not in surface["subject-type"]
    assert 0 < document["methods"]["random"]["subject-type"]["jaccard"] <= 1
    assert document["paper"]["random"]["relation"]["average"] == pytest.approx(0.3598)
    assert "tuned:b.json" in document["signature"]
    table = run(capsys, "reproduce", "combo", data, "--method", "random", "--task", "rpc").out
    assert "paper: Random+HAC" in table
    assert "NPC-E" not in table


@pytest.mark.model
def test_reproduce_combo_shows_relations_with_and_without_the_labels_of_combo(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = combo_file(tmp_path / "a.json")
    document = json.loads(run(capsys, "reproduce", "combo", data, "--task", "rpc", "--json").out)
    assert list(document["methods"]) == ["tupelo", "tupelo, relations=wide", "tupelo, relations=taught"]
    assert (
        "|heads:entities=combo-dev,re-docred-dev,gum-train+types=combo-dev+relations=combo-dev|"
        in (document["signature"])
    )
    chosen = json.loads(run(capsys, "reproduce", "combo", data, "--set", "relations=judged", "--json").out)
    assert list(chosen["methods"]) == ["tupelo"]
    assert chosen["methods"]["tupelo"]["relation"] == document["methods"]["tupelo"]["relation"]
    assert "relations=combo-dev" not in chosen["signature"]
    entities = run(capsys, "reproduce", "combo", data, "--task", "npc-e", "--method", "surface")
    assert "|heads:" not in entities.out


def test_no_pronoun_is_an_entity(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    rows = ["It\tcost\tten euros", "it\tis in\tOslo", "Oslo\tsaw\tit", "oslo\thas\ta port"]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    for method in ("surface", "tokens"):
        found = json.loads(run(capsys, "canonicalize", path, "--method", method, "--json").out)["clusters"]
        sizes = sorted((each["name"].lower(), len(each["members"])) for each in found if each["kind"] == "entity")
        assert [size for size in sizes if size[0] in ("it", "oslo")] == [("it", 1)] * 3 + [("oslo", 3)]


def test_reproduce_combo_with_several_seeds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = combo_file(tmp_path / "a.json")
    options = ("reproduce", "combo", data, "--method", "random", "--task", "rpc")
    runs = [json.loads(run(capsys, *options, "--seed", seed, "--json").out) for seed in (3, 4)]
    found = json.loads(run(capsys, *options, "--seed", "3", "--seeds", "2", "--json").out)
    pair = [each["methods"]["random"]["relation"]["average"] for each in runs]
    relation = found["methods"]["random"]["relation"]
    assert relation["average"] == pytest.approx(sum(pair) / 2)
    assert relation["deviations"]["average"] == pytest.approx(abs(pair[0] - pair[1]) / 2**0.5)
    assert "|seed:3-4|" in found["signature"]
    assert "±" in run(capsys, *options, "--seeds", "2").out


def test_reproduce_combo_needs_gold(triples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(capsys, "reproduce", "combo", triples, "--method", "surface")
    assert (outcome.status, "no gold labels for npc-e, rpc, npc-o" in outcome.err) == (2, True)
