"""JSON documents item by item: every item and every fault has its line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import FormatError
from tupelo.io.json_items import array_items, object_items
from tupelo.io.lines import Lines

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
indents = st.none() | st.integers(0, 3)


def lines_of(text: str, collect: list[FormatError] | None = None) -> Lines:
    return Lines(text.split("\n"), "f.json", None if collect is None else collect.append)


@given(items=st.lists(values, max_size=5), indent=indents)
def test_an_array_gives_its_items(items: list[object], indent: int | None) -> None:
    assert [item for _, item in array_items(lines_of(json.dumps(items, indent=indent)))] == items


@given(members=st.dictionaries(st.text(), values, max_size=5), indent=indents)
def test_an_object_gives_its_members(members: dict[str, object], indent: int | None) -> None:
    assert {key: value for _, key, value in object_items(lines_of(json.dumps(members, indent=indent)))} == members


def test_items_know_their_lines() -> None:
    assert list(array_items(lines_of('\n[\n1, 2,\n\n{"a":\n3}\n]\n'))) == [(3, 1), (3, 2), (5, {"a": 3})]
    assert list(object_items(lines_of('{"a": 1,\n\n"b":\n2}'))) == [(1, "a", 1), (3, "b", 2)]


def test_repeated_keys_come_repeatedly() -> None:
    assert list(object_items(lines_of('{"a": 1, "a": 2}'))) == [(1, "a", 1), (1, "a", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.json:1: the document ends here, expected a JSON array"),
        ("\n\n  ", "f.json:3: the document ends here, expected a JSON array"),
        ("{}", "f.json:1: '{}', expected a JSON array"),
        ("[1,\n2", "f.json:2: the document ends here, expected ',' or ']'"),
        ("[1\n2]", "f.json:2: '2]', expected ',' or ']'"),
        ("[1,\n]", "f.json:2: expecting value: ']', expected well-formed JSON"),
        ('[1,\n{"a":\n}]', "f.json:3: expecting value: '}]', expected well-formed JSON"),
        ("[1]\n[2]", "f.json:2: '[2]' after the end of the document, expected one JSON document"),
        ("[" * 100_000, "f.json:1: brackets nested too deeply, expected a flat JSON document"),
        (f"[1,\n{'9' * 5000}]", "f.json:2: a number with too many digits, expected numbers of ordinary size"),
    ],
)
def test_a_broken_array_is_blamed_on_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(array_items(lines_of(text)))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "f.json:1: '[]', expected a JSON object"),
        ("{\na: 1}", "f.json:2: 'a: 1}', expected a key in double quotes"),
        ('{\n"a" 1}', "f.json:2: '1}', expected ':' after the key"),
        ('{"a": 1,\n}', "f.json:2: '}', expected a key in double quotes"),
        ('{"a": 1\n', "f.json:2: the document ends here, expected ',' or '}'"),
        ('{"a', "f.json:1: unterminated string starting at: '\"a', expected well-formed JSON"),
        ('{"a\n"}', "f.json:1: invalid control character at: the line ends here, expected well-formed JSON"),
    ],
)
def test_a_broken_object_is_blamed_on_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(object_items(lines_of(text)))
    assert str(caught.value) == message


def test_a_collector_gets_the_fault_after_the_good_items() -> None:
    faults: list[FormatError] = []
    assert list(array_items(lines_of("[1, 2, oops]", faults))) == [(1, 1), (1, 2)]
    assert len(faults) == 1
