"""The files of the pages: small, nothing from elsewhere, and no way for text to become markup."""

from __future__ import annotations

import gzip
import re

import pytest

from tupelo.annotate.app import web_files
from tupelo.annotate.tasks import TASKS

FILES = {name: data.decode("utf-8") for name, data in web_files().items()}
SCRIPTS = sorted(name for name in FILES if name.endswith(".js"))
# Everything that turns text into markup or code.
_DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\(|"
    r"new Function|setAttribute\('on|javascript:"
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_text_never_becomes_markup(name: str) -> None:
    assert _DANGEROUS.findall(FILES[name]) == []


@pytest.mark.parametrize("name", sorted(FILES))
def test_nothing_comes_from_elsewhere(name: str) -> None:
    addresses = set(re.findall(r"https?://[^'\"\s)]+|url\([^)]*\)", FILES[name]))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    for path in re.findall(r"(?:from|import\()\s*['\"`]\./([\w-]+\.js)", FILES[name]):
        assert path in FILES


def test_the_shell_has_no_script_or_style_of_its_own() -> None:
    shell = FILES["index.html"]
    assert re.findall(r"<script[^>]*>(.*?)</script>", shell) == [""]
    assert "<style" not in shell
    assert not re.search(r"\s(style|on\w+)=", shell)


def test_every_task_has_its_component() -> None:
    for task in TASKS:
        assert {"export", "Component", "show"} <= set(re.findall(r"\w+", FILES[f"task-{task}.js"])), task


def test_the_pages_are_small() -> None:
    packed = sum(len(gzip.compress(text.encode())) for text in FILES.values())
    assert packed < 60_000
    assert sum(map(len, FILES.values())) < 160_000
