"""Archives and packed files that unpack to far more than they should: what is read of them, and what is said."""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import tarfile
import zipfile

import pytest

from tests.cli.runner import run
from tupelo.core.document import Document
from tupelo.core.limits import LimitError, Limits
from tupelo.io.documents import NoDocument, Reading
from tupelo.io.documents.records import read_archive
from tupelo.io.files import InputFile

MB = 10**6
NAMES = ["a.zip", "a.tar", "a.tar.gz", "a.tar.bz2"]


def packed(name: str, *members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in members:
                archive.writestr(member, data)
    else:
        kind = {"r": "", "z": "gz", "2": "bz2"}[name[-1]]
        with tarfile.open(fileobj=buffer, mode=f"w:{kind}") as archive:
            for member, data in members:
                info = tarfile.TarInfo(member)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def read(name: str, data: bytes, **limits: int) -> tuple[list[str], list[str], list[str]]:
    """Sources of the documents, complaints, and what was passed over."""
    documents, complaints, others = [], [], []
    try:
        for found in read_archive(io.BytesIO(data), name, Reading(Limits(**limits))):
            if isinstance(found, Document):
                documents.append(found.source)
            elif isinstance(found, NoDocument):
                others.append(f"{found.source}: {found.reason}")
            else:
                complaints.append(str(found))
    except LimitError as error:
        complaints.append(f"the end: {error}")
    return documents, complaints, others


@pytest.fixture
def unpacked(monkeypatch) -> list[int]:
    """The sizes of what zipfile, gzip and bz2 were made to unpack, one by one."""
    sizes: list[int] = []
    for owner in (zipfile.ZipExtFile, gzip.GzipFile, bz2.BZ2File):

        def counted(self, size=-1, original=owner.read):
            data = original(self, size)
            sizes.append(len(data))
            return data

        monkeypatch.setattr(owner, "read", counted)
    return sizes


@pytest.mark.parametrize("name", NAMES)
def test_a_member_that_is_too_large_is_passed_over_and_the_others_are_read(name, unpacked):
    data = packed(name, ("one.txt", b"One."), ("big.txt", b" " * (4 * MB)), ("two.txt", b"Two."))
    unpacked.clear()
    documents, complaints, _ = read(name, data, member=MB)
    assert documents == [f"{name}/one.txt", f"{name}/two.txt"]
    assert complaints == [f"{name}/big.txt: unpacks to more bytes, expected at most 1,000,000 (limit member)"]
    # A tar file has to be unpacked to get at the next member, but never as a whole.
    assert max(unpacked, default=0) <= 1 << 16
    if name == "a.zip":
        assert sum(unpacked) < 1.1 * MB


@pytest.mark.parametrize("name", NAMES)
def test_a_document_that_is_too_large_is_passed_over_and_the_others_are_read(name):
    data = packed(name, ("one.txt", b"One."), ("big.txt", b" " * MB), ("two.txt", b"Two."))
    documents, complaints, _ = read(name, data, document=1000)
    assert documents == [f"{name}/one.txt", f"{name}/two.txt"]
    assert complaints == [f"{name}/big.txt: a larger document, expected at most 1,000 (limit document)"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tar.bz2"])
def test_an_archive_that_unpacks_to_far_more_than_its_size_ends_early(name, unpacked):
    data = packed(name, ("one.txt", b"One."), *((f"{number}.jsonl", b" " * (6 * MB)) for number in range(4)))
    unpacked.clear()
    documents, complaints, _ = read(name, data)
    assert documents == [f"{name}/one.txt"]
    assert complaints == [f"the end: {name}: unpacks to far more than its size, expected at most 200 (limit ratio)"]
    assert sum(unpacked) < 10.1 * MB


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"archive": 30_000}, "unpacks to more bytes, expected at most 30,000 (limit archive)"),
        ({"members": 3}, "holds more files, expected at most 3 (limit members)"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_the_bounds_of_a_whole_archive(name, limits, message):
    data = packed(name, *((f"{number}.txt", b"word " * 2000) for number in range(5)))
    documents, complaints, _ = read(name, data, **limits)
    assert 1 <= len(documents) <= 3
    assert complaints == [f"the end: {name}: {message}"]


def nested(depth: int, name: str = "a.zip") -> bytes:
    data = packed(name, ("inner.txt", b"Inside."))
    for _ in range(depth - 1):
        data = packed(name, ("b.zip", data), ("outer.txt", b"Outside."))
    return data


def test_an_archive_in_an_archive_is_read_as_deep_as_the_limit_says():
    assert read("a.zip", nested(2)) == (["a.zip/b.zip/inner.txt", "a.zip/outer.txt"], [], [])
    message = "an archive in an archive, expected at most {} (limit depth)"
    assert read("a.zip", nested(2), depth=1) == (["a.zip/outer.txt"], [f"a.zip/b.zip: {message.format(1)}"], [])
    documents, complaints, _ = read("a.zip", nested(30))
    assert documents == ["a.zip/b.zip/outer.txt", "a.zip/outer.txt"]
    assert complaints == [f"a.zip/b.zip/b.zip: {message.format(2)}"]


def test_what_an_inner_archive_unpacks_to_counts_for_the_outer_one(unpacked):
    inner = packed("b.zip", *((f"{number}.jsonl", b" " * (3 * MB)) for number in range(4)))
    data = packed("a.zip", *((f"{number}.zip", inner) for number in range(9)))
    unpacked.clear()
    _, complaints, _ = read("a.zip", data)
    assert complaints[-1].startswith("the end: a.zip: unpacks to far more than its size")
    assert sum(unpacked) < 10.5 * MB


def test_sizes_in_the_headers_of_a_zip_file_are_not_believed(unpacked):
    data = bytearray(packed("a.zip", ("big.txt", b" " * (4 * MB)), ("one.txt", b"One.")))
    # The sizes of the first member in its own header and in the directory.
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(mark) + offset
        assert struct.unpack_from("<I", data, place) == (4 * MB,)
        struct.pack_into("<I", data, place, 10)
    unpacked.clear()
    documents, complaints, _ = read("a.zip", bytes(data), member=MB)
    assert documents == ["a.zip/one.txt"]
    assert len(complaints) == 1
    assert sum(unpacked) < 1.1 * MB


def test_links_devices_and_other_files_are_passed_over():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for kind, name in ((tarfile.SYMTYPE, "link.txt"), (tarfile.CHRTYPE, "zero.txt"), (tarfile.DIRTYPE, "in")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        for name in ("in/photo.png", ".hidden/a.txt", "in/a.txt.gz", "in/a.txt"):
            archive.addfile(tarfile.TarInfo(name))
    documents, complaints, others = read("a.tar", buffer.getvalue())
    assert (documents, complaints) == (["a.tar/in/a.txt"], [])
    assert others == [
        "a.tar/link.txt: a link or a device in an archive",
        "a.tar/zero.txt: a link or a device in an archive",
        "a.tar/in/photo.png: not a known kind of document",
        "a.tar/in/a.txt.gz: a compressed file in an archive",
    ]


def test_an_archive_without_documents_says_so():
    assert read("a.zip", packed("a.zip")) == ([], [], ["a.zip: an archive without documents"])


def test_a_rare_method_of_packing_is_refused_because_it_unpacks_any_amount_at_once():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b" " * MB, zipfile.ZIP_BZIP2)
        archive.writestr("b.txt", b"One.", zipfile.ZIP_DEFLATED)
    documents, complaints, _ = read("a.zip", buffer.getvalue())
    assert documents == ["a.zip/b.txt"]
    assert complaints == ["a.zip/a.txt: packed by a rare method, expected deflate"]


def test_a_header_as_large_as_a_file_is_refused(unpacked):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.txt")
        info.pax_headers = {"comment": " " * (4 * MB)}
        archive.addfile(info)
    unpacked.clear()
    with pytest.raises(ValueError, match=r"a\.tar\.gz: a header of [\d,]+ bytes, expected plain files"):
        list(read_archive(io.BytesIO(buffer.getvalue()), "a.tar.gz", Reading()))
    assert sum(unpacked) < MB


def test_a_directory_that_is_far_too_long_is_not_read():
    data = bytearray(packed("a.zip", *((f"{number}.txt", b"") for number in range(2000))))
    assert read("a.zip", bytes(data), members=100)[1] == [
        "the end: a.zip: a directory of 106,890 bytes, expected at most 100 (limit members)"
    ]


@pytest.mark.model
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_packed_text_that_unpacks_to_far_more_than_its_size_is_not_read_to_its_end(tmp_path, pack):
    (tmp_path / "a.txt.gz").write_bytes(pack(b" " * (30 * MB)))
    with InputFile(tmp_path / "a.txt.gz") as file:
        assert len(file.binary.read(9 * MB)) == 9 * MB
        with pytest.raises(LimitError, match=r"unpacks to far more than its .* bytes, expected at most 200"):
            file.binary.read(3 * MB)
    # Those who know what it is can raise the limit.
    with InputFile(tmp_path / "a.txt.gz", Limits(ratio=10**6)) as file:
        assert len(file.binary.read()) == 30 * MB


@pytest.mark.model
@pytest.mark.parametrize("command", [("extract", "--extractor", "rules"), ("analyze",)])
def test_a_packed_bomb_is_one_line_for_commands_that_stream(tmp_path, capsys, command):
    # Empty lines, so that there is nothing to analyse before the end.
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress((b" " * 99 + b"\n") * (MB // 2)))
    result = run(capsys, *command, str(tmp_path / "a.txt.gz"))
    assert result.status == 2
    assert "unpacks to far more than its" in result.err
    assert "(limit ratio)" in result.err


@pytest.mark.model
def test_check_reads_no_text_that_is_longer_than_a_document(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("Ann Lee founded Acme in Oslo. " * 10)
    command = ("check", str(tmp_path / "a.txt"), "--source", str(tmp_path / "a.txt"))
    result = run(capsys, *command, "--max", "document=100")
    assert result.status == 2
    assert "a.txt: a longer text, expected at most 100 (limit document)" in result.err
