"""A real browser for the tests of pages; they are skipped where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser with a fresh profile."""
    sync_api = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs Chromium")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=_FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page with everything suspicious that happened on it: requests, errors, dialogs, blocked loads."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
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
        self.page.wait_for_selector("html[data-arranging=no]", state="attached", timeout=60_000)

    def close(self) -> None:
        self.context.close()
