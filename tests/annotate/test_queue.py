"""Assignment: nothing is given twice, nothing is lost, whoever comes at the same time; on SQLite and PostgreSQL."""

from __future__ import annotations

import threading
import uuid
from collections import Counter

import pytest
from sqlalchemy import func, select, text

from tests.annotate.serving import make_setting, pairs
from tupelo.annotate import work
from tupelo.annotate.schema import assignments, items, records, statement
from tupelo.web.guard import Refusal

RIGHT = {"score": 4}


def hand_in(setting, person, assignment, answer=RIGHT, client_id=None, version=None):
    version = assignment["version"] if version is None else version
    return setting.write(work.hand_in, person, assignment["id"], client_id or uuid.uuid4().hex, version, answer, 1.0)


def take(setting, person):
    return setting.write(work.next_for, person)["assignment"]


def places_add_up(setting):
    """What is open and what is held is together as many places as the project wants."""
    held = Counter(
        row.item
        for row in setting.rows(select(assignments.c.item, assignments.c.state))
        if row.state not in ("expired", "skipped")
    )
    return all(
        row.open + held[row.id] == setting.desk.project.overlap
        for row in setting.rows(select(items.c.id, items.c.open).where(~items.c.control))
    )


def test_many_at_once_get_every_place_once(tmp_path, address):
    setting = make_setting(tmp_path, "overlap = 2\nbatch_size = 5\n", rows=pairs(30), address=address)
    people = [setting.person(f"P{n}") for n in range(8)]
    given, errors = [], []
    start = threading.Barrier(len(people))

    def annotate(person):
        try:
            start.wait()
            assignment = take(setting, person)
            while assignment is not None:
                given.append((person.id, assignment["item"]))
                assignment = hand_in(setting, person, assignment)["next"]
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=annotate, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    # Somebody may have found everything taken while others still worked; they come back.
    for person in people:
        annotate_rest = take(setting, person)
        while annotate_rest is not None:
            given.append((person.id, annotate_rest["item"]))
            annotate_rest = hand_in(setting, person, annotate_rest)["next"]
    assert len(given) == len(set(given)) == 60
    assert set(Counter(item for _, item in given).values()) == {2}
    assert places_add_up(setting)
    assert len(setting.rows(select(records).where(records.c.kind == "answer"))) == 60


def test_one_person_in_two_windows_gets_the_same_item(tmp_path, address):
    setting = make_setting(tmp_path, rows=pairs(5), address=address)
    ann = setting.person("Ann")
    found, start = [], threading.Barrier(4)

    def ask():
        start.wait()
        found.append(take(setting, ann)["id"])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 4
    assert len(set(found)) == 1


def test_the_same_request_again_changes_nothing(tmp_path, address):
    setting = make_setting(tmp_path, rows=pairs(3), address=address)
    ann = setting.person("Ann")
    first = take(setting, ann)
    replies, start = [], threading.Barrier(3)

    def send():
        start.wait()
        replies.append(hand_in(setting, ann, first, client_id="the-same-one"))

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(replies) == 3
    assert {reply["assignment"]["version"] for reply in replies} == {1}
    assert len({reply["next"]["id"] for reply in replies}) == 1
    assert len(setting.rows(select(records).where(records.c.kind == "answer"))) == 1


def test_an_answer_to_an_old_version_is_refused_with_the_present_one(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(2))
    ann = setting.person("Ann")
    first = take(setting, ann)
    hand_in(setting, ann, first)
    with pytest.raises(Refusal) as refusal:
        hand_in(setting, ann, first, {"score": 1})
    assert refusal.value.code == "conflict"
    assert refusal.value.detail["version"] == 1
    assert refusal.value.detail["current"]["answer"] == RIGHT


def test_a_lease_that_ran_out_gives_the_place_to_somebody_else_and_keeps_the_draft(tmp_path, address):
    setting = make_setting(tmp_path, "lease_minutes = 10\n", rows=pairs(1), address=address)
    ann, bob = setting.person("Ann"), setting.person("Bob")
    first = take(setting, ann)
    setting.write(work.save_draft, ann, first["id"], 1, {"score": 2})
    assert setting.write(work.next_for, bob) == {"assignment": None, "reason": "all-taken"}
    setting.clock.forward(11)
    other = take(setting, bob)
    assert other["item"] == first["item"]
    assert other["draft"] is None
    setting.clock.forward(11)
    again = take(setting, ann)
    assert (again["id"], again["draft"]) == (first["id"], {"score": 2})
    assert places_add_up(setting)


