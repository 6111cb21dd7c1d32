"""Progress of long work, reported to a callback of the caller: `progress(what, done, total)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

Item = TypeVar("Item")

# Called with what is being done, how many steps are finished, and how many there are (`None` if unknown).
Progress: TypeAlias = Callable[[str, int, int | None], None]
# Called with how many steps were finished since the last call.
Advance: TypeAlias = Callable[[int], None]

_STEP = 1000


def track(progress: Progress | None, what: str, total: int | None = None) -> Advance:
    """A function that adds up steps and reports the sum; without a callback it does nothing.

    >>> advance = track(lambda what, done, total: print(f"{what}: {done} of {total}"), "reading", 3)
    >>> advance(1); advance(2)
    reading: 1 of 3
    reading: 3 of 3
    """
    if progress is None:
        return lambda steps: None
    done = 0

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        progress(what, done, total)

    return advance


def count(items: Iterable[Item], advance: Advance) -> Iterator[Item]:
    """Pass items through and report every thousand of them."""
    done = 0
    for item in items:
        done += 1
        if done == _STEP:
            advance(done)
            done = 0
        yield item
    advance(done)
