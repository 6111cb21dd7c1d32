"""`tupelo data` as people use it."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run
from tests.io.http_server import Resource, serve
from tests.io.invented import CONTENT, file_at, invented, only_in_catalogue
from tupelo.cli.data import data
from tupelo.io.catalogue import catalogue, markdown_page


@pytest.fixture
def server(monkeypatch, tmp_path):
    """A server with one invented dataset, the only one of the catalogue, and a cache that is empty."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("TUPELO_CACHE", str(tmp_path / "cache"))
    with serve() as site:
        entry = invented(
            file_at(site.address, "dev.txt", split="dev", format="tab"),
            file_at(site.address, "test.txt", split="test", verified=False, note="has a note"),
        )
        for path in ("/dev.txt", "/test.txt"):
            site.resources[path] = Resource(CONTENT)
        only_in_catalogue(entry, monkeypatch)
        yield site


def test_list_shows_every_dataset(capsys):
    status, out, err = run(capsys, "data", "list")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["name", "task", "splits", "cached", "what", "it", "is"]
    assert [line.split()[0] for line in lines[1:]] == list(catalogue())


def test_list_filters_by_task(capsys):
    status, out, _ = run(capsys, "data", "list", "--task", "factuality", "--json")
    assert status == 0
    assert [entry["name"] for entry in json.loads(out)] == ["qags", "frank", "xsum-hallucination", "aggrefact"]


def test_list_refuses_an_unknown_task(capsys):
    status, _, err = run(capsys, "data", "list", "--task", "cooking")
    assert status == 2
    assert "'cooking' is not one of" in err


def test_list_as_markdown_is_the_page_of_the_documentation(capsys):
    assert run(capsys, "data", "list", "--markdown").out == markdown_page()


@pytest.mark.model
def test_list_tells_what_is_cached(capsys, server):
    run(capsys, "data", "get", "invented", "--split", "dev")
    (entry,) = json.loads(run(capsys, "data", "list", "--json").out)
    assert entry["cached"].endswith("cache/datasets/invented/1")
    assert entry["bytes_known"] == 2 * len(CONTENT)


@pytest.mark.model
def test_get_prints_the_folder_and_tells_about_each_file_on_standard_error(capsys, server, tmp_path):
    status, out, err = run(capsys, "data", "get", "invented")
    folder = tmp_path / "cache/datasets/invented/1"
    assert (status, out) == (0, f"{folder}\n")
    size = f"{len(CONTENT):,}"
    assert err == f"dev.txt: {size} bytes, checksum right\ntest.txt: {size} bytes, checksum right\n"
    assert (folder / "dev.txt").read_bytes() == CONTENT


@pytest.mark.model
def test_get_again_fetches_nothing_unless_forced(capsys, server):
    run(capsys, "data", "get", "invented", "--file", "dev.txt")
    assert (
        run(capsys, "data", "get", "invented", "--file", "dev.txt").err == "dev.txt: already there, checksum right\n"
    )
    run(capsys, "data", "get", "invented", "--file", "dev.txt", "--force")
    assert [path for path, _ in server.requests] == ["/dev.txt", "/dev.txt"]


@pytest.mark.model
def test_get_into_another_folder(capsys, server, tmp_path):
    status, out, _ = run(capsys, "data", "get", "invented", "--split", "dev", "-o", tmp_path / "here")
    assert (status, out) == (0, f"{tmp_path / 'here'}\n")
    assert (tmp_path / "here" / "dev.txt").read_bytes() == CONTENT
    assert not (tmp_path / "cache").exists()


@pytest.mark.model
def test_get_into_another_cache(capsys, server, tmp_path):
    run(capsys, "data", "get", "invented", "--split", "dev", "--cache", tmp_path / "other")
    assert (tmp_path / "other/datasets/invented/1/dev.txt").read_bytes() == CONTENT
    assert run(capsys, "data", "path", "invented").status == 1
    assert run(capsys, "data", "path", "invented", "--cache", tmp_path / "other").status == 0


