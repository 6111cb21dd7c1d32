"""Data files that ship with the package: text, declarations and figures in TOML or JSON, and SQL."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


def shipped_text(package: str, name: str) -> str:
    """The text of a file in the folder of a package."""
    return files(package).joinpath(name).read_text("utf-8")


def declared(module: str, name: str) -> dict[str, Any]:
    """The content of a TOML or JSON file beside a module (`__name__`)."""
    read: Callable[[str], dict[str, Any]] = json.loads if name.endswith(".json") else tomllib.loads
    return read(shipped_text(module.rpartition(".")[0], name))


def figures(module: str, name: str) -> SimpleNamespace:
    """The table of a module in a TOML file beside it, with its numbers as attributes."""
    return SimpleNamespace(**declared(module, name)[module.rpartition(".")[2]])


def queries(module: str, name: str = "") -> dict[str, str]:
    """The SQL of a file beside a module, by default the one of its name: queries, each after a line `-- name: …`."""
    package, _, own = module.rpartition(".")
    _, *parts = _NAME.split(shipped_text(package, name or f"{own}.sql"))
    return dict(zip(parts[::2], parts[1::2], strict=True))
