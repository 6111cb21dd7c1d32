"""`tupelo read` and `tupelo.documents`: what is read of files, and what is left out."""

from __future__ import annotations

import json

import pytest

import tupelo
from tests.cli.runner import run

PAGE = "<title>Acme</title><nav>Home</nav><h1>Acme</h1><p>Ann &lt;founded&gt; it.</p>"
PAGE += "<table><tr><th>A<th>B<tr><td>1<td>2</table>"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.txt").write_text("Ann: hi\nBo: hello\nAnn: bye\n")
    return tmp_path


def test_text_has_kinds_and_reasons(capsys, folder):
    outcome = run(capsys, "read", folder / "a.html")
    assert outcome.status == 0
    lines = [line.split(maxsplit=1) for line in outcome.out.splitlines()[1:]]
    assert lines == [
        ["(menu)", "Home"],
        ["title", "Acme"],
        ["paragraph", "Ann <founded> it."],
        ["table", "A | B"],
        ["1", "| 2"],
    ]


def test_json_and_a_page(capsys, folder):
    found = json.loads(run(capsys, "read", folder, "--format", "json").out)
    assert [document["source"].rpartition("/")[2] for document in found["documents"]] == ["a.html", "b.txt"]
    assert found["documents"][0]["left_out"] == [{"kind": "paragraph", "reason": "menu", "text": "Home"}]
    assert [block["speaker"] for block in found["documents"][1]["blocks"]] == ["Ann", "Bo", "Ann"]
    page = folder / "read.html"
    assert run(capsys, "read", folder / "a.html", "--format", "html", "-o", page).status == 0
    assert "Ann &lt;founded&gt; it." in page.read_text()
    assert "<td>1</td><td>2</td>" in page.read_text()


def test_everything_is_kept_on_request(capsys, folder):
    assert "(menu)" not in run(capsys, "read", folder / "a.html", "--boilerplate").out


def test_what_cannot_be_read_is_named(capsys, folder):
    (folder / "c.eml").write_text("no mail")
    (folder / "d.png").write_bytes(b"x")
    outcome = run(capsys, "read", folder)
    assert outcome.status == 1
    assert "c.eml: no From, Date or Subject, expected a mail" in outcome.err
    assert "1 passed over, not a known kind of document" in outcome.err
    assert run(capsys, "read", folder / "none.txt").status == 2


def test_documents_can_be_extracted_from(folder):
    found = tupelo.documents.read(folder / "b.txt")
    assert [row["kind"] for row in found.rows()] == ["turn", "turn", "turn"]
    assert found.failed == ()
    with pytest.raises(tupelo.TupeloError, match="no documents, expected files"):
        tupelo.documents.read()
