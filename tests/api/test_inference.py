"""`tupelo.infer`, embeddings and assertions from Python; the commands print the same."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import tupelo
from tests.cli.runner import run
from tests.inference.handmade import GOOD, line_of
from tests.wordnet import write_wordnet
from tupelo import assertions, embedding
from tupelo.api import inference
from tupelo.api.tuples import write
from tupelo.core import Extraction, InputError, UnknownNameError
from tupelo.core.entailment import EntailmentPair

COMMANDS = {
    "infer",
    "embed relations",
    "embed arguments",
    "embed words",
    "embed neighbours",
    "assertions extract",
    "assertions aggregate",
    "assertions candidates",
}
PAIRS = "Moss,is useful in,wounds\tMoss,heals,wounds\tTrue\nAnn,wrote,Hamlet\tHamlet,was written by,Ann\n"
ASSERTIONS = "moss\theals\twounds\t3\nmoss\tis good for\twounds\t2\nann\twrote\thamlet\t1\n"


def test_the_command_prints_what_the_call_returns(capsys: pytest.CaptureFixture[str]) -> None:
    statements = ("X was widely used in Y", "X was used in Y")
    for method in ("lemma", "overlap"):
        for explain in (False, True):
            (found,) = tupelo.infer([statements], method=method, explain=explain)
            arguments = ("infer", *statements, "--method", method, *(["--explain"] if explain else []))
            assert json.loads(run(capsys, *arguments, "--json").out) == found.to_dict()
            assert run(capsys, *arguments).out == f"{found}\n"


def test_two_statements_are_a_premise_and_a_hypothesis() -> None:
    statements = ("X was widely used in Y", "X was used in Y")
    found = tupelo.infer(*statements, method="lemma")
    assert found.to_dict() == tupelo.infer([statements], method="lemma").to_dict()
    triples = (tupelo.Triple("X", "was widely used in", "Y"), ("X", "was used in", "Y"))
    assert tupelo.infer(*triples, method="lemma").to_dict() == found.to_dict()
    for given, message in (
        ((), "0 statements, expected a premise and a hypothesis"),
        (("a", "b", "c"), "3 statements, expected a premise and a hypothesis"),
        (([statements], "lemma"), "'lemma' is a method, expected a hypothesis; write method='lemma'"),
        (("Ann met Bo.", "Bo"), "'Bo' is no statement"),
    ):
        with pytest.raises(InputError, match=message):
            tupelo.infer(*given)


def test_pairs_come_from_files_and_from_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.txt"
    file.write_text(PAIRS, "utf-8")
    found = tupelo.infer(file, method="lemma", format="levy-holt")
    assert [(item.score, item.reverse) for item in found] == [(0, 0), (1, 1)]
    assert found[0].pair.entailed is True
    assert tupelo.infer(io.StringIO(PAIRS), method="lemma", format="levy-holt").to_dict() == found.to_dict()
    triples = [
        (tupelo.Triple("Moss", "heals", "wounds"), ("Moss", "is useful in", "wounds")),
        ("Hamlet, was written by, Ann", "Ann, wrote, Hamlet"),
    ]
    assert tupelo.infer(triples, method="lemma").to_dict() == found.to_dict()
    assert tupelo.infer([item.pair for item in found], method="lemma").to_dict() == found.to_dict()
    assert [row["score"] for row in found.to_arrow().to_pylist()] == [0, 1]
    assert "Moss | heals | wounds" in found._repr_html_()
    assert len(found[:1]) == 1
    outcome = run(capsys, "infer", "--pairs", file, "--format", "levy-holt", "--method", "lemma")
    assert [float(line.rpartition("\t")[2]) for line in outcome.out.splitlines()] == [item.score for item in found]


@pytest.mark.model
def test_sentences_are_divided_only_for_methods_that_need_it(tmp_path: Path) -> None:
    file = tmp_path / "pairs.txt"
    file.write_text("Ann was used in Bo\tAnn was widely used in Bo.\tTrue\n", "utf-8")
    (found,) = tupelo.infer(file, method="lemma", format="levy-holt", reverse=False)
    assert (found.pair.premise.relation, found.score, found.pair.entailed) == ("was widely used in", 1, True)
    (found,) = tupelo.infer(file, format="levy-holt", reverse=False)
    assert found.to_dict()["premise"] == "Ann was widely used in Bo."
    assert str(found).endswith("Ann was widely used in Bo.  =>  Ann was used in Bo")
    with pytest.raises(InputError, match="'Ann' is no statement, expected a sentence, or parts"):
        tupelo.infer([("Ann", "Ann met Bo.")])


def test_one_direction_is_enough_for_a_file() -> None:
    found = tupelo.infer(io.StringIO(PAIRS), method="lemma", reverse=False)
    assert [item.reverse for item in found] == [None, None]
    assert "reverse" not in str(found)


class AlwaysHalf:
    """Says 0.5, whatever is asked."""

    name: ClassVar[str] = "half"
    directional: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, resources: Any) -> None:
        pass

    def scores(self, pairs: Sequence[EntailmentPair], advance: Any = None) -> list[float]:
        return [0.5] * len(pairs)

    def explain(self, pair: EntailmentPair) -> list[str]:
        return ["no reason"]


def test_a_registered_method_is_one_class(capsys: pytest.CaptureFixture[str]) -> None:
    inference.METHODS.register("half", AlwaysHalf)
    try:
        assert tupelo.infer([("X kills Y", "X hurts Y")], method="half")[0].score == 0.5
        outcome = run(capsys, "infer", "X kills Y", "X hurts Y", "--method", "half", "--explain")
        assert outcome.out.endswith("0.500  the reverse\n  no reason\n")
        assert "Says 0.5, whatever is asked." in run(capsys, "infer", "--help").out
    finally:
        del inference.METHODS._registered["half"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "assertions.tsv"
    file.write_text(ASSERTIONS, "utf-8")
    return file


@pytest.mark.slow
def test_embeddings_and_their_neighbours(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = tmp_path / "relations.safetensors"
    chosen = embedding.SkipGramOptions(size=8, iterations=2)
    found = embedding.embed_relations(table, chosen)
    outcome = run(capsys, "embed", "relations", table, "-o", vectors, "--size", 8, "--iterations", 2, "--json")
    assert json.loads(outcome.out) == found.to_dict() == {"targets": 3, "contexts": 4, "pairs": 12, "size": 8}
    near = embedding.neighbours(found.targets, ["heals"], 2)
    outcome = run(capsys, "embed", "neighbours", vectors, "heals", "-n", 2, "--json")
    assert json.loads(outcome.out) == near.to_dict()
    assert run(capsys, "embed", "neighbours", vectors, "heals", "-n", 2).out == f"{near}\n"
    assert near.to_arrow().num_rows == 2
    parsed = tmp_path / "ngrams.tsv"
    parsed.write_text("heal\tmoss/NN/nsubj/2 heals/VBZ/ROOT/0 wounds/NNS/dobj/2\t7\n", "utf-8")
    options = ("--ngrams", "--min-count", 1, "--negatives", 1, "--size", 8, "--iterations", 2)
    outcome = run(capsys, "embed", "words", parsed, *options, "-o", tmp_path / "words.txt", "--json")
    assert json.loads(outcome.out) == embedding.embed_words([parsed], chosen, ngrams=True, min_count=1).to_dict()


@pytest.mark.slow
def test_tuples_serve_as_assertions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tuples = tmp_path / "tuples.jsonl"
    ann, left = Extraction.of("Ann lives in Oslo.", "lives in", ["Ann", "Oslo"]), "Bo did not leave Oslo."
    denied = replace(Extraction.of(left, "leave", ["Bo", "Oslo"]), negated=True)
    alone = Extraction.of("Bo left.", "left", ["Bo"])
    write([ann, denied, alone, Extraction.of("The mill is in Oslo.", "is in", ["The mill", "Oslo"])], tuples)
    chosen = embedding.SkipGramOptions(size=8, iterations=1)
    assert embedding.embed_relations(tuples, chosen).targets.names == ("is in", "lives in")
    found = embedding.embed_arguments(tuples, chosen)
    assert found.targets.names == ("oslo", "ann", "mill")
    asked = ("--size", 8, "--iterations", 1, "--negatives", 1, "--json", "-o", tmp_path / "names.safetensors")
    assert json.loads(run(capsys, "embed", "arguments", tuples, *asked).out) == found.to_dict()


@pytest.mark.model
def test_training_can_start_from_the_encoder(table: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    vectors = tmp_path / "relations.safetensors"
    asked = ("--start", "encoder", "--heads", "--iterations", 1, "--json", "-o", vectors)
    assert json.loads(run(capsys, "embed", "relations", table, *asked).out)["size"] == 384
    listed = ("-n", 2, "--min-cosine", -1, "--min-seen", 1, "--distinct", "--json")
    near = json.loads(run(capsys, "embed", "neighbours", vectors, "heals", *listed).out)
    assert len(near["heals"]) == 2
    with pytest.raises(UnknownNameError, match="no start named 'zero'"):
        embedding.embed_relations(table, start="zero")


def test_assertions_and_candidates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ngrams, output = tmp_path / "ngrams.tsv", str(tmp_path / "out.tsv")
    ngrams.write_text("".join(f"{line_of(tokens, count)}\n" for _, tokens, count, _ in GOOD), "utf-8")
    report = assertions.extract([str(ngrams)], output, min_pairs=1)
    outcome = run(capsys, "assertions", "extract", ngrams, "--min-pairs", 1, "-o", output, "--json")
    assert json.loads(outcome.out) == report.to_dict()
    added = assertions.aggregate([output], str(tmp_path / "again.tsv"), min_pairs=1)
    outcome = run(capsys, "assertions", "aggregate", output, "--min-pairs", 1, "-o", output, "--json")
    assert json.loads(outcome.out) == added.to_dict()
    assert str(report).startswith(f"{report.assertions:,} assertions with")
    known = tmp_path / "known.tsv"
    known.write_text("aspirin\thelps against\tthe headache\t40\nFrance\tcauses\theadaches\t30\n", "utf-8")
    wordnet = str(write_wordnet(tmp_path / "wordnet"))
    found = assertions.candidates(str(known), [("headache", "prevents", "drug")], wordnet=wordnet)
    asked = ("--argument", "headache", "--relation", "prevents", "--type", "drug", "--wordnet", wordnet, "--json")
    outcome = run(capsys, "assertions", "candidates", known, *asked)
    assert [json.loads(line) for line in outcome.out.splitlines()] == found.rows() == found.to_dict()["candidates"]
    assert [row["subject"] for row in found.rows()] == ["aspirin"]
