"""The one folder that we write to unasked, and how other libraries are kept inside it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def cache_root(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that `TUPELO_CACHE` names, else the platform's cache folder for Tupelo."""
    if named := environment.get("TUPELO_CACHE"):
        return Path(named).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("tupelo", appauthor=False)


def share_cache(library: str, variable: str) -> None:
    """Let a library that is about to be imported keep its files in our cache, unless `variable` names another place.

    Without this, matplotlib creates two folders in the user's home.
    """
    if library not in sys.modules:
        os.environ.setdefault(variable, str(cache_root() / library))
