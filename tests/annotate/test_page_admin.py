"""The pages of reviewers and admins in a real browser: review, adjudication, dashboard, people, items, export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.annotate.browsing import READY, finish_training, make_tuple, place, project, tab
from tests.annotate.serving import PASSWORD, Live
from tests.browser import expect, faults

pytestmark = [pytest.mark.process, pytest.mark.browser]

SENTENCES = "Ann met Bob.\nIvo sold boats.\n"
FAST: dict[tuple[str, str], Any] = {
    ("project", "batch_size"): 2,
    ("project", "overlap"): 2,
    ("review", "sample"): 1.0,
    ("review", "reviewers"): 1,
    ("controls", "share"): 0.0,
}
WHOLE = {"tuples": [{"rel": [1], "args": [[0], [2]]}], "none": False}
HALF = {"tuples": [{"rel": [1], "args": [[0]]}], "none": False}


def worker(server: Live, name: str, *given: dict[str, Any]) -> Any:
    """Somebody who hands in these answers, over HTTP."""
    visitor = server.enter(name)
    finish_training(server.setting.desk.database, name)
    for answer in given:
        assignment = visitor.post("/api/assignments").body["assignment"]
        assert visitor.hand_in(assignment, answer, seconds=12.5).status == 200
    return visitor


def test_a_reviewer_checks_corrects_and_sends_back(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        zoe = worker(server, "Zoe", WHOLE, HALF)
        page = opened.join("Rita", "reviewer")
        page.wait_for_url("**/review")
        page.wait_for_selector("h1:text-is('Is this right?')")
        assert "Zoe" not in page.locator("body").inner_text()
        # A verdict of wrong needs a reason or a correction.
        for _ in range(2):
            now = page.locator("html").get_attribute("data-review")
            page.wait_for_selector(".shown .part")
            if page.locator(".shown .part").count() == 3:
                page.keyboard.press("y")
            else:
                page.click("[data-wrong]")
                expect(page.locator(".fault")).to_contain_text("Say what is wrong")
                page.locator("textarea").fill("The object is missing.")
                page.click("[data-wrong]")
            page.wait_for_selector(f"html:not([data-review='{now}'])")
        page.wait_for_selector("h1:text-is('Nothing to review')")
        expect(page.locator("td:text-is('returned')")).to_have_count(1)
        # The whole batch comes back to its author, who sees what was wrong.
        own = zoe.get("/api/assignments").body["assignments"]
        back = [zoe.get(f"/api/assignments/{each['id']}").body for each in own]
        assert {each["state"] for each in back} == {"returned"}
        assert {each["comment"] for each in back} == {None, "The object is missing."}


def test_disagreement_is_decided_once(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        worker(server, "Bo", WHOLE, WHOLE)
        worker(server, "Cy", HALF, WHOLE)
        page = opened.join("Rita", "reviewer")
        page.click("a:text-is('Adjudication')")
        page.wait_for_selector("tbody tr")
        page.locator("tbody a").first.click()
        page.wait_for_selector("[data-decide]")
        expect(page.locator(".answers > section")).to_have_count(2)
        page.click("[data-start=B]")
        # Another reviewer is quicker.
        quick = server.enter("Quinn", "reviewer")
        item = quick.get("/api/adjudications").body["queue"][0]["item"]
        about = quick.get(f"/api/adjudications/{item}").body
        body = {"client_id": "the-quick-one", "version": about["version"], "answer": WHOLE, "comment": ""}
        assert quick.post(f"/api/adjudications/{item}", body).status == 200
        page.click("[data-decide]")
        page.wait_for_selector(".fault:visible")
        expect(page.locator(".fault")).to_contain_text("Another reviewer")
        page.click("text=See that decision")
        page.wait_for_selector(".decision")
        page.click("[data-decide]")
        page.wait_for_url("**/adjudicate")
        page.wait_for_selector("td:text-is('yes')")


def test_an_admin_invites_imports_watches_and_exports(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        worker(server, "Bo", WHOLE, WHOLE)
        worker(server, "Cy", HALF, WHOLE)
        page = opened.join("Ada", "admin")
        page.wait_for_url("**/dashboard")
        page.wait_for_selector("figure svg")
        expect(page.locator(".tiles")).to_contain_text("4of 4 wanted")
        expect(page.locator("figure svg .bar").nth(1)).to_be_attached()
        expect(page.locator("caption:text-is('People')")).to_have_count(1)
        page.click("a:text-is('People')")
        page.wait_for_selector("form")
        page.fill("[name=many]", "3")
        page.click("button:text-is('Invite')")
        page.wait_for_selector("[data-links] p:nth-child(3)")
        links = page.locator("[data-links] input").evaluate_all("nodes => nodes.map(node => node.value)")
        assert len(set(links)) == 3
        assert all("/invite/" in link for link in links)
        page.locator("[aria-label='Lock out Cy']").click()
        page.wait_for_selector("[aria-label='Let in Cy']")
        page.click("a:text-is('Items')")
        page.wait_for_selector("tbody tr")
        page.set_input_files(
            "[type=file]", {"name": "more.txt", "mimeType": "text/plain", "buffer": b"Nadia won.\nTom lost.\n"}
        )
        page.click("button:text-is('Import')")
        page.wait_for_selector("#notice:has-text('2 items added')")
        page.locator("tbody a", has_text="Ann met Bob").click()
        page.wait_for_selector("caption:text-is('History')")
        expect(page.locator(".answers > section")).to_have_count(2)
        page.click("a:text-is('Export')")
        page.wait_for_selector("[data-export]")
        page.select_option("[name=format]", "tab")
        with page.expect_download() as waiting:
            page.click("[data-export]")
        text = Path(waiting.value.path()).read_text("utf-8")
        assert "Ann met Bob.\t" in text
        assert "met\tAnn\tBob" in text
        page.click("a[href='/account']")
        page.fill("[name=old]", PASSWORD)
        page.fill("[name=new]", "another password")
        page.click("button:text-is('Change')")
        page.wait_for_selector("#notice:has-text('Password changed')")
        page.locator("#top button:text-is('Sign out')").click()
        page.wait_for_url("**/login")
        page.wait_for_selector(READY)
        page.fill("[name=name]", "Ada")
        page.fill("[name=password]", "wrong password")
        page.keyboard.press("Enter")
        page.wait_for_selector(".fault:visible")
        page.fill("[name=password]", "another password")
        page.keyboard.press("Enter")
        page.wait_for_url("**/dashboard")


def test_a_slow_page_does_not_replace_the_one_after_it(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        page = opened.ready("Ada", "admin")
        waiting: list[Any] = []
        page.route("**/api/dashboard", lambda route: waiting.append(route))
        page.click("button:text-is('Refresh')")
        page.locator("#top nav").get_by_text("People", exact=True).click()
        page.wait_for_selector("[name=many]")
        assert len(waiting) == 1
        with page.expect_response("**/api/dashboard"):
            waiting[0].continue_()
        page.fill("[name=many]", "2")
        expect(page.locator("h1")).to_have_text("People")


def test_a_slow_start_does_not_lead_away_from_the_page_after_it(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        page = opened.ready("Ada", "admin")
        waiting: list[Any] = []
        page.route("**/static/page-work.js", lambda route: waiting.append(route))
        page.goto(f"http://127.0.0.1:{server.port}/", wait_until="commit")
        page.locator("#top nav").get_by_text("People", exact=True).click()
        page.wait_for_selector("[name=many]")
        assert len(waiting) == 1
        with page.expect_response("**/static/page-work.js"):
            waiting[0].continue_()
        page.evaluate("() => import('/static/page-work.js').then(() => new Promise(requestAnimationFrame))")
        assert page.url.endswith("/people")
        expect(page.locator("h1")).to_have_text("People")


def test_nobody_sees_pages_of_another_role(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        page = opened.open("/people")
        assert page.url.endswith("/login?to=/people")
        opened.ready("Bo")
        opened.open("/people")
        expect(page.locator("h1")).to_have_text("Not for you")
        expect(page.locator("#top nav a")).to_have_text(["Work", "My answers"])
        opened.open("/login?to=//evil.example/x")
        page.fill("[name=name]", "Bo")
        page.fill("[name=password]", PASSWORD)
        page.click("button[type=submit]")
        page.wait_for_url(f"http://127.0.0.1:{server.port}/work")


def test_a_page_for_each_sentence_of_the_dashboard_without_answers(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "accuracy") as server, tab(browser, server) as opened:
        page = opened.join("Ada", "admin")
        page.wait_for_selector("figure svg")
        for name in ("Review", "Adjudication", "Export", "Items", "People", "Work"):
            page.locator("#top nav").get_by_text(name, exact=True).click()
            page.wait_for_selector(f"#top nav a[aria-current]:text-is('{name}')")
            page.wait_for_selector(READY)
        place(page, "score-5").check()


def test_a_correction_of_the_reviewer_is_kept(browser: Any, tmp_path: Path) -> None:
    from sqlalchemy import select

    from tupelo.annotate.schema import records

    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        worker(server, "Bo", HALF, HALF)
        page = opened.join("Rita", "reviewer")
        page.wait_for_selector("[data-correct]")
        page.keyboard.press("c")
        place(page, "pad-remove-0").click()
        make_tuple(page, WHOLE["tuples"][0])
        page.click("[data-wrong]")
        page.wait_for_selector("[data-correct]:visible")
        kinds = server.setting.rows(select(records.c.kind, records.c.body_json).where(records.c.kind == "review"))
        assert json.loads(kinds[0].body_json)["answer"]["tuples"] == WHOLE["tuples"]


def test_parts_in_the_browser_read_as_on_the_server(browser: Any, tmp_path: Path) -> None:
    """`parts.js` mirrors `words.py`: the same words, the same wordings, the same carrying over."""
    from random import Random

    from tupelo.annotate.tasks.words import find_part, part_text, show_words, words_of

    random = Random(5)
    bits = ["Ann", "Ann's", "U.S.", "well-known", "3.5", "(", ")", ",", "the", "boat", "Tom", "𝔄b", "é", "sold", '"']

    def text() -> str:
        return "".join(
            random.choice(bits) + random.choice(["", " ", " "]) for _ in range(random.randint(1, 9))
        ).strip()

    cases = [(text(), text()) for _ in range(150)]
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        page = opened.open("/login")
        asked = [[show_words(sentence), wording] for sentence, wording in cases]
        told = page.evaluate(
            """async cases => { const { findPart, partText } = await import('/static/parts.js');
            const both = (words, part) => [part, partText(words, part)];
            return cases.map(([words, wording]) => both(words, findPart(words, wording))); }""",
            asked,
        )
    for (sentence, wording), (part, wrote) in zip(cases, told, strict=True):
        words = words_of(sentence)
        assert part == find_part(sentence, words, wording), (sentence, wording)
        assert wrote == part_text(sentence, words, part)


def test_labels_contrast_and_headings_hold_on_every_page(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples") as server:
        with tab(browser, server) as opened:
            opened.open("/login")
            assert faults(opened.page) == []
        with tab(browser, server) as opened:
            page = opened.ready("Bo", "admin")
            for path in ("/dashboard", "/people", "/items", "/export", "/tokens", "/audit", "/review", "/account"):
                opened.open(path)
                assert faults(page) == [], path
        with tab(browser, server) as opened:
            assert faults(opened.ready("Cy")) == []
