"""Checks of paraphrases on hand-written parses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.extract.parsed import parsed
from tests.robustness.rewrite.sentences import FOUND, NURSE, made
from tupelo.core import Extraction
from tupelo.nlp.languages.en.inflection import participle, past
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.verify import (
    TagModel,
    Thresholds,
    Verification,
    VerifiedCandidate,
    align_words,
    choose,
    fluency_score,
    is_well_formed,
    meaning_score,
    recall,
    shipped_tag_model,
    shortlist,
    verify,
)

PASSIVE = parsed(
    "An opening was found by Mr. Baker under the house in 1990 .",
    "An a DET DT 2 det",
    "opening opening NOUN NN 4 nsubj:pass",
    "was be AUX VBD 4 aux:pass",
    "found find VERB VBN 0 root",
    "by by ADP IN 7 case",
    "Mr. Mr. PROPN NNP 7 compound",
    "Baker Baker PROPN NNP 4 obl:agent",
    "under under ADP IN 10 case",
    "the the DET DT 10 det",
    "house house NOUN NN 4 obl",
    "in in ADP IN 12 case",
    "1990 1990 NUM CD 4 obl",
    ". . PUNCT . 4 punct",
)
TUPLES = (("found", "Mr. Baker", "an opening"),)
TURNED = (("was found by", "an opening", "Mr. Baker"),)
ORIGINAL = Original(FOUND, TUPLES)
REWRITE = made("passive", FOUND)[0]
CANDIDATE = Rewording(REWRITE.text, "passive", TURNED, tuple(word.of for word in REWRITE.words))


def judged(quality: float, text: str) -> VerifiedCandidate:
    return VerifiedCandidate(Rewording(text, "", ()), Verification(quality, 1.0, None, None))


def test_a_good_rewrite_passes() -> None:
    verification = verify(ORIGINAL, CANDIDATE, PASSIVE, Thresholds())
    assert verification.failed is None
    assert verification.meaning == 1.0
    assert 0.62 <= verification.fluency <= 1.0


def test_a_lost_word_fails() -> None:
    without = [place for place, piece in enumerate(REWRITE.words) if piece.text not in ("house", "opening")]
    kept = replace(PASSIVE, words=tuple(PASSIVE.words[place] for place in without))
    candidate = replace(CANDIDATE, alignment=tuple(CANDIDATE.alignment[place] for place in without))  # type: ignore[index]
    # The heads of the shortened parse point elsewhere; only the words count here.
    kept = replace(kept, words=tuple(replace(w, head=None if w.deprel == "root" else 2) for w in kept.words))
    assert verify(ORIGINAL, candidate, kept, Thresholds(fluency=0, meaning=0)).failed in ("words", "parse")


def test_a_sentence_without_subject_or_verb_is_not_well_formed() -> None:
    assert is_well_formed(PASSIVE)
    assert is_well_formed(NURSE)
    assert not is_well_formed(parsed("Songs .", "Songs song NOUN NNS 0 root", ". . PUNCT . 1 punct"))
    two = replace(PASSIVE, words=tuple(replace(word, head=None) for word in PASSIVE.words))
    assert not is_well_formed(two)


def test_links_between_content_words_count_in_either_direction() -> None:
    # found-Baker, found-opening, found-house, found-1990 and Baker-Mr.: all five are there in the passive.
    assert meaning_score(FOUND, PASSIVE, CANDIDATE.alignment or ()) == 1.0
    moved = replace(
        PASSIVE, words=tuple(replace(w, head=1) if w.text in ("house", "1990") else w for w in PASSIVE.words)
    )
    assert meaning_score(FOUND, moved, CANDIDATE.alignment or ()) == pytest.approx(3 / 5)


def test_words_are_aligned_by_lemma_where_nobody_told() -> None:
    aligned = align_words(FOUND, PASSIVE)
    assert [sources for sources in aligned if sources] != []
    assert aligned[3] == (2,)
    assert aligned[2] == ()


def test_fluency_falls_with_odd_tags() -> None:
    model = shipped_tag_model()
    good = fluency_score(FOUND, PASSIVE, CANDIDATE.alignment or (), model)
    odd = replace(PASSIVE, words=tuple(replace(word, xpos="DT") for word in PASSIVE.words))
    assert fluency_score(FOUND, odd, CANDIDATE.alignment or (), model) < good / 2


def test_the_tag_model_by_hand() -> None:
    model = TagModel([("<s>", "<s>", "DT", 3), ("<s>", "<s>", "NN", 1), ("<s>", "DT", "<s>", 2)])
    # 0.6 * 3/4 + 0.3 * 3/4 + 0.1 * 3/6 for DT; then the end after DT: 0.6 + 0.3 + 0.1 * 2/6.
    from math import log

    expected = (log(0.9 * 3 / 4 + 0.1 * 3 / 6) + log(0.9 + 0.1 * 2 / 6)) / 2
    assert model.mean_log(["DT"]) == pytest.approx(expected)


def test_tuples_that_are_not_found_any_more_fail() -> None:
    good = [Extraction.of(PASSIVE.text, *_split(TURNED[0]))]
    before = [Extraction.of(FOUND.text, *_split(TUPLES[0]))]
    assert verify(ORIGINAL, CANDIDATE, PASSIVE, Thresholds(), (before, good)).tuples == 1.0
    assert verify(ORIGINAL, CANDIDATE, PASSIVE, Thresholds(), (before, [])).failed == "tuples"
    assert verify(ORIGINAL, CANDIDATE, PASSIVE, Thresholds(), ([], [])).tuples == 1.0


def _split(told: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return told[0], told[1:]


def test_recall_is_that_of_the_best_match() -> None:
    assert recall(TUPLES, [Extraction.of("x", "found", ("Mr. Baker", "an opening"))]) == 1.0
    assert recall(TUPLES, []) == 0.0


def test_the_most_distant_set_is_chosen_and_kept_small_rather_than_near() -> None:
    some = [judged(1.0, text) for text in "abc"]
    far = [[0, 0.9, 0.9, 0.1], [0.9, 0, 0.9, 0.1], [0.9, 0.9, 0, 0.1], [0.1, 0.1, 0.1, 0]]
    assert choose(some, far, least=2, most=3, least_distance=0.6) == [0, 1]
    assert choose(some, far, least=2, most=3, least_distance=0.4) == [0, 1, 2]
    assert choose(some[:1], far, least=2, most=3, least_distance=0.4) == []


def test_quality_decides_between_equal_distances() -> None:
    some = [judged(0.5, "a"), judged(1.0, "b")]
    table = [[0, 0.7, 0.7], [0.7, 0, 0.7], [0.7, 0.7, 0]]
    assert choose(some, table, least=1, most=1, least_distance=0.6) == [1]
    assert shortlist(some, [0.7, 0.7]) == [0, 1]


@pytest.mark.parametrize(
    ("base", "before", "done"),
    [
        ("write", "wrote", "written"),
        ("carry", "carried", "carried"),
        ("stop", "stopped", "stopped"),
        ("visit", "visited", "visited"),
        ("use", "used", "used"),
        ("travel", "traveled", "traveled"),
        ("refer", "referred", "referred"),
        ("play", "played", "played"),
        ("need", "needed", "needed"),
        ("equip", "equipped", "equipped"),
    ],
)
def test_forms_of_verbs(base: str, before: str, done: str) -> None:
    assert (past(base), participle(base)) == (before, done)
