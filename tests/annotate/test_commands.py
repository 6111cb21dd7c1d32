"""`tupelo annotate`: from an empty folder to a file of answers, as typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.annotate.serving import Visitor
from tests.annotate.test_quality import tuples
from tests.cli.runner import run


@contextmanager
def served(folder, *options):
    """A server of its own process; the visitor has come in by the first admin's link."""
    command = [sys.executable, "-m", "tupelo", "annotate", "serve", str(folder), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline() for _ in range(3)]
        address, _, token = lines[2].strip().rpartition("/invite/")
        visitor = Visitor(int(address.rpartition(":")[2]))
        visitor.join(token, "Root")
        yield visitor, lines
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()


def test_from_init_to_export(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("Ann met Bob.\nDogs bark.\n")
    project = tmp_path / "birds"
    made = run(capsys, "annotate", "init", str(project), "--task", "tuples", "--items", str(tmp_path / "mine.txt"))
    assert made.status == 0, made.err
    assert "annotate serve" in made.out
    assert (project / "mine.txt").exists()
    assert not (project / "items.txt").exists()
    with served(project) as (root, lines):
        assert lines[0] == "birds: 2 items (2 new), task tuples\n"
        assert root.get("/").status == 200
        assert root.get("/static/style.css").headers["content-type"].startswith("text/css")
        assignment = root.post("/api/assignments").body["assignment"]
        assert root.hand_in(assignment, tuples(([1], [[0], [2]]))).status == 200
        # Links that the server makes lead to where it is.
        url = root.post("/api/invitations", {"role": "annotator"}).body["url"]
        assert url.startswith(f"http://127.0.0.1:{root.port}/invite/")
    out = run(capsys, "annotate", "export", str(project), "--format", "tab")
    assert out.out == "Ann met Bob.\t1.0\tmet\tAnn\tBob\n"
    named = run(
        capsys, "annotate", "export", str(project), "--what", "answers", "--names", "-o", str(tmp_path / "all.jsonl")
    )
    assert named.status == 0
    assert '"Root"' in (tmp_path / "all.jsonl").read_text()
    assert "0 items with two answers" in run(capsys, "annotate", "agreement", str(project)).out
    assert json.loads(run(capsys, "annotate", "agreement", str(project), "--json").out)["items"] == 0


def test_invite_and_import(tmp_path, capsys):
    project = tmp_path / "ratings"
    assert run(capsys, "annotate", "init", str(project), "--task", "accuracy", "--overlap", "5").status == 0
    assert "overlap = 5" in (project / "project.toml").read_text()
    more = tmp_path / "more.jsonl"
    more.write_text('{"id": "m1", "source": "Ann sang.", "generated": "Ann sang."}\n')
    assert run(capsys, "annotate", "import", str(project), str(more)).out == "1 new items, 0 known\n"
    assert run(capsys, "annotate", "import", str(project), str(more)).out == "0 new items, 1 known\n"
    links = run(capsys, "annotate", "invite", str(project), "-n", "3", "--url", "https://x.example").out.splitlines()
    assert len(set(links)) == 3
    assert all(link.startswith("https://x.example/invite/") for link in links)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["init", "{}/new", "--task", "tupels"], "Did you mean 'tuples'"),
        (["init", "{}", "--task", "tuples"], "there is something already"),
        (["init", "{}/new", "--task", "tuples", "--items", "{}/missing.txt"], "missing.txt"),
        (["init", "{}/new", "--task", "tuples", "--url", "nowhere"], "expected an address"),
        (["serve", "{}/missing"], "project.toml"),
        (["export", "{}/missing"], "project.toml"),
        (["export", "{}"], "no project in this database"),
        (["invite", "{}"], "no project in this database"),
        (["import", "{}", "{}/missing.txt"], "missing.txt"),
        (["agreement", "{}", "--database", "mysql://x/y"], "expected sqlite or postgresql"),
        (["serve", "{}", "--host", "999.1.1.1"], "999.1.1.1"),
    ],
)
def test_a_mistake_is_one_line(tmp_path, capsys, arguments, message):
    (tmp_path / "project.toml").write_text('[project]\nname = "x"\ntask = "tuples"\n')
    done = run(capsys, "annotate", *[argument.format(tmp_path) for argument in arguments])
    assert done.status == 2
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert os.listdir(tmp_path) == ["project.toml"] or arguments[0] == "import"


def test_an_import_that_fails_adds_nothing(tmp_path, capsys):
    (tmp_path / "project.toml").write_text('[project]\nname = "x"\ntask = "accuracy"\n')
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text('{"id": "a", "source": "x", "generated": "y"}\n')
    bad.write_text('{"id": "b", "source": "x"}\n')
    assert run(capsys, "annotate", "import", str(tmp_path), str(good), str(bad)).status == 2
    assert run(capsys, "annotate", "import", str(tmp_path), str(good)).out == "1 new items, 0 known\n"


def test_the_database_can_come_from_the_environment(tmp_path, capsys, postgres_server, monkeypatch):
    from tests.annotate.postgres import new_database

    (tmp_path / "project.toml").write_text('[project]\nname = "x"\ntask = "accuracy"\n')
    (tmp_path / "items.jsonl").write_text('{"id": "a", "source": "x", "generated": "y"}\n')
    monkeypatch.setenv("TUPELO_ANNOTATE_DATABASE", new_database(postgres_server))
    assert (
        run(capsys, "annotate", "import", str(tmp_path), str(tmp_path / "items.jsonl")).out
        == "1 new items, 0 known\n"
    )
    assert "annotations.sqlite" not in os.listdir(tmp_path)
