"""The page of a checked text: complete without its script, and what the script adds, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser import expect
from tupelo.checking.checked import Checked, CheckedSentence, Claim, SourceSentence, Verdict
from tupelo.core import Span

TEXT = "# Found\n\n<b>Ann</b> left.  Tom stayed. Who knows?"
SOURCES = ("Ann left Oslo. <i>Rain</i> fell.", "Tom went home.")


def claim(text: str, verdict: Verdict, probability: float | None, *evidence: int, reason: str = "") -> Claim:
    return Claim(text, (0,), (Span(0, 1),), verdict, probability, None, evidence, reason)


CHECKED = Checked(
    TEXT,
    (
        CheckedSentence("<b>Ann</b> left.", 9, (claim("Ann; left", Verdict.SUPPORTED, 0.9, 0),)),
        CheckedSentence("Tom stayed.", 27, (claim("Tom; stayed", Verdict.REFUTED, 0.1, 2, 1, reason="<u>no</u>"),)),
        CheckedSentence("Who knows?", 39, ()),
    ),
    SOURCES,
    (
        SourceSentence("Ann left Oslo.", 0, 0),
        SourceSentence("<i>Rain</i> fell.", 0, 15),
        SourceSentence("Tom went home.", 1, 0),
    ),
)


def test_everything_is_escaped_and_the_whole_text_is_there() -> None:
    for page in (CHECKED.page("<u>"), CHECKED._repr_html_()):
        for tag in ("<b>", "<i>", "<u>"):
            assert tag not in page
        assert "&lt;b&gt;Ann&lt;/b&gt; left." in page
        assert 'href="#n1"' in page
        assert 'href="#s2"' in page
        assert "# Found" in page
    assert "<script>" not in CHECKED._repr_html_()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Any:
    path = tmp_path / "checked.html"
    path.write_text(CHECKED.page("Checked"), encoding="utf-8")
    opened = browser.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(path.as_uri())
    yield opened
    opened.close()
    assert errors == []


def claims(page: Any) -> Any:
    return page.locator("article").filter(visible=True)


@pytest.mark.process
@pytest.mark.browser
def test_sentences_show_their_claims_and_evidence(page: Any) -> None:
    first, lit, focus = page.locator(".sentence").first, page.locator(".source .lit"), page.locator(":focus")
    # What is wrong is shown at once.
    expect(lit).to_have_text(["<i>Rain</i> fell.", "Tom went home."])
    expect(claims(page)).to_have_text([re.compile("^Tom; stayed refuted 0.10 – <u>no</u>")], use_inner_text=True)
    shown = claims(page).inner_text()
    first.hover()
    expect(lit).to_have_text(["Ann left Oslo."])
    page.mouse.move(0, 0)
    expect(lit).to_have_text(["<i>Rain</i> fell.", "Tom went home."])
    first.click()
    page.mouse.move(0, 0)
    expect(lit).to_have_text(["Ann left Oslo."])
    page.keyboard.press("ArrowRight")
    expect(focus).to_have_text("Tom stayed.")
    expect(claims(page)).to_have_text([shown], use_inner_text=True)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+Tab")
    expect(focus).to_have_text("<b>Ann</b> left.")
    expect(lit).to_have_text(["Ann left Oslo."])
    expect(page.locator(".sentence").nth(1)).to_have_class("sentence refuted")


@pytest.mark.process
@pytest.mark.browser
def test_the_page_reads_without_its_script(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "checked.html"
    path.write_text(CHECKED.page("Checked"), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(path.as_uri())
    expect(claims(opened)).to_have_count(2)
    opened.click("text=Tom stayed. >> nth=0")
    expect(opened).to_have_url(re.compile("#n1$"))
    context.close()
