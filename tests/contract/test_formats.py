"""What every registered format must do, whoever wrote it."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import plain_records, wild_records
from tupelo.core import Extraction, InputError, Record, Sentence
from tupelo.io.files import InputFile, split_lines
from tupelo.io.formats import ALL_FIELDS, FIELDS, FORMATS, BinaryFormat, Format, TextFormat
from tupelo.io.lines import Lines
from tupelo.io.tuples import carried_fields, sniff_format

ALL_FORMATS = [FORMATS.get(name) for name in FORMATS]
each_format = pytest.mark.parametrize("chosen", ALL_FORMATS, ids=lambda chosen: chosen.name)

# Files that nobody can tell apart by their look; detection takes them all for the second.
TWINS = {"benchmarkgold": "carb", "oie2016-orig": "carb", "stanford": "reverb"}


def write(chosen: Format, records: Iterable[Record]) -> bytes:
    if isinstance(chosen, BinaryFormat):
        stream = io.BytesIO()
        chosen.write(records, stream)
        return stream.getvalue()
    return "".join(chosen.write(records)).encode("utf-8")


def read(chosen: Format, content: bytes) -> list[Record]:
    if isinstance(chosen, BinaryFormat):
        return list(chosen.read(io.BytesIO(content), "test"))
    return list(chosen.read(Lines(split_lines(content.decode("utf-8")), "test")))


def sentence_of(record: Record) -> Sentence:
    return record if isinstance(record, Sentence) else record.sentence


def place(record: Record) -> tuple[str | None, tuple[str, ...]]:
    return sentence_of(record).text or sentence_of(record).id, words(record)


def test_no_format_disappears_unseen() -> None:
    assert sorted(FORMATS) == [
        "allennlp",
        "benchie",
        "benchie-gold",
        "benchmarkgold",
        "carb",
        "clausie",
        "csv",
        "jsonl",
        "lsoie",
        "minie",
        "oie2016",
        "oie2016-conll",
        "oie2016-orig",
        "oie2016-snapshot",
        "ollie",
        "openie4",
        "openie5",
        "openie6",
        "parquet",
        "props",
        "reoie2016",
        "reverb",
        "robust",
        "stanford",
        "tab",
        "wire57",
        "wire57-gold",
    ]


@each_format
def test_a_format_describes_itself(chosen: Format) -> None:
    assert FORMATS.get(chosen.name) is chosen
    assert chosen.title
    assert chosen.layout
    assert chosen.keeps <= ALL_FIELDS
    assert chosen.max_arguments is None or chosen.min_arguments <= chosen.max_arguments


@each_format
def test_the_sample_parses_and_survives_being_written(chosen: Format) -> None:
    records = read(chosen, chosen.sample_bytes())
    assert len(records) >= 2
    assert read(chosen, write(chosen, records)) == records


@each_format
def test_the_sample_is_recognised(chosen: Format, tmp_path: Path) -> None:
    path = tmp_path / "sample"
    path.write_bytes(chosen.sample_bytes())
    with InputFile(path) as file:
        assert sniff_format(file).name == TWINS.get(chosen.name, chosen.name)


@each_format
@given(data=st.data())
def test_what_a_format_promises_to_keep_comes_back(chosen: Format, data: Any) -> None:
    records = data.draw(plain_records(chosen))
    kept = [record for record in records if isinstance(record, Extraction) or "empty sentences" in chosen.keeps]
    came_back = read(chosen, write(chosen, records))
    if isinstance(chosen, TextFormat) and chosen.document:
        # These gather, by sentence and by group, so the order is not part of the promise.
        kept.sort(key=place)
        came_back.sort(key=place)
    assert [type(record) for record in came_back] == [type(record) for record in kept]
    promised = chosen.keeps - {"group"}
    for before, after in zip(kept, came_back, strict=True):
        assert words(before) == words(after)
        had, has = carried_fields(before), carried_fields(after)
        assert {name: had[name] for name in had if name in promised} == {
            name: has.get(name) for name in had if name in promised
        }
    if "group" in chosen.keeps:
        assert grouping(kept) == grouping(came_back)


@pytest.mark.slow
@given(records=st.lists(wild_records, max_size=3))
def test_any_record_keeps_its_words_or_is_refused(records: list[Record]) -> None:
    """All formats in one test: to make the records takes far longer than to write and to read them."""
    extractions = [record for record in records if isinstance(record, Extraction)]
    for chosen in ALL_FORMATS:
        try:
            content = write(chosen, records)
        except InputError:
            continue
        came_back = [record for record in read(chosen, content) if isinstance(record, Extraction)]
        assert sorted(map(words, came_back)) == sorted(map(words, extractions)), chosen.name
        texts = {sentence_of(record).text.strip() for record in came_back}
        # Some formats know a sentence by its id alone.
        assert texts in ({sentence_of(record).text.strip() for record in extractions}, {""}), chosen.name


def grouping(records: Iterable[Record]) -> list[int]:
    """Which tuples belong together, whatever the name of their group; names may be numbers of the file."""
    names: dict[tuple[str, str | None], int] = {}
    return [
        names.setdefault((record.sentence.text, record.group), len(names))
        for record in records
        if isinstance(record, Extraction)
    ]


def words(record: Record) -> tuple[str, ...]:
    if isinstance(record, Sentence):
        return ()
    return tuple(" ".join(part.text.split()) for part in (record.rel, *record.arguments))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["jsonl", "parquet"])
@given(records=st.lists(wild_records, max_size=3))
def test_our_own_formats_lose_nothing(name: str, records: list[Record]) -> None:
    chosen = FORMATS.get(name)
    assert chosen.keeps == set(FIELDS)
    assert read(chosen, write(chosen, records)) == records


@each_format
def test_writing_nothing_gives_a_file_that_reads_as_nothing(chosen: Format) -> None:
    assert read(chosen, write(chosen, [])) == []
