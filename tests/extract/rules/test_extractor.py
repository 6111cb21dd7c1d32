"""The rules as an extractor: what its tuples carry, its settings, and trees that no parser should make."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.extract.checks import check
from tests.extract.parsed import parsed, told, tuples
from tests.extract.trees import bare
from tupelo.core import Analysis, Entity, InputError, UnknownNameError, Word
from tupelo.extract.rules import RuleExtractor, candidates, rule_extractor

HOUSE = parsed(
    "The house built by monks burned in 1850.",
    "The the DET DT 2 det",
    "house house NOUN NN 6 nsubj",
    "built build VERB VBN 2 acl",
    "by by ADP IN 5 case",
    "monks monk NOUN NNS 3 obl:agent",
    "burned burn VERB VBD 0 root",
    "in in ADP IN 8 case",
    "1850 1850 NUM CD 6 obl",
    ". . PUNCT . 6 punct",
    entities=(Entity("datetime", 7, 8),),
)


def test_every_part_says_where_its_words_are() -> None:
    built, burned = tuples(HOUSE)
    assert built.rel.text == "was built by"
    assert built.rel.tokens == (2, 3)
    assert built.rel.inferred == (0,)
    assert burned.arg1 is not None
    assert burned.arg1.tokens == (0, 1, 2, 3, 4)
    for extraction in (built, burned):
        check(extraction, HOUSE)


def test_an_implied_verb_is_marked_as_implied() -> None:
    built, burned = tuples(HOUSE)
    assert [word for position, word in enumerate(built.rel.text.split()) if position in built.rel.inferred] == ["was"]
    assert burned.rel.inferred == ()


def test_time_is_told_apart_from_other_arguments() -> None:
    built, burned = tuples(HOUSE)
    assert [argument.role for argument in built.args] == [None]
    assert [argument.role for argument in burned.args] == ["time"]


def test_a_tuple_names_its_extractor_and_its_rule() -> None:
    built, _ = tuples(HOUSE)
    assert (built.extractor, built.extractor_version, built.rule) == ("rules", RuleExtractor.version, "participle")


def test_a_piece_stands_behind_the_whole_clause() -> None:
    gave = parsed(
        "Ann gave Bob flowers in May.",
        "Ann Ann PROPN NNP 2 nsubj",
        "gave give VERB VBD 0 root",
        "Bob Bob PROPN NNP 2 iobj",
        "flowers flower NOUN NNS 2 obj",
        "in in ADP IN 6 case",
        "May May PROPN NNP 2 obl",
        ". . PUNCT . 2 punct",
    )
    confidences = {extraction.rule: extraction.confidence or 0.0 for extraction in tuples(gave, shape="all")}
    assert confidences["clause"] > confidences["clause/piece"] > 0.0


def test_a_sentence_that_nobody_parsed_has_no_tuples() -> None:
    assert tuples(bare("Ann sings songs")) == []
    assert candidates(Analysis("", ())) == []


def test_what_comes_out_does_not_depend_on_the_neighbours() -> None:
    extractor = RuleExtractor()
    alone = next(extractor.extract([HOUSE]))
    assert list(extractor.extract([HOUSE, bare("x"), HOUSE])) == [alone, [], alone]


def test_heads_in_a_circle_end() -> None:
    words = tuple(
        Word(text, 2 * index, 2 * index + 1, text, "VERB", "VB", "", head, "conj")
        for index, (text, head) in enumerate([("a", 1), ("b", 2), ("c", 0)])
    )
    assert tuples(Analysis("a b c", words)) == []


@pytest.mark.slow
def test_a_chain_of_a_thousand_clauses_ends() -> None:
    size = 1_000
    words = [
        Word("x", 0, 1, "x", "PRON", "PRP", "", 1, "nsubj"),
        Word("y", 2, 3, "y", "VERB", "VB", "", None, "root"),
    ]
    words += [
        Word("y", 2 * index, 2 * index + 1, "y", "VERB", "VB", "", index - 1, "conj") for index in range(2, size)
    ]
    text = " ".join(word.text for word in words)
    for words_ in (words, [*words[:1], *(replace(word, deprel="xcomp") for word in words[1:])]):
        for extraction in tuples(Analysis(text, tuple(words_))):
            assert extraction.arg1 is not None


def test_a_head_outside_the_sentence_is_no_head() -> None:
    words = (Word("Ann", 0, 3, "Ann", "PROPN", "NNP", "", 9, "nsubj"), Word("sang", 4, 8, "sing", "VERB", "VBD"))
    assert tuples(Analysis("Ann sang", words)) == []


def test_settings_choose_the_shape() -> None:
    assert rule_extractor("", {"shape": "pieces"}, None).shape == "pieces"
    assert told(HOUSE, shape="whole") == told(HOUSE, shape="all")


def test_a_value_that_a_setting_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="expected"):
        rule_extractor("", {"shape": "round"}, None)


def test_an_unknown_setting_is_refused_with_a_guess() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'shape'"):
        rule_extractor("", {"shap": "all"}, None)


def test_an_argument_after_the_name_is_refused() -> None:
    with pytest.raises(InputError, match="takes no argument"):
        rule_extractor("fast", {}, None)
