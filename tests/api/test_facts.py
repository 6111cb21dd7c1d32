"""`tupelo.facts`, `build_fact_dataset` and `train_facts`: the same as the commands."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import tupelo
from tests.extras import needs
from tupelo.cli import tupelo as command
from tupelo.core import MissingExtraError, UnknownNameError
from tupelo.factmodels.extract import METHODS, Fact, FactOptions
from tupelo.training import FactTrainingOptions, RunOptions, TripleDatasetOptions

FACTS = needs("tupelo_facts_en", "facts")
COMMANDS = {"facts dataset", "facts extract", "facts triples"}
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ONE = RunOptions(workers=1)
TEXT = "Marie Curie was born in Warsaw, the capital of Poland."


@pytest.mark.model
@FACTS
def test_the_command_prints_what_the_call_returns(tmp_path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    found = tupelo.facts(path)
    assert found == tupelo.facts(TEXT) == tupelo.facts(io.StringIO(TEXT))
    for format, expected in (("jsonl", found.lines("jsonl")), ("tsv", found.lines("tsv")), ("table", [str(found)])):
        printed = CliRunner().invoke(command, ["facts", "extract", str(path), "--format", format]).stdout
        assert printed == "".join(f"{line}\n" for line in expected)


@pytest.mark.model
@FACTS
def test_views() -> None:
    found = tupelo.facts(TEXT, options=FactOptions(min_confidence=0.7))
    assert len(found) == found.to_arrow().num_rows == len(list(found))
    assert all(fact.confidence >= 0.7 for fact in found)
    assert found.to_dict()["facts"][0]["subject"] == found[0].subject
    assert found[0].property in str(found[0])
    assert "<table>" in found._repr_html_()


@pytest.mark.model
def test_a_method_of_ones_own(monkeypatch) -> None:
    class Everything:
        name, version = "everything", "1"

        def __call__(self, sentences):
            return [Fact(sentences[0].text, "P1", "is", "said", 1.0)]

    monkeypatch.setattr(METHODS, "_registered", {"everything": lambda model, options: Everything()})
    assert tupelo.facts("It rains.", method="everything")[0].subject == "It rains."
    printed = CliRunner().invoke(command, ["facts", "extract", "--method", "everything"], input="It rains.").stdout
    assert "is (P1)" in printed
    with pytest.raises(UnknownNameError, match="Did you mean 'everything'"):
        tupelo.facts("It rains.", method="everythin")


@pytest.mark.model
def test_a_dataset(tmp_path) -> None:
    files = [str(EXAMPLES / "small-articles.jsonl")], [str(EXAMPLES / "small-facts.tsv")]
    made = tupelo.training.build_fact_dataset(*files, tmp_path / "api", run=ONE)
    arguments = [
        "facts",
        "dataset",
        *files[0],
        "--knowledge",
        *files[1],
        "-o",
        str(tmp_path / "cli"),
        "--workers",
        "1",
    ]
    printed = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False).stdout
    assert json.loads(printed) == {**made.to_dict(), "output": str(tmp_path / "cli")}
    assert str(made).startswith("knowledge base: 8 names, 6 facts\n")
    for name in ("classifier.jsonl.gz", "end_to_end.jsonl.gz", "reduced.jsonl.gz", "statistics.json"):
        assert (tmp_path / "api" / name).read_bytes() == (tmp_path / "cli" / name).read_bytes()


DUMP = [str(EXAMPLES / "small-wiki.xml")], [str(EXAMPLES / "small-wikidata.json")]


@pytest.mark.model
def test_triples_with_gold_clusters(tmp_path) -> None:
    made = tupelo.training.build_triple_dataset(*DUMP, tmp_path / "api", run=ONE)
    arguments = ["facts", "triples", *DUMP[0], "--knowledge", *DUMP[1], "-o", str(tmp_path / "cli"), "--workers", "1"]
    printed = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False).stdout
    assert json.loads(printed) == {**made.to_dict(), "output": str(tmp_path / "cli")}
    for name in ("dev.json", "test.json", "statistics.json"):
        assert (tmp_path / "api" / name).read_bytes() == (tmp_path / "cli" / name).read_bytes()
    items = [item for part in ("dev", "test") for item in json.loads((tmp_path / "api" / f"{part}.json").read_text())]
    said = {
        (item["h"]["id"], " ".join(item["r"]["name"]), item["t"]["id"]): (item["r"]["label"], item["t"]["instance"])
        for item in items
    }
    # The place of birth is linked, the redirect "Norland" is Norway, "is the" goes; Sweden has no class.
    assert said["Q1", "was born in", "Q3"] == ("place of birth", ["Q21"])
    assert said["Q5", "capital of", "Q6"] == ("capital of", ["Q23"])
    assert said["Q6", "borders", "Q7"] == ("shares border with", ["Q7"])
    # A big city is a city, because its name says so and it is a subclass.
    assert said["Q2", "was born in", "Q4"] == ("place of birth", ["Q22", "Q24"])
    # Varde is in Norway and its capital: two relations, so none is known to be meant.
    assert not any(subject == "Q3" for subject, _, _ in said)
    assert made.statistics["several_relations"] == 2
    assert (made.statistics["triples"], made.statistics["relations"]) == (len(items), 6)
    # Of seven sentences three say more than their triple, punctuation and articles aside.
    spare = [item for item in items if {"1999", "is"} & {*item["text"]}]
    assert made.statistics["with_context"] == pytest.approx(len(spare) / len(items))


@pytest.mark.model
def test_triples_are_read_and_scored_like_combo(tmp_path) -> None:
    tupelo.training.build_triple_dataset(
        *DUMP, tmp_path / "made", run=ONE, options=TripleDatasetOptions(properties=["P19", "P26"])
    )
    path = tmp_path / "made" / "test.json"
    outcome = CliRunner().invoke(command, ["reproduce", "combo", str(path), "--method", "surface", "--json"])
    found = json.loads(outcome.stdout)
    assert found["triples"] == 3
    assert found["methods"]["surface"]["relation"]["gold_clusters"] == 2
    clusters = tmp_path / "clusters.jsonl"
    CliRunner().invoke(command, ["canonicalize", str(path), "--method", "surface", "-o", str(clusters)])
    scored = CliRunner().invoke(command, ["score", "clusters", str(path), str(clusters)])
    assert scored.exit_code == 0, scored.output


@pytest.mark.model
def test_triples_of_rare_relations_are_left_out_and_work_is_resumed(tmp_path, monkeypatch) -> None:
    work = RunOptions(workers=1, work=str(tmp_path / "work"), keep_work=True)
    whole = tupelo.training.build_triple_dataset(*DUMP, tmp_path / "one", run=work)
    monkeypatch.setattr("tupelo_training.facts.aligned.AlignTriples._rows", None)
    monkeypatch.setattr("tupelo.io.documents.wiki.plain_text", None)
    assert tupelo.training.build_triple_dataset(*DUMP, tmp_path / "two", run=work).statistics == whole.statistics
    common = tupelo.training.build_triple_dataset(
        *DUMP, tmp_path / "three", run=work, options=TripleDatasetOptions(min_triples=2)
    )
    assert (common.statistics["triples"], common.statistics["relations"]) == (2, 1)


@pytest.mark.model
def test_links_in_json_lines(tmp_path) -> None:
    articles, facts = tmp_path / "articles.jsonl", tmp_path / "facts.tsv"
    text = "[[Ada Holm|Holm]] was born in [[Varde]]. Nobody was born in [[Oslo]]."
    articles.write_text(json.dumps({"title": "A page", "text": text}) + "\n", encoding="utf-8")
    facts.write_text("Ada Holm\tplace of birth\tVarde\n", encoding="utf-8")
    made = tupelo.training.build_triple_dataset([str(articles)], [str(facts)], tmp_path / "made", run=ONE)
    assert made.statistics["triples"] == 1
    assert "articles: 1, 1 with a known relation, 2 sentences\n" in f"{made}\n"


def test_training_without_torch_names_the_extra(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr("tupelo_training.calls.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"tupelo\[train\]"):
        tupelo.training.train_facts("examples.jsonl", tmp_path, model="classifier")


@pytest.mark.slow
def test_training(tmp_path) -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    examples = tmp_path / "examples.jsonl"
    examples.write_text('{"marked": "SUBJ{Ann} saw OBJ{Bob}.", "property": "P1"}\n' * 2, encoding="utf-8")
    steps = []
    trained = tupelo.training.train_facts(
        examples,
        tmp_path / "model",
        model="classifier",
        options=FactTrainingOptions(size="tiny", steps=2, batch_size=2),
        progress=lambda *step: steps.append(step),
    )
    assert trained.to_dict() == {
        "folder": str(tmp_path / "model"),
        "model": "classifier",
        "examples": 1,
        "steps": 2,
        "last_loss": trained.last_loss,
    }
    assert f"after 2 steps, last loss {trained.last_loss:.4f}" in str(trained)
    assert steps[-1] == ("steps", 2, 2)
