"""A small project with something in every table."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from tests.annotate.serving import PASSWORD, Setting
from tupelo.annotate import people, review, work
from tupelo.annotate.items import stock_up

TOML = """overlap = 2
batch_size = 2
[review]
sample = 1.0
reviewers = 1
[controls]
share = 0.0
"""
OTHERS = {"Bo": "annotator", "Rita": "reviewer", "Ada": "admin"}


def fill(setting: Setting, ann_berg: str = "Ann Berg") -> None:
    """Two people rate three items, a reviewer returns a batch with a remark and decides, an admin changes a role."""
    desk, people_of_project = setting.desk, {ann_berg: "annotator", **OTHERS}
    stock_up(desk)
    for number, (name, role) in enumerate(people_of_project.items()):
        _, token = people.make_link(desk, role, label=f"for {name}")
        people.accept_invitation(desk, token, name, PASSWORD, f"crowd-{number}")
        setting.clock.forward(1)
    ann, bo, rita, ada = (_person(setting, name) for name in people_of_project)
    for person, scores in ((ann, (5, 1)), (bo, (4, 2))):
        given = setting.write(work.next_for, person)["assignment"]
        for turn, score in enumerate(scores):
            setting.clock.forward(1)
            answer = {"score": score, "note": f"as {person.name} sees it"}
            arguments = (given["id"], f"{person.id}-answer-{turn}", given["version"], answer, 12.5)
            given = setting.write(work.hand_in, person, *arguments)["next"]
        if person is ann and given is not None:
            setting.write(work.save_draft, person, given["id"], 1, {"score": 3})
            setting.write(work.skip, person, given["id"], "ann-skips-this", 0, f"{ann_berg} does not understand it")
    check = setting.write(review.next_review, rita)
    for turn, right in enumerate((False, True)):
        decision = {"right": right, "comment": f"{ann_berg}, look again", "answer": None}
        check = setting.write(review.review, rita, check["id"], f"review-{turn}", **decision)["review"]
    arguments = ("p0", "decision-1", 0, {"score": 4}, f"{ann_berg} was too kind")
    setting.write(review.adjudicate, rita, *arguments)
    setting.write(people.change_person, ada, bo.id, role="reviewer")
    people.make_link(desk, "annotator", person=ann.id, by=ada.id)
    with suppress(people.Refusal):
        people.login(desk, ann_berg, "a wrong password", "127.0.0.1", None)


def _person(setting: Setting, name: str) -> Any:
    from sqlalchemy import select

    from tupelo.annotate.schema import people as table

    return people.person_of(setting.rows(select(table).where(table.c.name == name))[0])
