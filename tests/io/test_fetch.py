"""Downloads against a real server on this machine, which cuts, lies, changes and stalls."""

from __future__ import annotations

import base64
import errno
import gzip
import hashlib
import io
import os
import socket
import subprocess
import sys
import tarfile
import time
import zipfile
from dataclasses import replace
from email.message import Message
from itertools import pairwise
from pathlib import Path
from urllib import request

import pytest

from tests.io.http_server import Resource, Server, serve
from tests.io.invented import CONTENT, HALF, file_at, invented, only_in_catalogue
from tupelo.core import InputError, TupeloError, UnknownNameError
from tupelo.io.catalogue import DataFile, Unpack
from tupelo.io.fetch import (
    DatasetInfo,
    FetchError,
    FetchPlaces,
    Patience,
    cache_folder,
    cached_path,
    dataset_folder,
    fetch_dataset,
    without_secrets,
)
from tupelo.io.fetch.network import _SafeRedirects
from tupelo.io.fetch.store import part_of, validator_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    monkeypatch.delenv("TUPELO_CACHE", raising=False)
    with serve() as site:
        yield site


@pytest.fixture
def waits():
    return []


@pytest.fixture
def patience(waits):
    return Patience(timeout=60, attempts=3, sleep=waits.append)


def names_in(folder: Path) -> list[str]:
    """Every visible file below the folder."""
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and ".tupelo" not in path.parts
    )


def parts_in(folder: Path) -> list[Path]:
    return list((folder / ".tupelo").glob("*.part"))


# --- whole downloads ---------------------------------------------------------------------------------------------


@pytest.mark.model
def test_a_file_is_downloaded_verified_and_put_into_the_cache(server, tmp_path, patience):
    server.resources["/deep/words.txt"] = Resource(CONTENT)
    said = []
    entry = invented(file_at(server.address, "deep/words.txt"))
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience, notice=said.append)
    assert folder == tmp_path / "datasets" / "invented" / "1" == dataset_folder(entry, tmp_path)
    assert (folder / "deep/words.txt").read_bytes() == CONTENT
    assert said == [f"deep/words.txt: {len(CONTENT):,} bytes, checksum right"]
    assert parts_in(folder) == []
    _, headers = server.requests[0]
    assert headers["user-agent"].startswith("tupelo/")
    assert headers["accept-encoding"] == "identity"


@pytest.mark.model
def test_what_is_there_and_right_is_not_fetched_again(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry, said = invented(file_at(server.address)), []
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience, notice=said.append)
    assert len(server.requests) == 1
    assert said == ["words.txt: already there, checksum right"]


@pytest.mark.model
def test_force_fetches_again(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry = invented(file_at(server.address))
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience, force=True)
    assert len(server.requests) == 2


@pytest.mark.model
def test_a_damaged_file_is_fetched_again(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry, said = invented(file_at(server.address)), []
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    (folder / "words.txt").write_bytes(CONTENT[:-1] + b"!")
    assert [state.verified for state in DatasetInfo(entry, folder).files] == [False]
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience, notice=said.append)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert said[0] == "words.txt: damaged, its checksum is wrong; fetching it again"


@pytest.mark.model
def test_an_empty_file_is_a_file(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(b"")
    folder = fetch_dataset(
        invented(file_at(server.address, content=b"")), places=FetchPlaces(cache=tmp_path), patience=patience
    )
    assert (folder / "words.txt").read_bytes() == b""


@pytest.mark.model
def test_a_file_without_a_stated_checksum_or_length_is_taken_as_it_comes(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, length=False)
    entry, said = invented(file_at(server.address, content=None)), []
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience, notice=said.append)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert said == [f"words.txt: {len(CONTENT):,} bytes, no checksum known"]
    assert [state.verified for state in DatasetInfo(entry, folder).files] == [None]


