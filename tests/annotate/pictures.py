"""The pictures of `docs/annotate.md`, taken from the real pages.

`python -m tests.annotate.pictures docs/assets/annotate` needs Chromium and Pillow. Pictures are small: 1000 pixels
wide (a phone 390), few colours.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.annotate.browsing import Tab, make_tuple, place, project, tab
from tests.annotate.test_page_admin import worker
from tests.browser import chromium
from tupelo.core import Extraction

_WIDTH, _COLOURS = 1000, 96
_SENTENCES = "Mara Lind repairs old clocks in Graz.\nIvo sold the boat to Tom.\n"
_SHORT_ONES = (
    "Mara repairs old clocks.\nIvo sold the boat.\nNadia won the race.\n"
    "Rain flooded the fields.\nBakers hired three apprentices.\nLena writes long letters.\n"
)
_SETTINGS: dict[tuple[str, str], Any] = {
    ("project", "name"): "Village news",
    ("project", "batch_size"): 3,
    ("project", "overlap"): 3,
    ("review", "sample"): 1.0,
    ("review", "reviewers"): 1,
    ("controls", "share"): 0.0,
}
WHOLE = {"tuples": [{"rel": [1], "args": [[0], [2, 3]]}], "none": False}
SHORT = {"tuples": [{"rel": [1], "args": [[0]]}], "none": False}


def keep(page: Any, path: Path, height: int = 0) -> None:
    """A picture of the page, from the top, as far as there is something on it."""
    from PIL import Image

    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    size = page.viewport_size
    full = page.evaluate("document.getElementById('main').getBoundingClientRect().bottom + scrollY - 40")
    page.set_viewport_size({"width": size["width"], "height": int(min(height or 1100, max(full, 300)))})
    page.evaluate("scrollTo(0, 0)")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.set_viewport_size(size)
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def extract(texts: Any) -> list[list[Extraction]]:
    found = (("repairs", ["Mara Lind", "old clocks in Graz"]), ("is", ["Mara Lind", "clock maker"]))
    return [[Extraction.of(text, relation, arguments) for relation, arguments in found] for text in texts]


def paraphrase(page: Any) -> None:
    place(page, "text").fill("On 3 May the ferry left.")
    place(page, "kind-grammar").check()


def clique(page: Any) -> None:
    make_tuple(page, {"rel": [2], "args": [[0, 1], [3]], "time": [4, 5, 6]}, "s0")
    place(page, "next").click()


def reported(page: Any) -> None:
    make_tuple(page, {"speaker": [0, 1], "verb": [2], "rel": [6, 7], "args": [[4, 5]], "time": [8, 9]})


def judgements(page: Any) -> None:
    for key in "3s":
        page.keyboard.press(key)
    place(page, "text-0").fill("the Aldham brothers")


def candidates(page: Any) -> None:
    for key in "ynyy":
        page.keyboard.press(key)


def claims(page: Any) -> None:
    place(page, "c0-supported").check()
    place(page, "sentence-0").click()
    place(page, "c1-refuted").check()


def clusters(page: Any) -> None:
    for member in "13":
        place(page, f"member-{member}").check()


PREPARED: dict[str, Callable[[Any], Any]] = {
    "paraphrase": paraphrase,
    "clique": clique,
    "reported": reported,
    "judgements": judgements,
    "preference": lambda page: page.keyboard.press("1"),
    "candidates": candidates,
    "accuracy": lambda page: page.keyboard.press("4"),
    "claims": claims,
    "clusters": clusters,
}


def entrance(opened: Tab, out: Path) -> None:
    from tupelo.annotate.people import make_link

    _, token = make_link(opened.server.setting.desk, "annotator")
    keep(opened.open(f"/invite/{token}"), out / "invitation.png")
    page = opened.join("Bo")
    make_tuple(page, {"rel": [2], "args": [[0, 1], [4]]})
    page.click("[data-check]")
    page.wait_for_selector(".verdict .wrong")
    keep(page, out / "tutorial.png")
    visitor = opened.server.visitor()
    visitor.login("Bo")
    visitor.post("/api/tutorial", {"done": True})
    opened.open("/test")
    make_tuple(page, {"rel": [1], "args": [[0], [2, 3]]})
    keep(page, out / "test.png")


def work(opened: Tab, out: Path) -> None:
    page = opened.ready("Bo")
    place(page, "pad-dismiss-1").click()
    for slot, words in (("rel", (2,)), ("args.0", (0, 1)), ("args.1", (3, 4)), ("place", (6,))):
        place(page, f"pad-slot-{slot}").click()
        for number in words:
            place(page, f"pad-word-{number}").click()
    keep(page, out / "tuples.png")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    keep(page, out / "phone.png", 844)
    page.set_viewport_size({"width": _WIDTH, "height": 800})
    keep(page, out / "dark.png")
    page.emulate_media(color_scheme="light")
    place(page, "pad-add").click()
    opened.context.set_offline(True)
    page.click("[data-submit]")
    page.wait_for_selector("#notice.warn:visible")
    keep(page, out / "offline.png", 420)
    opened.context.set_offline(False)
    page.wait_for_selector("[data-undo-last]")
    page.keyboard.press("?")
    keep(page, out / "keys.png", 640)


def management(opened: Tab, out: Path) -> None:
    for name, answers in (("Bo", [WHOLE] * 4), ("Cy", [SHORT, WHOLE, WHOLE]), ("Dora", [WHOLE, SHORT])):
        worker(opened.server, name, *answers)
    page = opened.join("Ada", "admin")
    page.wait_for_selector("figure svg")
    keep(page, out / "dashboard.png")
    opened.open("/review")
    keep(page, out / "review.png")
    opened.open("/adjudicate")
    page.locator("tbody a").first.click()
    page.wait_for_selector("[data-decide]")
    keep(page, out / "adjudication.png")
    opened.open("/people")
    page.fill("[name=many]", "3")
    page.click("button:text-is('Invite')")
    page.wait_for_selector("[data-links] p:nth-child(3)")
    keep(page, out / "people.png", 620)
    opened.open("/export")
    keep(page, out / "export.png")


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    view = {"viewport": {"width": _WIDTH, "height": 800}}
    shown = {**_SETTINGS, ("preannotation", "share"): 1}
    with chromium() as browser, TemporaryDirectory() as folder:
        here = Path(folder)
        with project(here / "a", "tuples") as server, tab(browser, server, **view) as opened:
            entrance(opened, out)
        with (
            project(here / "b", "tuples", shown, _SENTENCES, extract) as server,
            tab(browser, server, **view) as opened,
        ):
            work(opened, out)
        with project(here / "c", "tuples", _SETTINGS, _SHORT_ONES) as server, tab(browser, server, **view) as opened:
            management(opened, out)
        for name, prepare in PREPARED.items():
            with project(here / name, name) as server, tab(browser, server, **view) as opened:
                page = opened.ready("Bo")
                prepare(page)
                keep(page, out / f"{name}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
