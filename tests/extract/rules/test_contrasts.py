"""Contrasts and alternatives: what holds is asserted, what does not is denied or not told.

`contrasts.tsv` has one sentence a line: the tuples that are asserted, and those that must not be, with `;;` between.
`contrasts.conllu` holds the parses, made by the shipped model. Some are by hand, below.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extract.parsed import parsed, tuples
from tupelo.core import Analysis, Entity
from tupelo.io.conllu import ConlluParser

HERE = Path(__file__).parent
ROWS = [row.split("\t") for row in (HERE / "contrasts.tsv").read_text(encoding="utf-8").splitlines()[1:]]


@pytest.fixture(scope="module")
def analyses() -> dict[str, Analysis]:
    text = (HERE / "contrasts.conllu").read_text(encoding="utf-8")
    return {analysis.text: analysis for analysis in ConlluParser().analyze(text)}


def asserted(analysis: Analysis) -> set[str]:
    found = tuples(analysis, shape="all")
    return {str(one) for one in found if not (one.negated or one.modality or one.context)}


@pytest.mark.parametrize(("sentence", "expected", "unsaid"), ROWS, ids=[row[0] for row in ROWS])
def test_only_what_holds_is_asserted(
    analyses: dict[str, Analysis], sentence: str, expected: str, unsaid: str
) -> None:
    found = asserted(analyses[sentence])
    assert found.issuperset(filter(None, expected.split(" ;; "))), found
    assert found.isdisjoint(filter(None, unsaid.split(" ;; "))), found


def marked(analysis: Analysis) -> list[tuple[str, bool]]:
    return [(str(one), bool(one.negated)) for one in tuples(analysis)]


def test_a_year_that_is_denied_beside_another() -> None:
    sentence = parsed(
        "Acme was founded in 1997, not in 1998.",
        "Acme Acme PROPN NNP 3 nsubj:pass",
        "was be AUX VBD 3 aux:pass",
        "founded found VERB VBN 0 root",
        "in in ADP IN 5 case",
        "1997 1997 NUM CD 3 obl",
        ", , PUNCT , 9 punct",
        "not not PART RB 9 advmod",
        "in in ADP IN 9 case",
        "1998 1998 NUM CD 3 obl",
        ". . PUNCT . 3 punct",
        entities=(Entity("datetime", 4, 5), Entity("datetime", 8, 9)),
    )
    assert marked(sentence) == [("(Acme; was founded in; 1997)", False), ("(Acme; was founded not in; 1998)", True)]


def test_a_place_after_but_holds() -> None:
    sentence = parsed(
        "It was built not in Lund but in Visby.",
        "It it PRON PRP 3 nsubj:pass",
        "was be AUX VBD 3 aux:pass",
        "built build VERB VBN 0 root",
        "not not PART RB 6 advmod",
        "in in ADP IN 6 case",
        "Lund Lund PROPN NNP 3 obl",
        "but but CCONJ CC 9 cc",
        "in in ADP IN 9 case",
        "Visby Visby PROPN NNP 6 conj",
        ". . PUNCT . 3 punct",
    )
    assert marked(sentence) == [("(It; was built not in; Lund)", True), ("(It; was built in; Visby)", False)]


def test_a_noun_after_but_is_without_the_negation_of_the_verb() -> None:
    sentence = parsed(
        "He was not a baker but a butcher.",
        "He he PRON PRP 5 nsubj",
        "was be AUX VBD 5 cop",
        "not not PART RB 5 advmod",
        "a a DET DT 5 det",
        "baker baker NOUN NN 0 root",
        "but but CCONJ CC 8 cc",
        "a a DET DT 8 det",
        "butcher butcher NOUN NN 5 conj",
        ". . PUNCT . 5 punct",
    )
    assert marked(sentence) == [("(He; was not; a baker)", True), ("(He; was; a butcher)", False)]


def test_what_is_replaced_is_denied() -> None:
    sentence = parsed(
        "Ann uses Rust instead of Java.",
        "Ann Ann PROPN NNP 2 nsubj",
        "uses use VERB VBZ 0 root",
        "Rust Rust PROPN NNP 2 obj",
        "instead instead ADV RB 6 case",
        "of of ADP IN 4 fixed",
        "Java Java PROPN NNP 2 obl",
        ". . PUNCT . 2 punct",
    )
    assert marked(sentence) == [("(Ann; uses; Rust)", False), ("(Ann; uses; Java)", True)]


def test_names_with_a_singular_verb_are_one_name() -> None:
    rows = (
        "Lee Lee PROPN NNP 4 nsubj",
        "and and CCONJ CC 3 cc",
        "Moe Moe PROPN NNP 1 conj",
        "{0} own VERB {1} 0 root",
        "mills mill NOUN NNS 4 obj",
        ". . PUNCT . 4 punct",
    )
    one = parsed("Lee and Moe owns mills.", *(row.format("owns", "VBZ") for row in rows))
    two = parsed("Lee and Moe own mills.", *(row.format("own", "VBP") for row in rows))
    assert marked(one) == [("(Lee and Moe; owns; mills)", False)]
    assert marked(two) == [("(Lee; own; mills)", False), ("(Moe; own; mills)", False)]


def test_either_of_two_is_no_claim() -> None:
    sentence = parsed(
        "He either sold or lost it.",
        "He he PRON PRP 3 nsubj",
        "either either CCONJ CC 3 cc:preconj",
        "sold sell VERB VBD 0 root",
        "or or CCONJ CC 5 cc",
        "lost lose VERB VBD 3 conj",
        "it it PRON PRP 3 obj",
        ". . PUNCT . 3 punct",
    )
    assert {one.modality for one in tuples(sentence)} == {"alternative"}
