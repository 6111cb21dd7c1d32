"""Knowledge bases in three formats say the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tupelo.core import FormatError, InputError
from tupelo_training.facts.knowledge import (
    ALIAS,
    KNOWLEDGE_BASES,
    LABEL,
    TITLE,
    Knowledge,
    KnownFact,
    Name,
    format_of,
)
from tupelo_training.facts.knowledge_stage import ReadKnowledge, partition_knowledge


def read(kind: str, *lines: str) -> list[Knowledge]:
    reader = KNOWLEDGE_BASES.get(kind)
    return [found for number, line in enumerate(lines, 1) for found in reader(line, "kb", number)]


def statement(value: object, rank: str = "normal") -> dict[str, object]:
    return {"rank": rank, "mainsnak": {"snaktype": "value", "datavalue": {"value": value}}}


def item(number: str) -> dict[str, object]:
    return {"entity-type": "item", "id": number}


def test_wikidata_gives_names_and_the_statements_that_hold() -> None:
    ann = {
        "id": "Q1",
        "labels": {"en": {"value": "Ann Lee"}, "de": {"value": "Anna"}},
        "aliases": {"en": [{"value": "A. Lee"}]},
        "sitelinks": {"enwiki": {"title": "Ann Lee (poet)"}},
        "claims": {
            "P19": [statement(item("Q2")), statement(item("Q3"), "preferred"), statement(item("Q4"), "deprecated")],
            "P569": [statement({"time": "+1970-05-05T00:00:00Z", "precision": 11})],
            "P570": [statement({"time": "+2001-00-00T00:00:00Z", "precision": 9})],
            "P31": [{"rank": "normal", "mainsnak": {"snaktype": "novalue"}}],
            "P1082": [statement({"amount": "+5"})],
            "P1549": [statement({"language": "en", "text": "Leeite"}), statement({"language": "de", "text": "x"})],
        },
    }
    assert read("wikidata", "[", f"{json.dumps(ann)},", "]") == [
        Name("Q1", "Ann Lee (poet)", TITLE),
        Name("Q1", "Ann Lee", LABEL),
        Name("Q1", "A. Lee", ALIAS),
        KnownFact("Q1", "P19", "Q3"),
        KnownFact("Q1", "P569", "1970-05-05", is_date=True),
        KnownFact("Q1", "P570", "2001", is_date=True),
        Name("Q1", "Leeite", ALIAS),
    ]


def test_ntriples_give_english_names_dates_and_links() -> None:
    base = "http://www.wikidata.org"
    found = read(
        "ntriples",
        f"<{base}/entity/Q1> <{base}/prop/direct/P19> <{base}/entity/Q2> .",
        f'<{base}/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Ann \\"L\\u00e9\\""@en .',
        f'<{base}/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Anna"@de .',
        f'<{base}/entity/Q1> <{base}/prop/direct/P569> "1970-05-05T00:00:00Z"'
        "^^<http://www.w3.org/2001/XMLSchema#dateTime> .",
        "# a comment",
        "_:b <http://x.org/p> _:c .",
    )
    one, two = f"{base}/entity/Q1", f"{base}/entity/Q2"
    assert found == [
        Name(one, "Q1", ALIAS),
        Name(two, "Q2", ALIAS),
        KnownFact(one, "P19", two),
        Name(one, 'Ann "Lé"', LABEL),
        Name(one, "Q1", ALIAS),
        KnownFact(one, "P569", "1970-05-05", is_date=True),
    ]


def test_things_of_a_table_are_their_names() -> None:
    assert read("tsv", "Ann Lee\tP19\tBasel", "Ann Lee\talias\tA. Lee", "Ann Lee\tP569\t1970-05-05", "") == [
        Name("Ann Lee", "Ann Lee", LABEL),
        Name("Basel", "Basel", LABEL),
        KnownFact("Ann Lee", "P19", "Basel"),
        Name("Ann Lee", "Ann Lee", LABEL),
        Name("Ann Lee", "A. Lee", ALIAS),
        Name("Ann Lee", "Ann Lee", LABEL),
        KnownFact("Ann Lee", "P569", "1970-05-05", is_date=True),
    ]


@pytest.mark.parametrize(
    ("kind", "line", "message"),
    [
        ("tsv", "Ann\tP19", r"kb:1: 2 field\(s\), expected subject, property and object"),
        ("tsv", "Ann\t\tBasel", r"kb:1: 3 field\(s\)"),
        ("ntriples", "<a> <b> c .", "kb:1: not a triple"),
        ("ntriples", "<a> <b> <c>", "kb:1: not a triple"),
        ("wikidata", "{", "kb:1: not JSON"),
        ("wikidata", '{"labels": {}}', "kb:1: no item with an id"),
        ("wikidata", '{"id": "Q1", "claims": {"P1": [3]}}', "kb:1: an item of another form"),
    ],
)
def test_bad_lines_are_named(kind: str, line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(kind, line)


def test_endings_tell_the_format() -> None:
    assert format_of("a.nt.bz2") == "ntriples"
    with pytest.raises(InputError, match="not a known kind of knowledge base"):
        format_of("a.csv")
    with pytest.raises(InputError, match="No such file"):
        partition_knowledge(["nowhere.tsv"])


@pytest.mark.parametrize("piece", [1, 7, 30, 64, 10_000])
def test_pieces_of_a_file_have_every_line_once(tmp_path: Path, piece: int) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("".join(f"s{number}\tP1\to{number}\n" for number in range(9)) + "last\tP2\tüö", encoding="utf-8")
    stage = ReadKnowledge()
    rows = [
        row
        for part in partition_knowledge([str(path)], piece=piece)
        for batch in stage(part.read())
        for row in batch.to_pylist()
        if row["property"]
    ]
    assert [row["id"] for row in rows] == [*(f"s{number}" for number in range(9)), "last"]
    assert rows[-1]["value"] == "üö"


def test_a_bad_line_does_not_cost_the_others(tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("a\tP1\tb\nbroken\nc\tP1\td\n", encoding="utf-8")
    (part,) = partition_knowledge([str(path)])
    (batch,) = ReadKnowledge()(part.read())
    rows = batch.to_pylist()
    assert [row["id"] for row in rows if row["property"]] == ["a", "c"]
    assert [row["error"] for row in rows if row["error"]] == [
        "kb.tsv:2: 1 field(s), expected subject, property and object, separated by tabs"
    ]
