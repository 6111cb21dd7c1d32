"""Progress on standard error: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from tupelo.core.progress import Progress

Item = TypeVar("Item")
_STEP = 1000


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A callback for `progress=` that draws one bar per task; `None`, and rich not loaded, off a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
    )
    tasks: dict[str, rich.TaskID] = {}
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def report(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield report


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A function that takes how many steps were done. Nothing is shown, and rich not loaded, off a terminal."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda steps: bar.advance(task, steps)


def count(items: Iterable[Item], advance: Callable[[int], None]) -> Iterator[Item]:
    """Pass items through and report every thousand of them."""
    done = 0
    for item in items:
        done += 1
        if done == _STEP:
            advance(done)
            done = 0
        yield item
    advance(done)
