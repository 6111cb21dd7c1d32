"""The front door: every everyday task as one call. The only room that joins the others.

`import tupelo` shows all of these names, and each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tupelo.api.data import dataset_info, datasets, get_dataset
    from tupelo.api.graph import Document, Filters, Graph
    from tupelo.api.scoring import SCORERS, compare, leaderboard, score
    from tupelo.api.text import Toolkit, load
    from tupelo.api.text_files import extractors, parsers
    from tupelo.api.tuples import FORMATS, Tuples, column_format, convert, formats, open_records, read, write

# Name -> the module of this room that has it.
PLACES = {
    "FORMATS": "tuples",
    "SCORERS": "scoring",
    "Document": "graph",
    "Filters": "graph",
    "Graph": "graph",
    "Toolkit": "text",
    "Tuples": "tuples",
    "column_format": "tuples",
    "compare": "scoring",
    "convert": "tuples",
    "dataset_info": "data",
    "datasets": "data",
    "extractors": "text_files",
    "formats": "tuples",
    "get_dataset": "data",
    "leaderboard": "scoring",
    "load": "text",
    "open_records": "tuples",
    "parsers": "text_files",
    "read": "tuples",
    "score": "scoring",
    "write": "tuples",
}

__all__ = [
    "FORMATS",
    "SCORERS",
    "Document",
    "Filters",
    "Graph",
    "Toolkit",
    "Tuples",
    "column_format",
    "compare",
    "convert",
    "dataset_info",
    "datasets",
    "extractors",
    "formats",
    "get_dataset",
    "leaderboard",
    "load",
    "open_records",
    "parsers",
    "read",
    "score",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module 'tupelo.api' has no attribute '{name}'")
    return getattr(import_module(f"tupelo.api.{PLACES[name]}"), name)
