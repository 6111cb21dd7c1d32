"""Articles and a knowledge base to examples, examples to a model, a model to facts: one command after the other."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

from tupelo.cli import tupelo

PEOPLE = {"Ann Lee": "Oslo", "Bob Ray": "Rome", "Eve Dahl": "Paris", "Tom Vik": "Bergen"}


def run(*arguments):
    done = CliRunner().invoke(tupelo, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def test_from_articles_to_facts(tmp_path):
    articles, knowledge = tmp_path / "articles.jsonl", tmp_path / "knowledge.tsv"
    articles.write_text(
        "".join(
            json.dumps({"title": person, "text": f"{person} was born in {place}. {person} never saw London."}) + "\n"
            for person, place in PEOPLE.items()
        ),
        encoding="utf-8",
    )
    knowledge.write_text("".join(f"{person}\tP19\t{place}\n" for person, place in PEOPLE.items()), encoding="utf-8")
    run("facts", "dataset", articles, "--knowledge", knowledge, "-o", tmp_path / "examples", "--workers", 1)
    run(
        "facts", "train", tmp_path / "examples" / "classifier.jsonl.gz", "--model", "classifier", "--size", "tiny",
        "--steps", 40, "--batch", 8, "-o", tmp_path / "classifier",
    )  # fmt: skip
    text, found = tmp_path / "text.txt", tmp_path / "facts.tsv"
    text.write_text("Ann Lee was born in Rome. Bob Ray never saw London.", encoding="utf-8")
    run(
        "facts", "extract", text, "--method", "sentence", "--model", tmp_path / "classifier", "--format", "tsv",
        "-o", found,
    )  # fmt: skip
    facts = {tuple(line.split("\t")[:3]) for line in found.read_text("utf-8").splitlines()}
    assert ("Ann Lee", "P19", "Rome") in facts
    assert not any(object_ == "London" for _, _, object_ in facts)
