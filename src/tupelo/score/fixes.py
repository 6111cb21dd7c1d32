"""Choosing which defects of an original program to correct."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tupelo.core import InputError

ALL = "all"


def choose_fixes(quirks: Mapping[str, str], fixes: Iterable[str]) -> frozenset[str]:
    """The names in `fixes`, checked; `all` stands for every quirk."""
    chosen = set(fixes)
    if ALL in chosen:
        return frozenset(quirks)
    unknown = chosen - set(quirks)
    if unknown:
        known = ", ".join(sorted(quirks)) or "none"
        raise InputError(f"no quirk named '{min(unknown)}' to fix. Known: {known}, {ALL}")
    return frozenset(chosen)
