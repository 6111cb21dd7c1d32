"""Trees whose brackets can be counted by hand."""

from __future__ import annotations

import pytest

from benchmarks.evalb import score_evalb
from tupelo.core import Analysis, InputError
from tupelo.io import brackets
from tupelo.io.lines import Lines


def trees(*lines: str) -> list[Analysis]:
    return list(brackets.read(Lines(lines)))


GOLD = "(ROOT (S (NP-SBJ (PRP He)) (VP (VBD ate) (NP (NN soup))) (. .)))"


def test_gold_against_itself_is_perfect() -> None:
    score = score_evalb(trees(GOLD), trees(GOLD))
    assert score.brackets.f1 == 1
    assert score.brackets.gold == 4  # S, NP, VP, NP: the root is left out
    assert (score.exact, score.sentences) == (1, 1)


def test_function_tags_and_the_place_of_punctuation_do_not_count() -> None:
    other = "(ROOT (S (NP (PRP He)) (VP (VBD ate) (NP (NN soup)) (. .))))"
    assert score_evalb(trees(GOLD), trees(other)).brackets.f1 == 1


def test_a_missing_and_a_wrong_phrase() -> None:
    other = "(ROOT (S (NP (PRP He)) (VP (VBD ate) (PP (NN soup))) (. .)))"
    flat = "(ROOT (S (PRP He) (VP (VBD ate) (NN soup)) (. .)))"
    assert score_evalb(trees(GOLD), trees(other)).brackets.f1 == 3 / 4
    assert score_evalb(trees(GOLD), trees(other)).unlabelled.f1 == 1
    counts = score_evalb(trees(GOLD), trees(flat)).brackets
    assert (counts.precision, counts.recall) == (2 / 2, 2 / 4)


def test_particles_count_as_adverb_phrases() -> None:
    first, second = "(S (PRT (RP up)))", "(S (ADVP (RP up)))"
    assert score_evalb(trees(first), trees(second)).brackets.f1 == 1


def test_a_phrase_that_is_there_twice_counts_twice() -> None:
    twice, once = "(S (NP (NP (NN soup))))", "(S (NP (NN soup)))"
    counts = score_evalb(trees(twice), trees(once)).brackets
    assert (counts.gold, counts.system, counts.correct) == (3, 2, 2)


def test_phrases_of_punctuation_alone_are_left_out() -> None:
    odd = "(ROOT (S (NP-SBJ (PRP He)) (VP (VBD ate) (NP (NN soup))) (X (. .))))"
    assert score_evalb(trees(GOLD), trees(odd)).brackets.f1 == 1


def test_wrong_tags_do_not_lose_a_sentence() -> None:
    tagged = "(ROOT (S (NP (PRP He)) (VP (VBD ate) (NP (, soup))) (NN .)))"
    assert score_evalb(trees(GOLD), trees(tagged)).brackets.f1 == 1


def test_trees_over_other_words_are_refused() -> None:
    with pytest.raises(InputError, match="tree 1 has 1 words, expected 4"):
        score_evalb(trees(GOLD), trees("(S (NN soup))"))
    with pytest.raises(InputError, match="2 predicted trees for 1 gold trees"):
        score_evalb(trees(GOLD), trees(GOLD, GOLD))
