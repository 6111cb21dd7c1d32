"""The page of the design, with every component in every state, in a real browser: light and dark, at three widths.

Pictures of it are compared with those in `reference/`, at a fourth of their size in 16 greys (26 kB in all). One
differs where a square of 64 pixels of the page is lighter or darker by more than 24 of 255 in the mean: a letter that
is smoothed otherwise stays far below, a component that moved, grew or lost its colour far above. Letters of another
font have other widths, so a machine with another one compares nothing. `python -m tests.web.test_components` writes
the references anew.
"""

from __future__ import annotations

import io
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Watched, becomes, chromium, expect, faults

PAGE = Path(str(files("tupelo.web").joinpath("design.html")))
REFERENCE = Path(__file__).with_name("reference")
WIDTHS = (390, 768, 1400)
SMALLER, SQUARE, TOLERATED, GREYS = 4, 16, 24, 16
# The width of these words in the font of the references.
WORDS, WIDE = "Sphinx of black quartz, judge my vow", 301


def picture(page: Any, width: int) -> Any:
    """The page in small, grey."""
    from PIL import Image

    page.set_viewport_size({"width": width, "height": 844})
    taken = Image.open(io.BytesIO(page.screenshot(full_page=True, animations="disabled"))).convert("L")
    return taken.resize((taken.width // SMALLER, taken.height // SMALLER), Image.Resampling.BOX)


def squares(one: Any) -> Any:
    from PIL import Image

    return one.resize((-(-one.width // SQUARE), -(-one.height // SQUARE)), Image.Resampling.BOX)


def different(new: Any, old: Any) -> list[tuple[int, int]]:
    """Places on the page, in pixels, where two pictures differ."""
    if new.size != old.size:
        return [(0, SMALLER * min(new.height, old.height))]
    pairs = zip(squares(new).tobytes(), squares(old).tobytes(), strict=True)
    across = squares(new).width
    side = SQUARE * SMALLER
    return [(at % across * side, at // across * side) for at, (a, b) in enumerate(pairs) if abs(a - b) > TOLERATED]


def font_width(page: Any) -> int:
    measured = "words => { const ink = document.createElement('canvas').getContext('2d'); "
    measured += "ink.font = '16px system-ui, sans-serif'; return Math.round(ink.measureText(words).width); }"
    return int(page.evaluate(measured, WORDS))


@pytest.mark.process
@pytest.mark.browser
def test_components_fit_every_width_and_can_be_read(browser):
    watched = Watched(browser, reduced_motion="reduce")
    page = watched.page
    page.goto(PAGE.as_uri())
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        becomes(page, lambda width=width: page.evaluate("document.documentElement.scrollWidth") <= width, True)
        assert faults(page) == []
    # With motion reduced nothing turns; the ring of what is focused can be seen.
    assert page.evaluate("getComputedStyle(document.querySelector('.waiting'), '::before').animationName") == "none"
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_css("outline-style", "solid")
    assert watched.trouble == []
    assert {url.rpartition("/")[2] for url in watched.requests} <= {"design.html", "shell.css", ","}
    watched.close()


@pytest.mark.process
@pytest.mark.browser
def test_components_look_as_in_the_references(browser, tmp_path):
    image = pytest.importorskip("PIL.Image")
    watched = Watched(browser, reduced_motion="reduce")
    watched.page.goto(PAGE.as_uri())
    if font_width(watched.page) != WIDE:
        pytest.skip("the references have letters of another font")
    for width in WIDTHS:
        new = picture(watched.page, width)
        new.save(tmp_path / f"{width}.png")
        places = different(new, image.open(REFERENCE / f"{width}.png").convert("L"))
        assert places == [], (
            f"differs at these places; the new picture, a fourth in size: {tmp_path / f'{width}.png'}"
        )
    watched.close()


def test_what_moved_is_told_and_what_was_smoothed_is_not():
    image = pytest.importorskip("PIL.Image")
    old = image.new("L", (160, 160), 255)
    new = old.copy()
    new.paste(250, (0, 0, 160, 160))
    assert different(new, old) == []
    new.paste(100, (32, 16, 48, 32))
    assert different(new, old) == [(128, 64)]
    assert different(new.resize((160, 150)), old) == [(0, 600)]


if __name__ == "__main__":
    with chromium() as program:
        opened = Watched(program, reduced_motion="reduce")
        opened.page.goto(PAGE.as_uri())
        assert font_width(opened.page) == WIDE
        REFERENCE.mkdir(exist_ok=True)
        for one in WIDTHS:
            picture(opened.page, one).quantize(GREYS).save(REFERENCE / f"{one}.png", optimize=True)
