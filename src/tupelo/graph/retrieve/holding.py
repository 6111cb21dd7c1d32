"""Answers as of a day: *who was mayor in 2018* asks who was mayor, among the statements that held in 2018."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from tupelo.graph.store.file import Store
from tupelo.graph.store.validity import OPEN
from tupelo.graph.store.values import asked_days
from tupelo.nlp.dates import time_expressions

if TYPE_CHECKING:
    from tupelo.graph.retrieve.ask import TextAnswer

_TUPLES = """
SELECT valid_from, valid_until, aspect, list(lower(mentions.text) || ' ' || lower(coalesce(resolved, '')))
FROM tuples JOIN sentences USING (sentence_id) JOIN documents USING (document_id) JOIN mentions USING (tuple_id)
WHERE source = ? AND sentences.position = ? GROUP BY ALL
"""


def asked_time(question: str, as_of: date | str | None) -> tuple[str, str | None]:
    """A question without the year or month at its end, and the time that it asks about: that, or the given one.

    >>> asked_time("Who was mayor of Oslo in 2018?", None)
    ('Who was mayor of Oslo?', '2018')
    """
    given = None if as_of is None else str(as_of)
    if question.lower().startswith(("when", "how many", "how much")):
        return question, given
    for one in time_expressions(question):
        if one.sense == "at" and one.first == one.last and not question[one.end :].strip(" ?."):
            return f"{question[: one.start].rstrip()}?", given or one.first
    return question, given


def holding(store: Store, answers: Sequence[TextAnswer], time: str | None) -> list[TextAnswer]:
    """The answers that may hold at a time: first those that had begun by their text, the latest before others."""
    if time is None:
        return list(answers)
    first, last = (day.isoformat() for day in asked_days(time))
    ranked = []
    for answer in answers:
        begun = _beginning(store, answer, first, last)
        if begun is not None:
            ranked.append((bool(begun), begun, answer.confidence, answer))
    ranked.sort(key=lambda row: row[:3], reverse=True)
    return [row[3] for row in ranked]


def _beginning(store: Store, answer: TextAnswer, first: str, last: str) -> str | None:
    """When what an answer says began, empty where nobody says; `None` where it did not hold."""
    found: list[str | None] = []
    for said in answer.evidence:
        for start, end, aspect, texts in store.rows(_TUPLES, [said.source, said.position]):
            if not any(answer.answer.lower() in text for text in texts):
                continue
            over = aspect == "state" and end not in (None, OPEN) and f"{end}~" < first
            found.append(None if over or (start is not None and start > last) else start or "")
    kept = [start for start in found if start is not None]
    return max(kept) if kept else None if found else ""
