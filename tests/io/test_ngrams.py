"""Files of n-grams and assertions: readers, writers, partitions."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.inference.handmade import GOOD, MALFORMED, line_of
from tupelo.core import FormatError, InputError
from tupelo.core.assertion import Assertion
from tupelo.io.assertions import read_assertions
from tupelo.io.lines import Lines
from tupelo_training.assertions import files
from tupelo_training.assertions.files import read_questions
from tupelo_training.assertions.lines import Ngram, Token, read_ngrams


def ngram_lines(ngrams):
    """N-grams as lines of a file."""
    for ngram in ngrams:
        years = "".join(f"\t{year},{count}" for year, count in ngram.years)
        yield f"{ngram.head_word}\t{' '.join(map(str, ngram.tokens))}\t{ngram.count}{years}\n"


def test_a_line_is_read():
    (found,) = read_ngrams(Lines(["cease\tcease/VB/ccomp/0 for/IN/prep/1 time/NN/pobj/2\t56\t1834,2\t1835,54"]))
    assert found == Ngram(
        "cease",
        (Token("cease", "VB", "ccomp", 0), Token("for", "IN", "prep", 1), Token("time", "NN", "pobj", 2)),
        56,
        ((1834, 2), (1835, 54)),
    )


def test_what_is_written_is_read_back():
    lines = [line_of(tokens, count) for _, tokens, count, _ in GOOD]
    assert [text.rstrip("\n") for text in ngram_lines(read_ngrams(Lines(lines)))] == lines


@pytest.mark.parametrize(("line", "fault"), MALFORMED)
def test_a_malformed_line_is_named(line, fault):
    with pytest.raises(FormatError) as caught:
        list(read_ngrams(Lines(["dogs\tdogs/NNS/nsubj/0\t1", line], "x.tsv")))
    assert str(caught.value).startswith(f"x.tsv:2: {fault}, expected head, tokens as word/POS/label/head")


def test_malformed_lines_are_left_out_on_demand():
    faults: list[FormatError] = []
    lines = Lines([line for line, _ in MALFORMED] + ["dogs\tdogs/NNS/nsubj/0\t1"], "x.tsv", faults.append)
    assert [ngram.head_word for ngram in read_ngrams(lines)] == ["dogs"]
    assert len(faults) == len(MALFORMED)


# ------------------------------------------------------------------------------------------------------ partitions


def content(partitions: list[files.LineBlocks]) -> tuple[bytes, list[int]]:
    """Everything that partitions read, and the line numbers at which their blocks begin."""
    rows = [row for partition in partitions for batch in partition.read() for row in batch.to_pylist()]
    return b"".join(row["block"] for row in rows), [row["first_line"] for row in rows]


@given(st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=30), st.integers(1, 40))
def test_pieces_of_a_file_are_the_file(lines, partition_bytes):
    import tempfile
    from pathlib import Path

    data = b"\n".join(lines)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK_BYTES", 7)
        file = Path(folder) / "x"
        file.write_bytes(data)
        partitions = files.partition_files([str(file)], partition_bytes)
        if data[:2] == b"\x1f\x8b":
            return
        found, first_lines = content(partitions)
        assert found == data
        # A block begins where as many lines have ended as its number says.
        for batch in (batch for partition in partitions for batch in partition.read()):
            row = batch.to_pylist()[0]
            assert data.split(b"\n")[row["first_line"] - 1].startswith(row["block"].split(b"\n")[0])
        assert first_lines == sorted(first_lines)
        assert len({partition.key for partition in partitions}) == len(partitions)


@pytest.mark.model
def test_a_large_file_is_partial_at_line_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "BLOCK_BYTES", 100)
    file = tmp_path / "x.tsv"
    file.write_text("".join(f"line {number}\n" for number in range(1000)))
    partitions = files.partition_files([str(file)], partition_bytes=1000)
    assert len(partitions) > 5
    found, first_lines = content(partitions)
    assert found == file.read_bytes()
    assert first_lines[0] == 1
    for partition in partitions:
        (row,) = next(iter(partition.read())).to_pylist()
        assert row["block"].startswith(f"line {row['first_line'] - 1}\n".encode())


@pytest.mark.model
def test_gzip_is_one_partition(tmp_path):
    file = tmp_path / "x.gz"
    file.write_bytes(gzip.compress(b"one\ntwo\n" * 1000))
    (partition,) = files.partition_files([str(file)], partition_bytes=10)
    assert content([partition])[0] == b"one\ntwo\n" * 1000


@pytest.mark.model
def test_a_changed_file_has_another_key(tmp_path):
    file = tmp_path / "x"
    file.write_text("one\n")
    (before,) = files.partition_files([str(file)])
    assert files.partition_files([str(file)]) == [before]
    file.write_text("other\n")
    (after,) = files.partition_files([str(file)])
    assert before.key != after.key


@pytest.mark.model
def test_broken_gzip_is_blamed_on_its_line(tmp_path):
    file = tmp_path / "x.gz"
    file.write_bytes(gzip.compress(b"".join(b"line %d\n" % number for number in range(9000)))[:-5000])
    (partition,) = files.partition_files([str(file)])
    with pytest.raises(FormatError, match=r"x\.gz:\d+: broken gzip data \(.*\), expected a complete file"):
        content([partition])


@pytest.mark.model
def test_a_file_without_lines_is_no_text(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 20)
    file = tmp_path / "x"
    file.write_bytes(b"short\n" + b"x" * (6 << 20))
    with pytest.raises(FormatError, match="x:2: a line of more than 1 MB, expected a text file"):
        content(files.partition_files([str(file)]))


def test_a_missing_file_is_named():
    with pytest.raises(InputError, match=r"nowhere\.tsv: No such file or directory"):
        files.partition_files(["nowhere.tsv"])


# ------------------------------------------------------------------------------------------------------ assertions

ASSERTIONS = [Assertion("dogs", "chase", "cats", 3), Assertion("Łódź", "is in", "Poland", 10**17)]


def batch_of(assertions: list[Assertion]):
    import pyarrow as pa

    from tupelo.core.assertion import assertion_schema

    rows = [{"subject": a.subject, "relation": a.relation, "object": a.object, "count": a.count} for a in assertions]
    return pa.RecordBatch.from_pylist(rows, schema=assertion_schema())


@pytest.mark.model
@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz", "a.parquet"])
def test_assertions_are_written_and_read_back(tmp_path, name):
    file = str(tmp_path / name)
    assert files.write_batches(file, [batch_of(ASSERTIONS[:1]), batch_of(ASSERTIONS[1:])]) == 2
    assert list(read_assertions(file)) == ASSERTIONS


@pytest.mark.model
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("dogs\tchase\tcats", "3 field(s)"),
        ("dogs\tchase\tcats\t1\t2", "5 field(s)"),
        ("dogs\t\tcats\t1", "an empty field"),
        ("dogs\tchase\tcats\tx", "count 'x'"),
        ("dogs\tchase\tcats\t-1", "count '-1'"),
        ("dogs\tchase\tcats\t1234567890123456789", "count '1234567890123456789'"),
    ],
)
def test_a_malformed_assertion_is_named(tmp_path, line, fault):
    file = tmp_path / "a.tsv"
    file.write_text(f"dogs\tchase\tcats\t1\n{line}\n")
    with pytest.raises(FormatError) as caught:
        list(read_assertions(str(file)))
    assert str(caught.value).endswith(
        f"a.tsv:2: {fault}, expected subject, relation, object and count, separated by tabs"
    )


def test_a_parquet_file_of_something_else_is_refused(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    other, no_parquet = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(pa.table({"subject": ["a"], "relation": [1]}), other)
    no_parquet.write_text("dogs")
    with pytest.raises(InputError, match=r"a\.parquet: column 'relation' is int64, expected string"):
        list(read_assertions(str(other)))
    with pytest.raises(InputError, match=r"b\.parquet: .*expected a Parquet file of assertions"):
        list(read_assertions(str(no_parquet)))
    with pytest.raises(InputError, match=r"c\.parquet: .*expected a readable Parquet file"):
        list(read_assertions(str(tmp_path / "c.parquet")))


@pytest.mark.parametrize(
    ("line", "fault"), [("a\tb", "2 field(s)"), ("a\t \tc", "an empty field"), ("", "1 field(s)")]
)
def test_questions(tmp_path, line, fault):
    file = tmp_path / "q.tsv"
    file.write_text("headaches\tprevents\tdrug\n")
    assert read_questions(file) == [("headaches", "prevents", "drug")]
    file.write_text(f"headaches\tprevents\tdrug\n{line}\n")
    with pytest.raises(FormatError) as caught:
        read_questions(file)
    assert f"q.tsv:2: {fault}, expected argument, relation and type" in str(caught.value)
