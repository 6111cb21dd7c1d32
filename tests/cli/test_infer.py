"""`tupelo infer` and `tupelo embed` as a user calls them."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run

PAIRS = "Moss,is useful in,wounds\tMoss,heals,wounds\tTrue\nAnn,wrote,Hamlet\tHamlet,was written by,Ann\n"
LEVY_HOLT = ("--format", "levy-holt")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.txt").write_text(PAIRS, "utf-8")
    return tmp_path


def test_two_statements(capsys):
    outcome = run(capsys, "infer", "X was widely used in Y", "X was used in Y", "--method", "lemma", "--explain")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == (
        "1.000  X | was widely used in | Y  =>  X | was used in | Y\n0.000  the reverse\n"
        "  the premise has every word of the hypothesis\n"
    )


def test_json(capsys):
    outcome = run(capsys, "infer", "X kills Y", "X hurts Y", "--method", "overlap", "--json")
    assert json.loads(outcome.out) == {
        "method": "overlap",
        "premise": ["X", "kills", "Y"],
        "hypothesis": ["X", "hurts", "Y"],
        "score": 0,
        "reverse": 0,
    }


@pytest.mark.model
def test_the_default_method_needs_nothing_else(capsys):
    outcome = run(capsys, "infer", "X kills infection", "X is useful in infection", "--json")
    assert outcome.status == 0
    assert json.loads(outcome.out)["score"] > 0


@pytest.mark.model
def test_the_premise_comes_first_as_on_the_command_line(capsys, folder):
    (folder / "own.tsv").write_text("X was widely used in Y\tX was used in Y\n", "utf-8")
    outcome = run(capsys, "infer", "--pairs", "own.tsv", "--method", "lemma")
    assert (outcome.status, outcome.out) == (0, "X,was widely used in,Y\tX,was used in,Y\t1.0\n")


@pytest.mark.model
def test_scores_of_a_file_can_be_scored(capsys, folder):
    assert (
        run(capsys, "infer", "--pairs", "pairs.txt", *LEVY_HOLT, "--method", "lemma", "-o", "scores.tsv").status == 0
    )
    assert (folder / "scores.tsv").read_text("utf-8") == (
        "Moss,is useful in,wounds\tMoss,heals,wounds\t0.0\nAnn,wrote,Hamlet\tHamlet,was written by,Ann\t1.0\n"
    )
    (folder / "pairs.txt").write_text(PAIRS.replace("Ann\n", "Ann\tTrue\n"), "utf-8")
    outcome = run(capsys, "score", "inference", "pairs.txt", "scores.tsv", "--json")
    assert json.loads(outcome.out)["recall"] == 1


def test_a_condition_that_does_not_hold_is_status_1(capsys):
    arguments = ("infer", "X was used in Y", "X was widely used in Y", "--method", "lemma", "--min-score", "0.5")
    assert run(capsys, *arguments).status == 1


@pytest.mark.model
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a b c", "d e f", "--method", "lemma"), "cannot tell the arguments"),
        (("a b c", "d"), "'d' is no statement, expected a sentence"),
        (("a b c",), "two statements are needed"),
        (("a b c", "a d c", "--pairs", "pairs.txt"), "either two statements or --pairs"),
        (("--pairs", "missing.txt"), "missing.txt: No such file"),
        (("a b c", "a d c", "--method", "lema"), "no entailment method named 'lema'. Did you mean 'lemma'"),
        (("a b c", "a d c", "--method", "embedding"), "needs vectors of relations"),
    ],
)
def test_bad_usage_is_status_2(capsys, folder, arguments, message):
    outcome = run(capsys, "infer", *arguments)
    assert outcome.status == 2
    assert message in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.model
def test_a_faulty_line_leaves_no_file(capsys, folder):
    (folder / "pairs.txt").write_text(PAIRS + "broken\n", "utf-8")
    outcome = run(capsys, "infer", "--pairs", "pairs.txt", *LEVY_HOLT, "--method", "lemma", "-o", "scores.tsv")
    assert outcome.err.startswith("tupelo: pairs.txt:3: 1 field(s)")
    assert not (folder / "scores.tsv").exists()


CONLLU = """\
1\tMoss\tmoss\tNOUN\tNN\t_\t2\tnsubj\t_\t_
2\tgrows\tgrow\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tin\tin\tADP\tIN\t_\t4\tcase\t_\t_
4\tAssam\tAssam\tPROPN\tNNP\t_\t2\tobl\t_\t_

