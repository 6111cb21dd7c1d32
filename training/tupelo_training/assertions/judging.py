"""Annotators who can be trusted, in two ways of Levy and Dagan (2016), who had five people judge every answer.

*Controls*: some questionnaires contain two hidden control items, one that is plainly right and one that is plainly
wrong. An annotator who gets one wrong cannot submit, and is asked to look again. *Insurgency*
(`tupelo.scorers.agreement`): all judgements of annotators above 20 % are discarded.

    Ann judged 100 examples and stood alone in 30: 30 / (100 + 25) = 0.24, discarded.
    Bob judged 5 and stood alone in 5: 5 / (5 + 25) = 0.17, kept.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tupelo.scorers.agreement import SHARP, SMOOTHING, AnnotatorJudgement, insurgency, minority_counts

THRESHOLD = 0.2
# 300 of 1,500 questionnaires held controls.
CONTROL_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Controls:
    """Two hand-made items for a question: one to be accepted, one to be rejected."""

    positive: str
    negative: str


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """Items about one question, in the order in which they are shown.

    `expected` says for each control among the items whether it is right; it is empty where there are none.
    """

    id: str
    question: str
    items: tuple[str, ...]
    expected: Mapping[str, bool]


def make_questionnaires(question: str, items: Sequence[str], size: int) -> list[Questionnaire]:
    """The items of a question in questionnaires of at most `size` items, as even as possible."""
    if size < 1:
        raise ValueError(f"{size} items in a questionnaire, expected 1 or more")
    count = -(-len(items) // size)
    bounds = [len(items) * number // count for number in range(count + 1)] if count else []
    return [
        Questionnaire(f"{question}#{number}", question, tuple(items[start:end]), {})
        for number, (start, end) in enumerate(pairwise(bounds), start=1)
    ]


def inject_controls(
    questionnaires: Sequence[Questionnaire],
    controls: Mapping[str, Controls],
    *,
    share: float = CONTROL_SHARE,
    seed: int = 0,
) -> list[Questionnaire]:
    """Put both controls into a share of all questionnaires, at random places, where their question has controls.

    When too few questions have controls, all of theirs get them and the share stays smaller. What a questionnaire
    gets depends on the seed and its id alone, not on its neighbours' content.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share {share}, expected a number from 0 to 1")
    able = [questionnaire for questionnaire in questionnaires if questionnaire.question in controls]
    wanted = min(len(able), round(share * len(questionnaires)))
    chosen = {questionnaire.id for questionnaire in sorted(able, key=lambda one: _draw(seed, one.id))[:wanted]}
    return [
        _with_controls(questionnaire, controls[questionnaire.question], seed)
        if questionnaire.id in chosen
        else questionnaire
        for questionnaire in questionnaires
    ]


def _draw(seed: int, identifier: str) -> float:
    return random.Random(f"{seed}/{identifier}").random()


def _with_controls(questionnaire: Questionnaire, pair: Controls, seed: int) -> Questionnaire:
    clash = {pair.positive, pair.negative} & set(questionnaire.items)
    if clash or pair.positive == pair.negative:
        raise ValueError(f"control {(clash or {pair.positive}).pop()!r} of {questionnaire.id} is an item already")
    items = list(questionnaire.items)
    places = random.Random(f"{seed}/{questionnaire.id}/places")
    for item in (pair.positive, pair.negative):
        items.insert(places.randint(0, len(items)), item)
    return Questionnaire(
        questionnaire.id, questionnaire.question, tuple(items), {pair.positive: True, pair.negative: False}
    )


def missed_controls(questionnaire: Questionnaire, answers: Mapping[str, bool]) -> list[str]:
    """Controls that were answered wrongly or not at all; a questionnaire is submitted when there are none."""
    return [item for item, right in questionnaire.expected.items() if answers.get(item) is not right]


def without_controls(questionnaire: Questionnaire, answers: Mapping[str, bool]) -> dict[str, bool]:
    """The answers that count."""
    return {item: answer for item, answer in answers.items() if item not in questionnaire.expected}


def insurgents(
    judgements: Iterable[AnnotatorJudgement],
    *,
    threshold: float = THRESHOLD,
    smoothing: int = SMOOTHING,
    sharp: float = SHARP,
) -> dict[str, float]:
    """Annotators above the threshold, with their insurgency; the highest first."""
    rates = {
        annotator: insurgency(alone, examples, smoothing)
        for annotator, (alone, examples) in minority_counts(judgements, sharp).items()
    }
    return dict(sorted(((name, rate) for name, rate in rates.items() if rate > threshold), key=lambda item: -item[1]))


def without_insurgents(
    judgements: Sequence[AnnotatorJudgement],
    *,
    threshold: float = THRESHOLD,
    smoothing: int = SMOOTHING,
    sharp: float = SHARP,
) -> list[AnnotatorJudgement]:
    """The judgements of everybody else."""
    out = insurgents(judgements, threshold=threshold, smoothing=smoothing, sharp=sharp)
    return [judgement for judgement in judgements if judgement.annotator not in out]
