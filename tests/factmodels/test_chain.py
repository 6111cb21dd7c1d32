"""Articles and a knowledge base to examples, examples to models, models to facts: one command after the other."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

pytestmark = [pytest.mark.model, pytest.mark.torch]

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

from tupelo.cli import tupelo  # noqa: E402
from tupelo.core import InputError  # noqa: E402

PEOPLE = {"Ann Lee": "Oslo", "Bob Ray": "Rome", "Eve Dahl": "Paris", "Tom Vik": "Bergen"}


def run(*arguments):
    done = CliRunner().invoke(tupelo, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder with examples and one model of every kind that the paper trains."""
    folder = tmp_path_factory.mktemp("chain")
    # Networks this small are slower on several cores than on one.
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    articles, knowledge = folder / "articles.jsonl", folder / "knowledge.tsv"
    articles.write_text(
        "".join(
            json.dumps({"title": person, "text": f"{person} was born in {place}. {person} never saw London."}) + "\n"
            for person, place in PEOPLE.items()
        ),
        encoding="utf-8",
    )
    knowledge.write_text("".join(f"{person}\tP19\t{place}\n" for person, place in PEOPLE.items()), encoding="utf-8")
    run("facts", "dataset", articles, "--knowledge", knowledge, "-o", folder / "examples", "--workers", 1)
    tiny = ("--size", "tiny", "--batch", 8)
    marked = folder / "examples" / "classifier.jsonl.gz"
    for kind in ("classifier", "binary"):
        run("facts", "train", marked, "--model", kind, *tiny, "--steps", 40, "-o", folder / kind)
    for kind, more in (("end_to_end", ()), ("reduced", ("--reduced",))):
        examples = folder / "examples" / f"{kind}.jsonl.gz"
        run("facts", "train", examples, "--model", "end-to-end", *tiny, *more, "--steps", 110, "-o", folder / kind)
    torch.set_num_threads(threads)
    return folder


def extracted(folder, tmp_path, method, model, *more):
    text, found = tmp_path / "text.txt", tmp_path / "facts.tsv"
    text.write_text("Ann Lee was born in Rome. Bob Ray never saw London.", encoding="utf-8")
    command = ("facts", "extract", text, "--method", method, "--model", folder / model, "--format", "tsv")
    run(*command, *more, "-o", found)
    return {tuple(line.split("\t")[:3]) for line in found.read_text("utf-8").splitlines()}


@pytest.mark.parametrize("method", ["sentence", "classifier"])
def test_from_articles_to_facts_by_the_classifier(made, tmp_path, method):
    facts = extracted(made, tmp_path, method, "classifier")
    assert ("Ann Lee", "P19", "Rome") in facts
    assert not any(object_ == "London" for _, _, object_ in facts)


def test_the_binary_classifier_says_what_is_related(made, tmp_path):
    facts = extracted(made, tmp_path, "binary", "binary")
    assert ("Ann Lee", "related", "Rome") in facts
    assert not any("London" in fact for fact in facts)


def test_the_end_to_end_model_writes_the_facts_of_a_subject(made, tmp_path):
    for model in ("end_to_end", "reduced"):
        facts = extracted(made, tmp_path, "end-to-end", model, "--subject", "Ann Lee")
        assert {relation for _, relation, _ in facts} == {"P19"}


def test_a_folder_of_another_kind_is_named(made):
    for method, model, message in (
        ("binary", "classifier", "expected a binary one"),
        ("sentence", "end_to_end", "a model of kind writer"),
        ("end-to-end", "binary", "a model of kind sentence"),
        ("classifier", "end_to_end", "a model of kind writer"),
    ):
        with pytest.raises(InputError, match=message):
            run("facts", "extract", "-", "--method", method, "--model", made / model)


def test_trained_models_check_a_text(made, tmp_path):
    generated, source = tmp_path / "generated.txt", tmp_path / "source.txt"
    generated.write_text("Ann Lee was born in Rome.", encoding="utf-8")
    source.write_text("Ann Lee was born in Oslo. She never saw London or Rome.", encoding="utf-8")
    found = json.loads(
        run(
            "check",
            generated,
            "--source",
            source,
            "--json",
            "--fact-acc",
            f"sentence={made / 'classifier'}",
            "--fact-acc",
            f"binary={made / 'binary'}",
            "--fact-acc",
            f"reduced={made / 'reduced'}",
        ).stdout
    )["fact_acc"]
    assert found["sentence"]["value"] == 0
    assert found["sentence"]["refuted"] == [["Ann Lee", "P19", "Rome"]]
    assert set(found) == {"sentence", "binary", "reduced"}


def test_trained_models_in_the_papers_tables(made):
    marked, gold = made / "examples" / "classifier.jsonl.gz", made / "examples" / "end_to_end.jsonl.gz"
    models = [
        part
        for name, folder in (
            ("sentence", "classifier"),
            ("binary", "binary"),
            ("end-to-end", "end_to_end"),
            ("reduced", "reduced"),
        )
        for part in ("--method", name, "--model", f"{name}={made / folder}")
    ]
    report = json.loads(run("reproduce", "facts", "--marked", marked, "--gold", gold, *models, "--json").stdout)
    for table in (report["marked"]["metrics"], report["facts"]["metrics"]):
        assert table["sentence"]["f1"] > 0.8
        assert table["binary"]["f1"] > 0.8
    assert set(report["marked"]["metrics"]["sentence"]["relations"]) == {"P19", "no relation"}
    # The subject is told to the network that writes: facts of nobody else come out.
    assert report["facts"]["metrics"]["end-to-end"]["f1"] > 0.8
    assert report["facts"]["metrics"]["reduced"]["f1"] > 0.8
    shown = run("reproduce", "facts", "--marked", marked, *models).stdout
    assert shown.startswith("Tables 3 and 4, entities given: 8 marked pairs\n  sentence")
    assert "no relation" in shown
