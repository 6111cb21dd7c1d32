"""Choosing the options of a scorer by name: the matcher, and which defects of the original to correct."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tupelo.core import InputError, UnknownNameError

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


def choose_matcher(scorer: str, name: str, known: Sequence[str], official: Mapping[str, str]) -> str:
    """The matcher that `name` stands for; flags of the original program are taken as well."""
    chosen = official.get(name, name)
    if chosen not in known:
        raise UnknownNameError(f"no {scorer} matcher named '{name}'. Known: {', '.join((*known, *official))}")
    return chosen
