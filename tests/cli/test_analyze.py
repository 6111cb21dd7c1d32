from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import tupelo
import tupelo.nlp.folder
from tests.cli.runner import run
from tests.nlp.stub_model import StubGraph, write_stub
from tupelo.io.analyses import read_analyses

pytestmark = pytest.mark.model


@pytest.fixture
def parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A parser whose graphs answer arbitrary numbers."""
    monkeypatch.setattr(tupelo.nlp.folder, "OnnxGraph", StubGraph)
    folder = tmp_path / "stub"
    folder.mkdir()
    return f"model:{write_stub(folder)}"


def feed(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(content))))


def test_given_words_are_kept_exactly(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, parser: str
) -> None:
    feed(monkeypatch, b"He did n't -LRB- really -RRB- `` go '' .\nA b\n")
    outcome = run(capsysbinary, "analyze", "--pretokenized", "--format", "conllu", "--parser", parser)  # type: ignore[arg-type]
    assert outcome.status == 0
    lines = outcome.out.decode().splitlines()  # type: ignore[attr-defined]
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert [row[1] for row in rows] == [
        "He",
        "did",
        "n't",
        "-LRB-",
        "really",
        "-RRB-",
        "``",
        "go",
        "''",
        ".",
        "A",
        "b",
    ]
    assert all(len(row) == 10 for row in rows)


@pytest.mark.parametrize("form", ["conllu", "brackets", "jsonl"])
def test_every_format_is_written_to_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, parser: str, form: str
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / f"out.{form}"
    source.write_text("Dogs bark. Cats sleep!\n\nBirds sing.\n", encoding="utf-8")
    outcome = run(capsys, "analyze", source, "-o", target, "--format", form, "--parser", parser, "--batch-size", 2)
    assert (outcome.status, outcome.out) == (0, "")
    text = target.read_text(encoding="utf-8")
    assert "Birds" in text
    if form == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        assert [row["text"] for row in rows] == ["Dogs bark.", "Cats sleep!", "Birds sing."]
        plain = source.read_text(encoding="utf-8")
        assert all(plain[word["start"] : word["end"]] == word["text"] for row in rows for word in row["words"])


@pytest.mark.parametrize("form", ["conllu", "conll", "jsonl"])
def test_mentions_are_linked_within_each_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, parser: str, form: str
) -> None:
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file in files:
        file.write_text("Dogs bark. Cats sleep!\n\nBirds sing to him.\n\n" * 6, encoding="utf-8")
    target = tmp_path / "out"
    given = ("analyze", *files, "-o", target, "--coref", "--format", form, "--parser", parser)
    assert run(capsys, *given).status == 0
    wanted = tupelo.load(parser).analyze(files[0], constituents=False, coreference=True)
    found = [analysis for analysis in read_analyses(target, form) if "two.txt" in (analysis.document_id or "")]
    assert any(chain.mentions[1:] for chain in wanted.chains)
    assert [a.mentions and [(m.entity, m.start, m.end) for m in a.mentions] for a in found] == [
        a.mentions and [(m.entity, m.start, m.end) for m in a.mentions] for a in wanted
    ]
    assert set(wanted.to_dict()) == {"sentences", "chains"}


def test_lines_are_sentences_when_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path, parser: str) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_text("Dogs bark. Cats sleep!\n\nBirds sing.\n", encoding="utf-8")
    assert (
        run(capsys, "analyze", "--lines", source, "-o", target, "--format", "jsonl", "--parser", parser).status == 0
    )
    rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [row["text"] for row in rows] == ["Dogs bark. Cats sleep!", "", "Birds sing."]


def test_the_analyses_of_another_parser_can_be_the_input(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, target = tmp_path / "in.conllu", tmp_path / "out.jsonl"
    source.write_text("1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    assert run(capsys, "analyze", source, "-o", target, "--parser", "conllu", "--format", "jsonl").status == 0
    assert json.loads(target.read_text(encoding="utf-8"))["words"][0]["deprel"] == "root"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["analyze", "missing.txt"], "missing.txt: No such file or directory"),
        (["analyze", "--parser", "enn"], "no parser named 'enn'. Did you mean 'en'?"),
        (["analyze", "--parser", "model:nowhere"], "no model named 'nowhere'. Known: en, "),
        (["analyze", "--parser", "en:x"], "takes no argument"),
        (["show", "x", "--parser", "conllu"], "<input>:1: 1 column(s), expected ten columns"),
    ],
)
def test_bad_input_is_one_line_and_status_two(
    capsys: pytest.CaptureFixture[str], parser: str, arguments: list[str], message: str
) -> None:
    if arguments == ["analyze", "missing.txt"]:
        arguments = [*arguments, "--parser", parser]
    outcome = run(capsys, *arguments)
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_nothing_is_left_behind_when_the_input_is_broken(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, parser: str
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.conllu"
    source.write_bytes(b"fine.\n\nnot \xff fine\n")
    outcome = run(capsys, "analyze", source, "-o", target, "--parser", parser)
    assert outcome.status == 2
    assert "in.txt:3: byte 0xff is not UTF-8" in outcome.err
    assert not target.exists()


def test_the_chains_of_a_text_are_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = (("Nora", "(e1-person-1-)"), ("washed", ""), ("herself", "(e1-person-1-)"))
    text = "# global.Entity = eid-etype-head-other\n"
    for number, (form, mention) in enumerate(rows, start=1):
        text += f"{number}\t{form}" + "\t_" * 7 + f"\t{'Entity=' + mention if mention else '_'}\n"
    target = tmp_path / "chains.svg"
    assert run(capsys, "show", text, "--coref", "-o", target, "--parser", "conllu").status == 0
    picture = target.read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert picture.count("<title>1: Nora</title>") == 2


def test_without_a_text_standard_input_is_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, parser: str
) -> None:
    named = run(capsys, "show", "Dogs chase cats.", "--parser", parser).out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Dogs chase cats.\n"), encoding="utf-8"))
    assert run(capsys, "show", "--parser", parser).out == named


def test_a_sentence_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path, parser: str) -> None:
    target = tmp_path / "tree.svg"
    assert run(capsys, "show", "Dogs chase cats.", "-o", target, "--parser", parser).status == 0
    picture = target.read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "chase" in picture
    only = run(
        capsys,
        "show",
        "Dogs chase cats .",
        "--pretokenized",
        "--tree",
        "dependencies",
        "-o",
        target,
        "--parser",
        parser,
    )
    assert only.status == 0
    assert "ROOT" not in target.read_text(encoding="utf-8")
