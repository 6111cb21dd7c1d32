"""A real browser for the tests of pages; they are skipped where there is none."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

_FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# The first does without all that only a window needs, and takes half of the time.
_PROGRAMS = {
    "chromium-headless-shell": ["--disable-gpu", "--in-process-gpu"],
    "chromium": [],
    "chromium-browser": [],
    "google-chrome": [],
}

# Milliseconds that a test waits for what must happen.
PATIENCE = 60_000

_CHECKER = Path(__file__).with_name("accessibility.js").read_text("utf-8")


def faults(page: Any) -> list[str]:
    """What a screen reader or weak eyes would miss on a page, light and dark."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{scheme}: {fault}" for fault in page.evaluate(_CHECKER)]
        # Colours are all that differs between the two.
        found += [f"{scheme}: {fault}" for fault in _axe(page, ["color-contrast"] if scheme == "dark" else None)]
    return found


def _axe(page: Any, rules: list[str] | None) -> list[str]:
    """Findings of axe-core, each with the first element that it is about."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
    run = "rules => axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })"
    found = page.evaluate(run, rules)["violations"]
    first = [(one["id"], one["nodes"][0]) for one in found]
    return [f"{name}: {node['html'][:160]} {node['failureSummary'][:200]}" for name, node in first]


def expect(shown: Any) -> Any:
    """Playwright's assertions, which wait until the page is as they say: what a click sets off may take its time."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    return expect(shown)


def becomes(page: Any, read: Callable[[], Any], wanted: Any) -> None:
    """Wait until the page shows this, where `expect` has no words for it."""
    until = time.monotonic() + PATIENCE / 1000
    while read() != wanted and time.monotonic() < until:
        page.wait_for_timeout(20)
    assert read() == wanted


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser with a fresh profile."""
    sync_api = pytest.importorskip("playwright.sync_api")
    name = next(filter(shutil.which, _PROGRAMS), None)
    if name is None:
        pytest.skip("needs Chromium")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which(name), args=_FLAGS + _PROGRAMS[name])
        yield browser
        browser.close()


class Watched:
    """A page with everything suspicious that happened on it: requests, errors, dialogs, blocked loads."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.trouble: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)

    def open(self, address: str) -> Any:
        self.page.goto(address)
        self.settle()
        return self.page

    def settle(self) -> None:
        # A selector, because the page's policy forbids the evaluation that waiting for a function needs.
        self.page.wait_for_selector("html[data-arranging=no]", state="attached")

    def close(self) -> None:
        self.context.close()
