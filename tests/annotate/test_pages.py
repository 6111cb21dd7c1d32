"""Each task in a real browser, from invitation over tutorial, test and work to the exported file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.annotate.browsing import DO, Tab, hand_in, project, tab
from tests.annotate.serving import Live
from tests.api.test_annotation import Moods
from tests.browser import expect
from tupelo.annotate import training
from tupelo.annotate.tasks import TASKS

pytestmark = [pytest.mark.process, pytest.mark.browser]

# What a person answers to the first item of each worked example.
FIRST: dict[str, dict[str, Any]] = {
    "reported": {
        "tuples": [{"speaker": "The mayor", "verb": "said", "rel": "would reopen", "args": ["the bridge", "June"]}]
    },
    "judgements": {
        "label": "wrong",
        "part": "several",
        "corrected": {"tuple": ["the Aldham brothers", "owned", "the quarry", "also"], "marks": ["not", "possible"]},
    },
    "paraphrase": {"verdict": "corrected", "text": "On 3 May the ferry departed from Bergen.", "kinds": ["grammar"]},
    "clique": {
        "sentences": [
            {"tuples": [["The ferry", "left", "Bergen"]]},
            {"tuples": [["the ferry", "departed from", "Bergen"]]},
            {"tuples": [["the ferry", "left", "Bergen"]]},
        ]
    },
    "preference": {"system": "eager"},
    "candidates": {"labels": {"clothing": "yes", "sunscreen": "yes", "a beach": "no", "shade": "unclear"}},
    "accuracy": {"score": 5},
    "claims": {"labels": ["supported", "refuted", "unverifiable", "supported"]},
    "clusters": {
        "clusters": [
            {"name": "Petra Holm", "members": ["1", "2", "3"]},
            {"name": "Vejle observatory", "members": ["4"]},
            {"name": "Odense", "members": ["5"]},
        ]
    },
}


def learn(opened: Tab, task: str) -> Any:
    """Practise every step with its key, then take the test with the keys."""
    page, desk = opened.page, opened.server.setting.desk
    page.wait_for_url("**/tutorial")
    for step, item in training.steps(desk):
        page.wait_for_selector(f"h1:text-is('{step['title']}')")
        if item is not None:
            DO[task](page, item.content, item.gold or {})
            page.click("[data-check]")
            expect(page.locator(".verdict .right")).to_have_text("Right (100 %).")
            expect(page.locator(".verdict > p").last).to_have_text(step["explanation"])
        page.click("[data-next]")
    page.wait_for_url("**/test")
    for number, item in enumerate(training.test_items(desk), start=1):
        page.wait_for_selector(f"h1:has-text('question {number} of')")
        DO[task](page, item.content, item.gold or {})
        page.click("[data-next]")
    page.wait_for_selector("h1:text-is('Passed')")
    page.click("button:text-is('Start working')")
    page.wait_for_selector("[data-submit]")
    return page


def first_answer(server: Live, task: str) -> tuple[Any, dict[str, Any]]:
    from sqlalchemy import select

    from tupelo.annotate.items import item_of
    from tupelo.annotate.schema import items

    row = server.setting.rows(select(items).order_by(items.c.id).limit(1))[0]
    item = item_of(row)
    return item, TASKS.get(task).validate(item, FIRST[task], "")


def walk(browser: Any, server: Live, task: str) -> None:
    with tab(browser, server) as opened:
        opened.join("Bo")
        page = learn(opened, task)
        item, answer = first_answer(server, task)
        DO[task](page, item.content, answer)
        hand_in(page)
        admin = server.enter("Ada", "admin")
        lines = [json.loads(line) for line in admin.get("/api/export?format=jsonl&what=records").data.splitlines()]
        kept = [line for line in lines if line.get("kind") == "answer"]
        assert len(kept) == 1
        exported = admin.get("/api/export?format=jsonl&what=answers&names=true")
        assert exported.status == 200
        text = exported.data.decode()
        made = TASKS.get(task).export(item, answer)
        wanted = [str(made[0].rel), str(made[0].arg1)] if TASKS.get(task).writes == "tuples" else [str(made[0]["id"])]
        assert all(word in text for word in wanted), text


# That of tuples is in `test_newcomer.py`.
@pytest.mark.parametrize("task", sorted({*TASKS} - {"tuples"}))
def test_from_invitation_to_export(task: str, browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, task) as server:
        walk(browser, server, task)


def test_a_task_without_a_page_is_answered_as_json(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TASKS._registered, "test-moods", Moods())
    rows = '{"id": "a", "text": "Hooray."}\n'
    with project(tmp_path, "test-moods", items=rows) as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        page.wait_for_selector("textarea")
        expect(page.locator("pre")).to_contain_text('"text": "Hooray."')
        page.fill("textarea", '{"happy": true}')
        hand_in(page)
        admin = server.enter("Ada", "admin")
        exported = json.loads(admin.get("/api/export?format=jsonl&what=answers").data)
        assert (exported["id"], exported["happy"]) == ("a", True)
