"""The progress display: for people at a terminal only, and never in the way of the items."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from tupelo.cli.progress import progress_bar
from tupelo.core.progress import count, track


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.process
def test_rich_is_not_loaded_off_a_terminal() -> None:
    program = (
        "import sys\n"
        "from tupelo.cli.progress import progress_bar\n"
        "with progress_bar() as report:\n"
        "    assert report is None\n"
        "assert 'rich' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stderr=subprocess.PIPE)


def test_items_pass_through_and_are_all_counted() -> None:
    steps: list[int] = []
    assert list(count(range(2500), steps.append)) == list(range(2500))
    assert sum(steps) == 2500
    assert len(steps) == 3


def test_the_bar_has_no_callback_off_a_terminal() -> None:
    with progress_bar() as report:
        assert report is None


def test_a_terminal_shows_every_task(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_bar() as report:
        track(report, "reading", 3)(3)
        track(report, "writing")(1)
    assert "reading" in screen.getvalue()
    assert "writing" in screen.getvalue()
