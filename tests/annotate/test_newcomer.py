"""The first section of `docs/annotate.md`, followed to the letter: 100 sentences, 3 annotators, one exported file."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.annotate.browsing import do_tuples, finish_training, make_tuple
from tests.annotate.rows import task_of
from tests.browser import expect
from tests.docs.pages import DOCS
from tests.docs.shell import run_line
from tupelo.annotate.database import open_database
from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.project import load_project
from tupelo.core import Extraction
from tupelo.io.tuples import read_records

pytestmark = [pytest.mark.process, pytest.mark.browser]

PAGE = (DOCS / "annotate.md").read_text("utf-8")
SECTION = re.search(r"^## Five minutes.*?(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
PASSWORD = "a long password"


def blocks(kind: str) -> list[str]:
    """The lines of the code blocks of a kind, as typed."""
    assert SECTION is not None
    found = re.findall(rf"^ *```{kind}\n(.*?)^ *```", SECTION[0], re.MULTILINE | re.DOTALL)
    lines = [line.strip() for block in found for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if kind == "sh" or line.startswith("$ ")]


def buttons() -> list[str]:
    """Everything that the reader is told to press or to fill, in order."""
    assert SECTION is not None
    return re.findall(r"\*\*(.+?)\*\*", SECTION[0])


def is_free(port: int) -> bool:
    with socket.socket() as place:
        return place.connect_ex(("127.0.0.1", port)) != 0


@contextmanager
def serving(command: str, folder: Path) -> Iterator[str]:
    """The server as the page starts it; the link for the first admin comes back."""
    if not is_free(8770):
        command += " --port 0"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = ""
        until = time.monotonic() + 120
        while "/invite/" not in said and time.monotonic() < until:
            line = process.stdout.readline()
            assert line, f"the server ended: {said}"
            said += line
        assert "100 items (100 new)" in said
        yield re.findall(r"http://\S+/invite/\S+", said)[0]
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def enter(browser: Any, link: str, name: str, press: str) -> Any:
    page = browser.new_context().new_page()
    page.set_default_timeout(90_000)
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Choose a password").fill(PASSWORD)
    page.get_by_role("button", name=press).click()
    return page


def test_a_newcomer_gets_from_sentences_to_gold(browser: Any, tmp_path: Path) -> None:
    assert buttons() == [
        "Create account",
        "People",
        "How many",
        "Invite",
        "Create account",
        "To the test",
        "Start working",
        "Hand in",
        "Dashboard",
        "Export",
        "Download",
    ]
    create, people, how_many, invite, _, to_test, start, hand_in, dashboard, export, download = buttons()
    for line in blocks("console"):
        done = run_line(line, tmp_path)
        assert done.returncode == 0, done.stdout
    serve, *later = blocks("sh")
    made = load_project(tmp_path / "news")
    task = task_of(made.task)
    assert made.qualification.file is not None
    rows = read_rows(task.reads, str(made.path(made.qualification.file)))
    questions = items_of_rows(task, rows, made.settings, "test")
    steps = len(made.tutorial())
    with serving(serve, tmp_path) as link:
        admin = enter(browser, link, "Ada", create)
        admin.get_by_role("link", name=people).click()
        admin.get_by_label(how_many).fill("3")
        admin.get_by_role("button", name=invite).click()
        admin.wait_for_selector("[data-links] p:nth-child(3)")
        links = admin.locator("[data-links] input").evaluate_all("nodes => nodes.map(node => node.value)")
        for name, each in zip(("Bo", "Cy", "Dora"), links, strict=True):
            page = enter(browser, each, name, create)
            page.wait_for_url("**/tutorial")
            if name == "Bo":
                for _ in range(steps - 1):
                    page.get_by_role("button", name="Next step").click()
                page.get_by_role("button", name=to_test).click()
                for number, question in enumerate(questions, start=1):
                    page.wait_for_selector(f"h1:has-text('question {number} of {len(questions)}')")
                    do_tuples(page, question.content, question.gold or {})
                    page.click("[data-next]")
                page.get_by_role("button", name=start).click()
            else:
                with closing(open_database(made.database_address())) as database:
                    finish_training(database, name)
                page.goto(f"{each.partition('/invite/')[0]}/work")
            page.wait_for_selector("[data-submit]")
            # “Boat 1 left the harbour on Monday .”
            make_tuple(page, {"rel": [2], "args": [[0, 1], [3, 4]], "time": [5, 6]})
            page.get_by_role("button", name=hand_in).click()
            page.wait_for_selector("[data-undo-last]")
            page.context.close()
        admin.get_by_role("link", name=dashboard).click()
        expect(admin.locator(".tiles")).to_contain_text("3of 200 wanted")
        admin.get_by_role("link", name=export).click()
        with admin.expect_download() as waiting:
            admin.get_by_text(download).click()
        assert "harbour" in Path(waiting.value.path()).read_text("utf-8")
        admin.context.close()
        for line in later:
            done = run_line(line, tmp_path)
            assert done.returncode == 0, done.stdout
    gold = [record for record in read_records(tmp_path / "gold.tsv", "carb") if isinstance(record, Extraction)]
    assert {str(record.rel) for record in gold} == {"left"}
    assert "the harbour" in str(gold[0])
