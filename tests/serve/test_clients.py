"""The clients of the docs against a real server, the command itself, and the container file."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import subprocess
import sys
import tomllib

import pytest
from click.testing import CliRunner

from tests.docs.pages import DOCS, ROOT
from tests.graph.small import write_graph
from tests.serve.serving import Live
from tupelo.cli.serve import serve
from tupelo.core import MissingExtraError

PAGE = (DOCS / "serve.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8780"
TWO = "Ann Lee | founded\nBo Berg | moved to\n"


def shown(language: str, server: Live) -> str:
    """The one client in this language, asking this server."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    [client] = [block for block in blocks if f"{ADDRESS}/v1" in block]
    return str(client).replace(ADDRESS, server.address)


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.model
@pytest.mark.process
@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_client_for_curl(server: Live):
    [record] = json.loads(output("sh", "-c", shown("sh", server)))["records"]
    assert (record["arg1"]["text"], record["rel"]["text"]) == ("Ann Lee", "founded")


@pytest.mark.model
@pytest.mark.process
def test_the_client_in_python(server: Live):
    assert output(sys.executable, "-W", "error", "-c", shown("python", server)) == TWO


@pytest.mark.model
@pytest.mark.process
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_client_in_javascript(server: Live):
    found = output("node", "--input-type=module", "--eval", shown("js", server))
    assert found == TWO


@pytest.mark.process
def test_a_page_without_a_server_from_python():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    [example] = [block for block in blocks if "still_page" in block]
    assert "Ann Lee founded Acme in Rome." in output(sys.executable, "-c", f"{example}\nprint(html)")


@pytest.mark.process
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_the_command_serves_until_it_is_ended_and_leaves_the_graph_as_it_was(tmp_path, end):
    path = write_graph(tmp_path / "kg.duckdb")
    before = path.read_bytes()
    command = [sys.executable, "-m", "tupelo", "serve", "--port", "0", "--graph", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.fullmatch(r"Serving at http://127\.0\.0\.1:(\d+)/  \(Ctrl-C ends\)\n", line)
            assert found, line
            connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)
            connection.request("GET", "/v1/graph/search?words=founded")
            assert json.load(connection.getresponse())["answers"]
            connection.close()
            process.send_signal(end)
            _, errors = process.communicate(timeout=30)
        finally:
            process.kill()
        assert (process.returncode, errors) in ((0, ""), (130, ""), (-signal.SIGKILL, ""))
    assert sorted(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--port", "99999"], "65535"),
        (["--max-text", "0"], "x>=1"),
        (["--queue", "-1"], "0<=x"),
    ],
)
def test_options_out_of_range_are_refused(options, words):
    found = CliRunner().invoke(serve, options)
    assert (found.exit_code, words in found.output) == (2, True), found.output


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "tupelo.web.app", raising=False)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    found = CliRunner().invoke(serve, [])
    assert isinstance(found.exception, MissingExtraError)
    assert "pip install 'tupelo[serve]'" in str(found.exception)


def test_the_container_runs_the_command_as_an_ordinary_user():
    text = (ROOT / "Containerfile").read_text("utf-8")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    assert {name for name, _ in lines} == {
        "ARG",
        "FROM",
        "WORKDIR",
        "COPY",
        "RUN",
        "USER",
        "EXPOSE",
        "HEALTHCHECK",
        "ENTRYPOINT",
    }
    bases = [value.split()[0] for name, value in lines if name == "FROM"]
    assert (lines[0][0], bases) == ("ARG", ["${BASE}"] * 2)
    final = lines[max(at for at, line in enumerate(lines) if line[0] == "FROM") :]
    users = [value for name, value in final if name == "USER"]
    assert users
    assert users[-1] not in ("root", "0")
    # What the build needs is copied, and there: the files that the package names, and its modules.
    copied = {
        source
        for name, value in lines
        if name == "COPY" and not value.startswith("--from")
        for source in value.split()[:-1]
    }
    assert all((ROOT / source).exists() for source in copied), copied
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {"pyproject.toml", "src", about["project"]["readme"]} <= copied
    [install] = [value for name, value in lines if name == "RUN" and "pip install" in value]
    [extra] = re.findall(r"'\.\[(\w+)\]'", install)
    assert extra in about["project"]["optional-dependencies"]
    [place] = re.findall(r"-m venv (\S+)", install)
    assert f"{place}/bin/pip install" in install
    [command] = [json.loads(value) for name, value in final if name == "ENTRYPOINT"]
    assert command[:2] == [f"{place}/bin/{next(iter(about['project']['scripts']))}", "serve"]
    context = serve.make_context("serve", command[2:])
    assert context.params["host"] == "0.0.0.0"
    [port] = [value for name, value in final if name == "EXPOSE"]
    assert int(port) == context.params["port"]
