"""Programs as extractors: small Python programs stand for the systems of others."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.extract.trees import BORN, bare
from tupelo.core import Extraction, FormatError, InputError, Span
from tupelo.extract import EXTRACTORS
from tupelo.io.services import LocalServices

ECHO = """
import sys
for line in sys.stdin.read().splitlines()[::-1]:
    words = line.split()
    if len(words) > 2:
        print(line, 0.5, words[1], words[0], " ".join(words[2:]), sep="\\t")
"""


def program(folder: Path, code: str) -> str:
    path = folder / "program.py"
    path.write_text(code, encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def run(argument: str, analyses: list, **settings: str) -> list[list[Extraction]]:
    extractor = EXTRACTORS.get("command")(argument, settings, LocalServices({}))
    return list(extractor.extract(analyses))


@pytest.mark.process
def test_sentences_go_through_a_program_and_tuples_find_their_sentence_in_any_order(tmp_path: Path) -> None:
    sentences = [bare("Ann sells old boats"), bare("Rain ."), bare("Bo reads"), bare("Cy hums a tune")]
    first, second, third, fourth = run(program(tmp_path, ECHO), sentences)
    assert [str(item) for item in first] == ["(Ann; sells; old boats)"]
    assert second == third == []
    assert [str(item) for item in fourth] == ["(Cy; hums; a tune)"]


@pytest.mark.process
def test_parts_get_their_place_and_tuples_their_maker(tmp_path: Path) -> None:
    ((item,),) = run(program(tmp_path, ECHO), [bare("Ann sells old boats")])
    assert item.args[0].spans == (Span(10, 19),)
    assert item.args[0].tokens == (2, 3)
    assert item.confidence == 0.5
    assert item.extractor == sys.executable
    assert item.sentence.tokens == ("Ann", "sells", "old", "boats")


@pytest.mark.process
def test_words_that_are_not_in_the_sentence_are_kept_as_they_came(tmp_path: Path) -> None:
    code = 'print("Ann was born in Oslo.", 1, "is a native of", "Ann", "Oslo", sep="\\t")'
    ((item,),) = run(program(tmp_path, code), [BORN])
    assert item.rel.text == "is a native of"
    assert item.rel.spans is None
    assert item.args[0].tokens == (4,)


@pytest.mark.process
def test_a_sentence_that_comes_twice_is_asked_about_once_and_answered_twice(tmp_path: Path) -> None:
    # A second question would give a second, equal tuple to each.
    sentence = bare("Ann sells boats")
    first, second = run(program(tmp_path, ECHO), [sentence, sentence])
    assert first == second
    assert len(first) == 1


@pytest.mark.process
def test_a_program_may_be_started_for_every_few_sentences(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = f"{ECHO}\nwith open({str(log)!r}, 'a') as log: log.write('started\\n')"
    found = run(program(tmp_path, code), [bare(f"Ann sells boat {n}") for n in range(5)], block="2")
    assert [len(items) for items in found] == [1] * 5
    assert log.read_text().count("started") == 3


@pytest.mark.process
def test_a_format_without_sentences_is_matched_by_number(tmp_path: Path) -> None:
    code = 'print("2", "Bo", "reads", "books", sep="\\t")'
    first, second = run(program(tmp_path, code), [bare("Ann sells boats"), bare("Bo reads books")], format="benchie")
    assert first == []
    assert [str(item) for item in second] == ["(Bo; reads; books)"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit('no model found')", "ended with status 1: no model found"),
        ("print('no tabs here')", r"output of .*:1: 1 field\(s\), expected"),
        ("print('Else', 1, 'is', 'x', 'y', sep='\\t')", "a sentence that it was not given: 'Else'"),
        ("import sys; sys.stdout.buffer.write(b'\\xff')", "byte 1 is not UTF-8"),
    ],
)
def test_a_program_that_fails_is_named_with_the_reason(tmp_path: Path, code: str, message: str) -> None:
    with pytest.raises((InputError, FormatError), match=message):
        run(program(tmp_path, code), [bare("Ann sells boats")])


@pytest.mark.process
def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"took longer than 0\.2 seconds for 1 sentence"):
        run(program(tmp_path, "import time; time.sleep(60)"), [bare("Ann sells boats")], timeout="0.2")


@pytest.mark.process
def test_a_program_that_reads_nothing_is_no_error(tmp_path: Path) -> None:
    assert run(program(tmp_path, "pass"), [bare("word " * 50_000)]) == [[]]


@pytest.mark.process
@pytest.mark.parametrize(
    ("argument", "settings", "message"),
    [
        ("", {}, "names no program"),
        ("'open", {}, "No closing quotation"),
        ("cat", {"format": "crab"}, "no format named 'crab'"),
        ("cat", {"format": "parquet"}, "no text format"),
        ("cat", {"blok": "3"}, "no setting of 'command' named 'blok'. Did you mean 'block'"),
        ("cat", {"block": "0"}, "expected a whole number, 1 or more"),
        ("/no/such/program", {}, "No such file"),
    ],
)
def test_bad_usage_is_one_clear_error(argument: str, settings: dict[str, str], message: str) -> None:
    with pytest.raises((InputError, LookupError), match=message):
        run(argument, [bare("Ann sells boats")], **settings)


def test_without_the_outside_world_the_error_says_how_to_give_it() -> None:
    with pytest.raises(InputError, match="services="):
        EXTRACTORS.get("command")("cat", {}, None)
