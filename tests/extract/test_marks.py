"""Negation, modality, attribution and context on sentences with known answers.

`reservations.tsv` says for each sentence which subject and which word of a
relation are meant, and what has to be marked; `?` is a speaker that the
sentence does not name. `reservations.conllu` holds the parses, made by the
shipped model, so that the marks can be tested without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

import tupelo
from tests.extract.parsed import parsed, tuples
from tests.extract.trees import bare
from tupelo.core import Analysis, Argument, Extraction, Sentence
from tupelo.core.protocols import Extractor
from tupelo.extract import EXTRACTORS
from tupelo.extract.marks import mark
from tupelo.extract.rules import RuleExtractor
from tupelo.io.conllu import ConlluParser

HERE = Path(__file__).parent
MODALITIES = {"possible", "probable", "necessary", "future", "hypothetical", "intended", "alternative"}
CONTEXTS = {"condition", "hypothesis", "belief", "question"}


@dataclass(frozen=True)
class Case:
    """What has to be marked on the tuples of `subject` whose relation has `word`."""

    sentence: str
    subject: str
    word: str
    marks: frozenset[str]
    speaker: str


def cases() -> list[Case]:
    rows = (HERE / "reservations.tsv").read_text(encoding="utf-8").splitlines()[1:]
    found = []
    for row in rows:
        sentence, subject, word, marks, speaker = row.split("\t")
        found.append(Case(sentence, subject, word, frozenset(marks.split()), speaker))
    return found


CASES = cases()


@pytest.fixture(scope="module")
def analyses() -> dict[str, Analysis]:
    text = (HERE / "reservations.conllu").read_text(encoding="utf-8")
    return {analysis.text: analysis for analysis in ConlluParser().analyze(text)}


def meant(case: Case, extractions: Iterable[Extraction]) -> list[Extraction]:
    return [
        extraction
        for extraction in extractions
        if extraction.arg1 is not None
        and extraction.arg1.text == case.subject
        and case.word in extraction.rel.text.split()
    ]


def is_right(case: Case, extraction: Extraction) -> bool:
    found = {extraction.modality} if extraction.modality else set()
    found |= {"not"} if extraction.negated else set()
    found |= {extraction.context.role} if extraction.context else set()
    speaker = "" if extraction.attribution is None else extraction.attribution.speaker or "?"
    return found == case.marks and speaker == case.speaker


def test_there_are_more_than_two_hundred_sentences_of_every_kind() -> None:
    assert len({case.sentence for case in CASES}) >= 200
    marks = frozenset().union(*(case.marks for case in CASES))
    assert marks == MODALITIES | CONTEXTS | {"not"}
    assert sum(bool(case.speaker) for case in CASES) >= 50
    assert sum(not case.marks and not case.speaker for case in CASES) >= 5


def judge(analyses: dict[str, Analysis], extractor: Extractor) -> tuple[list[Case], list[Case]]:
    """The cases for which no tuple was made, and those whose tuples are marked wrong."""
    extractions = dict(zip(analyses, extractor.extract(analyses.values()), strict=True))
    lost, wrong = [], []
    for case in CASES:
        found = meant(case, extractions[case.sentence])
        if not found:
            lost.append(case)
        elif not all(is_right(case, extraction) for extraction in found):
            wrong.append(case)
    return lost, wrong


def test_none_is_lost_and_all_are_marked_right(analyses: dict[str, Analysis]) -> None:
    assert judge(analyses, RuleExtractor()) == ([], [])


@pytest.fixture(scope="module")
def analysed_now() -> dict[str, Analysis]:
    sentences = list(dict.fromkeys(case.sentence for case in CASES))
    found = tupelo.load(threads=1).analyze(sentences, lines=True, constituents=False)
    return dict(zip(sentences, found, strict=True))


@pytest.mark.model
@pytest.mark.parametrize("name", ["rules", "default"])
def test_with_the_shipped_model_none_is_lost_and_nearly_all_are_marked_right(
    name: str, analysed_now: dict[str, Analysis]
) -> None:
    lost, wrong = judge(analysed_now, EXTRACTORS.get(name)("", {}, None))
    assert lost == []
    assert len(wrong) <= 0.05 * len(CASES), wrong


def test_marks_are_those_that_the_documentation_names(analyses: dict[str, Analysis]) -> None:
    for extractions in RuleExtractor().extract(analyses.values()):
        for extraction in extractions:
            assert extraction.modality in MODALITIES | {None}
            assert extraction.context is None or extraction.context.role in CONTEXTS


NEVER = parsed(
    "Li never played for China.",
    "Li Li PROPN NNP 3 nsubj",
    "never never ADV RB 3 advmod",
    "played play VERB VBD 0 root",
    "for for ADP IN 5 case",
    "China China PROPN NNP 3 obl",
    ". . PUNCT . 3 punct",
)


def test_a_negation_is_in_the_relation_and_in_the_mark() -> None:
    (never,) = tuples(NEVER)
    assert str(never) == "(Li; never played for; China)"
    assert never.negated is True


def test_marks_can_be_set_on_tuples_of_any_extractor() -> None:
    plain = Extraction(Sentence(NEVER.text), Argument("played", tokens=(2,)), Argument("Li", tokens=(0,)))
    assert mark(plain, NEVER).negated is True


def test_a_tuple_whose_words_have_no_place_is_left_alone() -> None:
    plain = Extraction.of(NEVER.text, "played", ["Li"])
    assert mark(plain, NEVER) is plain


def test_an_implied_relation_is_attributed_like_its_sentence() -> None:
    said = parsed(
        "Bob said Ann, a nurse, lied.",
        "Bob Bob PROPN NNP 2 nsubj",
        "said say VERB VBD 0 root",
        "Ann Ann PROPN NNP 8 nsubj",
        ", , PUNCT , 6 punct",
        "a a DET DT 6 det",
        "nurse nurse NOUN NN 3 appos",
        ", , PUNCT , 3 punct",
        "lied lie VERB VBD 2 ccomp",
        ". . PUNCT . 2 punct",
    )
    nurse = next(extraction for extraction in tuples(said) if extraction.rule == "apposition")
    assert str(nurse) == "(Ann; is; a nurse)"
    assert nurse.attribution is not None
    assert (nurse.attribution.speaker, nurse.attribution.verb) == ("Bob", "said")


def test_speech_beside_a_clause_names_speaker_and_verb() -> None:
    beside = parsed(
        "The roof leaks, the tenant never complained.",
        "The the DET DT 2 det",
        "roof roof NOUN NN 3 nsubj",
        "leaks leak VERB VBZ 0 root",
        ", , PUNCT , 8 punct",
        "the the DET DT 6 det",
        "tenant tenant NOUN NN 8 nsubj",
        "never never ADV RB 8 advmod",
        "complained complain VERB VBD 3 parataxis",
        ". . PUNCT . 3 punct",
    )
    leaks = next(extraction for extraction in tuples(beside) if extraction.rel.text == "leaks")
    assert leaks.attribution is not None
    assert (leaks.attribution.speaker, leaks.attribution.verb) == ("the tenant", "never complained")
    assert leaks.negated is False


def test_a_sentence_that_nobody_parsed_has_no_marks() -> None:
    sentence = bare("Li never played")
    plain = Extraction(Sentence(sentence.text), Argument("played", tokens=(2,)), Argument("Li", tokens=(0,)))
    marked = mark(plain, sentence)
    assert (marked.negated, marked.modality, marked.attribution, marked.context) == (False, None, None, None)
