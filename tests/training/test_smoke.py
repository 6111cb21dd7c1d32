"""The whole recipe on a handful of invented sentences, with a tiny network, on the CPU."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
np = pytest.importorskip("numpy")

from tupelo.nlp.subwords import NORMALIZE, SHAPES, Subwords  # noqa: E402
from tupelo_training.parser import train  # noqa: E402
from tupelo_training.parser.batches import Corpus  # noqa: E402
from tupelo_training.parser.entities import (  # noqa: E402
    Entity,
    Mention,
    labels_of,
    mention_kinds,
    mentions_of,
    named_entities,
    silver,
)
from tupelo_training.parser.prepare import SOURCES, flatten, label_lists, read_treebanks  # noqa: E402
from tupelo_training.parser.treebanks import read_brackets, spans_of  # noqa: E402
from tupelo_training.parser.trees import best_bracketing, log_partition, marginals  # noqa: E402

GREEN = """# text = Ada Green sings .
1\tAda\tAda\tPROPN\tNNP\tNumber=Sing\t3\tnsubj\t_\tEntity=(1-person-new-nnnnn-cf1-1,2-sgl
2\tGreen\tGreen\tPROPN\tNNP\tNumber=Sing\t1\tflat\t_\tEntity=1)
3\tsings\tsing\tVERB\tVBZ\tNumber=Sing|Person=3\t0\troot\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
GREEN_TREE = "(ROOT (S (NP-SBJ (NNP Ada) (NNP Green)) (VP (VBZ sings)) (. .)))\n"


@pytest.fixture
def treebanks(tmp_path: Path) -> Path:
    """Files in the places and formats of the public ones."""
    (tmp_path / "ud_ewt").mkdir()
    (tmp_path / "gum").mkdir()
    for part in ("train", "dev", "test"):
        (tmp_path / f"ud_ewt/en_ewt-{part}.conllu.gz").write_bytes(gzip.compress((GREEN * 4).encode()))
        (tmp_path / f"gum/gum-{part}.conllu.gz").write_bytes(gzip.compress((GREEN * 4).encode()))
        (tmp_path / f"gum/gum-{part}.ptb.gz").write_bytes(gzip.compress((GREEN_TREE * 4).encode()))
    (tmp_path / "gum/gentle.conllu.gz").write_bytes(gzip.compress(GREEN.encode()))
    (tmp_path / "gum/gentle.ptb.gz").write_bytes(gzip.compress(GREEN_TREE.encode()))
    return tmp_path


@pytest.fixture
def prepared(treebanks: Path) -> Path:
    """What `tupelo_training.parser.prepare` writes, with a vocabulary of a few pieces."""
    examples = read_treebanks(treebanks)
    labels = label_lists(examples)
    vocabulary = [
        *(f"[unused{number}]" for number in range(100)),
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "ada",
        "green",
        "sing",
        "##s",
        ".",
    ]
    arrays = flatten(examples, labels, [()] * len(examples), Subwords(vocabulary))
    folder = treebanks / "prepared"
    folder.mkdir()
    np.savez_compressed(folder / "data.npz", **arrays)
    lists = {name: getattr(labels, name) for name in labels.__slots__}
    table = {"sources": SOURCES, "shapes": SHAPES, "normalize": NORMALIZE, **lists}
    (folder / "labels.json").write_text(json.dumps(table), encoding="utf-8")
    return folder


def run_training(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["train", *arguments])
    train.main()


