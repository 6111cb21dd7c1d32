"""One module per paper: its tables recomputed with today's library, beside the printed figures.

A module has functions that return results with `to_dict()` and `str()`; `tupelo reproduce NAME` calls them.
"""

from __future__ import annotations

import json
from typing import Any

from tupelo.io.folders import packaged_files


def printed_by(paper: str) -> dict[str, Any]:
    """The figures that a paper prints; `printed.json` has them all."""
    found: dict[str, Any] = json.loads(packaged_files("papers")["printed.json"])[paper]
    return found
