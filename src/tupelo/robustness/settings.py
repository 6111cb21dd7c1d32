"""Fitted values that ship with the package (`settings.json`), with what they were fitted on."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def packaged_text(name: str) -> str:
    """The text of a data file of this package."""
    return files("tupelo.robustness").joinpath(name).read_text("utf-8")


SETTINGS: dict[str, Any] = json.loads(packaged_text("settings.json"))
