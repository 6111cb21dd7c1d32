"""Small texts whose score can be counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.conll18 import METRICS, score_conll18
from tupelo.core import Analysis, InputError, Word
from tupelo.io.analyses import read_analyses


def sentence(
    text: str, *rows: tuple[str, int | None, str], contractions: tuple[tuple[int, int], ...] = ()
) -> Analysis:
    """Words in order with head and relation; tags and lemmas are the words themselves."""
    words, position = [], 0
    for form, head, deprel in rows:
        start = text.index(form, position)
        position = start + len(form)
        words.append(Word(form, start, position, form, form, form, "", head, deprel))
    return Analysis(text, tuple(words), contractions=contractions)


GOLD = [
    sentence("Dogs bark.", ("Dogs", 1, "nsubj"), ("bark", None, "root"), (".", 1, "punct")),
    sentence(
        "I can't.",
        ("I", 1, "nsubj"),
        ("ca", None, "root"),
        ("n't", 1, "advmod"),
        (".", 1, "punct"),
        contractions=((1, 3),),
    ),
]


def test_gold_against_itself_is_perfect() -> None:
    scores = score_conll18(GOLD, GOLD)
    assert list(scores) == list(METRICS)
    assert all(count.f1 == 1 for count in scores.values())
    assert scores["Tokens"].gold == 6
    assert scores["Words"].gold == 7


def test_a_wrong_head_costs_both_scores_and_a_wrong_relation_only_one() -> None:
    wrong = sentence("Dogs bark.", ("Dogs", 1, "obj"), ("bark", None, "root"), (".", 0, "punct"))
    scores = score_conll18(GOLD[:1], [wrong])
    assert scores["UAS"].f1 == pytest.approx(2 / 3)
    assert scores["LAS"].f1 == pytest.approx(1 / 3)
    assert scores["CLAS"].f1 == pytest.approx(1 / 2)


def test_the_part_of_a_relation_after_the_colon_does_not_count() -> None:
    finer = sentence("Dogs bark.", ("Dogs", 1, "nsubj:outer"), ("bark", None, "root"), (".", 1, "punct"))
    assert score_conll18(GOLD[:1], [finer])["LAS"].f1 == 1


def test_sentences_must_begin_and_end_alike() -> None:
    joined = sentence(
        "Dogs bark. I can't.",
        ("Dogs", 1, "nsubj"),
        ("bark", None, "root"),
        (".", 1, "punct"),
        ("I", 4, "nsubj"),
        ("ca", 1, "parataxis"),
        ("n't", 4, "advmod"),
        (".", 4, "punct"),
    )
    scores = score_conll18(GOLD, [joined])
    assert scores["Sentences"].f1 == 0
    # The contraction is one token in the gold standard and two here, but the words are the same.
    assert scores["Words"].f1 == 1
    assert scores["Tokens"].correct == 5
    # Everything but the second root is attached as in the gold standard.
    assert scores["UAS"].correct == 6


def test_a_word_split_in_two_costs_precision_and_recall() -> None:
    split = sentence("Dogs bark.", ("Do", 2, "nsubj"), ("gs", 2, "dep"), ("bark", None, "root"), (".", 2, "punct"))
    words = score_conll18(GOLD[:1], [split])["Words"]
    assert (words.precision, words.recall) == (2 / 4, 2 / 3)
    assert words.f1 == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))


def test_a_head_that_is_not_aligned_is_wrong() -> None:
    glued = sentence("Dogs bark.", ("Dogs", 1, "nsubj"), ("bark.", None, "root"))
    scores = score_conll18(GOLD[:1], [glued])
    assert scores["Words"].correct == 1
    assert scores["UAS"].correct == 0


def test_words_of_a_contraction_are_aligned_by_their_forms() -> None:
    other = sentence(
        "I can't.",
        ("I", 1, "nsubj"),
        ("can", None, "root"),
        ("'t", 1, "advmod"),
        (".", 1, "punct"),
        contractions=((1, 3),),
    )
    scores = score_conll18(GOLD[1:], [other])
    assert scores["Tokens"].f1 == 1
    assert scores["Words"].correct == 2


def test_a_text_that_differs_is_refused_with_the_place() -> None:
    with pytest.raises(InputError, match=r"differ at character 5 \(spaces not counted\): 'ark\.' and 'ite\.'"):
        score_conll18(
            GOLD[:1], [sentence("Dogs bite.", ("Dogs", 1, "nsubj"), ("bite", None, "root"), (".", 1, "punct"))]
        )


def test_only_universal_features_count() -> None:
    first = Analysis("Go", (Word("Go", 0, 2, feats="Number=Sing|Typo=Yes", deprel="root"),))
    second = Analysis("Go", (Word("Go", 0, 2, feats="Number=Sing", deprel="root"),))
    assert score_conll18([first], [second])["UFeats"].f1 == 1


def test_a_gold_lemma_that_nobody_gave_agrees_with_any() -> None:
    gold = Analysis("Go", (Word("Go", 0, 2, deprel="root"),))
    assert score_conll18([gold], [Analysis("Go", (Word("Go", 0, 2, lemma="go", deprel="root"),))])["Lemmas"].f1 == 1


def test_a_whole_treebank_is_perfect_against_itself(shared: Path) -> None:
    treebank = read_analyses(shared / "data/ud_ewt/en_ewt-dev.conllu.gz")
    scores = score_conll18(treebank, treebank)
    assert all(count.f1 == 1 for count in scores.values())
    assert (scores["Words"].gold, scores["Sentences"].gold) == (25147, 2001)
