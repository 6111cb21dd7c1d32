"""Data, erasure, tokens and the audit log in a real browser, and the pages of a server with several projects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.annotate.browsing import READY, Tab, place, project, tab
from tests.annotate.serving import PASSWORD, Visitor
from tests.annotate.test_page_admin import FAST, SENTENCES, WHOLE, worker
from tests.annotate.test_several import several
from tests.browser import expect
from tupelo.annotate.people import make_link

pytestmark = [pytest.mark.process, pytest.mark.browser]

SCRIPT = '<img src=x onerror="document.title=1">'


def test_an_admin_downloads_erases_and_reads_about_it(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", FAST, SENTENCES) as server, tab(browser, server) as opened:
        worker(server, SCRIPT, WHOLE)
        page = opened.join("Ada", "admin")
        page.wait_for_selector("figure svg")
        page.click("a:text-is('People')")
        with page.expect_download() as waiting:
            page.locator("[aria-label^='Data on <img']").click()
        data = json.loads(Path(waiting.value.path()).read_text("utf-8"))
        assert (data["person"]["name"], len(data["assignments"])) == (SCRIPT, 2)
        # The last admin has no button for themselves.
        expect(page.locator("button:text-is('Erase…')")).to_have_count(1)
        page.click("button:text-is('Erase…')")
        page.click("dialog button:text-is('Cancel')")
        expect(page.locator("dialog")).to_have_count(0)
        page.click("button:text-is('Erase…')")
        page.fill("[name=confirm]", "somebody else")
        page.click("button:text-is('Erase for ever')")
        page.wait_for_selector("dialog .fault:visible")
        page.fill("[name=confirm]", SCRIPT)
        page.keyboard.press("Enter")
        page.wait_for_selector("#notice:has-text('erased-1')")
        expect(page.locator("main")).not_to_contain_text("img src")
        page.locator("#top nav").get_by_text("Audit", exact=True).click()
        page.wait_for_selector("h1:text-is('Audit log')")
        first = page.locator("tbody tr").first.locator("td:nth-child(n + 2)")
        expect(first).to_have_text(["Ada", "erased", "erased-1", "records: 0"])


def test_an_admin_makes_and_revokes_a_token(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "accuracy") as server, tab(browser, server) as opened:
        page = opened.join("Ada", "admin")
        page.wait_for_selector("figure svg")
        page.locator("#top nav").get_by_text("Tokens", exact=True).click()
        page.fill("[name=label]", SCRIPT)
        page.check("[name=export]")
        page.click("button:text-is('Make a token')")
        token = page.locator("[data-made] input").input_value()
        program = Visitor(server.port)
        bearer = {"Authorization": f"Bearer {token}"}
        assert program.send("GET", "/api/export", headers=bearer).status == 200
        row = page.locator("tbody tr").first.locator("td:nth-child(-n + 4)")
        expect(row).to_have_text([SCRIPT, f"{token[:10]}…", "Ada", "read, export"])
        page.click("button:text-is('Revoke')")
        page.wait_for_selector("td:text-is('revoked')")
        assert program.send("GET", "/api/export", headers=bearer).status == 401
        # The token is nowhere on the page any more.
        assert token not in page.content()


def test_everybody_downloads_their_own_data(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "accuracy") as server, tab(browser, server) as opened:
        page = opened.join("Bo")
        page.click("a[href='/account']")
        with page.expect_download() as waiting:
            page.click("[data-own]")
        assert json.loads(Path(waiting.value.path()).read_text("utf-8"))["person"]["name"] == "Bo"


def test_two_projects_in_one_browser_do_not_mix(browser: Any, tmp_path: Path) -> None:
    with several(tmp_path, "birds", "boats") as (birds, boats), tab(browser, birds) as opened:
        page = opened.open("/")
        expect(page.locator("main")).to_contain_text("not signed in to any")
        for server in (birds, boats):
            join(opened, server, "Bo")
            assert page.url.endswith(f"{server.base}/work")
            place(page, "score-5").check()
            page.click("[data-submit]")
            page.wait_for_selector("[data-undo-last]")
        opened.open("/")
        expect(page.locator("li a")).to_have_text(["BIRDS", "BOATS"])
        page.click("li a:text-is('BIRDS')")
        page.wait_for_url("**/birds/work")
        page.wait_for_selector(READY)
        # Links, the address and going back stay inside the project.
        page.click("a:text-is('My answers')")
        page.wait_for_url("**/birds/done")
        page.wait_for_selector("tbody tr")
        page.locator("tbody a").first.click()
        page.wait_for_url("**/birds/work/*")
        page.go_back()
        page.wait_for_url("**/birds/done")
        page.reload()
        page.wait_for_selector(READY)
        # What the device keeps is kept apart: both have a person and an assignment number 1.
        page.click("a:text-is('Work')")
        place(page, "score-2").check()
        page.wait_for_selector("html[data-draft]", state="attached")
        keys = page.evaluate("() => Object.keys(localStorage)")
        assert [key for key in keys if key.startswith("tupelo.draft")]
        assert all("/birds" in key for key in keys if key.startswith("tupelo.draft"))
        page.locator("#top button:text-is('Sign out')").click()
        page.wait_for_url("**/birds/login")
        page.wait_for_selector(READY)
        page.fill("[name=name]", "Bo")
        page.fill("[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/birds/work")
        page.click("a:text-is('Projects')")
        page.wait_for_selector("li a:text-is('BOATS')")


def join(opened: Tab, server: Any, name: str) -> None:
    _, token = make_link(server.setting.desk, "annotator")
    page = opened.open(f"{server.base}/invite/{token}")
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url("**/work")
    page.wait_for_selector(READY)
