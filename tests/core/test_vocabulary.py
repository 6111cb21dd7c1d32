"""The vocabulary: what its objects allow, and that they are values."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import wild_records
from tupelo.core import Argument, Attribution, Clique, Extraction, FormatError, Record, Sentence, Span, Triple
from tupelo.core.clique import gather_cliques


class TestValues:
    @given(record=wild_records)
    def test_a_record_survives_copying_and_pickling(self, record: Record) -> None:
        assert copy.deepcopy(record) == record
        # Process pools send records this way.
        assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301
        assert hash(replace(record)) == hash(record)

    @pytest.mark.parametrize(
        "value", [Sentence("a"), Argument("a"), Attribution("a"), Extraction.of("a", "b"), Span(0, 1)], ids=repr
    )
    def test_nothing_can_be_changed_afterwards(self, value: object) -> None:
        name = fields(value)[0].name  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, "other")
        with pytest.raises((AttributeError, TypeError)):
            value.invented = 1  # type: ignore[attr-defined]


class TestExtraction:
    def test_nan_is_refused(self) -> None:
        with pytest.raises(ValueError, match="NaN"):
            Extraction.of("a", "b", confidence=float("nan"))

    def test_further_arguments_need_a_first(self) -> None:
        with pytest.raises(ValueError, match="needs arg1"):
            Extraction(Sentence("a"), Argument("b"), None, (Argument("c"),))

    def test_the_first_string_becomes_arg1(self) -> None:
        extraction = Extraction.of("He gave her roses .", "gave", ["He", "her", "roses"])
        assert extraction.arg1 == Argument("He")
        assert extraction.args == (Argument("her"), Argument("roses"))
        assert extraction.arguments == (Argument("He"), Argument("her"), Argument("roses"))

    def test_a_relation_may_stand_alone(self) -> None:
        extraction = Extraction.of("It rained .", "rained")
        assert extraction.arguments == ()
        assert extraction.triple() == Triple("", "rained", "")

    def test_a_triple_joins_what_follows_the_relation(self) -> None:
        assert Extraction.of("s", "gave", ["He", "her", "roses"]).triple() == Triple("He", "gave", "her roses")

    def test_it_reads_as_a_tuple(self) -> None:
        assert str(Extraction.of("s", "gave", ["He", "her"])) == "(He; gave; her)"
        assert str(Extraction.of("s", "rained")) == "(; rained)"


class TestSpan:
    @pytest.mark.parametrize(("start", "end"), [(-1, 0), (2, 1), (-3, -2)])
    def test_ends_must_be_in_order(self, start: int, end: int) -> None:
        with pytest.raises(ValueError, match="is not 0 <= start <= end"):
            Span(start, end)

    @pytest.mark.slow
    @given(text=st.text(), data=st.data())
    def test_it_covers_code_points(self, text: str, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert Span(start, end).of(text) == text[start:end]

    def test_spans_sort_by_their_start(self) -> None:
        assert sorted([Span(3, 4), Span(0, 9), Span(0, 2)]) == [Span(0, 2), Span(0, 9), Span(3, 4)]


class TestClique:
    def test_records_are_gathered_by_group_in_order_of_appearance(self) -> None:
        first, second = Sentence("a", document_id="g"), Sentence("b", document_id="g")
        one = replace(Extraction.of(first, "x"), group="g")
        two = replace(Extraction.of(first, "y"), group="g")
        assert list(gather_cliques([one, second, two])) == [Clique("g", (first, second), ((one, two), ()))]

    def test_a_record_without_group_makes_its_own_clique(self) -> None:
        extraction = Extraction.of("a", "x")
        assert list(gather_cliques([extraction, Sentence("b")])) == [
            Clique("a", (Sentence("a"),), ((extraction,),)),
            Clique("b", (Sentence("b"),), ((),)),
        ]

    def test_every_sentence_needs_its_list_of_tuples(self) -> None:
        with pytest.raises(ValueError, match="one list of extractions per sentence"):
            Clique("a", (Sentence("a"),), ())


def test_a_format_error_says_where_what_and_what_next() -> None:
    error = FormatError("f.tsv", 3, "1 field(s)", "4 or more", hint="Were the tabs saved as spaces?")
    assert str(error) == "f.tsv:3: 1 field(s), expected 4 or more. Were the tabs saved as spaces?"
    assert isinstance(error, ValueError)
