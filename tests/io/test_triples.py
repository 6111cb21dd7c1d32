"""Readers of triples: what each makes of good input, and the one line that bad input gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tupelo.core import FormatError, InputError, UnknownNameError
from tupelo.io.triples import read_triples


def combo_item(**changes: Any) -> dict[str, Any]:
    item: dict[str, Any] = {
        "tri_id": 7,
        "text": ["in", "may", "ann", "berg", "was", "the", "mayor", "of", "oslo", "."],
        "h": {"id": "Q1", "instance": ["Q5", "Q5"], "name": ["ann", "berg"], "pos": [2, 4]},
        "r": {"id": None, "label": "head of government", "name": ["mayor", "of"], "pos": [5, 8]},
        "t": {"id": "Q2", "instance": ["Q515"], "name": ["oslo"], "pos": [8, 9]},
    }
    return item | changes


def written(tmp_path: Path, content: object, name: str = "triples") -> Path:
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def test_combo(tmp_path: Path) -> None:
    again = combo_item(text=["ann", "was", "mayor", "of", "oslo"], h={"id": "Q9", "name": ["ann"], "pos": [0, 1]})
    again |= {
        "r": {"label": "x", "name": ["was", "mayor", "of"], "pos": [1, 4]},
        "t": combo_item()["t"] | {"pos": [4, 5]},
    }
    file = read_triples(written(tmp_path, [combo_item(), combo_item(tri_id=8), again]))
    first, second = file.mentions
    # The later item with an id takes the earlier one's place.
    assert (first.id, first.subject.text, second.id) == ("7", "ann", "8")
    assert second.sentence == "in may ann berg was the mayor of oslo ."
    assert [second.phrase(slot).span.of(second.sentence) for slot in ("subject", "relation", "object")] == [  # type: ignore
        "ann berg",
        "the mayor of",
        "oslo",
    ]
    assert second.relation.text == "mayor of"
    assert file.gold["subject-type"]["8"] == {"Q5"}
    assert file.gold["relation"] == {"7": {"x"}, "8": {"head of government"}}
    assert len(file.checksum) == 64


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([1], "an item that is no object, expected an object"),
        ([combo_item(text="ann")], "'text' is missing or no list of tokens, expected a list of tokens"),
        ([combo_item(tri_id=None)], "'tri_id' is missing, expected the id of the triple"),
        ([combo_item(h={"id": "Q1", "name": [], "pos": [0, 1]})], "'h.name' is missing or no list of tokens"),
        ([combo_item(t={"id": "Q1", "name": [" "], "pos": [0, 1]})], "'t.name' is missing or no list of tokens"),
        (
            [combo_item(r={"label": "x", "name": ["a"], "pos": [9, 11]})],
            r"'r.pos' is \[9, 11\], expected \[start, end\)",
        ),
        ([combo_item(r={"label": "x", "name": ["a"]})], "'r.pos' is None"),
    ],
)
def test_bad_combo(content: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"triples:1: {message}"):
        read_triples(written(tmp_path, content), "combo")


def cesi_line(**changes: Any) -> str:
    item: dict[str, Any] = {
        "_id": 3,
        "triple": ["Berg", "leads", "the Port"],
        "src_sentences": ["Everyone knows that Berg leads the Port."],
        "true_link": {"subject": "/m/1", "object": "NULL"},
        "entity_linking": {"subject": "Ann_Berg", "object": None},
    }
    return json.dumps(item | changes) + "\n"


def test_cesi(tmp_path: Path) -> None:
    file = read_triples(written(tmp_path, cesi_line() + cesi_line(_id=4, triple=["", "x", "y"])))
    (mention,) = file.mentions
    assert mention.links == ("Ann_Berg", None)
    assert mention.subject.span is not None
    assert mention.subject.span.of(mention.sentence) == "Berg"
    assert dict(file.gold) == {"subject": {"3": {"/m/1"}}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "a line that is no object"),
        (cesi_line(_id=None), "'_id' is missing"),
        (cesi_line(triple=["a", "b"]), "'triple' is missing or not three strings"),
    ],
)
def test_bad_cesi(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"triples:2: {message}"):
        read_triples(written(tmp_path, cesi_line() + content), "cesi")


OKG = "4\nal azhar\tadmit\tstudent\nfiber\tbe\tfiber\nfiber\tbe\tdual\nfiber\tfeed\tpeople\n"


def test_okg_labels_every_mention_of_an_ambiguous_phrase(tmp_path: Path) -> None:
    written(tmp_path, OKG, "triples.txt")
    subjects = "/m/azhar\t1\tal azhar|130\n/m/cloth\t2\tfiber|5\tfiber|4\n/m/food\t1\tfiber|2\n"
    objects = "/m/o1\t1\tstudent|130\n/m/o2\t1\tfiber|4\n/m/o3\t1\tdual|5\n/m/o4\t1\tpeople|2\n"
    written(tmp_path, subjects, "gold_npclust.txt")
    written(tmp_path, subjects + objects, "gold_npclust_all.txt")
    written(tmp_path, "1\nal azhar\tazhar\t1.5\n", "ent_side_info.txt")
    file = read_triples(tmp_path)
    assert [mention.id for mention in file.mentions] == ["1", "2", "3", "4"]
    assert dict(file.gold["subject"]) == {"1": {"/m/azhar"}, "2": {"/m/cloth"}, "3": {"/m/cloth"}, "4": {"/m/food"}}
    assert dict(file.gold["object"]) == {"1": {"/m/o1"}, "2": {"/m/o2"}, "3": {"/m/o3"}, "4": {"/m/o4"}}
    assert file.side_pairs == {"entity": (("al azhar", "azhar", 1.5),)}
    # Without the gold of objects a row takes the next mention of its subject: every label as often as gold has it.
    (tmp_path / "gold_npclust_all.txt").unlink()
    labels = sorted(label for own in read_triples(tmp_path).gold["subject"].values() for label in own)
    assert labels == ["/m/azhar", "/m/cloth", "/m/cloth", "/m/food"]
    # Gold of all phrases alone does not tell subjects from objects; the two phrases of a row do.
    (tmp_path / "gold_npclust.txt").rename(tmp_path / "away")
    written(tmp_path, subjects + objects, "gold_npclust_all.txt")
    assert read_triples(tmp_path).gold["subject"]["4"] == {"/m/food"}


def test_okg_with_gold_by_phrase(tmp_path: Path) -> None:
    written(tmp_path, OKG, "triples.txt")
    written(tmp_path, "cluster_0\t2\tfiber\tdual\n", "gold_npclust.txt")
    file = read_triples(tmp_path)
    assert file.by_phrase
    assert {slot: sorted(labels) for slot, labels in file.gold.items()} == {
        "subject": ["2", "3", "4"],
        "object": ["2", "3"],
    }


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("triples.txt", "a\tb\tc\n", "triples.txt:1: 'a.tb.tc', expected the number of rows"),
        ("triples.txt", "1\na\tb\n", "triples.txt:2: 2 field"),
        ("triples.txt", "1\na\t \tc\n", "triples.txt:2: relation is empty"),
        ("gold_npclust.txt", "/m/1\t0\n", "gold_npclust.txt:1: 2 field"),
        ("rel_side_info.txt", "1\na\tb\tmuch\n", "rel_side_info.txt:2: weight 'much', expected a number"),
    ],
)
def test_bad_okg(name: str, content: str, message: str, tmp_path: Path) -> None:
    written(tmp_path, "1\na\tb\tc\n", "triples.txt")
    written(tmp_path, content, name)
    with pytest.raises(FormatError, match=message.replace("\\", "\\\\")):
        read_triples(tmp_path)


def test_tsv(tmp_path: Path) -> None:
    path = written(tmp_path, "Ann\tlives in\tOslo\tToday Ann lives in  Oslo.\n\nBo\tknows\tAnn\n")
    first, second = read_triples(path).mentions
    assert (first.id, second.id, second.sentence) == ("1", "3", "")
    assert first.object.span is not None
    assert first.object.span.of(first.sentence) == "Oslo"


@pytest.mark.parametrize("header", ["subject\trelation\tobject", "Subject\tRelation\tObject\tSentence"])
def test_a_header_is_no_triple(header: str, tmp_path: Path) -> None:
    file = read_triples(written(tmp_path, f"{header}\nAnn\tlives in\tOslo\nsubject\trelation\tobject\n"))
    assert [mention.subject.text for mention in file.mentions] == ["Ann", "subject"]
    with pytest.raises(InputError, match="no triples, expected at least one"):
        read_triples(written(tmp_path, f"{header}\n"))


def test_a_file_of_no_known_format_names_the_formats_of_triples(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"name one with --format \(combo, cesi, okg, tsv, tuples\)"):
        read_triples(written(tmp_path, "Ann,lives in,Oslo\n"))


@pytest.mark.parametrize(
    ("line", "message"),
    [("a\tb", "2 field"), ("a\tb\tc\td\te", "5 field"), ("a\t\tc", "relation is empty, expected a phrase")],
)
def test_bad_tsv(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"triples:2: {message}"):
        read_triples(written(tmp_path, f"a\tb\tc\n{line}\n"), "tsv")


def test_faults_can_be_collected(tmp_path: Path) -> None:
    faults: list[FormatError] = []
    file = read_triples(written(tmp_path, "a\tb\tc\na\tb\nd\te\tf\n"), "tsv", faults.append)
    assert ([mention.id for mention in file.mentions], [fault.line for fault in faults]) == (["1", "3"], [2])


def test_our_tuples(tmp_path: Path) -> None:
    lines = [
        {
            "sentence": {"text": "She runs it."},
            "rel": {"text": "runs"},
            "arg1": {"text": "She", "resolved": "Ann Berg", "spans": [{"start": 0, "end": 3}]},
            "args": [{"text": "it", "spans": [{"start": 9, "end": 11}]}],
        },
        {"sentence": {"text": "It rains."}, "rel": {"text": "rains"}, "arg1": {"text": "It"}},
        {"sentence": {"text": "Nothing."}},
    ]
    path = written(tmp_path, "".join(json.dumps(line) + "\n" for line in lines))
    (mention,) = read_triples(path).mentions
    assert (mention.subject.text, mention.object.text) == ("Ann Berg", "it")
    assert mention.subject.span is not None
    assert mention.subject.span.of(mention.sentence) == "She"


def test_carbs_tabs_are_tuples_and_not_triples(tmp_path: Path) -> None:
    path = written(tmp_path, "Ann ate a pear .\t0.9\tate\tAnn\ta pear\n")
    (mention,) = read_triples(path).mentions
    assert (mention.subject.text, mention.relation.text, mention.object.text) == ("Ann", "ate", "a pear")


def test_a_file_without_triples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no triples, expected at least one"):
        read_triples(written(tmp_path, "[]"), "combo")
    with pytest.raises(UnknownNameError, match="no triple format named 'xml'"):
        read_triples(written(tmp_path, "a\tb\tc"), "xml")


@pytest.mark.slow
def test_public_files_have_their_known_sizes(shared: Path) -> None:
    combo = read_triples(shared / "data/combo/combo.dev.json")
    assert len(combo.mentions) == 1394
    labels = {subtask: len(set().union(*values.values())) for subtask, values in combo.gold.items()}
    assert labels == {"subject": 1046, "object": 854, "relation": 80, "subject-type": 494, "object-type": 598}
    for name, subjects, clusters in (("reverb_base", 5708, 111), ("reverb_ambiguous", 22768, 338)):
        gold = read_triples(shared / f"data/okg/{name}/test").gold["subject"]
        assert (len(gold), len(set().union(*gold.values()))) == (subjects, clusters)
