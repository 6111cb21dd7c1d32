"""What the work page promises: drag, keyboard alone, undo, drafts, no loss without a connection, hostile texts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.annotate.browsing import READY, finish_training, hand_in, make_tuple, place, project, tab
from tests.annotate.serving import Live
from tests.browser import expect
from tupelo.core import Extraction

pytestmark = [pytest.mark.process, pytest.mark.browser]

SENTENCES = "Mara Lind repairs old clocks in Graz.\nIvo sold the boat to Tom.\nNadia won the race.\n"
ATTACK = "<script>window.hacked=1;alert('hacked')</script>"
IMAGE = '"><img src=x onerror="window.hacked=1">'


def answers(server: Live) -> list[dict[str, Any]]:
    """What the server has kept, oldest first."""
    from sqlalchemy import select

    from tupelo.annotate.schema import records

    query = select(records.c.body_json).where(records.c.kind == "answer").order_by(records.c.id)
    return [json.loads(row.body_json) for row in server.setting.rows(query)]


def preview(page: Any) -> Any:
    return page.locator("[data-preview] output")


def test_words_are_dragged_clicked_and_previewed(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", items=SENTENCES) as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        place(page, "pad-word-2").click()
        expect(preview(page)).to_have_text("(…; repairs)")
        place(page, "pad-slot-args.0").click()
        begin, end = place(page, "pad-word-0").bounding_box(), place(page, "pad-word-1").bounding_box()
        page.mouse.move(begin["x"] + 5, begin["y"] + 5)
        page.mouse.down()
        page.mouse.move(end["x"] + 10, end["y"] + 8, steps=4)
        page.mouse.up()
        expect(preview(page)).to_have_text("(Mara Lind; repairs)")
        place(page, "pad-slot-args.1").click()
        for number in (5, 6):
            place(page, f"pad-word-{number}").click()
        expect(preview(page)).to_have_text("(Mara Lind; repairs; in Graz)")
        # A relation ends with its preposition: the page offers to move it.
        place(page, "pad-shift").click()
        expect(preview(page)).to_have_text("(Mara Lind; repairs in; Graz)")
        page.click("text=Undo")
        expect(preview(page)).to_have_text("(Mara Lind; repairs; in Graz)")
        page.click("text=Redo")
        place(page, "pad-add").click()
        expect(page.locator(".tuples li .tuple")).to_have_text("(Mara Lind; repairs in; Graz)")
        # An unfinished second tuple is not lost without a word.
        place(page, "pad-word-4").click()
        page.click("[data-submit]")
        expect(page.locator(".fault")).to_contain_text("unfinished")
        place(page, "pad-cancel").click()
        hand_in(page)
        assert answers(server)[0]["answer"]["tuples"] == [{"rel": [2, 5], "args": [[0, 1], [6]]}]


def test_the_keyboard_is_enough(browser: Any, tmp_path: Path) -> None:
    """From the invitation to a second item without touching the mouse."""
    from tupelo.annotate.people import make_link

    with project(tmp_path, "tuples", items=SENTENCES) as server, tab(browser, server) as opened:
        _, token = make_link(server.setting.desk, "annotator")
        page = opened.open(f"/invite/{token}")
        keys = page.keyboard
        for text in ("Bo", "a long password"):
            keys.type(text)
            keys.press("Tab")
        keys.press("Enter")
        page.wait_for_url("**/tutorial")
        page.wait_for_selector(READY)
        finish_training(server.setting.desk.database, "Bo")
        page.reload()
        opened.open("/work")
        for press in ["r", "ArrowRight", "ArrowRight", "Space", "s", "Home", "Shift+ArrowRight", "Space"]:
            keys.press(press)
        keys.press("o")
        for press in ["ArrowRight", "ArrowRight", "Shift+ArrowRight", "Space"]:
            keys.press(press)
        expect(preview(page)).to_have_text("(Mara Lind; repairs; old clocks)")
        keys.press("p")
        for press in ["End", "ArrowLeft", "Space"]:
            keys.press(press)
        expect(preview(page)).to_have_text("(Mara Lind; repairs; old clocks; place: Graz)")
        keys.press("Control+z")
        expect(preview(page)).to_have_text("(Mara Lind; repairs; old clocks)")
        keys.press("Control+Shift+z")
        keys.press("n")
        keys.press("?")
        expect(page.locator("dialog[open]")).to_be_visible()
        keys.press("Escape")
        keys.press("Control+Enter")
        page.wait_for_selector("[data-undo-last]")
        assert answers(server)[0]["answer"]["tuples"] == [{"rel": [2], "args": [[0, 1], [3, 4]], "place": [6]}]


def test_no_answer_and_no_draft_is_lost_without_a_connection(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", items=SENTENCES) as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        place(page, "pad-word-2").click()
        opened.context.set_offline(True)
        make_tuple(page, {"rel": [2], "args": [[0, 1], [3, 4]]})
        page.click("[data-submit]")
        page.wait_for_selector("html[data-waiting='1']")
        assert answers(server) == []
        # Even a closed page does not lose it: what was handed in lies on the device.
        page.close()
        opened.context.set_offline(False)
        page = opened.page = opened.context.new_page()
        opened.open("/work")
        page.wait_for_selector("html[data-waiting='0']")
        assert [each["answer"]["tuples"] for each in answers(server)] == [[{"rel": [2], "args": [[0, 1], [3, 4]]}]]
        # The draft of the next item survives as well, and an answer in flight comes through by itself.
        page.wait_for_selector("[data-submit]")
        if not page.locator(".sentence", has_text="Ivo").count():
            opened.open("/work")
        opened.context.set_offline(True)
        make_tuple(page, {"rel": [1], "args": [[0], [2, 3]]})
        page.wait_for_timeout(50)
        opened.context.set_offline(False)
        opened.open("/work")
        expect(page.locator(".tuples li .tuple")).to_have_text("(Ivo; sold; the boat)")
        opened.context.set_offline(True)
        page.click("[data-submit]")
        page.wait_for_selector("#notice.warn:visible")
        opened.context.set_offline(False)
        page.wait_for_selector("[data-undo-last]")
        assert len(answers(server)) == 2
        expect(page.locator("#notice")).to_be_hidden()


def test_the_last_answer_can_be_undone_and_changed(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "tuples", items=SENTENCES) as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        make_tuple(page, {"rel": [2], "args": [[0, 1]]})
        hand_in(page)
        page.click("[data-undo-last]")
        page.wait_for_selector("[data-place=pad-remove-0]")
        expect(page.locator(".tuples li .tuple")).to_have_text("(Mara Lind; repairs)")
        place(page, "pad-remove-0").click()
        place(page, "pad-none").check()
        hand_in(page)
        assert [each["answer"]["none"] for each in answers(server)] == [False, True]
        page.click("button:text-is('Skip')")
        page.locator("dialog input").fill("no idea")
        page.locator("dialog button:text-is('Skip')").click()
        page.wait_for_selector("text=Skipped.")
        page.click("a:text-is('My answers')")
        page.wait_for_selector("td:text-is('skipped')")
        expect(page.locator("td:text-is('submitted')")).to_have_count(1)


def test_suggestions_are_marked_and_count_only_when_taken_over(browser: Any, tmp_path: Path) -> None:
    def extract(texts: Any) -> list[list[Extraction]]:
        found = (("repairs", ["Mara Lind", "old clocks"]), ("is", ["Graz", "big"]))
        return [[Extraction.of(text, relation, arguments) for relation, arguments in found] for text in texts]

    with (
        project(tmp_path, "tuples", {("preannotation", "share"): 1}, SENTENCES, extract) as server,
        tab(browser, server) as opened,
    ):
        page = opened.ready("Bo")
        expect(page.locator(".offers h3 .badge")).to_have_text("machine")
        expect(page.locator(".offers li")).to_have_count(2)
        expect(page.locator(".offers li").nth(1)).to_contain_text("not in this sentence")
        page.click("[data-submit]")
        expect(page.locator(".fault")).to_contain_text("There is no tuple")
        place(page, "pad-take-0").click()
        place(page, "pad-dismiss-0").click()
        expect(page.locator(".offers")).to_have_count(0)
        hand_in(page)
        assert answers(server)[0]["answer"]["tuples"] == [{"rel": [2], "args": [[0, 1], [3, 4]], "suggested": True}]


def test_a_missed_control_sends_back_without_saying_which(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "candidates") as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        count = page.locator(".candidates li").count()
        for _ in range(count):
            page.keyboard.press("y")
        page.click("[data-submit]")
        expect(page.locator(".fault")).to_contain_text("go through all of them again")
        expect(page.locator(".fault")).not_to_contain_text("bell")
        assert answers(server) == []
        page.locator(".candidates li", has_text="bicycle bell").locator("input[value=no]").check()
        hand_in(page)
        assert len(answers(server)) == 1


def test_tuples_of_the_first_sentence_are_carried_over(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "clique") as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        make_tuple(page, {"rel": [2], "args": [[0, 1], [3]], "time": [4, 5, 6]}, "s0")
        place(page, "next").click()
        expect(page.locator(".offers .badge")).to_have_text("carried over")
        expect(page.locator(".offers .tuple")).to_have_text("(the ferry; left; Bergen; On 3 May)")
        expect(page.locator(".offers li")).to_contain_text("not in this sentence")
        place(page, "s1-amend-0").click()
        place(page, "s1-empty-rel").click()
        for number in (6, 7):
            place(page, f"s1-word-{number}").click()
        place(page, "s1-add").click()
        place(page, "next").click()
        place(page, "s2-take-0").click()
        hand_in(page)
        made = answers(server)[0]["answer"]["sentences"]
        assert made[1]["tuples"][0]["rel"] == [6, 7]
        assert "suggested" not in made[1]["tuples"][0], "a person made it, for another sentence"
        assert all(isinstance(piece, int) for piece in made[2]["tuples"][0]["rel"])


def test_corrections_are_shown_as_a_diff_and_lost_content_is_noticed(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "paraphrase") as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        place(page, "text").fill("On 3 May the ferry left.")
        expect(page.locator(".diff del")).to_have_text(["from Bergen", "leaved"])
        expect(page.locator(".diff ins")).to_have_text(["left"])
        expect(page.locator(".report .advice")).to_contain_text("Bergen")
        expect(page.locator("mark")).to_have_text("Bergen")
        place(page, "kind-grammar").check()
        page.click("[data-submit]")
        expect(page.locator(".fault")).to_contain_text("Words of the original are gone")
        place(page, "text").fill("The ferry left Bergen on 3 May.")
        expect(page.locator(".report .advice")).to_contain_text("words of the original")
        place(page, "text").fill("On 3 May the ferry left Bergen.")
        expect(page.locator(".advice")).to_have_count(0)
        hand_in(page)
        assert answers(server)[0]["answer"]["kinds"] == ["grammar"]


def test_clusters_are_merged_moved_and_renamed(browser: Any, tmp_path: Path) -> None:
    with project(tmp_path, "clusters") as server, tab(browser, server) as opened:
        page = opened.ready("Bo")
        place(page, "member-1").check()
        place(page, "member-3").check()
        page.keyboard.press("m")
        place(page, "member-5").check()
        place(page, "split").click()
        place(page, "name-2").fill("the city of Odense")
        place(page, "member-2").check()
        place(page, "here-2").click()
        page.click("text=Undo")
        place(page, "none").click()
        hand_in(page)
        made = answers(server)[0]["answer"]["clusters"]
        assert [(each["name"], each["members"]) for each in made] == [
            ("Petra Holm", ["1", "2", "3"]),
            ("Vejle observatory", ["4"]),
            ("the city of Odense", ["5"]),
        ]


HOSTILE: dict[str, str] = {
    "tuples": f"{ATTACK} {IMAGE} $&{{7*7}}\n",
    "paraphrase": json.dumps({"original": f"{ATTACK} said Bo", "paraphrase": f"Bo said {IMAGE}"}),
    "preference": json.dumps({"text": ATTACK, "systems": {"a": [[IMAGE, ATTACK, "x"]], "b": []}}),
    "candidates": json.dumps({"question": ATTACK, "candidates": [{"text": IMAGE, "assertion": ATTACK}]}),
    "accuracy": json.dumps({"source": ATTACK, "generated": IMAGE}),
    "claims": json.dumps({"source": f"{ATTACK}. {IMAGE}", "claims": [ATTACK, IMAGE]}),
    "clusters": json.dumps({"clusters": [{"name": IMAGE, "members": [{"id": "a]\"'", "text": ATTACK}]}]}),
}


@pytest.mark.parametrize("task", sorted(HOSTILE))
def test_hostile_texts_stay_texts(task: str, browser: Any, tmp_path: Path) -> None:
    with (
        project(tmp_path, task, {("project", "name"): ATTACK}, HOSTILE[task]) as server,
        tab(browser, server) as opened,
    ):
        page = opened.ready(f"Eve {IMAGE}")
        expect(page.locator("#top .project")).to_contain_text(ATTACK)
        shown = page.locator("#main").inner_text()
        assert ("hacked=1" in shown) or page.locator("input[value*='hacked=1']").count()
        if task == "clusters":
            page.locator("input[type=checkbox]").first.check()
            place(page, "none").click()
        assert page.evaluate("window.hacked") is None
        expect(page.locator("#main script, #main img")).to_have_count(0)


def test_readers_and_phones(browser: Any, tmp_path: Path) -> None:
    """Every control has a name, nothing is wider than a phone, targets are big enough for a finger."""
    for task in ("tuples", "candidates", "clusters"):
        with (
            project(tmp_path / task, task) as server,
            tab(
                browser, server, viewport={"width": 360, "height": 700}, has_touch=True, color_scheme="dark"
            ) as opened,
        ):
            page = opened.ready("Bo")
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            nameless = page.evaluate(
                """[...document.querySelectorAll('button, input, select, textarea, a[href]')].filter(node =>
                !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.[0]?.textContent.trim()))
                .map(node => node.outerHTML)"""
            )
            assert nameless == []
            small = page.evaluate(
                """[...document.querySelectorAll('main button')].map(node => [node.offsetHeight, node.outerHTML])
                .filter(([height]) => height && height < 24)"""
            )
            assert small == []
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 22, 28)"
            if task == "tuples":
                place(page, "pad-word-1").tap()
                expect(preview(page)).to_have_text(re.compile(r"^\(…; \w+\)"))
