"""The paper's experiments on a few texts, and how extracted facts are counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from papers import factual_accuracy
from papers.fact_sets import by_name, count_facts, count_labels
from papers.factual_accuracy import (
    CachedFacts,
    Change,
    CorruptionResult,
    FactualAccuracyTables,
    MetricColumn,
    is_touched,
)
from tests.extras import needs
from tupelo.checking.checked import Claim, Verdict
from tupelo.cli import tupelo as command
from tupelo.core import Analysis, FormatError, InputError, Span, Triple, UnknownNameError
from tupelo.io.judgements import read_by_id
from tupelo_training.facts.texts import read_gold, read_texts

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


def test_the_names_of_one_thing_are_one_name() -> None:
    (fact,) = by_name([Triple("the Lees", "P1", "OSLO")], {"Lees": "Ann Lee", "Oslo": "Oslo"})
    assert fact == Triple("Ann Lee", "P1", "Oslo")


def test_marked_pairs_have_a_row_for_no_relation_that_the_whole_leaves_out() -> None:
    pairs = [({"P19"}, {"P19"}), ({"P19"}, set()), (set(), {"P20", "P19"}), (set(), set())]
    whole, by_relation = count_labels(pairs)
    assert (whole.right, whole.predicted, whole.gold) == (1, 2, 3)
    nothing = by_relation["no relation"]
    assert (nothing.right, nothing.predicted, nothing.gold) == (1, 2, 2)
    assert by_relation["P20"].recall == 0


def test_documents_of_redocred(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    document = {
        "title": "Ann",
        "sents": [["Ann", "Lee", "(", "born", "1970", ")", "sings", "."], ["Lee", "lives", "in", "Oslo", "."]],
        "vertexSet": [
            [
                {"name": "Ann Lee", "pos": [0, 2], "sent_id": 0, "type": "PER"},
                {"name": "Lee", "pos": [0, 1], "sent_id": 1, "type": "PER"},
            ],
            [{"name": "Oslo", "pos": [3, 4], "sent_id": 1, "type": "LOC"}],
        ],
        "labels": [{"h": 0, "t": 1, "r": "P551", "evidence": [1]}],
    }
    path.write_text(json.dumps([document]), encoding="utf-8")
    (row,) = read_gold(str(path), "redocred")
    assert row.text == "Ann Lee (born 1970) sings. Lee lives in Oslo."
    assert row.facts == (Triple("Ann Lee", "P551", "Oslo"),)
    assert row.names["Lee"] == "Ann Lee"
    del document["labels"]
    path.write_text(json.dumps([document]), encoding="utf-8")
    with pytest.raises(InputError, match="document 0 lacks or spoils 'labels'"):
        list(read_gold(str(path), "redocred"))
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="expected an array"):
        list(read_gold(str(path), "redocred"))


def test_texts_of_webnlg_with_properties_of_wikidata(tmp_path: Path) -> None:
    path = tmp_path / "dev.jsonl"
    item = {
        "triples": [["Ann_Lee", "birthPlace", '"Oslo"']],
        "texts": ["Ann Lee was born in Oslo.", "Oslo bore her."],
    }
    path.write_text(json.dumps(item) + "\n", encoding="utf-8")
    rows = list(read_gold(str(path), "webnlg", {"birthPlace": "P19"}))
    assert [row.text for row in rows] == item["texts"]
    assert rows[1].facts == (Triple("Ann Lee", "P19", "Oslo"),)
    path.write_text('{"texts": []}\n', encoding="utf-8")
    with pytest.raises(FormatError, match="no triples and texts"):
        list(read_gold(str(path), "webnlg"))
    with pytest.raises(UnknownNameError, match="webnlp"):
        list(read_gold(str(path), "webnlp"))


def test_texts_of_either_form(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    rows = [
        {
            "documentId": "1",
            "passageStart": 9,
            "passageText": "Second.",
            "facts": [{"subjectText": "Bo", "subjectUri": "x/B"}],
        },
        {"documentId": "2", "passageText": "Third.", "facts": []},
        {"documentId": "1", "passageStart": 0, "passageText": "First."},
        {"text": "Plain."},
        {"text": "Ann sang.", "subject": "Ann"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert list(read_texts(str(path))) == [
        ("Plain.", ""),
        ("Ann sang.", "Ann"),
        ("First. Second.", "Bo"),
        ("Third.", ""),
    ]


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


@pytest.mark.model
@needs("tupelo_facts_en", "facts")
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
    low, high = report["judged"]["alpha_interval"]
    assert low <= report["judged"]["alpha"] <= high
    assert report["judged"]["metrics"]["check"]["n"] == 3
    assert report["judged"]["metrics"]["openie"]["unverifiable_as_0"]["n"] == 3
    claims = report["corruption"]["claims"]
    assert sum(claims["swapped"].values()) > 0
    assert report["facts"]["texts"] == 1
    for_people = CliRunner().invoke(command, [*arguments[:4], "--method", "openie"], catch_exceptions=False)
    assert for_people.stdout.startswith("Table 2: 1 texts, expected accuracy")
    assert "what the paper's caption calls expected accuracy, there 30.97" in for_people.stdout


def test_both_readings_of_expected_accuracy_are_shown_and_texts_without_a_figure_counted() -> None:
    result = CorruptionResult(texts=3)
    result.add({"rouge1": 0.9, "classifier": None}, 0.25)
    result.add({"rouge1": 0.7, "classifier": 0.5}, 0.75)
    result.add({"rouge1": 0.8, "classifier": None}, 0.8)
    table = result.to_dict()
    assert (table["expected"], table["corrupted"]) == (pytest.approx(0.6), pytest.approx(0.4))
    counted = {name: (row["texts"], row["without_figure"]) for name, row in table["metrics"].items()}
    assert counted == {"rouge1": (3, 0), "classifier": (1, 2)}
    shown = str(FactualAccuracyTables({"corruption": table, "missing": {}}))
    assert "expected accuracy 60.0: the share of facts that no swap touched" in shown
    assert "share of corrupted facts 40.0" in shown
    assert "(1 texts, 2 without a figure)" in shown


class Counting:
    """Facts that count how often they are asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, sentences: Sequence[Analysis], subject: str = "") -> list[Triple]:
        self.asked.append(sentences[0].text)
        return [Triple("a", "b", sentences[0].text)]


