"""Table 6: what distant labels take for wrong, judged by people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from papers.fact_sets import false_positives
from papers.false_positives import collect, judge_collected
from tests.extras import needs
from tupelo.annotate.tasks.judging import CLAIMS
from tupelo.cli import tupelo as command
from tupelo.core import FormatError, InputError, Triple

BORN, DIED, WED = Triple("Ann", "born in", "Rome"), Triple("Ann", "died in", "Oslo"), Triple("Ann", "wed", "Tom")
TEXTS = ["Ann was born in Rome. She wed Tom.", "Ann died in Oslo.", "Nothing."]
WRONG = {"end-to-end": [[BORN, WED], [DIED], []], "sentence": [[BORN], [], []]}


def answers(items: list[dict[str, Any]], labels: dict[str, dict[str, str]]) -> list[dict[str, Any]]:
    """What an export of the answers has: `labels` are those of the claims that an annotator did not support."""
    rows = []
    for annotator, exceptions in labels.items():
        for row in items:
            item = CLAIMS.item(row)
            given = {"labels": [exceptions.get(claim, "supported") for claim in item.content["claims"]]}
            answer = CLAIMS.validate(item, given, "")
            rows += [{**made, "annotator": annotator} for made in CLAIMS.export(item, answer)]
    return rows


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_a_false_positive_is_found_and_not_known() -> None:
    found = [Triple("the Ann", "Born in", "rome"), WED, Triple("ann", "wed", "Tom")]
    assert false_positives(found, [BORN, DIED]) == [Triple("ann", "wed", "Tom")]
    assert false_positives(found, [Triple("Tom", "knows", "Ann")], related=True) == [found[0]]


def test_items_hold_every_fact_once_and_annotators_do_not_see_the_method() -> None:
    items = collect(TEXTS, WRONG, 30, 0)
    assert sorted(item["id"] for item in items) == ["text-1", "text-2"]
    (first,) = (item for item in items if item["id"] == "text-1")
    by_claim = dict(zip(first["claims"], first["methods"], strict=True))
    assert by_claim == {"Ann | born in | Rome": ["end-to-end", "sentence"], "Ann | wed | Tom": ["end-to-end"]}
    assert "methods" not in CLAIMS.item(first).content
    assert len(collect(TEXTS, WRONG, 1, 0)) == 1
    assert collect(TEXTS, WRONG, 1, 3) == collect(TEXTS, WRONG, 1, 3)
    with pytest.raises(InputError, match="nothing to judge"):
        collect(TEXTS, {"sentence": [[], [], []]}, 30, 0)


def test_a_fact_is_true_if_all_who_judged_it_say_so(tmp_path: Path) -> None:
    items = collect(TEXTS, WRONG, 30, 0)
    collected = written(tmp_path / "items.jsonl", items)
    labels = {"annotator-1": {}, "annotator-2": {"Ann | wed | Tom": "unverifiable"}}
    report = judge_collected(collected, written(tmp_path / "answers.jsonl", answers(items, labels)))
    assert (report["facts"], report["left_out"]) == (3, 0)
    whole, part = report["metrics"]["end-to-end"], report["metrics"]["sentence"]
    assert (whole["true"], whole["facts"], whole["printed"]) == (2, 3, 77.8)
    assert whole["share"] == pytest.approx(2 / 3)
    assert whole["annotators"] == {"annotator-1": 1, "annotator-2": pytest.approx(2 / 3)}
    assert (part["share"], part["printed"]) == (1, 46.6)
    # One answer is not enough.
    rows = answers(items, {"annotator-1": {}}) + answers(items[:1], {"annotator-2": {}})
    report = judge_collected(collected, written(tmp_path / "answers.jsonl", rows))
    assert report["facts"] == len(items[0]["claims"])
    assert report["left_out"] == 3 - report["facts"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "text-1:0", "label": "supported"}, "answers.jsonl:1: no answer about a claim"),
        ({"id": "text-9:0", "label": "supported", "annotator": "a"}, "the claim 'text-9:0', expected one of"),
        ({"id": "text-1:0", "label": "supported", "annotator": "a"}, "no claim with two answers"),
    ],
)
def test_answers_that_do_not_fit_are_named(tmp_path: Path, row: dict[str, str], message: str) -> None:
    collected = written(tmp_path / "items.jsonl", collect(TEXTS, WRONG, 30, 0))
    with pytest.raises((FormatError, InputError), match=message):
        judge_collected(collected, written(tmp_path / "answers.jsonl", [row]))


@pytest.mark.model
@needs("tupelo_facts_en", "facts")
def test_the_step_from_texts_to_the_table(tmp_path: Path) -> None:
    gold = [{"subject": "Ann Lee", "text": "Ann Lee was born in Rome. Ann Lee married Tom Frost.", "facts": []}]
    items = tmp_path / "items.jsonl"
    arguments = ["reproduce", "facts", "--gold", written(tmp_path / "gold.jsonl", gold), "--method", "openie"]
    result = CliRunner().invoke(command, [*arguments, "--collect", str(items)], catch_exceptions=False)
    assert result.exit_code == 0
    rows = [json.loads(line) for line in items.read_text(encoding="utf-8").splitlines()]
    count = len(rows[0]["claims"])
    assert f"{count} facts that the labels do not have, of 1 texts" in result.stdout
    given = written(tmp_path / "answers.jsonl", answers(rows, {"a": {}, "b": {}}))
    arguments = ["reproduce", "facts", "--collected", str(items), "--annotated", given]
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert f"Table 6: {count} facts; Krippendorff's alpha –" in result.stdout
    assert "100.0 [" in result.stdout
    report = json.loads(CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False).stdout)
    assert report["annotated"]["metrics"]["openie"]["annotators"] == {"a": 1, "b": 1}
    for wrong in (["--collected", str(items)], ["--collect", str(items), "--texts", "x"]):
        result = CliRunner().invoke(command, ["reproduce", "facts", "--judged", "x", *wrong])
        assert isinstance(result.exception, InputError)
