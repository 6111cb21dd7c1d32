"""Files about who is who."""

from __future__ import annotations

from pathlib import Path

import pytest

from tupelo.core import FormatError
from tupelo.core.statement import Alias, Correction
from tupelo.io.identity import corrections_text, read_aliases, read_corrections

pytestmark = pytest.mark.model


def written(folder: Path, text: str) -> Path:
    path = folder / "names.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_aliases_of_both_forms(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "Norwegian Kelp Institute\tKelp House\torganization\n\nAnn Lee\tAnnie\n"
        '{"canonical": "Ann Lee", "alias": "A. L.", "type": "person"}\nAnn Lee\tLee Ltd\t\tnever\n',
    )
    assert read_aliases(path) == (
        Alias("Norwegian Kelp Institute", "Kelp House", "organization"),
        Alias("Ann Lee", "Annie"),
        Alias("Ann Lee", "A. L.", "person"),
        Alias("Ann Lee", "Lee Ltd", None, "never"),
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("Ann Lee Annie", "2: 1 field(s), expected a canonical name, an alias and perhaps a type and a rule"),
        ("a\tb\tc\td\te", "2: 5 field(s), expected a canonical name"),
        ("a\tb\tperson\talways", "2: rule 'always', expected never, or nothing"),
        ("Ann Lee\t ", "2: an empty name, expected"),
        ("Ann Lee\tAnnie\thuman", "2: type 'human', expected one of datetime, event"),
        ("Bo Lee\tAnnie", "2: 'Annie' stands for 'Bo Lee' and, in an earlier line, 'Ann Lee', expected one"),
        ('{"canonical": "Ann Lee"}', "2: a value that is missing or no text, expected strings"),
        ('{"canonical": ', "2: not JSON"),
    ],
)
def test_bad_line_of_aliases_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = written(tmp_path, f"Ann Lee\tAnnie\n{line}\n")
    with pytest.raises(FormatError) as caught:
        read_aliases(path)
    assert str(caught.value).startswith(f"{path}:{complaint}")


def test_corrections_survive_a_file(tmp_path: Path) -> None:
    corrections = (
        Correction("same", "Obama", "Barack Obama"),
        Correction("different", "Paris", "Paris", "travel@home.txt", "news.txt"),
        Correction("same", "@tupelo", "Tupelo"),
    )
    assert read_corrections(written(tmp_path, corrections_text(corrections))) == corrections


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("same\tObama", "1: 2 field(s), expected same or different and two names"),
        ("equal\tObama\tBarack Obama", "1: verdict 'equal', expected same or different"),
        ("same\tObama@\tBarack Obama", "1: 'Obama@', expected a name, or a name and a source"),
        ("same\t\tBarack Obama", "1: '', expected a name"),
    ],
)
def test_bad_line_of_corrections_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = written(tmp_path, line + "\n")
    with pytest.raises(FormatError) as caught:
        read_corrections(path)
    assert str(caught.value).startswith(f"{path}:{complaint}")
