"""WiRe57's gold and system files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tupelo.core import Argument, Extraction, FormatError, InputError, Record, Sentence
from tupelo.io.formats import TextFormat, wire57
from tupelo.io.lines import Lines

TOKENS = ("The", "mill", "burned", "down", ".")
SENTENCE = Sentence("The mill burned down.", "MI 1", "Mills", TOKENS)


def read(chosen: TextFormat, document: Any) -> list[Record]:
    return list(chosen.read(Lines(json.dumps(document, indent=1).splitlines(keepends=True), "file.json")))


def write(chosen: TextFormat, *records: Record) -> Any:
    return json.loads("".join(chosen.write(records)))


def part(words: str, *indexes: object) -> dict[str, Any]:
    return {"text": f"({words})/variant", "words": words.split(), "words_indexes": list(indexes)}


def gold_document(*tuples: dict[str, Any]) -> dict[str, Any]:
    item = {"id": SENTENCE.id, "sent": SENTENCE.text, "tokens": list(TOKENS), "tuples": list(tuples)}
    return {"Mills": [item]}


class TestGold:
    def test_words_are_joined_and_keep_their_places(self) -> None:
        document = gold_document(
            {
                "attrib/spec?": "x",
                "arg1": part("The mill", [0, -2.5], 1) | {"decorefed_words": ["it"], "decorefed_indexes": ["coref"]},
                "rel": part("has burned", "inf", 2),
                "arg2": part("down", 3),
                "arg3+": [part("to ashes", "inf", "inf")],
            }
        )
        assert read(wire57.WIRE57_GOLD, document) == [
            Extraction(
                SENTENCE,
                rel=Argument("has burned", tokens=(2,), inferred=(0,)),
                arg1=Argument("The mill", tokens=(0, 1)),
                args=(Argument("down", tokens=(3,)), Argument("to ashes", tokens=(), inferred=(0, 1))),
            )
        ]

    def test_a_sentence_without_tuples_is_kept(self) -> None:
        assert read(wire57.WIRE57_GOLD, gold_document()) == [SENTENCE]

    def test_sentences_may_lack_id_tokens_and_document(self) -> None:
        document = {"": [{"sent": "Nora slept.", "tuples": []}, {"sent": "Rain fell.", "tuples": []}]}
        assert read(wire57.WIRE57_GOLD, document) == [Sentence("Nora slept."), Sentence("Rain fell.")]

    def test_a_faulty_sentence_can_be_skipped(self) -> None:
        faults: list[FormatError] = []
        lines = Lines(
            ['{"A": [{"sent": 1}, {"sent": "Rain fell.", "tuples": []}],\n', '"B": {}}'], "g", faults.append
        )
        assert list(wire57.WIRE57_GOLD.read(lines)) == [Sentence("Rain fell.", document_id="A")]
        assert [fault.line for fault in faults] == [1, 2]

    def test_what_was_read_is_written_back(self) -> None:
        records = read(
            wire57.WIRE57_GOLD,
            gold_document(
                {"arg1": part("mill", 1), "rel": part("[is]", "inf"), "arg2": part("down", 3), "arg3+": []}
            ),
        )
        document = write(wire57.WIRE57_GOLD, *records, Sentence("Rain fell.", "R 1"))
        assert list(document) == ["Mills", ""]
        assert document["Mills"][0]["tuples"][0]["rel"]["words_indexes"] == ["inf"]
        assert read(wire57.WIRE57_GOLD, document) == [*records, Sentence("Rain fell.", "R 1")]

    @pytest.mark.parametrize("tokens", [None, (1,), (1, 9)])
    def test_places_that_do_not_fit_the_words_are_written_as_unknown(self, tokens: tuple[int, ...] | None) -> None:
        parts = Argument("burned"), Argument("the mill", tokens=tokens), (Argument("down"),)
        document = write(wire57.WIRE57_GOLD, Extraction(SENTENCE, *parts))
        assert document["Mills"][0]["tuples"][0]["arg1"]["words_indexes"] == [None, None]
        [record] = read(wire57.WIRE57_GOLD, document)
        assert isinstance(record, Extraction)
        assert record.arg1 == Argument("the mill")

    def test_a_tuple_with_one_argument_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match=r"has 1 argument\(s\), but wire57-gold needs 2 or more"):
            write(wire57.WIRE57_GOLD, Extraction.of(SENTENCE, "burned", ["mill"]))

    def test_two_sentences_with_one_id_cannot_be_written(self) -> None:
        with pytest.raises(InputError, match="two different sentences have the id 'MI 1'"):
            write(wire57.WIRE57_GOLD, SENTENCE, Sentence("Rain fell.", "MI 1"))


class TestSystemFile:
    value = {"arg1": "The mill", "rel": "burned", "arg2": "down", "extractor": "north", "score": -2}  # noqa: RUF012

    def test_a_tuple_knows_its_system_and_confidence(self) -> None:
        document = {"MI 1": [self.value | {"arg3+": ["in May", "at night"]}]}
        assert read(wire57.WIRE57, document) == [
            Extraction(
                Sentence("", id="MI 1"),
                Argument("burned"),
                Argument("The mill"),
                (Argument("down"), Argument("in May"), Argument("at night")),
                confidence=-2.0,
                extractor="north",
            )
        ]

    def test_score_and_extractor_may_be_missing(self) -> None:
        [record] = read(wire57.WIRE57, {"MI 1": [{"arg1": "a", "rel": "b", "arg2": "c", "score": None}]})
        assert isinstance(record, Extraction)
        assert (record.confidence, record.extractor) == (None, None)

    def test_a_sentence_without_tuples_is_kept(self) -> None:
        assert read(wire57.WIRE57, {"MI 1": []}) == [Sentence("", id="MI 1")]

    def test_only_the_faulty_tuple_is_skipped(self) -> None:
        faults: list[FormatError] = []
        text = json.dumps({"MI 1": [self.value, {"arg1": "x"}, self.value]})
        assert len(list(wire57.WIRE57.read(Lines([text], "s", faults.append)))) == 2
        assert len(faults) == 1

    def test_tuples_of_a_sentence_are_gathered_in_writing(self) -> None:
        document = {"MI 1": [self.value, self.value | {"arg3+": ["in May"]}], "MI 2": [self.value], "MI 3": []}
        records = read(wire57.WIRE57, document)
        shuffled = [records[0], records[2], records[3], records[1]]
        assert write(wire57.WIRE57, *shuffled) == document
        assert write(wire57.WIRE57) == {}

    @pytest.mark.parametrize(
        "record",
        [Sentence("No id."), Extraction.of("No id.", "is", ["a", "b"]), Extraction.of(SENTENCE, "burned", ["mill"])],
    )
    def test_what_it_cannot_hold_is_refused(self, record: Record) -> None:
        with pytest.raises(InputError):
            write(wire57.WIRE57, record)


def test_gold_is_recognised_by_its_first_lines_alone() -> None:
    lines = json.dumps(gold_document(), indent=1).splitlines()
    assert wire57.WIRE57_GOLD.sniff(lines[:8]) == 1.0
    assert wire57.WIRE57.sniff(lines) == 0.0
