"""Marks of clauses inside other clauses, for every kind of word above them.

`embeddings.tsv` has the form of `benchmarks/marks.tsv`, with sentences of its own; `embeddings.conllu` holds their
parses, made by the shipped model, so that the marks can be tested without it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tupelo
from benchmarks.marks import Case, is_right, judge, labels, read_cases, with_sentences
from tests.extract.parsed import parsed, tuples
from tupelo.core import Analysis
from tupelo.extract.marks import mark
from tupelo.io.conllu import ConlluParser

HERE = Path(__file__).parent
CASES = list(read_cases((HERE / "embeddings.tsv").read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def analyses() -> dict[str, Analysis]:
    text = (HERE / "embeddings.conllu").read_text(encoding="utf-8")
    return {analysis.text: analysis for analysis in ConlluParser().analyze(text)}


def wrong(cases: list[Case], analyses: list[Analysis]) -> list[tuple[str, str, list[frozenset[str]]]]:
    judged = judge(cases, analyses)
    return [(case.sentence, case.predicate, found) for case, found in judged if not is_right(case, found)]


def test_every_clause_is_marked_right(analyses: dict[str, Analysis]) -> None:
    assert len(CASES) >= 150
    assert wrong(CASES, [analyses[case.sentence] for case in CASES]) == []


@pytest.mark.model
def test_with_the_shipped_model_nearly_all_are() -> None:
    sentences = [case.sentence for case in CASES]
    found = tupelo.load(threads=1).analyze(sentences, lines=True, constituents=False)
    assert len(wrong(CASES, list(found))) <= 0.05 * len(CASES)


def marked(analyses: dict[str, Analysis], sentence: str, verb: str) -> list[str]:
    found = next(item for item in tuples(analyses[sentence]) if verb in item.rel.text.split())
    return found.reservations()


@pytest.mark.parametrize(
    ("sentence", "verb", "reservations"),
    [
        ("Nobody knows whether she sold the house.", "sold", ["question: Nobody knows whether"]),
        ("He said he believed that the butler hid the knife.", "hid", ["He said", "belief: he believed"]),
        ("He denied that he knew the woman.", "knew", ["not", "He denied"]),
        ("It depends on whether the weather holds.", "holds", ["question: It depends whether"]),
    ],
)
def test_the_context_names_who_asks_believes_and_says(
    analyses: dict[str, Analysis], sentence: str, verb: str, reservations: list[str]
) -> None:
    assert marked(analyses, sentence, verb) == reservations


NURSE = (
    "If Bob 's brother , a nurse , left , Ann , a doctor , stayed .",
    "If if SCONJ IN 9 mark",
    "Bob Bob PROPN NNP 4 nmod:poss",
    "'s 's PART POS 2 case",
    "brother brother NOUN NN 9 nsubj",
    ", , PUNCT , 7 punct",
    "a a DET DT 7 det",
    "nurse nurse NOUN NN 4 appos",
    ", , PUNCT , 7 punct",
    "left leave VERB VBD 16 advcl",
    ", , PUNCT , 9 punct",
    "Ann Ann PROPN NNP 16 nsubj",
    ", , PUNCT , 14 punct",
    "a a DET DT 14 det",
    "doctor doctor NOUN NN 11 appos",
    ", , PUNCT , 14 punct",
    "stayed stay VERB VBD 0 root",
    ". . PUNCT . 16 punct",
)


def test_what_a_condition_says_of_a_description_is_a_hypothesis_and_of_a_name_a_fact() -> None:
    found = {str(item): item.reservations() for item in tuples(parsed(*NURSE)) if item.rule == "apposition"}
    assert found["(Ann; is; a doctor)"] == []
    assert found["(Bob 's brother; is; a nurse)"] == ["hypothesis: If"]


def test_heads_that_form_a_cycle_have_no_marks() -> None:
    circle = parsed("go see", "go go VERB VB 2 xcomp", "see see VERB VB 1 xcomp")
    assert all(labels(mark(item, circle)) <= {"modal"} for item in tuples(circle))


def test_a_case_of_a_treebank_needs_the_treebank(tmp_path: Path) -> None:
    lines = ["source\tkind\tpredicate\texpected\tsentence", "gum:x-1\tmodal\tgo\tmodal|-\t", "own\tmodal\tgo\t-\tGo."]
    assert [case.source for case in with_sentences(read_cases(lines), tmp_path)] == ["own"]
    assert next(read_cases(lines)).expected == {frozenset({"modal"}), frozenset()}
