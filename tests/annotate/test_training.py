"""Tutorial, test and controls: only those who pass go on, and the careless come back."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.annotate.serving import make_setting, pairs
from tests.annotate.test_queue import hand_in, take
from tupelo.annotate import training, work
from tupelo.annotate.schema import people, records
from tupelo.core import InputError
from tupelo.web.guard import Refusal

GOOD = {"t1": {"score": 5}, "t2": {"score": 1}}
BAD = {"t1": {"score": 1}, "t2": {"score": 5}}


def state(setting, person):
    return setting.rows(select(people.c.state).where(people.c.id == person.id))[0].state


def test_only_who_passes_goes_on(tmp_path, address):
    setting = make_setting(tmp_path, rows=pairs(1), trained=True, address=address)
    ann = setting.person("Ann", state="qualification")
    first = setting.write(training.take_test, ann, "try-00001", BAD)
    assert (first["passed"], first["attempts_left"], first["score"]) == (False, 1, 0.0)
    assert "gold" not in first["items"]["t1"]
    # The same request again is no second try.
    assert setting.write(training.take_test, ann, "try-00001", BAD)["attempts_left"] == 1
    with pytest.raises(Refusal, match="tutorial and the test"):
        take(setting, ann)
    second = setting.write(training.take_test, ann, "try-00002", GOOD)
    assert second["passed"]
    assert second["items"]["t1"]["gold"]["score"] == 5
    assert take(setting, ann)["item"] == "p0"


def test_whoever_fails_too_often_is_out(tmp_path):
    setting = make_setting(tmp_path, rows=pairs(1), trained=True)
    ann = setting.person("Ann", state="qualification")
    for number in range(2):
        setting.write(training.take_test, ann, f"try-0000{number}", {})
    assert state(setting, ann) == "failed"
    with pytest.raises(Refusal, match="not open"):
        setting.write(training.take_test, ann, "try-00009", GOOD)


def test_what_is_not_in_the_test_cannot_be_answered(tmp_path):
    setting = make_setting(tmp_path, trained=True)
    ann = setting.person("Ann", state="qualification")
    with pytest.raises(Refusal, match="not in the test"):
        setting.write(training.take_test, ann, "try-00001", {"t9": {"score": 1}})


def test_a_test_without_a_right_answer_stops_the_start(tmp_path):
    setting = make_setting(tmp_path, trained=True)
    tmp_path.joinpath("test.jsonl").write_text('{"id": "t1", "source": "A.", "generated": "B."}\n')
    with pytest.raises(InputError, match="'t1' without an answer"):
        training.test_items(setting.desk)
    tmp_path.joinpath("test.jsonl").write_text(
        '{"id": "t1", "source": "A.", "generated": "B.", "answer": {"score": 9}}\n'
    )
    with pytest.raises(InputError, match="the answer of 't1'"):
        training.test_items(setting.desk)


def test_a_qualification_for_tuples_is_graded_with_carb(tmp_path):
    tmp_path.joinpath("test.jsonl").write_text(
        '{"id": "t1", "text": "Ann met old Bob.", "answer": {"tuples": [["Ann", "met", "old Bob"]]}}\n'
    )
    setting = make_setting(tmp_path, '[qualification]\nfile = "test.jsonl"\npass_mark = 0.9\n', task="tuples")
    ann, bob = setting.person("Ann", state="qualification"), setting.person("Bob", state="qualification")
    short = {"t1": {"tuples": [{"rel": [1], "args": [[0], [3]]}], "none": False}}
    whole = {"t1": {"tuples": [{"rel": [1], "args": [[0], [2, 3]]}], "none": False}}
    graded = setting.write(training.take_test, ann, "try-00001", short)
    # Three of four words of the gold tuple are found and none is wrong: precision 1, recall 3/4.
    assert graded["score"] == pytest.approx(2 * (3 / 4) / (1 + 3 / 4))
    assert not graded["passed"]
    assert setting.write(training.take_test, bob, "try-00001", whole)["score"] == 1.0


def controls(tmp_path, **more):
    rows = [{**row, "id": f"c{n}", "answer": {"score": 5}, "control": True} for n, row in enumerate(pairs(3))]
    toml = "overlap = 1\n[controls]\nshare = 1.0\nmisses = 2\n"
    return make_setting(tmp_path, toml, rows=[*pairs(4), *rows], trained=True, **more)


def test_missed_controls_send_back_to_training(tmp_path, address):
    setting = controls(tmp_path, address=address)
    ann = setting.person("Ann")
    first = take(setting, ann)
    assert first["item"].startswith("c")
    assert set(first) == {
        "id",
        "item",
        "state",
        "version",
        "content",
        "answer",
        "draft",
        "draft_number",
        "suggestion",
        "lease_until",
        "comment",
        "batch",
    }
    following = hand_in(setting, ann, first, {"score": 1})["next"]
    assert state(setting, ann) == "working"
    reply = hand_in(setting, ann, following, {"score": 1})
    assert reply["next"] is None
    assert state(setting, ann) == "training"
    with pytest.raises(Refusal, match="tutorial and the test"):
        take(setting, ann)
    kinds = [row.kind for row in setting.rows(select(records).order_by(records.c.id))]
    assert kinds[-1] == "sent-back"


def test_a_control_that_is_passed_in_between_forgives(tmp_path):
    setting = controls(tmp_path)
    ann = setting.person("Ann")
    assignment = take(setting, ann)
    for score in (1, 5, 1):
        assignment = hand_in(setting, ann, assignment, {"score": score})["next"]
    assert state(setting, ann) == "working"
    assert assignment["item"] == "p0"


def test_controls_never_count_as_answers(tmp_path):
    from tupelo.annotate.items import counted_rows

    setting = controls(tmp_path)
    ann = setting.person("Ann")
    hand_in(setting, ann, take(setting, ann), {"score": 5})
    assert setting.desk.database.read(counted_rows) == []


def test_a_missed_control_inside_an_item_is_asked_again(tmp_path):
    row = {
        "id": "q1",
        "question": "What causes rain?",
        "candidates": ["clouds", "moods"],
        "controls": [{"text": "water vapour", "answer": "yes"}, {"text": "spoons", "answer": "no"}],
    }
    setting = make_setting(tmp_path, task="candidates", rows=[row])
    ann = setting.person("Ann")
    first = take(setting, ann)
    shown = [candidate["id"] for candidate in first["content"]["candidates"]]
    with pytest.raises(Refusal) as refusal:
        hand_in(setting, ann, first, {"labels": dict.fromkeys(shown, "yes")})
    assert refusal.value.code == "look-again"
    assert refusal.value.detail == {"missed": 1}
    assert [row.kind for row in setting.rows(select(records).where(records.c.person == ann.id))] == ["look-again"]
    assert setting.write(work.next_for, ann)["assignment"]["id"] == first["id"]
