"""Sentences spliced from a text, and the way of judgements back."""

from __future__ import annotations

import gzip
import random
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.facts.trees import parsed
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.support import splices
from tupelo_training.support.cuts import cut, cuts_of, spliced_claims
from tupelo_training.support.documents import Document, excerpts

TREES = [
    DependencyTree(
        parsed(
            "Ann/Ann/PROPN/2/nsubj robbed/rob/VERB/0/root the/the/DET/4/det bank/bank/NOUN/2/obj in/in/ADP/6/case "
            "Oslo/Oslo/PROPN/2/obl on/on/ADP/8/case Monday/Monday/PROPN/2/obl"
        )
    ),
    DependencyTree(
        parsed(
            "Tom/Tom/PROPN/2/nsubj left/leave/VERB/0/root the/the/DET/4/det old/old/ADJ/5/amod town/town/NOUN/2/obj "
            "in/in/ADP/7/case May/May/PROPN/2/obl"
        )
    ),
]


def test_every_word_is_of_the_text_and_most_follow_each_other_there() -> None:
    made = list(splices.splices_of(TREES, 12, random.Random(3)))
    pairs = {pair for tree in TREES for pair in pairwise(tree.lowered)}
    known = {word for tree in TREES for word in tree.lowered}
    assert len(made) == len(set(made)) > 3
    texts = {tree.analysis.text for tree in TREES}
    for sentence in made:
        words = sentence.rstrip(".").lower().split()
        assert set(words) <= known
        assert sum(pair not in pairs for pair in pairwise(words)) <= 2
        assert sentence not in texts


def test_the_same_seed_gives_the_same_sentences() -> None:
    one, other = (list(splices.splices_of(TREES, 8, random.Random(7))) for _ in range(2))
    assert one == other


def test_a_text_is_seen_in_parts() -> None:
    many = [TREES[0]] * 130  # of eight words each
    found = list(excerpts("a:1", many))
    assert [(name, len(part)) for name, part in found] == [("a:1", 60), ("a:1#1", 60), ("a:1#2", 10)]


TEXTS = {"a:1": " ".join(tree.analysis.text for tree in TREES)}


@pytest.mark.parametrize(
    ("sentence", "parts", "again"),
    [
        ("Rosa left Oslo.", "0-9,22-26", "Rosa left Oslo."),
        ("The town of Rosa.", "10-21,0-4", "The town of Rosa."),
        ("Rosa left the town of Oslo", "0-26", "Rosa left the town of Oslo."),
        ("Rosa left Rome.", None, ""),
        ("", None, ""),
    ],
)
def test_a_sentence_is_where_it_was_cut_from(sentence: str, parts: str | None, again: str) -> None:
    text = "Rosa left the town of Oslo."
    assert cuts_of(sentence, text) == parts
    if parts is not None:
        assert cut(text, parts) == again


def test_splices_are_cut_again_as_they_were() -> None:
    made = list(splices.splices_of(TREES, 12, random.Random(3)))
    parts = [cuts_of(sentence, TEXTS["a:1"]) for sentence in made]
    assert [cut(TEXTS["a:1"], part).lower() for part in parts if part] == [sentence.lower() for sentence in made]


def judge(folder: Path, signs: str) -> None:
    splices.write_files([("a:1", TREES)], folder, random.Random(1))
    (folder / "1.tsv").write_text(f"a:1\t{signs}\n", encoding="utf-8")


def test_judgements_come_back_as_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge(tmp_path / "files", "+-?+-+-+")
    output = tmp_path / "spliced.tsv.gz"
    monkeypatch.setattr(splices, "judged_runs", lambda data: set())
    monkeypatch.setattr(splices, "texts_of", lambda data, runs: [Document("a:1", TEXTS["a:1"])])
    arguments = ["--data", str(tmp_path), "--answers", str(tmp_path / "files"), "--output", str(output)]
    monkeypatch.setattr(sys, "argv", ["splices", *arguments])
    splices.main()
    first = output.read_bytes()
    claims = list(spliced_claims(output, TEXTS))
    asked = [line[3:].lower() for line in (tmp_path / "files/1.txt").read_text(encoding="utf-8").splitlines()[2:]]
    assert [claim.lower() for _, claim, _, _ in claims] == [*asked[:2], *asked[3:]]
    assert [label for *_, label in claims] == [True, False, True, False, True, False, True]
    assert list(spliced_claims(output, {"b:1": "Other."})) == []
    splices.main()
    assert output.read_bytes() == first
    # No word of the text is in it.
    assert not re.search(rb"[a-z]{3}", gzip.decompress(first))


def test_a_missing_judgement_is_named(tmp_path: Path) -> None:
    judge(tmp_path, "+-")
    with pytest.raises(SystemExit, match=r"1\.tsv: expected 8 signs for a:1"):
        list(splices.judged(tmp_path, TEXTS))
