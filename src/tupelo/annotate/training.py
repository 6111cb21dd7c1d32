"""Tutorial, test and control items: only people who pass may work, and careless ones are sent back.

The tutorial and the test are files of the project. Everything is graded by the task itself; for tuples that is the
CaRB scorer. A test is passed when the mean grade of its answers reaches the pass mark.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sqlalchemy import func, select

from tupelo.annotate.desk import Desk, Person, Transaction, from_json
from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.schema import people, records
from tupelo.annotate.tasks import Item
from tupelo.core import InputError
from tupelo.web.guard import Refusal

# The grade from which a practice answer counts as right.
_RIGHT = 0.9
_SEED = "training"


@lru_cache(maxsize=8)
def steps(desk: Desk) -> tuple[tuple[dict[str, Any], Item | None], ...]:
    """The steps of the tutorial, each with its item, if any."""
    found = []
    for number, step in enumerate(desk.project.tutorial(), start=1):
        item = None
        if "row" in step:
            rows = [{"id": f"step {number}", **step["row"], "answer": step.get("answer")}]
            (item,) = items_of_rows(desk.task, rows, desk.project.settings, f"step {number} of the tutorial")
        found.append((step, item))
    return tuple(found)


@lru_cache(maxsize=8)
def test_items(desk: Desk) -> tuple[Item, ...]:
    """The items of the test, each with its right answer."""
    name = desk.project.qualification.file
    if name is None:
        return ()
    rows = read_rows(desk.task.reads, str(desk.project.path(name)))
    found = items_of_rows(desk.task, rows, desk.project.settings, name)
    for item in found:
        if item.gold is None:
            raise InputError(f"{name}: item '{item.id}' without an answer, expected one for each")
    if not found:
        raise InputError(f"{name}: no items, expected at least one")
    return tuple(found)


def tutorial(desk: Desk) -> dict[str, Any]:
    """The steps of the tutorial."""
    return {
        "steps": [
            {
                "index": index,
                "title": step["title"],
                "text": step.get("text", ""),
                "content": item and desk.task.present(item, _SEED),
                "practice": item is not None and item.gold is not None,
            }
            for index, (step, item) in enumerate(steps(desk))
        ]
    }


def practise(desk: Desk, index: int, answer: Any) -> dict[str, Any]:
    """Answer a step of the tutorial: it is graded, the right answer is shown, and nothing is stored."""
    found = steps(desk)
    item = found[index][1] if index < len(found) else None
    if item is None or item.gold is None:
        raise Refusal("not-found", "This step has no exercise.")
    score = grade(desk, item, answer)
    return {
        "score": score,
        "right": score >= _RIGHT,
        "gold": item.gold,
        "explanation": found[index][0].get("explanation", ""),
    }


def grade(desk: Desk, item: Item, answer: Any) -> float:
    normal = desk.validated(item, answer, _SEED)
    gold = desk.validated(item, item.gold, _SEED)
    return 0.0 if desk.task.missed(item, normal) else desk.task.grade(item, normal, gold)


def finish_tutorial(tx: Transaction, person: Person) -> Person:
    """Move a person on to the test, or to work if there is none."""
    if _state(tx, person) != "training":
        return _reread(tx, person)
    state = "qualification" if tx.desk.project.qualification.file is not None else "working"
    tx.append("tutorial", person.id, {})
    return _move(tx, person, state)


def attempts_left(tx: Transaction, person: Person) -> tuple[int, dict[str, Any] | None]:
    """The attempts left since a person was last sent back, and the result of the last attempt."""
    tries = _since_sent_back(tx, person, "qualification")
    return max(0, tx.desk.project.qualification.attempts - len(tries)), tries[0] if tries else None


def _since_sent_back(tx: Transaction, person: Person, kind: str, most: int | None = None) -> list[Any]:
    """The bodies of a person's records of this kind since they were last sent back, newest first."""
    since = select(func.coalesce(func.max(records.c.id), 0))
    since = since.where(records.c.person == person.id, records.c.kind == "sent-back")
    query = select(records.c.body_json).where(records.c.person == person.id, records.c.kind == kind)
    query = query.where(records.c.id > since.scalar_subquery()).order_by(records.c.id.desc()).limit(most)
    return [from_json(body) for body in tx.execute(query).scalars()]


