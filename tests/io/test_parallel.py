"""Parallel corpora: sentences or trees."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tupelo.core import Analysis, FormatError
from tupelo.io.analyses import parallel_pairs as read
from tupelo.io.lines import Lines


def bare(sentences: Iterable[str]) -> list[Analysis]:
    return [Analysis(text, ()) for text in sentences]


def test_trees_are_read_and_sentences_parsed() -> None:
    lines = Lines(["(S (NP (PRP He)))\t(S (VP (VBD ate)))", "He ate .\tHe has eaten ."])
    pairs = [(one.text, other.text) for one, other in read(lines, bare)]
    assert pairs == [("He", "ate"), ("He ate .", "He has eaten .")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("one", "1 field"),
        ("one\t", "2 field"),
        ("a\tb\tc", "3 field"),
        ("(S (NP x)\t(S (NP (PRP He)))", "does not end"),
        ("(S (NP (PRP He))) (S (NP (PRP He)))\t(S (NP (PRP He)))", "3 tree"),
    ],
)
def test_faults_name_their_line(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"corpus:2: .*{message}"):
        list(read(Lines(["He\tShe", line], "corpus"), bare))
