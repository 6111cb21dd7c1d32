"""The matcher `entail` with a network that knows a few pairs by heart."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import tupelo
from tupelo.core import Extraction, InputError
from tupelo.scorers.carb import Carb
from tupelo.scorers.carb_entail import Entailments, statement

SENTENCE = "Rosa bought the mill from Ann in May ."
ROSA, ANN = "Rosa bought the mill.", "Ann sold Rosa the mill."


@dataclass
class Known:
    """Supports what it was given; counts what it reads."""

    pairs: set[tuple[str, str]]
    read: list[tuple[str, str]] = field(default_factory=list)
    name: str = "stub"
    version: str = "1.0"

    def outcomes(self, pairs):
        self.read += pairs
        return [(0.9, 0.0, 0.1) if pair in self.pairs else (0.1, 0.0, 0.9) for pair in pairs]


def tuples(*items: tuple[str, ...], sentence: str = SENTENCE) -> list[Extraction]:
    return [Extraction.of(sentence, rel, args) for rel, *args in items]


def score(gold, predicted, known, **options):
    return (
        Carb(matcher="entail", entailments=Entailments(known, "stub@1.0"), **options)
        .evaluate(gold, predicted)
        .score()
    )


GOLD = tuples(("bought", "Rosa", "the mill"))
OTHER_WORDS = tuples(("sold", "Ann", "Rosa", "the mill"))


@pytest.mark.parametrize("direction", [(ANN, ROSA), (ROSA, ANN)])
def test_entailment_in_either_direction_counts_in_full(direction):
    found = score(GOLD, OTHER_WORDS, Known({(SENTENCE, ANN), direction}))
    assert (found.precision, found.recall, found.auc) == (1.0, 1.0, 1.0)


def test_a_prediction_that_the_sentence_does_not_support_counts_nothing():
    known = Known({(ANN, ROSA), (ROSA, ANN)})
    found = score(GOLD, OTHER_WORDS, known)
    assert (found.precision, found.recall) == (0.0, 0.0)
    assert known.read == [(SENTENCE, ANN)]


def test_a_supported_prediction_without_entailment_counts_nothing():
    assert score(GOLD, OTHER_WORDS, Known({(SENTENCE, ANN)})).recall == 0.0


def test_an_equal_tuple_needs_the_sentence_only():
    known = Known({(SENTENCE, ROSA)})
    assert score(GOLD, GOLD, known).f1 == 1.0
    assert known.read == [(SENTENCE, ROSA)]


def test_tuples_with_hardly_a_common_word_are_not_read():
    known = Known(set())
    score(GOLD, tuples(("was", "It", "in May"), ("sold", "Ann", "her old house")), known)
    assert known.read == []


def test_pairs_are_read_once_for_all_systems():
    known = Known({(SENTENCE, ANN), (ANN, ROSA)})
    scorer = Carb(matcher="entail", entailments=Entailments(known, "stub@1.0"))
    assert scorer.evaluate(GOLD, OTHER_WORDS * 3).score().recall == 1.0
    assert scorer.evaluate(GOLD, OTHER_WORDS).score().recall == 1.0
    assert len(known.read) == 2


def test_support_of_one_sentence_is_not_that_of_another():
    other = "Rosa never bought the mill , Ann says ."
    gold = [*GOLD, *tuples(("bought", "Rosa", "the mill"), sentence=other)]
    found = score(gold, gold, Known({(SENTENCE, ROSA)}))
    assert (found.precision, found.recall) == (0.5, 0.5)


def test_confidences_and_pairing_are_those_of_carb():
    # One gold tuple: the second prediction that it entails has no partner.
    found = score(GOLD, [*GOLD, *OTHER_WORDS], Known({(SENTENCE, ROSA), (SENTENCE, ANN), (ANN, ROSA)}))
    assert (found.precision, found.recall) == (0.5, 1.0)


def test_a_statement_is_one_sentence():
    assert statement(" is named  in", ["the  street", "his honour ."]) == "The street is named in his honour."
    assert statement("rained", []) == "Rained."
    assert statement("", []) == "."


def test_the_score_has_token_overlap_beside_it_and_both_signatures():
    known = Known({(SENTENCE, ANN), (ANN, ROSA)})
    read = Entailments(known, "stub@1.0")
    found = tupelo.score("carb", GOLD, OTHER_WORDS, matcher="entail", entailments=read)
    assert found.f1 == 1.0
    assert "|match:entail|network:stub@1.0|binary:no|" in found.signature
    assert found.beside.f1 == 0.0
    assert found.beside.signature == tupelo.score("carb", GOLD, OTHER_WORDS).signature
    assert found.to_dict()["beside"]["signature"] == found.beside.signature
    assert str(found).splitlines()[-1] == found.beside.signature


def test_progress_counts_pairs():
    seen = []
    read = Entailments(Known({(SENTENCE, ANN)}), "stub@1.0", lambda *step: seen.append(step))
    Carb(matcher="entail", entailments=read).evaluate(GOLD, OTHER_WORDS)
    assert seen == [("reading sentences", 1, 1), ("comparing tuples", 1, 1), ("comparing tuples, gold first", 1, 1)]


def test_whole_tuples_only():
    with pytest.raises(InputError, match="expected no --binary"):
        Carb(matcher="entail", binary=True)


def test_a_network_is_needed():
    with pytest.raises(InputError, match="without a network"):
        Carb(matcher="entail").evaluate(GOLD, GOLD)


@pytest.mark.model
def test_the_shipped_network_reads_other_words_of_a_fact():
    gold = tuples(("was founded by", "Acme", "Ann Lee"), sentence="Acme was founded by Ann Lee .")
    right = tuples(("founded", "Ann Lee", "Acme"), sentence="Acme was founded by Ann Lee .")
    wrong = tuples(("founded", "Acme", "Ann Lee"), sentence="Acme was founded by Ann Lee .")
    scores = tupelo.leaderboard("carb", gold, {"right": right, "wrong": wrong}, matcher="entail").scores
    assert (scores["right"].f1, scores["wrong"].f1) == (1.0, 0.0)
    assert "|network:tupelo-en-support@" in scores["right"].signature
    again = tupelo.score(scores["right"].signature, gold, right)
    assert again.signature.split("|")[2:] == scores["right"].signature.split("|")[2:]
