"""Every kind of cluster file, and what is wrong with a faulty one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tupelo.core import FormatError, InputError, UnknownNameError
from tupelo.io.clusters import read_cluster_file

pytestmark = pytest.mark.model

COMBO = [
    {
        "tri_id": number,
        "text": ["ann", "saw", "bob"],
        "h": {"name": ["ann"], "pos": [0, 1], "id": entity, "instance": ["Q5"]},
        "r": {"name": ["saw"], "pos": [1, 2], "label": "saw"},
        "t": {"name": ["bob"], "pos": [2, 3], "id": "Q2", "instance": ["Q5", "Q7"]},
    }
    for number, entity in ((1, "Q1"), (2, "Q9"))
]
TYPES = [
    {"id": "a", "kind": "type", "parent": "b", "members": [{"mention": "1", "slot": "subject"}]},
    {"id": "b", "kind": "type", "members": [{"mention": "2", "slot": "subject"}]},
    {
        "id": "c",
        "kind": "entity",
        "members": [{"mention": "1", "slot": "subject"}, {"mention": "2", "slot": "object"}],
    },
]


def write(folder: Path, text: str) -> Path:
    path = folder / "file"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "format_name"),
    [
        ("x\ta\tb\ny\tc\n\n", "tabs"),
        ("x\t2\ta\tb\ny\t1\tc\n", "sized"),
        ('[["a", "b"], ["c"]]', "lists"),
        ('{"x": ["a", "b"],\n "y": ["c"]}', "lists"),
    ],
)
def test_bare_clusters(text: str, format_name: str, tmp_path: Path) -> None:
    found = read_cluster_file(write(tmp_path, text))
    assert (found.format, found.clusters) == (format_name, {"clusters": [("a", "b"), ("c",)]})


def test_gold_labels_of_triples(tmp_path: Path) -> None:
    found = read_cluster_file(write(tmp_path, json.dumps(COMBO)))
    assert found.clusters == {
        "subject": [("1",), ("2",)],
        "object": [("1", "2")],
        "relation": [("1", "2")],
        "subject-type": [("1", "2")],
        "object-type": [("1", "2"), ("1", "2")],
    }


@pytest.mark.parametrize("as_document", [False, True])
def test_what_canonicalize_writes(as_document: bool, tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in TYPES)
    text = json.dumps({"method": "m", "triples": 2, "clusters": TYPES}, indent=2) if as_document else lines
    found = read_cluster_file(write(tmp_path, text))
    assert found.clusters == {"subject": [("1",)], "object": [("2",)], "subject-type": [("1",), ("2",)]}
    assert found.nested["subject-type"] == [("1",), ("2", "1")] or found.nested["subject-type"] == [
        ("1",),
        ("1", "2"),
    ]


def test_types_that_lie_in_each_other_do_not_hang(tmp_path: Path) -> None:
    rows = [{**TYPES[0], "parent": "b"}, {**TYPES[1], "parent": "a"}]
    found = read_cluster_file(write(tmp_path, "".join(json.dumps(row) + "\n" for row in rows)))
    assert [set(members) for members in found.nested["subject-type"]] == [{"1", "2"}, {"1", "2"}]


@pytest.mark.parametrize(
    ("text", "format_name", "line", "message"),
    [
        ("x\ta\ny\n", "auto", 2, "no member after the label 'y'"),
        ("x\ta\ny\ta\t\n", "auto", 2, "an empty member"),
        ("x\t2\ta\tb\ny\t3\tc\n", "auto", 2, "1 member(s) after the size '3'"),
        ("x\n", "sized", 1, "expected label, size"),
        ('[["a"],\n "b"]', "auto", 2, "no list of strings"),
        ('[["a"],\n [[1]]]', "auto", 2, "no list of strings"),
        ('[["a"],\n', "auto", 1, "the document ends here"),
        ('{"method": "m", "clusters": 3}', "jsonl", 1, "without a list 'clusters'"),
        ('{"kind": "thing", "members": []}\n', "auto", 1, "'kind' is 'thing'"),
    ],
)
def test_a_fault_is_blamed_on_its_line(text: str, format_name: str, line: int, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_cluster_file(path, format_name)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_faults_can_be_collected(tmp_path: Path) -> None:
    faults: list[FormatError] = []
    found = read_cluster_file(write(tmp_path, "x\ta\ny\nz\tb\n"), collect=faults.append)
    assert (len(faults), found.clusters["clusters"]) == (1, [("a",), ("b",)])


def test_triples_without_gold_and_unknown_formats_are_refused(tmp_path: Path) -> None:
    bare = [{**COMBO[0], "h": {"name": ["ann"], "pos": [0, 1]}, "t": {"name": ["b"], "pos": [2, 3]}}]
    bare[0]["r"] = {"name": ["saw"], "pos": [1, 2]}
    with pytest.raises(InputError, match="no gold labels"):
        read_cluster_file(write(tmp_path, json.dumps(bare)))
    with pytest.raises(UnknownNameError, match="Did you mean 'sized'"):
        read_cluster_file(tmp_path / "file", "size")
