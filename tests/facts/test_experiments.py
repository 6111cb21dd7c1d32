"""The paper's experiments on a few texts, and how extracted facts are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tupelo.cli import tupelo as command
from tupelo.core import FormatError, Triple
from tupelo.io.fact_texts import read_gold, read_texts
from tupelo.score.fact_sets import count_facts

ROME, OSLO = Triple("Ann", "P19", "Rome"), Triple("Ann", "P20", "Oslo")


def test_facts_are_counted_once_and_compared_without_case() -> None:
    whole, by_relation = count_facts([([Triple("the Ann", "P19", "rome"), ROME], [ROME, OSLO]), ([OSLO], [])])
    assert (whole.right, whole.predicted, whole.gold) == (1, 2, 2)
    assert whole.f1 == pytest.approx(2 * 1 / 4)
    assert list(by_relation) == ["P19", "P20"]
    assert by_relation["P19"].precision == 1
    assert (by_relation["P20"].precision, by_relation["P20"].recall) == (0, 0)


def test_a_binary_classifier_is_counted_by_pairs_in_either_order() -> None:
    whole, _ = count_facts([([Triple("Rome", "related", "Ann")], [ROME, Triple("Ann", "P27", "Rome")])], related=True)
    assert (whole.right, whole.predicted, whole.gold) == (1, 1, 1)


def test_nothing_found_and_nothing_known_is_zero_not_an_error() -> None:
    whole, _ = count_facts([([], [])])
    assert (whole.precision, whole.recall, whole.f1) == (0, 0, 0)


def test_texts_of_either_form(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    rows = [
        {"documentId": "1", "passageStart": 9, "passageText": "Second."},
        {"documentId": "1", "passageStart": 0, "passageText": "First."},
        {"text": "Plain."},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert list(read_texts(str(path))) == ["Plain.", "First. Second."]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "1: not JSON"),
        ("[]", "1: a JSON list"),
        ('{"subject": "a"}', "1: no subject, text and facts"),
        ('{"subject": "a", "text": "b", "facts": [["a", "b"]]}', "1: the fact"),
    ],
)
def test_bad_gold_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        list(read_gold(str(path)))


TEXT = (
    "Ann Lee was born on May 5, 1970 in Rome. She married Tom Frost on October 3, 1992 in Oslo. "
    "Ida Berg was born on July 9, 1950 in Paris."
)


def test_the_experiments_run_on_small_files(tmp_path: Path) -> None:
    texts, gold, judged = (tmp_path / name for name in ("texts.jsonl", "gold.jsonl", "judged.jsonl"))
    texts.write_text(json.dumps({"text": TEXT}) + "\n", encoding="utf-8")
    gold.write_text(
        json.dumps({"subject": "Ann Lee", "text": TEXT, "facts": [["Ann Lee", "was born", "on May 5, 1970"]]}) + "\n",
        encoding="utf-8",
    )

    def row(sentence: str, *answers: str) -> str:
        responses = [{"worker_id": number, "response": answer} for number, answer in enumerate(answers)]
        return json.dumps({"article": TEXT, "summary_sentences": [{"sentence": sentence, "responses": responses}]})

    lines = [
        row("Ann Lee was born in Rome.", "yes", "yes"),
        row("Ann Lee was born in Paris.", "no", "no"),
        row("Tom Frost was born in Rome.", "no", "yes"),
    ]
    judged.write_text("\n".join(lines) + "\n", encoding="utf-8")
    arguments = ["reproduce", "facts", "--texts", str(texts), "--gold", str(gold), "--judged", str(judged)]
    result = CliRunner().invoke(command, [*arguments, "--method", "openie", "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["corruption"]["texts"] == 1
    table = report["corruption"]["metrics"]
    assert set(table) == {"check", "openie", "rouge1", "rouge2", "rougeL"}
    # Words hardly change, so counting them sees next to nothing.
    assert table["rouge1"]["accuracy"] > 0.85 > report["corruption"]["expected"]
    assert report["judged"]["alpha"] == pytest.approx(1 - (2 * 1) / (2 * 3 * 3 / 5))
    assert report["judged"]["metrics"]["check"]["n"] == 3
    assert report["facts"]["texts"] == 1
    for_people = CliRunner().invoke(command, [*arguments[:4], "--method", "openie"], catch_exceptions=False)
    assert for_people.stdout.startswith("Table 2: 1 texts, expected accuracy")


def test_a_method_that_is_unknown_or_nothing_to_do_is_bad_usage() -> None:
    assert CliRunner().invoke(command, ["reproduce", "facts"]).exit_code == 2
    result = CliRunner().invoke(command, ["reproduce", "facts", "--texts", "x", "--method", "magic"])
    assert result.exit_code == 2
    assert "no method named 'magic'" in result.stderr