@pytest.mark.model
def test_splits_and_paths_choose_files(server, tmp_path, patience):
    for path in ("dev.txt", "test.txt", "extra.txt"):
        server.resources[f"/{path}"] = Resource(CONTENT)
    entry = invented(
        file_at(server.address, "dev.txt", split="dev"),
        file_at(server.address, "test.txt", split="test"),
        file_at(server.address, "extra.txt", optional=True),
    )
    assert names_in(
        fetch_dataset(entry, splits=["dev"], places=FetchPlaces(output=tmp_path / "a"), patience=patience)
    ) == ["dev.txt"]
    assert names_in(
        fetch_dataset(entry, files=["test.txt"], places=FetchPlaces(output=tmp_path / "b"), patience=patience)
    ) == ["test.txt"]
    assert names_in(fetch_dataset(entry, places=FetchPlaces(output=tmp_path / "c"), patience=patience)) == [
        "dev.txt",
        "test.txt",
    ]
    assert names_in(
        fetch_dataset(entry, files=["extra.txt"], places=FetchPlaces(output=tmp_path / "d"), patience=patience)
    ) == ["extra.txt"]
    with pytest.raises(UnknownNameError, match=r"no split of invented named 'train'.*Known: all, dev, test"):
        fetch_dataset(entry, splits=["train"], places=FetchPlaces(output=tmp_path / "e"), patience=patience)
    with pytest.raises(UnknownNameError, match=r"Did you mean 'dev.txt'\? See: tupelo data info invented"):
        fetch_dataset(entry, files=["dev.tx"], places=FetchPlaces(output=tmp_path / "e"), patience=patience)


@pytest.mark.model
def test_a_dataset_that_is_too_large_wants_a_choice(server, tmp_path, patience):
    entry = invented(file_at(server.address, split="arcs"), choose=True)
    with pytest.raises(InputError, match=r"expected --split \(arcs\) or --file"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)


@pytest.mark.model
def test_progress_counts_every_byte_once(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[HALF], ranges=False)
    reports = []
    fetch_dataset(
        invented(file_at(server.address)),
        places=FetchPlaces(cache=tmp_path),
        patience=patience,
        progress=lambda what, done, total: reports.append((what, done, total)),
    )
    assert {(what, total) for what, _, total in reports} == {("words.txt", len(CONTENT))}
    counted = [done for _, done, _ in reports]
    assert counted[-1] == len(CONTENT)
    # The server started over, so the bar went back once.
    assert sum(after < before for before, after in pairwise(counted)) == 1


@pytest.mark.model
def test_folders_with_spaces_and_letters_of_all_kinds_work(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    folder = fetch_dataset(
        invented(file_at(server.address)),
        places=FetchPlaces(cache=tmp_path / "my cache" / "größe"),
        patience=patience,
    )
    assert (folder / "words.txt").read_bytes() == CONTENT


# --- broken connections ------------------------------------------------------------------------------------------


@pytest.mark.model
def test_a_cut_connection_is_resumed_where_it_broke(server, tmp_path, patience, waits):
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[HALF])
    folder = fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={HALF}-"]
    assert server.requests[1][1]["if-range"] == '"one"'
    assert waits == [0.5]


@pytest.mark.model
def test_every_new_byte_renews_the_patience(server, tmp_path, patience):
    # More cuts than attempts, but each answer brings something.
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[50_000] * 8)
    folder = fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert len(server.requests) == 9


@pytest.mark.model
def test_a_server_without_ranges_starts_over_cleanly(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[HALF], ranges=False)
    folder = fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={HALF}-"]


@pytest.mark.model
def test_a_server_that_always_cuts_at_the_same_place_is_given_up(server, tmp_path, patience, waits):
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[HALF] * 9, ranges=False)
    with pytest.raises(FetchError, match=f"connection cut after {HALF:,} of {len(CONTENT):,} bytes"):
        fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert waits == [0.5, 1.0]


