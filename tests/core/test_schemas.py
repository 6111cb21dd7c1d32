"""The vocabulary as Arrow and as plain rows: nothing is lost either way."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import wild_records
from tupelo.core import Argument, Attribution, Extraction, Record, Sentence
from tupelo.core.schemas import (
    SCHEMA_VERSION,
    batches_to_records,
    extraction_schema,
    record_to_row,
    records_to_batches,
    row_to_record,
)


@given(records=st.lists(wild_records, max_size=5), size=st.integers(1, 3))
def test_any_records_survive_arrow_in_batches_of_any_size(records: list[Record], size: int) -> None:
    batches = list(records_to_batches(records, size))
    assert all(0 < batch.num_rows <= size for batch in batches)
    assert all(batch.schema.equals(extraction_schema(), check_metadata=True) for batch in batches)
    assert list(batches_to_records(batches)) == records


@given(record=wild_records)
def test_any_record_survives_as_a_plain_row(record: Record) -> None:
    assert row_to_record(record_to_row(record)) == record


@given(record=wild_records)
def test_a_row_holds_nothing_but_json_values(record: Record) -> None:
    assert row_to_record(json.loads(json.dumps(record_to_row(record)))) == record


@pytest.mark.parametrize(
    "part",
    [Argument("x", tokens=()), Argument("x", tokens=None), Argument("x", spans=()), Argument("x", role="")],
    ids=repr,
)
def test_empty_and_unknown_are_kept_apart(part: Argument) -> None:
    record = Extraction(Sentence("a", tokens=()), part, context=part, attribution=Attribution())
    assert list(batches_to_records(records_to_batches([record]))) == [record]


def test_a_bare_sentence_has_no_relation() -> None:
    (batch,) = records_to_batches([Sentence("a")])
    assert batch.column("rel").to_pylist() == [None]


def test_no_records_give_no_batches() -> None:
    assert list(records_to_batches([])) == []


def test_the_schema_says_what_it_is() -> None:
    import pyarrow as pa

    schema = extraction_schema()
    assert schema.metadata == {
        b"tupelo.schema": b"extraction",
        b"tupelo.schema_version": str(SCHEMA_VERSION).encode(),
    }
    assert not schema.field("sentence").nullable
    assert schema.field("confidence").type == pa.float64()
