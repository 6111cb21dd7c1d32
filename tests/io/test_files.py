"""Opening and writing: line ends, encodings, gzip, standard streams, and what is left when something goes wrong."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tupelo.core import Extraction, FormatError, InputError
from tupelo.io import files
from tupelo.io.files import InputFile, open_output, private_output, split_lines, write_text
from tupelo.io.workspace import replacement


def lines_of(path: Path, collect: list[FormatError] | None = None) -> list[tuple[int, str]]:
    with InputFile(path) as file:
        return list(file.lines(None if collect is None else collect.append))


def feed_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def write_half(path: Path, error: BaseException | type[BaseException]) -> None:
    with open_output(path) as stream:
        stream.write(b"half")
        raise error


class TestLines:
    @pytest.mark.model
    @pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
    @pytest.mark.parametrize("last", [True, False])
    def test_any_line_end_works_and_the_last_may_be_missing(self, tmp_path: Path, end: bytes, last: bool) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"one" + end + end + "zwölf".encode() + (end if last else b""))
        assert lines_of(path) == [(1, "one"), (2, ""), (3, "zwölf")]

    @pytest.mark.model
    @pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 100])
    def test_line_ends_that_fall_between_two_blocks_count_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
    ) -> None:
        monkeypatch.setattr(files, "_BLOCK_SIZE", size)
        monkeypatch.setattr(files, "_PEEK_SIZE", size)
        path = tmp_path / "f"
        path.write_bytes(b"a\r\nbb\r\rccc\n\n\r\nd\re")
        assert [line for _, line in lines_of(path)] == ["a", "bb", "", "ccc", "", "", "d", "e"]

    @pytest.mark.model
    def test_other_separators_of_unicode_do_not_end_a_line(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        path.write_text("a\x0bb\x0cc\x1cd\x85e\u2028f\n", encoding="utf-8")
        assert len(lines_of(path)) == 1

    @pytest.mark.model
    def test_a_byte_order_mark_is_dropped_at_the_start_only(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
        assert lines_of(path) == [(1, "a"), (2, "\ufeffb")]

    @pytest.mark.model
    def test_an_empty_file_has_no_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"")
        assert lines_of(path) == []

    @pytest.mark.model
    def test_nul_bytes_are_characters(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"a\0b\n")
        assert lines_of(path) == [(1, "a\0b")]

    @pytest.mark.model
    def test_lines_may_be_longer_than_any_buffer(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        long = "é" * 1_500_000
        path.write_text(f"{long}\nshort\n{long}", encoding="utf-8")
        assert [(number, len(line)) for number, line in lines_of(path)] == [(1, 1_500_000), (2, 5), (3, 1_500_000)]

    @pytest.mark.model
    def test_a_byte_that_is_not_utf8_is_blamed_on_its_line(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"a\r\nb\rc\xe8d\n")
        with pytest.raises(FormatError) as caught:
            lines_of(path)
        assert str(caught.value).startswith(f"{path}:3: byte 0xe8 is not UTF-8, expected UTF-8 text.")

    @pytest.mark.model
    def test_lines_before_the_bad_byte_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"a\nb\n\xff\n")
        with InputFile(path) as file:
            lines = iter(file.lines())
            assert [next(lines), next(lines)] == [(1, "a"), (2, "b")]
            with pytest.raises(FormatError):
                next(lines)

    @pytest.mark.model
    def test_a_collector_gets_bad_lines_and_the_others_keep_their_numbers(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        path.write_bytes(b"a\n\xff\nc\n\xfe\n")
        skipped: list[FormatError] = []
        assert lines_of(path, skipped) == [(1, "a"), (3, "c")]
        assert [error.line for error in skipped] == [2, 4]


class TestInput:
    @pytest.mark.model
    def test_gzip_is_told_by_content_not_by_name(self, tmp_path: Path) -> None:
        packed, plain = tmp_path / "packed.tsv", tmp_path / "plain.gz"
        packed.write_bytes(gzip.compress(b"a\n"))
        plain.write_bytes(b"a\n")
        assert lines_of(packed) == lines_of(plain) == [(1, "a")]

    @pytest.mark.model
    def test_joined_gzip_files_are_read_to_the_end(self, tmp_path: Path) -> None:
        path = tmp_path / "f.gz"
        path.write_bytes(gzip.compress(b"a\n") + gzip.compress(b"b\n"))
        assert lines_of(path) == [(1, "a"), (2, "b")]

    @pytest.mark.model
    def test_cut_gzip_is_blamed_on_the_line_where_it_breaks(self, tmp_path: Path) -> None:
        path = tmp_path / "f.gz"
        content = b"".join(hashlib.sha256(b"%d" % i).hexdigest().encode() + b"\n" for i in range(2000))
        path.write_bytes(gzip.compress(content)[:-5000])
        with pytest.raises(FormatError, match="broken gzip data") as caught:
            lines_of(path)
        assert caught.value.line > 1000

    @pytest.mark.model
    def test_the_checksum_is_that_of_the_plain_content(self, tmp_path: Path) -> None:
        content = b"some lines\n" * 100_000
        path = tmp_path / "f.gz"
        path.write_bytes(gzip.compress(content))
        with InputFile(path) as file:
            assert file.peek().startswith(b"some lines")
            next(iter(file.lines()))
            assert file.finish() == hashlib.sha256(content).hexdigest()

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_standard_input_works_packed_or_not(self, monkeypatch: pytest.MonkeyPatch, pack: object) -> None:
        assert callable(pack)
        feed_stdin(monkeypatch, pack(b"a\nb\n"))
        with InputFile("-") as file:
            assert file.name == "<stdin>"
            assert list(file.lines()) == [(1, "a"), (2, "b")]

    @pytest.mark.model
    def test_a_missing_file_is_one_clear_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="nowhere: No such file or directory, expected a readable file"):
            InputFile(tmp_path / "nowhere").__enter__()

    @pytest.mark.model
    @pytest.mark.model
    def test_a_directory_is_one_clear_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="directory, expected a readable file"):
            InputFile(tmp_path).__enter__()

    @pytest.mark.model
    def test_it_must_be_opened_before_use(self, tmp_path: Path) -> None:
        with pytest.raises(RuntimeError, match="outside its with block"):
            InputFile(tmp_path / "f").peek()


class TestOutput:
    @pytest.mark.model
    def test_the_file_appears_when_the_block_ends(self, tmp_path: Path) -> None:
        path = tmp_path / "out"
        with open_output(path) as stream:
            stream.write(b"a")
            assert not path.exists()
        assert path.read_bytes() == b"a"
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.model
    @pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
    def test_an_error_leaves_nothing(self, tmp_path: Path, error: type[BaseException]) -> None:
        with pytest.raises(error):
            write_half(tmp_path / "out", error)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.model
    def test_an_error_leaves_the_old_file_as_it_was(self, tmp_path: Path) -> None:
        path = tmp_path / "out"
        path.write_bytes(b"old")
        with pytest.raises(ValueError, match="no more"):
            write_half(path, ValueError("no more"))
        assert path.read_bytes() == b"old"

    @pytest.mark.model
    @pytest.mark.process
    def test_a_killed_process_leaves_the_old_file_as_it_was(self, tmp_path: Path) -> None:
        path = tmp_path / "out"
        path.write_bytes(b"old")
        program = (
            "import sys, time\n"
            "from tupelo.io.files import open_output\n"
            "with open_output(sys.argv[1]) as stream:\n"
            "    stream.write(b'new' * 1000000)\n"
            "    print('writing', flush=True)\n"
            "    time.sleep(60)\n"
        )
        process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        with process.stdout:
            assert process.stdout.readline() == b"writing\n"
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert path.read_bytes() == b"old"

    @pytest.mark.model
    def test_names_in_gz_are_packed_and_the_bytes_do_not_depend_on_time(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, now in [("a.gz", 1.0), ("b.gz", 2e9)]:
            monkeypatch.setattr(time, "time", lambda now=now: now)
            write_text(tmp_path / name, "text")
        assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
        assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text"

    @pytest.mark.model
    def test_a_new_file_is_as_readable_as_any_other(self, tmp_path: Path) -> None:
        (tmp_path / "other").touch()
        write_text(tmp_path / "out", "text")
        assert (tmp_path / "out").stat().st_mode == (tmp_path / "other").stat().st_mode

    @pytest.mark.model
    def test_an_old_file_keeps_its_permissions(self, tmp_path: Path) -> None:
        path = tmp_path / "out"
        path.touch()
        path.chmod(0o600)
        write_text(path, "text")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    @pytest.mark.model
    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real").write_text("old")
        (tmp_path / "link").symlink_to("real")
        write_text(tmp_path / "link", "new")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real").read_text() == "new"

    @pytest.mark.model
    def test_what_is_no_file_is_written_to_and_not_replaced(self, tmp_path: Path) -> None:
        write_text(os.devnull, "text")
        assert not stat.S_ISREG(os.stat(os.devnull).st_mode)

    def test_a_directory_is_one_clear_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="is a directory, expected the name of a file"):
            write_text(tmp_path, "text")

    @pytest.mark.model
    def test_a_missing_folder_is_one_clear_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="No such file or directory, expected a place that can be written"):
            write_text(tmp_path / "nowhere" / "out", "text")

    @pytest.mark.model
    @pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
    def test_a_forbidden_folder_is_one_clear_line(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        with pytest.raises(InputError, match="Permission denied, expected a place that can be written"):
            write_text(tmp_path / "out", "text")

    def test_a_full_disk_is_one_clear_line(self) -> None:
        if not Path("/dev/full").exists():
            pytest.skip("needs /dev/full")
        from tupelo.io.tuples import write_records

        with pytest.raises(InputError, match="/dev/full: No space left on device"):
            write_records("/dev/full", [Extraction.of("a b", "x", ["y"])], "tab")

    def test_standard_output_works(self, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
        write_text("-", "text\n")
        assert capsysbinary.readouterr().out == b"text\n"


def test_lines_are_split_where_text_mode_does() -> None:
    assert split_lines("a\nb\r\nc\rd") == ["a", "b", "c", "d"]
    assert split_lines("a\n") == ["a"]
    assert split_lines("\n\n") == ["", ""]
    assert split_lines("") == []


@pytest.mark.process
def test_standard_output_keeps_the_order_of_what_was_printed():
    code = (
        "from tupelo.io.files import open_output\n"
        "print('first')\n"
        "with open_output('-') as stream:\n"
        "    stream.write(b'second\\n')\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "first\nsecond\n"


@pytest.mark.model
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("write", [private_output, replacement])
def test_a_pipe_or_a_device_is_never_replaced(write, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="is a device or a pipe, expected the name of a file"), write(pipe):
        pass
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.model
def test_a_text_at_once_is_no_longer_than_a_document_may_be(tmp_path):
    from tupelo.core.limits import LimitError, Limits
    from tupelo.io.text import read_whole

    (tmp_path / "a.txt").write_text("word " * 40)
    assert len(read_whole(str(tmp_path / "a.txt"), Limits(document=200))) == 200
    with pytest.raises(LimitError, match=r"a\.txt: a longer text, expected at most 199 \(limit document\)"):
        read_whole(str(tmp_path / "a.txt"), Limits(document=199))