@pytest.mark.model
def test_content_that_changed_between_attempts_is_never_mixed(server, tmp_path, patience):
    other = CONTENT.replace(b"line", b"LINE")
    resource = Resource(CONTENT, cuts=[HALF])
    server.resources["/words.txt"] = resource

    def change(_seconds: float) -> None:
        resource.content, resource.etag = other, '"two"'

    entry = invented(file_at(server.address, content=None))
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=replace(patience, sleep=change))
    assert (folder / "words.txt").read_bytes() == other


@pytest.mark.model
def test_the_date_validates_when_the_tag_is_weak(server, tmp_path, patience):
    date = "Sun, 06 Nov 1994 08:49:37 GMT"
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[HALF], etag='W/"one"', date=date)
    fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert server.requests[1][1]["if-range"] == date


@pytest.mark.model
def test_without_any_validator_nothing_is_resumed(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[HALF], etag=None)
    folder = fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges() == [None, None]


@pytest.mark.model
def test_a_part_mixed_by_a_careless_server_is_fetched_afresh(server, tmp_path, patience):
    # The tag stays the same although the content does not.
    resource = Resource(CONTENT.replace(b"line", b"LINE"), cuts=[HALF])
    server.resources["/words.txt"] = resource

    def stop(_seconds: float) -> None:
        raise KeyboardInterrupt

    entry = invented(file_at(server.address))
    with pytest.raises(KeyboardInterrupt):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=replace(patience, sleep=stop))
    resource.content = CONTENT
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={HALF}-", None]


@pytest.mark.model
def test_an_interrupted_download_goes_on_in_the_next_call(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, cuts=[HALF])

    def stop(_seconds: float) -> None:
        raise KeyboardInterrupt

    entry = invented(file_at(server.address))
    with pytest.raises(KeyboardInterrupt):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=replace(patience, sleep=stop))
    folder = dataset_folder(entry, tmp_path)
    assert names_in(folder) == []
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={HALF}-"]


@pytest.mark.model
@pytest.mark.parametrize("stated", [True, False])
def test_a_part_that_was_complete_already_is_used(server, tmp_path, patience, stated):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry = invented(file_at(server.address, content=CONTENT if stated else None))
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    # As if the process had been killed just before the rename.
    part = part_of(entry.files[0], folder)
    os.replace(folder / "words.txt", part)
    validator_of(part).write_text('"one"')
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges() == [None, *([] if stated else [f"bytes={len(CONTENT)}-"])]


@pytest.mark.model
def test_a_part_longer_than_the_file_is_thrown_away(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry = invented(file_at(server.address))
    part = part_of(entry.files[0], dataset_folder(entry, tmp_path))
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT + b"more")
    validator_of(part).write_text('"one"')
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT


@pytest.mark.model
def test_a_silent_server_times_out_and_is_asked_again(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, hold=HALF)
    folder = fetch_dataset(
        invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=replace(patience, timeout=1)
    )
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges()[0] is None
    assert server.ranges()[-1] is not None


@pytest.mark.model
@pytest.mark.process
def test_a_killed_process_leaves_a_part_that_the_next_one_continues(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, hold=HALF)
    entry = invented(file_at(server.address))
    folder = dataset_folder(entry, tmp_path)
    process = subprocess.Popen([sys.executable, "-c", FETCH_IN_A_PROCESS, server.address, str(tmp_path)], cwd=ROOT)
    assert server.holding.wait(30)
    deadline = time.monotonic() + 30
    while sum(part.stat().st_size for part in parts_in(folder)) < HALF // 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert names_in(folder) == []
    (part,) = parts_in(folder)
    had = part.stat().st_size
    assert HALF // 2 <= had <= HALF
    fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={had}-"]


