"""Distant supervision: on mentions written by hand, then from dumps of every kind to files of examples."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tupelo
from tests.parses import parsed
from tupelo.cli import tupelo as command
from tupelo.core import Analysis
from tupelo_training.facts.sentences import marked
from tupelo_training.facts.supervise import TopicFact, facts_of, supervise, topic_of

ANN = parsed(
    "Ann/Ann/PROPN/3/nsubj Lee/Lee/PROPN/1/flat left/leave/VERB/0/root Basel/Basel/PROPN/3/obj for/for/ADP/6/case "
    "Oslo/Oslo/PROPN/3/obl",
    ("person", 1, 2),
    ("place", 4, 4),
    ("place", 6, 6),
)
SHORT = parsed(
    "Lee/Lee/PROPN/2/nsubj died/die/VERB/0/root in/in/ADP/4/case 1999/1999/NUM/2/obl",
    ("person", 1, 1),
    ("datetime", 4, 4),
)
RAIN = parsed("It/it/PRON/2/nsubj rains/rain/VERB/0/root")
FACTS = (
    TopicFact("P19", "Basel", frozenset(["basel", "basle"])),
    TopicFact("P570", "1999", frozenset(), is_date=True),
    TopicFact("P26", "Tom Frost", frozenset(["tom frost"])),
)


def examples(*analyses: Analysis, negatives: float | None = None) -> list[tuple[str | None, str, str]]:
    found = supervise(topic_of("Ann Lee (poet)", [], FACTS), analyses, negatives=negatives)
    return [(pair.property, pair.object, pair.text) for pair in found.pairs]


def test_entities_that_the_knowledge_base_relates_are_positive_and_the_others_negative() -> None:
    assert examples(ANN) == [
        ("P19", "Basel", "Ann Lee left Basel for Oslo"),
        (None, "Oslo", "Ann Lee left Basel for Oslo"),
    ]


def test_a_short_name_is_the_subject_and_a_year_matches_by_value() -> None:
    assert examples(SHORT) == [("P570", "1999", "Lee died in 1999")]


@pytest.mark.model
def test_pronouns_mention_the_topic_and_titles_belong_to_names() -> None:
    text = "Ada Lovelace was a mathematician. She was born in London. Her father was Lord Byron."
    facts = [
        TopicFact("P22", "Lord Byron", frozenset(["lord byron"])),
        TopicFact("P19", "London", frozenset(["london"])),
    ]
    analyses = list(tupelo.load(threads=1).analyze(text, constituents=False, coreference=True))
    found = supervise(topic_of("Ada Lovelace", [], facts), analyses)
    assert [(pair.property, pair.object, pair.text) for pair in found.pairs] == [
        ("P19", "London", "She was born in London."),
        ("P22", "Lord Byron", "Her father was Lord Byron."),
    ]
    second = found.pairs[1]
    assert marked(second.text, second.subject_spans, second.object_spans) == "SUBJ{Her} father was Lord OBJ{Byron}."


def test_a_sentence_without_the_topic_gives_nothing() -> None:
    assert examples(RAIN) == []


def test_end_to_end_examples_have_each_fact_once_and_reduced_ones_only_sentences_with_entities() -> None:
    found = supervise(topic_of("Ann Lee", [], FACTS), [ANN, RAIN, SHORT, ANN])
    rows = {kind: row for kind, row in found.rows("a#1") if kind != "classifier"}
    assert rows["end_to_end"]["facts"] == [["Ann Lee", "P19", "Basel"], ["Ann Lee", "P570", "1999"]]
    assert rows["end_to_end"]["output"] == "Ann Lee <t> P19 <t> Basel <f> Ann Lee <t> P570 <t> 1999 <end>"
    assert rows["end_to_end"]["input"].startswith("Ann Lee; Ann Lee left")
    assert "rains" in rows["end_to_end"]["text"]
    assert "rains" not in rows["reduced"]["text"]


def test_negatives_are_sampled_by_seed() -> None:
    assert examples(ANN, ANN, ANN, negatives=0) == [("P19", "Basel", ANN.text)] * 3
    assert sum(item[0] is None for item in examples(ANN, ANN, ANN, negatives=2 / 3)) == 2
    one = [supervise(topic_of("Ann Lee", [], ()), [ANN, ANN], negatives=1, seed=str(n)).pairs for n in (1, 1)]
    assert one[0] == one[1]
    assert len(one[0]) == 1


def test_rows_of_a_knowledge_base_become_facts_with_all_names() -> None:
    rows = [
        {"property": "P19", "value": "Q2", "kind": "thing", "name": "Basle", "name_kind": "alias"},
        {"property": "P19", "value": "Q2", "kind": "thing", "name": "Basel", "name_kind": "label"},
        {"property": "P9", "value": "Q3", "kind": "thing", "name": "", "name_kind": ""},
        {"property": "P570", "value": "1999", "kind": "date", "name": "", "name_kind": ""},
    ]
    assert facts_of(rows) == (
        TopicFact("P19", "Basel", frozenset(["basel", "basle"])),
        TopicFact("P570", "1999", frozenset(), is_date=True),
    )


def test_hints_around_subject_and_object() -> None:
    assert marked("He met her.", [(0, 2)], [(7, 10)]) == "SUBJ{He} met OBJ{her}."


WIKI = """<mediawiki><page><title>Ann Lee</title><ns>0</ns><id>1</id><revision><text>'''Ann Lee''' (born 5 May 1970)
is a poet.{{stub}} She lives in [[Oslo]]. Her place of birth is [[Basel]].</text></revision></page>
<page><title>Unknown</title><ns>0</ns><id>2</id><revision><text>Nobody knows.</text></revision></page></mediawiki>"""
JSONL = json.dumps(
    {
        "title": "Ann Lee",
        "text": "Ann Lee (born 5 May 1970) is a poet. She lives in Oslo. Her place of birth is Basel.",
    }
)


def wikidata() -> str:
    def item(number: str, name: str, **claims: object) -> str:
        return json.dumps({"id": number, "labels": {"en": {"value": name}}, "claims": claims})

    def one(value: object) -> list[dict[str, Any]]:
        return [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {"value": value}}}]

    ann = item(
        "Q1",
        "Ann Lee",
        P19=one({"entity-type": "item", "id": "Q2"}),
        P569=one({"time": "+1970-05-05T00:00:00Z", "precision": 11}),
    )
    return f"[\n{ann},\n{item('Q2', 'Basel')}\n]\n"


NTRIPLES = """<http://e.org/Ann_Lee> <http://e.org/P19> <http://e.org/Basel> .
<http://e.org/Ann_Lee> <http://e.org/P569> "1970-05-05"^^<http://www.w3.org/2001/XMLSchema#date> .
"""
TSV = "Ann Lee\tP19\tBasel\nAnn Lee\tP569\t1970-05-05\n"


FILES = ("classifier.jsonl.gz", "end_to_end.jsonl.gz", "reduced.jsonl.gz", "statistics.json")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dumps")
    (folder / "wiki.xml.bz2").write_bytes(bz2.compress(WIKI.encode()))
    (folder / "articles.jsonl").write_text(JSONL + "\n", encoding="utf-8")
    (folder / "items.json.gz").write_bytes(gzip.compress(wikidata().encode()))
    (folder / "facts.nt").write_text(NTRIPLES, encoding="utf-8")
    (folder / "facts.tsv").write_text(TSV, encoding="utf-8")
    return folder


@pytest.mark.model
@pytest.mark.parametrize(
    ("articles", "knowledge"),
    [("wiki.xml.bz2", "items.json.gz"), ("articles.jsonl", "facts.nt"), ("articles.jsonl", "facts.tsv")],
)
def test_dumps_of_every_kind_give_the_same_examples(
    dumps: Path, tmp_path: Path, articles: str, knowledge: str
) -> None:
    output = tmp_path / "made"
    arguments = ["facts", "dataset", str(dumps / articles), "--knowledge", str(dumps / knowledge), "-o", str(output)]
    result = CliRunner().invoke(command, [*arguments, "--workers", "1", "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    rows = [(row["property"], row["object"], row["label"]) for row in lines(output / "classifier.jsonl.gz")]
    assert rows == [("P569", "1970-05-05", 1), ("P19", "Basel", 1), (None, "Oslo", 0)]
    (whole,) = lines(output / "end_to_end.jsonl.gz")
    assert whole["facts"] == [["Ann Lee", "P569", "1970-05-05"], ["Ann Lee", "P19", "Basel"]]
    figures = json.loads((output / "statistics.json").read_text(encoding="utf-8"))
    assert (figures["positive"], figures["negative"], figures["articles_with_topic"]) == (2, 1, 1)
    assert figures["properties"] == {"P19": 1, "P569": 1}


@pytest.mark.model
def test_a_second_run_does_nothing_again_and_writes_the_same_bytes(
    dumps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tupelo_training.facts import dataset

    arguments = [
        "facts",
        "dataset",
        str(dumps / "articles.jsonl"),
        "--knowledge",
        str(dumps / "facts.tsv"),
        "--workers",
        "1",
        "--work",
        str(tmp_path / "work"),
        "--keep-work",
        "-o",
    ]
    first = CliRunner().invoke(command, [*arguments, str(tmp_path / "one")], catch_exceptions=False)
    assert first.exit_code == 0

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("an article that was finished is read again")

    monkeypatch.setattr(dataset, "supervise", forbidden)
    second = CliRunner().invoke(command, [*arguments, str(tmp_path / "two")], catch_exceptions=False)
    assert second.exit_code == 0
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.model
@pytest.mark.process
@pytest.mark.spark
@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java 17 for Spark")
def test_spark_gives_the_same_bytes(dumps: Path, tmp_path: Path, spark_settings: None) -> None:
    """Articles and knowledge of two kinds each, read at once."""
    pytest.importorskip("pyspark")
    port = tmp_path / "port.jsonl"
    port.write_text(json.dumps({"title": "Port Ellis", "text": "Port Ellis is a town in Norland."}) + "\n", "utf-8")
    more = tmp_path / "more.nt"
    more.write_text("<http://e.org/Port_Ellis> <http://e.org/P17> <http://e.org/Norland> .\n", encoding="utf-8")
    arguments = [
        "facts",
        "dataset",
        str(dumps / "wiki.xml.bz2"),
        str(port),
        "--knowledge",
        str(dumps / "items.json.gz"),
        "--knowledge",
        str(more),
        "-o",
    ]
    for engine in ("local", "local[2]"):
        options = ["--engine", engine, *(["--workers", "1"] if engine == "local" else [])]
        result = CliRunner().invoke(command, [*arguments, str(tmp_path / engine), *options], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    for name in FILES:
        assert (tmp_path / "local" / name).read_bytes() == (tmp_path / "local[2]" / name).read_bytes()
    assert {row["property"] for row in lines(tmp_path / "local" / "classifier.jsonl.gz")} == {
        "P569",
        "P19",
        "P17",
        None,
    }


@pytest.mark.process
def test_a_run_that_was_killed_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    articles, knowledge = tmp_path / "articles.jsonl", tmp_path / "facts.tsv"
    people = [f"{first} {last}" for last in ("Lee", "Frost", "Berg", "Dahl") for first in ("Ann", "Tom", "Ida")] * 6
    titled = [f"{person} {number}" for number, person in enumerate(people)]
    articles.write_text(
        "".join(json.dumps({"title": one, "text": f"{one} was born in Oslo. " * 4}) + "\n" for one in titled),
        encoding="utf-8",
    )
    knowledge.write_text("".join(f"{one}\tP19\tOslo\n" for one in titled), encoding="utf-8")
    arguments = [
        sys.executable,
        "-m",
        "tupelo",
        "facts",
        "dataset",
        str(articles),
        "--knowledge",
        str(knowledge),
        "--workers",
        "1",
        "-o",
    ]
    subprocess.run([*arguments, str(tmp_path / "whole")], check=True, capture_output=True)
    finished = tmp_path / ".parts.work" / "supervise-1"
    process = subprocess.Popen(
        [*arguments, str(tmp_path / "parts")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not list(finished.glob("*.json")) and process.poll() is None:
        time.sleep(0.002)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = {path.name: path.stat().st_mtime_ns for path in finished.glob("*.json")}
    assert before, "killed before anything was finished"
    subprocess.run([*arguments, str(tmp_path / "parts"), "--keep-work"], check=True, capture_output=True)
    after = {path.name: path.stat().st_mtime_ns for path in finished.glob("*.json")}
    assert before.items() <= after.items()
    for name in FILES:
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()


def test_bad_lines_are_counted_and_strict_fails(dumps: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.tsv"
    bad.write_text("Nobody\tP1\n", encoding="utf-8")
    arguments = [
        "facts",
        "dataset",
        str(dumps / "articles.jsonl"),
        "--knowledge",
        str(bad),
        "-o",
        str(tmp_path / "x"),
    ]
    result = CliRunner().invoke(command, [*arguments, "--workers", "1"], catch_exceptions=False)
    assert result.exit_code == 1
    assert "bad.tsv:1: 2 field(s), expected subject, property and object" in result.stderr


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    arguments = ["facts", "dataset", "nowhere.jsonl", "--knowledge", "nowhere.tsv", "-o", str(tmp_path / "x")]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code != 0
    assert not (tmp_path / "x").exists()
