from __future__ import annotations

from pathlib import Path

import pytest

from tupelo.core import Analysis, Constituent, Entity, FormatError, Passage, UnknownNameError, Word
from tupelo.io.analyses import ANALYSIS_FORMATS, analysis_format, read_analyses, write_analyses
from tupelo.io.text import read_passages

GO = Analysis(
    "Go, Ann",
    (
        Word("Go", 3, 5, "go", "VERB", "VB", "", None, "root"),
        Word(",", 5, 6, ",", "PUNCT", ",", "", 0, "punct"),
        Word("Ann", 7, 10, "Ann", "PROPN", "NNP", "Number=Sing", 0, "vocative"),
    ),
    start=3,
    constituents=(Constituent("ROOT", 0, 3), Constituent("S", 0, 3)),
    entities=(Entity("person", 2, 3),),
    id="1",
    document_id="d",
)


@pytest.mark.model
def test_json_lines_keep_everything(tmp_path: Path) -> None:
    path = tmp_path / "go.jsonl.gz"
    write_analyses(path, [GO, Analysis("", ())], "jsonl")
    assert read_analyses(path, "jsonl") == [GO, Analysis("", ())]


@pytest.mark.model
def test_every_format_writes_and_reads_the_words(tmp_path: Path) -> None:
    for name in ANALYSIS_FORMATS:
        path = tmp_path / name
        write_analyses(path, [GO], name)
        assert [word.text for word in read_analyses(path, name)[0].words] == ["Go", ",", "Ann"]


@pytest.mark.model
def test_a_sentence_without_words_is_no_block_of_conllu(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    write_analyses(path, [Analysis("", ()), GO], "conllu")
    assert path.read_text(encoding="utf-8").count("# text") == 1


@pytest.mark.model
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("[]", "no analysis"),
        ("{}", "no analysis"),
        ('{"text": "x", "words": [1]}', "no analysis"),
        ("nonsense", "not JSON"),
        ('{"text":"x","words":[{}],"entities":[{}]}', "no analysis"),
        (
            '{"text":"x","words":[{}],"mentions":[{"entity":0,"start":0,"end":2,"head":0,"label":""}]}',
            r"no analysis \(ValueError: mention \[0, 2\) with head 0 in 1 words\)",
        ),
    ],
)
def test_a_line_that_is_no_analysis_is_named(tmp_path: Path, line: str, found: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=rf"bad\.jsonl:1: {found}"):
        read_analyses(path, "jsonl")


def test_an_unknown_format_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'conllu'"):
        analysis_format("conlu")


@pytest.mark.model
@pytest.mark.parametrize(
    "text", ["", "One.\n\nTwo.", "\ufeffBOM", "a" * 500_000, "word " * 100_000, "é\n" * 120_000, "汉" * 300_000]
)
def test_blocks_together_are_the_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    passages = list(read_passages([str(path)], lines=False))
    plain = text.removeprefix("\ufeff")
    assert "".join(passage.text for passage in passages) == plain
    assert all(plain.startswith(passage.text, passage.start) for passage in passages)
    assert all(len(passage.text) <= 500_000 for passage in passages)


@pytest.mark.model
def test_lines_of_several_files_carry_the_name_of_their_file(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_text("One.\n\nTwo.\n", encoding="utf-8")
    passages = list(read_passages([str(path) for path in paths], lines=True))
    assert passages[:3] == [
        Passage(text, start, str(paths[0])) for text, start in (("One.", 0), ("", 5), ("Two.", 6))
    ]
    assert passages[3].document_id == str(paths[1])


@pytest.mark.model
def test_a_byte_that_is_no_utf8_is_blamed_on_its_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"one\ntwo\ncaf\xe9 three\n")
    with pytest.raises(FormatError, match=r"latin\.txt:3: byte 0xe9 is not UTF-8, expected UTF-8 text"):
        list(read_passages([str(path)], lines=False))
