"""The front door: every everyday task as one call. The only room that joins the others.

`import tupelo` shows all of these names, and each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tupelo.api.text import Toolkit, load

# Name -> the module of this room that has it.
PLACES = {
    "Toolkit": "text",
    "load": "text",
}

__all__ = ["Toolkit", "load"]


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module 'tupelo.api' has no attribute '{name}'")
    return getattr(import_module(f"tupelo.api.{PLACES[name]}"), name)