def qualification(tx: Transaction, person: Person) -> dict[str, Any]:
    """The test, without its answers."""
    left, last = attempts_left(tx, person)
    return {
        "items": [{"id": item.id, "content": tx.desk.task.present(item, _SEED)} for item in test_items(tx.desk)],
        "pass_mark": tx.desk.project.qualification.pass_mark,
        "attempts_left": left,
        "attempt": tx.desk.project.qualification.attempts - left + 1,
        "last": last and {"score": last["score"], "passed": last["passed"]},
    }


def take_test(tx: Transaction, person: Person, client_id: str, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Submit the whole test; missing answers count as wrong."""
    state = _state(tx, person)
    before = tx.earlier(person.id, client_id)
    if before is not None:
        return _result(tx, _reread(tx, person), from_json(before.body_json))
    if state != "qualification":
        raise Refusal("conflict", "The test is not open for you now.", detail={"state": state})
    found = test_items(tx.desk)
    unknown = set(answers) - {item.id for item in found}
    if unknown:
        raise Refusal("invalid", "An answer to an item that is not in the test.", field=f"answers.{min(unknown)}")
    scores = {item.id: grade(tx.desk, item, answers[item.id]) if item.id in answers else 0.0 for item in found}
    score = sum(scores.values()) / len(scores)
    passed = score >= tx.desk.project.qualification.pass_mark
    body = {"score": score, "passed": passed, "scores": scores, "answers": dict(answers)}
    tx.append("qualification", person.id, body, client_id=client_id)
    left, _ = attempts_left(tx, person)
    if passed or not left:
        person = _move(tx, person, "working" if passed else "failed")
    return _result(tx, person, body)


def _result(tx: Transaction, person: Person, body: dict[str, Any]) -> dict[str, Any]:
    left, _ = attempts_left(tx, person)
    shows_gold = body["passed"] or not left
    gold = {item.id: item.gold for item in test_items(tx.desk)} if shows_gold else {}
    details = {
        name: {"score": score, **({"gold": gold[name]} if name in gold else {})}
        for name, score in body["scores"].items()
    }
    return {
        "score": body["score"],
        "passed": body["passed"],
        "attempts_left": left,
        "items": details,
        "person": person.shown(),
    }


def grade_control(tx: Transaction, person: Person, row: int, item: Item, answer: dict[str, Any]) -> None:
    """Grade a control item; `misses` failures in a row send a person back to training."""
    assert item.gold is not None
    gold = tx.desk.task.validate(item, item.gold, _SEED)
    score = tx.desk.task.grade(item, answer, gold)
    passed = score >= tx.desk.project.controls.pass_mark
    tx.append("control", person.id, {"score": score, "passed": passed}, item=row)
    misses = tx.desk.project.controls.misses
    grades = [body["passed"] for body in _since_sent_back(tx, person, "control", misses)]
    if len(grades) == misses and not any(grades) and person.role == "annotator":
        tx.append("sent-back", person.id, {"misses": misses})
        state = "training" if tx.desk.project.training.tutorial is not None else "qualification"
        _move(tx, person, state if tx.desk.project.qualification.file is not None else "failed")


def _state(tx: Transaction, person: Person) -> str:
    """The state of a person; the row is locked, so that their requests are serialized."""
    return str(tx.locked_row(people, person.id, "person").state)


def _reread(tx: Transaction, person: Person) -> Person:
    return replace(person, state=tx.row(people, person.id).state)


def _move(tx: Transaction, person: Person, state: str) -> Person:
    tx.change(people, person.id, state=state)
    return replace(person, state=state)