@pytest.mark.model
@pytest.mark.process
def test_two_processes_at_once_download_once(server, tmp_path):
    server.resources["/words.txt"] = Resource(CONTENT, hold=HALF)
    command = [sys.executable, "-c", FETCH_IN_A_PROCESS, server.address, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as first:
        assert server.holding.wait(30)
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as second:
            assert second.stdout is not None
            assert second.stdout.readline() == "invented: another process is fetching it; waiting\n"
            server.let_go.set()
            assert second.wait(30) == first.wait(30) == 0
    assert len(server.requests) == 1
    assert (tmp_path / "datasets/invented/1/words.txt").read_bytes() == CONTENT


FETCH_IN_A_PROCESS = """
import sys
from pathlib import Path
from tests.io.invented import file_at, invented
from tupelo.io.fetch import FetchPlaces, fetch_dataset
places = FetchPlaces(cache=Path(sys.argv[2]))
fetch_dataset(invented(file_at(sys.argv[1])), places=places, notice=lambda text: print(text, flush=True))
"""


# --- answers that are no -----------------------------------------------------------------------------------------


@pytest.mark.model
def test_status_500_is_tried_again(server, tmp_path, patience, waits):
    server.resources["/words.txt"] = Resource(CONTENT, statuses=[500, 503])
    folder = fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert waits == [0.5, 1.0]


@pytest.mark.model
def test_the_server_may_ask_for_a_longer_wait_within_limits(server, tmp_path, patience, waits):
    server.resources["/words.txt"] = Resource(CONTENT, statuses=[429, 429], headers={"Retry-After": "7"})
    fetch_dataset(
        invented(file_at(server.address)),
        places=FetchPlaces(cache=tmp_path),
        patience=replace(patience, longest_wait=5),
    )
    assert waits == [5, 5]


@pytest.mark.model
def test_a_server_that_stays_broken_is_given_up(server, tmp_path, patience, waits):
    server.resources["/words.txt"] = Resource(CONTENT, statuses=[500] * 9)
    with pytest.raises(FetchError, match=r"HTTP status 500 \(Internal Server Error\). Without a network: tupelo"):
        fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert len(server.requests) == patience.attempts


@pytest.mark.model
def test_status_404_is_final_and_names_the_address(server, tmp_path, patience):
    with pytest.raises(FetchError) as caught:
        fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert str(caught.value) == f"{server.address}/words.txt: HTTP status 404 (Not Found), expected 200"
    assert len(server.requests) == 1


@pytest.mark.model
def test_an_address_that_nobody_verified_says_so_when_it_fails(server, tmp_path, patience):
    with pytest.raises(FetchError, match=r"could not verify this address; see https://example.org/invented"):
        fetch_dataset(
            invented(file_at(server.address, verified=False)), places=FetchPlaces(cache=tmp_path), patience=patience
        )


@pytest.mark.model
def test_files_that_are_gone_do_not_hold_up_the_others(server, tmp_path, patience):
    server.resources["/b.txt"] = Resource(CONTENT)
    entry = invented(*(file_at(server.address, name) for name in ("a.txt", "b.txt", "c.txt")))
    with pytest.raises(FetchError, match=r"a.txt: HTTP status 404 .* \(and 1 more of 3 files\)"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert names_in(dataset_folder(entry, tmp_path)) == ["b.txt"]


@pytest.mark.model
def test_a_wrong_checksum_installs_nothing(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT.replace(b"line 7", b"LINE 7"))
    entry = invented(file_at(server.address))
    with pytest.raises(FetchError) as caught:
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    found = hashlib.sha256(CONTENT.replace(b"line 7", b"LINE 7")).hexdigest()
    expected = hashlib.sha256(CONTENT).hexdigest()
    assert str(caught.value) == (
        f"{server.address}/words.txt: SHA-256 {found}, expected {expected}; words.txt was not installed"
    )
    folder = dataset_folder(entry, tmp_path)
    assert (names_in(folder), parts_in(folder)) == ([], [])


@pytest.mark.model
def test_a_wrong_size_is_refused_before_the_download(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry = invented(file_at(server.address, size=10))
    with pytest.raises(FetchError, match=f"{len(CONTENT):,} bytes, expected 10"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert names_in(dataset_folder(entry, tmp_path)) == []


@pytest.mark.model
def test_a_wrong_size_that_the_server_does_not_announce_is_noticed(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, length=False)
    entry = invented(file_at(server.address, size=HALF))
    with pytest.raises(FetchError, match=r"bytes, expected 200,000; words.txt was not installed"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert names_in(dataset_folder(entry, tmp_path)) == []


@pytest.mark.model
def test_content_that_comes_compressed_is_refused(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT, headers={"Content-Encoding": "gzip"})
    with pytest.raises(FetchError, match=r"came compressed \(gzip\), expected the file itself"):
        fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)


@pytest.mark.model
def test_a_machine_without_a_network_gets_one_clear_line(tmp_path, patience, monkeypatch, waits):
    def no_name(*_args, **_options):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", no_name)
    monkeypatch.setenv("no_proxy", "*")
    entry = invented(DataFile(path="words.txt", address="https://nowhere.example/words.txt"))
    with pytest.raises(FetchError) as caught:
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert str(caught.value) == (
        "https://nowhere.example/words.txt: cannot be reached (Name or service not known). "
        "Without a network: tupelo data get invented --from DIR"
    )
    assert waits == [0.5]


@pytest.mark.model
def test_nothing_listening_is_told_soon(tmp_path, patience, monkeypatch, waits):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    # Port 1 is never served on a test machine.
    entry = invented(DataFile(path="words.txt", address="http://127.0.0.1:1/words.txt"))
    with pytest.raises(FetchError, match=r"cannot be reached \(Connection refused\)"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert waits == [0.5]


# --- redirects and secrets ---------------------------------------------------------------------------------------


@pytest.mark.model
def test_redirects_within_the_host_are_followed(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(redirect="/moved.txt")
    server.resources["/moved.txt"] = Resource(CONTENT, cuts=[HALF])
    folder = fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert (folder / "words.txt").read_bytes() == CONTENT
    assert [path for path, _ in server.requests] == ["/words.txt", "/moved.txt"] * 2
    assert server.ranges()[-1] == f"bytes={HALF}-"


@pytest.mark.model
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("http://elsewhere.example/x?token=hush", "redirected to http://elsewhere.example, expected HTTPS"),
        ("ftp://127.0.0.1/x", "redirected to ftp://127.0.0.1, expected HTTPS"),
        ("file:///etc/passwd", "redirected too often, or to where it may not go"),
        ("https://me:hush@elsewhere.example/x", "redirected to https://elsewhere.example"),
        ("/words.txt", "redirected too often, or to where it may not go"),
    ],
)
def test_other_redirects_are_refused(server, tmp_path, patience, target, message):
    server.resources["/words.txt"] = Resource(redirect=target)
    with pytest.raises(FetchError, match=message) as caught:
        fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert "hush" not in str(caught.value)


def test_encryption_is_never_given_up_by_a_redirect():
    query = request.Request("https://example.org/a")
    with pytest.raises(FetchError, match=r"redirected to http://example.org, expected HTTPS or the same host"):
        _SafeRedirects().redirect_request(query, io.BytesIO(), 302, "", Message(), "http://example.org/b")
    followed = _SafeRedirects().redirect_request(query, io.BytesIO(), 302, "", Message(), "https://example.net/b")
    assert followed is not None
    assert followed.full_url == "https://example.net/b"


@pytest.mark.model
@pytest.mark.parametrize("address", ["ftp://example.org/x", "file:///etc/passwd", "words.txt", "http://"])
def test_only_http_is_spoken(tmp_path, patience, address):
    entry = invented(DataFile(path="words.txt", address=address))
    with pytest.raises(FetchError, match="expected an http or https address"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)


@pytest.mark.model
def test_a_password_is_sent_to_its_host_only_and_never_printed(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(redirect="/moved.txt")
    address = server.address.replace("http://", "http://me:hu%2Fsh@") + "/words.txt"
    with pytest.raises(FetchError) as caught:
        fetch_dataset(
            invented(DataFile(path="words.txt", address=address)),
            places=FetchPlaces(cache=tmp_path),
            patience=patience,
        )
    assert "hu" not in str(caught.value)
    assert "me" not in str(caught.value).replace("named", "")
    sent = [headers.get("authorization") for _, headers in server.requests]
    assert sent == ["Basic " + base64.b64encode(b"me:hu/sh").decode(), None]
    for hidden in (tmp_path / "datasets/invented/1/.tupelo").iterdir():
        assert b"hu" not in hidden.read_bytes()


def test_secrets_are_cut_out_of_addresses():
    assert without_secrets("https://me:hush@example.org:8/a?b=c") == "https://example.org:8/a?b=c"
    assert without_secrets("https://example.org/a") == "https://example.org/a"


# --- the cache on disk -------------------------------------------------------------------------------------------


@pytest.mark.model
@pytest.mark.parametrize(
    "path",
    [
        "../words.txt",
        "/etc/words.txt",
        "a/../../words.txt",
        "a//b",
        "",
        ".",
        "a\\b",
        "C:words.txt",
        "a\nb",
        "a\0b",
        ".tupelo/lock",
        "a/.tupelo/x",
    ],
)
def test_a_hostile_file_name_in_the_catalogue_is_refused(server, tmp_path, patience, path):
    entry = invented(replace(file_at(server.address), path=path))
    with pytest.raises(TupeloError, match="is not allowed, expected a plain path below a folder"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert server.requests == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.model
def test_a_cache_that_cannot_be_made_gives_one_line(server, tmp_path, patience):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(FetchError, match=r"expected a place that can be written\. Choose another with --cache"):
        fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=blocked), patience=patience)


@pytest.mark.model
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_cache_gives_one_line(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(FetchError, match="Permission denied, expected a place that can be written"):
            fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.model
def test_a_read_only_file_system_gives_one_line(server, tmp_path, patience, monkeypatch):
    def refuse(path, *_args, **_options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(FetchError, match=f"^{tmp_path}.*: Read-only file system, expected a place"):
        fetch_dataset(invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path), patience=patience)
    assert server.requests == []


@pytest.mark.model
def test_a_full_disk_gives_one_line(server, tmp_path, patience, monkeypatch):
    server.resources["/words.txt"] = Resource(CONTENT)

    def full(_source, _target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tupelo.io.fetch.store.os.replace", full)
    entry = invented(file_at(server.address))
    with pytest.raises(FetchError, match="No space left on device, expected a place that can be written"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    assert names_in(dataset_folder(entry, tmp_path)) == []


@pytest.mark.model
def test_a_complete_dataset_is_used_without_writing_anything(server, tmp_path, patience):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry = invented(file_at(server.address))
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience)
    hidden = folder / ".tupelo"
    for leftover in hidden.iterdir():
        leftover.unlink()
    hidden.rmdir()
    hidden.write_text("nobody can make a lock here")
    assert fetch_dataset(entry, places=FetchPlaces(cache=tmp_path), patience=patience) == folder


@pytest.mark.model
def test_the_environment_names_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TUPELO_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine" / "datasets"
    assert cache_folder(tmp_path) == tmp_path / "datasets"
    monkeypatch.delenv("TUPELO_CACHE")
    assert cache_folder().parts[-2:] == ("tupelo", "datasets")


@pytest.mark.model
def test_cached_path_tells_what_is_there(server, tmp_path, patience, monkeypatch):
    server.resources["/words.txt"] = Resource(CONTENT)
    entry = invented(file_at(server.address), file_at(server.address, "other.txt"))
    only_in_catalogue(entry, monkeypatch)
    assert cached_path("invented", cache=tmp_path) is None
    folder = fetch_dataset("invented", files=["words.txt"], places=FetchPlaces(cache=tmp_path), patience=patience)
    assert cached_path("invented", cache=tmp_path) == folder
    assert cached_path("invented", "words.txt", cache=tmp_path) == folder / "words.txt"
    assert cached_path("invented", "other.txt", cache=tmp_path) is None
    with pytest.raises(UnknownNameError, match="no file of invented named 'nothing'"):
        cached_path("invented", "nothing", cache=tmp_path)


# --- from a local folder -----------------------------------------------------------------------------------------


@pytest.mark.model
@pytest.mark.parametrize("place", ["deep/words.txt", "invented/deep/words.txt", "words.txt"])
@pytest.mark.parametrize("compressed", [False, True])
def test_files_come_from_a_local_folder(server, tmp_path, place, compressed):
    source = tmp_path / "source" / (place + (".gz" if compressed else ""))
    source.parent.mkdir(parents=True)
    source.write_bytes(gzip.compress(CONTENT) if compressed else CONTENT)
    entry = invented(file_at(server.address, "deep/words.txt"))
    folder = fetch_dataset(entry, places=FetchPlaces(cache=tmp_path / "cache", source=tmp_path / "source"))
    assert (folder / "deep/words.txt").read_bytes() == CONTENT
    assert parts_in(folder) == server.requests == []


@pytest.mark.model
def test_a_file_name_that_is_not_unique_counts_only_with_its_folder(server, tmp_path):
    (tmp_path / "words.txt").write_bytes(CONTENT)
    entry = invented(file_at(server.address, "a/words.txt"), file_at(server.address, "b/words.txt"))
    with pytest.raises(FetchError, match=r"2 of 2 files of invented are not there, first missing: a/words.txt"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path / "cache", source=tmp_path))


@pytest.mark.model
def test_a_compressed_file_of_the_catalogue_is_not_made_from_a_plain_one(server, tmp_path):
    (tmp_path / "words.txt").write_bytes(CONTENT)
    with pytest.raises(FetchError, match=r"first missing: words.txt.gz"):
        fetch_dataset(
            invented(file_at(server.address, "words.txt.gz")),
            places=FetchPlaces(cache=tmp_path / "cache", source=tmp_path),
        )


@pytest.mark.model
def test_local_files_are_verified_too(server, tmp_path):
    (tmp_path / "words.txt").write_bytes(CONTENT[:-1] + b"!")
    entry = invented(file_at(server.address))
    with pytest.raises(FetchError, match=r"words.txt: SHA-256 .*; words.txt was not installed"):
        fetch_dataset(entry, places=FetchPlaces(cache=tmp_path / "cache", source=tmp_path))
    assert names_in(dataset_folder(entry, tmp_path / "cache")) == []


@pytest.mark.model
def test_broken_compression_of_a_local_file_is_told(server, tmp_path):
    (tmp_path / "words.txt.gz").write_bytes(gzip.compress(CONTENT)[:-9])
    with pytest.raises(FetchError, match=r"words.txt.gz: broken gzip data"):
        fetch_dataset(
            invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path / "cache", source=tmp_path)
        )


@pytest.mark.model
def test_a_local_folder_must_exist(server, tmp_path):
    with pytest.raises(FetchError, match="no such folder, expected one with the files of invented"):
        fetch_dataset(
            invented(file_at(server.address)), places=FetchPlaces(cache=tmp_path, source=tmp_path / "nowhere")
        )


# --- archives ----------------------------------------------------------------------------------------------------


def zip_of(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def tar_of(*members: tuple[str, bytes], link: str | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        if link is not None:
            info = tarfile.TarInfo("root/link.txt")
            info.type, info.linkname = tarfile.SYMTYPE, link
            archive.addfile(info)
    return buffer.getvalue()


def unpacked(server: Server, tmp_path: Path, name: str, content: bytes, **rules) -> Path:
    server.resources[f"/{name}"] = Resource(content)
    entry = invented(file_at(server.address, name, content, unpack=Unpack(into="contents", **rules)))
    return fetch_dataset(entry, places=FetchPlaces(cache=tmp_path))


MEMBERS = (("root/a.txt", b"a"), ("root/deep/b.txt", b"b"), ("root/c.md", b"c"))


@pytest.mark.model
@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz"])
def test_chosen_members_of_an_archive_are_unpacked(server, tmp_path, name):
    content = (zip_of if name == "x.zip" else tar_of)(*MEMBERS)
    folder = unpacked(server, tmp_path, name, content, members=("*.txt",), strip=1)
    assert names_in(folder) == ["contents/a.txt", "contents/deep/b.txt", name]
    assert (folder / "contents/deep/b.txt").read_bytes() == b"b"
    assert unpacked(server, tmp_path, name, content, members=("*.txt",), strip=1) == folder
    assert len(server.requests) == 1


@pytest.mark.model
def test_unpacking_again_replaces_the_whole_folder(server, tmp_path):
    folder = unpacked(server, tmp_path, "x.zip", zip_of(*MEMBERS))
    (folder / "x.zip").unlink()
    server.resources.clear()
    unpacked(server, tmp_path, "x.zip", zip_of(("root/new.txt", b"new")))
    assert names_in(folder) == ["contents/root/new.txt", "x.zip"]


@pytest.mark.model
def test_what_a_process_killed_while_unpacking_left_is_removed(server, tmp_path):
    leftover = tmp_path / "datasets/invented/1/.tupelo/tmp1/new"
    leftover.mkdir(parents=True)
    (leftover / "half.txt").write_text("half")
    folder = unpacked(server, tmp_path, "x.zip", zip_of(*MEMBERS))
    assert [item.name for item in (folder / ".tupelo").iterdir() if item.is_dir()] == []


def hostile_link() -> bytes:
    info = zipfile.ZipInfo("root/link.txt")
    info.external_attr = 0o120777 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


# What is wrong -> the archive's name, its bytes, and what is said about it.
BAD_ARCHIVES = {
    "path upwards": ("x.zip", zip_of(("../evil.txt", b"")), "file name '../evil.txt' is not allowed"),
    "path from the root": ("x.zip", zip_of(("/evil.txt", b"")), "file name '/evil.txt' is not allowed"),
    "backslash": ("x.zip", zip_of(("a/..\\evil.txt", b"")), "is not allowed"),
    "link in zip": ("x.zip", hostile_link(), "member 'root/link.txt' is a link or a device"),
    "path upwards in tar": ("x.tar.gz", tar_of(("a/../../evil.txt", b"")), "is not allowed"),
    "link in tar": ("x.tar.gz", tar_of(link="/etc/passwd"), "member 'root/link.txt' is a link or a device"),
    "same name twice": ("x.tar.gz", tar_of(("a", b"1"), ("./a", b"2")), "member './a' comes twice"),
    "bomb": ("x.zip", zip_of(("big.txt", b"0" * 50_000)), r"unpacks to more bytes, expected at most 20,000 \(limit"),
    "no archive": ("x.zip", b"no archive at all", "broken archive"),
    "cut tar": ("x.tar.gz", tar_of(*MEMBERS)[:-20], "broken archive"),
    "nothing fits": ("x.zip", zip_of(("readme.md", b"")), r"no member fits \*.txt"),
}


@pytest.mark.model
@pytest.mark.parametrize("fault", BAD_ARCHIVES)
def test_a_hostile_or_broken_archive_leaves_nothing_behind(server, tmp_path, fault):
    name, content, message = BAD_ARCHIVES[fault]
    patterns = ("*.txt",) if fault == "nothing fits" else ("*",)
    with pytest.raises(TupeloError, match=message):
        unpacked(server, tmp_path, name, content, members=patterns, limit=20_000)
    folder = tmp_path / "datasets/invented/1"
    assert (names_in(folder), parts_in(folder)) == ([], [])
    assert not (tmp_path.parent / "evil.txt").exists()
