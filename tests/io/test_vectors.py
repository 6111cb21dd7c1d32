"""Files of vectors: every format both ways, told by its first bytes; broken files name their line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tupelo.core import FormatError, InputError
from tupelo.core.vectors import Vectors
from tupelo.io.vectors import FORMATS, guess_format, read_vectors
from tupelo_training.vector_files import vector_bytes, write_vectors

SMALL = Vectors(
    ("is made from", "écrit", "a"), np.array([[1, -2.5], [0.1, 1e-8], [3, 4]], dtype=np.float32), (3, 2, 1)
)


def written(path, vectors, format_name):
    path.write_bytes(b"".join(vector_bytes(vectors, format_name)))
    return path


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_is_recognised_and_read_back(tmp_path, format_name):
    found = read_vectors(written(tmp_path / "v", SMALL, format_name))
    names = SMALL.names if format_name == "safetensors" else ("is_made_from", "écrit", "a")
    assert found.names == names
    assert np.array_equal(found.matrix, SMALL.matrix)
    assert found.counts == (SMALL.counts if format_name == "safetensors" else None)


@pytest.mark.parametrize(
    ("name", "format_name"),
    [("v.safetensors", "safetensors"), ("v.bin", "word2vec-binary"), ("v.txt", "word2vec"), ("v.txt.gz", "word2vec")],
)
def test_the_ending_chooses_the_format(tmp_path, name, format_name):
    write_vectors(tmp_path / name, SMALL)
    content = (tmp_path / name).read_bytes()
    assert name.endswith(".gz") or guess_format(content) == format_name
    assert np.array_equal(read_vectors(tmp_path / name).matrix, SMALL.matrix)


def test_the_same_vectors_give_the_same_bytes():
    for format_name in FORMATS:
        assert b"".join(vector_bytes(SMALL, format_name)) == b"".join(vector_bytes(SMALL, format_name))


rows = arrays.arrays(
    np.float32,
    st.tuples(st.integers(1, 5), st.integers(1, 4)),
    elements=st.floats(-(2.0**90), 2.0**90, width=32, allow_subnormal=False),
)


@given(rows, st.sampled_from(FORMATS))
def test_numbers_survive_exactly(tmp_path_factory, matrix, format_name):
    vectors = Vectors(tuple(f"n{number}" for number in range(len(matrix))), matrix)
    path = written(tmp_path_factory.mktemp("v") / "v", vectors, format_name)
    assert np.array_equal(read_vectors(path, format_name).matrix, matrix)


def test_glove_names_may_hold_spaces_after_the_first_line(tmp_path):
    (tmp_path / "v").write_text("one 1 2\n. . . 3 4\n", "utf-8")
    assert read_vectors(tmp_path / "v").names == ("one", ". . .")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"v:1: no vectors"),
        (b"a 1 2\nb 1\n", r"v:2: 1 number\(s\), expected a name and 2 numbers"),
        (b"a 1 2\nb 1 x\n", r"v:2: 'x', expected a number"),
        (b"a 1 2\nb 1 nan\n", r"v:2: a number that is not finite"),
        (b"alone\n", r"v:1: 0 number\(s\)"),
        (b"3 2\na 1 2\nb 1 2\n", r"v:4: 2 vectors, expected 3, as the first line says"),
        (b"1 2\na 1 2\nb 1 2\n", r"v:4: 2 vectors, expected 1, as the first line says"),
        (b"2 2\na 1 2\nb x 2\n", r"v:3: 'x', expected a number"),
        (b"a 1 2\n\xff 1 2\n", r"v:2: byte 0xff is not UTF-8"),
    ],
)
def test_a_broken_text_file_names_its_line(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_vectors("v")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"2 2\na " + b"\x01\x02\x03\xff" * 2, r"v:3: no end of a name"),
        (b"2 2\na " + b"\x01\x02\x03\xff" * 2 + b"\nb \x01", r"v:3: the file ends after 1 vectors, expected 2"),
        (b"1 1\na " + b"\x00\x00\xc0\x7f", r"v:2: a number that is not finite"),
        (b"1 1\na " + b"\x01\x02\x03\xff" + b"\nmore", r"v:3: more bytes after the last vector"),
        (b"1 1\n\xff\xfe " + b"\x01\x02\x03\xff", r"v:2: a name that is not UTF-8"),
        (b"x 1\n", r"v:1: 'x 1"),
        (b"3 0\n", r"v:1: '3 0"),
    ],
)
def test_a_broken_binary_file_names_its_entry(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_vectors("v", "word2vec-binary")


def header(**entries) -> bytes:
    text = json.dumps(entries).encode()
    return len(text).to_bytes(8, "little") + text


ENTRY = {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (header(vectors=ENTRY) + b"1234", r"v:1: no tensor 'names'"),
        (header(vectors=ENTRY) + b"12", r"v:1: tensor 'vectors' is broken"),
        (header(vectors={**ENTRY, "dtype": "X9"}) + b"1234", r"v:1: tensor 'vectors' is broken"),
        ((20).to_bytes(8, "little") + b"{broken", r"v:1: the header is not JSON"),
        (
            header(vectors=ENTRY, names={"dtype": "U8", "shape": [3], "data_offsets": [4, 7]}) + b"1234a\nb",
            r"v:1: 2 names and vectors of shape",
        ),
        (b"plain text", r"v:1: no header of a safetensors file"),
    ],
)
def test_a_broken_safetensors_file_says_what_is_wrong(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v").write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_vectors("v", "safetensors")


def test_our_files_are_read_by_the_package_of_the_format(tmp_path):
    load = pytest.importorskip("safetensors.numpy").load_file
    found = load(written(tmp_path / "v.safetensors", SMALL, "safetensors"))
    assert np.array_equal(found["vectors"], SMALL.matrix)
    assert bytes(found["names"]).decode("utf-8").split("\n") == list(SMALL.names)


def test_what_a_format_cannot_hold_is_refused(tmp_path):
    with pytest.raises(InputError, match="line break"):
        write_vectors(tmp_path / "v.safetensors", Vectors(("a\nb",), np.ones((1, 1), np.float32)))
    with pytest.raises(InputError, match="empty"):
        write_vectors(tmp_path / "v.txt", Vectors(("",), np.ones((1, 1), np.float32)))
    with pytest.raises(InputError, match="no vector format named 'w2v'"):
        read_vectors(tmp_path / "v.txt", "w2v")
    assert list(tmp_path.iterdir()) == []
