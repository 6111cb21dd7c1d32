"""Several projects in one server: each at its own path, and nothing of one opens another."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.annotate.serving import Live, Setting, Visitor, make_setting, pairs
from tests.cli.runner import run
from tests.sockets import serving
from tupelo.annotate.app import Several, make_app, path_names, start_page
from tupelo.annotate.people import make_link
from tupelo.annotate.project import Serving, below
from tupelo.annotate.tokens import make_token
from tupelo.core import InputError
from tupelo.web.server import WebServer


@dataclass
class Below(Visitor):
    """A visitor of the project at a path."""

    base: str = ""

    def send(self, method: str, path: str, *more: Any, **named: Any) -> Any:
        return super().send(method, self.base + path, *more, **named)


@dataclass
class Project(Live):
    base: str = ""

    def visitor(self) -> Below:
        return Below(self.port, base=self.base)


@contextmanager
def several(folder: Path, *names: str, url: str | None = None):
    """Projects on a free port; each is called by the name of its folder."""
    server = WebServer("127.0.0.1", 0)
    port = server.port
    settings = []
    for name in names:
        folder.joinpath(name).mkdir()
        made = make_setting(folder / name, rows=pairs(3))
        project = replace(made.desk.project, name=name.upper(), server=Serving(url or f"http://127.0.0.1:{port}"))
        settings.append(Setting(replace(made.desk, project=below(project, name)), made.clock, made.folder))
    apps = {name: make_app(setting.desk) for name, setting in zip(names, settings, strict=True)}
    app = Several(start_page([setting.desk for setting in settings]), apps)
    with serving(server, app):
        yield [Project(setting, port, f"/{name}") for name, setting in zip(names, settings, strict=True)]


@pytest.mark.slow
def test_each_project_is_served_whole_under_its_own_path(tmp_path):
    with several(tmp_path, "birds", "boats") as (birds, boats):
        ann = birds.enter("Ann")
        given = ann.post("/api/assignments").body["assignment"]
        assert ann.hand_in(given, {"score": 4}).status == 200
        assert ann.get("/api/session").body["project"]["name"] == "BIRDS"
        ada = boats.enter("Ada", "admin")
        assert ada.get("/api/session").body["project"]["name"] == "BOATS"
        octets = {"Content-Type": "application/octet-stream"}
        row = b'{"id": "new", "source": "x", "generated": "y"}\n'
        assert ada.send("POST", "/api/import", raw=row, headers=octets).body == {"items": 1, "known": 0}
        for path in ("", "/", "/work", "/people"):
            page = ada.get(path)
            assert page.status == 200
            assert b'src="/boats/static/main.js"' in page.data
        assert ada.get("/static/main.js").headers["content-type"].startswith("text/javascript")
        assert boats.visitor().get("/people").headers["location"] == "/boats/login?to=/people"
        assert (
            ada.post("/api/invitations", {"role": "annotator"})
            .body["url"]
            .startswith(f"http://127.0.0.1:{boats.port}/boats/invite/")
        )
        assert ada.get("/api/openapi.json").body["servers"] == [{"url": "/boats"}]
        assert ada.get("/api/session").headers["cache-control"] == "no-store"


def test_a_session_of_one_project_is_worth_nothing_in_another(tmp_path):
    with several(tmp_path, "birds", "boats") as (birds, boats):
        ada = birds.enter("Ada", "admin")
        assert set(ada.cookies) == {"tupelo-birds"}
        thief = boats.visitor()
        thief.csrf = ada.csrf
        for name in ("tupelo-birds", "tupelo-boats", "tupelo"):
            thief.cookies = {name: ada.cookies["tupelo-birds"]}
            assert thief.get("/api/session").body["person"] is None
            assert thief.get("/api/people").code == "not-signed-in"
            assert thief.post("/api/invitations", {"role": "admin"}).code == "not-signed-in"
        # The same person may have another role here, and signing in there changes nothing here.
        other = boats.enter("Ada")
        other.cookies |= ada.cookies
        assert other.get("/api/people").code == "forbidden"
        other.base = "/birds"
        other.csrf = ada.csrf
        assert other.get("/api/people").status == 200
        other.post("/api/logout")
        other.base = "/boats"
        assert other.get("/api/session").body["person"]["role"] == "annotator"


def test_a_password_a_link_and_a_token_open_their_own_project_only(tmp_path):
    with several(tmp_path, "birds", "boats") as (birds, boats):
        birds.enter("Ada", "admin")
        boats.enter("Bob", "admin")
        assert boats.visitor().login("Ada").status == 401
        assert birds.visitor().login("Ada").status == 200
        _, link = make_link(birds.setting.desk, "admin")
        assert boats.visitor().get(f"/api/invitations/{link}").code == "not-found"
        _, token = make_token(birds.setting.desk, 1, "robot", ["read", "export"])
        bearer = {"Authorization": f"Bearer {token}"}
        assert birds.visitor().send("GET", "/api/items", headers=bearer).status == 200
        assert boats.visitor().send("GET", "/api/items", headers=bearer).code == "not-signed-in"
        assert boats.visitor().send("GET", "/api/export", headers=bearer).code == "not-signed-in"


def test_the_start_page_lists_what_a_person_may_see_and_no_more(tmp_path):
    with several(tmp_path, "birds", "boats", "bridges") as (birds, boats, _):
        visitor = Visitor(birds.port)
        assert visitor.get("/").data.startswith(b"<!doctype html>")
        assert visitor.get("/api/projects").body == {"projects": []}
        for reply in (visitor.get("/"), visitor.get("/api/projects"), visitor.get("/nowhere")):
            assert b"birds" not in reply.data.lower()
            assert "default-src 'none'" in reply.headers["content-security-policy"]
        visitor.cookies |= birds.enter("Ann").cookies | boats.enter("Ann", "reviewer").cookies
        listed = visitor.get("/api/projects").body["projects"]
        assert [(one["path"], one["name"], one["role"]) for one in listed] == [
            ("/birds/", "BIRDS", "annotator"),
            ("/boats/", "BOATS", "reviewer"),
        ]
        assert visitor.get("/nowhere").status == 404
        assert visitor.get("/api/people").status == 404
        visitor.host = "evil.example"
        assert (visitor.get("/").status, visitor.get("/birds/").status) == (421, 421)


@pytest.mark.parametrize(
    "path", ["/birds/../boats/api/people", "/birds//api/people", "//birds/api/people", "/Birds/"]
)
def test_no_path_leads_from_one_project_into_another(tmp_path, path):
    with several(tmp_path, "birds", "boats") as (birds, boats):
        boats.enter("Bob", "admin")
        visitor = Visitor(birds.port, birds.enter("Ada", "admin").cookies)
        reply = visitor.get(path)
        assert reply.status in (401, 404)
        assert b"Bob" not in reply.data


def test_over_https_the_cookie_keeps_its_strictest_form(tmp_path):
    with several(tmp_path, "birds", "boats", url="https://x.example") as (birds, _):
        _, link = make_link(birds.setting.desk, "annotator")
        visitor = birds.visitor()
        visitor.host = "x.example"
        cookie = visitor.join(link, "Ann").headers["set-cookie"]
        assert cookie.startswith("__Host-tupelo-birds=")
        assert "Path=/;" in cookie
        assert "Secure" in cookie


def test_folders_that_make_no_address_are_refused(tmp_path):
    assert path_names([tmp_path / "a", tmp_path / "b.c-d_e"]) == ["a", "b.c-d_e"]
    for names in (["my project"], ["api"], [".hidden"], ["é"], ["birds", "Birds"]):
        with pytest.raises(InputError, match="expected"):
            path_names([tmp_path / name for name in names])


@pytest.mark.process
def test_several_folders_from_the_command_line(tmp_path, capsys):
    for name in ("birds", "boats"):
        run(capsys, "annotate", "init", tmp_path / name, "--task", "accuracy")
    command = [sys.executable, "-m", "tupelo", "annotate", "serve", str(tmp_path / "birds"), str(tmp_path / "boats")]
    process = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline() for _ in range(6)]
        assert [line.partition(":")[0] for line in lines[:2]] == ["birds", "boats"]
        links = [line.rpartition(" ")[2].strip() for line in lines if "first admin" in line]
        port = int(links[0].split(":")[2].partition("/")[0])
        for name, link in zip(("birds", "boats"), links, strict=True):
            assert link.startswith(f"http://127.0.0.1:{port}/{name}/invite/")
            Below(port, base=f"/{name}").join(link.rpartition("/")[2], "Root")
        # Links made by command lead to where the project is served.
        invited = run(capsys, "annotate", "invite", tmp_path / "boats").out
        assert invited.startswith(f"http://127.0.0.1:{port}/boats/invite/")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stdout.close()


def test_projects_that_cannot_be_served_together_are_one_line(tmp_path, capsys):
    for name in ("birds", "my boats"):
        tmp_path.joinpath(name).mkdir()
        tmp_path.joinpath(name, "project.toml").write_text('[project]\nname = "x"\ntask = "accuracy"\n')
    bad = run(capsys, "annotate", "serve", tmp_path / "birds", tmp_path / "my boats")
    assert (bad.status, bad.err.count("\n")) == (2, 1)
    twice = run(capsys, "annotate", "serve", tmp_path / "birds", tmp_path / "birds")
    assert (twice.status, twice.err.count("\n")) == (2, 1)
    mixed = run(
        capsys, "annotate", "serve", tmp_path / "birds", tmp_path / "my boats", "--database", "postgresql://x/y"
    )
    assert mixed.status == 2
    assert "one project" in mixed.err
    for name in ("birds", "boats"):
        tmp_path.joinpath(name).mkdir(exist_ok=True)
        text = '[project]\nname = "x"\ntask = "accuracy"\ndatabase = "postgresql://x/y"\n'
        tmp_path.joinpath(name, "project.toml").write_text(text)
    same = run(capsys, "annotate", "serve", tmp_path / "birds", tmp_path / "boats")
    assert (same.status, same.err.count("\n")) == (2, 1)
    assert "same database" in same.err
