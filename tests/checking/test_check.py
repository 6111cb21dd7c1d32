"""Claims beside their evidence: with a reader that needs no network, then with the shipped one, then the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tupelo
from benchmarks.check_hostile import cases, speaks
from tests.checking.reader import WordReader
from tupelo.api.checking import Checker
from tupelo.api.text import Toolkit
from tupelo.checking.checked import Checked, Verdict
from tupelo.cli import tupelo as command
from tupelo.core import FormatError, InputError, UnknownNameError

pytestmark = pytest.mark.model

ROBBED = "A van has been robbed in Glasgow. Police said that three men robbed the van on Monday. Nobody was hurt."


@pytest.fixture(scope="module")
def toolkit() -> Toolkit:
    return tupelo.load()


@pytest.fixture(scope="module")
def words(toolkit: Toolkit) -> Checker:
    """A checker that knows words only."""
    return Checker(network=WordReader(), nlp=toolkit)


@pytest.fixture(scope="module")
def checker(toolkit: Toolkit) -> Checker:
    return Checker(nlp=toolkit)


def verdicts(checked: Checked) -> list[str]:
    return [claim.verdict.value for claim in checked.claims]


def test_a_text_agrees_with_itself(words: Checker) -> None:
    checked = words(ROBBED, ROBBED)
    assert set(verdicts(checked)) == {"supported"}
    assert checked.supported == checked.accuracy == 1
    assert (checked.score or 0) > 0.9
    assert [one.text for sentence in checked.sentences for one in checked.evidence(sentence.claims[0])[:1]] == [
        one.text for one in checked.source
    ]


def test_the_network_decides_and_missing_words_only_explain(toolkit: Toolkit) -> None:
    told = {"Thieves": (0.95, 0.02, 0.03), "Leeds": (0.02, 0.9, 0.08), "Bristol": (0.02, 0.08, 0.9)}
    checker = Checker(network=WordReader(told), nlp=toolkit)
    text = "Thieves struck in Scotland. The van was robbed in Leeds. The van was robbed in Bristol."
    for one in checker(text, ROBBED).claims[1:]:
        place = one.text.rpartition(" ")[2]
        expected = Verdict.REFUTED if place == "Leeds" else Verdict.UNVERIFIABLE
        assert (one.verdict, one.reason) == (expected, f"not in the source: {place}")
    # The curve of this reader weighs words as much as outcomes: no verdict depends on either alone.
    sure = Checker(network=WordReader({"Nobody": (0.02, 0.9, 0.08)}), nlp=toolkit)
    (denied,) = sure("Nobody was hurt.", ROBBED).claims
    assert (denied.verdict, denied.reason) == (Verdict.REFUTED, "the source says otherwise")


def test_a_computed_contradiction_refutes_whatever_the_network_says(toolkit: Toolkit) -> None:
    checker = Checker(network=WordReader({"Two": (0.99, 0.0, 0.01)}), nlp=toolkit)
    (claim,) = checker("Two men robbed the van on Monday.", ROBBED).claims
    assert (claim.verdict, claim.reason) == (Verdict.REFUTED, "the source has three men, not Two men")
    assert (claim.probability or 0) <= 0.22


def test_a_calculation_is_shown(words: Checker) -> None:
    (claim,) = words("They ran 2,000 metres.", "They ran 2 km.").claims
    assert claim.reason == "2 km = 2,000 metres"
    assert claim.findings is not None
    assert claim.findings.confirmed


def test_pronouns_are_read_by_name(toolkit: Toolkit) -> None:
    reader = WordReader()
    checker = Checker(network=reader, nlp=toolkit)
    source = "Marie Curie was born in Warsaw. Marie Curie won the prize."
    checked = checker("Marie Curie was born in Warsaw. She won the prize.", source)
    assert "Marie Curie won the prize." in {reading.claim for readings in reader.read for reading in readings}
    assert checked.sentences[1].text == "She won the prize."
    assert [checked.text[span.start : span.end] for claim in checked.sentences[1].claims for span in claim.spans] == [
        "She won the prize"
    ]
    # The question may name what the answer speaks of, and a short answer is read after it.
    checker("She was born in Warsaw. In Warsaw.", source, question="Where was Marie Curie born?")
    read = {reading.claim for readings in reader.read for reading in readings}
    assert {"Marie Curie was born in Warsaw.", "Where was Marie Curie born? In Warsaw."} <= read


def test_all_sentences_are_read_together(toolkit: Toolkit) -> None:
    reader = WordReader(room=20)
    source = " ".join(f"Ann saw {number} dogs in town {number}." for number in range(50))
    Checker(network=reader, nlp=toolkit)("Ann saw 7 dogs in town 7. Ann sold 9 dogs in town 9.", source)
    (readings,) = reader.read
    assert [reading.claim for reading in readings] == ["Ann saw 7 dogs in town 7.", "Ann sold 9 dogs in town 9."]
    assert all(0 < len(reading.evidence) <= reader.room for reading in readings)


def test_a_source_is_cut_once(toolkit: Toolkit, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = WordReader()
    cut: list[str] = []
    known = reader.cut
    monkeypatch.setattr(reader, "cut", lambda text: cut.append(text) or known(text))
    checker = Checker(network=reader, nlp=toolkit)
    for text in ("Rain fell.", "Nobody was hurt."):
        checker(text, [ROBBED, "Rain fell."])
    assert cut == [one.text for one in checker("", [ROBBED, "Rain fell."]).source]


def test_evidence_is_found_in_any_passage_with_its_characters(words: Checker) -> None:
    passages = ["Rain fell. It was cold.", ROBBED]
    (claim,) = words("Nobody was hurt.", passages).claims
    (evidence,) = words("Nobody was hurt.", passages).to_dict()["claims"][0]["evidence"]
    assert evidence["source"] == 1
    assert passages[1][evidence["start"] : evidence["end"]] == evidence["text"] == "Nobody was hurt."
    assert claim.evidence == (4,)


def test_markdown_keeps_its_places(words: Checker) -> None:
    text = "## Summary\n\n- **Nobody** was hurt [1].\n- A van has been *robbed*.\n\nWant more?\nKey points:\n"
    checked = words(text, ROBBED)
    assert verdicts(checked) == ["supported", "supported"]
    spans = [[text[span.start : span.end] for span in claim.spans] for claim in checked.claims]
    assert spans == [["Nobody** was hurt [1]."], ["A van has been *robbed"]]
    assert all(text[one.start : one.start + len(one.text)] == one.text for one in checked.sentences)


def test_abstentions_are_counted_apart(words: Checker) -> None:
    checked = words("Nobody was hurt. I don't know who did it.", ROBBED)
    assert verdicts(checked) == ["supported", "abstained"]
    assert checked.supported == 1
    alone = words("I don't know.", ROBBED)
    assert (alone.score, alone.reason) == (None, "the text says that it does not know")
    assert alone.counts()["abstained"] == 1


def test_a_sentence_is_as_good_as_its_worst_claim(words: Checker) -> None:
    (sentence,) = words("Nobody was hurt in Leeds.", ROBBED).sentences
    assert sentence.verdict is not Verdict.SUPPORTED
    assert sentence.score is not None


GERMAN = "Der Bundeskanzler reiste am Montag nach Paris. Er traf dort den Präsidenten."
ENGLISH = "Rosa bought five apples. She did not buy pears."


@pytest.mark.parametrize(
    ("generated", "source", "reason"),
    [
        ("", ENGLISH, "the text says nothing that could be checked"),
        (" \n ", ENGLISH, "the text says nothing that could be checked"),
        ("!!! …", ENGLISH, "the text says nothing that could be checked"),
        ("Hello!", ENGLISH, "the text says nothing that could be checked"),
        (ENGLISH, "", "the source is empty"),
        (ENGLISH, [], "the source is empty"),
        ("", "", "the source is empty"),
        (GERMAN, ENGLISH, "the text does not look like English"),
        (ENGLISH, GERMAN, "the source does not look like English"),
        (GERMAN, GERMAN, "the text does not look like English"),
        ("日本語のテキスト", "日本語のテキスト", "the text does not look like English"),
    ],
)
def test_nothing_to_check_is_null_with_a_reason(
    words: Checker, generated: str, source: str | Sequence[str], reason: str
) -> None:
    checked = words(generated, source)
    assert (checked.score, checked.supported, checked.claims, checked.reason) == (None, None, (), reason)


@pytest.mark.parametrize("text", ["", "…", "日本語のテキスト", "\x00", "a" * 5000, "1 2 3 " * 300, "*" * 3000])
def test_any_text_has_a_defined_result(words: Checker, text: str) -> None:
    for checked in (words(text, "Rosa bought apples."), words("Rosa bought apples.", text)):
        assert (checked.score is not None) == bool(checked.claims)
        assert checked.claims or checked.reason
        assert checked.score is None or 0 <= checked.score <= 1


@pytest.mark.parametrize("seed", range(2))
def test_there_is_no_verdict_where_nothing_can_be_said(words: Checker, seed: int) -> None:
    for kind, text, source in cases(60, seed):
        checked = words(text, source)
        assert not speaks(checked), (kind, text, source)


def test_with_the_shipped_model(checker: Checker) -> None:
    source = "On Monday Rosa bought five apples at the market in Oslo. She did not buy any pears."
    true, false = (checker(text, source) for text in ("Rosa bought five apples.", "Tom sold a boat in Paris."))
    assert verdicts(true) == ["supported"]
    assert "supported" not in verdicts(false)
    assert (true.score or 0) > (false.score or 1)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, ["check", *map(str, arguments)])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    generated, source = tmp_path / "generated.txt", tmp_path / "source.txt"
    generated.write_text("Rosa bought six apples.\n")
    source.write_text("Rosa bought five apples.\n")
    return generated, source


def test_the_command(files: tuple[Path, Path], tmp_path: Path) -> None:
    generated, source = files
    page, other = tmp_path / "page.html", tmp_path / "other.txt"
    other.write_text("Tom bought boats.\n")
    arguments = (generated, "--source", source, "--source", other)
    result = run(*arguments, "--json", "--html", page, "--fail-on", "refuted", "--fact-acc", "openie")
    assert (result.exit_code, result.stderr) == (1, "refuted claims: 1, asked for none\n")
    document = json.loads(result.stdout)
    assert (document["accuracy"], document["refuted"]) == (0, 1)
    assert document["claims"][0]["evidence"][0]["text"] == "Rosa bought five apples."
    assert document["claims"][0]["reason"] == "the source has five apples, not six apples"
    assert document["fact_acc"]["openie"]["refuted"] == [["Rosa", "bought", "six apples"]]
    assert "Rosa bought five apples." in page.read_text()
    plain = run(*arguments, "--max-unsupported", "1", "--question", "How many?")
    assert plain.exit_code == 0
    assert "the source has five apples, not six apples" in plain.stdout
    assert run(*arguments, "--min-supported", "0.5").exit_code == 1


def test_nothing_to_check_at_the_command_line(files: tuple[Path, Path]) -> None:
    files[0].write_text(GERMAN, encoding="utf-8")
    failed = run(files[0], "--source", files[1], "--json", "--min-supported", "0.5")
    assert failed.exit_code == 1
    assert failed.stderr == "nothing could be checked (the text does not look like English)\n"
    document = json.loads(failed.stdout)
    assert (document["score"], document["claims"]) == (None, [])
    assert document["reason"] == "the text does not look like English"


LINES = [
    {"id": "a", "source": ENGLISH, "generated": "Rosa bought five apples.", "label": 1},
    {"id": "b", "context": ENGLISH, "response": "Tom sold a boat to Ann Lee.", "label": 0},
    {"id": "c", "contexts": ["Rain fell.", {"text": ENGLISH}], "answer": "", "question": "Who?"},
    {
        "id": "d",
        "messages": [
            {"role": "system", "content": ENGLISH},
            {"role": "user", "content": [{"type": "text", "text": "Who bought five apples?"}]},
            {"role": "assistant", "content": "I don't know."},
        ],
    },
]


def test_pairs_give_claims_and_scores_that_can_be_scored(tmp_path: Path) -> None:
    pairs, scores, work = (tmp_path / name for name in ("pairs.jsonl", "scores.jsonl", "work"))
    pairs.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    arguments = ("--pairs", pairs, "-o", scores, "--work", work)
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines()[-1] == "labels: balanced accuracy 100.0, AUC 1.000"
    written = scores.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["id"] for line in lines] == ["a", "b", "c", "d"]
    assert lines[0]["claims"][0]["evidence"][0]["text"] == "Rosa bought five apples."
    assert (lines[2]["score"], lines[2]["reason"]) == (None, "the text says nothing that could be checked")
    assert lines[3]["abstained"] == 1
    # The same call finds its finished parts, and does nothing again.
    parts = {path: path.stat().st_mtime_ns for path in work.rglob("*.parquet")}
    again = run(*arguments, "--json", "--fail-on", "abstained")
    assert (again.exit_code, json.loads(again.stdout)["auc"]) == (1, 1)
    assert {path: path.stat().st_mtime_ns for path in work.rglob("*.parquet")} == parts
    assert scores.read_text() == written
    scored = CliRunner().invoke(command, ["score", "factuality", str(pairs), str(scores), "--json"])
    assert json.loads(scored.stdout)["balanced_accuracy"] == 1


def test_sources_of_pairs_come_from_another_file(tmp_path: Path) -> None:
    pairs, sources, scores = (tmp_path / name for name in ("xsum.csv", "sources.jsonl", "scores.jsonl"))
    rows = ["bbcid,system,summary,is_factual,worker_id", "7,PtGen,Rosa bought five apples.,yes,w1"]
    pairs.write_text("\n".join([*rows, "8,PtGen,Rosa sold a boat.,no,w1"]) + "\n")
    sources.write_text(json.dumps({"id": "7", "source": ENGLISH}) + "\n")
    arguments = ["check", "--pairs", str(pairs), "--format", "xsum-factual", "-o", str(scores)]
    with pytest.raises(InputError, match="--sources"):
        CliRunner().invoke(command, arguments, catch_exceptions=False)
    done = CliRunner().invoke(command, [*arguments, "--sources", str(sources), "--fact-acc", "openie"])
    assert done.exit_code == 0, done.output
    known, unknown = (json.loads(line) for line in scores.read_text().splitlines())
    assert (known["id"], known["fact_acc"]) == ("7:PtGen", {"openie": 1})
    assert (unknown["score"], unknown["reason"]) == (None, "its source is unknown")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"source": "a"}, "no text under any of generated, response"),
        ({"answer": "a", "contexts": 7}, "a source of type int"),
        ({"answer": "a", "contexts": [7]}, "a source that is no text"),
        ({"answer": "a", "source": "a", "label": "maybe"}, "label 'maybe'"),
        ({"answer": "a", "source": "a", "score": True}, "score True"),
        ({"answer": "a", "source": "a", "query": 1}, "question 1"),
        ({"messages": [{"role": "user", "content": "a"}]}, "messages without one of the assistant"),
        ({"messages": "a"}, "messages of type str"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: object, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(FormatError, match=message):
        list(tupelo.Checker().pairs(path))
    with pytest.raises(InputError, match="pair 0: "):
        list(tupelo.Checker().pairs([line]))  # type: ignore[list-item]


def test_bad_usage(tmp_path: Path) -> None:
    one = ["a.txt", "--source", "b.txt"]
    for arguments in (
        [],
        ["a.txt"],
        [*one, "--pairs", "c.jsonl"],
        ["--source", "b.txt"],
        [*one, "--sources", "c.jsonl"],
        ["--pairs", "c.jsonl", "--json"],
        ["--pairs", "c.jsonl", "--html", "d.html"],
        [*one, "--min-supported", "90"],
        [*one, "--fail-on", "doubt"],
        [*one, "--min-accuracy", "0.9"],
    ):
        assert run(*arguments).exit_code == 2
    refused = run(__file__, "--source", __file__, "--fact-acc", "magic")
    assert isinstance(refused.exception, UnknownNameError)
