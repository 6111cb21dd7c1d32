"""Progress on standard error: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tupelo.core.progress import Progress


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
