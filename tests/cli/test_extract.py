"""`tupelo extract` from end to end, on sentences that are parsed already."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.runner import run
from tests.extract.chat_server import serve
from tupelo import Graph, load
from tupelo.core import Extraction
from tupelo.extract.parts import is_true_to
from tupelo.graph import BuildOptions
from tupelo.io.tuples import read_records

PARSED = Path(__file__).resolve().parents[1] / "extract" / "harbour.conllu"
RULES = ("extract", PARSED, "--parser", "conllu", "--extractor", "rules")
SENTENCES = 27


def test_a_table_shows_sentences_and_their_tuples(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(capsys, *RULES)
    assert outcome.status == 0
    assert "Marta Solheim, a marine biologist from Bergen, moved to Lindvik in March 2011.\n" in outcome.out
    assert "Lindvik (location); in March 2011 (time)" in outcome.out
    assert "\x1b" not in outcome.out
    assert outcome.err == ""


def test_pronouns_are_resolved_beside_the_text_unless_told_not_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert "She = Marta Solheim" in run(capsys, *RULES).out
    assert "She = Marta Solheim" not in run(capsys, *RULES, "--no-coref").out


@pytest.mark.model
def test_documents_are_read_as_a_graph_reads_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page, notes, plain = tmp_path / "page.html", tmp_path / "notes.md", tmp_path / "plain.txt"
    page.write_text("<head><title>T</title></head><p>Ann Lee founded <b>Acme</b> in Oslo.</p><script>x()</script>")
    notes.write_text("Ann Lee founded **Acme** in Oslo.\n")
    plain.write_text("Ann Lee founded Acme in Oslo.\n")
    expected = run(capsys, "extract", plain, "--extractor", "rules").out
    assert "Ann Lee" in expected
    for document in (page, notes):
        assert run(capsys, "extract", document, "--extractor", "rules").out == expected


def test_explain_names_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    line = next(line for line in run(capsys, *RULES, "--explain").out.splitlines() if "  fourteen people  " in line)
    assert line.endswith("clause")


def test_shorter_forms_and_doubtful_tuples_are_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    command = [*(part for part in RULES if part not in ("--extractor", "rules")), "--format", "tab"]
    shown, every, doubtful = (
        set(run(capsys, *command, *more).out.splitlines()) for more in ((), ("--all",), ("--min-confidence", "0"))
    )
    assert shown < every <= doubtful
    assert min(float(row.split("\t")[1]) for row in shown) >= 0.6


@pytest.mark.model
@pytest.mark.parametrize("name", ["jsonl", "parquet", "tab"])
def test_every_form_holds_the_same_tuples(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    target = tmp_path / f"out.{name}"
    outcome = run(capsys, *RULES, "-o", target, *(["--format", name] if name == "tab" else []))
    assert (outcome.status, outcome.out) == (0, "")
    found = [record for record in read_records(target, name) if isinstance(record, Extraction)]
    assert len(found) > SENTENCES
    assert any(str(item) == "(The station; employs; fourteen people)" for item in found)
    if name != "tab":
        assert all(is_true_to(item.rel, item.sentence) for item in found)
        assert all(item.extractor == "rules" and item.rule for item in found)


def test_sentences_without_tuples_are_not_lost(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in run(capsys, *RULES, "--format", "jsonl").out.splitlines()]
    assert len({row["sentence"]["text"] for row in rows}) == SENTENCES
    assert any("rel" not in row for row in rows)


def test_tab_is_what_carb_reads(capsys: pytest.CaptureFixture[str]) -> None:
    for line in run(capsys, *RULES, "--format", "tab").out.splitlines():
        sentence, confidence, relation, first, *_ = line.split("\t")
        assert sentence
        assert 0 <= float(confidence) <= 1
        assert relation
        assert first


@pytest.mark.model
def test_a_page_is_written_alone_or_beside_other_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    outcome = run(capsys, *RULES, "--html", page)
    assert (outcome.status, outcome.out) == (0, "")
    text = page.read_text("utf-8")
    assert f"{SENTENCES} sentences" in text
    assert "harbour.conllu" in text
    outcome = run(capsys, *RULES, "--html", page, "--format", "tab")
    assert outcome.out.count("\n") > SENTENCES
    assert page.read_text("utf-8") == text


def test_page_and_tuples_cannot_share_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(capsys, *RULES, "--html", "-", "--format", "tab")
    assert outcome.status == 2
    assert "cannot both go to standard output" in outcome.err
    assert run(capsys, *RULES, "--html", "-").out.startswith("<!doctype html>")


def test_widths_and_prepositions_change_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    def arguments(*options: str) -> list[str]:
        rows = map(json.loads, run(capsys, *RULES, "--format", "jsonl", *options).out.splitlines())
        return [part["text"] for row in rows for part in (row.get("arg1"), *row.get("args", ())) if part]

    standard, minimal = arguments(), arguments("--minimal")
    assert sum(map(len, minimal)) < sum(map(len, standard)) <= sum(map(len, arguments("--maximal")))
    assert "to Lindvik" in arguments("--prepositions", "argument")
    assert "to Lindvik" not in standard


def test_unsure_tuples_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(capsys, *RULES, "--format", "tab", "--min-confidence", "0.5").out.splitlines()
    assert rows
    assert all(float(row.split("\t")[1]) >= 0.5 for row in rows)


def test_the_extractors_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "extract", "--list").out
    assert [line.split()[0] for line in out.splitlines()] == ["default", "rules", "llm", "command"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--extractor", "rulez"), "no extractor named 'rulez'. Did you mean 'rules'?"),
        (("--extractor", "rules:x"), "takes no argument"),
        (("--format", "crab"), "no format named 'crab'"),
        (("--set", "x"), "'x' is not NAME=VALUE"),
        (("--set", "x=1"), "x"),
        (("--extractor", "llm"), "names no model"),
        (("--extractor", "command"), "names no program"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    outcome = run(capsys, *RULES, *options)
    assert outcome.status == 2
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert outcome.out == ""


@pytest.mark.model
def test_a_missing_file_leaves_no_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    outcome = run(
        capsys, "extract", tmp_path / "no.conllu", "--parser", "conllu", "--extractor", "rules", "-o", target
    )
    assert outcome.status == 2
    assert "no.conllu: No such file" in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.model
@pytest.mark.process
def test_a_program_of_others_is_run_from_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("for line in open(0): print(line.strip(), 1, 'is', 'X', 'Y', sep='\\t')", encoding="utf-8")
    command = f"command:{shlex.quote(sys.executable)} {shlex.quote(str(program))}"
    outcome = run(capsys, *RULES[:-1], command, "--format", "tab")
    assert outcome.status == 0
    assert outcome.out.count("\tis\tX\tY\n") == SENTENCES


@pytest.mark.model
def test_a_language_model_is_asked_from_the_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("httpx2", reason="needs the extra 'llm'")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("TUPELO_CACHE", str(tmp_path / "cache"))
    with serve() as endpoint:
        endpoint.answer = lambda prompt: "(is, X, Y)"
        options = (*RULES[:-1], "llm:m", "--format", "tab", "--set", f"base-url={endpoint.address}")
        first = run(capsys, *options)
        assert first.out.count("\tis\tX\tY\n") == SENTENCES
        assert f"m: {SENTENCES} question(s), 0 remembered" in first.err
        second = run(capsys, *options)
        assert second.out == first.out
        assert f"m: 0 question(s), {SENTENCES} remembered" in second.err
        assert len(endpoint.requests) == SENTENCES


@pytest.mark.model
def test_a_sentence_beyond_the_limit_is_split_and_the_report_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = tmp_path / "long.txt"
    text.write_text("Ann saw the house " * 30, encoding="utf-8")
    outcome = run(capsys, "extract", str(text), "--extractor", "rules", "--max", "sentence=300", "--format", "jsonl")
    assert outcome.status == 0
    assert "sentences split 1 times: longer than 300 characters or 1,000 words (limit sentence)" in outcome.err
    texts = {json.loads(line)["sentence"]["text"] for line in outcome.out.splitlines()}
    assert all(len(sentence) <= 300 for sentence in texts)


@pytest.mark.model
def test_a_graph_says_which_sentences_were_split(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("Ann saw the house " * 30, encoding="utf-8")
    with Graph.build(
        tmp_path / "long.txt",
        tmp_path / "kg.duckdb",
        nlp=load(extractor="rules"),
        options=BuildOptions(limits={"sentence": 300}),
    ) as graph:
        assert graph.changes is not None
        assert graph.changes.to_dict()["split_sentences"] == 1
        assert "sentences split 1 times, longer than 300 characters" in str(graph.changes)


def test_the_ending_of_the_output_chooses_the_format(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table, people, unknown = tmp_path / "out.csv", tmp_path / "out.txt", tmp_path / "out.xlsx"
    assert run(capsys, *RULES, "-o", table) == (0, "", "")
    assert table.read_text("utf-8").startswith("subject,relation,arguments,confidence,")
    assert "Marta Solheim" in [
        record.arguments[0].text for record in read_records(table) if isinstance(record, Extraction)
    ]
    assert run(capsys, *RULES, "-o", people).status == 0
    assert people.read_text("utf-8") == run(capsys, *RULES).out
    outcome = run(capsys, *RULES, "-o", unknown)
    assert outcome.status == 2
    assert outcome.err == (
        f"tupelo: the ending of '{unknown}' does not say which format to write; name one with --format\n"
    )
    assert not unknown.exists()
