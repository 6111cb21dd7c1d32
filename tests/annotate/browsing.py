"""A project with its real pages in a real browser, and hands that answer every task as a person would."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.annotate.serving import PASSWORD, Clock, Live, Setting, live
from tupelo.annotate.app import page_files
from tupelo.annotate.database import Database, open_database
from tupelo.annotate.desk import make_desk
from tupelo.annotate.items import stock_up
from tupelo.annotate.people import make_link
from tupelo.annotate.project import load_project, make_project

READY = "html[data-ready=yes]"
# Refusals that a test provokes; a browser reports every one of them on its console.
_EXPECTED = re.compile(r"status of (40[139]|410|422)|ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION_REFUSED")


@contextmanager
def project(
    folder: Path,
    task: str,
    settings: Mapping[tuple[str, str], Any] | None = None,
    items: str | None = None,
    extract: Any = None,
    address: str | None = None,
) -> Iterator[Live]:
    """The worked example of a task, served with the pages of the package."""
    own: tuple[Path, ...] = ()
    folder.mkdir(exist_ok=True)
    if items is not None:
        path = folder / f"mine{'.jsonl' if items.lstrip().startswith('{') else '.txt'}"
        path.write_text(items, "utf-8")
        own = (path,)
    make_project(folder / task, task, own, settings or {})
    made = load_project(folder / task)
    database = open_database(address or made.database_address(), create=True)
    # The browser shows times and counts seconds: the clock of this server runs.
    desk = make_desk(made, database, now=lambda: time.time_ns() // 1_000_000, password_cost=2, extract=extract)
    stock_up(desk)
    with live(Setting(desk, Clock(), folder / task), page_files(desk.task, task)) as server:
        yield server


@dataclass
class Tab:
    """A person at a browser, with everything suspicious that happened there."""

    browser: Any
    server: Live
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.context = self.browser.new_context(**{"viewport": {"width": 1100, "height": 800}, **self.options})
        self.context.set_default_timeout(90_000)
        self.page = self.context.new_page()
        self.trouble: list[str] = []
        self.foreign: list[str] = []
        self.page.on("request", self._asked)
        self.page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("console", self._heard)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((f"http://127.0.0.1:{self.server.port}/", "data:")):
            self.foreign.append(request.url)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning") and not _EXPECTED.search(message.text):
            self.trouble.append(message.text)

    def open(self, path: str) -> Any:
        self.page.goto(f"http://127.0.0.1:{self.server.port}{path}")
        self.page.wait_for_selector(READY)
        return self.page

    def join(self, name: str, role: str = "annotator") -> Any:
        """From the invitation link to the first page, through the form."""
        _, token = make_link(self.server.setting.desk, role)
        page = self.open(f"/invite/{token}")
        page.fill("[name=name]", name)
        page.fill("[name=password]", PASSWORD)
        page.click("button[type=submit]")
        page.wait_for_url(lambda url: "/invite/" not in url)
        page.wait_for_selector(READY)
        return page

    def ready(self, name: str, role: str = "annotator") -> Any:
        """Somebody who came in before and needs no training any more."""
        visitor = self.server.enter(name, role)
        finish_training(self.server.setting.desk.database, name)
        home = f"http://127.0.0.1:{self.server.port}"
        cookies = [{"name": key, "value": value, "url": home} for key, value in visitor.cookies.items()]
        self.context.add_cookies(cookies)
        return self.open({"annotator": "/work", "reviewer": "/review", "admin": "/dashboard"}[role])

    def close(self) -> None:
        self.context.close()
        assert self.trouble == []
        assert self.foreign == []


def finish_training(database: Database, name: str) -> None:
    from sqlalchemy import update

    from tupelo.annotate.schema import people

    done = update(people).where(people.c.name == name).values(state="working")
    database.write(lambda connection: connection.execute(done))


@contextmanager
def tab(browser: Any, server: Live, **options: Any) -> Iterator[Tab]:
    opened = Tab(browser, server, options)
    try:
        yield opened
    except BaseException:
        opened.context.close()
        raise
    opened.close()


def place(page: Any, name: str) -> Any:
    return page.locator(f'[data-place="{name}"]')


def hand_in(page: Any) -> None:
    """Hand in and wait until the server has it and the next item, or the end, is there."""
    page.evaluate("document.querySelector('[data-undo-last]')?.removeAttribute('data-undo-last')")
    page.click("[data-submit]")
    page.wait_for_selector("[data-undo-last]")


def make_tuple(page: Any, given: Mapping[str, Any], label: str = "pad") -> None:
    """Slot by slot, word by word; what is not in the sentence is typed. Nothing here moves, so no click waits."""

    def click(name: str) -> None:
        place(page, name).click(force=True)

    parts = {name: given[name] for name in ("speaker", "verb", "rel", "time", "place") if given.get(name)}
    for number, part in enumerate(given["args"]):
        parts[f"args.{number}"] = part
        if number > 1:
            click(f"{label}-more")
    for slot, part in parts.items():
        empty = place(page, f"{label}-empty-{slot}")
        if empty.count():
            empty.click(force=True)
        click(f"{label}-slot-{slot}")
        for piece in part:
            if isinstance(piece, int):
                click(f"{label}-word-{piece}")
            else:
                place(page, f"{label}-typed").fill(piece)
                click(f"{label}-after")
    click(f"{label}-add")


def do_tuples(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any], label: str = "pad") -> None:
    for given in answer["tuples"]:
        make_tuple(page, given, label)
    if answer["none"]:
        place(page, f"{label}-none").check()


def do_clique(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    for number, given in enumerate(answer["sentences"]):
        if number:
            place(page, "next").click()
            while place(page, f"s{number}-dismiss-0").count():
                place(page, f"s{number}-dismiss-0").click()
        do_tuples(page, content, given, f"s{number}")


def do_paraphrase(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    place(page, f"verdict-{answer['verdict']}").check()
    if answer["verdict"] == "corrected":
        place(page, "text").fill(answer["text"])
        for kind in answer["kinds"]:
            place(page, f"kind-{kind}").check()
    if answer.get("kept"):
        place(page, "kept").check()


def do_judgements(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    place(page, f"label-{answer['label']}").check()
    if answer["label"] != "wrong":
        return
    place(page, f"part-{answer['part']}").check()
    if answer["corrected"] is None:
        place(page, "none").check()
        return
    for number, part in enumerate(answer["corrected"]["tuple"]):
        if number >= len(content["tuple"]):
            place(page, "more").click()
        place(page, f"text-{number}").fill(part)
    place(page, "marks").fill("; ".join(answer["corrected"]["marks"]))


def do_preference(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    place(page, f"choice-{answer['choice']}").check()


def do_candidates(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    texts = {each["id"]: each["text"] for each in content["candidates"]}
    for key, label in answer["labels"].items():
        name = page.locator("b", has_text=re.compile(f"^{re.escape(texts[key])}$"))
        page.locator(".candidates li").filter(has=name).locator(f"input[value={label}]").check()


def do_accuracy(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    place(page, f"score-{answer['score']}").check()


def do_claims(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    for number, label in enumerate(answer["labels"]):
        place(page, f"c{number}-{label}").check()


def do_clusters(page: Any, content: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """Each wanted cluster is split off, unless it is there already."""
    for each in answer["clusters"]:
        for member in each["members"]:
            place(page, f"member-{member}").check()
        if place(page, "split").is_enabled():
            place(page, "split").click()
        else:
            place(page, "none").click()
    place(page, "touched").check()


DO: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], None]] = {
    "tuples": do_tuples,
    "reported": do_tuples,
    "clique": do_clique,
    "paraphrase": do_paraphrase,
    "judgements": do_judgements,
    "preference": do_preference,
    "candidates": do_candidates,
    "accuracy": do_accuracy,
    "claims": do_claims,
    "clusters": do_clusters,
}