def test_a_draft_extends_the_lease_and_an_overtaken_one_is_left_out(tmp_path):
    setting = make_setting(tmp_path, "lease_minutes = 10\n", rows=pairs(1))
    ann, bob = setting.person("Ann"), setting.person("Bob")
    first = take(setting, ann)
    setting.clock.forward(8)
    assert setting.write(work.save_draft, ann, first["id"], 2, {"score": 2})["number"] == 2
    assert setting.write(work.save_draft, ann, first["id"], 1, {"score": 1})["number"] == 2
    setting.clock.forward(8)
    assert take(setting, bob) is None
    assert take(setting, ann)["draft"] == {"score": 2}


def test_an_answer_after_the_lease_counts_while_the_place_is_free(tmp_path):
    setting = make_setting(tmp_path, "lease_minutes = 10\n", rows=pairs(2))
    ann, bob = setting.person("Ann"), setting.person("Bob")
    first = take(setting, ann)
    setting.clock.forward(11)
    # Somebody else comes, and the lease of the first is noticed to be over; they take the same item and skip it.
    other = take(setting, bob)
    setting.write(work.skip, bob, other["id"], "skip-0001", 0, "unclear")
    assert hand_in(setting, ann, first)["assignment"]["state"] == "submitted"
    assert places_add_up(setting)


def test_an_answer_that_comes_too_late_is_kept_aside(tmp_path, address):
    setting = make_setting(tmp_path, "lease_minutes = 10\n", rows=pairs(1), address=address)
    ann, bob = setting.person("Ann"), setting.person("Bob")
    first = take(setting, ann)
    setting.clock.forward(11)
    hand_in(setting, bob, take(setting, bob))
    for _ in range(2):
        with pytest.raises(Refusal) as refusal:
            hand_in(setting, ann, first, {"score": 1}, client_id="too-late-1")
        assert refusal.value.code == "lease-lost"
    kept = setting.rows(select(records).where(records.c.kind == "late"))
    assert len(kept) == 1
    assert '"score":1' in kept[0].body_json
    assert places_add_up(setting)


def test_what_was_skipped_goes_to_others_only(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(2))
    ann, bob = setting.person("Ann"), setting.person("Bob")
    first = take(setting, ann)
    reply = setting.write(work.skip, ann, first["id"], "skip-0001", 0, "unclear")
    assert reply["assignment"]["state"] == "skipped"
    assert reply["next"]["item"] == "p1"
    assert take(setting, bob)["item"] == "p0"
    assert places_add_up(setting)


def test_undo_brings_an_answer_back_as_a_draft(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(3))
    ann = setting.person("Ann")
    first = take(setting, ann)
    hand_in(setting, ann, first)
    back = setting.write(work.undo, ann, first["id"], "undo-0001", 1)["assignment"]
    assert (back["state"], back["version"], back["draft"]) == ("leased", 2, RIGHT)
    assert hand_in(setting, ann, back, {"score": 1})["assignment"]["answer"] == {"score": 1}
    kinds = [
        row.kind for row in setting.rows(select(records).where(records.c.item.is_not(None)).order_by(records.c.id))
    ]
    assert kinds == ["answer", "undo", "answer"]
    assert places_add_up(setting)


def test_an_undone_skip_takes_the_place_again(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(2))
    ann, bob = setting.person("Ann"), setting.person("Bob")
    first = take(setting, ann)
    setting.write(work.skip, ann, first["id"], "skip-0001", 0, "unclear")
    assert setting.write(work.undo, ann, first["id"], "undo-0001", 1)["assignment"]["state"] == "leased"
    assert take(setting, bob) is None
    assert places_add_up(setting)


def test_an_answer_that_the_task_refuses_changes_nothing(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(1))
    ann = setting.person("Ann")
    first = take(setting, ann)
    with pytest.raises(Refusal) as refusal:
        hand_in(setting, ann, first, {"score": 9})
    assert (refusal.value.code, refusal.value.field) == ("invalid", "score")
    assert setting.rows(select(func.count()).select_from(records).where(records.c.kind == "answer"))[0][0] == 0


def test_more_people_per_item_open_more_places(tmp_path):
    from dataclasses import replace

    from tupelo.annotate.items import stock_up

    setting = make_setting(tmp_path, "overlap = 1\n", rows=pairs(2))
    stock_up(setting.desk)
    ann, bob = setting.person("Ann"), setting.person("Bob")
    hand_in(setting, ann, take(setting, ann))
    wider = replace(setting.desk, project=replace(setting.desk.project, overlap=2))
    stock_up(wider)
    stock_up(wider)
    setting.desk = wider
    assert places_add_up(setting)
    assert take(setting, bob)["item"] == "p0"


def test_finished_items_are_not_looked_at(tmp_path):
    """The next item costs as much at the end of a project as at its beginning."""
    setting = make_setting(tmp_path, rows=pairs(1))
    explained = text(f"explain query plan {statement('open_item', sqlite=True)}")
    plan = setting.desk.read(lambda tx: tx.connection.execute(explained, {"person": 1}).all())
    assert any("items_open" in row.detail for row in plan)
    assert not any("SCAN" in row.detail for row in plan)
