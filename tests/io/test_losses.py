"""What a conversion drops is found by reading back what was written."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tupelo.core import Argument, Attribution, Extraction, InputError, Record, Sentence, Span
from tupelo.io.formats import ALL_FIELDS, FORMATS, TextFormat
from tupelo.io.tuples import carried_fields, lost_fields, watch_losses, writable

PLAIN = Extraction.of("Nora sold her boat .", "sold", ["Nora", "her boat"])


def losses(name: str, *records: Record) -> dict[str, int]:
    target = FORMATS.get(name)
    assert isinstance(target, TextFormat)
    return dict(lost_fields(records, target))


def test_a_plain_tuple_carries_nothing_but_its_words() -> None:
    assert carried_fields(PLAIN) == {}
    assert losses("tab", PLAIN) == {}


def test_a_full_tuple_carries_every_field() -> None:
    part = Argument("x ", "role", (1,), (Span(0, 1),), (0,), "Nora")
    full = Extraction(
        Sentence("x y", "1", "d", ("x", "y")),
        part,
        part,
        (part,),
        0.5,
        True,
        "might",
        Attribution("Nora"),
        part,
        "g",
        "rules",
        "1",
        "clause",
        minor=True,
    )
    assert set(carried_fields(full)) == ALL_FIELDS - {"empty sentences"}
    assert list(carried_fields(Sentence("x"))) == ["empty sentences"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sentence": Sentence("a b", id="1")}, "sentence.id"),
        ({"sentence": Sentence("a b", document_id="1")}, "sentence.document_id"),
        ({"sentence": Sentence("a b", tokens=("a", "b"))}, "sentence.tokens"),
        ({"sentence": Sentence(" a b")}, "extra spaces"),
        ({"rel": Argument("sold", role="verb")}, "roles"),
        ({"rel": Argument("sold", tokens=(1,))}, "tokens"),
        ({"arg1": Argument("Nora", spans=(Span(0, 4),))}, "spans"),
        ({"arg1": Argument("Nora", inferred=(0,))}, "inferred"),
        ({"negated": False}, "negated"),
        ({"modality": "might"}, "modality"),
        ({"attribution": Attribution("Nora")}, "attribution"),
        ({"context": Argument("in May")}, "context"),
        ({"group": "1"}, "group"),
        ({"extractor": "rules"}, "extractor"),
        ({"extractor_version": "1"}, "extractor_version"),
        ({"arg1": Argument("Nora", resolved="Nora Berg")}, "resolved"),
        ({"rule": "clause"}, "rule"),
    ],
)
def test_each_field_is_missed(change: dict[str, object], field: str) -> None:
    assert losses("tab", PLAIN, replace(PLAIN, **change)) == {field: 1}


def test_confidence_is_missed_where_there_is_no_place_for_it() -> None:
    assert losses("carb", replace(PLAIN, confidence=0.5)) == {"confidence": 1}


def test_unknown_confidence_is_no_loss() -> None:
    assert losses("tab", PLAIN) == {}


def test_a_field_counts_as_lost_only_where_it_is() -> None:
    place, other = Argument("L: at sea", "location"), Argument("at sea", "location")
    records = [replace(PLAIN, args=(place,)), replace(PLAIN, args=(other,))]
    assert losses("carb", *records) == {"roles": 1}


def test_the_spans_of_a_context_that_is_lost_are_not_counted_apart() -> None:
    assert losses("tab", replace(PLAIN, context=Argument("in May", spans=(Span(0, 6),)))) == {"context": 1}


def test_a_system_that_the_format_belongs_to_is_no_loss() -> None:
    assert losses("clausie", replace(PLAIN, extractor="clausie")) == {}
    assert losses("clausie", replace(PLAIN, extractor="ollie")) == {"extractor": 1}


def test_sentences_without_tuples_are_missed() -> None:
    assert losses("tab", Sentence("a b"), PLAIN) == {"empty sentences": 1}
    assert losses("clausie", Sentence("a b", id="1"), PLAIN) == {"sentence.id": 1}


def test_formats_that_know_sentences_by_id_drop_their_text() -> None:
    assert losses("benchie", replace(PLAIN, sentence=Sentence("a b", id="1"))) == {"sentence.text": 1}


def test_groups_are_compared_over_the_whole_document() -> None:
    records = [replace(PLAIN, group="a b", sentence=Sentence(text, document_id="a b")) for text in ("a b", "b a")]
    assert losses("robust", *records) == {}


def test_changed_words_stop_the_conversion() -> None:
    def forgetful(records: object) -> list[str]:
        return ["Nora sold her boat .\t1.0\tsold\tNora\ta boat\n"]

    tab = FORMATS.get("tab")
    assert isinstance(tab, TextFormat)
    with pytest.raises(InputError, match=r"\(Nora; sold; her boat\) would not be read back from tab"):
        lost_fields([PLAIN], replace(tab, write=forgetful))


def test_records_pass_through_in_order_and_are_counted_to_the_last() -> None:
    found: Counter[str] = Counter()
    records = [replace(PLAIN, group=str(number)) for number in range(2500)]
    assert list(watch_losses(records, FORMATS.get("tab"), found)) == records
    assert found == {"group": 2500}


@pytest.mark.parametrize("name", ["jsonl", "parquet"])
def test_our_own_formats_need_no_watching(name: str) -> None:
    found: Counter[str] = Counter()
    assert list(watch_losses([replace(PLAIN, group="1")], FORMATS.get(name), found))
    assert found == {}


def test_records_that_cannot_be_held_are_left_out_on_request() -> None:
    refused: list[InputError] = []
    one = Extraction.of("a b", "x", ["y"])
    assert list(writable([PLAIN, one, PLAIN], FORMATS.get("clausie"), refused.append)) == [PLAIN, PLAIN]
    assert [str(error) for error in refused] == ["(y; x) has 1 argument(s), but clausie holds exactly 2"]