@pytest.mark.model
def test_get_from_a_local_folder_needs_no_network(capsys, server, tmp_path):
    (tmp_path / "dev.txt").write_bytes(CONTENT)
    status, out, _ = run(capsys, "data", "get", "invented", "--split", "dev", "--from", tmp_path)
    assert (status, server.requests) == (0, [])
    assert out.endswith("invented/1\n")


@pytest.mark.model
def test_a_wrong_checksum_is_one_line_and_status_2(capsys, server):
    server.resources["/dev.txt"] = Resource(CONTENT[::-1])
    status, out, err = run(capsys, "data", "get", "invented", "--split", "dev")
    assert (status, out) == (2, "")
    assert err.startswith(f"tupelo: {server.address}/dev.txt: SHA-256 ")
    assert err.endswith("dev.txt was not installed\n")
    assert err.count("\n") == 1


@pytest.mark.model
def test_an_unknown_dataset_is_one_line_and_status_2(capsys, server):
    for command in ("get", "info", "path"):
        status, out, err = run(capsys, "data", command, "invneted")
        assert (status, out) == (2, "")
        assert err == "tupelo: no dataset named 'invneted'. Did you mean 'invented'? Known: invented\n"


@pytest.mark.model
def test_info_tells_everything(capsys, server, tmp_path):
    run(capsys, "data", "get", "invented", "--split", "dev")
    status, out, _ = run(capsys, "data", "info", "invented")
    assert status == 0
    for text in (
        "MIT",
        "Nobody. 2020.",
        "https://example.org/invented",
        "(1 of 2 files)",
        "verified",
        "(not verified)",
    ):
        assert text in out
    assert "test.txt: has a note" in out


@pytest.mark.model
def test_info_as_json_says_what_is_complete_and_verified(capsys, server, tmp_path):
    run(capsys, "data", "get", "invented", "--split", "dev")
    found = json.loads(run(capsys, "data", "info", "invented", "--json").out)
    assert (found["name"], found["complete"], found["licence"]) == ("invented", False, "MIT")
    dev, test = found["files"]
    assert (dev["checksum_right"], dev["format"], dev["size"]) == (True, "tab", len(CONTENT))
    assert dev["cached"] == str(tmp_path / "cache/datasets/invented/1/dev.txt")
    assert (test["checksum_right"], test["cached"], test["verified"]) == (None, None, False)
    run(capsys, "data", "get", "invented")
    assert json.loads(run(capsys, "data", "info", "invented", "--json").out)["complete"] is True


def test_info_shows_hundreds_of_equal_files_as_one_row(capsys):
    out = run(capsys, "data", "info", "syntactic-ngrams").out
    assert "verbargs.00-of-99.gz to verbargs.98-of-99.gz" in out
    assert len(out.splitlines()) < 30


@pytest.mark.model
def test_info_finds_damage(capsys, server, tmp_path):
    run(capsys, "data", "get", "invented", "--split", "dev")
    (tmp_path / "cache/datasets/invented/1/dev.txt").write_bytes(CONTENT[::-1])
    assert "DAMAGED" in run(capsys, "data", "info", "invented").out


@pytest.mark.model
def test_path_prints_a_folder_or_a_file_or_a_hint(capsys, server, tmp_path):
    status, out, err = run(capsys, "data", "path", "invented", "dev.txt")
    assert (status, out) == (1, "")
    assert err == "tupelo: not in the cache; get it with: tupelo data get invented --file dev.txt\n"
    run(capsys, "data", "get", "invented", "--split", "dev")
    folder = tmp_path / "cache/datasets/invented/1"
    assert run(capsys, "data", "path", "invented") == (0, f"{folder}\n", "")
    assert run(capsys, "data", "path", "invented", "dev.txt") == (0, f"{folder / 'dev.txt'}\n", "")
    assert run(capsys, "data", "path", "invented", "test.txt").status == 1


@pytest.mark.parametrize("command", [None, *data.commands])
def test_help_opens_with_an_example(capsys, command):
    status, out, _ = run(capsys, "data", *([command] if command else []), "--help")
    assert status == 0
    assert f"tupelo data {command or 'list'}" in out.partition("Example")[2]
