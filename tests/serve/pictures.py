"""The pictures of `docs/serve.md`, taken from the real page.

`python -m tests.serve.pictures docs/assets/serve` needs Chromium and Pillow. Pictures are small: few colours.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.browser import chromium
from tests.graph.small import write_graph
from tests.serve.serving import live
from tupelo.api.graph import Graph
from tupelo.api.text import load
from tupelo.io.examples import GOLD, SYSTEMS, example_files
from tupelo.serve.service import Service

_SIZE, _COLOURS = {"width": 1180, "height": 800}, 64
_READY = "html[data-ready=yes]"


def keep(page: Any, path: Path) -> None:
    from PIL import Image

    page.wait_for_selector(_READY)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def take(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        Graph.open(write_graph(Path(place) / "harbour.duckdb")) as graph,
        load() as toolkit,
        Service(toolkit, graph) as service,
        live(service) as server,
        chromium() as browser,
    ):
        page = browser.new_context(viewport=_SIZE, reduced_motion="reduce").new_page()
        page.goto(server.address)
        page.wait_for_selector(_READY)
        page.fill("#knowledge", "lindvik")
        page.press("#knowledge", "Enter")
        page.click("button.name:text-is('Lindvik Shipping')")
        page.locator("blockquote").last.scroll_into_view_if_needed()
        keep(page, folder / "knowledge.png")
        page.click("#tab-tuples")
        page.click("text=A news item")
        page.wait_for_selector(".tuple")
        page.locator(".tuple").nth(1).hover()
        keep(page, folder / "tuples.png")
        for tab in ("parse", "entities", "graph"):
            page.click(f"#tab-{tab}")
            if tab == "graph":
                page.wait_for_selector(".graph[data-still=yes]")
            keep(page, folder / f"{tab}.png")
        page.click("#tab-scores")
        with example_files(GOLD, *SYSTEMS) as (gold, *systems):
            page.get_by_label("Gold file").set_input_files(gold)
            page.get_by_label("Outputs of systems").set_input_files(systems)
            page.click("#panel-scores button")
            page.wait_for_selector("h2:text-is('Do they differ?')")
        page.locator("figure").scroll_into_view_if_needed()
        keep(page, folder / "scores.png")
        dark = browser.new_context(viewport=_SIZE, color_scheme="dark").new_page()
        dark.goto(server.address)
        dark.wait_for_selector(_READY)
        dark.click("#tab-tuples")
        dark.click("text=A checked answer")
        dark.wait_for_selector(".claims")
        dark.locator(".claims button").last.scroll_into_view_if_needed()
        dark.locator(".claims button").first.hover()
        keep(dark, folder / "check.png")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
