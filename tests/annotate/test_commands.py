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
from tupelo.annotate.exchange import read_rows
from tupelo.annotate.project import read_project, with_address
from tupelo.core import InputError


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
        process.wait(60)
        process.stdout.close()


def test_paraphrases_of_built_cliques_are_items(tmp_path, capsys):
    cliques = [{"ori_sent": "Ann left Oslo .", "ori_args": [["left", "Ann", "Oslo"]], "paraphrases": []}]
    for text in ("Oslo was left by Ann .", "It was Ann who left Oslo ."):
        cliques[0]["paraphrases"].append({"sent": text, "args": [["left", "Ann", "Oslo"]]})
    (tmp_path / "cliques.json").write_text(json.dumps(cliques))
    made = run(
        capsys, "annotate", "init", tmp_path / "p", "--task", "paraphrase", "--items", tmp_path / "cliques.json"
    )
    assert made.status == 0, made.err
    rows = read_rows("paraphrases", str(tmp_path / "cliques.json"))
    assert [(row["original"], row["paraphrase"]) for row in rows] == [
        ("Ann left Oslo .", "Oslo was left by Ann ."),
        ("Ann left Oslo .", "It was Ann who left Oslo ."),
    ]


@pytest.mark.process
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


@pytest.mark.process
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


def invited(capsys, folder, *options):
    return run(capsys, "annotate", "invite", folder, *options).out.partition("/invite/")[0]


@pytest.mark.process
def test_links_lead_to_where_the_project_is_served(tmp_path, capsys):
    run(capsys, "annotate", "init", tmp_path / "birds", "--task", "tuples")
    with served(tmp_path / "birds") as (root, lines):
        here = f"http://127.0.0.1:{root.port}"
        assert lines[1].startswith(f"Serving at {here} ")
        assert invited(capsys, tmp_path / "birds") == here
        assert invited(capsys, tmp_path / "birds", "--url", "https://x.example") == "https://x.example"
    # What project.toml says goes before what was noted.
    file = tmp_path / "birds" / "project.toml"
    file.write_text(file.read_text().replace("http://127.0.0.1:8770", "https://annotate.example.org"))
    assert invited(capsys, tmp_path / "birds") == "https://annotate.example.org"


@pytest.mark.parametrize(
    ("host", "names", "url", "expected"),
    [
        ("127.0.0.1", (), None, "http://127.0.0.1:8080"),
        ("0.0.0.0", (), None, "http://127.0.0.1:8080"),
        ("::", (), None, "http://[::1]:8080"),
        ("fd00::7", (), None, "http://[fd00::7]:8080"),
        ("192.0.2.7", (), None, "http://192.0.2.7:8080"),
        ("0.0.0.0", ("birds.example", "owls.example"), None, "http://birds.example:8080"),
        ("127.0.0.1", ("birds.example",), "https://birds.example", "https://birds.example"),
    ],
)
def test_the_address_for_links(tmp_path, host, names, url, expected):
    project = read_project(tmp_path, '[project]\nname = "x"\ntask = "tuples"\n')
    assert with_address(project, host, 8080, names, url).server.url == expected


def test_two_addresses_are_one_too_many(tmp_path):
    text = '[project]\nname = "x"\ntask = "tuples"\n[server]\nurl = "https://birds.example"\n'
    project = read_project(tmp_path, text)
    assert with_address(project, "127.0.0.1", 8080, (), None) == project
    assert with_address(project, "127.0.0.1", 8080, (), "https://birds.example/").server.url.startswith("https:")
    for url in ("https://owls.example", "nowhere"):
        with pytest.raises(InputError, match="expected"):
            with_address(project, "127.0.0.1", 8080, (), url)
