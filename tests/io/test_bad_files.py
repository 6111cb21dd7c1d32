"""The fault corpus: one fault a file, named after the fault, and the one line that each must give.

`bad/messages.tsv` lists every file with its message; a new bad file needs a new line there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.runner import run
from tupelo.io.formats import FORMATS, TextFormat

CORPUS = Path(__file__).parent / "bad"
MESSAGES = dict(
    line.split("\t", 1) for line in (CORPUS / "messages.tsv").read_text(encoding="utf-8").splitlines() if line
)
FILES = sorted(str(path.relative_to(CORPUS)) for path in CORPUS.glob("*/*"))


def test_every_format_has_bad_files() -> None:
    assert {Path(name).parent.name for name in FILES} == set(FORMATS)


@pytest.mark.model
def test_every_bad_file_has_its_message() -> None:
    assert sorted(MESSAGES) == FILES


def without_foreign_words(message: str) -> str:
    """Drop what a library says in brackets, because it changes with its version."""
    return re.sub(r"(broken [^(]*) \(.*\)", r"\1 (…)", message)


@pytest.mark.model
@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_gives_one_line_and_nothing_else(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    format_name = Path(name).parent.name
    output = tmp_path / "out.jsonl"
    outcome = run(capsys, "convert", CORPUS / name, output, "--from", format_name)
    assert outcome.status == 2
    assert outcome.out == ""
    assert without_foreign_words(outcome.err) == f"tupelo: {CORPUS / name}:{MESSAGES[name]}\n"
    assert list(tmp_path.iterdir()) == []
    if isinstance(FORMATS.get(format_name), TextFormat):
        line, _, _ = MESSAGES[name].partition(":")
        assert int(line) >= 1
