from __future__ import annotations

import numpy as np
import pytest

from tupelo.extract.neural.scores import (
    FURTHER,
    LABELS,
    MOST_ANCHORS,
    OBJECT,
    OUTSIDE,
    RELATION,
    SUBJECT,
    Scores,
    choose_anchors,
    log_softmax,
    neural_candidates,
)

LEADS = ("", "is", "has")


def scores_of(labels: list[int], lead: int = 0, slot: float = 3.0, anchor: int = 1) -> Scores:
    """A network that is sure of one tuple in its first slot; its second slot is empty."""
    table = np.full((1, len(labels), 2, len(LABELS)), -5.0, dtype=np.float32)
    table[0, np.arange(len(labels)), 0, labels] = 5
    table[0, :, 1, OUTSIDE] = 5
    leads = np.full((1, 2, len(LEADS)), -5.0, dtype=np.float32)
    leads[:, :, lead] = 5
    anchors = np.full(len(labels), -6.0, dtype=np.float32)
    anchors[anchor] = 4
    slots = np.array([[slot, -9.0]], dtype=np.float32)
    return Scores(anchors, choose_anchors(anchors), log_softmax(table), slots, log_softmax(leads))


def test_labels_become_the_parts_of_a_tuple() -> None:
    (found,) = neural_candidates(scores_of([SUBJECT, RELATION, OBJECT, OBJECT, OUTSIDE, FURTHER, FURTHER]), LEADS)
    assert found.subject == (0,)
    assert found.relation == (1,)
    assert found.complements == ((2, 3), (5, 6))
    assert found.predicate == 1


def test_separate_runs_of_further_words_are_arguments_of_their_own() -> None:
    (found,) = neural_candidates(scores_of([SUBJECT, RELATION, FURTHER, OUTSIDE, FURTHER]), LEADS)
    assert found.complements == ((2,), (4,))


def test_implied_words_open_the_relation() -> None:
    (found,) = neural_candidates(scores_of([SUBJECT, OUTSIDE, OBJECT], lead=1), LEADS)
    assert found.relation == ("is",)


@pytest.mark.parametrize(
    "labels",
    [[OUTSIDE, RELATION, OBJECT], [SUBJECT, OUTSIDE, OBJECT], [SUBJECT, RELATION, OUTSIDE]],
    ids=["subject", "relation", "arguments"],
)
def test_a_slot_without_one_of_the_parts_makes_no_tuple(labels: list[int]) -> None:
    assert neural_candidates(scores_of(labels), LEADS) == []


def test_an_unlikely_slot_makes_no_tuple() -> None:
    assert neural_candidates(scores_of([SUBJECT, RELATION, OBJECT], slot=-4.0), LEADS) == []


def test_only_likely_words_are_anchors_and_never_too_many() -> None:
    assert choose_anchors(np.array([-5.0, 2.0, -3.0, 0.0], dtype=np.float32)) == (1, 3)
    many = np.arange(100, dtype=np.float32)
    assert choose_anchors(many) == tuple(range(100 - MOST_ANCHORS, 100))
    assert choose_anchors(np.zeros(0, dtype=np.float32)) == ()
