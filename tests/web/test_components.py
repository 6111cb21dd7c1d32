"""Every component of the shell in every state, in a real browser: light and dark, at three widths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import Watched, becomes, expect, faults
from tupelo.web.page import page_head

BODY = Path(__file__).with_name("components.html")


@pytest.mark.process
@pytest.mark.browser
def test_components_fit_every_width_and_can_be_read(browser, tmp_path):
    head = page_head("Components", meta="").replace("<header><h1>Components</h1></header>\n", "")
    page_file = tmp_path / "components.html"
    page_file.write_text(f"{head}{BODY.read_text('utf-8')}</body>\n</html>\n", "utf-8")
    watched = Watched(browser, reduced_motion="reduce")
    page = watched.page
    page.goto(page_file.as_uri())
    for width in (390, 768, 1400):
        page.set_viewport_size({"width": width, "height": 844})
        becomes(page, lambda width=width: page.evaluate("document.documentElement.scrollWidth") <= width, True)
        assert faults(page) == []
    # With motion reduced nothing turns; the ring of what is focused can be seen.
    assert page.evaluate("getComputedStyle(document.querySelector('.waiting'), '::before').animationName") == "none"
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_css("outline-style", "solid")
    assert watched.trouble == []
    assert watched.requests == [page_file.as_uri()]
    watched.close()
