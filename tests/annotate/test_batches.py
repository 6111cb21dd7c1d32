"""Batches are accepted when a checked sample is right enough, and returned otherwise."""

from __future__ import annotations

import threading
from itertools import count

import pytest
from sqlalchemy import select

from tests.annotate.serving import make_setting, pairs
from tests.annotate.test_queue import hand_in, take
from tupelo.annotate import review, work
from tupelo.annotate.schema import assignments, checks
from tupelo.annotate.schema import batches as table
from tupelo.web.guard import Refusal

_IDS = count()


def full_batch(setting, person, size):
    assignment = take(setting, person)
    for _ in range(size):
        assignment = hand_in(setting, person, assignment)["next"]


def check_all(setting, reviewer, right=lambda check: True):
    """Check whatever there is for a reviewer; the assignments that they saw."""
    seen = []
    while (check := setting.write(review.next_check, reviewer)) is not None:
        seen.append(check.assignment)
        verdict = {"right": right(check), "comment": "no" if not right(check) else "", "answer": None}
        setting.write(review.check_answer, reviewer, check.id, f"check-{next(_IDS):08}", verdict)
    return seen


def test_forty_percent_are_checked_by_two_and_a_right_batch_is_accepted(tmp_path, address):
    setting = make_setting(tmp_path, "batch_size = 10\n", rows=pairs(12), address=address)
    ann, rea, rob, zoe = (
        setting.person("Ann"),
        *(setting.person(name, "reviewer") for name in ("Rea", "Rob", "Zoe")),
    )
    full_batch(setting, ann, 10)
    first, second = check_all(setting, rea), check_all(setting, rob)
    assert len(first) == 4
    assert first == second
    assert check_all(setting, zoe) == []
    assert [row.state for row in setting.rows(select(table).order_by(table.c.id))] == ["accepted", "open"]
    states = [row.state for row in setting.rows(select(assignments).order_by(assignments.c.id))]
    assert states == ["accepted"] * 10 + ["leased"]


def test_nobody_reviews_their_own_work(tmp_path):
    setting = make_setting(tmp_path, "batch_size = 2\n", rows=pairs(4))
    rea = setting.person("Rea", "reviewer")
    full_batch(setting, rea, 2)
    assert setting.write(review.next_check, rea) is None


def test_a_batch_with_too_much_wrong_goes_back_with_the_comments(tmp_path, address):
    setting = make_setting(tmp_path, "batch_size = 5\n", rows=pairs(9), address=address)
    ann, rea, rob = setting.person("Ann"), setting.person("Rea", "reviewer"), setting.person("Rob", "reviewer")
    full_batch(setting, ann, 5)
    wrong = []
    check_all(setting, rea, lambda check: wrong.append(check.assignment) or len(wrong) > 2)
    check_all(setting, rob)
    batch = setting.rows(select(table).order_by(table.c.id))[0]
    # One of two sampled answers is right in the eyes of both: 50 %, and 90 % are wanted.
    assert (batch.state, batch.round, batch.share_right) == ("returned", 2, 0.5)
    back = take(setting, ann)
    assert back["state"] == "returned"
    assert back["draft"] == {"score": 4}
    comments = [row.comment for row in setting.rows(select(assignments).where(assignments.c.state == "returned"))]
    assert comments.count("no") == 1
    # All of it is handed in again and checked anew, by the same two.
    for _ in range(5):
        back = hand_in(setting, ann, back, {"score": 5})["next"]
    assert back["state"] == "leased"
    assert len(check_all(setting, rea)) == len(check_all(setting, rob)) == 2
    assert setting.rows(select(table).order_by(table.c.id))[0].state == "accepted"


def test_a_returned_answer_cannot_be_skipped(tmp_path):
    setting = make_setting(tmp_path, "batch_size = 1\n[review]\nreviewers = 1\n", rows=pairs(2))
    ann, rea = setting.person("Ann"), setting.person("Rea", "reviewer")
    full_batch(setting, ann, 1)
    check_all(setting, rea, lambda check: False)
    # The next item was given out already; what came back is worked on first all the same.
    back = take(setting, ann)
    assert back["state"] == "returned"
    with pytest.raises(Refusal, match="skipped"):
        setting.write(work.skip, ann, back["id"], "skip-0001", back["version"], "")


def test_two_reviewers_at_once_never_share_a_check(tmp_path, address):
    setting = make_setting(tmp_path, "batch_size = 20\n", rows=pairs(21), address=address)
    ann = setting.person("Ann")
    full_batch(setting, ann, 20)
    reviewers = [setting.person(f"R{n}", "reviewer") for n in range(4)]
    errors, start = [], threading.Barrier(len(reviewers))

    def review(person):
        try:
            start.wait()
            check_all(setting, person)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=review, args=(person,)) for person in reviewers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for person in reviewers:
        check_all(setting, person)
    assert errors == []
    rows = setting.rows(select(checks))
    assert len(rows) == 16
    assert len({(row.assignment, row.reviewer) for row in rows}) == 16
    assert setting.rows(select(table).order_by(table.c.id))[0].state == "accepted"


def test_a_reviewer_who_went_away_is_replaced(tmp_path):
    setting = make_setting(tmp_path, "batch_size = 1\nlease_minutes = 10\n[review]\nreviewers = 1\n", rows=pairs(1))
    ann, rea, rob = setting.person("Ann"), setting.person("Rea", "reviewer"), setting.person("Rob", "reviewer")
    full_batch(setting, ann, 1)
    held = setting.write(review.next_check, rea)
    assert setting.write(review.next_check, rob) is None
    setting.clock.forward(11)
    assert setting.write(review.next_check, rob).id == held.id
    with pytest.raises(Refusal, match="no such review"):
        setting.write(review.check_answer, rea, held.id, "check-late", {"right": True, "comment": "", "answer": None})


def test_an_unfinished_batch_is_closed_when_nothing_is_left(tmp_path):
    setting = make_setting(tmp_path, "batch_size = 10\n", rows=pairs(3))
    ann = setting.person("Ann")
    full_batch(setting, ann, 3)
    batch = setting.rows(select(table))[0]
    assert (batch.state, batch.size) == ("in-review", 3)


def test_undo_takes_an_answer_out_of_a_batch_that_nobody_has_looked_at(tmp_path):
    setting = make_setting(tmp_path, "batch_size = 2\n", rows=pairs(4))
    ann, rea = setting.person("Ann"), setting.person("Rea", "reviewer")
    full_batch(setting, ann, 2)
    last = setting.rows(select(assignments).where(assignments.c.state == "submitted"))[-1]
    setting.write(work.undo, ann, last.id, "undo-0001", 1)
    assert setting.rows(select(checks)) == []
    hand_in(setting, ann, {"id": last.id, "version": 2})
    assert setting.write(review.next_check, rea) is not None
    with pytest.raises(Refusal, match="under review"):
        setting.write(work.undo, ann, last.id, "undo-0002", 3)


def test_the_sample_does_not_depend_on_when_it_is_drawn(tmp_path):
    drawn = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        setting = make_setting(folder, "batch_size = 10\n", rows=pairs(11))
        setting.clock.forward(len(drawn) * 100)
        full_batch(setting, setting.person("Ann"), 10)
        drawn.append([row.assignment for row in setting.rows(select(checks).order_by(checks.c.id))])
    assert drawn[0] == drawn[1]
