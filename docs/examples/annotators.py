"""Four careful annotators, and one who always accepts."""

from tupelo.scorers.agreement import AnnotatorJudgement
from tupelo_training.assertions.judging import (
    Controls,
    inject_controls,
    insurgents,
    make_questionnaires,
    missed_controls,
)

# Answers to "which drug helps against headaches?", with one that is plainly right and one that is plainly wrong.
pages = make_questionnaires("headache", ["paracetamol", "penicillin", "morphine"], size=5)
(page,) = inject_controls(pages, {"headache": Controls("aspirin", "gravel")}, share=1.0, seed=7)
print(page.items)
print("look again at:", missed_controls(page, dict.fromkeys(page.items, True)))

# 60 answers are judged by all five; every second one is right.
judgements = [
    AnnotatorJudgement(person, f"answer {number}", label)
    for number in range(60)
    for person, label in [*((name, number % 2 == 0) for name in ("ann", "ben", "cat", "dan")), ("eve", True)]
]
print(insurgents(judgements))
