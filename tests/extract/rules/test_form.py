"""Parts of tuples are phrases: nothing of another phrase, no loose marks, no half of a name."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.parsed import parsed
from tests.extract.trees import analysis
from tests.extract.wild import bent, wild_analysis
from tupelo.core import Analysis, Entity
from tupelo.extract.rules import candidates
from tupelo.extract.rules.clefts import straighten
from tupelo.extract.rules.form import is_phrase, is_relation, missing_from_names, tidy
from tupelo.io.analyses import read_analyses
from tupelo.nlp.syntax import DependencyTree

FOLDER = Path(__file__).parents[1]
PARSED = [*read_analyses(FOLDER / "harbour.conllu"), *read_analyses(FOLDER / "reservations.conllu")]
PAIRS = ("()", "[]", "{}", "“”", "«»")

MAN = analysis(
    'A 38-year-old man (Bob Lee), who sings, and the "old" crew left.',
    "A DET 6 det",
    "38 NUM 4 nummod",
    "- PUNCT 4 punct",
    "year NOUN 5 obl",
    "old ADJ 6 amod",
    "man NOUN 21 nsubj",
    "( PUNCT 8 punct",
    "Bob PROPN 6 appos",
    "Lee PROPN 8 flat",
    ") PUNCT 8 punct",
    ", PUNCT 13 punct",
    "who PRON 13 nsubj",
    "sings VERB 6 acl:relcl",
    ", PUNCT 13 punct",
    "and CCONJ 20 cc",
    "the DET 20 det",
    '" PUNCT 18 punct',
    "old ADJ 20 amod",
    '" PUNCT 18 punct',
    "crew NOUN 6 conj",
    "left VERB 0 root",
    ". PUNCT 21 punct",
    entities=(Entity("number", 1, 5), Entity("person", 7, 9)),
)
TREE = DependencyTree(MAN)


def words(tokens: tuple[int, ...]) -> str:
    return " ".join(TREE.text(token) for token in tokens)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (range(10), "A 38 - year old man ( Bob Lee )"),
        (range(11), "A 38 - year old man ( Bob Lee )"),
        (range(9), "A 38 - year old man Bob Lee"),
        ((6, 7, 8, 9), "Bob Lee"),
        ((5, 6, 9), "man"),
        ((0, 5, 10, 13, 14, 19), "A man and crew"),
        (range(15, 20), 'the " old " crew'),
        (range(17, 20), "old crew"),
        ((10, 13), ""),
    ],
)
def test_marks_that_belong_to_nothing_go(tokens: tuple[int, ...], text: str) -> None:
    assert words(tidy(TREE, tokens)) == text


@pytest.mark.parametrize(
    ("tokens", "whole"),
    [
        (range(6), True),
        ((0, 5), False),
        ((0, 1, 5), False),
        ((*range(6), 7, 8), True),
        ((*range(6), 19), False),
        ((15, 17, 19), True),
        ((0, 15, 16, 17, 18, 19), True),
        ((12, 19), False),
        ((5, 20), True),
        ((7, 19), False),
        ((15,), False),
        ((), False),
    ],
)
def test_gaps_are_where_syntax_makes_them(tokens: tuple[int, ...], whole: bool) -> None:
    assert is_phrase(TREE, tuple(tokens)) is whole


def test_a_name_is_whole() -> None:
    assert missing_from_names(TREE, (5, 8)) == {7}
    assert missing_from_names(TREE, (0, 4, 5)) == {1, 2, 3}
    assert missing_from_names(TREE, (0, 5, 7, 8)) == set()


def test_a_relation_has_a_verb() -> None:
    assert is_relation(TREE, (20,))
    assert is_relation(TREE, ("is", 5))
    assert not is_relation(TREE, (5, 14))


def test_a_half_of_a_name_is_filled_in() -> None:
    sentence = parsed(
        "Ann met Bob and Lee of York.",
        "Ann Ann PROPN NNP 2 nsubj",
        "met meet VERB VBD 0 root",
        "Bob Bob PROPN NNP 2 obj",
        "and and CCONJ CC 5 cc",
        "Lee Lee PROPN NNP 3 conj",
        "of of ADP IN 7 case",
        "York York PROPN NNP 5 nmod",
        ". . PUNCT . 2 punct",
        entities=(Entity("organization", 2, 7),),
    )
    assert {candidate.complements for candidate in candidates(sentence)} == {((2, 3, 4, 5, 6),)}


def check_form(sentence: Analysis) -> int:
    tree = DependencyTree(straighten(sentence))
    found = candidates(sentence)
    for candidate in found:
        parts = [tuple(p for p in part if isinstance(p, int)) for part in (candidate.subject, *candidate.complements)]
        for part in parts:
            assert is_phrase(tree, part)
            assert set(tidy(tree, part)) == set(part)
            texts = [tree.text(token) for token in part]
            assert not {",", ";", ":"} & {texts[0], texts[-1]}
            assert all(texts.count(opening) == texts.count(closing) for opening, closing in PAIRS)
            assert candidate.shape != "nested" or not missing_from_names(tree, part)
        assert is_relation(tree, candidate.relation)
        used = [token for part in (*parts, candidate.relation) for token in part if isinstance(token, int)]
        assert len(used) == len(set(used))
    return len(found)


def test_every_part_of_every_candidate_is_a_phrase() -> None:
    assert sum(map(check_form, PARSED)) > 2 * len(PARSED)


# A seed, since a recorded source of random numbers costs a hundred times what the trees do.
@given(st.integers(0, 2**32))
def test_it_is_in_any_tree(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(20):
        check_form(wild_analysis(source))
        check_form(bent(source, source.choice(PARSED)))