"""


@pytest.mark.model
def test_vectors_of_words_and_their_neighbours(capsys, folder):
    (folder / "parsed.conllu").write_text(CONLLU * 3, "utf-8")
    outcome = run(
        capsys,
        "embed",
        "words",
        "parsed.conllu",
        "-o",
        "words.safetensors",
        "--contexts",
        "contexts.txt",
        "--min-count",
        "1",
        "--size",
        "4",
        "--iterations",
        "2",
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == "3 vectors of 4 numbers, from 12 pairs with 4 contexts\n"
    assert "obl:in↓assam" in (folder / "contexts.txt").read_text("utf-8")
    outcome = run(capsys, "embed", "neighbours", "words.safetensors", "moss", "--json")
    assert {item["name"] for item in json.loads(outcome.out)["moss"]} == {"grows", "assam"}
    outcome = run(capsys, "embed", "neighbours", "words.safetensors", "mos")
    assert (outcome.status, "Did you mean 'moss'" in outcome.err) == (2, True)


NGRAMS = """\
kept\tdogs/NNS/nsubjpass/3 are/VBP/auxpass/3 kept/VBN/ROOT/0 on/IN/prep/3 farms/NNS/pobj/4\t7\t1990,7
bark\tdogs/NNS/nsubj/2 bark/VBP/ROOT/0\t5
"""


@pytest.mark.model
def test_vectors_of_words_from_ngrams(capsys, folder):
    (folder / "ngrams.tsv").write_text(NGRAMS, "utf-8")
    options = ("--min-count", "1", "--size", "4", "--iterations", "2", "--contexts", "contexts.txt", "--json")
    outcome = run(capsys, "embed", "words", "--ngrams", "ngrams.tsv", "-o", "words.txt", *options)
    assert (outcome.status, outcome.err) == (0, "")
    # Three dependencies seven times and one five times, each from both ends; the preposition is collapsed.
    assert json.loads(outcome.out)["pairs"] == 2 * (3 * 7 + 5)
    contexts = (folder / "contexts.txt").read_text("utf-8")
    assert "pobj:on↓farms" in contexts
    assert "pobj:on↑kept" in contexts
    (folder / "ngrams.tsv").write_text(NGRAMS + "bark\tdogs/NNS/nsubj\t5\n", "utf-8")
    outcome = run(capsys, "embed", "words", "--ngrams", "ngrams.tsv", "-o", "other.txt", *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("tupelo: ngrams.tsv:3: ")
    assert not (folder / "other.txt").exists()


@pytest.mark.model
def test_forms_of_relations_share_a_vector(capsys, folder):
    rows = ("dogs\tchase\tcats\t2", "a dog\thas chased\tthe cat\t1", "moss\tgrows in\tassam\t3")
    (folder / "assertions.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    options = ("--size", "4", "--iterations", "2", "-o", "relations.safetensors", "--json")
    assert json.loads(run(capsys, "embed", "relations", "assertions.tsv", *options).out)["targets"] == 3
    outcome = run(capsys, "embed", "relations", "assertions.tsv", "--base-forms", *options)
    assert json.loads(outcome.out) == {"targets": 2, "contexts": 4, "pairs": 12, "size": 4}
    asked = ("infer", "X was chasing Y", "X chases Y", "--method", "embedding", "--vectors", "relations.safetensors")
    assert json.loads(run(capsys, *asked, "--json").out)["score"] == pytest.approx(1, abs=1e-6)


@pytest.mark.model
def test_too_rare_is_bad_input(capsys, folder):
    (folder / "parsed.conllu").write_text(CONLLU, "utf-8")
    outcome = run(capsys, "embed", "words", "parsed.conllu", "-o", "w.txt")
    assert outcome.status == 2
    assert "no pairs left of 4" in outcome.err
    assert not (folder / "w.txt").exists()
