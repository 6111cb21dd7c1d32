"""Plain text to open knowledge, with a yardstick for every step.

Twenty names are here; the rest is in submodules: `tupelo.annotation`, `assertions`, `documents`, `embedding`,
`formats`, `graph`, `integrations`, `robustness` and `training`.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tupelo.core import Argument, Extraction, Triple, TupeloError
from tupelo.core.document import Document
from tupelo.core.registry import add_calls, add_views, import_part
from tupelo.core.version import __version__
from tupelo.show import VIEWS

if TYPE_CHECKING:
    from tupelo import (  # noqa: F401  # noqa: F401
        annotation,
        assertions,
        documents,
        embedding,
        formats,
        graph,
        integrations,
        robustness,
        training,
    )
    from tupelo.api.bench import bench
    from tupelo.api.canonical import canonicalize
    from tupelo.api.checking import Checker, check
    from tupelo.api.data import datasets
    from tupelo.api.facts import facts
    from tupelo.api.graph import Graph
    from tupelo.api.inference import infer
    from tupelo.api.scoring import compare, leaderboard, score
    from tupelo.api.text import load
    from tupelo.api.tuples import convert, read, write

# onnxruntime reads this when it is loaded; without it, it stores a device id and reports to its vendor. Here, because
# every process that runs our code, or a part that somebody added, imports this package first.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Values know the names of their views, not the functions that draw them.
add_views(VIEWS)

__all__ = [
    "Argument",
    "Checker",
    "Document",
    "Extraction",
    "Graph",
    "Triple",
    "TupeloError",
    "__version__",
    "bench",
    "canonicalize",
    "check",
    "compare",
    "convert",
    "datasets",
    "facts",
    "infer",
    "leaderboard",
    "load",
    "read",
    "score",
    "write",
]

# Everyday calls are imported when they are first used, so that `import tupelo` stays quick.
_PLACES = {
    "Checker": "tupelo.api.checking:Checker",
    "Graph": "tupelo.api.graph:Graph",
    "bench": "tupelo.api.bench:bench",
    "canonicalize": "tupelo.api.canonical:canonicalize",
    "check": "tupelo.api.checking:check",
    "compare": "tupelo.api.scoring:compare",
    "convert": "tupelo.api.tuples:convert",
    "datasets": "tupelo.api.data:datasets",
    "facts": "tupelo.api.facts:facts",
    "infer": "tupelo.api.inference:infer",
    "leaderboard": "tupelo.api.scoring:leaderboard",
    "load": "tupelo.api.text:load",
    "read": "tupelo.api.tuples:read",
    "score": "tupelo.api.scoring:score",
    "write": "tupelo.api.tuples:write",
}
# Submodules that need no import of their own: `tupelo.robustness.build(…)`.
SUBMODULES = (
    "annotation",
    "assertions",
    "documents",
    "embedding",
    "formats",
    "graph",
    "integrations",
    "robustness",
    "training",
)

add_calls(
    "tupelo.graph",
    {
        "BuildOptions": "tupelo.api.graph:BuildOptions",
        "Filters": "tupelo.api.graph:Filters",
    },
)
add_calls(
    "tupelo.robustness",
    {
        "CliqueOptions": "tupelo.api.robustness:CliqueOptions",
        "StudyOptions": "tupelo.api.robustness:StudyOptions",
        "analyze": "tupelo.api.robustness:analyze",
        "build": "tupelo.api.robustness:build",
        "distances": "tupelo.api.robustness:distances",
        "filter": "tupelo.api.robustness:filter",
    },
)


if not TYPE_CHECKING:  # a type checker sees the names above, and nothing else

    def __getattr__(name: str) -> Any:
        if name in _PLACES:
            return import_part(_PLACES[name])
        if name in SUBMODULES:
            return import_module(f"tupelo.{name}")
        raise AttributeError(f"module 'tupelo' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