def test_the_facts_of_a_source_are_found_once() -> None:
    facts = Counting()
    kept = CachedFacts(facts)
    for text in ("source", "one", "source", "two", "source"):
        kept([Analysis(text, ())])
    assert facts.asked == ["source", "one", "two"]
    assert kept([Analysis("source", ())])[0].object == "source"


def claim(*spans: tuple[int, int]) -> Claim:
    return Claim("", (), tuple(Span(*span) for span in spans), Verdict.SUPPORTED)


def test_a_swap_touches_a_claim_only_where_it_stands() -> None:
    """*Rome* was put in the place of *Oslo*; the first *Rome* of the sentence, and *Romea*, were always there."""
    text = "Ann left Rome and Romea for Rome"
    swap = Change(Span(28, 32), "place", "Oslo", "Rome")
    assert text[28:32] == "Rome"
    assert not is_touched(claim((0, 13)), [swap])
    assert not is_touched(claim((0, 8), (18, 23)), [swap])
    assert is_touched(claim((0, 8), (24, 32)), [swap])


def test_the_gap_is_that_of_the_texts_with_a_figure() -> None:
    column = MetricColumn([0.5, 1.0], [0.25, 0.75])
    assert column.gap == pytest.approx(0.75 - 0.5)
    assert column.error == pytest.approx((0.25 + 0.25) / 2)
    assert MetricColumn().gap is None


