"""Annotation projects from Python, and that the commands print what these calls return."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.annotation import AnnotationProject
from tupelo.core import InputError, UnknownNameError

pytest.importorskip("sqlalchemy", reason="needs the extra 'annotate'")

from tests.annotate.serving import pairs
from tupelo.annotate.people import add_person
from tupelo.annotate.schema import assignments
from tupelo.annotate.tasks.base import Item, ItemRow, RowTask

COMMANDS = {"annotate agreement", "annotate audit", "annotate token list"}

Capture = pytest.CaptureFixture[str]


def _answered(tx: Any) -> None:
    """Two people rate two items each."""
    for name, scores in (("Ann", (5, 2)), ("Bob", (4, 2))):
        person = add_person(tx, name, "annotator", "no password")
        for item, score in enumerate(scores, start=1):
            answer = json.dumps({"score": score, "no_claims": False, "note": ""})
            values = {"item": item, "person": person.id, "state": "submitted", "version": 1, "created": 0}
            values |= {"changed": 0, "suggested": False, "draft_number": 0, "answer_json": answer}
            tx.execute(assignments.insert().values(**values))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[AnnotationProject]:
    rows = tmp_path / "pairs.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in pairs(2)))
    with AnnotationProject.create(tmp_path / "ratings", "accuracy", items=[rows], overlap=2) as made:
        assert made.add(rows) == (2, 0)
        assert made.add(rows) == (0, 2)
        made._open().write(_answered)
        yield made


def test_the_command_measures_what_the_call_returns(
    project: AnnotationProject, tmp_path: Path, capsys: Capture
) -> None:
    report = project.agreement(names=True)
    printed = run(capsys, "annotate", "agreement", tmp_path / "ratings", "--names", "--json").out
    assert json.loads(printed) == json.loads(json.dumps(report.to_dict()))
    assert run(capsys, "annotate", "agreement", tmp_path / "ratings", "--names").out == f"{report}\n"
    assert report.to_dict()["pairs"] == 2
    assert report.to_arrow().column("question").to_pylist() == ["score"]
    assert "<th>alpha</th>" in report._repr_html_()


def test_answers_come_as_a_file_or_as_bytes(project: AnnotationProject, tmp_path: Path, capsys: Capture) -> None:
    made = project.export(tmp_path / "answers.jsonl", what="answers", names=True)
    assert (tmp_path / "answers.jsonl").read_bytes() == made.data
    assert made.rows == 4
    printed = run(capsys, "annotate", "export", tmp_path / "ratings", "--what", "answers", "--names").out
    assert printed.encode() == made.data


def test_links_lead_to_the_server(project: AnnotationProject) -> None:
    links = project.invite("reviewer", 2, url="https://x.example/")
    assert len(set(links)) == 2
    assert all(link.startswith("https://x.example/invite/") for link in links)


def test_tokens_and_the_audit_log_are_what_the_commands_print(
    project: AnnotationProject, tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "ratings"
    made = project.make_token("ann", ["read", "answer"], label="nightly", days=3)
    printed = run(capsys, "annotate", "token", "create", folder, "Bob", "--label", "other").out.strip()
    assert made[:4] == printed[:4] == "tup_"
    listed = project.tokens()
    assert [(one["person"], one["label"], one["prefix"]) for one in listed] == [
        ("Bob", "other", printed[:10]),
        ("Ann", "nightly", made[:10]),
    ]
    assert json.loads(run(capsys, "annotate", "token", "list", folder, "--json").out) == {"tokens": listed}
    assert run(capsys, "annotate", "token", "revoke", folder, "1").status == 0
    lines = run(capsys, "annotate", "token", "list", folder).out.splitlines()
    assert [line.split()[-1] == "revoked" for line in lines] == [False, True]
    project.revoke_token(2)
    log = project.audit()
    assert [event["kind"] for event in log.events] == ["import", "token", "token", "token", "token"]
    assert json.loads(run(capsys, "annotate", "audit", folder, "--json").out) == log.to_dict()
    assert run(capsys, "annotate", "audit", folder).out == f"{log}\n"
    assert run(capsys, "annotate", "audit", folder, "--since", "2100-01-01").out == "no events\n"
    assert log.to_arrow().column("about").to_pylist() == [None, "Ann", "Bob", "Ann", "Bob"]
    refused = run(capsys, "annotate", "token", "create", folder, "Ann", "--scope", "export")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert run(capsys, "annotate", "token", "revoke", folder, "77").status == 2
    assert run(capsys, "annotate", "audit", folder, "--since", "yesterday").status == 2


def test_a_person_is_exported_and_erased_by_name(project: AnnotationProject, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "ratings"
    data = project.person_data("ANN")
    run(capsys, "annotate", "person", "export", folder, "Ann", "-o", tmp_path / "ann.json")
    written = json.loads((tmp_path / "ann.json").read_text())
    # The second one has the record of the first.
    assert [one["kind"] for one in written["records"]] == ["data"]
    assert {**written, "records": [], "time": ""} == {**json.loads(json.dumps(data)), "time": ""}
    assert [one["answer"]["score"] for one in data["assignments"]] == [5, 2]
    before = project.agreement().to_dict()
    done = run(capsys, "annotate", "person", "erase", folder, "Ann", "--yes")
    assert done.out == "now called erased-1; 0 records changed\n"
    assert project.erase_person("Bob").label == "erased-2"
    assert project.agreement().to_dict() == before
    assert b'"annotator": "erased-1"' in project.export(what="answers", names=True).data
    missing = run(capsys, "annotate", "person", "erase", folder, "Ann", "--yes")
    assert (missing.status, missing.err.count("\n")) == (2, 1)


def test_nobody_is_erased_without_a_yes(
    project: AnnotationProject, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(capsys, "annotate", "person", "erase", tmp_path / "ratings", "Ann").status == 1
    assert project.person_data("Ann")["person"]["name"] == "Ann"


def test_mistakes_say_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'tuples'"):
        AnnotationProject.create(tmp_path / "x", "tupels")
    with pytest.raises(InputError, match=r"project\.toml"):
        AnnotationProject(tmp_path / "missing")


class Moods(RowTask):
    """Is a text happy or sad?"""

    name = "test-moods"
    version = 1
    reads = "rows"
    writes = "rows"
    title = "Say whether a text is happy"

    def item(self, row: ItemRow) -> Item:
        return Item(str(row["id"]), {"text": row["text"]})

    def validate(self, item: Item, answer: Any, seed: str) -> dict[str, Any]:
        return {"happy": bool(answer["happy"])}

    def grade(self, item: Item, answer: dict[str, Any], gold: dict[str, Any]) -> float:
        return float(answer == gold)

    def export(self, item: Item, answer: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"id": item.id, **answer}]


def test_a_task_of_another_package_works_from_every_command(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tupelo.annotate.app import page_files

    monkeypatch.setitem(tupelo.annotation.TASKS._registered, "test-moods", Moods())
    listed = run(capsys, "annotate", "init", "--help").out
    assert "Say whether a text is happy" in listed
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "a", "text": "Hooray."}\n')
    folder = tmp_path / "moods"
    assert run(capsys, "annotate", "init", folder, "--task", "test-moods", "--items", rows).status == 0
    assert run(capsys, "annotate", "import", folder, rows).out == "1 new items, 0 known\n"
    assert run(capsys, "annotate", "export", folder).status == 0
    assert "0 items with two answers" in run(capsys, "annotate", "agreement", folder).out
    # Without a page of its own it is shown and answered as JSON.
    files = page_files(tupelo.annotation.TASKS.get("test-moods"), "test-moods")
    assert files["task-test-moods.js"] == files["task-json.js"]
    monkeypatch.setattr(Moods, "page", "export const show = 1;", raising=False)
    assert page_files(Moods(), "test-moods")["task-test-moods.js"] == b"export const show = 1;"
