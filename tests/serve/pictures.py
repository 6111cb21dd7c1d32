"""The pictures of `docs/serve.md`, taken from the real page.

`python -m tests.serve.pictures docs/assets/serve` needs Chromium and Pillow. Pictures are small: few colours.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from tests.browser import chromium
from tests.serve.serving import live
from tupelo.api.text import load
from tupelo.serve.app import Service

_SIZE, _COLOURS = {"width": 1000, "height": 760}, 64
_READY = "html[data-ready=yes]"


def keep(page: Any, path: Path) -> None:
    from PIL import Image

    page.wait_for_selector(_READY)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def take(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with load() as toolkit, Service(toolkit) as service, live(service) as server, chromium() as browser:
        page = browser.new_context(viewport=_SIZE, reduced_motion="reduce").new_page()
        page.goto(server.address)
        page.click("text=A news item")
        page.wait_for_selector(".tuple")
        page.locator(".tuple").nth(1).hover()
        keep(page, folder / "tuples.png")
        for tab in ("parse", "graph"):
            page.click(f"#tab-{tab}")
            keep(page, folder / f"{tab}.png")
        dark = browser.new_context(viewport=_SIZE, color_scheme="dark").new_page()
        dark.goto(server.address)
        dark.click("text=A checked answer")
        dark.wait_for_selector(".claims")
        dark.locator(".claims button").last.scroll_into_view_if_needed()
        dark.locator(".claims button").first.hover()
        keep(dark, folder / "check.png")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