@pytest.mark.model
def test_sources_and_summaries_come_from_other_collections(tmp_path: Path) -> None:
    """FRANK has scores only; the XSum collection has summaries, AggreFact articles."""
    frank, summaries, sources = (tmp_path / name for name in ("frank.json", "xsum.csv", "aggrefact.csv"))
    rows = [
        {"hash": "7", "model_name": "PtGen", "dataset": "bbc", "Factuality": 1.0, "split": "valid"},
        {"hash": "8", "model_name": "PtGen", "dataset": "bbc", "Factuality": 0.0, "split": "valid"},
        {"hash": "9", "model_name": "PtGen", "dataset": "bbc", "Factuality": 0.5, "split": "valid"},
        {"hash": "7", "model_name": "other", "dataset": "bbc", "Factuality": 0.5, "split": "test"},
    ]
    frank.write_text(json.dumps(rows), encoding="utf-8")
    written = ["bbcid,system,summary", "7,PtGen,Ann Lee was born in Rome.", "8,PtGen,Tom Frost was born in Rome."]
    summaries.write_text("\n".join([*written, "9,PtGen,Nobody knows."]) + "\n", encoding="utf-8")
    sources.write_text(f'id,doc\n7,"{TEXT}"\n8,"{TEXT}"\n', encoding="utf-8")
    arguments = ["reproduce", "facts", "--judged", str(frank), "--format", "frank", "--method", "none"]
    joined = [*arguments, "--sources", str(sources), "--summaries", str(summaries)]
    result = CliRunner().invoke(command, [*joined, "--split", "valid", "--json"], catch_exceptions=False)
    report = json.loads(result.stdout)["judged"]
    assert (report["texts"], report["without_text"], report["alpha"]) == (2, 1, None)
    assert set(report["metrics"]) == {"check", "rouge1", "rouge2", "rougeL"}
    for_people = CliRunner().invoke(command, [*joined, "--limit", "2"], catch_exceptions=False).stdout
    assert for_people.startswith("Tables 7 and 8: 2 texts, 2 without words or source left out")
    for options, message in (
        (arguments, "expected a collection with both, or files with them"),
        ([*joined, "--split", "dev"], "no text of the part 'dev', expected one of: test, valid"),
    ):
        with pytest.raises(InputError, match=message):
            CliRunner().invoke(command, options, catch_exceptions=False)


def test_texts_by_id_from_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "sources.jsonl"
    path.write_text('{"id": 7, "source": "Rain fell."}\n\n', encoding="utf-8")
    assert read_by_id(str(path), "source") == {"7": "Rain fell."}
    for line, message in (('{"id": 7}', "1: no id and source"), ('{"id": 7, "source": 1}', "1: source 1")):
        path.write_text(line + "\n", encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            read_by_id(str(path), "source")
    path.write_text("id,text\n", encoding="utf-8")
    with pytest.raises(FormatError, match="no column doc"):
        read_by_id(str(path), "source")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gold", "x", "--model", "mine"], "expected NAME=FOLDER"),
        (["--gold", "x", "--model", "openie=mine"], "expected NAME=FOLDER with one of classifier"),
    ],
)
def test_bad_usage_is_named(options: list[str], message: str) -> None:
    result = CliRunner().invoke(command, ["reproduce", "facts", *options, "--method", "none"])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_every_method_is_used_unless_some_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factual_accuracy, "fact_metric", lambda name, pipeline, **_: name)
    opened, missing = factual_accuracy._metrics((), {}, None)
    assert list(opened) == ["openie", "openie-canonical", "classifier", "sentence", "binary", "end-to-end", "reduced"]
    assert missing == {}
    assert list(factual_accuracy._metrics(("end-to-end",), {}, None)[0]) == ["end-to-end"]


@pytest.mark.model
def test_a_method_that_is_unknown_or_nothing_to_do_is_bad_usage() -> None:
    assert CliRunner().invoke(command, ["reproduce", "facts"]).exit_code == 2
    result = CliRunner().invoke(command, ["reproduce", "facts", "--texts", "x", "--method", "magic"])
    assert isinstance(result.exception, InputError)
    assert "no method named 'magic'" in str(result.exception)
