"""Sentences spliced from a text, and the way of judgements back."""

from __future__ import annotations

import gzip
import random
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from training.support import splices
from training.support.documents import excerpts
from training.support.given import written_claims

from tests.facts.trees import parsed
from tupelo.extract.tree import Tree

TREES = [
    Tree(
        parsed(
            "Ann/Ann/PROPN/2/nsubj robbed/rob/VERB/0/root the/the/DET/4/det bank/bank/NOUN/2/obj in/in/ADP/6/case "
            "Oslo/Oslo/PROPN/2/obl on/on/ADP/8/case Monday/Monday/PROPN/2/obl"
        )
    ),
    Tree(
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


def judge(folder: Path, signs: str) -> None:
    splices.write_files([("a:1", TREES)], folder, random.Random(1))
    (folder / "1.tsv").write_text(f"a:1\t{signs}\n", encoding="utf-8")


def test_judgements_come_back_as_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge(tmp_path / "files", "+-?+-+-+")
    output = tmp_path / "spliced.txt.gz"
    monkeypatch.setattr(sys, "argv", ["splices", "--answers", str(tmp_path / "files"), "--output", str(output)])
    splices.main()
    first = output.read_bytes()
    claims = list(written_claims(output))
    asked = [line[3:] for line in (tmp_path / "files/1.txt").read_text(encoding="utf-8").splitlines()[2:]]
    assert [claim for _, claim, _, _ in claims] == [*asked[:2], *asked[3:]]
    assert [label for *_, label in claims] == [True, False, True, False, True, False, True]
    splices.main()
    assert output.read_bytes() == first
    assert gzip.decompress(first).startswith(b"=== a:1\n+ ")


def test_a_missing_judgement_is_named(tmp_path: Path) -> None:
    judge(tmp_path, "+-")
    with pytest.raises(SystemExit, match=r"1\.tsv: expected 8 signs for a:1"):
        list(splices.judged(tmp_path))