def test_a_tiny_network_trains_saves_and_loads(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = [
        "--prepared",
        str(prepared),
        "--tiny",
        "--words",
        "40",
        "--steps",
        "3",
        "--seed",
        "5",
        "--exact-from",
        "0.5",
    ]
    run_training(monkeypatch, *common, "--members", "2", "--output", str(tmp_path / "two"), "--evaluate", "gum-dev")
    report = json.loads((tmp_path / "two/report.json").read_text())
    assert set(report["figures"]["gum-dev"]) == {"upos", "xpos", "feats", "uas", "las", "f1", "entity"}
    run_training(monkeypatch, *common, "--output", str(tmp_path / "one"), "--evaluate")
    run_training(monkeypatch, *common, "--output", str(tmp_path / "again"), "--evaluate")
    corpus = Corpus.load(prepared, torch.device("cpu"))
    first, second = (
        train.load(tmp_path / name, corpus, torch.device("cpu"), tiny=True).state_dict() for name in ("one", "again")
    )
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_network_learns_from_a_larger_one(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    common = ["--prepared", str(prepared), "--tiny", "--words", "40", "--steps", "2", "--evaluate"]
    run_training(monkeypatch, *common, "--large", "--members", "2", "--output", str(tmp_path / "large"))
    corpus = Corpus.load(prepared, torch.device("cpu"))
    teacher = train.load(tmp_path / "large/1", corpus, torch.device("cpu"), tiny=True)
    assert teacher.encoder.distances is not None
    members = [str(tmp_path / "large" / number) for number in "01"]
    monkeypatch.setattr(Corpus, "batches", _raw_is_gold(Corpus.batches))
    run_training(monkeypatch, *common, "--output", str(tmp_path / "student"), "--teachers", *members)
    student = train.load(tmp_path / "student", corpus, torch.device("cpu"), tiny=True)
    assert student.encoder.distances is None


def _raw_is_gold(batches: Any) -> Any:
    """The invented files have no raw text."""
    return lambda corpus, sources, *rest: batches(corpus, ["gum-dev"] if sources == ["raw"] else sources, *rest)


def test_what_a_mention_is_about_stands_at_its_head() -> None:
    misc = [row.split("\t")[9] for row in GREEN.splitlines()[1:5]]
    assert mention_kinds(mentions_of(misc), (3, 1, 0, 3)) == ["person", "", "", ""]


def test_a_name_is_the_stretch_of_its_minimal_span() -> None:
    misc = [row.split("\t")[9] for row in GREEN.splitlines()[1:5]]
    assert mentions_of(misc) == (Mention(0, 1, "person", (0, 1), "1"),)
    words, upos, heads = ("Ada", "Green", "sings", "."), ("PROPN", "PROPN", "VERB", "PUNCT"), (3, 1, 0, 3)
    assert named_entities(mentions_of(misc), words, upos, ("NNP", "NNP", "VBZ", "."), heads) == (
        Entity(0, 1, "person"),
    )
    assert labels_of([Entity(0, 1, "person")], 4) == ["B-person", "I-person", "O", "O"]


def test_a_proper_noun_that_the_teacher_leaves_out_is_not_judged() -> None:
    entities, doubtful = silver([Entity(1, 1, "person")], ("NOUN", "PROPN", "VERB", "PROPN"), (3, 1, 0, 3))
    assert entities == (Entity(1, 1, "person"),)
    assert doubtful == {3}


def test_trees_lose_function_tags_and_traces_and_become_binary() -> None:
    text = "( (S (NP-SBJ-1 (-NONE- *)) (VP (VB Go) (ADVP (RB home)) (NP (NN today)))))"
    [(tree, leaves)] = read_brackets(text)
    assert leaves == (("VB", "Go"), ("RB", "home"), ("NN", "today"))
    assert set(spans_of(tree)) == {(0, 2, "S+VP"), (0, 0, ""), (1, 1, "ADVP"), (2, 2, "NP"), (0, 1, "")}


def test_the_sum_over_bracketings_and_its_gradient_are_exact() -> None:
    def bracketings(first: int, last: int) -> list[list[tuple[int, int]]]:
        if first == last:
            return [[]]
        return [
            [*left, *right, (first, last)]
            for middle in range(first, last)
            for left in bracketings(first, middle)
            for right in bracketings(middle + 1, last)
        ]

    scores = torch.randn(2, 5, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    lengths = torch.tensor([5, 3])
    totals, likely = log_partition(scores, lengths), marginals(scores, lengths)
    for row, length in enumerate(lengths.tolist()):
        options = bracketings(0, length - 1)
        sums = torch.stack([sum(scores[row, i, j] for i, j in option) for option in options])
        assert torch.isclose(totals[row], sums.logsumexp(0))
        shares = sums.softmax(0)
        whole = sum(share for share, option in zip(shares, options, strict=True) if (0, 1) in option)
        assert torch.isclose(likely[row, 0, 1], whole)
        best = options[int(sums.argmax())]
        found = best_bracketing(scores[row, :length, :length].numpy())
        assert sorted(best) == sorted(span for span in found if span[0] < span[1])
